"""Which day a message means: what the model copied is believed when the message says it; else the message decides."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from lifehelper_desktop.tools.dates import normalise_date, parse_iso_date

_TODAY: Final = ("오늘", "today")
_NEXT: Final = ("내일", "tomorrow")
_SAID: Final = re.compile(
    r"\d{4}[-./]\d{1,2}[-./]\d{1,2}"
    r"|\d{1,2}월 ?\d{1,2}일"
    r"|(?<![\d/.])\d{1,2}/\d{1,2}(?![\d/])"
    r"|(?:지난 ?주 ?|지난 ?|저번 ?)?[월화수목금토일]요일"
    r"|그끄저께|그끄제|그그저께|엊그제|엊그저께|그저께|그제|어젯밤|어제|내일모레|모레"
    r"|내일(?! ?(?:할|뭐|무얼|무엇|해야|일정|계획|준비))"
    r"|(?:이틀|사흘|나흘|닷새|엿새|이레|여드레|아흐레|열흘|\d{1,2}일) ?전"
    r"|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.? \d{1,2}(?:st|nd|rd|th)?\b"
    r"|\b(?:last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|\b(?:the )?day before yesterday\b|\byesterday\b|\blast night\b|\btomorrow\b(?!['’]s)"
    r"|\b(?:\d+|two|three|four|five|six) days ago\b",
    re.IGNORECASE,
)
_SAME: Final = {
    "어젯밤": "어제",
    "last night": "yesterday",
    "그그저께": "그끄저께",
    "엊그저께": "그제",
    "내일모레": "모레",
}


def spoken_days(user: str) -> list[str]:
    """Return the days that a message names, in its own words, first said first."""
    return [_same(match.group()) for match in _SAID.finditer(user)]


def choose_day(written: str, user: str) -> str:
    """Return the words for the day of an entry: what the model wrote, unless the message speaks against it.

    A day other than today that the message does not name is not believed, and today is not believed when the message
    names exactly one other day: a small model copies well and invents now and then.
    """
    said = spoken_days(user)
    word = _same(written.strip())
    if not _is_day(word):
        return said[0] if len(said) == 1 else _TODAY[0]
    if word.casefold() in _TODAY:
        names_today = any(today in user.casefold() for today in _TODAY)
        return said[0] if len(said) == 1 and not names_today else word
    if _squeeze(word) in _NEXT and word not in said:
        return _TODAY[0]  # what was written down for tomorrow was written today
    plain = _squeeze(user)
    if _squeeze(word) in plain or any(_squeeze(word) == _squeeze(day) for day in said):
        return word
    return said[0] if said else _TODAY[0]


def _same(word: str) -> str:
    text = re.sub(r"^저번 ?", "지난 ", " ".join(word.split()))
    return _SAME.get(text.casefold(), text)


def _is_day(word: str) -> bool:
    some_day = date(2026, 8, 12)  # any will do: a word names a day or does not
    return parse_iso_date(normalise_date(word, some_day)) is not None


def _squeeze(text: str) -> str:
    return re.sub(r"[\s,.]", "", text).casefold()
