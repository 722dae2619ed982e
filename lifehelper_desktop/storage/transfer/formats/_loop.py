"""What the files of Loop Habit Tracker mean, whichever way they were written."""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.domain.habits import EntryValue, HabitType
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import Goal, HabitBuilder, ReadContext

UNKNOWN, NO, YES_AUTO, YES_MANUAL, SKIP = -1, 0, 1, 2, 3
_MONTH: Final = (30, 31)
WORDS: Final = {"UNKNOWN": UNKNOWN, "NO": NO, "YES_AUTO": YES_AUTO, "YES_MANUAL": YES_MANUAL, "SKIP": SKIP}


def repeat(habit: HabitBuilder, times: int, days: int) -> None:
    """Set how often: 30 or 31 days are Loop's month; whatever else is any so many days that follow each other."""
    if days in _MONTH and times < days:
        habit.repeat_by_calendar(times, 1, _MONTH[0])
    else:
        habit.repeat(times, days)


def measure(habit: HabitBuilder, target: float, at_most: bool, unit: object, days: int) -> None:
    """Make a habit one of amounts; staying below an amount replaces a habit rather than building one."""
    habit.measure(unit, Goal(target, at_most, max(1, days)))
    if at_most:
        habit.habit_type = HabitType.BREAK


class LoopDays:
    """Adds the days of one habit by Loop's codes, and counts those that Loop made up itself."""

    def __init__(self, context: ReadContext, habit: HabitBuilder) -> None:
        """Begin with no day."""
        self._context = context
        self._habit = habit
        self._derived = 0

    def add(self, day: date, code: int, note: str, where: str) -> None:
        """Add one day. `code` is one of Loop's five, or thousandths when the habit is one of amounts."""
        habit = self._habit
        if code == SKIP:
            habit.add(day, EntryValue.BLANK, where, note=note)
        elif code == UNKNOWN:
            # Loop writes no row for an empty day unless it holds a note.
            if note.strip():
                habit.add_note_only(day, where, note)
        elif habit.goal is not None and code >= 0:
            habit.add_amount(day, code / 1000, where, note)
        elif code == YES_MANUAL:
            habit.add(day, EntryValue.DONE, where, note=note)
        elif code == NO:
            habit.add(day, EntryValue.NOT_DONE, where, note=note)
        elif code != YES_AUTO:
            self._context.report.bad(where, "bad_value", text=shorten(code))
        elif note.strip():
            # The mark is Loop's, the note is the user's.
            habit.add_note_only(day, where, note)
        else:
            self._derived += 1

    def end(self) -> None:
        """Remark how many days were left out."""
        if self._derived:
            self._context.report.note(self._habit.where, "derived", n=self._derived)
