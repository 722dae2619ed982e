"""The words for values and days, one table for every surface."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from lifehelper_desktop.domain.habits import DAILY, EntryValue, Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import (
    VALUE_LABELS,
    WEEKDAYS,
    day_text,
    run_words,
    schedule_words,
    value_label,
    weekday_label,
    weekdays_words,
)
from lifehelper_desktop.domain.schedule import RunUnit


def test_every_value_has_a_label() -> None:
    assert set(VALUE_LABELS) == set(EntryValue)
    assert [value_label(value) for value in EntryValue] == ["완료", "최소", "쉬기", "안 함"]


def test_weekdays_begin_with_monday() -> None:
    monday = date(2026, 8, 10)
    assert [weekday_label(monday + timedelta(days=number)) for number in range(7)] == list(WEEKDAYS)
    assert day_text(date(2026, 8, 12)) == "2026-08-12(수)"


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (DAILY, "매일"),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({5, 1, 3})), "월·수·금"),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({6, 7})), "주말"),
        (Schedule(ScheduleKind.PER_WEEK, times=3), "일주일에 3번"),
        (Schedule(ScheduleKind.PER_MONTH, times=2), "한 달에 2번"),
        (Schedule(ScheduleKind.EVERY_DAYS, days=10), "10일마다"),
    ],
)
def test_the_words_of_every_kind_of_schedule(schedule: Schedule, words: str) -> None:
    assert schedule_words(schedule) == words


def test_weekdays_begin_where_the_week_does() -> None:
    assert weekdays_words(frozenset({1, 7}), 1) == "월·일"
    assert weekdays_words(frozenset({1, 7}), 7) == "일·월"


@pytest.mark.parametrize(("unit", "words"), [("day", "4일"), ("week", "4주"), ("month", "4달"), ("check", "4번")])
def test_a_streak_is_told_in_its_unit(unit: RunUnit, words: str) -> None:
    assert run_words(4, unit) == words
