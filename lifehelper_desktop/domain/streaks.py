"""The numbers of a habit: streaks, the 42-day window and tiers, the phase clock, the open gap.

The words used here:

* **T**: today, or the archive day of an archived habit: its numbers stay as they were that day.
* **counted day**: a day from the start to T that is neither paused nor, with fixed weekdays, off.
* **done-like**: an entry `done` or `minimum`; both count 1 everywhere (R10).
* **missing**: a counted day before T without an entry. T itself without an entry is *open*, never missing. An entry
  `not_done`, which other trackers keep for an explicit no, is none here.

Entries after T (the clock or the time zone moved back) and before the start are ignored until their day comes.
Everything is computed anew from the days at each call: nothing is kept that a back-dated entry could make stale.
Each day is judged by the schedule of its own time; the streaks are those of the unit in force at T, see
`domain.periods`. Pure functions; any thread may call them.

**Tiers of schedules that leave the days open.** A tier is read from the done-like days of the last 42 counted days.
With n times a week 42 of them cannot be reached, so the tier is read from what the plan asks for, on the same scale:

* what the plan asks for in a week (7 days) is worth 7, whatever n is, and more than n in one week adds nothing:
  with 3 times a week each is worth 7 ÷ 3, so six kept weeks are 42, as with a daily habit;
* a month is worth 7 as well, and its window is six months; one check of every N days is worth the days that it
  covers, at most N, and 7 from every 7 days on, when its window is six checks;
* half of what one time is worth is added, so that the thresholds are rounded to whole times: with once a week
  1 week makes 새싹, 2 make 줄기, 3 make 뿌리, and 5 of the last 6 make 나무.

For a daily habit and fixed weekdays this is the plain count. When the schedule changes, days keep the worth they had.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from math import ceil
from typing import Final

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.domain.day_line import NOT_COUNTED, WINDOW_DAYS, DayLine, Marks, Piece, spans_of_days
from lifehelper_desktop.domain.habits import DAILY, EntryValue, Schedule, ScheduleHistory, ScheduleKind
from lifehelper_desktop.domain.periods import Stretch, all_spans, check_runs, deadlines_passed, stretches
from lifehelper_desktop.domain.schedule import is_due

RECENT_DAYS: Final = 30

#: Name, title (Korean msgid) and the smallest count of each tier, lowest first. Of the numbers only 24 (four days a
#: week for six weeks) rests on a study; the others are whole weeks.
TIERS: Final[tuple[tuple[str, str, int], ...]] = (
    ("seed", N_("씨앗"), 0),
    ("sprout", N_("새싹"), 7),
    ("stem", N_("줄기"), 14),
    ("root", N_("뿌리"), 24),
    ("tree", N_("나무"), 36),
)

DONE_LIKE: Final = frozenset({EntryValue.DONE, EntryValue.MINIMUM})
_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class StreakSummary:
    """The six numbers of `get_streak`.

    Attributes:
        current_streak: Done-like days in a row up to T, or weeks, months or checks, as the schedule counts.
        longest_streak: The longest such row ever in the same unit, never below `current_streak`.
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


@dataclass(frozen=True, slots=True)
class Tally:
    """All numbers of one habit.

    Attributes:
        phase_day: Counted days up to T: 1 on the first, 0 before it. Up to 42 is the forming phase (R6).
        open_gap: Misses in a row just before T: days that were due, closed weeks or months, or deadlines.
        asks: Whether T, not being paused, asks for something: a due day; an open week or month whose number the days
            before did not reach; the last day of every N, any day after it, or nothing done yet.
        tier_count: What the tier is read from, 0 to 42; for daily habits and fixed weekdays `done_count_phase42`.
    """

    streaks: StreakSummary
    phase_day: int
    open_gap: int
    asks: bool
    tier_count: int


def tier_of(count: int) -> str:
    """Return the tier of a count, 0–42."""
    name = TIERS[0][0]
    for tier, _title, least in TIERS:
        if count >= least:
            name = tier
    return name


def next_tier(count: int, schedule: Schedule) -> tuple[str, int] | None:
    """Return the tier after that of a count, and how many times done lead there at least; None on the last."""
    for tier, _title, least in TIERS:
        if least > count:
            return tier, ceil((least - count) / _worth(schedule))
    return None


def compute_tally(
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
    *,
    schedule: Schedule | ScheduleHistory = DAILY,
    week_start: int = 1,
) -> Tally:
    """Return the numbers of a habit.

    Args:
        entries: Civil day to `done`, `minimum`, `blank` or `not_done`.
        start: First counted day.
        today: The logical day of now.
        paused_days: Days that are not counted; an entry on one is ignored.
        archived_on: Takes the place of `today` for an archived habit.
        schedule: The schedule, or the history of schedules.
        week_start: ISO weekday on which a calendar week begins.

    Raises:
        ValueError: An entry holds an unknown value.
    """
    last = archived_on or today
    history = ((start, schedule),) if isinstance(schedule, Schedule) else schedule
    pauses = spans_of_days(paused_days)
    line = DayLine(Marks.of(entries), start.toordinal(), last.toordinal(), pauses, history, week_start)
    return tally(line)


def compute_streaks(
    entries: Mapping[date, str],
    start: date,
    today: date,
    paused_days: Collection[date] = (),
    archived_on: date | None = None,
) -> StreakSummary:
    """Return the six numbers of a daily habit; the arguments are those of `compute_tally`.

    Raises:
        ValueError: An entry holds an unknown value.
    """
    return compute_tally(entries, start, today, paused_days, archived_on).streaks


def tally(line: DayLine) -> Tally:
    """Return the numbers of a line of days."""
    signs = line.counted
    if not signs:
        return Tally(StreakSummary(0, 0, 0, 0, tier_of(0), False), 0, 0, asks=True, tier_count=0)
    parts = stretches(line)
    run, longest = _run_and_longest(line, parts)
    done_42 = signs.count(b"D", line.window)
    tier_count = _tier_count(line, done_42)
    streaks = StreakSummary(
        current_streak=run,
        longest_streak=longest,
        done_count_30d=signs.count(b"D", max(0, len(signs) - RECENT_DAYS)),
        done_count_phase42=done_42,
        tier=tier_of(tier_count),
        never_miss_twice_broken=any(_missed_twice(part) for part in parts if part.end > line.window),
    )
    counted = len(signs) - signs.count(b"P") - signs.count(b"x")
    return Tally(streaks, counted, _open_gap(parts[-1]), _asks(parts[-1]), tier_count)


def _run_and_longest(line: DayLine, parts: list[Stretch]) -> tuple[int, int]:
    if len(parts) == 1 and parts[0].unit == "day":
        # What the spans would say, in a fifth of their time: most habits are of this kind.
        counts = [part.count(b"D") for part in line.counted.split(b".")]
        return counts[-1], max(counts)
    if len(parts) == 1 and parts[0].unit == "check" and len(line.pieces) == 1:
        counts = check_runs(parts[0])
        return counts[-1], max(counts)
    found = all_spans(line)
    unit, spans = found[-1][0].unit, found[-1][1]
    run = spans[-1].length if spans and spans[-1].runs else 0
    lengths = (span.length for part, each in found if part.unit == unit for span in each)
    return run, max(lengths, default=0)


def _open_gap(part: Stretch) -> int:
    signs = part.line.counted
    if part.unit == "day":
        before = signs[part.begin : -1].translate(None, b"x")
        return len(before) - len(before.rstrip(b"."))
    if part.unit == "check":
        return deadlines_passed(part, max(part.begin, signs.rfind(b"D") + 1), part.end)
    gap = 0
    for period in reversed(part.periods[:-1]):
        if not period.missed:
            break
        gap += 1
    return gap


def _missed_twice(part: Stretch) -> bool:
    """Return whether two misses side by side lie in the window: days, weeks or months that end in it, deadlines."""
    window = part.line.window
    if part.unit == "day":
        return b".." in part.line.counted[max(part.begin, window) : part.end].translate(None, b"x")
    if part.unit == "check":
        return _deadlines_missed_twice(part)
    recent = [period.missed for period in part.periods if period.last >= window]
    return any(before and after for before, after in pairwise(recent))


def _deadlines_missed_twice(part: Stretch) -> bool:
    signs, window = part.line.counted, part.line.window
    begin = max(part.begin, signs.rfind(b"D", 0, max(window, part.begin)) + 1)
    passed, before = 0, False
    for index in range(begin, part.end):
        if signs[index : index + 1] == b"D":
            begin, passed, before = index + 1, 0, False
        elif signs[index : index + 1] == b"." and deadlines_passed(part, begin, index + 1) > passed:
            passed += 1
            if before and index >= window:
                return True
            before = index >= window
    return False


def _asks(part: Stretch) -> bool:
    signs, schedule = part.line.counted, part.pieces[-1].schedule
    if signs.endswith(b"P"):
        return False
    if part.unit == "day":
        return is_due(schedule, part.line.date_of(len(signs) - 1))
    if part.unit == "check":
        before = signs.rfind(b"D", 0, len(signs) - 1)
        return before < 0 or signs.count(b".", before + 1, len(signs) - 1) + 1 >= schedule.days
    now = part.periods[-1]
    done_before = now.done - signs.endswith(b"D")
    return done_before == 0 or done_before < now.asked


# The tier


def _tier_count(line: DayLine, done_42: int) -> int:
    """Return what the tier is read from, see the beginning of the module."""
    now = line.pieces[-1].schedule
    if line.pieces[-1].begin <= line.window and now.kind.has_fixed_days:
        return done_42
    worth = _worth(now) / 2
    left = float(WINDOW_DAYS)
    for piece in reversed(line.pieces):
        got, left = _worth_of_piece(line, piece, left)
        worth += got
        if left <= 0:
            break
    return min(WINDOW_DAYS, int(worth + 1e-9))


def _worth(schedule: Schedule) -> float:
    """Return what one time done is worth at most."""
    if schedule.kind.has_fixed_days:
        return 1.0
    if schedule.kind is ScheduleKind.EVERY_DAYS:
        return float(min(schedule.days, _WEEK))
    return _WEEK / schedule.times


def _worth_of_piece(line: DayLine, piece: Piece, left: float) -> tuple[float, float]:
    """Walk back over the days of a piece while the window lasts; return their worth and what is left of it."""
    signs, schedule = line.counted, piece.schedule
    worth, most = 0.0, _worth(schedule)
    done_in: dict[int, int] = {}
    index = piece.end
    while index > piece.begin and left > 0:
        index -= 1
        if signs[index] in NOT_COUNTED:
            continue
        day = line.date_of(index)
        left -= _share_of_window(schedule, day)
        if signs[index : index + 1] != b"D":
            continue
        if schedule.kind is ScheduleKind.EVERY_DAYS:
            before = signs.rfind(b"D", 0, index)
            waited = signs.count(b".", max(before, 0), index) + 1
            worth += most * min(1.0, waited / schedule.days)
        else:
            period = line.week_of(index) if schedule.kind is ScheduleKind.PER_WEEK else line.month_of(index)
            done_in[period] = done_in.get(period, 0) + 1
            if schedule.kind.has_fixed_days or done_in[period] <= schedule.times:
                worth += most
    return worth, left


def _share_of_window(schedule: Schedule, day: date) -> float:
    """Return how much of the 42-day window a counted day takes: six months, or six checks, fill it as well."""
    if schedule.kind is ScheduleKind.PER_MONTH:
        return _WEEK / monthrange(day.year, day.month)[1]
    if schedule.kind is ScheduleKind.EVERY_DAYS:
        return min(1.0, _WEEK / schedule.days)
    return 1.0
