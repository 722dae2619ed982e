"""Schedules in short words, and random ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lifehelper_desktop.domain.habits import DAILY, Schedule, ScheduleKind

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def per_week(times: int) -> Schedule:
    """So many times a week."""
    return Schedule(ScheduleKind.PER_WEEK, times=times)


def per_month(times: int) -> Schedule:
    """So many times a month."""
    return Schedule(ScheduleKind.PER_MONTH, times=times)


def every(days: int) -> Schedule:
    """Once every so many days."""
    return Schedule(ScheduleKind.EVERY_DAYS, days=days)


def weekdays(*days: int) -> Schedule:
    """On these ISO weekdays."""
    return Schedule(ScheduleKind.WEEKDAYS, frozenset(days))


#: One of each kind.
EACH_KIND = (DAILY, weekdays(1, 3, 5), per_week(2), per_month(3), every(4))


def any_schedule(longest: int) -> SearchStrategy[Schedule]:
    """Random schedules of every kind; of once every N days, N is at most `longest`."""
    from hypothesis import strategies as st  # the programs that are killed need none of it

    return st.one_of(
        st.just(DAILY),
        st.integers(1, 7).map(per_week),
        st.integers(1, 31).map(per_month),
        st.integers(2, longest).map(every),
        st.sets(st.integers(1, 7), min_size=1).map(lambda days: weekdays(*days)),
    )
