"""The palette: everything in one field, in both languages, by initial consonants, the recent first."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.settings import LANGUAGE
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.palette_search import PaletteItem, fit, search
from lifehelper_desktop.ui.screens import palette as palette_module
from lifehelper_desktop.ui.screens.palette import PaletteDialog
from tests.gui.conftest import Gui, MakeGui
from tests.gui.keys import press


def open_palette(gui: Gui, wanted: str = "") -> PaletteDialog:
    """Open the palette by its key and type."""
    press(gui.window, "Ctrl+K")
    dialog = gui.window.dialogs["palette"]
    assert isinstance(dialog, PaletteDialog)
    gui.qtbot.waitUntil(dialog.isVisible)
    dialog.field.setText(wanted)
    return dialog


def keys_of(dialog: PaletteDialog) -> list[object]:
    return [line.key for line in dialog.list.lines]


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize(
    ("wanted", "first"),
    [
        ("설정", "command settings"),
        ("settings", "command settings"),
        ("settigns", "command settings"),
        ("ㅅㅈ", "command settings"),
        ("새 대", "command new_chat"),
        ("걷기", "command mark_habit_1"),
        ("ㄱㄱ", "command mark_habit_1"),
    ],
)
def test_the_search_in_both_languages(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, language: str, wanted: str, first: str
) -> None:
    gui = make_gui()
    store.settings.set(LANGUAGE, language)
    gui.window.apply_settings()
    dialog = open_palette(gui, wanted)
    found = keys_of(dialog)
    assert first in found[:6], found
    if not wanted.startswith("ㄱ"):
        assert found[0] == first, found


def test_a_command_is_carried_out(make_gui: MakeGui) -> None:
    gui = make_gui()
    open_palette(gui, "코치 펼치기")
    press(gui.window.dialogs["palette"], "Return")
    gui.qtbot.waitUntil(lambda: not gui.chat.isVisible())
    assert "palette" not in gui.window.dialogs


def test_arrows_choose_and_go_round(make_gui: MakeGui) -> None:
    gui = make_gui()
    dialog = open_palette(gui)
    count = dialog.list.count()
    press(dialog, "Up")
    assert dialog.list.currentRow() == count - 1
    press(dialog, "Down")
    press(dialog, "Down")
    assert dialog.list.currentRow() == 1
    press(dialog, "PgDown")
    assert dialog.list.currentRow() == 9
    assert dialog.focusWidget() is dialog.field
    press(dialog, "Esc")
    gui.qtbot.waitUntil(lambda: "palette" not in gui.window.dialogs)


def test_a_habit_is_opened_and_another_recorded(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    todo = habits["todo"]
    dialog = open_palette(gui, todo.title_ko)
    dialog.list.choose(f"habit {todo.id}")
    press(dialog, "Return")
    gui.qtbot.waitUntil(lambda: gui.window.page_name == "detail")
    dialog = open_palette(gui, f"기록 {todo.title_ko}")
    assert keys_of(dialog)[0] == "command mark_habit_2"
    press(dialog, "Return")
    gui.qtbot.waitUntil(lambda: store.entries.get(todo.id, store.today()) is not None)


def test_what_was_recorded_is_found_as_a_habit_only(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    store.entries.log(habits["walk"].id, EntryValue.DONE)
    dialog = open_palette(make_gui(), "하루 걷기")
    assert f"habit {habits['walk'].id}" in keys_of(dialog)


def test_an_entry_of_the_catalogue_is_shown(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    entry = store.catalogue.all()[20]
    dialog = open_palette(gui, entry.text("title", "ko"))
    dialog.list.choose(f"entry {entry.id}")
    dialog.take()
    gui.qtbot.waitUntil(lambda: gui.window.catalogue is not None and gui.window.catalogue.current == entry)
    assert gui.window.page_name == "catalogue"


def test_the_catalogue_waits_until_something_is_typed(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    dialog = open_palette(make_gui())
    assert not [key for key in keys_of(dialog) if str(key).startswith("entry ")]
    assert keys_of(dialog)[0] == "command mark_habit_1"


def test_the_recent_come_first_also_after_a_restart(make_gui: MakeGui) -> None:
    gui = make_gui()
    for wanted in ("주간 돌아보기", "카탈로그에서"):
        dialog = open_palette(gui, wanted)
        dialog.take()
        gui.qtbot.waitUntil(lambda: "palette" not in gui.window.dialogs)
    expected = ["command find_in_catalogue", "command show_review"]
    assert keys_of(open_palette(gui))[:2] == expected
    gui.window.close()
    again = make_gui()
    assert keys_of(open_palette(again))[:2] == expected


def test_nothing_found_is_said(make_gui: MakeGui) -> None:
    dialog = open_palette(make_gui(), "뷁뷁뷁")
    assert dialog.list.isHidden()
    assert dialog.empty.isVisible()
    press(dialog, "Return")  # nothing to do
    assert dialog.isVisible()


def test_the_syllable_being_composed_is_searched(make_gui: MakeGui) -> None:
    dialog = open_palette(make_gui())
    QApplication.sendEvent(dialog.field, QInputMethodEvent("설", []))
    assert "command settings" in keys_of(dialog)
    assert "command quit" not in keys_of(dialog)
    assert dialog.field.text() == ""
    commit = QInputMethodEvent()
    commit.setCommitString("설정")
    QApplication.sendEvent(dialog.field, commit)
    assert keys_of(dialog)[0] == "command settings"


def test_readers_hear_what_the_arrows_reach(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(palette_module, "announce", lambda _widget, text: said.append(text))
    dialog = open_palette(make_gui(), "새 대화")
    assert said[-1].startswith("새 대화. ")
    dialog.field.setText("")
    press(dialog, "Down")
    assert dialog.list.current is not None
    assert said[-1] == dialog.list.current.spoken
    assert dialog.field.accessibleName()
    assert dialog.list.accessibleName()


def test_it_closes_when_the_user_goes_elsewhere(make_gui: MakeGui) -> None:
    gui = make_gui()
    open_palette(gui)
    gui.window.activateWindow()
    gui.qtbot.waitUntil(lambda: "palette" not in gui.window.dialogs)


def test_it_fits_into_a_small_window(make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window.resize(860, 560)
    dialog = open_palette(gui)
    assert gui.window.frameGeometry().contains(dialog.frameGeometry())
    assert dialog.windowFlags() & Qt.WindowType.FramelessWindowHint


# ---- what fits ------------------------------------------------------------------------------------------------------


def item(title: str, *words: str, waits: bool = False) -> PaletteItem:
    return PaletteItem(title, title, words, lambda: None, waits=waits)


def test_better_fits_come_first() -> None:
    titles = ["오늘 걷기", "걷기", "산책길걷기", "걷기 기록", "겉기"]
    found = [each.title for each in search([item(title) for title in titles], "걷기", ())]
    assert found[:4] == ["걷기", "걷기 기록", "오늘 걷기", "산책길걷기"]


@pytest.mark.parametrize(
    ("wanted", "title"),
    [
        ("ㄱㄹ", "기록"),
        ("ㄱㄱ", "걷기"),
        ("걷ㄱ", "걷기"),
        ("거", "걷기"),
        ("ㅃㄹ", "빠른 기록 열기"),
        ("ㄺ", "골고루 레고"),
        ("cofee", "Coffee"),
        ("hbait", "Habit"),
        ("chat new", "New chat"),
    ],
)
def test_what_is_meant_is_found(wanted: str, title: str) -> None:
    assert search([item(title)], wanted, ())


@pytest.mark.parametrize(
    ("wanted", "title"), [("ㄱㄴ", "기록"), ("zzz", "새 대화"), ("물구나무", "오늘"), ("가", "하루")]
)
def test_nothing_else_is_found(wanted: str, title: str) -> None:
    assert search([item(title)], wanted, ()) == []


def test_recent_ones_come_before_their_equals_only() -> None:
    items = [item("걷기"), item("걷기 기록"), item("걷기 열기")]
    assert [each.title for each in search(items, "걷기", ("걷기 열기",))] == ["걷기", "걷기 열기", "걷기 기록"]
    assert search(items, " ", ("걷기 열기",))[0].title == "걷기 열기"


def test_what_waits_is_shown_when_it_was_chosen_lately() -> None:
    items = [item("걷기"), item("커피", waits=True)]
    assert [each.title for each in search(items, "", ())] == ["걷기"]
    assert [each.title for each in search(items, "", ("커피",))] == ["커피", "걷기"]


def test_fit_of_nothing_and_of_signs() -> None:
    assert fit("걷기", "") == fit("걷기", "—…") == 0
    assert fit("가져오기…", "가져오기") == 100


def test_english_titles_are_found_in_korean(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    found = keys_of(open_palette(make_gui(), "daily steps"))
    assert {f"habit {habits['walk'].id}", "command mark_habit_1", "entry daily-steps"} == set(found[:3])
