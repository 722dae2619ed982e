"""Which reminders ring when: the wall clock, the logical day, summer time, travel, sleep and snoozes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.domain.reminders import (
    EVERY_DAY,
    Decision,
    Mark,
    Reminder,
    Ring,
    decide,
    next_moment,
    ring_moment,
    time_in,
    time_to_next,
)

SEOUL, NEW_YORK, LA = ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York"), ZoneInfo("America/Los_Angeles")
LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
DAY_START = 240
DAY = date(2026, 8, 12)  # a Wednesday


def reminder(
    minutes: int,
    number: int = 1,
    habit: int = 1,
    *,
    weekdays: frozenset[int] = EVERY_DAY,
    on: bool = True,
    since: datetime = LONG_AGO,
) -> Reminder:
    return Reminder(number, habit, minutes, weekdays, on, since)


def at(hour: int, minute: int = 0, day: date = DAY, zone: tzinfo = SEOUL) -> datetime:
    return datetime.combine(day, time(hour, minute), tzinfo=zone)


def always(_habit: int, _day: date) -> bool:
    return True


def look(
    now: datetime,
    *reminders: Reminder,
    marks: dict[tuple[int, date], Mark] | None = None,
    asks: Callable[[int, date], bool] = always,
    day_start: int = DAY_START,
) -> Decision:
    return decide(now, day_start, reminders, marks or {}, asks)


def test_rings_at_its_minute_and_not_before() -> None:
    assert look(at(21, 59), reminder(22 * 60)).is_empty
    assert look(at(22), reminder(22 * 60)).show == (Ring(1, 1, DAY),)


def test_once_a_day() -> None:
    marks = {(1, DAY): Mark()}
    assert look(at(22, 5), reminder(22 * 60), marks=marks).is_empty
    assert look(at(22, day=date(2026, 8, 13)), reminder(22 * 60), marks=marks).show == (Ring(1, 1, date(2026, 8, 13)),)


@pytest.mark.parametrize(
    ("minutes", "now", "day"),
    [
        (22 * 60, at(22), DAY),
        (22 * 60, at(2, day=date(2026, 8, 13)), DAY),  # late: still the same logical day
        (90, at(1, 30), date(2026, 8, 11)),  # 01:30 belongs to the day before
        (239, at(3, 59), date(2026, 8, 11)),
        (240, at(4), DAY),
    ],
)
def test_the_day_of_a_reminder_is_the_logical_one(minutes: int, now: datetime, day: date) -> None:
    assert look(now, reminder(minutes)).show == (Ring(1, 1, day),)


@pytest.mark.parametrize("day_start", [0, 60, 240, 360])
def test_t1_it_rings_at_the_wall_clock_whatever_the_day_start(day_start: int) -> None:
    assert look(at(21, 59), reminder(22 * 60), day_start=day_start).is_empty
    assert look(at(22), reminder(22 * 60), day_start=day_start).show == (Ring(1, 1, DAY),)


def test_weekdays_are_those_of_the_logical_day() -> None:
    only_wednesday = reminder(90, weekdays=frozenset({3}))
    assert look(at(1, 30), only_wednesday).is_empty  # Wednesday by the calendar, still Tuesday
    assert look(at(1, 30, date(2026, 8, 13)), only_wednesday).show == (Ring(1, 1, DAY),)


def test_what_a_new_reminder_would_have_said_earlier_is_over() -> None:
    assert look(at(23), reminder(22 * 60, since=at(22, 30))).is_empty
    assert look(at(22), reminder(22 * 60, since=at(22))).show


def test_the_last_of_several_of_one_habit() -> None:
    found = look(
        at(22, 40), reminder(9 * 60), reminder(13 * 60, 2), reminder(22 * 60, 3), reminder(22 * 60, 4, habit=2)
    )
    assert found.show == (Ring(3, 1, DAY), Ring(4, 2, DAY))
    assert set(found.passed) == {Ring(1, 1, DAY), Ring(2, 1, DAY)}


def test_a_habit_that_asks_for_nothing_is_silent_and_stays_so() -> None:
    found = look(at(22), reminder(22 * 60), asks=lambda _habit, _day: False)
    assert (found.show, found.passed) == ((), (Ring(1, 1, DAY),))


def test_one_that_is_off_passes() -> None:
    found = look(at(22), reminder(22 * 60, on=False), reminder(21 * 60, 2))
    assert (found.show, found.passed) == ((Ring(2, 1, DAY),), (Ring(1, 1, DAY),))


def test_after_sleep_over_days_only_todays() -> None:
    found = look(at(9, day=date(2026, 8, 15)), reminder(22 * 60), reminder(8 * 60, 2))
    assert found.show == (Ring(2, 1, date(2026, 8, 15)),)
    assert found.passed == ()


# ---- later --------------------------------------------------------------------------------------------------------


def test_later_rings_again_for_its_own_day() -> None:
    marks = {(1, DAY): Mark(at(22, 30))}
    assert look(at(22, 29), reminder(22 * 60), marks=marks).is_empty
    assert look(at(22, 30), reminder(22 * 60), marks=marks).show == (Ring(1, 1, DAY),)


def test_later_reaches_into_the_first_minutes_of_the_next_day() -> None:
    marks = {(1, DAY): Mark(at(4, 10, date(2026, 8, 13)))}
    assert look(at(4, 10, date(2026, 8, 13)), reminder(22 * 60), marks=marks).show == (Ring(1, 1, DAY),)


def test_later_that_was_slept_through_is_over() -> None:
    marks = {(1, DAY): Mark(at(22, 30))}
    found = look(at(9, day=date(2026, 8, 14)), reminder(22 * 60), marks=marks)
    assert (found.show, found.passed) == ((), (Ring(1, 1, DAY),))


def test_a_later_reminder_of_the_day_speaks_for_the_one_that_waits() -> None:
    marks = {(1, DAY): Mark(at(22, 5))}
    found = look(at(22), reminder(21 * 60), reminder(22 * 60, 2), marks=marks)
    assert (found.show, found.passed) == ((Ring(2, 1, DAY),), (Ring(1, 1, DAY),))


# ---- summer time and travel ---------------------------------------------------------------------------------------


def test_a_time_that_does_not_exist_rings_at_the_first_moment_after() -> None:
    spring = date(2025, 3, 9)
    before = datetime(2025, 3, 9, 1, 59, 59, tzinfo=NEW_YORK)
    after = before.astimezone(UTC) + timedelta(seconds=1)
    assert look(before, reminder(150), day_start=0).is_empty
    assert look(after.astimezone(NEW_YORK), reminder(150), day_start=0).show == (Ring(1, 1, spring),)
    assert ring_moment(150, spring, 0, NEW_YORK) == after
    # The system's clock knows the offset of now only.
    assert look(after.astimezone(timezone(timedelta(hours=-4))), reminder(150), day_start=0).show


def test_a_time_that_comes_twice_rings_once() -> None:
    autumn = date(2025, 11, 2)
    first = datetime(2025, 11, 2, 1, 30, tzinfo=NEW_YORK)
    assert look(first, reminder(90), day_start=0).show == (Ring(1, 1, autumn),)
    marks = {(1, autumn): Mark()}
    moment = first.astimezone(UTC)
    while moment < first.astimezone(UTC) + timedelta(hours=3):
        assert look(moment.astimezone(NEW_YORK), reminder(90), marks=marks, day_start=0).is_empty
        moment += timedelta(minutes=10)
    # Started in the second hour: the first 01:30 is over, so it is caught up with, also at 01:10 for the second time.
    second = (first.astimezone(UTC) + timedelta(minutes=40)).astimezone(NEW_YORK)
    assert (second.hour, second.minute, second.fold) == (1, 10, 1)
    assert look(second, reminder(90), day_start=0).show == (Ring(1, 1, autumn),)


@pytest.mark.parametrize("day", [date(2025, 3, 9), date(2025, 11, 2)])
def test_each_day_of_a_change_rings_exactly_once(day: date) -> None:
    """Walk minute by minute through the days around it."""
    marks: dict[tuple[int, date], Mark] = {}
    rung: list[date] = []
    ringing = reminder(135)
    moment = datetime.combine(day - timedelta(days=1), time(0), tzinfo=NEW_YORK).astimezone(UTC)
    for _minute in range(3 * 24 * 60):
        found = look(moment.astimezone(NEW_YORK), ringing, marks=marks, day_start=0)
        rung += [ring.day for ring in found.show]
        marks |= {(ring.reminder_id, ring.day): Mark() for ring in (*found.show, *found.passed)}
        moment += timedelta(minutes=1)
    assert rung == [day - timedelta(days=1), day, day + timedelta(days=1)]


def test_t4_travel_asks_no_day_twice() -> None:
    tenth = date(2025, 4, 10)
    marks = {(1, tenth): Mark(), (1, date(2025, 4, 11)): Mark()}
    # Rung in Seoul on the 10th and 11th; in Los Angeles it is the evening of the 10th.
    assert look(at(22, 30, tenth, LA), reminder(22 * 60), marks=marks).is_empty
    assert look(at(22, day=date(2025, 4, 11), zone=LA), reminder(22 * 60), marks=marks).is_empty
    assert look(at(22, day=date(2025, 4, 12), zone=LA), reminder(22 * 60), marks=marks).show


def test_westwards_the_moment_of_making_counts_and_not_its_clock() -> None:
    made = at(15, day=date(2025, 4, 11))  # in Seoul; 23:00 of the 10th in Los Angeles
    assert look(at(23, 30, date(2025, 4, 10), LA), reminder(22 * 60, since=made)).is_empty
    assert look(at(23, 30, date(2025, 4, 10), LA), reminder(23 * 60 + 15, since=made)).show


# ---- the next one -------------------------------------------------------------------------------------------------


def test_time_to_the_next() -> None:
    assert time_to_next(at(21, 30), DAY_START, [reminder(22 * 60)], {}) == timedelta(minutes=30)
    assert time_to_next(at(22), DAY_START, [reminder(22 * 60)], {}) == timedelta(hours=24)
    assert time_to_next(at(21, 30), DAY_START, [reminder(22 * 60, on=False)], {}) is None
    assert time_to_next(at(21, 30), DAY_START, [], {}) is None
    snoozed = {(1, DAY): Mark(at(21, 45))}
    assert time_to_next(at(21, 30), DAY_START, [reminder(21 * 60)], snoozed) == timedelta(minutes=15)


def test_the_next_one_over_a_change_of_the_clock_is_exact() -> None:
    evening = datetime(2025, 3, 8, 22, tzinfo=NEW_YORK)
    assert time_to_next(evening, 0, [reminder(7 * 60)], {}) == timedelta(hours=8)
    assert time_to_next(evening, 0, [reminder(150)], {}) == timedelta(hours=4)
    autumn = datetime(2025, 11, 1, 22, tzinfo=NEW_YORK)
    assert time_to_next(autumn, 0, [reminder(7 * 60)], {}) == timedelta(hours=10)


def test_the_next_day_that_asks_for_something() -> None:
    weekend = reminder(9 * 60, weekdays=frozenset({6, 7}))
    assert next_moment(weekend, at(12), DAY_START, {}) == at(9, day=date(2026, 8, 15))
    assert next_moment(weekend, at(12), DAY_START, {}, lambda day: day.isoweekday() == 7) == at(
        9, day=date(2026, 8, 16)
    )
    assert next_moment(weekend, at(12), DAY_START, {}, lambda day: day.isoweekday() < 6) is None


@given(
    minutes=st.integers(0, 1439),
    day_start=st.integers(0, 12).map(lambda number: number * 30),
    begin=st.integers(0, 3 * 365 * 24 * 60),
    zone=st.sampled_from([NEW_YORK, SEOUL, ZoneInfo("Australia/Lord_Howe"), ZoneInfo("Africa/Casablanca")]),
)
def test_waking_at_each_next_moment_misses_no_day(minutes: int, day_start: int, begin: int, zone: tzinfo) -> None:
    """Sleeping until the next ring, ringing, sleeping again: each day once, in order."""
    now = datetime(2024, 1, 1, tzinfo=UTC) + timedelta(minutes=begin)
    marks: dict[tuple[int, date], Mark] = {}
    rung: list[date] = []
    ringing = reminder(minutes, since=now)
    for _time in range(5):
        wait = time_to_next(now.astimezone(zone), day_start, [ringing], marks)
        assert wait is not None
        assert wait > timedelta()
        now += wait
        found = look(now.astimezone(zone), ringing, marks=marks, day_start=day_start)
        [ring] = found.show
        rung.append(ring.day)
        marks[ring.reminder_id, ring.day] = Mark()
    assert all(after - before == timedelta(days=1) for before, after in pairwise(rung))


# ---- a time in words ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("07:00", "07:00"),
        ("22:50 취침 알람이 울리면", "22:50"),
        ("When the 07:00 alarm rings", "07:00"),
        ("09:00·13:00·18:00", "09:00"),
        ("저녁 8시 반", "20:30"),
        ("오후 3시 15분에", "15:15"),
        ("아침 7시", "07:00"),
        ("오전 12시", "00:00"),
        ("점심 12시", "12:00"),
        ("낮 2시", "14:00"),
        ("밤 12시", "00:00"),
        ("밤 11시", "23:00"),
        ("새벽 1시", "01:00"),
        ("7:30 am", "07:30"),
        ("7:30 p.m.", "19:30"),
        ("at 9pm", "21:00"),
        ("12 am", "00:00"),
        ("24:00", "00:00"),
    ],
)
def test_a_time_in_words(text: str, clock: str) -> None:
    assert time_in(text) == int(clock[:2]) * 60 + int(clock[3:])


@pytest.mark.parametrize(
    "text",
    [None, "", "점심을 먹은 뒤", "30분 알람이 울리면", "매시 정각", "3시간 뒤", "2026-08-12", "25:10", "at 7", "1:234"],
)
def test_no_time_in_words(text: str | None) -> None:
    assert time_in(text) is None
