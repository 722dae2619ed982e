"""Habits that are not due every day: fixed weekdays, n times a calendar week or month, or every N days.

**Fixed weekdays.** A day off the schedule is walked over: it is no counted day, so it neither grows nor breaks
anything and the phase clock stands still on it. Decided here:

* something done on a day off counts like any done day (+1): doing more is never punished;
* a blank on a day off says nothing and is ignored;
* a day off does not separate two misses: Monday and Wednesday missed by a Monday–Wednesday–Friday habit are two
  misses side by side, since otherwise R4 could never speak. A pause, a blank or an entry between them does.

**n times a week or month, every N days.** The streak is counted in weeks, months or checks, as `domain.periods` says;
the other counts stay in days, and a miss is a closed week or month without its number, or a deadline that passed.
Two misses side by side both end inside the last 42 counted days.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final, Literal

from lifehelper_desktop.domain.habits import Schedule, ScheduleKind

WEEK_DAYS: Final = 7
MONTH_DAYS_MAX: Final = 31
EVERY_DAYS_MIN: Final = 2
EVERY_DAYS_MAX: Final = 365
#: What a streak is counted in: days that ask for something, calendar weeks, calendar months, or checks that follow each
#: other within the days of the schedule (every N days).
RunUnit = Literal["day", "week", "month", "check"]
_UNITS: Final[dict[ScheduleKind, RunUnit]] = {
    ScheduleKind.PER_WEEK: "week",
    ScheduleKind.PER_MONTH: "month",
    ScheduleKind.EVERY_DAYS: "check",
}
_TIMES: Final = {ScheduleKind.PER_WEEK: WEEK_DAYS, ScheduleKind.PER_MONTH: MONTH_DAYS_MAX}


def is_due(schedule: Schedule, day: date) -> bool:
    """Return whether `day` is one of the schedule's days; where the choice of days is open, every day is."""
    return schedule.kind is not ScheduleKind.WEEKDAYS or day.isoweekday() in schedule.weekdays


def unit_of(schedule: Schedule) -> RunUnit:
    """Return what the streak of a habit with this schedule is counted in."""
    return _UNITS.get(schedule.kind, "day")


def check_schedule(schedule: Schedule) -> None:
    """Make sure that the schedule asks for something that its week or month can hold.

    Raises:
        ValueError: No weekday or one outside 1–7, times outside 1–7 (a month: 1–31), days outside 2–365, or fields
            of another kind are filled in.
    """
    weekdays_kind = schedule.kind is ScheduleKind.WEEKDAYS
    if bool(schedule.weekdays) != weekdays_kind or not schedule.weekdays <= frozenset(range(1, WEEK_DAYS + 1)):
        raise ValueError(f"weekdays {sorted(schedule.weekdays)} do not fit a {schedule.kind} schedule")
    most = _TIMES.get(schedule.kind, 0)
    if not min(1, most) <= schedule.times <= most:
        raise ValueError(f"{schedule.times} times do not fit a {schedule.kind} schedule")
    every_days = schedule.kind is ScheduleKind.EVERY_DAYS
    if not (EVERY_DAYS_MIN <= schedule.days <= EVERY_DAYS_MAX if every_days else schedule.days == 0):
        raise ValueError(f"{schedule.days} days do not fit a {schedule.kind} schedule")


def expand_pauses(ranges: Sequence[tuple[date, date | None]], today: date) -> frozenset[date]:
    """Return the paused days of (first, last) ranges, both ends included; last None means that the pause runs.

    A running pause reaches up to `today`. Ranges may overlap; one that ends before it begins holds no day.
    """
    return frozenset(
        date.fromordinal(ordinal)
        for first, last in ranges
        for ordinal in range(first.toordinal(), (today if last is None else last).toordinal() + 1)
    )
