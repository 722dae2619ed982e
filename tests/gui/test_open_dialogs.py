"""Dialogs that are open when the language changes speak the new one; what works or was typed in is left alone."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QLabel

from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.base.settings import LANGUAGE
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.ui.work_dialog import WorkDialog
from lifehelper_desktop.ui.worker import Task
from tests.gui.conftest import Gui, MakeGui

OPENERS = ("shortcuts", "about", "import", "export", "backups", "archive", "history", "conversations")


def words_of(dialog: QDialog) -> list[str]:
    return [dialog.windowTitle(), *(each.text() for each in dialog.findChildren(QLabel))]


def speak(gui: Gui, language: str) -> None:
    gui.store.settings.set(LANGUAGE, language)
    gui.window._on_setting(LANGUAGE.key)
    assert current_language() == language


@pytest.mark.parametrize("name", OPENERS)
def test_an_open_dialog_speaks_the_new_language(make_gui: MakeGui, habits: dict[str, Habit], name: str) -> None:
    gui = make_gui()
    getattr(gui.window, f"open_{name}")()
    before = gui.window.dialogs[name]
    korean, place = words_of(before), before.geometry()
    if isinstance(before, WorkDialog):
        gui.qtbot.waitUntil(lambda: not before.worker.is_busy)
    speak(gui, "en")
    gui.qtbot.waitUntil(lambda: gui.window.dialogs.get(name) not in (before, None))
    after = gui.window.dialogs[name]
    assert after.isVisible()
    assert after.geometry() == place
    assert words_of(after) != korean
    after.close()
    assert name not in gui.window.dialogs


def test_the_reminders_of_a_habit_too(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    gui.window.open_reminders(habits["walk"].id)
    speak(gui, "en")
    [name] = gui.window.dialogs
    gui.qtbot.waitUntil(lambda: gui.text("remindersTitle", gui.window.dialogs[name]) == "Daily steps")


def test_forms_and_work_are_left_alone(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    gui.window.open_edit(habits["walk"])
    gui.window.open_export()
    form, export = gui.window.dialogs["form"], gui.window.dialogs["export"]
    assert isinstance(export, WorkDialog)
    gui.qtbot.waitUntil(lambda: not export.worker.is_busy)

    def work(task: Task) -> None:
        task.stop.wait(10)

    export.begin("…", work, lambda _done: None)
    speak(gui, "en")
    QApplication.processEvents()
    assert gui.window.dialogs["form"] is form
    assert gui.window.dialogs["export"] is export
    assert form.isVisible()
    export.stop_work()
    gui.qtbot.waitUntil(lambda: not export.worker.is_busy)


def test_the_same_language_again_makes_nothing_anew(make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window.open_about()
    about = gui.window.dialogs["about"]
    speak(gui, "ko")
    QApplication.processEvents()
    assert gui.window.dialogs["about"] is about


def test_the_name_beside_the_titles_of_windows_follows_the_language(make_gui: MakeGui) -> None:
    gui = make_gui()
    assert QApplication.applicationDisplayName() == gui.window.windowTitle()
    speak(gui, "en")
    assert QApplication.applicationDisplayName() == gui.window.windowTitle() == "LifeHelper"
