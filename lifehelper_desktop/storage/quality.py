"""The checks of the data over the store, for the coach and the command line."""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.domain.day_line import DayLine
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.domain.quality import FailedCheck, HabitData, QualityData
from lifehelper_desktop.domain.quality_checks import SAMPLES, failed_checks
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.tables import REMINDER, to_reminder

_BLANK_NOTES: Final = (
    "SELECT habit_id, date, note FROM entry WHERE value = 'blank' AND note <> '' ORDER BY date DESC, habit_id"
)


def check_quality(store: Store, habit_id: int | None = None, samples: int = SAMPLES) -> list[FailedCheck]:
    """Return what in the data is off, of one habit or of all, what matters most first. Any thread.

    Raises:
        WorldError: The data could not be read.
    """
    return failed_checks(_read(store), habit_id, samples)


def _read(store: Store) -> QualityData:
    with store.db.snapshot():
        today = store.today()
        lines = store.lines(store.db)
        notes = [(habit, date.fromisoformat(day), note) for habit, day, note in store.db.sql(_BLANK_NOTES)]
        order = (REMINDER.c.habit_id, REMINDER.c.minutes)
        reminders = [to_reminder(row) for row in store.db.fetch(REMINDER.select().order_by(*order))]
    habits = tuple(_habit(store, habit, line) for habit, line in lines)
    return QualityData(today, habits, tuple(notes), tuple(reminders))


def _habit(store: Store, habit: Habit, line: DayLine) -> HabitData:
    if habit.status is not HabitStatus.ACTIVE:
        return HabitData(habit, line, missed_twice=False, has_missed=False)
    tally = store.tally(habit.id, line)
    return HabitData(habit, line, tally.streaks.never_miss_twice_broken, has_missed=tally.open_gap > 0)
