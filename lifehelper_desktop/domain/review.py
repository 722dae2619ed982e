"""One calendar week looked back at: what each habit asked for, and what became of it. Its words: `review_words`.

Counted here:

* a day **asks** when the schedule of that day names it, no pause covers it, and it lies between the start and the
  last day of the habit; a blank (an intended rest) takes it out again: it is neither kept nor missed, in any figure;
* today asks only once something is recorded on it, and the days to come never: a week that still runs misses nothing
  that can still be done;
* n times a week asks for its number, less a share for each day that is before the start, paused or blank (n × left
  days ÷ 7, rounded half up); what is missing is counted when the week is over;
* schedules that leave the days open for longer than a week (every N days, n times a month) ask a single week for
  nothing: what was done in it is counted, nothing is missed;
* something done on a day that did not ask is done all the same.

Pure functions; any thread may call them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from lifehelper_desktop.domain.habits import EntryValue, Habit, ScheduleKind
from lifehelper_desktop.domain.schedule import is_due

WEEK: Final = 7


class DayMark(StrEnum):
    """What one day of one habit came to.

    OPEN can still be done (today, or a day to come), OFF asked for nothing and has nothing.
    """

    DONE = "done"
    MINIMUM = "minimum"
    BLANK = "blank"
    MISSED = "missed"
    OPEN = "open"
    OFF = "off"


_STATES: Final = {
    EntryValue.DONE: DayMark.DONE,
    EntryValue.MINIMUM: DayMark.MINIMUM,
    EntryValue.BLANK: DayMark.BLANK,
}
_KEPT: Final = (DayMark.DONE, DayMark.MINIMUM)


@dataclass(frozen=True, slots=True)
class ReviewHabit:
    """What the review needs to know of one habit.

    Attributes:
        values: Civil day to `done`, `minimum`, `blank` or `not_done`; the week and the one before are enough.
        paused_days: Paused days of the two weeks; a pause that still runs reaches to the end of the week.
        current_run: The streak as it stands now, in its own unit; 0 without one.
        longest_run: The longest streak ever, same unit.
        phase_day: How many days it has counted so far.
    """

    habit: Habit
    values: Mapping[date, str]
    paused_days: frozenset[date]
    current_run: int = 0
    longest_run: int = 0
    phase_day: int = 0


@dataclass(frozen=True, slots=True)
class HabitWeek:
    """One habit in one week.

    Attributes:
        days: The seven days in their order, with what each came to.
        asked: How often it was to be done so far, without blanks.
        kept: How many of those it was done, in either dose; never above `asked`.
        done: Days with the standard dose, also where the day did not ask.
        minimum: Days with the minimum dose, likewise.
        blank: Days of intended rest.
        missed: What was asked, is over, and has nothing.
    """

    habit: Habit
    days: tuple[tuple[date, DayMark], ...]
    asked: int
    kept: int
    done: int
    minimum: int
    blank: int
    missed: int

    @property
    def done_like(self) -> int:
        """Days on which it was done, in either dose."""
        return self.done + self.minimum

    @property
    def is_all_kept(self) -> bool:
        """Whether it asked for something and got all of it."""
        return self.asked > 0 and self.kept == self.asked

    @property
    def has_record(self) -> bool:
        """Whether anything was recorded."""
        return self.done_like + self.blank > 0

    def days_of(self, mark: DayMark) -> list[date]:
        """Return the days that came to `mark`."""
        return [day for day, each in self.days if each is mark]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a habit stands now: streak and longest streak in its own unit, and the day of its forming phase."""

    current_run: int
    longest_run: int
    phase_day: int


@dataclass(frozen=True, slots=True)
class WeekReview:
    """A week, and the one before it for comparison.

    Attributes:
        first, last: Its first and last day.
        today: The logical day of now.
        habits: What was there in the week, in list order.
        before: What was there a week earlier, by habit id; some of it may be gone in the week itself.
        standings: Where the habits of the week stand now, by habit id.
    """

    first: date
    last: date
    today: date
    habits: tuple[HabitWeek, ...]
    before: Mapping[int, HabitWeek]
    standings: Mapping[int, Standing]

    @property
    def is_closed(self) -> bool:
        """Whether the week is over."""
        return self.today > self.last

    @property
    def is_recent(self) -> bool:
        """Whether it is the running week or the last closed one: only there does the standing of now say something."""
        return self.last + timedelta(days=WEEK) >= self.today

    @property
    def asked(self) -> int:
        """How much was asked altogether."""
        return sum(each.asked for each in self.habits)

    @property
    def kept(self) -> int:
        """How much of it was kept."""
        return sum(each.kept for each in self.habits)

    @property
    def done_like(self) -> int:
        """How often something was done, in either dose."""
        return sum(each.done_like for each in self.habits)

    @property
    def minimum(self) -> int:
        """How often it was the minimum dose."""
        return sum(each.minimum for each in self.habits)

    @property
    def blank(self) -> int:
        """How many intended rests."""
        return sum(each.blank for each in self.habits)

    @property
    def done_like_before(self) -> int:
        """How often something was done a week earlier."""
        return sum(each.done_like for each in self.before.values())

    @property
    def counted(self) -> int:
        """What is told of the week and compared: what was kept, or all that was done where nothing was asked."""
        return self.kept if self.asked else self.done_like

    @property
    def counted_before(self) -> int:
        """The same measure a week earlier: days beyond the plan are compared with such days only."""
        return sum(each.kept for each in self.before.values()) if self.asked else self.done_like_before


def week_first(day: date, week_start: int) -> date:
    """Return the first day of the week of `day`; `week_start` is an ISO weekday, 1 Monday to 7 Sunday."""
    return day - timedelta(days=(day.isoweekday() - week_start) % WEEK)


def review_week(habits: Sequence[ReviewHabit], first: date, today: date) -> WeekReview:
    """Look back at the week that begins with `first`; habits that were not there in it are left out."""
    weeks: list[HabitWeek] = []
    before: dict[int, HabitWeek] = {}
    standings: dict[int, Standing] = {}
    for each in habits:
        week, earlier = (habit_week(each, day, today) for day in (first, first - timedelta(days=WEEK)))
        if week is not None:
            weeks.append(week)
            standings[each.habit.id] = Standing(each.current_run, each.longest_run, each.phase_day)
        if earlier is not None:
            before[each.habit.id] = earlier
    return WeekReview(first, first + timedelta(days=WEEK - 1), today, tuple(weeks), before, standings)


def habit_week(each: ReviewHabit, first: date, today: date) -> HabitWeek | None:
    """Return one habit in the week that begins with `first`; None when no day of it lies in the habit's time.

    A habit that was paused all week was not there either.
    """
    days = [first + timedelta(days=at) for at in range(WEEK)]
    end = _last_day(each, days[-1])
    inside = [day for day in days if each.habit.start <= day <= end and day not in each.paused_days]
    if not inside:
        return None
    states = {day: _state(each, day, today) if day in inside else DayMark.OFF for day in days}
    count = {state: sum(found is state for found in states.values()) for state in DayMark}
    done_like = count[DayMark.DONE] + count[DayMark.MINIMUM]
    schedule = each.habit.schedule_on(inside[-1])
    if schedule.kind is ScheduleKind.PER_WEEK:
        left = len(inside) - count[DayMark.BLANK]
        asked = (2 * schedule.times * left + WEEK) // (2 * WEEK)  # halves up, in integers
        kept = min(asked, done_like)
        missed = asked - kept if min(end, days[-1]) < today else 0
    else:
        asking = [day for day in inside if _asks(each, day)]
        kept = sum(states[day] in _KEPT for day in asking)
        missed = count[DayMark.MISSED]
        asked = kept + missed
    return HabitWeek(
        each.habit,
        tuple(states.items()),
        asked,
        kept,
        count[DayMark.DONE],
        count[DayMark.MINIMUM],
        count[DayMark.BLANK],
        missed,
    )


def _last_day(each: ReviewHabit, last: date) -> date:
    """Return the last day of the habit, or `last`. Without an entry the day of archiving is out: it was still open."""
    archived = each.habit.archived_on
    if archived is None:
        return last
    return archived if each.values.get(archived) in _STATES else archived - timedelta(days=1)


def _asks(each: ReviewHabit, day: date) -> bool:
    schedule = each.habit.schedule_on(day)
    return schedule.kind.has_fixed_days and is_due(schedule, day)


def _state(each: ReviewHabit, day: date, today: date) -> DayMark:
    """Return what a day inside the habit's time came to; an entry on a day to come waits until its day comes."""
    value = each.values.get(day) if day <= today else None
    recorded = _STATES.get(EntryValue(value)) if value is not None else None
    if recorded is not None and (recorded is not DayMark.BLANK or _is_open_schedule(each, day) or _asks(each, day)):
        return recorded
    if not _asks(each, day):
        return DayMark.OFF
    return DayMark.MISSED if day < today else DayMark.OPEN


def _is_open_schedule(each: ReviewHabit, day: date) -> bool:
    return not each.habit.schedule_on(day).kind.has_fixed_days


def missed_on_same_weekday(now: HabitWeek, before: HabitWeek | None) -> list[date]:
    """Return the days of `now` that were missed and whose weekday was missed a week earlier, too.

    It says something of the weekday only where other days went well: nothing is returned when more than half was
    missed, or the earlier week has no record.
    """
    if before is None or not before.has_record or 2 * now.missed > now.asked:
        return []
    earlier = set(before.days_of(DayMark.MISSED))
    return [day for day in now.days_of(DayMark.MISSED) if day - timedelta(days=WEEK) in earlier]


def returned_after_miss(week: HabitWeek) -> tuple[date, date] | None:
    """Return a missed day and the next day that asked, when that one was kept again at once; the latest such pair."""
    found = None
    missed: list[date] = []
    for day, state in week.days:
        if state is DayMark.MISSED:
            missed.append(day)
        elif state is not DayMark.OFF:
            if missed and state in _KEPT:
                found = (missed[0], day) if len(missed) == 1 else None  # after two misses it was no return at once
            missed = []
    return found


def longest_gap(week: HabitWeek) -> int:
    """Return the most misses in a row inside the week; days off between them do not part them, a rest does."""
    gap = most = 0
    for _day, state in week.days:
        if state is DayMark.MISSED:
            gap += 1
            most = max(most, gap)
        elif state is not DayMark.OFF:
            gap = 0
    return most
