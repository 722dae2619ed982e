"""The backup of Loop Habit Tracker: a SQLite file, schemas 12 to 25."""

from __future__ import annotations

import sqlite3
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    HabitBuilder,
    ReadContext,
    as_float,
    as_int,
    as_text,
    epoch_day,
)
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.formats._loop import YES_MANUAL, LoopDays, measure, repeat
from lifehelper_desktop.storage.transfer.formats._tables import row_name, rows_of
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit, ImportedReminder
from lifehelper_desktop.storage.transfer.source_file import SourceFile

OLDEST, NEWEST = 12, 25
_DAY_MS: Final = 86_400_000
_HABIT_COLUMNS: Final = (
    *("id", "name", "description", "question", "archived", "position", "freq_num", "freq_den", "type"),
    *("target_type", "target_value", "unit", "uuid", "reminder_hour", "reminder_min", "reminder_days"),
)
_ENTRY_COLUMNS: Final = ("id", "habit", "timestamp", "value", "notes")


def _matches(source: SourceFile) -> bool:
    return source.tables >= {"habits", "repetitions"}


def _read(context: ReadContext) -> list[ImportedHabit]:
    with context.source.database() as db:
        version = int(db.execute("PRAGMA user_version").fetchone()[0])
        _check_version(version)
        built: dict[int, tuple[HabitBuilder, LoopDays]] = {}
        for row in rows_of(db, "Habits", _HABIT_COLUMNS, ("position", "id")):
            habit = _habit(context, row, version)
            number = as_int(row["id"])
            if habit is not None and number is not None:
                built[number] = (habit, LoopDays(context, habit))
        _read_days(context, db, built)
    for _habit_builder, days in built.values():
        days.end()
    return [habit.build() for habit, _days in built.values()]


def _check_version(version: int) -> None:
    if version > NEWEST:
        raise TransferError(
            "too_new",
            _("{app}의 더 새로운 버전({version})에서 만든 파일이라 아직 읽지 못해요.").format(
                app=FileFormat.LOOP_DB.app, version=version
            ),
            _("그 앱에서 CSV로 내보낸 파일로 해 주세요."),
        )
    if version < OLDEST:
        raise TransferError(
            "too_old",
            _("{app}의 너무 오래된 버전({version})에서 만든 파일이에요.").format(
                app=FileFormat.LOOP_DB.app, version=version
            ),
            _("그 앱을 새 버전으로 바꾼 뒤 다시 내보내 주세요."),
        )


def _habit(context: ReadContext, row: dict[str, Any], version: int) -> HabitBuilder | None:
    where = f"Habits #{row_name(row['id'])}"
    kind = as_int(row["type"]) or 0
    if kind not in (0, 1):
        context.report.bad(where, "bad_field", name="type", text=shorten(row["type"]))
        return None
    habit = context.habit(row["name"], where)
    uuid = as_text(row["uuid"]).strip()
    # Before uuids came, the number was all that told habits of one name apart.
    habit.keys.append(f"uuid:{uuid}" if uuid else f"id:{row['id']}:{habit.title}")
    habit.status = HabitStatus.ARCHIVED if as_int(row["archived"]) else HabitStatus.ACTIVE
    # Until question and description were two, the description held the question.
    habit.describe(row["question"], row["description"]) if version >= 23 else habit.describe(row["description"])
    times, days = as_int(row["freq_num"]) or 1, as_int(row["freq_den"]) or 1
    if not (1 <= times <= 1000 and 1 <= days <= 1000):
        context.report.bad(where, "bad_field", name="freq", text=f"{times}/{days}")
        return None
    repeat(habit, times, days)
    if kind == 1:
        target = as_float(row["target_value"])
        if target is None:
            context.report.bad(where, "bad_field", name="target_value", text=shorten(row["target_value"]))
            return None
        measure(habit, target, as_int(row["target_type"]) == 1, row["unit"], days)
    _add_reminder(context, habit, row)
    return habit


def _add_reminder(context: ReadContext, habit: HabitBuilder, row: dict[str, Any]) -> None:
    hour, minute, mask = (as_int(row[name]) for name in ("reminder_hour", "reminder_min", "reminder_days"))
    if hour is None or minute is None or not mask:
        return
    # Bit 0 is Saturday, bit 6 Friday; ISO weekdays begin with Monday as 1.
    weekdays = frozenset((bit + 5) % 7 + 1 for bit in range(7) if mask >> bit & 1)
    if 0 <= hour < 24 and 0 <= minute < 60 and weekdays:
        habit.reminders.append(ImportedReminder(hour * 60 + minute, weekdays))
    else:
        context.report.note(habit.where, "reminder_left_out")


def _read_days(context: ReadContext, db: sqlite3.Connection, built: dict[int, tuple[HabitBuilder, LoopDays]]) -> None:
    # The lowest id of a day is the one that Loop itself kept when it made days unique.
    for row in rows_of(db, "Repetitions", _ENTRY_COLUMNS, ("habit", "timestamp", "id")):
        where = f"Repetitions #{row_name(row['id'])}"
        number, moment = as_int(row["habit"]), as_int(row["timestamp"])
        if number is None or number not in built:
            context.report.note(where, "orphan")
            continue
        day = context.check_day(epoch_day(moment // _DAY_MS) if moment is not None else None, row["timestamp"], where)
        code = YES_MANUAL if row["value"] is None else as_int(row["value"])
        if code is None:
            context.report.bad(where, "bad_value", text=shorten(row["value"]))
        elif day is not None:
            built[number][1].add(day, code, as_text(row["notes"]), where)


READER: Final = FormatReader(FileFormat.LOOP_DB, _matches, _read)
