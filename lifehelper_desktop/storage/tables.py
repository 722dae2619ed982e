"""The tables for peewee's query builder, and rows turned into the domain's values. The schema is in migrations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
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

HABIT: Final = peewee.Table("habit")
VARIANT: Final = peewee.Table("habit_variant")
PAUSE: Final = peewee.Table("habit_pause")
ENTRY: Final = peewee.Table("entry")
SETTING: Final = peewee.Table("setting")
#: A habit in the trash keeps its rows, and only the trash sees them.
NOT_DELETED: Final = HABIT.c.deleted_on.is_null()

_MAX_ID: Final = 2**63 - 1
PauseRange = tuple[date, date | None]


def is_row_id(value: object) -> bool:
    """Return whether `value` can be the id of a row at all: SQLite raises on integers beyond 64 bits."""
    return type(value) is int and 1 <= value <= _MAX_ID


def to_day(text: str | None) -> date | None:
    """Return the civil day of a column, or None."""
    return None if text is None else date.fromisoformat(text)


def to_schedule(row: Mapping[str, Any]) -> Schedule:
    """Return the schedule of a habit row."""
    kind = ScheduleKind(row["schedule_kind"])
    if kind is ScheduleKind.DAILY:
        return DAILY
    weekdays = frozenset(int(digit) for digit in row["schedule_weekdays"])
    return Schedule(kind, weekdays, int(row["schedule_times"]))


def schedule_columns(schedule: Schedule) -> dict[str, object]:
    """Return the columns that store a schedule."""
    return {
        "schedule_kind": schedule.kind.value,
        "schedule_weekdays": "".join(str(day) for day in sorted(schedule.weekdays)),
        "schedule_times": schedule.times,
    }


def to_habit(row: Mapping[str, Any], doses: Mapping[int, str], pauses: Iterable[PauseRange]) -> Habit:
    """Return the habit of a row, its doses (by `is_minimum`) and its pauses."""
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
    )


def to_entry(row: Mapping[str, Any]) -> Entry:
    """Return the entry of a row; a minimum day is stored as done with `is_minimum` (R10)."""
    value = EntryValue.MINIMUM if row["is_minimum"] else EntryValue(row["value"])
    return Entry(row["id"], row["habit_id"], date.fromisoformat(row["date"]), value, row["note"], row["amount"])


def value_columns(value: EntryValue) -> dict[str, object]:
    """Return the columns that store an entry's value."""
    is_minimum = value is EntryValue.MINIMUM
    return {"value": EntryValue.DONE.value if is_minimum else value.value, "is_minimum": int(is_minimum)}
