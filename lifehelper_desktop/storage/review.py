"""The weekly review read from the store, for the window and the command line."""

from __future__ import annotations

from datetime import date, timedelta

from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.domain.review import WEEK, ReviewHabit, WeekReview, review_week, week_first
from lifehelper_desktop.domain.schedule import expand_pauses
from lifehelper_desktop.storage.store import Store


def first_of_week(store: Store, day: date) -> date:
    """Return the first day of the week of `day`, with the week start in the settings."""
    return week_first(day, store.week_start())


def last_closed_week(store: Store) -> date:
    """Return the first day of the newest week that is over."""
    return first_of_week(store, store.today()) - timedelta(days=WEEK)


def read_review(store: Store, first: date) -> WeekReview:
    """Look back at the week that begins with `first`.

    Raises:
        WorldError: The data could not be read.
    """
    last = first + timedelta(days=WEEK - 1)
    with store.db.snapshot():
        today = store.today()
        values = store.entries.values_between(first - timedelta(days=WEEK), last)
        lines = store.lines(store.db)
    found: list[ReviewHabit] = []
    for habit, line in lines:
        now = None if habit.status is HabitStatus.ARCHIVED else store.tally(habit.id, line)
        found.append(
            ReviewHabit(
                habit=habit,
                values=values.get(habit.id, {}),
                paused_days=expand_pauses(habit.paused_ranges, max(today, last)),
                current_run=now.streaks.current_streak if now else 0,
                longest_run=now.streaks.longest_streak if now else 0,
                phase_day=now.phase_day if now else 0,
            )
        )
    return review_week(found, first, today)
