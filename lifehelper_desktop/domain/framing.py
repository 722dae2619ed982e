"""R7: a frame says what to do, so words that aim away from something are refused.

The way of a text: take it apart (`jamo`), leave titles in quotation marks out, then look for Korean and
English avoidance words. The decisions on unclear words stand in the word tables of `_framing_korean_words`
and `_framing_english`; labelled sentences are in `tests/data/r7_cases.json` and `r7_fresh.json`.
"""

from __future__ import annotations

import re
from typing import Final

from lifehelper_desktop.domain._framing_english import find_english
from lifehelper_desktop.domain._framing_korean import find_korean
from lifehelper_desktop.domain.jamo import compile_pattern, decompose

#: More words than this tell the user nothing new.
_MAX_WORDS: Final = 10

_QUOTED: Final = re.compile(
    r"\"[^\"]{1,120}\"|「[^」]{1,120}」|『[^』]{1,120}』|《[^》]{1,120}》|〈[^〉]{1,120}〉|«[^»]{1,120}»"
    r"|<[^<>]{1,120}>"
    r"|(?<![a-z0-9\u1100-\u11ff])'(?:[^'\s]|(?<=[a-z])'(?=[a-z]))(?:[^']"
    r"|(?<=[a-z])'(?=[a-z])){0,120}'(?![a-z])"
)
#: When nothing but these stands outside the quotation marks, the quotation is the habit, not a title.
_ONLY_DOING: Final = compile_pattern(
    r"(?:[^\w\u1100-\u11ff]|\d|을|를|은|는|이|가|도|실천|도전|지키|지킨|하기|한다|하다|하자|성공|챌린지|습관"
    r"|이루|만들|매일|오늘|나는|나의|목표|다짐|약속|유지|다⟩|기⟩|라고|원칙|으로|로|my|goal|habit|do|rule)*"
)
_HANGUL: Final = re.compile("[\u1100-\u11ff❌🚫⛔✖❎🙅🚭📵🈲🔞🛑✋]")
_LATIN: Final = re.compile("[a-z]")


def detect_avoidance_keywords(text: str) -> list[str]:
    """Return the avoidance words of `text` as the user wrote them, in their order; an empty list passes R7.

    Takes any string, never raises, and needs about half a millisecond for 80 characters. Any thread.
    """
    taken_apart = decompose(text)
    searched = _without_titles(taken_apart.text)
    spans: list[tuple[int, int]] = []
    if _HANGUL.search(searched):
        spans += find_korean(searched)
    if _LATIN.search(searched):
        spans += find_english(searched)
    words: list[str] = []
    reached = -1
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < reached:
            continue
        reached = end
        word = taken_apart.written(start, end)
        if word not in words:
            words.append(word)
        if len(words) == _MAX_WORDS:
            break
    return words


def _without_titles(text: str) -> str:
    """Blank what stands in quotation marks, unless the quotation is all that the sentence says."""
    blanked = _QUOTED.sub(lambda match: "□" * len(match[0]), text)
    if blanked == text:
        return text
    return text if _ONLY_DOING.fullmatch(blanked.replace("□", "")) else blanked
