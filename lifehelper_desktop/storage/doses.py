"""Whether a changed dose text asks for more than before (R6), judged by the amounts that the two texts name.

An amount is a number, in digits or words, with its unit: `20분`, `7,000보`, `스무 번`, `반 잔`, `half an hour`. Units
of one kind are brought to one measure (hours, minutes and seconds; km and m; 회, 번 and 차례). Decided:

* the same wording (spaces and case aside), or the same amounts in other words: not a raise;
* every amount of the new text has a counterpart of the same unit in the old one and none is larger: not a raise;
  an amount that only the old text names may be left out (`20분(주 3일)` → `10분`);
* any counterpart is larger: a raise;
* anything else cannot be compared (no number in either, another unit, an amount that came in, a clock time that
  moved, a word of number that is not understood, a second time of the day) and counts as a raise, so that the phase
  is never slipped past by rewording.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_TENS: Final = {
    "열": 10, "스물": 20, "스무": 20, "서른": 30, "마흔": 40, "쉰": 50, "예순": 60, "일흔": 70, "여든": 80, "아흔": 90,
}  # fmt: skip
#: Of two neighbouring numbers (두세) the upper one is what may be asked for.
_ONES: Final = {
    "한두": 2, "두세": 3, "두서너": 4, "서너": 4, "너댓": 5, "네댓": 5, "네다섯": 5, "대여섯": 6, "예닐곱": 7,
    "일고여덟": 8,
    "하나": 1, "한": 1, "둘": 2, "두": 2, "셋": 3, "세": 3, "석": 3, "넷": 4, "네": 4, "넉": 4, "다섯": 5, "여섯": 6,
    "일곱": 7, "여덟": 8, "아홉": 9,
}  # fmt: skip
_SINO_DIGITS: Final = {char: value for value, char in enumerate("일이삼사오육칠팔구", 1)}
_SINO_PLACES: Final = {"십": 10, "백": 100, "천": 1000}
_ENGLISH: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
    "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_ENGLISH_TENS: Final = frozenset(word for word in _ENGLISH if word.endswith("ty"))
_TIMES_WORDS: Final = {"once": 1, "twice": 2, "thrice": 3}
_MULTIPLES: Final = {"couple": 2, "dozen": 12, "hundred": 100, "thousand": 1000}
_SCALES: Final = {"백": 100, "천": 1000, "만": 10_000}

_KINDS: Final[dict[str, dict[str, float]]] = {
    "time": {
        "초": 1, "sec": 1, "second": 1, "s": 1,
        "분": 60, "min": 60, "minute": 60,
        "시간": 3600, "hour": 3600, "hr": 3600, "h": 3600,
    },
    "distance": {
        "cm": 0.01, "센티미터": 0.01, "m": 1, "미터": 1, "meter": 1, "metre": 1,
        "km": 1000, "킬로미터": 1000, "kilometer": 1000, "kilometre": 1000, "mile": 1609.344,
    },
    "volume": {"ml": 1, "cc": 1, "밀리리터": 1, "l": 1000, "리터": 1000, "liter": 1000, "litre": 1000},
    "mass": {"g": 1, "그램": 1, "gram": 1, "kg": 1000, "킬로그램": 1000, "kilogram": 1000},
    "count": {"회": 1, "번": 1, "차례": 1, "time": 1, "rep": 1, "repetition": 1},
}  # fmt: skip
#: Unit → its kind and how many of the kind's measure it holds.
_MEASURES: Final = {unit: (kind, size) for kind, sizes in _KINDS.items() for unit, size in sizes.items()}
_COUNTERS: Final = (
    *(
        "시간",
        "분",
        "초",
        "시",
        "일",
        "주",
        "걸음",
        "보",
        "바퀴",
        "미터",
        "킬로미터",
        "센티미터",
        "층",
        "회",
        "번",
        "차례",
    ),
    *("세트", "단계", "라운드", "코스", "왕복", "정거장", "킬로그램", "그램", "밀리리터", "리터", "배", "판"),
    *(
        "잔",
        "컵",
        "입",
        "끼",
        "접시",
        "그릇",
        "공기",
        "숟갈",
        "알",
        "병",
        "캔",
        "조각",
        "개",
        "가지",
        "곳",
        "쪽",
        "페이지",
    ),
    *("장", "줄", "문장", "문제", "단어", "권", "곡", "편", "통", "사람", "명"),
)
_ENGLISH_UNITS: Final = frozenset(
    {
        *(unit for unit in _MEASURES if unit.isascii()),
        *("step", "page", "sentence", "line", "word", "set", "round", "lap", "block", "flight", "floor", "mile"),
        *("glass", "cup", "bite", "plate", "bowl", "serving", "piece", "spoon", "bottle", "breath", "song", "squat"),
    }
)


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_UNIT: Final = _any(_COUNTERS)
_NATIVE: Final = rf"(?:(?P<tens>{_any(_TENS)})\s?)?(?P<ones>{_any(_ONES)})?"
_SINO_UNIT: Final = r"시간|분|초|회|보|걸음|미터|킬로미터|페이지|쪽|층|세트|리터|그램|개"
_AFTER_SINO: Final = r"(?![가-힣])|(?=(?:씩|간|만|정도|이상|이하|동안|마다|를|을|은|는|도|에|로))"
_AMOUNT: Final = re.compile(
    rf"""
    (?P<clock>\d{{1,2}}:\d{{2}})
    | (?P<part>\d+)\s?[/⁄]\s?(?P<whole>[1-9]\d*)\s*(?P<part_unit>{_UNIT}|[a-z]+)
    | (?P<number>\d[\d,]*(?:\.\d+)?)(?:\s*[~–-]\s*(?P<upto>\d[\d,]*(?:\.\d+)?))?
      (?P<scale>[백천만])?(?:(?<=만)\s?(?P<thousands>\d)천)?\s*-?\s*(?P<unit>{_UNIT}|[a-z]+|[가-힣%℃°])?
    | (?<![가-힣])반\s?(?P<half>{_UNIT})(?!쪽)
    | (?<![가-힣])(?=[가-힣]){_NATIVE}(?<=[가-힣])\s*(?P<counter>(?:{_UNIT})(?!째)|(?<=\s)[가-힣]+)
    | (?<![가-힣])(?P<sino>[일이삼사오육칠팔구십백천]+만?[일이삼사오육칠팔구십백천]*)\s?(?P<sino_unit>{_SINO_UNIT})
      (?:{_AFTER_SINO})
    | \bhalf(?:\s+of)?(?:\s+an?)?[\s-]+(?P<half_noun>[a-z]+)
    | \b(?P<often>{_any(_TIMES_WORDS)})\b
    | \b(?P<english>{_any(_ENGLISH)}|an?)\b(?:[\s-](?P<more>{_any(list(_ENGLISH)[:9])})\b)?
      (?:[\s-]+(?P<multiple>{_any(_MULTIPLES)})s?\b(?:\s+of\b)?)?(?:[\s-]+(?P<noun>[a-z]+))?
    """,
    re.VERBOSE,
)
#: 한 시간 반, an hour and a half.
_HALF_MORE: Final = re.compile(r"\s?반(?![가-힣])|\s+and\s+a\s+half\b")
_NEXT_WORD: Final = re.compile(r"\s+([a-z]+)")
_BETWEEN: Final = re.compile(r"\s*(?:and\s+)?")
#: Words that speak of a number without one that could be read; and times of the day, for "morning and evening".
_UNREAD: Final = re.compile(
    r"(?<![가-힣])(?:스무|스물|서른|마흔|쉰|예순|일흔|여든|아흔|[일이삼사오육칠팔구]?[십백](?=[일이삼사오육칠팔구]?\s)"
    r"|몇|여러|수십|수백|곱절|갑절|더(?![가-힣])|추가|매시간|매\s?끼|끼니마다|마다)"
    r"|\b(?:dozens?|hundreds?|thousands?|couple|several|many|few|double|triple|more|extra|each|every|hourly|per)\b"
)
_PARTS_OF_DAY: Final = re.compile(r"아침|점심|저녁|오전|오후|밤|\b(?:morning|noon|afternoon|evening|night)s?\b")


class _Amount(NamedTuple):
    """One amount: its unit as written and where it stands in the text."""

    value: float
    unit: str
    start: int
    end: int


def is_raise(old: str, new: str) -> bool:
    """Return whether `new` asks for more than `old`, or cannot be compared with it."""
    old, new = _normal(old), _normal(new)
    if old == new:
        return False
    (before, unread_before), (after, unread_after) = _read(old), _read(new)
    if not before or not after or unread_after - unread_before:
        return True
    if len(_parts_of_day(new)) > max(1, len(_parts_of_day(old))):
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


def _parts_of_day(text: str) -> set[str]:
    return {part.removesuffix("s") for part in _PARTS_OF_DAY.findall(text)}


def _read(text: str) -> tuple[dict[str, list[float]], Counter[str]]:
    """Return the amounts by kind of unit in the order of the text, and the words of number that were not read."""
    found: dict[str, list[float]] = {}
    rest = list(text)
    last: tuple[str, float, int] | None = None  # kind, size and end of the amount before
    for amount in _amounts(text):
        rest[amount.start : amount.end] = " " * (amount.end - amount.start)
        kind, size = _MEASURES.get(amount.unit, (amount.unit, 1.0))
        value = amount.value * size
        if text.startswith("마다", amount.end) or re.search(r"(?:every |매 ?)$", text[: amount.start]):
            # Every 10 minutes in place of 20 is more, every 40 is less often and perhaps longer: not comparable.
            found.setdefault("clock", []).append(value)
            # The word belongs to this amount.
            rest[max(0, amount.start - 6) : amount.start] = " " * min(6, amount.start)
            rest[amount.end : amount.end + 2] = " " * len(rest[amount.end : amount.end + 2])
            last = None
            continue
        if amount.unit in ("시", "am", "pm"):
            kind, value = "clock", value * 60
        joins = last is not None and last[0] == kind and last[1] > size
        if joins and last is not None and _BETWEEN.fullmatch(text, last[2], amount.start):
            found[kind][-1] += value  # 1시간 30분
        else:
            found.setdefault(kind, []).append(value)
        last = (kind, size, amount.end)
    return found, Counter(_UNREAD.findall("".join(rest)))


def _amounts(text: str) -> Iterator[_Amount]:
    position = 0
    while match := _AMOUNT.search(text, position):
        amount = _amount(match, text)
        if amount is None:
            position = match.start() + 1
            continue
        half = _HALF_MORE.match(text, amount.end)
        if half:
            amount = amount._replace(value=amount.value + 0.5, end=half.end())
        yield amount
        position = max(amount.end, match.start() + 1)


def _amount(match: re.Match[str], text: str) -> _Amount | None:
    """Return the amount of a match, or None for what only looks like one."""
    start, end = match.span()
    if match["clock"]:
        hours, minutes = match["clock"].split(":")
        return _Amount(int(hours) * 60 + int(minutes), "clock", start, end)
    if match["part"]:
        return _Amount(int(match["part"]) / int(match["whole"]), _singular(match["part_unit"]), start, end)
    if match["number"]:
        # The upper end of a range is what may be asked for.
        value = float((match["upto"] or match["number"]).replace(",", "")) * _SCALES.get(match["scale"], 1)
        value += 1000 * int(match["thousands"] or 0)
        return _english_unit(value, match["unit"] or "", start, end, text)
    if match["half"]:
        return _Amount(0.5, match["half"], start, end)
    if match["counter"]:
        value = _TENS.get(match["tens"], 0) + _ONES.get(match["ones"], 0)
        # With an unknown counter 한 is as often the verb (식사를 한 뒤), and one of anything is no raise.
        is_ordinal = match["counter"].startswith("번째")
        if not value or is_ordinal or (value == 1 and match["counter"] not in _COUNTERS):
            return None
        return _Amount(value, match["counter"], start, end)
    if match["sino"]:
        return _Amount(_sino(match["sino"]), match["sino_unit"], start, end)
    if match["half_noun"]:
        return _Amount(0.5, _singular(match["half_noun"]), start, end)
    if match["often"]:
        return _Amount(_TIMES_WORDS[match["often"]], "time", start, end)
    is_article = match["english"] in ("a", "an")
    value = 1.0 if is_article else float(_ENGLISH[match["english"]])
    if match["more"]:
        if match["english"] not in _ENGLISH_TENS:
            return _Amount(value, "", start, match.end("english"))
        value += _ENGLISH[match["more"]]
    if match["multiple"]:
        value *= _MULTIPLES[match["multiple"]]
    elif is_article and _singular(match["noun"] or "") not in _ENGLISH_UNITS:
        return None  # on a treadmill, ten minutes a day
    return _english_unit(value, match["noun"] or "", start, end, text)


def _english_unit(value: float, unit: str, start: int, end: int, text: str) -> _Amount:
    """Return the amount with its unit, which may stand behind one more word: two short pages."""
    unit = _singular(unit)
    if unit.isascii() and unit and unit not in _ENGLISH_UNITS:
        following = _NEXT_WORD.match(text, end)
        if following and _singular(following[1]) in _ENGLISH_UNITS:
            return _Amount(value, _singular(following[1]), start, following.end())
    return _Amount(value, unit, start, end)


def _sino(word: str) -> float:
    """Return the value of a Sino-Korean number: 삼십오, 칠천, 일만 이천."""
    total = 0
    for part in word.split("만") if "만" in word else ("", word):
        section, digit = 0, 0
        for char in part:
            if char in _SINO_DIGITS:
                digit = _SINO_DIGITS[char]
            else:
                section += (digit or 1) * _SINO_PLACES[char]
                digit = 0
        total = total * 10_000 + section + digit
        if "만" in word and not total:
            total = 1
    return float(total)


def _singular(unit: str) -> str:
    if not unit.isascii() or len(unit) <= 3:
        return unit
    if unit.endswith("sses"):
        return unit[:-2]
    return unit if unit.endswith("ss") else unit.removesuffix("s")
