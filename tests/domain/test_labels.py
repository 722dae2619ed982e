"""The words for values and days, one table for every surface."""

from __future__ import annotations

from datetime import date, timedelta

from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import VALUE_LABELS, WEEKDAYS, day_text, value_label, weekday_label


def test_every_value_has_a_label() -> None:
    assert set(VALUE_LABELS) == set(EntryValue)
    assert [value_label(value) for value in EntryValue] == ["완료", "최소", "쉬기", "안 함"]


def test_weekdays_begin_with_monday() -> None:
    monday = date(2026, 8, 10)
    assert [weekday_label(monday + timedelta(days=number)) for number in range(7)] == list(WEEKDAYS)
    assert day_text(date(2026, 8, 12)) == "2026-08-12(수)"
