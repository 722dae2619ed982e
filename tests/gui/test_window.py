"""The window as a whole: both languages and themes on every screen, settings at once, other processes, the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.base.settings import AI_ENABLED, DAY_START_MINUTES, LANGUAGE, MODEL_PATH, THEME
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui.app import choose_platform
from lifehelper_desktop.ui.bus import CrashNotice
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.window_state import WindowState, load_state, save_state
from tests.gui.conftest import Gui, MakeGui, end_all
from tests.helpers.scripted_llm import ScriptPause

ROOT = Path(__file__).resolve().parents[2]


def settings_of(gui: Gui) -> QDialog:
    gui.window.open_settings()
    return gui.window.dialogs["settings"]


def choose(gui: Gui, name: str, value: object) -> None:
    box = gui.find(QComboBox, name, settings_of(gui))
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


SCREENS: dict[str, Callable[[Gui], QWidget]] = {
    "habits": lambda gui: gui.window.habits,
    "catalogue": lambda gui: (gui.window.show_catalogue(), gui.window.catalogue)[1],  # type: ignore[dict-item, func-returns-value]
    "chat": lambda gui: gui.chat,
    "settings": settings_of,
    "shortcuts": lambda gui: (gui.window.open_shortcuts(), gui.window.dialogs["shortcuts"])[1],  # type: ignore[func-returns-value]
    "add": lambda gui: (gui.window.open_add(gui.store.catalogue.all()[4]), gui.window.dialogs["form"])[1],  # type: ignore[func-returns-value]
    "edit": lambda gui: (gui.window.open_edit(gui.store.habits.list()[0]), gui.window.dialogs["form"])[1],  # type: ignore[func-returns-value]
    "crash": lambda gui: (gui.window._on_notice(CrashNotice(None, "x")), gui.window.dialogs["crash"])[1],  # type: ignore[func-returns-value]
}


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("screen", list(SCREENS))
def test_every_screen_in_both_languages_and_themes(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, screen: str, language: str, look: str
) -> None:
    gui = make_gui()
    store.settings.set(LANGUAGE, language)
    store.settings.set(THEME, look)
    gui.window.apply_settings()
    assert current_language() == language
    assert theme().tokens.name == look
    shown = SCREENS[screen](gui)
    gui.qtbot.waitUntil(shown.isVisible)
    assert not shown.grab().isNull()
    for each in (button for button in shown.findChildren(QPushButton) if button.isVisible()):
        assert each.text() or each.accessibleName(), f"a button of {screen} has no name"
    if language == "en" and screen not in ("chat", "crash"):
        words = " ".join(each.text() for each in shown.findChildren(QLabel) if each.isVisible())
        words = words.replace(str(store.paths.data), "")
        own = {each.framed_text for each in store.habits.list()}
        for text in own:  # the user's own sentences stay in their language
            words = words.replace(text, "")
        hangul = [word for word in words.split() if any("가" <= char <= "힣" for char in word)]
        stored = " ".join(
            f"{h.anchor_when} {h.anchor_after_what} {h.standard_dose} {h.minimum_dose}" for h in store.habits.list()
        )
        assert [word for word in hangul if word not in stored] == []


def test_the_language_is_switched_at_once(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui([LlmTextChunk("네.")], [LlmTextChunk("Yes.")])
    gui.say("안녕")
    gui.wait_idle()
    choose(gui, "settingLanguage", "en")
    assert store.settings.get_str(LANGUAGE) == "en"
    assert gui.text("todayTitle") == "Wednesday, 12 August"
    gui.qtbot.waitUntil(lambda: gui.window.dialogs["settings"].windowTitle() == "Settings")
    assert gui.bubbles() == []  # the controller keeps its language, so the conversation begins anew
    gui.say("hello")
    gui.wait_idle()
    assert gui.bubbles() == ["hello", "Yes."]
    assert len(gui.llm.prompts) == 2
    choose(gui, "settingLanguage", "ko")
    assert gui.text("todayTitle") == "8월 12일 수요일"


def test_the_theme_is_switched_at_once_and_keeps_the_conversation(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    gui.say("안녕")
    gui.wait_idle()
    choose(gui, "settingTheme", "dark")
    assert theme().tokens.name == "dark"
    assert gui.bubbles() == ["안녕", "네."]
    choose(gui, "settingTheme", "light")


def test_the_systems_change_of_theme_draws_icons_anew(make_gui: MakeGui) -> None:
    gui = make_gui([LlmTextChunk("네.")])
    gui.say("안녕")
    gui.wait_idle()
    dialog, before = settings_of(gui), gui.window.habits
    theme().system_changed.emit()
    assert gui.window.habits is not before
    assert gui.bubbles() == ["안녕", "네."]
    gui.find(QComboBox, "settingTheme", dialog)


def test_switching_ai_off_ends_a_running_answer_and_hides_the_chat(make_gui: MakeGui, store: Store) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("하나"), pause], [LlmTextChunk("다시")])
    gui.say("안녕")
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.find(QCheckBox, "settingAi", settings_of(gui)).setChecked(False)
    assert store.settings.get_bool(AI_ENABLED) is False
    assert gui.window.chat is None
    gui.qtbot.waitUntil(lambda: gui.llm.close_count == 1, timeout=5000)
    gui.qtbot.waitUntil(lambda: gui.find(QCheckBox, "settingAi", settings_of(gui)).isEnabled())
    gui.find(QCheckBox, "settingAi", settings_of(gui)).setChecked(True)
    gui.say("안녕")
    gui.wait_idle()
    assert gui.bubbles()[-1] == "다시"


def test_the_model_file_is_chosen_and_reset(make_gui: MakeGui, store: Store, tmp_path: Path) -> None:
    gui = make_gui([LlmTextChunk("하나")], [LlmTextChunk("둘")])
    gui.say("안녕")
    gui.wait_idle()
    dialog = settings_of(gui)
    dialog.take_model(str(tmp_path / "없는 모델.gguf"))  # type: ignore[attr-defined]
    assert store.settings.get_str(MODEL_PATH).endswith("없는 모델.gguf")
    assert "없는 모델.gguf" in gui.text("modelPath", dialog)
    gui.qtbot.waitUntil(lambda: gui.llm.close_count == 1)
    gui.qtbot.waitUntil(lambda: gui.system_lines() == ["설정을 바꿔서 새 대화를 시작했어요."])
    gui.click("resetModel", dialog)
    assert store.settings.get_str(MODEL_PATH) == ""
    gui.say("다시")
    gui.wait_idle()
    assert gui.bubbles()[-1] == "둘"


def test_the_day_start_moves_today(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    choose(gui, "settingDayStart", 0)
    assert store.settings.get_int(DAY_START_MINUTES) == 0


def test_the_command_lines_language_wins_until_the_user_chooses(make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window._language = "en"
    gui.window.apply_settings()
    assert gui.text("todayTitle") == "Wednesday, 12 August"
    choose(gui, "settingLanguage", "ko")
    assert gui.text("todayTitle") == "8월 12일 수요일"


def test_writes_of_another_process_show(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    walk = gui.window.habits.cards[habits["walk"].id]
    other = open_store(store.paths, store.clock)
    other.entries.log(habits["walk"].id, EntryValue.DONE)
    gui.window.watcher.check_data()
    assert walk.overview.today_entry is not None
    other.settings.set(THEME, "dark")
    gui.window.watcher.check_data()
    assert theme().tokens.name == "dark"
    other.close()


def test_the_watcher_looks_by_itself(make_gui: MakeGui) -> None:
    watcher = make_gui().window.watcher
    assert watcher._data_timer.isActive()
    assert watcher._data_timer.interval() <= 2000
    assert watcher._day_timer.interval() <= 30_000


@pytest.mark.parametrize("size", [(1280, 800), (900, 600)])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_nothing_sticks_out_sideways(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, size: tuple[int, int], language: str
) -> None:
    save_state(store.paths.data, WindowState(width=size[0], height=size[1]))
    gui = make_gui()
    store.settings.set(LANGUAGE, language)
    gui.window.apply_settings()
    gui.window.resize(*size)
    gui.window.show_catalogue()
    for page in (gui.window.catalogue, gui.window.habits):
        assert page is not None
        gui.window.stack.setCurrentWidget(page)
        gui.qtbot.waitUntil(page.isVisible)
        for each in page.findChildren(QWidget):
            if each.isVisible() and isinstance(each, QPushButton | QLabel):
                right = each.mapTo(page, QPoint(each.width(), 0)).x()
                assert right <= page.width() + 1, f"{each.objectName() or each.text()} sticks out"
    assert gui.window.size() == QSize(*size)


def test_the_place_is_remembered(make_gui: MakeGui, store: Store) -> None:
    gui = make_gui()
    gui.window.resize(1000, 700)
    gui.window.toggle_chat()
    gui.window.close()
    state = load_state(store.paths.data)
    assert (state.width, state.height, state.chat_open) == (1000, 700, False)
    again = make_gui()
    assert not again.chat.isVisible()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"width": "wide"}', '{"width": -5}', '{"nonsense": 1}', '{"x": 1.5}', "\0"]
)
def test_an_odd_state_file_is_forgotten(tmp_path: Path, text: str) -> None:
    (tmp_path / "window.json").write_text(text)
    assert load_state(tmp_path) == WindowState()


def test_a_state_that_cannot_be_written_is_no_trouble(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    save_state(tmp_path / "file", WindowState())


def test_a_crash_report_can_be_copied_and_does_not_block(make_gui: MakeGui, tmp_path: Path) -> None:
    gui = make_gui()
    gui.bus.publish_notice(CrashNotice(tmp_path / "crash.txt", "Traceback: 이런"))
    gui.qtbot.waitUntil(lambda: "crash" in gui.window.dialogs)
    dialog = gui.window.dialogs["crash"]
    assert not dialog.isModal()
    assert gui.find(QPlainTextEdit, "crashText", dialog).toPlainText() == "Traceback: 이런"
    gui.click("copyCrash", dialog)
    assert QGuiApplication.clipboard().text() == "Traceback: 이런"
    gui.bus.publish_notice(CrashNotice(None, "a second one"))
    gui.bus.publish_data(Changes())
    gui.click("closeCrash", dialog)
    gui.qtbot.waitUntil(lambda: "crash" not in gui.window.dialogs or gui.window.dialogs["crash"] is not dialog)


@pytest.mark.parametrize(
    ("environment", "platform", "wanted"),
    [
        ({}, "linux", "xcb;offscreen"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", "wayland;xcb;offscreen"),
        ({"QT_QPA_PLATFORM": "xcb"}, "linux", "xcb;offscreen"),
        ({"QT_QPA_PLATFORM": "wayland;xcb", "WAYLAND_DISPLAY": "wayland-0"}, "linux", "wayland;xcb;offscreen"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", None),
        ({"QT_QPA_PLATFORM": "xcb;vnc"}, "linux", None),
        ({"QT_QPA_PLATFORM": "xcb"}, "darwin", None),
        ({}, "win32", None),
        ({}, "darwin", None),
    ],
)
def test_the_platform_is_chosen(environment: dict[str, str], platform: str, wanted: str | None) -> None:
    assert choose_platform(environment, platform) == wanted


def _python(code: str) -> subprocess.CompletedProcess[str]:
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux comes without a display")
@pytest.mark.parametrize("wanted", ["", "xcb", "wayland"])
def test_without_a_display_there_is_a_message_and_no_abort(wanted: str) -> None:
    code = (
        f"import os, sys; os.environ['QT_QPA_PLATFORM'] = {wanted!r};"
        "from lifehelper_desktop.base.i18n import set_language; set_language('ko');"
        "from lifehelper_desktop.ui.app import run_window; sys.exit(run_window(None).code)"
    )
    done = _python(code)
    assert done.returncode == 3, done.stderr
    assert "화면을 찾지 못해서" in done.stderr


def test_showing_the_window_imports_no_model_code() -> None:
    code = (
        "import json, sys, lifehelper_desktop.ui.start;"
        "print(json.dumps([name for name in ('llama_cpp', 'numpy', 'psutil') if name in sys.modules]))"
    )
    done = _python(code)
    assert json.loads(done.stdout) == [], done.stderr


def test_the_rail_goes_everywhere(make_gui: MakeGui) -> None:
    gui = make_gui()
    for name, page in (("catalogue", "catalogue"), ("review", "review"), ("habits", "habits")):
        gui.click(f"rail_{name}")
        assert gui.window.page_name == page
        assert gui.window.rail[name].isChecked()
    gui.click("rail_chat")
    assert not gui.chat.isVisible()
    assert not gui.window.rail["chat"].isChecked()
    for name, dialog in (("settings", "settings"), ("help", "shortcuts")):
        gui.click(f"rail_{name}")
        assert dialog in gui.window.dialogs
        gui.click(f"rail_{name}")  # a second press brings the same one to the front
        gui.window.dialogs[dialog].close()


def test_nothing_of_a_window_outlives_it(qtbot: QtBot, store: Store, habits: dict[str, Habit]) -> None:
    before = len(QApplication.allWidgets())
    gui = Gui(qtbot, store, ())
    gui.window.show_review()
    gui.window.show_habit(habits["walk"].id)
    gui.window.open_settings()
    store.settings.set(LANGUAGE, "en")
    gui.window.apply_settings()  # builds everything anew
    end_all([gui])
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert len(QApplication.allWidgets()) == before
