"""Every screen for everyone: names and roles, the way by keyboard, room for 200 % text, and nothing untranslated.

To add a screen: its module is found by itself; say in `SCREENS` how it is shown, and in `OF_MODULE` which they are.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from lifehelper_desktop.base import i18n
from lifehelper_desktop.base.settings import FONT_PERCENT, HIGH_CONTRAST, LANGUAGE, THEME
from lifehelper_desktop.chat.messages import MessageAdded, SummaryChanged, SystemChatMessage, SystemMessageKind
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker, TalkSummary
from lifehelper_desktop.ui import login_start, screens
from lifehelper_desktop.ui.bus import CrashNotice
from lifehelper_desktop.ui.screens.archive import ArchiveDialog
from lifehelper_desktop.ui.screens.backups import BackupsDialog
from lifehelper_desktop.ui.screens.export_dialog import ExportDialog
from lifehelper_desktop.ui.screens.first_run import FirstRun
from lifehelper_desktop.ui.screens.habit_detail import HabitDetail
from lifehelper_desktop.ui.screens.history import HistoryDialog
from lifehelper_desktop.ui.screens.import_dialog import ImportDialog
from lifehelper_desktop.ui.screens.quick_log import QuickLog
from lifehelper_desktop.ui.screens.reminders import RemindersDialog
from lifehelper_desktop.ui.screens.review import ReviewScreen
from lifehelper_desktop.ui.theme import theme
from tests.gui import accessibility as look_at
from tests.gui.conftest import Gui, MakeGui

Show = Callable[[Gui], QWidget]
SIZES = (QSize(860, 560), QSize(1280, 800))
HANGUL = re.compile(r"[가-힣]")
#: Written in their own language whatever the language in force.
OWN_NAMES = ("한국어", "오늘 할 일")


def _shown(widget: QWidget, gui: Gui) -> QWidget:
    gui.qtbot.addWidget(widget)
    widget.show()
    return widget


def _named(gui: Gui, name: str, command: Callable[[], object]) -> QDialog:
    command()
    return gui.window.dialogs[name]


def _page(gui: Gui, page: QWidget) -> QWidget:
    """Show a page inside the window, where it lives."""
    gui.window.stack.addWidget(page)
    gui.window.stack.setCurrentWidget(page)
    return page


def _catalogue(gui: Gui) -> QWidget:
    gui.window.show_catalogue()
    assert gui.window.catalogue is not None
    return gui.window.catalogue


def _chat(gui: Gui) -> QWidget:
    gui.say("안녕" if gui.window.windowTitle() == "라이프 헬퍼" else "hello")
    gui.wait_idle()
    gui.window.focus_composer()  # it may stand behind the page where there is no room for both
    return gui.chat


def _long_chat(gui: Gui) -> QWidget:
    pane = _chat(gui)
    talk = gui.window.conversation
    talk.take(SummaryChanged(TalkSummary("2026-08-12\n" + "“walking done” " * 8, SummaryMaker.RULE, 8)))
    words = i18n._("대화가 길어서 앞부분을 요약해 두었어요.")
    talk.take(MessageAdded(SystemChatMessage(words, SystemMessageKind.SUMMARISED)))
    gui.click("summaryToggle", pane)
    return pane


def _first_run(step: str) -> Show:
    def show(gui: Gui) -> QWidget:
        dialog = FirstRun(gui.store, gui.bus, gui.window.models, gui.window)
        while dialog.step != step:
            dialog.skip()
        return _shown(dialog, gui)

    return show


def _detail(gui: Gui) -> QWidget:
    page = HabitDetail(gui.store, gui.bus)
    page.show_habit(gui.store.habits.list()[0].id)
    return _page(gui, page)


def _models(gui: Gui) -> QWidget:
    gui.window.models.open()
    assert gui.window.models.dialog is not None
    return gui.window.models.dialog


def _quick_log(gui: Gui) -> QWidget:
    return _shown(QuickLog(gui.store, gui.bus), gui)


def _palette(gui: Gui) -> QWidget:
    gui.window.open_palette()
    found = [each for each in gui.window.findChildren(QDialog, "palette") if each.isVisible()]
    assert len(found) == 1
    return found[0]


SCREENS: dict[str, Show] = {
    "window": lambda gui: gui.window,
    "habits": lambda gui: gui.window.habits,
    "catalogue": _catalogue,
    "chat": _chat,
    "long chat": _long_chat,
    "conversations": lambda gui: _named(gui, "conversations", gui.window.open_conversations),
    "settings": lambda gui: _named(gui, "settings", gui.window.open_settings),
    "shortcuts": lambda gui: _named(gui, "shortcuts", gui.window.open_shortcuts),
    "add": lambda gui: _named(gui, "form", lambda: gui.window.open_add(gui.store.catalogue.all()[4])),
    "edit": lambda gui: _named(gui, "form", lambda: gui.window.open_edit(gui.store.habits.list()[0])),
    "crash": lambda gui: _named(gui, "crash", lambda: gui.window._on_notice(CrashNotice(None, "x"))),
    "models": _models,
    "quick_log": _quick_log,
    "detail": _detail,
    "review": lambda gui: _page(gui, ReviewScreen(gui.store, gui.bus)),
    "archive": lambda gui: _shown(ArchiveDialog(gui.store, gui.bus, gui.window), gui),
    "backups": lambda gui: _shown(BackupsDialog(gui.store, gui.bus, gui.window), gui),
    "import": lambda gui: _shown(ImportDialog(gui.store, gui.bus, gui.window), gui),
    "export": lambda gui: _shown(ExportDialog(gui.store, gui.bus, gui.window), gui),
    "about": lambda gui: _named(gui, "about", gui.window.open_about),
    "licences": lambda gui: _named(gui, "licences", gui.window.open_licences),
    "palette": _palette,
    "reminders": lambda gui: _shown(RemindersDialog(gui.store, gui.bus, gui.store.habits.list()[0].id), gui),
    "history": lambda gui: _shown(HistoryDialog(gui.store, gui.bus, gui.window), gui),
    **{f"first run: {step}": _first_run(step) for step in ("language", "coach", "model", "habit", "done")},
}

#: Which screens show each module of `ui/screens`.
OF_MODULE: dict[str, tuple[str, ...]] = {
    "about": ("about",),
    "licences": ("licences",),
    "archive": ("archive",),
    "backups": ("backups",),
    "catalogue": ("catalogue",),
    "chat": ("chat", "long chat"),
    "conversations": ("conversations",),
    "crash": ("crash",),
    "export_dialog": ("export",),
    "first_run": tuple(name for name in SCREENS if name.startswith("first run")),
    "habit_detail": ("detail",),
    "habit_dialog": ("add", "edit"),
    "habits": ("habits",),
    "history": ("history",),
    "import_dialog": ("import",),
    "models": ("models",),
    "palette": ("palette",),
    "quick_log": ("quick_log",),
    "reminders": ("reminders",),
    "review": ("review",),
    "settings": ("settings",),
    "shortcuts": ("shortcuts",),
}


def test_every_module_of_a_screen_is_looked_at() -> None:
    there = {module.name for module in pkgutil.iter_modules(screens.__path__)}
    assert there == set(OF_MODULE), "a new screen needs its row in SCREENS and OF_MODULE"
    assert {name for names in OF_MODULE.values() for name in names} <= set(SCREENS)


@pytest.fixture(autouse=True)
def _system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(login_start, "is_enabled", lambda: False)


@pytest.fixture
def filled(store: Store, habits: dict[str, Habit]) -> Store:
    """World 1 with every kind of mark, a note, a paused, an archived and a trashed habit."""
    walk, todo, social = habits["walk"], habits["todo"], habits["social"]
    for day, value in ((5, EntryValue.MINIMUM), (6, EntryValue.BLANK), (7, None)):
        store.entries.change(walk.id, date(2026, 8, day), value)
    store.entries.change(todo.id, date(2026, 8, 9), EntryValue.DONE, "오늘 할 일")
    store.entries.change(walk.id, date(2026, 8, 12), EntryValue.DONE)
    store.habits.pause(social.id)
    return store


@pytest.fixture(autouse=True)
def _usual_look() -> Iterator[None]:
    yield
    theme().choose("light")


def settle() -> None:
    """Let every layout answer the one above it."""
    for _ in range(6):
        QApplication.processEvents()


def show(make_gui: MakeGui, store: Store, screen: str, language: str, *, percent: int = 100) -> tuple[Gui, QWidget]:
    store.settings.set(LANGUAGE, language)
    store.settings.set(THEME, "light")
    store.settings.set(FONT_PERCENT, percent)
    gui = make_gui([LlmTextChunk("네, **좋아요**." if language == "ko" else "Yes, fine.")])
    shown = SCREENS[screen](gui)
    gui.qtbot.waitUntil(shown.isVisible)
    settle()
    return gui, shown


def none(found: list[str]) -> None:
    """Fail with everything that was found."""
    assert not found, "\n".join(dict.fromkeys(found))


@pytest.mark.parametrize("screen", list(SCREENS))
def test_the_tree(make_gui: MakeGui, filled: Store, screen: str) -> None:
    """Names, roles, the order of the Tab key, the reach of the keyboard, and tips on icons."""
    _gui, shown = show(make_gui, filled, screen, "ko")
    none(
        look_at.without_name_or_role(shown)
        + look_at.against_reading_order(shown)
        + look_at.out_of_keyboards_reach(shown)
        + look_at.icons_without_tips(shown)
    )


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("screen", list(SCREENS))
def test_nothing_is_cut_off_at_200_percent(make_gui: MakeGui, filled: Store, screen: str, language: str) -> None:
    gui, shown = show(make_gui, filled, screen, language, percent=200)
    found = []
    for size in SIZES:
        gui.window.resize(size)
        if shown.isWindow() and shown is not gui.window:
            shown.resize(shown.sizeHint().boundedTo(size))
        settle()
        found += [f"{size.width()}×{size.height()}: {each}" for each in look_at.clipped(shown)]
    none(found)


@pytest.mark.parametrize("screen", list(SCREENS))
def test_nothing_is_untranslated_in_english(make_gui: MakeGui, filled: Store, screen: str, tmp_path: Path) -> None:
    _gui, shown = show(make_gui, filled, screen, "en")
    own = [str(filled.paths.data), str(tmp_path), *OWN_NAMES]
    for habit in filled.habits.list():
        own += [habit.framed_text, habit.standard_dose, habit.minimum_dose or ""]
        own += [habit.anchor_when or "", habit.anchor_after_what or ""]
    found = []
    for text, name in look_at.visible_words(shown):
        for each in sorted((each for each in own if each), key=len, reverse=True):
            text = text.replace(each, "")
        if HANGUL.search(text):
            found.append(f"{text!r} in {name}")
    none(found)


def test_high_contrast_reaches_the_whole_window(make_gui: MakeGui, filled: Store) -> None:
    filled.settings.set(THEME, "dark")
    filled.settings.set(HIGH_CONTRAST, True)
    gui = make_gui()
    assert theme().tokens.name == "dark_contrast"
    assert gui.window.palette().window().color() == theme().tokens.colour("window")
    assert not gui.window.grab().isNull()
