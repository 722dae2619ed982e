"""Which reminders ring now, and when the next one will: values and pure functions.

A reminder rings at a time of the wall clock, whatever the day start is; it asks for the *logical* day in which that
moment lies, so 01:30 with a day that starts at 04:00 asks for the day before. Its weekdays are those of that day.
Decided here:

* each reminder is dealt with once a day, at its moment or at the first look after it (late start, sleep, a clock
  that was set): it is shown, or it passes in silence when the habit does not ask for anything then;
* only the day that runs now is looked at: what rang while the computer slept through other days is over;
* of several reminders of one habit that are due at one look, the last is shown;
* a time that the clock leaves out (summer time begins) rings at the first moment after it, one that comes twice
  rings the first time;
* "later" rings again after its minutes, for its own day, also in the first minutes of the next day; when that
  moment was slept through until another day, it is over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final, NamedTuple

from lifehelper_desktop.base.clock import logical_day

REMINDERS_MAX: Final = 10
DAY_MINUTES: Final = 24 * 60
EVERY_DAY: Final = frozenset(range(1, 8))
_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Reminder:
    """One reminder of a habit.

    Attributes:
        minutes: Minutes after midnight of the wall clock, 0–1439.
        weekdays: ISO weekdays 1 (Monday) to 7 of the days that it asks for.
        since: Aware moment from which on it rings: when it was added, moved or switched on.
    """

    id: int
    habit_id: int
    minutes: int
    weekdays: frozenset[int]
    is_on: bool
    since: datetime

    @property
    def time(self) -> time:
        """The time of the wall clock."""
        return time(*divmod(self.minutes, 60))


@dataclass(frozen=True, slots=True)
class Mark:
    """What became of one reminder on one day: that it was dealt with, and until when it was put off, aware."""

    snoozed_until: datetime | None = None


class Ring(NamedTuple):
    """One reminder on one of its days."""

    reminder_id: int
    habit_id: int
    day: date


Marks = Mapping[tuple[int, date], Mark]


@dataclass(frozen=True, slots=True)
class Decision:
    """What one look came to.

    Attributes:
        show: At most one ring for each habit and day.
        passed: Rings that are dealt with in silence.
    """

    show: tuple[Ring, ...] = ()
    passed: tuple[Ring, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to do or to remember."""
        return not self.show and not self.passed


def decide(
    now: datetime,
    day_start: int,
    reminders: Iterable[Reminder],
    marks: Marks,
    asks: Callable[[int, date], bool],
) -> Decision:
    """Return what rings at `now` (aware), and what passes.

    Args:
        day_start: Minutes after midnight at which days begin.
        reminders: All of them, those that are switched off too: what they leave out does not ring later.
        marks: What was dealt with; a ring with a mark comes again only when it was put off.
        asks: Whether a habit asks for something on a day: on its schedule, not paused, and nothing recorded yet.
    """
    today, moment_of_now = logical_day(now, day_start), now.astimezone(UTC)
    due: dict[tuple[int, date], list[tuple[datetime, Ring, bool]]] = {}
    waiting: list[Ring] = []
    for reminder in reminders:
        ring = Ring(reminder.id, reminder.habit_id, today)
        moment = ring_moment(reminder.minutes, today, day_start, now.tzinfo)
        is_new = (reminder.id, today) not in marks and today.isoweekday() in reminder.weekdays
        if is_new and reminder.since <= moment <= moment_of_now:
            due.setdefault((ring.habit_id, today), []).append((moment, ring, reminder.is_on))
        for ring, until in _snoozes(reminder, marks):
            if until > moment_of_now:
                waiting.append(ring)
                continue
            in_time = logical_day(until.astimezone(now.tzinfo), day_start) == today
            due.setdefault((ring.habit_id, ring.day), []).append((until, ring, reminder.is_on and in_time))
    show: list[Ring] = []
    passed: list[Ring] = []
    for (habit_id, day), rings in due.items():
        wanted = [(moment, ring) for moment, ring, rings_now in rings if rings_now] if asks(habit_id, day) else []
        last = max(wanted)[1] if wanted else None
        passed += [ring for _moment, ring, _rings_now in rings if ring != last]
        if last is not None:
            show.append(last)
            # Shown again already: what was put off for the same day has nothing left to say.
            passed += [ring for ring in waiting if (ring.habit_id, ring.day) == (habit_id, day)]
    return Decision(tuple(show), tuple(passed))


def time_to_next(now: datetime, day_start: int, reminders: Iterable[Reminder], marks: Marks) -> timedelta | None:
    """Return how long it is until the next ring after `now` (aware), or None when nothing is set."""
    moment_of_now = now.astimezone(UTC)  # two moments of one zone are compared by their wall clocks, which may repeat
    moments = [
        moment
        for reminder in reminders
        if reminder.is_on
        for moment in (
            next_moment(reminder, now, day_start, marks),
            *(until for _ring, until in _snoozes(reminder, marks) if until > moment_of_now),
        )
        if moment is not None
    ]
    return min(moments) - moment_of_now if moments else None


def next_moment(
    reminder: Reminder, now: datetime, day_start: int, marks: Marks, asks: Callable[[date], bool] = lambda _day: True
) -> datetime | None:
    """Return the next moment (UTC) after `now` at which the reminder rings, or None when there is none in a week.

    `asks` says on which days the habit asks for something at all.
    """
    today = logical_day(now, day_start)
    for ahead in range(8):
        day = today + timedelta(days=ahead)
        if day.isoweekday() in reminder.weekdays and (reminder.id, day) not in marks and asks(day):
            moment = ring_moment(reminder.minutes, day, day_start, now.tzinfo)
            if moment > now.astimezone(UTC):
                return moment
    return None


def ring_moment(minutes: int, day: date, day_start: int, zone: tzinfo | None) -> datetime:
    """Return the moment (UTC) at which a reminder for the logical day `day` rings where clocks show `zone`."""
    civil = day if minutes >= day_start else day + timedelta(days=1)
    return _first_moment(datetime.combine(civil, time(*divmod(minutes, 60))), zone)


def _first_moment(wall: datetime, zone: tzinfo | None) -> datetime:
    """Return the first moment (UTC) at which a clock in `zone` shows `wall` or later."""
    first = wall.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if first.astimezone(zone).replace(tzinfo=None, fold=0) == wall:
        return first
    # The clock jumps over it, somewhere between the two ways to read it. Clocks jump at full minutes.
    low, high = wall.replace(tzinfo=zone, fold=1).astimezone(UTC), first
    while high - low > _MINUTE:
        middle = low + ((high - low) // _MINUTE // 2) * _MINUTE
        if middle.astimezone(zone).replace(tzinfo=None) >= wall:
            high = middle
        else:
            low = middle
    return high


def _snoozes(reminder: Reminder, marks: Marks) -> list[tuple[Ring, datetime]]:
    return [
        (Ring(reminder.id, reminder.habit_id, day), mark.snoozed_until)
        for (reminder_id, day), mark in marks.items()
        if reminder_id == reminder.id and mark.snoozed_until is not None
    ]


# -- a time in words -------------------------------------------------------------------------------------------------

_CLOCK: Final = re.compile(
    r"(?<![\d:.])(?P<before>오전|오후|새벽|아침|점심|낮|저녁|밤|am|pm)?\s*"
    r"(?P<hour>[01]?\d|2[0-4])"
    r"(?::(?P<minute>[0-5]\d)|\s*시(?!간)(?:\s*(?P<minute_ko>[0-5]?\d)\s*분|\s*(?P<half>반))?|(?=\s*[ap]\.?m\b))"
    r"\s*(?P<after>[ap]\.?m\b)?(?![\d:])",
    re.IGNORECASE,
)
_EVENING: Final = frozenset({"오후", "저녁", "밤", "pm"})
_MORNING: Final = frozenset({"오전", "새벽", "아침", "am"})
_NOON_UNTIL: Final = 6  # 점심 1시, 낮 2시


def time_in(text: str | None) -> int | None:
    """Return the first time of day that a text names, in minutes after midnight, or None: `07:00`, `저녁 8시 반`."""
    match = _CLOCK.search(text or "")
    if match is None:
        return None
    hour = int(match["hour"])
    minute = 30 if match["half"] else int(match["minute"] or match["minute_ko"] or 0)
    word = (match["before"] or (match["after"] or "").replace(".", "")).casefold()
    # 밤 12시 is midnight, 오후 12시 noon, 밤 1시 the small hours.
    if word == "밤" and (hour == 12 or hour < _NOON_UNTIL):
        hour %= 12
    elif word in _EVENING and hour < 12:
        hour += 12
    elif word in _MORNING and hour == 12:
        hour = 0
    elif word in ("점심", "낮") and hour < _NOON_UNTIL:
        hour += 12
    return (hour * 60 + minute) % DAY_MINUTES
