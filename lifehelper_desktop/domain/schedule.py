"""Habits that are not due every day: fixed weekdays, or n times per calendar week.

**Fixed weekdays.** A day off the schedule is walked over: it is no counted day, so it neither grows nor breaks
anything and the phase clock stands still on it. Decided here:

* something done on a day off counts like any done day (+1): doing more is never punished;
* a blank on a day off says nothing and is ignored;
* a day off does not separate two misses: Monday and Wednesday missed by a Monday–Wednesday–Friday habit are two
  misses side by side, since otherwise R4 could never speak. A pause, a blank or an entry between them does.

**n times a week.** The streak is counted in weeks, Monday to Sunday; the other counts stay in days. Decided here:

* the week that holds T is open: it adds 1 once its number is reached and never breaks the streak;
* every closed week stands alone: doing more in a later week never repairs an earlier one;
* a week loses a share of its number for each day that is before the start, paused or blank: n × left days ÷ 7,
  rounded half up, so that one blank day never excuses a whole week, and 1 time a week asks for nothing in a week
  with three days or fewer;
* a week that asks for nothing is walked over, unless something was done in it, which keeps it;
* two misses side by side are two closed weeks in a row, both missed, both ending inside the last 42 counted days.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

from lifehelper_desktop.domain.habits import Schedule, ScheduleKind
from lifehelper_desktop.domain.streaks import (
    WINDOW_DAYS,
    CountedDay,
    StreakSummary,
    check_values,
    count_open_gap,
    summarise,
    walk_counted_days,
)

_WEEK: Final = 7


class _Week(NamedTuple):
    """One closed calendar week: its last day (a Sunday), and whether it was kept, missed or neither."""

    sunday: date
    kept: bool
    missed: bool


def is_due(schedule: Schedule, day: date) -> bool:
    """Return whether the habit asks for something on `day`; a habit of n times a week may be done on any day."""
    return schedule.kind is not ScheduleKind.WEEKDAYS or day.isoweekday() in schedule.weekdays


def check_schedule(schedule: Schedule) -> None:
    """Make sure that the schedule asks for something that a week can hold.

    Raises:
        ValueError: No weekday or one outside 1–7, times outside 1–7, or fields of another kind are filled in.
    """
    weekdays_kind = schedule.kind is ScheduleKind.WEEKDAYS
    per_week_kind = schedule.kind is ScheduleKind.PER_WEEK
    if bool(schedule.weekdays) != weekdays_kind or not schedule.weekdays <= frozenset(range(1, _WEEK + 1)):
        raise ValueError(f"weekdays {sorted(schedule.weekdays)} do not fit a {schedule.kind} schedule")
    if (schedule.times != 0) != per_week_kind or not 0 <= schedule.times <= _WEEK:
        raise ValueError(f"{schedule.times} times do not fit a {schedule.kind} schedule")


def expand_pauses(ranges: Sequence[tuple[date, date | None]], today: date) -> frozenset[date]:
    """Return the paused days of (first, last) ranges, both ends included; last None means that the pause runs.

    A running pause reaches up to `today`. Ranges may overlap; one that ends before it begins holds no day.
    """
    return frozenset(
        date.fromordinal(ordinal)
        for first, last in ranges
        for ordinal in range(first.toordinal(), (today if last is None else last).toordinal() + 1)
    )


def compute_scheduled_streaks(
    schedule: Schedule,
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> StreakSummary:
    """Return the six numbers of a habit with any schedule; for a daily one those of `compute_streaks`.

    The arguments are those of `compute_streaks`. For n times a week both streaks are in weeks.

    Raises:
        ValueError: The schedule is impossible, or an entry holds an unknown value.
    """
    check_schedule(schedule)
    check_values(entries)
    last = archived_on or today
    days = walk_counted_days(entries, start, last, paused_days, _due_test(schedule))
    if schedule.kind is not ScheduleKind.PER_WEEK:
        return summarise(days, last)
    closed, open_week_kept = _weeks(days, schedule.times, start, last)
    run = longest = 0
    for week in closed:
        run = 0 if week.missed else run + week.kept
        longest = max(longest, run)
    run += open_week_kept
    return replace(
        summarise(days, last),
        current_streak=run,
        longest_streak=max(longest, run),
        never_miss_twice_broken=_weeks_missed_twice(closed, days),
    )


def scheduled_phase_day(
    schedule: Schedule,
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> int:
    """Return the number of counted days up to T, like `streaks.phase_day`; days off the schedule do not count.

    Raises:
        ValueError: The schedule is impossible.
    """
    check_schedule(schedule)
    return len(walk_counted_days(entries, start, archived_on or today, paused_days, _due_test(schedule)))


def scheduled_open_gap(
    schedule: Schedule,
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> int:
    """Return the misses in a row just before T: days that were due, or closed weeks for n times a week.

    Raises:
        ValueError: The schedule is impossible, or an entry holds an unknown value.
    """
    check_schedule(schedule)
    check_values(entries)
    last = archived_on or today
    if schedule.kind is not ScheduleKind.PER_WEEK:
        return count_open_gap(entries, start, last, paused_days, _due_test(schedule))
    closed, _ = _weeks(walk_counted_days(entries, start, last, paused_days), schedule.times, start, last)
    gap = 0
    for week in reversed(closed):
        if not week.missed:
            break
        gap += 1
    return gap


def _due_test(schedule: Schedule) -> Callable[[date], bool] | None:
    """Return `is_due` for one schedule; None when every day may count."""
    if schedule.kind is not ScheduleKind.WEEKDAYS:
        return None
    return lambda day: is_due(schedule, day)


def _weeks(days: Sequence[CountedDay], times: int, start: date, last: date) -> tuple[list[_Week], bool]:
    """Return the closed weeks from the start on, oldest first, and whether the open week has its number."""
    left: dict[int, int] = {}
    done: dict[int, int] = {}
    for counted in days:
        week = _week_number(counted.day)
        if counted.value is None or counted.is_done:
            left[week] = left.get(week, 0) + 1
        if counted.is_done:
            done[week] = done.get(week, 0) + 1
    open_week = _week_number(last)
    closed: list[_Week] = []
    for week in range(_week_number(start), open_week):
        asked, got = _share(times, left.get(week, 0)), done.get(week, 0)
        kept = got > 0 and got >= asked
        closed.append(_Week(date.fromordinal(week * _WEEK + _WEEK), kept, asked > 0 and not kept))
    # The days of the open week that are still to come count as left: the number is not lowered in advance.
    days_to_come = _WEEK - last.isoweekday()
    asked = _share(times, left.get(open_week, 0) + days_to_come)
    got = done.get(open_week, 0)
    return closed, got > 0 and got >= asked


def _week_number(day: date) -> int:
    """Return a running number of the Monday–Sunday week; week w ends on the day with ordinal 7w + 7."""
    return (day.toordinal() - 1) // _WEEK


def _share(times: int, left: int) -> int:
    """Return how much of `times` a week asks for when `left` of its 7 days are left, rounded half up."""
    return (2 * times * left + _WEEK) // (2 * _WEEK)


def _weeks_missed_twice(closed: Sequence[_Week], days: Sequence[CountedDay]) -> bool:
    """Return whether two neighbouring closed weeks that end in the last 42 counted days were both missed."""
    if not days:
        return False
    first = days[-WINDOW_DAYS:][0].day
    recent = [week for week in closed if week.sunday >= first]
    return any(before.missed and after.missed for before, after in pairwise(recent))
