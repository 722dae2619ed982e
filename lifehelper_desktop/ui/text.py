"""Text helpers of the window: cleaning what people paste, and words that several screens share."""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import N_, _, current_language
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import WEEKDAYS
from lifehelper_desktop.domain.streaks import TIERS
from lifehelper_desktop.storage.text import clean_text

MESSAGE_MAX: Final = 4000  # characters of one chat message

VALUE_ICONS: Final = {
    EntryValue.DONE: "check",
    EntryValue.MINIMUM: "minimum",
    EntryValue.BLANK: "rest",
    EntryValue.NOT_DONE: "close",
}
LEVEL_NAMES: Final = {1: N_("결과"), 2: N_("과정"), 3: N_("정체성")}
_TIER_WORDS: Final = {name: title for name, title, _minimum in TIERS}


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
    return _(_TIER_WORDS[tier])


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
