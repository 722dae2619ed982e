"""The CSV export of Loop Habit Tracker: a zip, or the folder that it was unpacked into."""

from __future__ import annotations

import csv
import io
import re
from typing import Final

from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    HabitBuilder,
    ReadContext,
    as_float,
    as_int,
    iso_day,
)
from lifehelper_desktop.storage.transfer.formats._loop import NO, WORDS, LoopDays, measure, repeat
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import SourceFile, csv_rows, damaged

# What stands behind the number is what is left of the name: nothing of a Korean one.
_DAYS: Final = re.compile(r"(\d{3,})(?: [^/]*)?/Checkmarks\.csv")
_HEADER: Final = ["date", "value"]
_Row = dict[str, str]


def _matches(source: SourceFile) -> bool:
    return source.base_of("Habits.csv") is not None


def _read(context: ReadContext) -> list[ImportedHabit]:
    source = context.source
    base = source.base_of("Habits.csv") or ""
    files = {
        int(match[1]): name
        for name in source.members
        if name.startswith(base) and (match := _DAYS.fullmatch(name[len(base) :]))
    }
    texts = {number: source.member_text(name) for number, name in files.items()}
    # Old versions wrote a 0 for every empty day; an explicit no there can only be told once they wrote -1 as well.
    says_no = any(re.search(r"^[^,\n]*,\s*(?:-1|[A-Z_]{2,})\s*(?:,|$)", text, re.MULTILINE) for text in texts.values())
    habits: list[ImportedHabit] = []
    for index, row in enumerate(_habit_rows(source, f"{base}Habits.csv"), 1):
        position = as_int(row.get("position", "")) or index
        habit = _habit(context, row, f"Habits.csv {position:03}")
        if habit is None:
            continue
        text = texts.pop(position, None)
        if text is None:
            context.report.note(habit.where, "no_rows")
        else:
            _read_days(context, habit, text, files[position].removeprefix(base), says_no=says_no)
        habits.append(habit.build())
    for number in texts:
        context.report.note(files[number].removeprefix(base), "orphan")
    return habits


def _habit_rows(source: SourceFile, name: str) -> list[_Row]:
    """Return the rows of Habits.csv by lower-case column names, whichever version wrote them."""
    try:
        rows = list(csv.DictReader(io.StringIO(source.member_text(name), newline="")))
    except csv.Error as error:
        raise damaged(name) from error
    return [
        {key.strip().casefold(): value for key, value in row.items() if isinstance(key, str) and isinstance(value, str)}
        for row in rows
    ]


def _habit(context: ReadContext, row: _Row, where: str) -> HabitBuilder | None:
    habit = context.habit(row.get("name"), where)
    habit.describe(row.get("question"), row.get("description"))
    habit.status = HabitStatus.ARCHIVED if row.get("archived?", "").casefold() == "true" else HabitStatus.ACTIVE
    times = as_int(row.get("frequencynumerator") or row.get("numrepetitions") or "1")
    days = as_int(row.get("frequencydenominator") or row.get("interval") or "1")
    if times is None or days is None or not (1 <= times <= 1000 and 1 <= days <= 1000):
        context.report.bad(where, "bad_field", name="Frequency", text=f"{times}/{days}")
        return None
    repeat(habit, times, days)
    kind = row.get("type", "") or "YES_NO"
    if kind == "NUMERICAL":
        target = as_float(row.get("target value", ""))
        if target is None:
            context.report.bad(where, "bad_field", name="Target Value", text=shorten(row.get("target value")))
            return None
        measure(habit, target, row.get("target type") == "AT_MOST", row.get("unit"), days)
    elif kind != "YES_NO":
        context.report.bad(where, "bad_field", name="Type", text=shorten(kind))
        return None
    return habit


def _read_days(context: ReadContext, habit: HabitBuilder, text: str, name: str, *, says_no: bool) -> None:
    days = LoopDays(context, habit)
    for line, cells in csv_rows(text, name):
        where = f"{name}:{line}"
        if [cell.strip().casefold() for cell in cells[:2]] == _HEADER:
            continue
        if len(cells) < 2:
            context.report.bad(where, "bad_shape")
            continue
        day = context.check_day(iso_day(cells[0].strip()), cells[0], where)
        word = cells[1].strip()
        code = WORDS.get(word) if word in WORDS else as_int(word)
        if code is None:
            context.report.bad(where, "bad_value", text=shorten(word))
        elif day is not None and (code != NO or says_no or habit.goal is not None):
            days.add(day, code, cells[2] if len(cells) > 2 else "", where)
    days.end()


READER: Final = FormatReader(FileFormat.LOOP_CSV, _matches, _read)
