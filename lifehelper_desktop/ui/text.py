"""Text helpers of the window: cleaning what people paste, and words that several screens share."""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import N_, current_language
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import WEEKDAYS, tier_label
from lifehelper_desktop.storage.text import clean_text

MESSAGE_MAX: Final = 4000  # characters of one chat message

VALUE_ICONS: Final = {
    EntryValue.DONE: "check",
    EntryValue.MINIMUM: "minimum",
    EntryValue.BLANK: "rest",
    EntryValue.NOT_DONE: "close",
}
#: What today's entry says, by its value.
TODAY_WORDS: Final = {
    EntryValue.DONE: N_("오늘 완료로 기록했어요"),
    EntryValue.MINIMUM: N_("오늘 최소로 기록했어요. 오늘도 하루예요"),
    EntryValue.BLANK: N_("오늘은 쉬기로 했어요"),
    EntryValue.NOT_DONE: N_("오늘은 ‘안 함’으로 들어와 있어요"),
}
LEVEL_NAMES: Final = {1: N_("결과"), 2: N_("과정"), 3: N_("정체성")}


def clean_lines(text: str) -> str:
    """Return text fit for the screen, cleaned as stored text is; every kind of line end becomes a line feed."""
    return clean_text(text.replace("\u2028", "\n").replace("\u2029", "\n"), keep_lines=True)


def clean_paste(text: str) -> str:
    """Return cleaned text that keeps the white space at its ends, since it joins what stands beside it."""
    return clean_lines(f"|{text}|")[1:-1]  # the bars keep the ends from being trimmed


def one_line(text: str) -> str:
    """Return cleaned text with every run of white space as one space."""
    return " ".join(clean_text(text).split())


def tier_word(tier: str) -> str:
    """Return the tier's name in the user's language."""
    return tier_label(tier)


def long_day(day: date) -> str:
    """Return a day for headings: `8월 12일 수요일`, `Wednesday, 12 August`."""
    if current_language() == "ko":
        return f"{day.month}월 {day.day}일 {WEEKDAYS[day.weekday()]}요일"
    return f"{_ENGLISH_DAYS[day.weekday()]}, {day.day} {_ENGLISH_MONTHS[day.month - 1]}"


def short_day(day: date) -> str:
    """Return a day for labels: `8월 12일(수)`, `Wed 12 Aug`."""
    if current_language() == "ko":
        return f"{day.month}월 {day.day}일({WEEKDAYS[day.weekday()]})"
    return f"{_ENGLISH_DAYS[day.weekday()][:3]} {day.day} {_ENGLISH_MONTHS[day.month - 1][:3]}"


def full_day(day: date) -> str:
    """Return a day with its year: `2026년 8월 12일 수요일`, `Wednesday, 12 August 2026`."""
    return f"{day.year}년 {long_day(day)}" if current_language() == "ko" else f"{long_day(day)} {day.year}"


def plain_day(day: date) -> str:
    """Return a day with its year for narrow places: `2026. 8. 12.`, `12 Aug 2026`."""
    if current_language() == "ko":
        return f"{day.year}. {day.month}. {day.day}."
    return f"{day.day} {month_name(day.month)} {day.year}"


def month_name(month: int) -> str:
    """Return the short name of a month, 1 to 12: `8월`, `Aug`."""
    return f"{month}월" if current_language() == "ko" else _ENGLISH_MONTHS[month - 1][:3]


def month_of_year(year: int, month: int) -> str:
    """Return a month with its year: `2026년 8월`, `August 2026`."""
    return f"{year}년 {month}월" if current_language() == "ko" else f"{_ENGLISH_MONTHS[month - 1]} {year}"


_ENGLISH_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ENGLISH_MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
