"""The tables for peewee's query builder, and rows turned into the domain's values. The schema is in migrations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any, Final

import peewee

from lifehelper_desktop.domain.habits import (
    DAILY,
    Entry,
    EntryValue,
    Habit,
    HabitKind,
    HabitStatus,
    Schedule,
    ScheduleKind,
)
from lifehelper_desktop.domain.reminders import Reminder

HABIT: Final = peewee.Table("habit")
VARIANT: Final = peewee.Table("habit_variant")
PAUSE: Final = peewee.Table("habit_pause")
SCHEDULE: Final = peewee.Table("habit_schedule")
ENTRY: Final = peewee.Table("entry")
SETTING: Final = peewee.Table("setting")
REMINDER: Final = peewee.Table("reminder")
#: A habit in the trash keeps its rows, and only the trash sees them.
NOT_DELETED: Final = HABIT.c.deleted_on.is_null()

_MAX_ID: Final = 2**63 - 1
_SCHEDULE_PARTS: Final = ("kind", "weekdays", "times", "days")
PauseRange = tuple[date, date | None]


def is_row_id(value: object) -> bool:
    """Return whether `value` can be the id of a row at all: SQLite raises on integers beyond 64 bits."""
    return type(value) is int and 1 <= value <= _MAX_ID


def to_day(text: str | None) -> date | None:
    """Return the civil day of a column, or None."""
    return None if text is None else date.fromisoformat(text)


def to_schedule(row: Mapping[str, Any]) -> Schedule:
    """Return the schedule of a habit row."""
    return _schedule(*(row[f"schedule_{name}"] for name in _SCHEDULE_PARTS))


def to_past_schedule(row: Mapping[str, Any]) -> tuple[date, Schedule]:
    """Return a row of the schedule history: the first day, and the schedule from then on."""
    return date.fromisoformat(row["from_day"]), _schedule(*(row[name] for name in _SCHEDULE_PARTS))


def _schedule(kind: str, weekdays: str, times: int, days: int) -> Schedule:
    if kind == ScheduleKind.DAILY.value:
        return DAILY
    return Schedule(ScheduleKind(kind), frozenset(map(int, weekdays)), int(times), int(days))


def schedule_columns(schedule: Schedule, prefix: str = "schedule_") -> dict[str, object]:
    """Return the columns that store a schedule: with the prefix in `habit`, without one in its history."""
    values = (schedule.kind.value, weekday_digits(schedule.weekdays), schedule.times, schedule.days)
    return {f"{prefix}{name}": value for name, value in zip(_SCHEDULE_PARTS, values, strict=True)}


def to_habit(
    row: Mapping[str, Any],
    doses: Mapping[int, str],
    pauses: Iterable[PauseRange],
    schedules: Iterable[tuple[date, Schedule]] = (),
) -> Habit:
    """Return the habit of a row, its doses (by `is_minimum`), its pauses and its schedules, oldest first."""
    return Habit(
        id=row["id"],
        protocol_id=row["protocol_id"],
        break_protocol_id=row["break_protocol_id"],
        kind=HabitKind(row["kind"]),
        title_ko=row["title_ko"],
        title_en=row["title_en"],
        frame_level=row["frame_level"],
        framed_text=row["framed_text"],
        anchor_when=row["anchor_when"],
        anchor_after_what=row["anchor_after_what"],
        anchor_source=row["anchor_source"],
        standard_dose=doses.get(0, ""),
        minimum_dose=doses.get(1),
        status=HabitStatus(row["status"]),
        start=date.fromisoformat(row["start"]),
        archived_on=to_day(row["archived_on"]),
        position=row["position"],
        schedule=to_schedule(row),
        paused_ranges=tuple(pauses),
        source=row["source"],
        description=row["description"],
        unit=row["unit"],
        schedules=tuple(schedules),
    )


def to_entry(row: Mapping[str, Any]) -> Entry:
    """Return the entry of a row; a minimum day is stored as done with `is_minimum` (R10)."""
    value = EntryValue.MINIMUM if row["is_minimum"] else EntryValue(row["value"])
    return Entry(row["id"], row["habit_id"], date.fromisoformat(row["date"]), value, row["note"], row["amount"])


def to_reminder(row: Mapping[str, Any]) -> Reminder:
    """Return the reminder of a row."""
    weekdays = frozenset(int(digit) for digit in row["weekdays"])
    since = datetime.fromisoformat(row["since"])
    return Reminder(row["id"], row["habit_id"], row["minutes"], weekdays, bool(row["is_on"]), since)


def weekday_digits(weekdays: Iterable[int]) -> str:
    """Return ISO weekdays as the columns hold them: `135`."""
    return "".join(str(day) for day in sorted(weekdays))


def columns_of(table: Any, values: Mapping[str, object]) -> dict[Any, object]:
    """Return values by the names of a table's columns as peewee writes them."""
    return {getattr(table.c, name): value for name, value in values.items()}


def value_columns(value: EntryValue) -> dict[str, object]:
    """Return the columns that store an entry's value."""
    is_minimum = value is EntryValue.MINIMUM
    return {"value": EntryValue.DONE.value if is_minimum else value.value, "is_minimum": int(is_minimum)}
