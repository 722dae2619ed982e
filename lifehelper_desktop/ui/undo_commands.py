"""Undo and redo of the window: whichever surface made the last change, it is taken back and told in words."""

from __future__ import annotations

from collections.abc import Callable

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.journal import TakenBack
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.writes import attempt


class UndoCommands:
    """A part of MainWindow: the commands `undo` and `redo`. Main thread.

    A field that one types in has its own undo and gets the keys first.
    """

    bus: Bus
    store: Store
    habits: HabitsScreen
    show_habits: Callable[[], None]
    _on_setting: Callable[[str], None]

    def undo(self) -> None:
        """Take the last change back."""
        self._step(self.store.journal.undo, _("다시 하기"), self.redo)

    def redo(self) -> None:
        """Do again what was taken back last."""
        self._step(self.store.journal.redo, _("되돌리기"), self.undo)

    def _step(self, step: Callable[[], TakenBack], other_words: str, other: Callable[[], None]) -> None:
        done: list[TakenBack] = []

        def write() -> Changes:
            done.append(step())
            return done[0].changes

        outcome = attempt(self.bus, write)
        if outcome.error is not None:
            self.bus.publish_notice(Trouble(outcome.error))
            return
        self.show_habits()  # where it is told, and where most of it shows
        for key in sorted(outcome.changes.settings):
            self._on_setting(key)  # may build the screens anew
        if done:
            self.habits.notice.show_notice(done[0].words(current_language()), action=other_words, on_action=other)
        else:
            self.habits.notice.show_notice(outcome.problem)
