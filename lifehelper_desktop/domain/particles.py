"""Korean particles that depend on the letter before them, written in both forms in a text: `습관을(를)`."""

from __future__ import annotations

import re
from typing import Final

_PARTICLES: Final = {
    "을(를)": ("을", "를"),
    "이(가)": ("이", "가"),
    "은(는)": ("은", "는"),
    "과(와)": ("과", "와"),
    "이랑(랑)": ("이랑", "랑"),
    "(이)랑": ("이랑", "랑"),
    "(으)로": ("으로", "로"),
    "(이)나": ("이나", "나"),
    "(이)라": ("이라", "라"),
    "(이)요": ("이요", "요"),
    "(이)야": ("이야", "야"),
    "예요(이에요)": ("이에요", "예요"),
    "아(야)": ("아", "야"),
}
_MARKED: Final = re.compile("(.)([’”\"')]?)(" + "|".join(re.escape(mark) for mark in _PARTICLES) + ")")
_DIGITS_WITH_FINAL: Final = "013678"
_DIGITS_WITH_RIEUL: Final = "178"
_LETTERS_WITH_FINAL: Final = "lmnrLMNR"


def with_particles(text: str) -> str:
    """Return `text` with every `을(를)` and the like decided by the sound before it, quotation marks walked over."""
    return _MARKED.sub(_decide, text)


def _decide(match: re.Match[str]) -> str:
    before, quote, mark = match.groups()
    final, rieul = False, False
    if "가" <= before <= "힣":
        number = (ord(before) - ord("가")) % 28
        final, rieul = number != 0, number == 8
    elif before in _DIGITS_WITH_FINAL:
        final, rieul = True, before in _DIGITS_WITH_RIEUL
    elif before in _LETTERS_WITH_FINAL:
        final, rieul = True, before in "lLrR"
    with_final, without = _PARTICLES[mark]
    return before + quote + (with_final if final and not (rieul and mark == "(으)로") else without)
