"""Whether a changed dose text asks for more than before (R6), judged by the amounts that the two texts name.

An amount is a number with its unit: `20분`, `7,000보`, `한 잔`, `30 minutes`, `two pages`. Decided:

* the same wording (spaces and case aside), or the same amounts in other words: not a raise;
* every amount of the new text has a counterpart of the same unit in the old one and none is larger: not a raise;
  an amount that only the old text names may be left out (`20분(주 3일)` → `10분`);
* any counterpart is larger: a raise;
* anything else cannot be compared (no number in either, another unit, a clock time that moved) and counts as a
  raise, so that the phase is never slipped past by rewording.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_NUMBER_WORDS: Final = {
    "한": 1, "두": 2, "세": 3, "네": 4, "다섯": 5, "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10,
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "a": 1, "an": 1, "once": 1, "twice": 2,
}  # fmt: skip
_SECONDS: Final = {
    "초": 1, "sec": 1, "second": 1, "s": 1,
    "분": 60, "min": 60, "minute": 60,
    "시간": 3600, "hour": 3600, "hr": 3600, "h": 3600,
}  # fmt: skip
_SCALES: Final = {"천": 1000, "만": 10_000}
_COUNTERS: Final = (
    *("시간", "분", "초", "시", "일", "주", "걸음", "보", "바퀴", "미터", "킬로미터", "층", "회", "번", "세트", "단계"),
    *(
        "잔",
        "컵",
        "입",
        "끼",
        "접시",
        "숟갈",
        "개",
        "가지",
        "곳",
        "쪽",
        "페이지",
        "줄",
        "문장",
        "권",
        "곡",
        "통",
        "사람",
        "명",
    ),
)
_KOREAN_UNIT: Final = "|".join(sorted(_COUNTERS, key=len, reverse=True))
_KOREAN_WORD: Final = "|".join(word for word in _NUMBER_WORDS if not word.isascii())
_ENGLISH_WORD: Final = "|".join(word for word in _NUMBER_WORDS if word.isascii())
_AMOUNT: Final = re.compile(
    rf"""
    (?P<clock>\d{{1,2}}:\d{{2}})
    | (?P<number>\d[\d,]*(?:\.\d+)?)(?:\s*[~–-]\s*(?P<upto>\d[\d,]*(?:\.\d+)?))?
      (?P<scale>[천만])?\s*-?\s*(?P<unit>{_KOREAN_UNIT}|[a-z]+|[가-힣%℃°])?
    | (?<![가-힣])(?P<word>{_KOREAN_WORD})\s*(?P<counter>{_KOREAN_UNIT})
    | \b(?P<english>{_ENGLISH_WORD})\b(?:[\s-]+(?P<noun>[a-z]+))?
    """,
    re.VERBOSE,
)


def is_raise(old: str, new: str) -> bool:
    """Return whether `new` asks for more than `old`, or cannot be compared with it."""
    old, new = _normal(old), _normal(new)
    if old == new:
        return False
    before, after = _amounts(old), _amounts(new)
    if not before or not after:
        return True
    for unit, values in after.items():
        known = before.get(unit, [])
        if len(values) > len(known):
            return True
        if unit == "clock":
            if values != known:
                return True
        elif any(value > was for value, was in zip(values, known, strict=False)):
            return True
    return False


def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _amounts(text: str) -> dict[str, list[float]]:
    """Return the amounts by unit in the order of the text; durations are in seconds under `time`."""
    found: dict[str, list[float]] = {}
    for match in _AMOUNT.finditer(text):
        if match["clock"]:
            hours, minutes = match["clock"].split(":")
            found.setdefault("clock", []).append(int(hours) * 60 + int(minutes))
            continue
        if match["number"]:
            # The upper end of a range is what may be asked for.
            value, unit = float((match["upto"] or match["number"]).replace(",", "")), match["unit"] or ""
            value *= _SCALES.get(match["scale"], 1)
        elif match["word"]:
            value, unit = float(_NUMBER_WORDS[match["word"]]), match["counter"]
        else:
            value, unit = float(_NUMBER_WORDS[match["english"]]), match["noun"] or ""
        unit = _singular(unit)
        if text.startswith("마다", match.end()) or text[: match.start()].endswith("every "):
            # Every 10 minutes in place of 20 is more, every 40 is less often and perhaps longer: not comparable.
            found.setdefault("clock", []).append(value)
        elif unit in _SECONDS:
            found.setdefault("time", []).append(value * _SECONDS[unit])
        elif unit in ("시", "am", "pm"):
            found.setdefault("clock", []).append(value * 60)
        else:
            found.setdefault(unit, []).append(value)
    return found


def _singular(unit: str) -> str:
    return unit.removesuffix("s") if unit.isascii() and len(unit) > 3 else unit
