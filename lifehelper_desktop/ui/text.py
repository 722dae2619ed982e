"""Text helpers of the window: cleaning what people paste, and words that several screens share."""

from __future__ import annotations

import unicodedata
from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import N_, _, current_language
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.streaks import TIERS

MESSAGE_MAX: Final = 4000  # characters of one chat message

WEEKDAYS: Final = (N_("월"), N_("화"), N_("수"), N_("목"), N_("금"), N_("토"), N_("일"))
VALUE_WORDS: Final = {EntryValue.DONE: N_("완료"), EntryValue.MINIMUM: N_("최소"), EntryValue.BLANK: N_("쉬기")}
VALUE_ICONS: Final = {EntryValue.DONE: "check", EntryValue.MINIMUM: "minimum", EntryValue.BLANK: "rest"}
LEVEL_NAMES: Final = {1: N_("결과"), 2: N_("과정"), 3: N_("정체성")}
_TIER_WORDS: Final = {name: title for name, title, _minimum in TIERS}


def clean_text(text: str) -> str:
    """Return `text` without NUL, other control characters and lone surrogates; line ends become a line feed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u2029", "\n")
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cs"))


def one_line(text: str) -> str:
    """Return cleaned text with every run of white space as one space."""
    return " ".join(clean_text(text).split())


def tier_word(tier: str) -> str:
    """Return the tier's name in the user's language."""
    return _(_TIER_WORDS[tier])


def value_word(value: EntryValue) -> str:
    """Return the name of an entry's value in the user's language."""
    return _(VALUE_WORDS[value])


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
