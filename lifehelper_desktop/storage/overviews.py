"""A habit with the numbers that its card shows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lifehelper_desktop.domain.day_line import DayLine, Marks, spans_of_ranges
from lifehelper_desktop.domain.habits import Entry, Habit, HabitStatus
from lifehelper_desktop.domain.streaks import StreakSummary, Tally, tally


@dataclass(frozen=True)
class HabitOverview:
    """A habit with the numbers that its card shows, computed anew from its days each time.

    Attributes:
        today_entry: What was recorded for the logical day of now, or None.
        phase_day: Counted days up to today: 1 on the first, up to 42 in the forming phase.
        open_gap: Misses in a row that end yesterday: 1 suggests the minimum dose, 2 a restart.
        is_due: Whether today asks for something: active, not in a pause, and on its schedule. One of n times a week
            or month is due until its number is reached, one of every N days on its last day and from then on.
        tier_count: What the tier is read from, 0 to 42, see `domain.streaks`.
    """

    habit: Habit
    today_entry: Entry | None
    streaks: StreakSummary
    phase_day: int
    open_gap: int
    is_due: bool
    tier_count: int = 0


def day_line(habit: Habit, marks: Marks, today: date, week_start: int) -> DayLine:
    """Return the days of a habit up to `today`, or to the day on which it was archived."""
    last = (habit.archived_on or today).toordinal()
    pauses = spans_of_ranges(habit.paused_ranges, last)
    return DayLine(marks, habit.start.toordinal(), last, pauses, habit.history, week_start)


class TallyMemo:
    """Counts the days of a habit once while they stay the same. Any thread.

    What it has counted is kept with all that went into it, so that it can never be stale.
    """

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._kept: dict[int, tuple[DayLine, Tally]] = {}

    def tally(self, habit_id: int, line: DayLine) -> Tally:
        """Return the numbers of the days of a habit."""
        kept = self._kept.get(habit_id)
        if kept is None or kept[0] != line:
            kept = self._kept[habit_id] = (line, tally(line))
        return kept[1]


def overview_of(habit: Habit, numbers: Tally, today_entry: Entry | None) -> HabitOverview:
    """Return a habit with the numbers of its days."""
    return HabitOverview(
        habit=habit,
        today_entry=today_entry,
        streaks=numbers.streaks,
        phase_day=numbers.phase_day,
        open_gap=numbers.open_gap,
        is_due=habit.status is HabitStatus.ACTIVE and numbers.asks,
        tier_count=numbers.tier_count,
    )
