"""The strength of a habit: how firmly it stands, from 0 to 1, by the formula of Loop Habit Tracker.

With f times a day (3 a week: 3/7) each day moves the strength by s → s × m + p × (1 − m), m = 0.5^(√f ÷ 13): a daily
habit is half way after 13 days, one miss takes about 5 % of what was there. p is 1 for a daily habit on a done day and
0 on any other; with n times in D days it is the done days of the last 2D days ÷ 2n, at most 1.

Decided here:

* a blank or paused day leaves the strength as it is **and leaves the window**, so that resting never lowers it;
* each day is judged by the schedule of its own time: a change of plan never changes the past;
* with fixed weekdays a day off is left out like a rest; the steps of the due days are larger by 7 ÷ k, so that a week
  moves the strength as far as k times a week does. Something done on a day off is a step like any other;
* minimum counts like done (R10); today without an entry changes nothing until it is over.

Pure functions; any thread may call them.
"""

from __future__ import annotations

from datetime import date
from itertools import accumulate
from math import sqrt
from typing import Final, NamedTuple

from lifehelper_desktop.domain.day_line import DayLine, Piece
from lifehelper_desktop.domain.habits import Schedule, ScheduleKind

HALF_LIFE: Final = 13  # done days of a daily habit until it is half way
_DONE: Final = ord("D")
_STEPS: Final = frozenset(b"D.")
_WEEK: Final = 7
_MONTH: Final = 30


class _Pace(NamedTuple):
    """How the strength moves: the factor m of one step, and the done days that the window asks for, and its length."""

    factor: float
    asked: int
    window: int


def strengths(line: DayLine) -> tuple[tuple[date, float], ...]:
    """Return the strength at the end of each day from the start to T, oldest first."""
    # How many days are done before each step; a step is a day that the window holds.
    steps = line.counted.translate(None, b"Pbxo")
    done = [0, *accumulate(sign == _DONE for sign in steps)]
    found: list[float] = []
    value, step = 0.0, 0
    for piece in line.pieces:
        value, step = _walk(line, piece, done, found, value, step)
    first = line.start
    return tuple((date.fromordinal(first + index), value) for index, value in enumerate(found))


def strength(line: DayLine) -> float:
    """Return the strength at the end of T, 0 before the first day."""
    days = strengths(line)
    return days[-1][1] if days else 0.0


def _walk(
    line: DayLine, piece: Piece, done: list[int], found: list[float], value: float, step: int
) -> tuple[float, int]:
    """Add the strengths of the days of a piece to `found`; return the last one, and the number of steps so far."""
    pace = _pace(piece.schedule)
    gain = (1 - pace.factor) / pace.asked
    for sign in line.counted[piece.begin : piece.end]:
        if sign in _STEPS:
            step += 1
            got = done[step] - done[max(0, step - pace.window)]
            value = value * pace.factor + min(got, pace.asked) * gain
        found.append(value)
    return value, step


def _pace(schedule: Schedule) -> _Pace:
    if schedule.kind is ScheduleKind.WEEKDAYS:
        share = len(schedule.weekdays) / _WEEK
        return _Pace(0.5 ** (sqrt(share) / HALF_LIFE / share), 1, 1)
    times, days = _frequency(schedule)
    factor = 0.5 ** (sqrt(times / days) / HALF_LIFE)
    # Loop takes two periods for whatever is not daily: one late day costs less.
    return _Pace(factor, 1, 1) if times == days else _Pace(factor, 2 * times, 2 * days)


def _frequency(schedule: Schedule) -> tuple[int, int]:
    """Return how often in how many days."""
    if schedule.kind is ScheduleKind.PER_WEEK:
        return schedule.times, _WEEK
    if schedule.kind is ScheduleKind.PER_MONTH:
        return min(schedule.times, _MONTH), _MONTH
    if schedule.kind is ScheduleKind.EVERY_DAYS:
        return 1, schedule.days
    return 1, 1
