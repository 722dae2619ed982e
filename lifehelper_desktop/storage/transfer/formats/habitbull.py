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
_YEAR_FIRST: Final = re.compile(r"(\d{4})([-/.]) ?(\d{1,2})\2 ?(\d{1,2})\.?(?:[ T].*)?")
_YEAR_LAST: Final = re.compile(r"(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?: .*)?")


def _matches(source: SourceFile) -> bool:
    return source.first_line.replace('"', "").startswith(",".join(_COLUMNS[:3]))


def _read(context: ReadContext) -> list[ImportedHabit]:
    source = context.source
    rows = list(csv_rows(source.text, source.name))[1:]
    # A habit of amounts is one that ever held more than a yes.
    measured = {cells[0] for _line, cells in rows if len(cells) > 4 and (as_float(cells[4]) or 0) not in (0, 1, _EMPTY)}
    day_first = _is_day_first(context, [cells[3].strip() for _line, cells in rows if len(cells) > 4])
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
        _add(context, built[name], cells, where, day_first=day_first)
    return [habit.build() for habit in built.values()]


def _add(context: ReadContext, habit: HabitBuilder, cells: list[str], where: str, *, day_first: bool) -> None:
    day = context.check_day(_day(cells[3].strip(), day_first=day_first), cells[3], where)
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


def _is_day_first(context: ReadContext, texts: list[str]) -> bool:
    """Return whether the file writes the day before the month; some versions wrote the language's own order.

    A number above 12 tells. Where none does, slashes are the American order and points are not; that is remarked.
    """
    found = [match for text in texts if (match := _YEAR_LAST.fullmatch(text))]
    if not found:
        return False
    first_is_day = any(int(match[1]) > 12 for match in found)
    second_is_day = any(int(match[3]) > 12 for match in found)
    day_first = first_is_day > second_is_day or (first_is_day == second_is_day and found[0][2] == ".")
    if day_first:
        context.report.note(context.source.name, "day_first")
    elif not second_is_day:
        context.report.note(context.source.name, "month_first")
    return day_first


def _day(text: str, *, day_first: bool) -> date | None:
    """Return the day of an ISO date or one with the year at either end."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = match[1], match[3], match[4]
    elif match := _YEAR_LAST.fullmatch(text):
        year, month, day = match[4], *((match[3], match[1]) if day_first else (match[1], match[3]))
    else:
        return None
    return iso_day(f"{year}-{int(month):02}-{int(day):02}")


READER: Final = FormatReader(FileFormat.HABITBULL, _matches, _read)
