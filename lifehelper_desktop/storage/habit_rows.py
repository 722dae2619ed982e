"""The rows of habits beside their own: doses, pauses, schedules. Inside the caller's `read()` or `write()`."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.schedules import load_schedules
from lifehelper_desktop.storage.tables import (
    ENTRY,
    HABIT,
    NOT_DELETED,
    PAUSE,
    VARIANT,
    PauseRange,
    to_day,
    to_habit,
)

_DAY: Final = timedelta(days=1)


def load_habits(db: Database, condition: Any, habit_id: int | None = None) -> list[Habit]:
    """Return the habits outside the trash that meet `condition`; with `habit_id` only that one's rows are read."""
    variants, pauses = VARIANT.select(), PAUSE.select().order_by(PAUSE.c.first_day)
    if habit_id is not None:
        variants = variants.where(VARIANT.c.habit_id == habit_id)
        pauses = pauses.where(PAUSE.c.habit_id == habit_id)
    doses: dict[int, dict[int, str]] = {}
    for row in db.fetch(variants):
        doses.setdefault(row["habit_id"], {})[row["is_minimum"]] = row["dose"]
    ranges: dict[int, list[PauseRange]] = {}
    for row in db.fetch(pauses):
        span: PauseRange = (date.fromisoformat(row["first_day"]), to_day(row["last_day"]))
        ranges.setdefault(row["habit_id"], []).append(span)
    schedules = load_schedules(db, habit_id)
    rows = db.fetch(HABIT.select().where(condition & NOT_DELETED).order_by(HABIT.c.position, HABIT.c.id))
    return [
        to_habit(row, doses.get(row["id"], {}), ranges.get(row["id"], ()), schedules.get(row["id"], ())) for row in rows
    ]


def write_doses(db: Database, habit_id: int, standard: str, minimum: str) -> None:
    """Put both doses in the place of those that are there."""
    db.run(VARIANT.delete().where(VARIANT.c.habit_id == habit_id))
    for is_minimum, dose in enumerate((standard, minimum)):
        columns = {VARIANT.c.habit_id: habit_id, VARIANT.c.is_minimum: is_minimum, VARIANT.c.dose: dose}
        db.run(VARIANT.insert(columns))


def begin_pause(db: Database, habit_id: int, day: date) -> None:
    """Let a pause run from `day` on, or from the day after when that one has an entry."""
    db.run(PAUSE.insert({PAUSE.c.habit_id: habit_id, PAUSE.c.first_day: _first_free(db, habit_id, day).isoformat()}))


def end_pause(db: Database, habit_id: int, last: date) -> None:
    """End every pause with the day `last`, the running one too; one that then holds no day leaves no trace."""
    longer = (PAUSE.c.habit_id == habit_id) & (PAUSE.c.last_day.is_null() | (PAUSE.c.last_day > last.isoformat()))
    db.run(PAUSE.delete().where(longer & (PAUSE.c.first_day > last.isoformat())))
    db.run(PAUSE.update({PAUSE.c.last_day: last.isoformat()}).where(longer))


def pause_between(db: Database, habit_id: int, first: date, last: date) -> None:
    """Make a pause of the days from `first` to `last`, without `first` when it has an entry; of no day, none."""
    begin = _first_free(db, habit_id, first)
    if begin <= last:
        days = {PAUSE.c.first_day: begin.isoformat(), PAUSE.c.last_day: last.isoformat()}
        db.run(PAUSE.insert({PAUSE.c.habit_id: habit_id, **days}))


def _first_free(db: Database, habit_id: int, day: date) -> date:
    logged = ENTRY.select().where((ENTRY.c.habit_id == habit_id) & (ENTRY.c.date == day.isoformat()))
    return day + _DAY if db.fetch(logged) else day
