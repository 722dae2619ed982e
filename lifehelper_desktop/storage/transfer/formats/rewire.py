"""The database of Rewire: a SQLite file with `HABITS`, `CHECKINS` and `REMINDERS`."""

from __future__ import annotations

from typing import Any, Final

from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    HabitBuilder,
    ReadContext,
    as_int,
    as_text,
    iso_day,
    on_weekdays,
)
from lifehelper_desktop.storage.transfer.formats._tables import row_name, rows_of
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit, ImportedReminder
from lifehelper_desktop.storage.transfer.source_file import SourceFile

_HABIT_COLUMNS: Final = (
    *("_id", "name", "description", "schedule", "active_days", "repeating_count", "days", "period"),
    *("archived", "position"),
)
_CHECK_COLUMNS: Final = ("_id", "habit_id", "date", "type", "note")
_REMINDER_COLUMNS: Final = ("_id", "habit_id", "time", "active_days")
_PERIODS: Final = (7, 30, 365)
_DONE: Final = 2
_FIXED_DAYS, _TIMES, _EVERY = 0, 1, 2


def _matches(source: SourceFile) -> bool:
    return source.tables >= {"checkins", "habits"}


def _read(context: ReadContext) -> list[ImportedHabit]:
    built: dict[int, HabitBuilder] = {}
    with context.source.database() as db:
        for row in rows_of(db, "habits", _HABIT_COLUMNS, ("position", "_id")):
            number = as_int(row["_id"])
            if number is not None:
                built[number] = _habit(context, row, number)
        if "reminders" in context.source.tables:
            for row in rows_of(db, "reminders", _REMINDER_COLUMNS, ("_id",)):
                _add_reminder(context, built.get(as_int(row["habit_id"]) or 0), row)
        for row in rows_of(db, "checkins", _CHECK_COLUMNS, ("_id",)):
            where = f"CHECKINS #{row_name(row['_id'])}"
            habit = built.get(as_int(row["habit_id"]) or 0)
            if habit is None:
                context.report.note(where, "orphan")
            else:
                _add_check(context, habit, row, where)
    return [habit.build() for habit in built.values()]


def _habit(context: ReadContext, row: dict[str, Any], number: int) -> HabitBuilder:
    habit = context.habit(row["name"], f"HABITS #{number}")
    habit.keys.append(f"id:{number}:{habit.title}")
    habit.describe(row["description"])
    habit.status = HabitStatus.ARCHIVED if as_int(row["archived"]) else HabitStatus.ACTIVE
    kind, days, period = as_int(row["schedule"]), as_int(row["days"]), as_int(row["period"])
    every = as_int(row["repeating_count"])
    weekdays = _weekdays(row["active_days"])
    if kind == _FIXED_DAYS and weekdays:
        habit.schedule = on_weekdays(weekdays)
    elif kind == _TIMES and days and days > 0 and period is not None and 0 <= period < len(_PERIODS):
        habit.repeat_by_calendar(days, 1, _PERIODS[period])
    elif kind == _EVERY and every and 0 < every <= 1000:
        habit.repeat(1, every)
    else:
        context.report.note(habit.where, "schedule_unknown", rule=shorten(kind))
    return habit


def _weekdays(text: object) -> frozenset[int]:
    """Return the ISO weekdays of a list like `1,2,5`, where 0 is Sunday and 6 Saturday."""
    numbers = (as_int(part) for part in as_text(text).split(","))
    return frozenset(number or 7 for number in numbers if number is not None and 0 <= number <= 6)


def _add_reminder(context: ReadContext, habit: HabitBuilder | None, row: dict[str, Any]) -> None:
    minutes, weekdays = as_int(row["time"]), _weekdays(row["active_days"])
    if habit is None:
        return
    if minutes is not None and 0 < minutes < 1440 and weekdays:
        habit.reminders.append(ImportedReminder(minutes, weekdays))
    else:
        context.report.note(habit.where, "reminder_left_out")


def _add_check(context: ReadContext, habit: HabitBuilder, row: dict[str, Any], where: str) -> None:
    text, kind, note = str(row["date"]), as_int(row["type"]), as_text(row["note"])
    day = context.check_day(iso_day(f"{text[:4]}-{text[4:6]}-{text[6:]}"), text, where)
    if kind is None:
        context.report.bad(where, "bad_value", text=shorten(row["type"]))
    elif day is None:
        return
    elif kind == _DONE:
        habit.add(day, EntryValue.DONE, where, note=note)
    elif note.strip():
        habit.add_note_only(day, where, note)
    else:
        context.report.note(where, "mark_unknown", text=shorten(kind))  # what the other marks mean is not known


READER: Final = FormatReader(FileFormat.REWIRE, _matches, _read)
