"""Everything that the detail page of one habit shows, read in one go."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from lifehelper_desktop.domain.day_line import DayLine
from lifehelper_desktop.domain.habits import Entry, Habit, Schedule, ScheduleHistory, schedule_on
from lifehelper_desktop.domain.runs import MonthCount, Run, RunUnit, month_counts, runs
from lifehelper_desktop.domain.schedule import is_due
from lifehelper_desktop.domain.streaks import tally
from lifehelper_desktop.domain.strength import strengths
from lifehelper_desktop.storage.overviews import HabitOverview, overview_of

__all__ = ["HabitRecord", "MonthCount", "Run", "RunUnit", "record_of"]

_PAUSED = ord("P")


@dataclass(frozen=True)
class HabitRecord:
    """One habit with its whole history.

    Attributes:
        overview: The numbers of its card.
        entries: What was recorded, by day, oldest first; days before the start or after `last` may be among them.
        today: The logical day of now.
        last: The last day that counts: today, or the archive day of an archived habit.
        strength: One value from 0 to 1 for each day from the start to `last`.
        months: From the month of the start to that of `last`, oldest first; none is left out.
        runs: All streaks, newest first.
        schedules: (first day, schedule) pairs, oldest first; each holds until the day before the next one.
        paused_days: From the start to `last`.
    """

    overview: HabitOverview
    entries: Mapping[date, Entry]
    today: date
    last: date
    strength: tuple[tuple[date, float], ...]
    months: tuple[MonthCount, ...]
    runs: tuple[Run, ...]
    schedules: ScheduleHistory
    paused_days: frozenset[date]

    def is_due_on(self, day: date) -> bool:
        """Return whether `day` asked for something: inside the record, not paused, on the schedule of that day."""
        if not self.overview.habit.start <= day <= self.last or day in self.paused_days:
            return False
        return is_due(self.schedule_on(day), day)

    def schedule_on(self, day: date) -> Schedule:
        """Return the schedule in force on `day`; before the first one it is the first one."""
        return schedule_on(self.schedules, day)


def record_of(habit: Habit, entries: Mapping[date, Entry], line: DayLine, today: date) -> HabitRecord:
    """Return the record of a habit from its entries and its line of days, which hold the same."""
    paused = (line.date_of(index) for index, sign in enumerate(line.recorded) if sign == _PAUSED)
    return HabitRecord(
        overview=overview_of(habit, tally(line), entries.get(today)),
        entries=entries,
        today=today,
        last=date.fromordinal(line.last),
        strength=strengths(line),
        months=month_counts(line),
        runs=runs(line),
        schedules=habit.history,
        paused_days=frozenset(paused),
    )
