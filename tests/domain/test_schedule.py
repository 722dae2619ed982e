"""Habits on fixed weekdays, and n times a week."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifehelper_desktop.domain.habits import DAILY, Schedule, ScheduleKind
from lifehelper_desktop.domain.schedule import check_schedule, expand_pauses, is_due, unit_of
from lifehelper_desktop.domain.streaks import StreakSummary, Tally, compute_tally
from tests.helpers.schedules import every, per_month, per_week

MONDAY = date(2026, 8, 3)
MON_WED_FRI = Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5}))
VALUES = {"D": "done", "M": "minimum", "B": "blank"}


def numbers(schedule: Schedule, entries: dict[date, str], start: date, today: date, *more: Any) -> Tally:
    return compute_tally(entries, start, today, *more, schedule=schedule)


def streaks(schedule: Schedule, entries: dict[date, str], start: date, today: date, *more: Any) -> StreakSummary:
    return numbers(schedule, entries, start, today, *more).streaks


def row(letters: str, start: date = MONDAY) -> tuple[dict[date, str], date, set[date], date]:
    """Read D, M, B, P and `.`, one a day from `start` on; blanks between weeks are for the eye."""
    letters = letters.replace(" ", "")
    days = [start + timedelta(days=n) for n in range(len(letters))]
    entries = {day: VALUES[letter] for day, letter in zip(days, letters, strict=True) if letter in VALUES}
    return entries, start, {d for d, letter in zip(days, letters, strict=True) if letter == "P"}, days[-1]


def current_longest_broken(schedule: Schedule, letters: str, start: date = MONDAY) -> tuple[int, int, bool]:
    entries, first, paused, last = row(letters, start)
    summary = streaks(schedule, entries, first, last, paused)
    return summary.current_streak, summary.longest_streak, summary.never_miss_twice_broken


def test_is_due() -> None:
    assert [is_due(MON_WED_FRI, MONDAY + timedelta(days=n)) for n in range(7)] == [
        *[True, False, True, False, True, False, False]
    ]
    assert is_due(DAILY, MONDAY)
    assert is_due(per_week(2), MONDAY)


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        ("D.D.D.. D.D.D..", (6, 6, False)),
        ("D.D.D.. D", (4, 4, False)),
        ("D.D.D.. .", (3, 3, False)),  # Monday is open
        ("D.D.D.. ..D", (1, 3, False)),  # one Monday missed
        ("D.D.D.. ....", (0, 3, True)),  # Monday and Wednesday missed
        ("D.D.D.. ...D", (1, 3, True)),  # done on a day off afterwards
        ("D.DDD.. .", (4, 4, False)),  # a done day off counts
        ("D.DBD.. .", (3, 3, False)),  # a blank day off says nothing
        ("D.B.D.. .", (2, 2, False)),
        ("D...D.. .", (1, 1, False)),
        (".B...", (0, 0, True)),
        (".D...", (0, 1, False)),  # an entry between two misses separates them
        (".P...", (0, 0, False)),  # so does a pause
        (".", (0, 0, False)),
    ],
)
def test_fixed_weekdays(letters: str, expected: tuple[int, int, bool]) -> None:
    assert current_longest_broken(MON_WED_FRI, letters) == expected


def test_the_window_and_the_phase_clock_stand_still_on_days_off() -> None:
    entries, start, paused, last = row("D.D.D.. " * 15)
    summary = streaks(MON_WED_FRI, entries, start, last, paused)
    assert (summary.current_streak, summary.done_count_phase42, summary.tier) == (45, 42, "tree")
    assert summary.done_count_30d == 12
    assert numbers(MON_WED_FRI, entries, start, last).phase_day == 45
    assert numbers(MON_WED_FRI, {}, start, start + timedelta(days=6)).phase_day == 3
    assert numbers(MON_WED_FRI, {start + timedelta(days=1): "done"}, start, start + timedelta(days=6)).phase_day == 4


@pytest.mark.parametrize(
    ("times", "letters", "expected"),
    [
        (3, "DDD.... .D.D.D. DDD", (3, 3, False)),  # the open week counts once its number is reached
        (3, "DDD.... .D.D.D. DD", (2, 2, False)),  # and does not break before
        (3, "DDD.... .D.D... DDDDDDD D", (1, 1, False)),  # more this week repairs nothing earlier
        (3, "DDD.... DD..... D...... .", (0, 1, True)),
        (3, "DD..... DDD.... D...... D", (0, 1, False)),  # a kept week separates
        (3, "D.M.D.. .", (1, 1, False)),  # minimum counts
        (7, "DDDDDDD DDDDDDD", (2, 2, False)),
        (7, "DDDDDDD DDDDDD. .", (0, 1, False)),
        (1, "...D... ....... D", (1, 1, False)),
        (1, "....... ....... D", (1, 1, True)),
        (3, ".", (0, 0, False)),
        (3, "DDD.... PPPPPPP DDD.... .", (2, 2, False)),  # a paused week is walked over
        (3, "DDD.... BBBBBBB DDD.... .", (2, 2, False)),  # so is one of blanks
        (3, "DDD.... PPPPP.. DDD.... .", (1, 1, False)),  # two days left ask for one
        (3, "DDD.... PPPPP.D DDD.... .", (3, 3, False)),
        (3, "DDD.... PPPPPP. DDD.... .", (2, 2, False)),  # one day left asks for nothing
        (3, "DDD.... PPPPPPD DDD.... .", (3, 3, False)),  # but what is done in it keeps the week
        (3, "DDD.... B.D.D.. DDD.... .", (1, 1, False)),  # one blank excuses nothing
        (7, "DDDDDDD DDDBDDD .", (2, 2, False)),  # of seven times it takes one
        (1, "D...... B...... D...... .", (1, 1, False)),
        (3, "....... PPPPPPP ....... .", (0, 0, False)),  # misses on both sides of a walked-over week
    ],
)
def test_n_times_a_week(times: int, letters: str, expected: tuple[int, int, bool]) -> None:
    assert current_longest_broken(per_week(times), letters) == expected


@pytest.mark.parametrize(
    ("first_day", "letters", "expected"),
    [
        (6, ". D.D.D.. .", (1, 1, False)),  # begun on Sunday: nothing is asked
        (6, "D D.D.D.. .", (2, 2, False)),  # but doing it counts
        (3, "D.D. .", (1, 1, False)),  # Thursday to Sunday ask for two of three
        (3, "D... .", (0, 0, False)),
        (2, "DD", (1, 1, False)),  # Wednesday to Sunday too, and two are done
        (2, "D.", (0, 0, False)),  # one is done, the week is open
        (4, "D", (1, 1, False)),  # begun on Friday: one is asked
    ],
)
def test_the_first_week_is_asked_for_its_share(first_day: int, letters: str, expected: tuple[int, int, bool]) -> None:
    assert current_longest_broken(per_week(3), letters, MONDAY + timedelta(days=first_day)) == expected


def test_a_back_dated_entry_counts_for_its_own_week() -> None:
    entries, start, paused, last = row("DD..... DDD.... .")
    assert streaks(per_week(3), entries, start, last, paused).current_streak == 1
    entries[start + timedelta(days=6)] = "done"
    assert streaks(per_week(3), entries, start, last, paused).current_streak == 2


def test_the_other_numbers_of_n_times_a_week_are_days() -> None:
    entries, start, paused, last = row("D.D.D.. " * 10)
    summary = streaks(per_week(3), entries, start, last, paused)
    assert (summary.current_streak, summary.done_count_30d, summary.done_count_phase42) == (10, 12, 18)
    assert numbers(per_week(3), entries, start, last).phase_day == 70


def test_two_missed_weeks_leave_the_window_after_42_days() -> None:
    rows = "....... ....... " + "DDD.... " * 4
    assert current_longest_broken(per_week(3), rows)[2]
    assert current_longest_broken(per_week(3), rows + "DDD...")[2]
    assert not current_longest_broken(per_week(3), rows + "DDD....")[2]


def test_an_archived_habit_keeps_its_week_open() -> None:
    entries, start, _, _ = row("DDD.... DD")
    later = start + timedelta(days=60)
    summary = streaks(per_week(3), entries, start, later, (), start + timedelta(days=8))
    assert (summary.current_streak, summary.longest_streak) == (1, 1)


@pytest.mark.parametrize(
    ("schedule", "letters", "gap"),
    [
        (MON_WED_FRI, "D.D.D.. .", 0),
        (MON_WED_FRI, "D.D.... .", 1),
        (MON_WED_FRI, "D...... .", 2),
        (MON_WED_FRI, "D..D... .", 1),
        (MON_WED_FRI, "D.B.... .", 1),
        (MON_WED_FRI, "D.DP... .", 1),
        (per_week(3), "DDD.... DD..... .", 1),
        (per_week(3), "D...... DD..... D", 2),
        (per_week(3), "D...... DDD.... .", 0),
        (DAILY, "D...", 2),
    ],
)
def test_open_gap_in_what_was_asked(schedule: Schedule, letters: str, gap: int) -> None:
    entries, start, paused, last = row(letters)
    assert numbers(schedule, entries, start, last, paused).open_gap == gap


ROWS = st.lists(st.sampled_from("DDDMB...P"), min_size=1, max_size=100).map("".join)


@given(ROWS, st.integers(0, 6))
@settings(max_examples=150, deadline=None)
def test_every_weekday_is_the_same_as_daily(letters: str, first_day: int) -> None:
    entries, start, paused, last = row(letters, MONDAY + timedelta(days=first_day))
    every_day = Schedule(ScheduleKind.WEEKDAYS, frozenset(range(1, 8)))
    expected = numbers(DAILY, entries, start, last, paused)
    assert numbers(every_day, entries, start, last, paused) == expected


@given(ROWS, st.integers(1, 7), st.integers(0, 6))
@settings(max_examples=200, deadline=None)
def test_n_times_a_week_keeps_its_promises(letters: str, times: int, first_day: int) -> None:
    entries, start, paused, last = row(letters, MONDAY + timedelta(days=first_day))
    summary = streaks(per_week(times), entries, start, last, paused)
    weeks = (last.toordinal() - 1) // 7 - (start.toordinal() - 1) // 7 + 1
    assert 0 <= summary.current_streak <= summary.longest_streak <= weeks
    # Doing more today never lowers anything.
    more = streaks(per_week(times), entries | {last: "done"}, start, last, paused)
    assert more.current_streak >= summary.current_streak
    assert more.longest_streak >= summary.longest_streak


def test_expand_pauses() -> None:
    day = [MONDAY + timedelta(days=n) for n in range(10)]
    assert expand_pauses([], day[3]) == frozenset()
    assert expand_pauses([(day[0], day[1]), (day[1], day[2])], day[9]) == frozenset(day[:3])
    assert expand_pauses([(day[2], None)], day[4]) == frozenset(day[2:5])
    assert expand_pauses([(day[5], None)], day[4]) == frozenset()
    assert expand_pauses([(day[3], day[2])], day[9]) == frozenset()


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(ScheduleKind.WEEKDAYS),
        Schedule(ScheduleKind.WEEKDAYS, frozenset({0})),
        Schedule(ScheduleKind.WEEKDAYS, frozenset({8})),
        Schedule(ScheduleKind.WEEKDAYS, frozenset({1}), times=2),
        Schedule(ScheduleKind.PER_WEEK),
        Schedule(ScheduleKind.PER_WEEK, times=8),
        Schedule(ScheduleKind.PER_WEEK, times=-1),
        Schedule(ScheduleKind.PER_WEEK, frozenset({1}), times=2),
        Schedule(ScheduleKind.PER_WEEK, times=2, days=3),
        Schedule(ScheduleKind.PER_MONTH),
        Schedule(ScheduleKind.PER_MONTH, times=32),
        Schedule(ScheduleKind.EVERY_DAYS),
        Schedule(ScheduleKind.EVERY_DAYS, days=1),
        Schedule(ScheduleKind.EVERY_DAYS, days=366),
        Schedule(ScheduleKind.EVERY_DAYS, times=1, days=7),
        Schedule(ScheduleKind.DAILY, frozenset({1})),
        Schedule(ScheduleKind.DAILY, times=1),
        Schedule(ScheduleKind.DAILY, days=2),
    ],
)
def test_an_impossible_schedule_is_an_error(schedule: Schedule) -> None:
    with pytest.raises(ValueError, match="do not fit"):
        check_schedule(schedule)


def test_every_kind_of_schedule_has_a_unit() -> None:
    possible = [DAILY, MON_WED_FRI, per_week(7), per_month(31), every(2), every(365), per_month(1)]
    for schedule in possible:
        check_schedule(schedule)
    assert [unit_of(each) for each in possible] == ["day", "day", "week", "month", "check", "check", "month"]
    assert {each.kind for each in possible} == set(ScheduleKind)


def test_an_unknown_value_is_an_error() -> None:
    for schedule in (DAILY, MON_WED_FRI, per_week(2)):
        with pytest.raises(ValueError, match="unknown entry values"):
            streaks(schedule, {MONDAY: "maybe"}, MONDAY, MONDAY)
