"""Dates as people and models write them: ISO, or a word for a day close to today."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

_WORDS: Final[dict[str, int]] = {
    "today": 0,
    "오늘": 0,
    "yesterday": 1,
    "어제": 1,
    "그제": 2,
    "그저께": 2,
    "엊그제": 2,
    "day before yesterday": 2,
    "the day before yesterday": 2,
    "tomorrow": -1,
    "내일": -1,
}
_ISO_LIKE: Final = re.compile(r"(\d{4})[-./년]\s?(\d{1,2})[-./월]\s?(\d{1,2})(?:일|\.)?(?:[T ].*)?")


def normalise_date(text: str, today: date) -> str:
    """Return `text` as `YYYY-MM-DD` when it names a day, else unchanged (validation then refuses it)."""
    word = " ".join(text.split()).casefold()
    if word in _WORDS:
        return (today - timedelta(days=_WORDS[word])).isoformat()
    match = _ISO_LIKE.fullmatch(word)
    if match is None:
        return text
    try:
        return date(*(int(part) for part in match.groups())).isoformat()
    except ValueError:
        return text


def parse_iso_date(text: str) -> date | None:
    """Return the civil day of `YYYY-MM-DD`, or None when there is no such day."""
    try:
        return date.fromisoformat(text) if len(text) == len("2026-01-01") else None
    except ValueError:
        return None
