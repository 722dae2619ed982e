"""The JSON export of Table Habit (mhabit): `{"habits": [...], "groups": [...]}`, nulls left out."""

from __future__ import annotations

import json
from typing import Any, Final

from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, HabitType
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    Goal,
    HabitBuilder,
    ReadContext,
    as_float,
    as_int,
    as_list,
    as_text,
    epoch_day,
)
from lifehelper_desktop.storage.transfer.formats._loop import measure
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit, ImportedReminder
from lifehelper_desktop.storage.transfer.source_file import SourceFile

_NEGATIVE: Final = 2
_ACTIVE, _DELETED, _ARCHIVED = 1, 2, 3
_WEEKLY, _MONTHLY, _CUSTOM = 1, 2, 3
_DONE, _SKIP = 1, 2
_KEYS: Final = frozenset({"freq_type", "freq_custom", "daily_goal", "start_date", "target_days"})


def _matches(source: SourceFile) -> bool:
    data = source.json
    if not isinstance(data, dict) or not isinstance(data.get("habits"), list):
        return False
    habits = [habit for habit in data["habits"] if isinstance(habit, dict)]
    return any(_KEYS & habit.keys() for habit in habits) or (not habits and "groups" in data)


def _read(context: ReadContext) -> list[ImportedHabit]:
    built = []
    for number, row in enumerate(context.source.json["habits"]):
        where = f"habits[{number}]"
        if not isinstance(row, dict):
            context.report.bad(where, "bad_shape")
            continue
        habit = _habit(context, row, where)
        if habit is not None:
            built.append(habit.build())
    return built


def _habit(context: ReadContext, row: dict[str, Any], where: str) -> HabitBuilder | None:
    status = as_int(row.get("status", _ACTIVE))
    if status == _DELETED:
        context.report.note(where, "deleted")
        return None
    habit = context.habit(row.get("name"), where)
    made = as_int(row.get("create_t"))
    if made is not None:
        habit.keys.append(f"made:{made}:{habit.title}")
    habit.status = HabitStatus.ARCHIVED if status == _ARCHIVED else HabitStatus.ACTIVE
    habit.describe(row.get("reminder_quest"), row.get("desc"))
    start = as_int(row.get("start_date"))
    if start is not None:
        habit.start = context.check_day(epoch_day(start), start, f"{where}.start_date")
    _set_goal(habit, row)
    _set_frequency(context, habit, row)
    _add_reminder(context, habit, row.get("reminder"))
    for number, record in enumerate(as_list(row.get("records"))):
        _add_record(context, habit, record, f"{where}.records[{number}]")
    return habit


def _set_goal(habit: HabitBuilder, row: dict[str, Any]) -> None:
    at_most = as_int(row.get("type")) == _NEGATIVE
    goal = as_float(row.get("daily_goal"))
    measure(habit, (0.0 if at_most else 1.0) if goal is None else goal, at_most, row.get("daily_goal_unit"), 1)
    habit.habit_type = HabitType.BREAK if at_most else HabitType.BUILD


def _set_frequency(context: ReadContext, habit: HabitBuilder, row: dict[str, Any]) -> None:
    kind = as_int(row.get("freq_type"))
    given = row.get("freq_custom")
    values = [as_int(value) for value in as_list(_inner_json(given) if isinstance(given, str) else given)]
    numbers = [value for value in values if value is not None and 1 <= value <= 1000]
    if kind == _WEEKLY and len(numbers) == 1:
        habit.repeat_by_calendar(numbers[0], 1, 7)
    elif kind == _MONTHLY and len(numbers) == 1:
        habit.repeat_by_calendar(numbers[0], 1, 30)
    elif kind == _CUSTOM and len(numbers) == 2:
        habit.repeat(*numbers)
    elif kind is not None:
        context.report.note(habit.where, "schedule_unknown", rule=shorten(f"{kind} {given}"))


def _add_reminder(context: ReadContext, habit: HabitBuilder, given: object) -> None:
    value = _inner_json(given) if isinstance(given, str) else given
    if not isinstance(value, dict):
        return
    time = value.get("time")
    hour, minute = (as_int(time.get(name)) for name in ("hour", "minute")) if isinstance(time, dict) else (None, None)
    kind = as_int(value.get("type"))
    weekdays = {1: range(1, 8), 2: range(1, 8), 3: as_list(value.get("extra"))}.get(kind or 0, ())
    chosen = frozenset(day for each in weekdays if (day := as_int(each)) is not None and 1 <= day <= 7)
    if hour is not None and minute is not None and 0 <= hour < 24 and 0 <= minute < 60 and chosen:
        habit.reminders.append(ImportedReminder(hour * 60 + minute, chosen))
    else:
        context.report.note(habit.where, "reminder_left_out")


def _add_record(context: ReadContext, habit: HabitBuilder, record: object, where: str) -> None:
    if not isinstance(record, dict):
        context.report.bad(where, "bad_shape")
        return
    number = as_int(record.get("record_date"))
    day = context.check_day(epoch_day(number) if number is not None else None, record.get("record_date"), where)
    kind, amount = as_int(record.get("record_type")), as_float(record.get("record_value", 0))
    note = as_text(record.get("reason"))
    if kind not in (0, _DONE, _SKIP) or (kind == _DONE and amount is None):
        context.report.bad(where, "bad_value", text=shorten(f"{kind} {record.get('record_value')}"))
    elif day is None:
        return
    elif kind == _SKIP:
        habit.add(day, EntryValue.BLANK, where, note=note)
    elif kind == _DONE and amount is not None:
        _add_done(habit, day, amount, where, note)
    elif note.strip():
        habit.add_note_only(day, where, note)


def _add_done(habit: HabitBuilder, day: Any, amount: float, where: str, note: str) -> None:
    goal = habit.goal
    assert goal is not None
    if goal == Goal(1.0) and amount in (0, 1):  # a plain yes or no
        habit.add(day, goal.judge(amount), where, note=note)
    else:
        habit.add_amount(day, amount, where, note)


def _inner_json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


READER: Final = FormatReader(FileFormat.MHABIT, _matches, _read)
