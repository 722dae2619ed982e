"""The CSV export of HabitBull: one line for each habit and day."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    Goal,
    HabitBuilder,
    ReadContext,
    as_float,
    iso_day,
)
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import SourceFile, csv_rows

_COLUMNS: Final = ("HabitName", "HabitDescription", "HabitCategory", "CalendarDate", "Value", "CommentText")
_EMPTY: Final = -2_150_000_000
_US_DAY: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})")


def _matches(source: SourceFile) -> bool:
    return source.first_line.replace('"', "").startswith(",".join(_COLUMNS[:3]))


def _read(context: ReadContext) -> list[ImportedHabit]:
    source = context.source
    rows = list(csv_rows(source.text, source.name))[1:]
    # A habit of amounts is one that ever held more than a yes.
    measured = {cells[0] for _line, cells in rows if len(cells) > 4 and (as_float(cells[4]) or 0) not in (0, 1, _EMPTY)}
    built: dict[str, HabitBuilder] = {}
    for line, cells in rows:
        where = f"{source.name}:{line}"
        if len(cells) < 5:
            context.report.bad(where, "bad_shape")
            continue
        name = cells[0]
        if name not in built:
            built[name] = context.habit(name, where)
            built[name].describe(cells[1])
            if name in measured:
                built[name].measure("", Goal(0))
        _add(context, built[name], cells, where)
    return [habit.build() for habit in built.values()]


def _add(context: ReadContext, habit: HabitBuilder, cells: list[str], where: str) -> None:
    day = context.check_day(_day(cells[3].strip()), cells[3], where)
    number = as_float(cells[4])
    note = cells[5] if len(cells) > 5 else ""
    if number is None or (number < 0 and number != _EMPTY):
        context.report.bad(where, "bad_value", text=shorten(cells[4]))
    elif day is None:
        return
    elif number == _EMPTY:
        if note.strip():
            habit.add_note_only(day, where, note)
    elif habit.goal is not None:
        habit.add_amount(day, number, where, note)
    else:
        habit.add(day, EntryValue.DONE if number else EntryValue.NOT_DONE, where, note=note)


def _day(text: str) -> date | None:
    """Return the day of an ISO or a US date; some versions wrote the language's own order, which cannot be told."""
    match = _US_DAY.fullmatch(text)
    if match is None:
        return iso_day(text[:10]) if re.fullmatch(r"\d{4}-\d{2}-\d{2}(?:[ T].*)?", text) else None
    return iso_day(f"{match[3]}-{int(match[1]):02}-{int(match[2]):02}")


READER: Final = FormatReader(FileFormat.HABITBULL, _matches, _read)
