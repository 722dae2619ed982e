"""A habit's days as a line of bytes, one a day, so that ten years are counted in microseconds.

Two lines are made of one habit: `recorded` says what was written down, `counted` what a day comes to. Their signs:

| sign | recorded | counted |
|---|---|---|
| `D` | done | done or minimum (R10: both count 1) |
| `m` | minimum | |
| `b` | blank | blank |
| `n` | an explicit no of another tracker, which counts as no entry | |
| `.` | nothing | nothing, and the day is over: missing where the day asks |
| `o` | | nothing yet, today |
| `P` | paused, whatever is recorded | the same |
| `x` | | off the schedule, with nothing done on it |

Days are ordinals (`date.toordinal`) here. Pure functions; any thread may call them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final, NamedTuple

from lifehelper_desktop.domain.habits import EntryValue, Schedule, ScheduleHistory, ScheduleKind

WINDOW_DAYS: Final = 42
#: Signs of days that are no counted days.
NOT_COUNTED: Final = b"Px"
#: What is recorded → its sign.
SIGNS: Final[Mapping[str, str]] = {
    EntryValue.DONE: "D",
    EntryValue.MINIMUM: "m",
    EntryValue.BLANK: "b",
    EntryValue.NOT_DONE: "n",
}
_CODES: Final = {value: ord(sign) for value, sign in SIGNS.items()}
_TO_COUNTED: Final = bytes.maketrans(b"mn", b"D.")
_TO_OFF: Final = bytes.maketrans(b".bo", b"xxx")
_NOTHING: Final = b"."
_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class Marks:
    """What was recorded for one habit: a sign for each day from `first` (an ordinal) on."""

    first: int = 1
    signs: bytes = b""

    @classmethod
    def of(cls, entries: Mapping[date, str]) -> Marks:
        """Return the marks of entries by day.

        Raises:
            ValueError: An entry says anything but `done`, `minimum`, `blank` or `not_done`.
        """
        unknown = set(entries.values()) - SIGNS.keys()
        if unknown:
            raise ValueError(f"unknown entry values: {', '.join(sorted(map(repr, unknown)))}")
        if not entries:
            return cls()
        first = min(entries).toordinal()
        signs = bytearray(_NOTHING * (max(entries).toordinal() + 1 - first))
        for day, value in entries.items():
            signs[day.toordinal() - first] = _CODES[value]
        return cls(first, bytes(signs))

    def between(self, first: int, last: int) -> bytes:
        """Return the signs of the days from `first` to `last`, both included."""
        length = max(0, last + 1 - first)
        inside = self.signs[max(0, first - self.first) : max(0, last + 1 - self.first)]
        return (_NOTHING * min(length, max(0, self.first - first)) + inside).ljust(length, _NOTHING)


class Piece(NamedTuple):
    """Days under one schedule: from the index `begin` of the line to before `end`."""

    begin: int
    end: int
    schedule: Schedule


@dataclass(frozen=True)
class DayLine:
    """The days of a habit from its start to T (today, or the archive day), both included; empty when T is before.

    Attributes:
        marks: What was recorded, whenever.
        start, last: Ordinals of the start and of T.
        pauses: (first, last) ordinals of paused days, both included; they may overlap or lie outside.
        history: The schedules with their first days; the first holds for all days before, too.
        week_start: ISO weekday on which a calendar week begins.
    """

    marks: Marks
    start: int
    last: int
    pauses: tuple[tuple[int, int], ...]
    history: ScheduleHistory
    week_start: int = 1

    @cached_property
    def recorded(self) -> bytes:
        """What was written down, a sign a day."""
        signs = bytearray(self.marks.between(self.start, self.last))
        for first, last in self.pauses:
            begin, end = max(0, first - self.start), min(len(signs), last + 1 - self.start)
            if begin < end:
                signs[begin:end] = b"P" * (end - begin)
        return bytes(signs)

    @cached_property
    def counted(self) -> bytes:
        """What each day comes to."""
        signs = bytearray(self.recorded.translate(_TO_COUNTED))
        if signs.endswith(_NOTHING):
            signs[-1:] = b"o"
        for piece in self.pieces:
            for off in self.days_off(piece):
                signs[off] = signs[off].translate(_TO_OFF)
        return bytes(signs)

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """The schedules in force from the start to T, oldest first; none when there is no day."""
        length = max(0, self.last + 1 - self.start)
        begins = [0, *(min(length, max(0, day.toordinal() - self.start)) for day, _schedule in self.history[1:])]
        ends = [*begins[1:], length]
        schedules = (schedule for _day, schedule in self.history)
        made = map(Piece, begins, ends, schedules)
        return tuple(piece for piece in made if piece.begin < piece.end)

    @cached_property
    def window(self) -> int:
        """The index at which the last 42 counted days begin."""
        signs, left, index = self.counted, WINDOW_DAYS, len(self.counted)
        while index and left:
            index -= 1
            left -= signs[index] not in NOT_COUNTED
        return index

    def days_off(self, piece: Piece) -> Iterator[slice]:
        """Give the days of a piece that are off its schedule, as one slice of the line for each weekday."""
        if piece.schedule.kind is ScheduleKind.WEEKDAYS:
            for weekday in frozenset(range(1, _WEEK + 1)) - piece.schedule.weekdays:
                yield slice(piece.begin + (weekday - self.start - piece.begin) % _WEEK, piece.end, _WEEK)

    def date_of(self, index: int) -> date:
        """Return the day at an index of the line."""
        return date.fromordinal(self.start + index)

    def week_of(self, index: int) -> int:
        """Return a running number of the calendar week of the day at `index`."""
        return (self.start + index - self.week_start) // _WEEK

    def month_of(self, index: int) -> int:
        """Return a running number of the calendar month of the day at `index`: months since the year 0."""
        day = self.date_of(index)
        return day.year * 12 + day.month - 1

    def months(self, begin: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Give the months of the days from `begin` to before `end`: number, first index, and the index behind the last.

        The indices of the first and the last month may lie outside the line.
        """
        for number in range(self.month_of(begin), self.month_of(end - 1) + 1):
            yield number, _month_begin(number) - self.start, _month_begin(number + 1) - self.start


def _month_begin(number: int) -> int:
    """Return the ordinal of the first day of a month numbered as by `DayLine.month_of`."""
    year, month = divmod(number, 12)
    return date(year, month + 1, 1).toordinal()


def spans_of_days(days: Iterable[date]) -> tuple[tuple[int, int], ...]:
    """Return days as spans of ordinals."""
    return tuple((day.toordinal(), day.toordinal()) for day in days)


def spans_of_ranges(ranges: Iterable[tuple[date, date | None]], last: int) -> tuple[tuple[int, int], ...]:
    """Return pauses as spans of ordinals; one that still runs reaches to `last`."""
    return tuple((first.toordinal(), last if end is None else end.toordinal()) for first, end in ranges)
