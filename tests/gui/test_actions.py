"""The commands: one row each, in a menu, in the list of shortcuts and in the palette, and every key really pressed."""

from __future__ import annotations

from collections import Counter

import pytest
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QLineEdit, QMenu

from lifehelper_desktop.base.settings import AI_ENABLED, SHORTCUT_KEYS
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.actions import BY_NAME, COMMANDS, MENU_WORDS, Menu
from lifehelper_desktop.ui.main_window import MainWindow
from lifehelper_desktop.ui.screens.palette import PaletteDialog
from lifehelper_desktop.ui.screens.shortcuts import ShortcutsDialog
from lifehelper_desktop.ui.shortcuts import default_keys, shown_key
from tests.gui.conftest import Gui, MakeGui
from tests.gui.keys import press
from tests.helpers.scripted_llm import ScriptPause


def actions_of(menu: QMenu) -> list[QAction]:
    """Return the actions of a menu and of the menus in it."""
    found: list[QAction] = []
    for action in menu.actions():
        inner = action.menu()
        found += actions_of(inner) if isinstance(inner, QMenu) else [action]
    return [each for each in found if not each.isSeparator()]


# ---- the rows -------------------------------------------------------------------------------------------------------


def test_names_are_unique_and_every_method_and_icon_is_there() -> None:
    assert len(BY_NAME) == len(COMMANDS)
    for command in COMMANDS:
        assert callable(getattr(MainWindow, command.method))
        assert not command.icon or not icons.icon(command.icon, "#000000").isNull()
        assert not command.in_field or command.needs_coach


def test_no_two_commands_share_a_key() -> None:
    counted = Counter(key for command in COMMANDS for key in default_keys(command))
    assert [key for key, times in counted.items() if times > 1] == []


def test_every_row_is_in_its_menu(make_gui: MakeGui) -> None:
    gui = make_gui()
    bar = gui.window.menuBar()
    assert [action.text() for action in bar.actions()] == [MENU_WORDS[menu] for menu in Menu]
    for menu in Menu:
        names = [action.objectName() for action in actions_of(gui.window.commands.menus[menu])]
        assert names == [command.name for command in COMMANDS if command.menu is menu]


def test_every_row_is_in_the_list_of_shortcuts(make_gui: MakeGui) -> None:
    gui = make_gui()
    press(gui.window, "F1")
    dialog = gui.window.dialogs["shortcuts"]
    assert isinstance(dialog, ShortcutsDialog)
    lines = dialog.list.lines
    assert [line.key for line in lines] == [command.name for command in COMMANDS]
    for line, command in zip(lines, COMMANDS, strict=True):
        keys = default_keys(command)
        assert line.title == command.title()
        assert line.badge == (shown_key(keys[0]) if keys else "키 없음")


def test_every_row_is_in_the_palette(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    press(gui.window, "Ctrl+K")
    dialog = gui.window.dialogs["palette"]
    assert isinstance(dialog, PaletteDialog)
    shown = {line.key: line for line in dialog.list.lines}
    for command in COMMANDS:
        enabled = gui.window.commands.by_name[command.name].isEnabled() and command.name != "palette"
        assert (f"command {command.name}" in shown) is enabled, command.name
        if enabled:
            assert shown[f"command {command.name}"].badge == gui.window.commands.shown_keys()[command.name]
    assert not gui.window.commands.by_name["mark_habit_4"].isEnabled()  # there are three habits


def test_with_ai_off_the_coach_is_in_no_menu_and_has_no_key(make_gui: MakeGui, store: Store) -> None:
    store.settings.set(AI_ENABLED, False)
    gui = make_gui()
    assert not gui.window.commands.menus[Menu.COACH].menuAction().isVisible()
    for command in COMMANDS:
        if command.needs_coach:
            assert not gui.window.commands.by_name[command.name].isVisible()
    press(gui.window, "Ctrl+K")
    shown = [str(line.key) for line in gui.window.dialogs["palette"].list.lines]  # type: ignore[attr-defined]
    assert "command new_chat" not in shown
    assert "command show_habits" in shown


def test_the_system_menus_of_macos_know_their_roles(make_gui: MakeGui) -> None:
    actions = make_gui().window.commands.by_name
    roles = {name: action.menuRole() for name, action in actions.items()}
    assert roles["quit"] is QAction.MenuRole.QuitRole
    assert roles["settings"] is QAction.MenuRole.PreferencesRole
    assert roles["about"] is QAction.MenuRole.AboutRole
    assert {role for name, role in roles.items() if name not in ("quit", "settings", "about")} == {
        QAction.MenuRole.NoRole  # else Qt guesses from the words
    }


# ---- the keys -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "dialog"),
    [
        ("Ctrl+,", "settings"),
        ("Ctrl+/", "shortcuts"),
        ("F1", "shortcuts"),
        ("Ctrl+K", "palette"),
        ("Ctrl+O", "conversations"),
    ],
)
def test_keys_that_open_a_dialog(make_gui: MakeGui, keys: str, dialog: str) -> None:
    gui = make_gui()
    gui.window.focus_composer()  # from inside a field, too
    press(gui.window, keys)
    assert dialog in gui.window.dialogs
    gui.window.dialogs[dialog].close()


@pytest.mark.parametrize("name", ["import_data", "export_data", "backups", "archive", "history", "first_run", "about"])
def test_commands_that_open_a_dialog(make_gui: MakeGui, store: Store, name: str) -> None:
    gui = make_gui()
    before = set(gui.window.dialogs)
    gui.window.commands.by_name[name].trigger()
    [opened] = set(gui.window.dialogs) - before
    dialog = gui.window.dialogs[opened]
    gui.qtbot.waitUntil(dialog.isVisible)
    gui.window.commands.by_name[name].trigger()  # once more raises the same
    assert gui.window.dialogs[opened] is dialog
    dialog.close()


def test_pages_by_key(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    window = gui.window
    for keys, page in (("Alt+2", "catalogue"), ("Alt+3", "review"), ("Alt+1", "habits")):
        window.focus_composer()
        press(window, keys)
        assert window.page_name == page
        focused = window.focusWidget()
        assert focused is not None
        assert window._page().isAncestorOf(focused), f"{keys} leaves the focus where it was"
    window.toggle_chat()
    press(window, "Alt+4")
    assert gui.chat.isVisible()
    assert window.focusWidget() is gui.chat.composer.edit


def test_the_page_of_a_habit_and_back(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    window = gui.window
    for back, before in (("Esc", "review"), ("Alt+Left", "habits"), ("Esc", "catalogue")):
        {"review": window.show_review, "habits": window.show_habits, "catalogue": window.show_catalogue}[before]()
        window.show_habit(habits["walk"].id)
        assert window.page_name == "detail"
        assert window.rail["habits"].isChecked()
        press(window, back)
        assert window.page_name == before
    press(window, "Alt+Left")
    assert window.page_name == "habits"


def test_esc_leaves_the_page_of_a_habit_without_the_coach(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    store.settings.set(AI_ENABLED, False)
    window = make_gui().window
    window.show_habit(habits["walk"].id)
    press(window, "Esc")
    assert window.page_name == "habits"


def test_the_page_of_a_habit_stays_through_a_change_of_language(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    window = make_gui().window
    window.show_review()
    window.show_habit(habits["walk"].id)
    window.build()
    assert window.page_name == "detail"
    assert window.detail is not None
    assert window.detail.habit_id == habits["walk"].id
    window.go_back()
    assert window.page_name == "review"


def test_a_habit_that_goes_away_takes_its_page_along(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    gui.window.show_habit(habits["walk"].id)
    gui.bus.publish_data(store.trash.delete(habits["walk"].id))
    gui.qtbot.waitUntil(lambda: gui.window.page_name == "habits")


def test_the_coach_by_key(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네, 좋아요.")], [LlmTextChunk("둘")])
    window = gui.window
    press(window, "Ctrl+J")
    assert not gui.chat.isVisible()
    press(window, "Ctrl+L")
    assert gui.chat.isVisible()
    assert window.focusWidget() is gui.chat.composer.edit
    gui.qtbot.keyClicks(gui.chat.composer.edit, "hello")
    press(window, "Return")
    gui.wait_idle()
    assert gui.bubbles() == ["hello", "네, 좋아요."]
    press(window, "Ctrl+N")
    gui.qtbot.waitUntil(lambda: gui.bubbles() == [])
    gui.wait_idle()
    assert gui.store.conversations.list("")


def test_esc_stops_the_answer(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("여기까지"), pause])
    gui.window.focus_composer()
    gui.say("안녕")
    gui.qtbot.waitUntil(pause.reached.is_set)
    press(gui.window, "Esc")
    gui.wait_idle()


def test_marking_by_number(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    assert gui.window.commands.by_name["mark_habit_1"].text() == "&1  하루 걷기"
    gui.window.show_catalogue()
    press(gui.window, "Ctrl+1")
    entry = store.entries.get(habits["walk"].id, store.today())
    assert entry is not None
    assert entry.value is EntryValue.DONE
    assert gui.window.page_name == "habits"
    press(gui.window, "Ctrl+9")  # nobody's number


def test_the_quick_log_by_key(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    press(gui.window, "Ctrl+Shift+L")
    gui.qtbot.waitUntil(gui.window.tray.quick_log.isVisible)
    gui.window.tray.quick_log.hide()


def test_undo_tells_it_on_the_page_of_the_habit(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    walk = habits["walk"]
    gui.window.show_habit(walk.id)
    assert gui.window.detail is not None
    gui.window.detail.mark(EntryValue.DONE)
    press(gui.window, "Ctrl+Z")
    assert store.entries.get(walk.id, store.today()) is None
    assert gui.window.page_name == "detail"
    assert gui.window.detail.notice.text.startswith("되돌렸어요")


def test_a_field_keeps_its_own_keys(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    store.entries.log(habits["walk"].id, EntryValue.DONE)
    gui.window.show_catalogue()
    assert gui.window.catalogue is not None
    search: QLineEdit = gui.window.catalogue.search
    search.setFocus()
    gui.qtbot.keyClicks(search, "walk")
    press(gui.window, "Ctrl+A")
    press(gui.window, "Ctrl+C")
    assert QGuiApplication.clipboard().text() == "walk"
    press(gui.window, "Ctrl+Z")
    assert search.text() != "walk"
    assert store.entries.get(habits["walk"].id, store.today()) is not None


def test_a_command_wins_over_the_fields_key_for_deleting(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    """On some systems Ctrl+K deletes to the end of the line, and a field would take it."""
    gui = make_gui()
    edit = gui.chat.composer.edit
    edit.setFocus()
    edit.setPlainText("hello")
    gui.store.settings.set(SHORTCUT_KEYS, '{"palette": ["Ctrl+U"]}')  # deletes a line on Linux
    gui.window.apply_settings()
    press(gui.window, "Ctrl+U")
    assert "palette" in gui.window.dialogs
    assert edit.toPlainText() == "hello"


def test_f6_walks_through_the_window(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    window = gui.window
    regions = [window.side, window._page(), gui.chat]

    def here() -> int:
        focused = window.focusWidget()
        return next(at for at, each in enumerate(regions) if focused is not None and each.isAncestorOf(focused))

    gui.chat.focus_composer()
    walked = []
    for _ in range(3):
        press(window, "F6")
        walked.append(here())
    assert walked == [0, 1, 2]
    assert window.focusWidget() is gui.chat.composer.edit
    press(window, "Shift+F6")
    assert here() == 1
    window.toggle_chat()
    press(window, "F6")
    press(window, "F6")
    assert here() == 1  # the folded coach is passed over


def test_tool_tips_name_the_keys(make_gui: MakeGui) -> None:
    gui = make_gui()
    assert gui.chat.new_button.toolTip() == "새 대화 (Ctrl+N)"
    assert gui.window.rail["habits"].toolTip() == "오늘 (Alt+1)"
    assert gui.chat.composer.send_button.toolTip() == "보내기 (Enter)"


def test_the_first_run_is_offered_once(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    gui.window.offer_first_run()
    gui.window.dialogs["first_run"].reject()
    gui.qtbot.waitUntil(lambda: "first_run" not in gui.window.dialogs)
    gui.window.offer_first_run()
    assert "first_run" not in gui.window.dialogs


def test_nobody_with_habits_is_led_through_the_first_run(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    gui.window.offer_first_run()
    assert "first_run" not in gui.window.dialogs


def find_is_open(gui: Gui) -> bool:
    """Return whether the find bar of the chat pane shows."""
    return gui.chat.find_bar.isVisible()


def test_ctrl_f_finds_where_one_is(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    window = gui.window
    window.focus_composer()
    press(window, "Ctrl+F")
    assert find_is_open(gui)
    press(window, "Esc")
    assert not find_is_open(gui)
    window.show_catalogue()
    assert window.catalogue is not None
    window.catalogue.view.setFocus()
    press(window, "Ctrl+F")
    assert window.focusWidget() is window.catalogue.search
    assert not find_is_open(gui)
    window.show_habits()
    press(window, "Ctrl+Shift+F")
    assert window.page_name == "catalogue"
    store.settings.set(AI_ENABLED, False)
    window.apply_settings()
    window.show_habits()
    window.habits.setFocus()
    press(window, "Ctrl+F")
    assert window.focusWidget() is window.catalogue.search
