"""Which day the starter's line means."""

from __future__ import annotations

import pytest

from lifehelper_desktop.chat.starter.dates import choose_day, spoken_days


@pytest.mark.parametrize(
    ("written", "user", "day"),
    [
        ("오늘", "오늘 걷기 다 했어", "오늘"),
        ("오늘", "걷기 다 했어", "오늘"),
        ("어제", "어제 걸었어", "어제"),
        ("어제", "어젯밤에 걸었어", "어제"),
        ("오늘", "8/29에 책 덮고 떠올리기 했어", "8/29"),  # the message names one other day
        ("어제", "걷기 했어", "오늘"),  # nothing was said of yesterday
        ("3일 전", "3일전에 걸었어", "3일 전"),
        ("2일 전", "3일 전에 걸었어", "3일 전"),
        ("지난 금요일", "저번 금요일 걷기", "지난 금요일"),
        ("오늘", "어제는 못 했지만 오늘은 걸었어", "오늘"),
        ("어제", "어제랑 그제 둘 다 했는데 어제 것만", "어제"),
        ("Monday", "I walked on Monday", "Monday"),
        ("today", "I kept my worry time two days ago", "two days ago"),
        ("yesterday", "Last night I flossed", "yesterday"),
        ("July 25", "Mark July 25 as done", "July 25"),
        ("25일", "25일 걷기 빠졌어", "25일"),
        ("내일", "내일 할일 한 줄만 적었어", "오늘"),
        ("내일", "내일 걷기 미리 완료", "내일"),
        ("tomorrow", "wrote tomorrow's list", "오늘"),
        ("tomorrow", "mark tomorrow's walk", "오늘"),
        ("tonight", "flossed tonight", "tonight"),
        ("9시 1시 6", "알림은 9시 1시 6시에만 봤다", "오늘"),
    ],
)
def test_the_message_decides(written: str, user: str, day: str) -> None:
    assert choose_day(written, user) == day


def test_a_fraction_of_a_date_is_no_day() -> None:
    assert spoken_days("2026-08-12와 1/2/3") == ["2026-08-12"]
