"""One table of days and habits, `Date,name,name,…`: the Checkmarks.csv of Loop, which Beaver Habits took in as well."""

from __future__ import annotations

import re
from typing import Final

from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import FormatReader, ReadContext, as_int, iso_day
from lifehelper_desktop.storage.transfer.formats._loop import NO, SKIP, WORDS, LoopDays, measure
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import SourceFile, csv_rows, damaged


def _matches(source: SourceFile) -> bool:
    return re.match(r"Date,(?!Value(?:,|$)|Score)", source.first_line) is not None


def _read(context: ReadContext) -> list[ImportedHabit]:
    source = context.source
    rows = csv_rows(source.text, source.name)
    _line, header = next(rows, (0, []))
    names = header[1:-1] if header and not header[-1].strip() else header[1:]
    if not names:
        raise damaged(source.name)
    habits = [context.habit(name, f"{source.name} “{shorten(name, 30)}”") for name in names]
    days = [LoopDays(context, habit) for habit in habits]
    kept: list[tuple[int, list[str]]] = []
    for line, cells in rows:
        width = len(cells) - (not cells[-1].strip())
        if width != len(names) + 1:
            # Names are not quoted there: one with a comma moves every column.
            context.report.bad(f"{source.name}:{line}", "columns_differ")
        else:
            kept.append((line, cells))
    says_no = any(cell.strip() == "-1" or cell.strip() in WORDS for _line, cells in kept for cell in cells[1:])
    for column, habit in enumerate(habits, 1):
        if any((as_int(cells[column]) or 0) > SKIP for _line, cells in kept):
            measure(habit, 0, at_most=False, unit="", days=1)  # thousandths; the goal stands elsewhere
    for line, cells in kept:
        where = f"{source.name}:{line}"
        day = context.check_day(iso_day(cells[0].strip()), cells[0], where)
        for column, cell in enumerate(cells[1 : len(names) + 1]):
            word = cell.strip()
            code = WORDS.get(word) if word in WORDS else as_int(word)
            if code is None:
                context.report.bad(f"{where} “{shorten(names[column], 30)}”", "bad_value", text=shorten(word))
            elif day is not None and (code != NO or says_no or habits[column].goal is not None):
                days[column].add(day, code, "", where)
    for each in days:
        each.end()
    return [habit.build() for habit in habits]


READER: Final = FormatReader(FileFormat.LOOP_TABLE, _matches, _read)
