"""The runs of a habit (its streaks with their days) and its counts by month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lifehelper_desktop.domain.day_line import DayLine
from lifehelper_desktop.domain.periods import all_spans
from lifehelper_desktop.domain.schedule import RunUnit

__all__ = ["MonthCount", "Run", "RunUnit", "month_counts", "runs"]


@dataclass(frozen=True, slots=True)
class Run:
    """One streak.

    Attributes:
        first: Day of the first thing done in it.
        last: Day of the last thing done in it.
        length: How many units it is long, 1 or more.
        unit: What it is counted in.
        is_current: It still runs: the next thing done makes it longer.
    """

    first: date
    last: date
    length: int
    unit: RunUnit
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class MonthCount:
    """What was recorded in one calendar month, from the start to T; paused days are left out.

    Attributes:
        done: Days with the standard dose.
        minimum: Days with the minimum dose; they are not in `done`.
        blank: Days of intended rest.
        missing: Closed days that asked for something and have no entry; days of schedules that leave the choice of
            days open (n times a week or month, every N days) are never among them.
    """

    year: int
    month: int
    done: int
    minimum: int
    blank: int
    missing: int


def runs(line: DayLine) -> tuple[Run, ...]:
    """Return all streaks, newest first. One that a change of schedule carried over stands there in both units."""
    found: list[Run] = []
    stretches = all_spans(line)
    for stretch, spans in stretches:
        is_last = stretch is stretches[-1][0]
        for span in spans:
            first, last = line.date_of(span.first), line.date_of(span.last)
            found.append(Run(first, last, span.length, stretch.unit, is_last and span.runs))
    return tuple(reversed(found))


def month_counts(line: DayLine) -> tuple[MonthCount, ...]:
    """Return the counts of each month from that of the start to that of T, oldest first."""
    recorded = line.recorded
    if not recorded:
        return ()
    missing = bytearray(line.counted)
    for piece in line.pieces:
        if not piece.schedule.kind.has_fixed_days:
            missing[piece.begin : piece.end] = b"x" * (piece.end - piece.begin)
    found: list[MonthCount] = []
    for number, first, end in line.months(0, len(recorded)):
        begin = max(0, first)
        done, minimum, blank = (recorded.count(sign, begin, end) for sign in (b"D", b"m", b"b"))
        found.append(MonthCount(number // 12, number % 12 + 1, done, minimum, blank, missing.count(b".", begin, end)))
    return tuple(found)
