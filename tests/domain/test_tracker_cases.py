"""What went wrong in other trackers (habit-trackers.md, section 5): skips, gaps, weeks, months, changed plans."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from lifehelper_desktop.domain.day_line import DayLine, Marks, spans_of_days
from lifehelper_desktop.domain.habits import DAILY, Schedule, ScheduleHistory
from lifehelper_desktop.domain.runs import MonthCount, Run, month_counts, runs
from lifehelper_desktop.domain.streaks import compute_tally, tally
from lifehelper_desktop.domain.strength import strengths
from tests.helpers.schedules import every, per_month, per_week, weekdays

MONDAY, SUNDAY = 1, 7
VALUES = {"D": "done", "M": "minimum", "S": "blank", "B": "blank"}


def row(letters: str, start: date = date(2026, 3, 2)) -> tuple[dict[date, str], date]:
    """Read D, M, S (or B) and `.`, one a day from `start` on; return the entries and the last day."""
    days = [start + timedelta(days=n) for n in range(len(letters))]
    return {day: VALUES[letter] for day, letter in zip(days, letters, strict=True) if letter != "."}, days[-1]


def line_of(letters: str, schedule: Schedule | ScheduleHistory = DAILY, start: date = date(2026, 3, 2)) -> DayLine:
    entries, last = row(letters.replace("P", "."), start)
    paused = spans_of_days(start + timedelta(days=n) for n, letter in enumerate(letters) if letter == "P")
    history = ((start, schedule),) if isinstance(schedule, Schedule) else schedule
    return DayLine(Marks.of(entries), start.toordinal(), last.toordinal(), paused, history)


def rounded(letters: str, schedule: Schedule = DAILY) -> list[float]:
    return [round(value, 4) for _day, value in strengths(line_of(letters, schedule))]


def streak(checks: list[date], schedule: Schedule, start: date, today: date, week_start: int = 1) -> tuple[int, int]:
    entries = dict.fromkeys((day for day in checks if day <= today), "done")
    summary = compute_tally(entries, start, today, schedule=schedule, week_start=week_start).streaks
    return summary.current_streak, summary.longest_streak


# T6: skips


def test_t6_skips_are_transparent() -> None:
    assert tally(line_of("SSSDSSS")).streaks.current_streak == 1
    assert tally(line_of("DDDSD")).streaks.current_streak == 4
    assert rounded("DDDSD") == [0.0519, 0.1011, 0.1478, 0.1478, 0.1921]


def test_t6_an_amount_that_was_met_is_a_done_day() -> None:
    # At least 2.0: 2.0, skip, 2.0. An amount is judged by its goal when it comes in.
    assert tally(line_of("DSD")).streaks.current_streak == 2
    assert rounded("DSD") == [0.0519, 0.0519, 0.1011]


def test_t6_only_skips_are_nothing() -> None:
    summary = tally(line_of("SSSSSSS")).streaks
    assert (summary.current_streak, summary.longest_streak, summary.done_count_30d) == (0, 0, 0)
    assert rounded("SSSSSSS") == [0.0] * 7
    before = rounded("D" * 13)[-1]
    assert rounded("D" * 13 + "S" * 30)[-30:] == [before] * 30


def test_t6_a_skip_is_neither_done_nor_missed() -> None:
    [month] = month_counts(line_of("DSM.D."))
    assert month == MonthCount(2026, 3, done=2, minimum=1, blank=1, missing=1)


@pytest.mark.parametrize("schedule", [per_week(3), per_month(3), every(3), weekdays(1, 3, 5)])
def test_t6_a_period_of_skips_alone_is_stepped_over(schedule: Schedule) -> None:
    start = date(2026, 6, 1)  # a Monday, and the first of a month
    first = {start + timedelta(days=n): "done" for n in (0, 2, 4)} | {
        start + timedelta(days=n): "blank" for n in (1, 3)
    }
    rest = {start + timedelta(days=n): "blank" for n in range(5, 70)}
    after = {start + timedelta(days=n): "done" for n in range(70, 75)}
    tallied = compute_tally(first | rest | after, start, start + timedelta(days=74), schedule=schedule)
    assert tallied.open_gap == 0
    assert not tallied.streaks.never_miss_twice_broken
    assert tallied.streaks.current_streak == tallied.streaks.longest_streak


# T7: gaps


def test_t7_gaps_and_generosity() -> None:
    weekly = every(7)
    start, checks = date(2026, 1, 20), [date(2026, 1, 20), date(2026, 2, 1)]
    assert streak(checks, weekly, start, date(2026, 2, 1)) == (1, 1)  # a gap of 12
    assert streak([*checks, date(2026, 2, 3)], weekly, start, date(2026, 2, 3)) == (2, 2)  # January stays broken
    january = date(2026, 1, 1)
    assert streak([january, date(2026, 1, 8)], weekly, january, date(2026, 1, 8)) == (2, 2)
    assert streak([january, date(2026, 1, 9)], weekly, january, date(2026, 1, 9)) == (1, 1)


def test_t7_the_same_checks_by_the_week() -> None:
    start, checks = date(2026, 1, 20), [date(2026, 1, 20), date(2026, 2, 1), date(2026, 2, 3)]
    assert streak(checks, per_week(1), start, date(2026, 2, 1)) == (2, 2)
    assert streak(checks, per_week(1), start, date(2026, 2, 3)) == (3, 3)


def test_t7_twice_a_week_keeps_only_full_weeks() -> None:
    checks = [date(2022, 6, day) for day in (3, 9, 15, 21, 27)] + [date(2022, 7, 3)]
    assert streak(checks, per_week(2), date(2022, 5, 30), date(2022, 7, 3)) == (1, 1)
    [run] = runs(
        DayLine(
            Marks.of(dict.fromkeys(checks, "done")),
            date(2022, 5, 30).toordinal(),
            date(2022, 7, 3).toordinal(),
            (),
            ((date(2022, 5, 30), per_week(2)),),
        )
    )
    assert run == Run(date(2022, 6, 27), date(2022, 7, 3), 1, "week", is_current=True)


# T8: the start of the week


def test_t8_week_start() -> None:
    checks = [date(2025, 3, day) for day in (3, 4, 5, 14, 15, 16)]
    start, today = date(2025, 3, 3), date(2025, 3, 16)
    assert streak(checks, per_week(3), start, today, MONDAY) == (2, 2)
    assert streak(checks, per_week(3), start, today, SUNDAY) == (0, 1)


@pytest.mark.parametrize("schedule", [DAILY, weekdays(1, 3, 5), per_month(4), every(4)])
def test_t8_the_start_of_the_week_says_nothing_to_other_schedules(schedule: Schedule) -> None:
    entries, last = row("D.DSM..D.D" * 9)
    monday, sunday = (
        compute_tally(entries, min(entries), last, schedule=schedule, week_start=first) for first in (MONDAY, SUNDAY)
    )
    assert monday == sunday


# T9: months


def test_t9_months_and_leap_day() -> None:
    once = per_month(1)
    assert streak([date(2021, 1, 31), date(2021, 3, 1)], once, date(2021, 1, 31), date(2021, 3, 1)) == (1, 1)
    twice = [date(2021, 2, 10), date(2021, 2, 20)]
    assert streak(twice, per_month(2), date(2021, 2, 1), date(2021, 2, 28)) == (1, 1)
    assert streak(twice, per_month(2), date(2021, 2, 1), date(2021, 3, 31)) == (1, 1)  # March is open
    assert streak(twice, per_month(2), date(2021, 2, 1), date(2021, 4, 1)) == (0, 1)
    leap = [date(2024, 1, 31), date(2024, 2, 29), date(2024, 3, 31)]
    assert streak(leap, once, date(2024, 1, 31), date(2024, 3, 31)) == (3, 3)
    assert streak(leap, once, date(2024, 1, 31), date(2024, 2, 29)) == (2, 2)


def test_t9_a_kept_month_colours_no_day_of_the_next() -> None:
    checks = [date(2021, 2, 10), date(2021, 2, 20)]
    start, today = date(2021, 2, 1), date(2021, 3, 31)
    marks = Marks.of(dict.fromkeys(checks, "done"))
    line = DayLine(marks, start.toordinal(), today.toordinal(), (), ((start, per_month(2)),))
    assert runs(line) == (Run(checks[0], checks[1], 1, "month", is_current=True),)
    assert month_counts(line)[-1] == MonthCount(2021, 3, 0, 0, 0, 0)


def test_t9_more_times_than_february_has_days() -> None:
    start, today = date(2023, 1, 1), date(2023, 3, 31)
    every_day = [start + timedelta(days=n) for n in range(90)]
    assert streak(every_day, per_month(30), start, today) == (3, 3)
    assert streak(every_day, per_month(31), start, today) == (3, 3)


# X2: another plan


def test_x2_the_past_stays_as_it_was() -> None:
    start, change = date(2026, 3, 2), date(2026, 4, 1)
    daily = line_of("D" * 30)
    switched = line_of("D" * 30 + "." * 12, ((start, DAILY), (change, per_week(2))))
    assert strengths(switched)[:30] == strengths(daily)
    [before] = runs(daily)
    assert before == Run(start, date(2026, 3, 31), 30, "day", is_current=True)
    assert runs(switched)[-1] == Run(start, date(2026, 3, 31), 30, "day")
    assert month_counts(switched)[0] == month_counts(daily)[0] == MonthCount(2026, 3, 30, 0, 0, 0)
    # Asked on the last day of March, the numbers are what they were.
    asked_then = line_of("D" * 30, ((start, DAILY), (change, per_week(2))))
    assert tally(asked_then) == tally(daily)
    assert tally(switched).streaks.tier == "root"  # 30 done days, as before


def test_x2_a_streak_that_runs_goes_on_in_the_new_unit() -> None:
    start, change = date(2026, 3, 2), date(2026, 4, 1)  # a Monday; a Wednesday
    history = ((start, DAILY), (change, per_week(2)))
    first_day = tally(line_of("D" * 30 + ".", history)).streaks
    assert (first_day.current_streak, first_day.longest_streak) == (4, 4)  # the four whole weeks of March
    assert tally(line_of("D" * 30 + "D", history)).streaks.current_streak == 5  # five days are left and ask for one
    kept = line_of("D" * 30 + "D...." + "DD.....", history)
    assert tally(kept).streaks.current_streak == 6
    assert runs(kept)[0] == Run(start, date(2026, 4, 7), 6, "week", is_current=True)
    missed = tally(line_of("D" * 30 + "....." + ".", history)).streaks
    assert (missed.current_streak, missed.longest_streak) == (0, 4)


def test_x2_and_back_again() -> None:
    start = date(2026, 3, 2)
    history = ((start, DAILY), (date(2026, 3, 16), per_week(2)), (date(2026, 3, 30), DAILY))
    summary = tally(line_of("D" * 14 + "DD.....DD....." + "DD", history)).streaks
    assert summary.current_streak == summary.longest_streak == 20  # 14 + 4 + 2 days done


def test_x2_a_plan_of_the_same_unit_goes_on() -> None:
    start = date(2026, 3, 2)
    fewer = ((start, DAILY), (date(2026, 3, 9), weekdays(1, 3, 5)))
    assert tally(line_of("DDDDDDD" + "D.D.D..", fewer)).streaks.current_streak == 10
    assert tally(line_of("DDDDDD." + "D.D.D..", fewer)).streaks.current_streak == 3  # that Sunday was asked for
    weeks = ((start, per_week(4)), (date(2026, 3, 11), per_week(2)))
    # 4 × 2 + 2 × 5 shares of a week make 2.6: three.
    assert tally(line_of("DDDD..." + "D.D.D.." + "DD.....", weeks)).streaks.current_streak == 3
    assert tally(line_of("DDDD..." + "D.D...." + "DD.....", weeks)).streaks.current_streak == 1
    gaps = ((start, every(7)), (date(2026, 3, 5), every(14)))
    # Two days of 1/7 and seven of 1/14 leave time; with twelve it has run out.
    assert tally(line_of("D" + "." * 9 + "D", gaps)).streaks.current_streak == 2
    assert tally(line_of("D" + "." * 14 + "D", gaps)).streaks.current_streak == 1


def test_x2_a_gap_that_was_too_long_stays_so() -> None:
    start = date(2026, 3, 2)
    history = ((start, every(3)), (date(2026, 3, 20), every(60)))
    summary = tally(line_of("D..D" + "." * 16 + "D", history)).streaks
    assert (summary.current_streak, summary.longest_streak) == (1, 2)


# X3: at most


def test_x3_blank_days_are_no_streak() -> None:
    # A habit of "at most 2": three days without an entry are no success by themselves.
    tallied = compute_tally({}, date(2026, 3, 2), date(2026, 3, 4))
    assert (tallied.streaks.current_streak, tallied.streaks.longest_streak) == (0, 0)
    assert tallied.asks  # so the reminder still rings
    rested = tally(line_of("SSS"))
    assert (rested.streaks.current_streak, rested.asks) == (0, True)
