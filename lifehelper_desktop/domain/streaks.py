"""Streaks, the 42-day window and tiers of a daily habit.

The words used here:

* **T**: today, or the archive day of an archived habit: its numbers stay as they were that day.
* **counted day**: a day from the start to T that is neither paused nor, with a schedule, off.
* **done-like**: an entry `done` or `minimum`; both count 1 everywhere (R10).
* **missing**: a counted day before T without an entry. T itself without an entry is *open*, never missing. An entry
  `not_done`, which other trackers keep for an explicit no, is none here.

Entries after T (the clock or the time zone moved back) and before the start are ignored until their day comes.
Everything is computed anew from the entries at each call, in one walk over the days: nothing is kept that a
back-dated entry could make stale. Pure functions; any thread may call them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.domain.habits import EntryValue

WINDOW_DAYS: Final = 42
RECENT_DAYS: Final = 30

#: Name, title (Korean msgid) and the smallest `done_count_phase42` of each tier, lowest first. Of the numbers only
#: 24 (four days a week for six weeks) rests on a study; the others are whole weeks.
TIERS: Final[tuple[tuple[str, str, int], ...]] = (
    ("seed", N_("씨앗"), 0),
    ("sprout", N_("새싹"), 7),
    ("stem", N_("줄기"), 14),
    ("root", N_("뿌리"), 24),
    ("tree", N_("나무"), 36),
)

DONE_LIKE: Final = frozenset({EntryValue.DONE, EntryValue.MINIMUM})
_KNOWN_VALUES: Final = frozenset(EntryValue)


def _value_on(entries: Mapping[date, str], day: date) -> str | None:
    value = entries.get(day)
    return None if value == EntryValue.NOT_DONE else value


@dataclass(frozen=True, slots=True)
class StreakSummary:
    """The six numbers of `get_streak`.

    Attributes:
        current_streak: Done-like days in a row up to T; a habit of n times a week counts weeks here.
        longest_streak: The longest such row ever, never below `current_streak`; same unit.
        done_count_30d: Done-like days in the 30 calendar days that end with T.
        done_count_phase42: Done-like days among the last 42 counted days.
        tier: Name of the tier, see `TIERS`.
        never_miss_twice_broken: Two misses side by side lie inside the last 42 counted days (R4).
    """

    current_streak: int
    longest_streak: int
    done_count_30d: int
    done_count_phase42: int
    tier: str
    never_miss_twice_broken: bool


class CountedDay(NamedTuple):
    """One counted day of the walk.

    Attributes:
        day: The civil day.
        value: `done`, `minimum` or `blank`; None without an entry.
        missing: No entry, and the day is over.
        adjoins: Nothing that separates two misses (a pause, or the start) lies between this and the counted day
            before it.
    """

    day: date
    value: str | None
    missing: bool
    adjoins: bool

    @property
    def is_done(self) -> bool:
        """Whether the day is done-like."""
        return self.value in DONE_LIKE


def tier_of(done_count_phase42: int) -> str:
    """Return the tier of a count of done-like days, 0–42."""
    name = TIERS[0][0]
    for tier, _title, least in TIERS:
        if done_count_phase42 >= least:
            name = tier
    return name


def check_values(entries: Mapping[date, str]) -> None:
    """Make sure that every entry says `done`, `minimum`, `blank` or `not_done`.

    Raises:
        ValueError: An entry holds anything else.
    """
    unknown = set(entries.values()) - _KNOWN_VALUES
    if unknown:
        raise ValueError(f"unknown entry values: {', '.join(sorted(map(repr, unknown)))}")


def walk_counted_days(
    entries: Mapping[date, str],
    start: date,
    last: date,
    paused_days: Collection[date] = (),
    is_due: Callable[[date], bool] | None = None,
) -> list[CountedDay]:
    """Return the counted days from `start` to `last` (T), oldest first; none when `start` is later.

    `is_due` leaves the days off a schedule out, unless something was done on one: that day counts like any other.
    A day off separates nothing, whereas a pause does.
    """
    paused = paused_days if isinstance(paused_days, (set, frozenset)) else frozenset(paused_days)
    days: list[CountedDay] = []
    adjoins = False
    for ordinal in range(start.toordinal(), last.toordinal() + 1):
        day = date.fromordinal(ordinal)
        if day in paused:
            adjoins = False
            continue
        value = _value_on(entries, day)
        if is_due is not None and value not in DONE_LIKE and not is_due(day):
            continue
        days.append(CountedDay(day, value, value is None and day != last, adjoins))
        adjoins = True
    return days


def summarise(days: Sequence[CountedDay], last: date) -> StreakSummary:
    """Return the six numbers of counted days that end at or before `last` (T)."""
    run = longest = 0
    for counted in days:
        if counted.missing:
            run = 0
        elif counted.is_done:
            run += 1
            longest = max(longest, run)
    done_42 = count_done(days[-WINDOW_DAYS:])
    return StreakSummary(
        current_streak=run,
        longest_streak=longest,
        done_count_30d=count_recent(days, last),
        done_count_phase42=done_42,
        tier=tier_of(done_42),
        never_miss_twice_broken=_missed_twice(days[-WINDOW_DAYS:]),
    )


def count_done(days: Sequence[CountedDay]) -> int:
    """Return how many of `days` are done-like."""
    return sum(counted.is_done for counted in days)


def count_recent(days: Sequence[CountedDay], last: date) -> int:
    """Return the done-like days in the 30 calendar days that end with `last`; pauses do not stretch them."""
    first = last.toordinal() - (RECENT_DAYS - 1)
    return sum(counted.is_done for counted in days[-RECENT_DAYS:] if counted.day.toordinal() >= first)


def _missed_twice(window: Sequence[CountedDay]) -> bool:
    """Return whether two adjoining days of the window are both missing."""
    before_missing = False
    for counted in window:
        if counted.missing and before_missing and counted.adjoins:
            return True
        before_missing = counted.missing
    return False


def compute_streaks(
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> StreakSummary:
    """Return the six numbers of a daily habit.

    Args:
        entries: Civil day to `done`, `minimum`, `blank` or `not_done`.
        start: First counted day.
        today: The logical day of now.
        paused_days: Days that are not counted; an entry on one is ignored.
        archived_on: Takes the place of `today` for an archived habit.

    Raises:
        ValueError: An entry holds an unknown value.
    """
    check_values(entries)
    last = archived_on or today
    return summarise(walk_counted_days(entries, start, last, paused_days), last)


def phase_day(
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> int:
    """Return the number of counted days from `start` to T: 1 on the first day, 0 before it.

    Up to 42 is the forming phase, in which the standard dose does not rise (R6).
    """
    last = archived_on or today
    paused = sum(start <= day <= last for day in set(paused_days))
    return max(0, (last - start).days + 1 - paused)


def open_gap(
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> int:
    """Return how many days in a row are missing, ending with the day before T; an entry or a pause ends the row.

    Raises:
        ValueError: An entry holds an unknown value.
    """
    check_values(entries)
    return count_open_gap(entries, start, archived_on or today, paused_days)


def count_open_gap(
    entries: Mapping[date, str],
    start: date,
    last: date,
    paused_days: Collection[date] = (),
    is_due: Callable[[date], bool] | None = None,
) -> int:
    """Return the missing days in a row that end before `last` (T), stepping over days off the schedule."""
    gap = 0
    for ordinal in range(last.toordinal() - 1, start.toordinal() - 1, -1):
        day = date.fromordinal(ordinal)
        if day in paused_days:
            break
        value = _value_on(entries, day)
        if value in DONE_LIKE:
            break
        if is_due is not None and not is_due(day):
            continue
        if value is not None:
            break
        gap += 1
    return gap
