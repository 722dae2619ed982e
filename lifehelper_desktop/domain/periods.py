"""Streaks by stretch: days in a row whose schedules count them in one unit (day, week, month or check).

A change of schedule that keeps the unit goes on with the streak. One that changes it begins a new stretch: the past
stays as it was counted then, and a streak that runs at the change is carried over in the new unit, as many whole
weeks or months, or as many days or checks done, as lie in it. So nobody loses a streak by changing a plan.

What a period is:

* **day**: each counted day that the schedule asks for; see `domain.streaks`.
* **week, month**: the calendar's. It asks for its number less a share for each day that is before the start, paused,
  blank or of another stretch: times × left days ÷ length, rounded half up, so that one blank day never excuses a
  whole week. A week in which the number changes asks for the sum of its days' shares. Done means kept; a period that
  asks for nothing is walked over unless something was done in it. The period that holds T, or the change to another
  unit, is open: it counts once its number is reached and never breaks.
* **check** (every N days): each thing done, when it comes within N days of the one before, that day included. Blank
  and paused days move the deadline. From the start on (or the change to this unit) the first one has N days.

Every closed period stands alone: doing more later never repairs it, filling it in itself does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby
from typing import Final, NamedTuple

from lifehelper_desktop.domain.day_line import DayLine, Piece
from lifehelper_desktop.domain.schedule import RunUnit, unit_of

_UNBROKEN: Final = re.compile(rb"[^.]+")
_WEEK: Final = 7


class Span(NamedTuple):
    """One streak: the indices of its first and last day done, its length, and whether it still runs at the end."""

    first: int
    last: int
    length: int
    runs: bool


class Period(NamedTuple):
    """One calendar week or month of a stretch.

    Attributes:
        begin, end: Its days that belong to the stretch.
        last: The index of its last day, which may lie behind the line.
        done: How many days are done.
        asked: How many it asks for.
        is_open: It holds the end of the stretch.
    """

    begin: int
    end: int
    last: int
    done: int
    asked: int
    is_open: bool

    @property
    def kept(self) -> bool:
        """Whether it counts."""
        return self.done > 0 and self.done >= self.asked

    @property
    def missed(self) -> bool:
        """Whether it breaks the streak."""
        return not self.is_open and self.asked > 0 and not self.kept


@dataclass(frozen=True)
class Stretch:
    """Days in a row of a line that are counted in one unit."""

    line: DayLine
    unit: RunUnit
    pieces: tuple[Piece, ...]

    @cached_property
    def begin(self) -> int:
        """The index of its first day."""
        return self.pieces[0].begin

    @cached_property
    def end(self) -> int:
        """The index behind its last day."""
        return self.pieces[-1].end

    @cached_property
    def periods(self) -> list[Period]:
        """Its calendar weeks or months, oldest first; the last one is open."""
        bounds = _weeks(self) if self.unit == "week" else _months(self)
        return [_period(self, first, last) for first, last in bounds]


def stretches(line: DayLine) -> list[Stretch]:
    """Return the stretches of a line, oldest first."""
    parts = groupby(line.pieces, lambda each: unit_of(each.schedule))
    return [Stretch(line, unit, tuple(pieces)) for unit, pieces in parts]


def spans(stretch: Stretch, carried: Span | None = None) -> list[Span]:
    """Return the streaks of one stretch, oldest first; `carried` is one that goes on from before."""
    links = {"day": _day_links, "check": _check_links}.get(stretch.unit, _period_links)
    found: list[Span] = []
    running = carried
    for link in links(stretch):
        if link is None:
            if running is not None:
                found.append(running._replace(runs=False))
            running = None
        else:
            before = running or Span(link.first, link.last, 0, runs=True)
            running = Span(before.first, link.last, before.length + link.more, runs=True)
    return found if running is None else [*found, running]


def all_spans(line: DayLine) -> list[tuple[Stretch, list[Span]]]:
    """Return the stretches with their streaks, oldest first."""
    found: list[tuple[Stretch, list[Span]]] = []
    for stretch in stretches(line):
        before = found[-1][1] if found else []
        carried = _carry(before[-1], stretch) if before else None
        found.append((stretch, spans(stretch, carried)))
    return found


def _carry(last: Span, stretch: Stretch) -> Span | None:
    """Return the streak that runs at the change to `stretch` in its unit, or None when there is none."""
    line, before = stretch.line, stretch.begin - 1
    if not last.runs:
        return None
    if stretch.unit == "week":
        length = line.week_of(before + 1) - line.week_of(last.first - 1) - 1
    elif stretch.unit == "month":
        length = line.month_of(before + 1) - line.month_of(last.first - 1) - 1
    else:
        length = line.counted.count(b"D", last.first, stretch.begin)
    return Span(last.first, last.last, length, runs=True) if length > 0 else None


class _Link(NamedTuple):
    """Days done that make a streak longer by `more`; in its place, None breaks it."""

    first: int
    last: int
    more: int


def _day_links(stretch: Stretch) -> Iterator[_Link | None]:
    signs, end = stretch.line.counted, stretch.begin
    for match in _UNBROKEN.finditer(signs, stretch.begin, stretch.end):
        begin = match.start()
        if begin > end:
            yield None
        end = match.end()
        if count := signs.count(b"D", begin, end):
            yield _Link(signs.find(b"D", begin, end), signs.rfind(b"D", begin, end), count)
    if end < stretch.end:
        yield None


def _check_links(stretch: Stretch) -> Iterator[_Link | None]:
    signs, after = stretch.line.counted, stretch.begin
    while (found := signs.find(b"D", after, stretch.end)) >= 0:
        if deadlines_passed(stretch, after, found):
            yield None
        yield _Link(found, found, 1)
        after = found + 1
    if deadlines_passed(stretch, after, stretch.end):
        yield None


def _period_links(stretch: Stretch) -> Iterator[_Link | None]:
    signs = stretch.line.counted
    for period in stretch.periods:
        if period.kept:
            yield _Link(signs.find(b"D", period.begin, period.end), signs.rfind(b"D", period.begin, period.end), more=1)
        elif period.missed:
            yield None


def deadlines_passed(stretch: Stretch, begin: int, end: int) -> int:
    """Return how many times the days of an every-N-days stretch ran out from `begin` to before `end`.

    Where N changes in between, each day without a check takes 1/N of the time, with the N of that day.
    """
    signs = stretch.line.counted
    if len(stretch.pieces) == 1:
        return signs.count(b".", begin, end) // stretch.pieces[0].schedule.days
    used = Fraction(0)
    for piece in stretch.pieces:
        first, last = max(begin, piece.begin), min(end, piece.end)
        if first < last:
            used += Fraction(signs.count(b".", first, last), piece.schedule.days)
    return int(used)


def _weeks(stretch: Stretch) -> Iterable[tuple[int, int]]:
    line = stretch.line
    first = line.week_of(stretch.begin) * _WEEK + line.week_start - line.start
    return ((begin, begin + _WEEK - 1) for begin in range(first, stretch.end, _WEEK))


def _months(stretch: Stretch) -> Iterator[tuple[int, int]]:
    for _number, first, end in stretch.line.months(stretch.begin, stretch.end):
        yield first, end - 1


def _period(stretch: Stretch, first: int, last: int) -> Period:
    signs = stretch.line.counted
    begin, end = max(first, stretch.begin), min(last + 1, stretch.end)
    size = last + 1 - first
    is_last = stretch.end == len(signs)
    # A week that is over at the change to another unit is closed; one that the change cuts off is not.
    is_open = last >= stretch.end or (is_last and last == stretch.end - 1)
    shares = left = 0
    for piece in stretch.pieces:
        low, high = max(begin, piece.begin), min(end, piece.end)
        if low < high:
            here = high - low - signs.count(b"b", low, high) - signs.count(b"P", low, high)
            shares += piece.schedule.times * here
            left += here
    if is_last and is_open:
        # The days that are still to come count as left: the number is not lowered in advance.
        shares += stretch.pieces[-1].schedule.times * (last + 1 - end)
        left += last + 1 - end
    asked = min(left, (2 * shares + size) // (2 * size))  # 30 times are all days of February
    return Period(begin, end, last, signs.count(b"D", begin, end), asked, is_open)


def check_runs(stretch: Stretch) -> list[int]:
    """Return the lengths of the streaks of an every-N-days stretch of one schedule; the last is the one that runs.

    It is 0 when none runs. The same as the spans say, in a twentieth of the time.
    """
    signs = stretch.line.counted[stretch.begin : stretch.end].translate(None, b"Pbo")
    found = [(match.end(), match[0].count(b"D")) for match in _chain(stretch.pieces[0].schedule.days).finditer(signs)]
    lengths = [length for _end, length in found]
    return lengths if found and found[-1][0] == len(signs) else [*lengths, 0]


@cache
def _chain(days: int) -> re.Pattern[bytes]:
    """Return the pattern of checks with fewer than `days` days without one behind each of them."""
    return re.compile(rb"(?:D\.{0,%d})+" % (days - 1))
