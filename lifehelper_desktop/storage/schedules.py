"""The schedules that a habit ever had, each from its first day on. Inside the caller's `read()` or `write()`."""

from __future__ import annotations

from datetime import date
from typing import Any

from lifehelper_desktop.domain.habits import Habit, Schedule
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.tables import SCHEDULE, columns_of, schedule_columns, to_past_schedule


def load_schedules(db: Database, habit_id: int | None = None) -> dict[int, list[tuple[date, Schedule]]]:
    """Return the histories by habit id, oldest schedule first; with `habit_id` only that one."""
    query = SCHEDULE.select().order_by(SCHEDULE.c.habit_id, SCHEDULE.c.from_day)
    if habit_id is not None:
        query = query.where(SCHEDULE.c.habit_id == habit_id)
    found: dict[int, list[tuple[date, Schedule]]] = {}
    for row in db.fetch(query):
        found.setdefault(row["habit_id"], []).append(to_past_schedule(row))
    return found


def add_schedule(db: Database, habit_id: int, day: date, schedule: Schedule) -> None:
    """Let a schedule be in force from `day` on; it takes the place of one that begins on that day."""
    key: dict[Any, object] = {SCHEDULE.c.habit_id: habit_id, SCHEDULE.c.from_day: day.isoformat()}
    parts = columns_of(SCHEDULE, schedule_columns(schedule, ""))
    # Not REPLACE, which the journal would see as a row that goes and another one that comes.
    db.run(SCHEDULE.insert({**key, **parts}).on_conflict(conflict_target=tuple(key), update=parts))


def change_schedule(db: Database, habit: Habit, today: date, schedule: Schedule) -> dict[str, object]:
    """Let a habit's schedule be another one from today on; return the columns of the habit itself.

    A history that says the same twice in a row is made shorter: changing back on the same day leaves no trace. What
    would begin later (the clock was set back since) is overtaken by this change.
    """
    history = dict(habit.history)
    kept = {day: past for day, past in sorted(history.items()) if day < today}
    before = next(reversed(kept.values()), None)
    for day in history:
        if day > today or (day == today and before == schedule):
            this = (SCHEDULE.c.habit_id == habit.id) & (SCHEDULE.c.from_day == day.isoformat())
            db.run(SCHEDULE.delete().where(this))
    if not habit.schedules and kept:
        add_schedule(db, habit.id, *next(iter(kept.items())))
    if before != schedule:
        add_schedule(db, habit.id, today, schedule)
    return schedule_columns(schedule)
