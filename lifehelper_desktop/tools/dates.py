"""Dates as people and models write them: ISO, a word for a day close to today, a weekday, a day of a month."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

_WORDS: Final[dict[str, int]] = {
    "today": 0,
    "오늘": 0,
    "tonight": 0,
    "this morning": 0,
    "this evening": 0,
    "오늘 아침": 0,
    "오늘 밤": 0,
    "yesterday": 1,
    "어제": 1,
    "그제": 2,
    "그저께": 2,
    "엊그제": 2,
    "엊그저께": 2,
    "그그저께": 3,
    "어젯밤": 1,
    "last night": 1,
    "그끄제": 3,
    "그끄저께": 3,
    "day before yesterday": 2,
    "the day before yesterday": 2,
    "tomorrow": -1,
    "내일": -1,
    "모레": -2,
}
_NUMBERS: Final = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
    "이틀": 2,
    "사흘": 3,
    "나흘": 4,
    "닷새": 5,
    "엿새": 6,
    "이레": 7,
    "여드레": 8,
    "아흐레": 9,
    "열흘": 10,
}
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS_KO: Final = "월화수목금토일"
_WEEKDAYS_EN: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_AGO: Final = re.compile(
    r"(\d{1,3}|two|three|four|five|six|seven|ten) days ago"
    r"|(\d{1,3}일|이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘) ?전"
)
_MONTH_DAY: Final = re.compile(r"(\d{1,2})(?:/|월 ?)(\d{1,2})일?")
_ENGLISH_MONTH_DAY: Final = re.compile(r"([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?")
_DAY_OF_MONTH: Final = re.compile(r"(\d{1,2})일")
_WEEKDAY: Final = re.compile(r"(지난 ?주 ?|지난 ?|이번 ?주 ?)?([월화수목금토일])요일(?:날)?")
_ENGLISH_WEEKDAY: Final = re.compile(r"(last |on |this )?([a-z]{3})[a-z]*day")
_ISO_LIKE: Final = re.compile(
    r"(\d{4})[-./년]\s?(\d{1,2})[-./월]\s?(\d{1,2})(?:일|\.)?(?:[t ].*)?"
)  # of a text in lower case
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def normalise_date(text: str, today: date) -> str:
    """Return `text` as `YYYY-MM-DD` when it names a day, else unchanged (validation then refuses it)."""
    word = " ".join(text.split()).casefold()
    if word in _WORDS:
        return (today - timedelta(days=_WORDS[word])).isoformat()
    match = _ISO_LIKE.fullmatch(word)
    if match is None:
        day = _spoken_day(word, today)
        return text if day is None else day.isoformat()
    try:
        return date(*(int(part) for part in match.groups())).isoformat()
    except ValueError:
        return text


def _spoken_day(word: str, today: date) -> date | None:
    """Return the day that "3일 전", "8/9", "8월 9일", "9일", "Aug 9", "월요일" or "last Monday" names, or None.

    A weekday is the latest one up to today, a last one ("지난", "last") before today, that of "지난주" in the week
    before, that of "이번 주" or "this" in the week of today, perhaps to come (weeks begin on Monday). A day without a
    year is the one closest to today, one without a month the latest.
    """
    if match := _AGO.fullmatch(word):
        number = match.group(1) or match.group(2)
        days = _NUMBERS.get(number)
        return today - timedelta(days=int(number.rstrip("일")) if days is None else days)
    if match := _MONTH_DAY.fullmatch(word):
        return _nearest_year(int(match.group(1)), int(match.group(2)), today)
    if (match := _ENGLISH_MONTH_DAY.fullmatch(word)) and match.group(1) in _MONTHS:
        return _nearest_year(_MONTHS.index(match.group(1)) + 1, int(match.group(2)), today)
    if match := _DAY_OF_MONTH.fullmatch(word):
        return _latest_day_of_month(int(match.group(1)), today)
    if match := _WEEKDAY.fullmatch(word):
        lead, index = (match.group(1) or "").replace(" ", ""), _WEEKDAYS_KO.index(match.group(2))
        if lead in ("지난주", "이번주"):
            return _weekday_of_week(index, today, weeks_ago=int(lead == "지난주"))
        return _weekday(index, today, before=lead == "지난")
    if (match := _ENGLISH_WEEKDAY.fullmatch(word)) and match.group(2) in _WEEKDAYS_EN:
        index = _WEEKDAYS_EN.index(match.group(2))
        if match.group(1) == "this ":
            return _weekday_of_week(index, today)
        return _weekday(index, today, before=match.group(1) == "last ")
    return None


def _weekday_of_week(index: int, today: date, *, weeks_ago: int = 0) -> date:
    """Return the day of the week `index` (0 Monday) in the week of today, or in an earlier one."""
    return today + timedelta(days=index - today.weekday() - 7 * weeks_ago)


def _weekday(index: int, today: date, *, before: bool) -> date:
    """Return the latest day of the week `index` (0 Monday) up to today, or before today."""
    days = (today.weekday() - index) % 7
    return today - timedelta(days=7 if before and days == 0 else days)


def _latest_day_of_month(number: int, today: date) -> date | None:
    """Return the latest day up to today that is the `number`th of its month, or None."""
    year, month = today.year, today.month
    for _month in range(3):
        try:
            day = date(year, month, number)
        except ValueError:
            day = None
        if day is not None and day <= today:
            return day
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return None


def _nearest_year(month: int, day: int, today: date) -> date | None:
    days = []
    for year in (today.year - 1, today.year, today.year + 1):
        try:
            days.append(date(year, month, day))
        except ValueError:
            continue
    return min(days, key=lambda each: abs((each - today).days), default=None)


def parse_iso_date(text: str) -> date | None:
    """Return the civil day of `YYYY-MM-DD`, or None when there is no such day."""
    try:
        return date.fromisoformat(text) if _ISO.fullmatch(text) else None
    except ValueError:
        return None
