"""Stretches, runs and months: against references that walk day by day, over every kind of schedule and change."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifehelper_desktop.domain.day_line import WINDOW_DAYS, DayLine, Marks, spans_of_days, spans_of_ranges
from lifehelper_desktop.domain.habits import DAILY, Schedule, ScheduleHistory, ScheduleKind
from lifehelper_desktop.domain.runs import month_counts, runs
from lifehelper_desktop.domain.streaks import compute_tally, next_tier, tally
from tests.helpers.schedules import any_schedule, every, per_month, per_week

START = date(2026, 3, 2)  # a Monday
VALUES = {"D": "done", "M": "minimum", "B": "blank", "N": "not_done"}
LETTERS = st.lists(st.sampled_from("DDDMB..NP"), min_size=1, max_size=150).map("".join)
SCHEDULES = any_schedule(40)


def line_of(letters: str, schedule: Schedule | ScheduleHistory, start: date = START, week_start: int = 1) -> DayLine:
    days = [start + timedelta(days=n) for n in range(len(letters))]
    entries = {day: VALUES[letter] for day, letter in zip(days, letters, strict=True) if letter in VALUES}
    paused = spans_of_days(day for day, letter in zip(days, letters, strict=True) if letter == "P")
    history = ((start, schedule),) if isinstance(schedule, Schedule) else schedule
    return DayLine(Marks.of(entries), start.toordinal(), days[-1].toordinal(), paused, history, week_start)


def current_longest_gap_broken(letters: str, schedule: Schedule, start: date = START) -> tuple[int, int, int, bool]:
    found = tally(line_of(letters, schedule, start))
    streaks = found.streaks
    return streaks.current_streak, streaks.longest_streak, found.open_gap, streaks.never_miss_twice_broken


@pytest.mark.parametrize(
    ("days", "letters", "expected"),
    [
        (3, "D..D..D", (3, 3, 0, False)),
        (3, "D..D...D", (1, 2, 0, False)),
        (3, "D...", (1, 1, 0, False)),  # the fourth day is the last one, and open
        (3, "D..." + ".", (0, 1, 1, False)),
        (3, "D......" + ".", (0, 1, 2, True)),  # two deadlines without a check
        (3, "D..BD", (2, 2, 0, False)),  # a blank day moves the deadline
        (3, "DBBBBBBBBBD", (2, 2, 0, False)),
        (3, "D..PPD", (2, 2, 0, False)),
        (3, "D..B.D", (1, 1, 0, False)),
        (3, "DDDD", (4, 4, 0, False)),
        (3, "..D", (1, 1, 0, False)),  # the first one has three days too
        (3, "....", (0, 0, 1, False)),
        (3, "....D", (1, 1, 0, False)),
        (2, "M.D.M", (3, 3, 0, False)),
        (365, "D" + "." * 200 + "D", (2, 2, 0, False)),
        (30, "D" + "." * 61, (0, 1, 2, True)),
        (30, "D" + "." * 59, (0, 1, 1, False)),
    ],
)
def test_every_so_many_days(days: int, letters: str, expected: tuple[int, int, int, bool]) -> None:
    assert current_longest_gap_broken(letters, every(days)) == expected


@pytest.mark.parametrize(
    ("times", "months", "expected"),
    [
        # How often in March (from the 2nd on), April, May, and the days of June so far.
        (2, (2, 2, 2, 0), (3, 3, 0, False)),
        (2, (2, 2, 2, 2), (4, 4, 0, False)),
        (2, (2, 1, 2, 1), (1, 1, 0, False)),
        (2, (2, 9, 1, 1), (0, 2, 1, False)),
        (2, (2, 1, 1, 1), (0, 1, 2, True)),
        (1, (0, 0, 0, 1), (1, 1, 3, True)),
    ],
)
def test_so_many_times_a_month(times: int, months: tuple[int, ...], expected: tuple[int, int, int, bool]) -> None:
    lengths = (30, 30, 31, 10)
    letters = "".join("D" * done + "." * (length - done) for done, length in zip(months, lengths, strict=True))
    assert current_longest_gap_broken(letters, per_month(times)) == expected


def test_a_month_asks_for_its_share() -> None:
    # From the 17th on 15 of 31 days are left: of four times two (1.94).
    begun = date(2026, 3, 17)
    assert current_longest_gap_broken("DD" + "." * 14, per_month(4), begun)[0] == 1
    assert current_longest_gap_broken("D" + "." * 15, per_month(4), begun)[0] == 0
    # A month of pauses is stepped over, and so is one of blanks.
    for rest in "PB":
        letters = "DD" + "." * 28 + rest * 30 + "DD" + "." * 29 + "."
        assert current_longest_gap_broken(letters, per_month(2))[:2] == (2, 2)


@given(LETTERS, st.integers(2, 12))
@settings(max_examples=200, deadline=None)
def test_every_n_days_agrees_with_a_walk(letters: str, days: int) -> None:
    current = longest = waited = 0
    for place, letter in enumerate(letters):
        if letter in "DM":
            current = current + 1 if waited < days else 1
            longest, waited = max(longest, current), 0
        elif letter in ".N" and place < len(letters) - 1:
            waited += 1
    expected = (current if waited < days else 0, longest, waited // days)
    assert current_longest_gap_broken(letters, every(days))[:3] == expected


@given(LETTERS, st.integers(1, 31), st.integers(0, 60))
@settings(max_examples=150, deadline=None)
def test_months_agree_with_a_walk(letters: str, times: int, shift: int) -> None:
    start = START + timedelta(days=shift)
    months: dict[tuple[int, int], list[str]] = {}
    for place, letter in enumerate(letters):
        day = start + timedelta(days=place)
        months.setdefault((day.year, day.month), []).append(
            "o" if place == len(letters) - 1 and letter in ".N" else letter
        )
    run = longest = 0
    for number, ((year, month), here) in enumerate(months.items()):
        size = ((date(year + month // 12, month % 12 + 1, 1)) - date(year, month, 1)).days
        last = number == len(months) - 1
        to_come = 0 if not last else size - (start + timedelta(days=len(letters) - 1)).day
        left = sum(letter in "DMNo." for letter in here) + to_come
        done = sum(letter in "DM" for letter in here)
        asked = min(left, int(times * left / size + 0.5))
        if done and done >= asked:
            run += 1
        elif asked and not last:
            run = 0
        longest = max(longest, run)
    assert current_longest_gap_broken(letters, per_month(times), start)[:2] == (run, longest)


HISTORIES = st.lists(st.tuples(st.integers(1, 149), SCHEDULES), max_size=4).flatmap(
    lambda changes: SCHEDULES.map(
        lambda first: (
            (START, first),
            *((START + timedelta(days=n), each) for n, each in sorted(dict(changes).items())),
        )
    )
)


@given(LETTERS, HISTORIES, st.sampled_from([1, 7]))
@settings(max_examples=400, deadline=None)
def test_whatever_the_plans_the_numbers_fit_together(letters: str, history: ScheduleHistory, week_start: int) -> None:
    line = line_of(letters, history, week_start=week_start)
    found, all_runs = tally(line), runs(line)
    streaks = found.streaks
    assert 0 <= streaks.current_streak <= streaks.longest_streak
    current = [run for run in all_runs if run.is_current]
    assert [run.length for run in current] == ([streaks.current_streak] if streaks.current_streak else [])
    assert all(run.length > 0 and run.first <= run.last for run in all_runs)
    assert all(run.first >= START and run.last <= line.date_of(len(letters) - 1) for run in all_runs)
    assert list(all_runs) == sorted(all_runs, key=lambda run: run.last, reverse=True)
    unit = [each for day, each in history if day <= line.date_of(len(letters) - 1)][-1]
    same = [run.length for run in all_runs if run.unit == run_unit(unit)]
    assert streaks.longest_streak == max(same, default=0)
    months = month_counts(line)
    assert sum(each.done + each.minimum for each in months) == line.counted.count(b"D")
    assert 0 <= found.tier_count <= WINDOW_DAYS
    assert found.phase_day == sum(letter not in "PO" for letter in off_marked(letters, history))
    # What has been is not touched by what is decided later.
    shorter = line_of(letters[:-1], history, week_start=week_start) if len(letters) > 1 else None
    if shorter is not None:
        later = (*history, (START + timedelta(days=len(letters) + 5), DAILY))
        assert tally(line_of(letters[:-1], later, week_start=week_start)) == tally(shorter)


def run_unit(schedule: Schedule) -> str:
    return {"per_week": "week", "per_month": "month", "every_days": "check"}.get(schedule.kind.value, "day")


def off_marked(letters: str, history: ScheduleHistory) -> str:
    """The letters with O for a day off the weekdays of its time with nothing done on it."""
    marked = []
    for place, letter in enumerate(letters):
        day = START + timedelta(days=place)
        schedule = [each for first, each in history if first <= day][-1]
        off = schedule.kind is ScheduleKind.WEEKDAYS and day.isoweekday() not in schedule.weekdays
        marked.append("O" if off and letter not in "DMP" else letter)
    return "".join(marked)


@given(LETTERS, HISTORIES, st.integers(0, 149))
@settings(max_examples=200, deadline=None)
def test_a_change_of_plan_never_touches_the_runs_before(letters: str, history: ScheduleHistory, place: int) -> None:
    if place >= len(letters):
        return
    change = START + timedelta(days=place)
    before = tuple((day, each) for day, each in history if day < change) or history[:1]
    one, other = (runs(line_of(letters, (*before, (change, plan)))) for plan in (per_week(1), every(2)))
    past_one, past_other = (
        [run for run in found if run.last < change and not run.is_current] for found in (one, other)
    )
    ended = [run for run in past_one if run.unit not in ("week", "check")]
    assert ended == [run for run in past_other if run.unit not in ("week", "check")]


@pytest.mark.parametrize(
    ("schedule", "letters", "expected"),
    [
        # Six kept weeks are the whole, whatever they ask for.
        (per_week(3), "D.D.D.." * 6, ("tree", 42)),
        (per_week(1), "D......" * 6, ("tree", 42)),
        (per_week(1), "D......" * 5 + ".......", ("tree", 38)),
        (per_week(1), "D......" * 3, ("root", 24)),
        (per_week(1), "D......", ("sprout", 10)),
        (per_week(1), ".", ("seed", 3)),
        (per_week(3), "D.D.D..", ("sprout", 8)),
        (per_week(3), "DDDDDDD", ("sprout", 8)),  # more than three add nothing
        (per_week(7), "D" * 42, ("tree", 42)),
        (per_month(1), ("D" + "." * 29) * 6, ("tree", 38)),  # two of them lie in May
        (per_month(1), ("D" + "." * 29) * 3, ("root", 24)),
        (per_month(2), "DD" + "." * 28, ("sprout", 8)),
        (every(7), "D......" * 6, ("tree", 39)),
        (every(2), "D." * 21, ("tree", 42)),
        (every(2), "D" * 12, ("sprout", 13)),  # each covers one day only
        (every(30), ("D" + "." * 29) * 6, ("tree", 38)),
        (every(30), "D", ("seed", 3)),
        (DAILY, "D" * 40, ("tree", 40)),
    ],
)
def test_the_tiers_of_plans_that_ask_for_less(schedule: Schedule, letters: str, expected: tuple[str, int]) -> None:
    found = tally(line_of(letters, schedule))
    assert (found.streaks.tier, found.tier_count) == expected


@pytest.mark.parametrize(
    ("count", "schedule", "expected"),
    [
        (0, DAILY, ("sprout", 7)),
        (30, DAILY, ("tree", 6)),
        (36, DAILY, None),
        (3, per_week(1), ("sprout", 1)),
        (10, per_week(1), ("stem", 1)),
        (24, per_week(1), ("tree", 2)),
        (8, per_week(3), ("stem", 3)),
        (3, per_month(1), ("sprout", 1)),
        (24, every(2), ("tree", 6)),
    ],
)
def test_how_far_it_is_to_the_next_tier(count: int, schedule: Schedule, expected: tuple[str, int] | None) -> None:
    assert next_tier(count, schedule) == expected


@pytest.mark.parametrize(
    ("schedule", "letters", "asks"),
    [
        (DAILY, "D", True),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({1})), ".", True),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({1})), "..", False),
        (per_week(2), "DD", True),  # what is done today was asked for
        (per_week(2), "DD.", False),
        (per_week(2), "D..", True),
        (per_week(2), "DD.....", False),
        (per_week(2), "DD......", True),  # the next week
        (per_month(1), "D.", False),
        (per_month(1), "..", True),
        (every(3), ".", True),
        (every(3), "D..", False),
        (every(3), "D...", True),
        (every(3), "D....", True),
        (every(3), "DB..", False),
        (every(3), "D..D", True),
    ],
)
def test_whether_today_asks(schedule: Schedule, letters: str, asks: bool) -> None:
    assert tally(line_of(letters, schedule)).asks is asks


def test_spans_of_pauses() -> None:
    day = START
    assert spans_of_ranges([(day, None)], day.toordinal() + 3) == ((day.toordinal(), day.toordinal() + 3),)
    paused = [(day + timedelta(days=1), day + timedelta(days=2)), (day - timedelta(days=9), day - timedelta(days=5))]
    marks = Marks.of({day: "done", day + timedelta(days=3): "done"})
    last = day.toordinal() + 3
    line = DayLine(marks, day.toordinal(), last, spans_of_ranges(paused, last), ((day, DAILY),))
    assert line.recorded == line.counted == b"DPPD"
    assert tally(line) == compute_tally(
        {day: "done", day + timedelta(days=3): "done"},
        day,
        day + timedelta(days=3),
        [day + timedelta(days=1), day + timedelta(days=2)],
    )


def test_marks_between() -> None:
    marks = Marks.of({START: "done", START + timedelta(days=3): "blank"})
    first = START.toordinal()
    assert marks.between(first, first + 3) == b"D..b"
    assert marks.between(first - 2, first + 5) == b"..D..b.."
    assert marks.between(first + 1, first + 2) == b".."
    assert marks.between(first + 9, first + 10) == marks.between(first - 9, first - 8) == b".."
    assert marks.between(first, first - 1) == b""
    assert Marks().between(5, 7) == b"..."
