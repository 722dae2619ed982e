"""The JSON of Beaver Habits: its export, and the file that it keeps on the disk itself."""

from __future__ import annotations

from typing import Any, Final

from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    HabitBuilder,
    ReadContext,
    as_int,
    as_list,
    as_text,
    iso_day,
)
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import SourceFile

_PERIOD_DAYS: Final = {"D": 1, "W": 7, "M": 30, "Y": 365}
_OWN_KEYS: Final = frozenset({"user_email", "exported_at", "order_by"})


def _body(source: SourceFile) -> dict[str, Any] | None:
    data = source.json
    if isinstance(data, dict) and isinstance(data.get("data"), dict):
        data = data["data"]
    return data if isinstance(data, dict) and isinstance(data.get("habits"), list) else None


def _matches(source: SourceFile) -> bool:
    body = _body(source)
    if body is None:
        return False
    records = [
        record
        for habit in body["habits"]
        if isinstance(habit, dict)
        for record in as_list(habit.get("records"))
        if isinstance(record, dict)
    ]
    return any("day" in record and "done" in record for record in records) or bool(_OWN_KEYS & body.keys())


def _read(context: ReadContext) -> list[ImportedHabit]:
    body = _body(context.source) or {}
    order = {name: place for place, name in enumerate(as_list(body.get("order"))) if isinstance(name, str)}
    rows = list(enumerate(as_list(body.get("habits"))))
    rows.sort(key=lambda row: order.get(as_text(row[1].get("id")) if isinstance(row[1], dict) else "", len(order)))
    built = []
    for number, row in rows:
        where = f"habits[{number}]"
        if not isinstance(row, dict):
            context.report.bad(where, "bad_shape")
            continue
        if row.get("status") == "soft_delete":
            context.report.note(where, "deleted")
            continue
        habit = _habit(context, row, where)
        for place, record in enumerate(as_list(row.get("records"))):
            _add_record(context, habit, record, f"{where}.records[{place}]")
        built.append(habit.build())
    return built


def _habit(context: ReadContext, row: dict[str, Any], where: str) -> HabitBuilder:
    habit = context.habit(row.get("name"), where)
    if as_text(row.get("id")):
        habit.keys.append(f"id:{row['id']}")
    habit.status = HabitStatus.ARCHIVED if row.get("status") == "archive" else HabitStatus.ACTIVE
    period = row.get("period")
    if period is not None:
        given = period if isinstance(period, dict) else {}
        days = _PERIOD_DAYS.get(as_text(given.get("period_type")))
        count, target = as_int(given.get("period_count")), as_int(given.get("target_count"))
        if days is None or count is None or target is None or not (1 <= count <= 100 and 1 <= target <= 1000):
            context.report.note(where, "schedule_unknown", rule=shorten(period))
        else:
            habit.repeat_by_calendar(target, count, days)
    return habit


def _add_record(context: ReadContext, habit: HabitBuilder, record: object, where: str) -> None:
    if not isinstance(record, dict):
        context.report.bad(where, "bad_shape")
        return
    day = context.check_day(iso_day(as_text(record.get("day"))), record.get("day"), where)
    done = record.get("done")
    if not isinstance(done, bool):
        context.report.bad(where, "bad_value", text=shorten(done))
    elif day is not None:
        habit.add(day, EntryValue.DONE if done else EntryValue.NOT_DONE, where, note=as_text(record.get("text")))


READER: Final = FormatReader(FileFormat.BEAVERHABITS, _matches, _read)
