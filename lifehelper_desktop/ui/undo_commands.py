"""Undo and redo of the window: whichever surface made the last change, it is taken back and told in words."""

from __future__ import annotations

from collections.abc import Callable

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.journal import TakenBack
from lifehelper_desktop.ui.bus import Trouble
from lifehelper_desktop.ui.chat_commands import ChatCommands
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.writes import attempt


class UndoCommands(ChatCommands):
    """A part of MainWindow: the commands `undo` and `redo`. Main thread.

    A field that one types in has its own undo and gets the keys first. `undo_told` is what was said last.
    """

    undo_told: str = ""

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
            self.undo_told = outcome.problem
            self.bus.publish_notice(Trouble(outcome.error))
            return
        for key in sorted(outcome.changes.settings):
            self._on_setting(key)  # may build the screens anew
        notice = self._notice_of(outcome.changes)
        self.undo_told = done[0].words(current_language()) if done else outcome.problem
        if done:
            notice.show_notice(self.undo_told, action=other_words, on_action=other)
        else:
            notice.show_notice(self.undo_told)

    def _notice_of(self, changes: Changes) -> NoticeBar:
        """Return the bar to tell it on: on the page of the habit that changed, else on today's, where most shows."""
        if self.page_name == "detail" and self.detail is not None:
            habits = changes.habits | {habit_id for habit_id, _day in changes.entries}
            if self.detail.habit_id in habits:
                self.detail.refresh()  # leaves when the habit is gone
                if self.page_name == "detail":
                    return self.detail.notice
        self.show_habits()
        return self.habits.notice
