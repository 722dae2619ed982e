"""Rows that SQL alone cannot know: days, months and numbers as the domain counts them, computed when a question names
their table.
"""

from __future__ import annotations

import sqlite3
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from lifehelper_desktop.domain.day_line import DayLine
from lifehelper_desktop.domain.habits import Habit, HabitStatus, HabitType
from lifehelper_desktop.domain.labels import schedule_words
from lifehelper_desktop.domain.review import week_first
from lifehelper_desktop.domain.runs import month_counts
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.domain.streaks import Tally
from lifehelper_desktop.domain.strength import strength
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.storage.tables import weekday_digits

_WEEKDAYS: Final = "월화수목금토일"
_WEEK: Final = 7
_DUE: Final = 1
_MISSED: Final = 2
_PAUSED: Final = ord("P")
_NOTHING: Final = ord(".")
Rows = Iterable[tuple[object, ...]]


@dataclass(frozen=True)
class Known:
    """What the rows are made of; all of it fits together.

    Attributes:
        lines: Every habit outside the trash with its days, in list order.
        tally: Counts the days of a habit.
        entries_today: What was recorded today, by habit.
        stopped: Asked between habits: whether to give up.
    """

    lines: tuple[tuple[Habit, DayLine], ...]
    tally: Callable[[int, DayLine], Tally]
    entries_today: Mapping[int, str]
    catalogue: Catalogue
    today: date
    week_start: int
    stopped: Callable[[], bool]

    def each(self) -> Iterator[tuple[Habit, DayLine]]:
        """Yield the habits with their days, until the user stops it."""
        for habit, line in self.lines:
            if self.stopped():
                return
            yield habit, line


def fill(conn: sqlite3.Connection, secret: str, known: Known, named: Mapping[str, frozenset[str]]) -> None:
    """Fill what a question names. Before `query_only`.

    Args:
        conn: The connection with the temporary schema.
        secret: The prefix of the inner names.
        known: What to fill from.
        named: The tables that the question names, and the columns of each.
    """
    if "days" in named:
        _insert(conn, f"{secret}month", _signs_by_month(known))
        _insert(conn, f"{secret}calendar", _calendar(line for _habit, line in known.lines))
    for name, rows in _ROWS.items():
        if name in named:
            _insert(conn, f"{secret}{name}", rows(known, named[name]))


def _insert(conn: sqlite3.Connection, table: str, rows: Rows) -> None:
    found = iter(rows)
    first = next(found, None)
    if first is None:
        return
    statement = f"INSERT INTO temp.{table} VALUES ({', '.join('?' * len(first))})"
    conn.execute(statement, first)
    conn.executemany(statement, found)


def _titles(habit: Habit) -> tuple[int, str, str]:
    return habit.id, habit.title_ko, habit.title_en


# Days


def _month_name(number: int) -> str:
    return f"{number // 12:04d}-{number % 12 + 1:02d}"


def _flags(line: DayLine) -> bytes:
    """Return a digit for each day: 1 due, 2 missed, 3 both."""
    length = len(line.recorded)
    due, missed = bytearray(b"\x01" * length), bytearray(length)
    for piece in line.pieces:
        for off in line.days_off(piece):
            due[off] = bytes(len(due[off]))
        if piece.schedule.kind.has_fixed_days:
            missed[piece.begin : piece.end] = line.counted[piece.begin : piece.end].translate(_IF_NOTHING)
    # All days at once, as the bytes of one number each.
    due_at, awake_at, missed_at, zeros = (
        int.from_bytes(each, "big") for each in (due, line.recorded.translate(_IF_AWAKE), missed, b"0" * length)
    )
    return (due_at & awake_at | missed_at | zeros).to_bytes(length, "big")


_IF_NOTHING: Final = bytes(_MISSED if sign == _NOTHING else 0 for sign in range(256))
_IF_AWAKE: Final = bytes(0 if sign == _PAUSED else _DUE for sign in range(256))


def _signs_by_month(known: Known) -> Rows:
    for habit, line in known.each():
        recorded, flags = line.recorded, _flags(line)
        if not recorded:
            continue
        for number, begin, end in line.months(0, len(recorded)):
            missing = b" " * max(0, -begin)
            part = missing + recorded[max(0, begin) : end]
            length = end - begin
            row = (part.ljust(length), (missing + flags[max(0, begin) : end]).ljust(length))
            yield (*_titles(habit), _month_name(number), *(signs.decode("ascii") for signs in row))


def _calendar(lines: Iterable[DayLine]) -> Rows:
    spans = [(line.start, line.last) for line in lines if line.start <= line.last]
    if not spans:
        return
    first, last = min(start for start, _last in spans), max(last for _start, last in spans)
    day = date.fromordinal(first).replace(day=1)
    while day.toordinal() <= last:
        month = day.isoformat()[:7]
        for place in range(1, monthrange(day.year, day.month)[1] + 1):
            weekday = (day.weekday() + place - 1) % _WEEK
            yield f"{month}-{place:02d}", month, place, _WEEKDAYS[weekday], weekday + 1
        ordinal = day.toordinal() + monthrange(day.year, day.month)[1]
        if ordinal > date.max.toordinal():
            return
        day = date.fromordinal(ordinal)


# The other tables


def _months(known: Known, _columns: frozenset[str]) -> Rows:
    for habit, line in known.each():
        open_months = {
            number
            for piece in line.pieces
            if not piece.schedule.kind.has_fixed_days
            for number in range(line.month_of(piece.begin), line.month_of(piece.end - 1) + 1)
        }
        for each in month_counts(line):
            number = each.year * 12 + each.month - 1
            kept = each.done + each.minimum
            is_open = number in open_months or kept + each.missing == 0
            rate = None if is_open else round(100 * kept / (kept + each.missing), 1)
            yield (
                *_titles(habit),
                _month_name(number),
                each.done,
                each.minimum,
                kept,
                each.blank,
                each.missing,
                rate,
            )


def _numbers(known: Known, columns: frozenset[str]) -> Rows:
    for habit, line in known.each():
        tally = known.tally(habit.id, line)
        streaks = tally.streaks
        yield (
            *_titles(habit),
            habit.status.value,
            streaks.current_streak,
            unit_of(line.pieces[-1].schedule if line.pieces else habit.schedule),
            streaks.longest_streak,
            streaks.done_count_30d,
            streaks.done_count_phase42,
            streaks.tier,
            tally.phase_day,
            tally.open_gap,
            # The dearest number of all: a walk over every day.
            round(100 * strength(line), 1) if "strength" in columns else None,
            int(habit.status is HabitStatus.ACTIVE and tally.asks),
            known.entries_today.get(habit.id),
        )


def _schedules(known: Known, _columns: frozenset[str]) -> Rows:
    for habit, _line in known.lines:
        for first, schedule in habit.history:
            yield (
                *_titles(habit),
                first.isoformat(),
                schedule.kind.value,
                weekday_digits(schedule.weekdays),
                schedule.times,
                schedule.days,
                schedule_words(schedule, known.week_start),
            )


def _catalogue(known: Known, _columns: frozenset[str]) -> Rows:
    for entry in known.catalogue.all():
        yield (
            entry.id,
            entry.text("title", "ko"),
            entry.text("title", "en"),
            entry.category,
            HabitType(entry.kind.habit_type).value,
            entry.text("summary", "ko"),
            entry.text("standard_dose", "ko"),
            entry.text("minimum_dose", "ko"),
            entry.evidence.grade,
        )


def today_row(today: date, week_start: int) -> tuple[str, ...]:
    """Return the one row of `today`, in the order of its columns."""
    this_week = week_first(today, week_start)
    last_month = today.replace(day=1) - timedelta(days=1)
    days = (today, today - timedelta(days=1))
    weeks = (this_week, this_week - timedelta(days=_WEEK), this_week - timedelta(days=1))
    return (
        *(day.isoformat() for day in days),
        _WEEKDAYS[today.weekday()],
        *(day.isoformat() for day in weeks),
        today.isoformat()[:7],
        last_month.isoformat()[:7],
        f"{today.year:04d}",
    )


def _today(known: Known, _columns: frozenset[str]) -> Rows:
    yield today_row(known.today, known.week_start)


_ROWS: Final[Mapping[str, Callable[[Known, frozenset[str]], Rows]]] = {
    "months": _months,
    "numbers": _numbers,
    "schedules": _schedules,
    "catalogue": _catalogue,
    "today": _today,
}
