"""The database of Tickmate: a SQLite file with `tracks` and `ticks`."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Final

from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.storage.transfer.building import FormatReader, Goal, HabitBuilder, ReadContext, as_int
from lifehelper_desktop.storage.transfer.formats._tables import row_name, rows_of
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import SourceFile

_TRACK_COLUMNS: Final = ("_id", "name", "description", "enabled", "multiple_entries_per_day", "order")
_TICK_COLUMNS: Final = ("_id", "_track_id", "year", "month", "day")


def _matches(source: SourceFile) -> bool:
    return source.tables >= {"tracks", "ticks"}


def _read(context: ReadContext) -> list[ImportedHabit]:
    built: dict[int, HabitBuilder] = {}
    ticks: dict[int, Counter[date]] = {}
    with context.source.database() as db:
        for row in rows_of(db, "tracks", _TRACK_COLUMNS, ("order", "_id")):
            number = as_int(row["_id"])
            if number is None:
                continue
            habit = context.habit(row["name"], f"tracks #{number}")
            habit.keys.append(f"id:{number}:{habit.title}")
            habit.describe(row["description"])
            habit.status = HabitStatus.ARCHIVED if as_int(row["enabled"]) == 0 else HabitStatus.ACTIVE
            if as_int(row["multiple_entries_per_day"]):
                habit.measure("", Goal(0))
            built[number], ticks[number] = habit, Counter()
        for row in rows_of(db, "ticks", _TICK_COLUMNS, ("_id",)):
            where = f"ticks #{row_name(row['_id'])}"
            number = as_int(row["_track_id"])
            if number is None or number not in built:
                context.report.note(where, "orphan")
                continue
            day = context.check_day(_day(row["year"], row["month"], row["day"]), _words(row), where)
            if day is not None:
                ticks[number][day] += 1
                context.watch.step()
    for number, habit in built.items():
        for day, count in ticks[number].items():
            amount = float(count) if habit.goal is not None else None
            habit.add(day, EntryValue.DONE, habit.where, amount=amount)
    return [habit.build() for habit in built.values()]


def _day(year: object, month: object, day: object) -> date | None:
    """Return the day; Tickmate counts months from 0."""
    parts = [as_int(year), as_int(month), as_int(day)]
    try:
        return date(parts[0], parts[1] + 1, parts[2]) if None not in parts else None  # type: ignore[arg-type,operator]
    except (ValueError, OverflowError):
        return None


def _words(row: dict[str, object]) -> str:
    return "/".join(str(row[name]) for name in ("year", "month", "day"))


READER: Final = FormatReader(FileFormat.TICKMATE, _matches, _read)
