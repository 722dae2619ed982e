"""Dates as people and models write them."""

from __future__ import annotations

from datetime import date

import pytest

from lifehelper_desktop.tools.dates import normalise_date, parse_iso_date

TODAY = date(2026, 8, 12)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-08-12T23:00:00", "2026-08-12"),
        ("2026-08-12t23:00:00+09:00", "2026-08-12"),
        ("2026-08-12 23:00", "2026-08-12"),
        ("2026/8/9", "2026-08-09"),
        ("2026년 8월 9일", "2026-08-09"),
        ("그끄저께", "2026-08-09"),
        ("3일 전", "2026-08-09"),
        ("two days ago", "2026-08-10"),
        ("사흘 전", "2026-08-09"),
        ("8월 9일", "2026-08-09"),
        ("8/9", "2026-08-09"),
        ("Aug 9th", "2026-08-09"),
        ("12월 30일", "2026-12-30"),
        ("월요일", "2026-08-10"),
        ("수요일", "2026-08-12"),
        ("지난 수요일", "2026-08-05"),
        ("지난주 금요일", "2026-08-07"),
        ("지난주 일요일", "2026-08-09"),
        ("이번 주 월요일", "2026-08-10"),
        ("이번 주 일요일", "2026-08-16"),  # to come: the rule of dates refuses it
        ("this Monday", "2026-08-10"),
        ("this Friday", "2026-08-14"),
        ("last Wednesday", "2026-08-05"),
        ("엊그저께", "2026-08-10"),
        ("last night", "2026-08-11"),
        ("9일", "2026-08-09"),
        ("열흘 전", "2026-08-02"),
        ("tonight", "2026-08-12"),
        ("31일", "2026-07-31"),
        ("last Monday", "2026-08-10"),
        ("내일", "2026-08-13"),
    ],
)
def test_days_in_words(text: str, day: str) -> None:
    assert normalise_date(text, TODAY) == day
    assert parse_iso_date(day) is not None


@pytest.mark.parametrize(
    "text", ["2026-13-01", "2026-02-30", "2월 30일", "13/1", "언젠가", "holiday", "2026-W33-3", "32일", "0일", ""]
)
def test_what_names_no_day_stays_and_is_no_date(text: str) -> None:
    assert normalise_date(text, TODAY) == text
    assert parse_iso_date(text) is None
