"""Hangul taken apart into jamo, so that a stem is found whatever ending has fused with its last syllable.

In composed Hangul the stem 줄이 is not a prefix of 줄인다 (인 ≠ 이); taken apart it is: ᄌ ᅮ ᆯ ᄋ ᅵ + ᆫ ᄃ ᅡ.
So both the text and the patterns are taken apart, and one pattern covers every inflection.

Patterns are written in composed Hangul and ordinary regular-expression syntax, with these additions:

* `⟨` and `⟩`: no Hangul stands before / after;
* `◦`: the syllable before ends here, in a vowel;
* `◇`: the syllable before ends here, or only in a consonant that an ending fuses with a stem
  (ㄴ ㄹ ㅁ ㅂ ㅆ);
* `{ㄴㄹ}`: one of these final consonants.

A syllable is several characters after compiling: quantify groups, `(?:을)?`, never a bare syllable, and keep
syllables out of `[...]`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lifehelper_desktop.domain.text import is_visible

_HANGUL: Final = "\u1100-\u11ff"
_FINALS: Final = "\u11a8-\u11ff"
#: Final consonants in the order of their code points from U+11A8; compatibility letters.
_FINAL_LETTERS: Final = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
#: The same as the keys that type them: two letters where the second moves on to a vowel.
FINAL_KEYS: Final = (
    *("ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ", "ㄹㅌ", "ㄹㅍ", "ㄹㅎ"),
    *("ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ"),
)
_MACROS: Final = {
    "⟨": f"(?<![{_HANGUL}])",
    "⟩": f"(?![{_HANGUL}])",
    "◦": f"(?![{_FINALS}])",
    "◇": "(?![\u11a8-\u11aa\u11ac-\u11ae\u11b0-\u11b6\u11b9\u11ba\u11bc-\u11ff])",
}
_APOSTROPHES: Final = "‘’‚‛ʼ＇`´′ʹ"
_DOUBLE_QUOTES: Final = "“”„‟″＂"
_HYPHENS: Final = "‐‑‒–—―−－"


@dataclass(frozen=True, slots=True)
class Decomposed:
    """A text ready for matching, and the way back to what the user wrote.

    Attributes:
        source: The text as written.
        text: Lower case, compatibility forms unified, Hangul as jamo, single spaces, nothing invisible.
        positions: For each character of `text`, the index in `source` that it comes from.
    """

    source: str
    text: str
    positions: tuple[int, ...]

    def written(self, start: int, end: int) -> str:
        """Return the part of `source` that the characters `start` to `end` (excluded) of `text` come from."""
        if start >= end:
            return ""
        last = self.positions[end - 1]
        # A syllable that was typed as jamo spans several characters of the source.
        stop = self.positions[end] if end < len(self.positions) else len(self.source)
        return self.source[self.positions[start] : max(stop, last + 1)].strip()


def decompose(text: str) -> Decomposed:
    """Return `text` ready for matching; any string will do, lone surrogates and control characters included."""
    parts: list[str] = []
    positions: list[int] = []
    after_space = True
    for index, char in enumerate(text):
        for piece in _decompose_char(char):
            is_space = piece == " "
            if is_space and after_space:
                continue
            after_space = is_space
            parts.append(piece)
            positions.append(index)
    return Decomposed(text, "".join(parts), tuple(positions))


@lru_cache(maxsize=4096)
def _decompose_char(char: str) -> str:
    """Return what one character of a text becomes; empty when it cannot be seen."""
    if char.isspace():
        return " "
    if char in _APOSTROPHES:
        return "'"
    if char in _DOUBLE_QUOTES:
        return '"'
    if char in _HYPHENS:
        return "-"
    if not is_visible(char) or unicodedata.category(char) in ("Cf", "Cs"):
        return ""
    lowered = unicodedata.normalize("NFKD", char).lower()
    return unicodedata.normalize("NFKD", lowered)


def compile_pattern(pattern: str, **words: str) -> re.Pattern[str]:
    """Compile a pattern of the kind that the module describes; `{name}` stands for the group `words[name]`."""
    for name, alternatives in words.items():
        pattern = pattern.replace(f"{{{name}}}", f"(?:{alternatives})")
    for sign, meaning in _MACROS.items():
        pattern = pattern.replace(sign, meaning)
    pattern = re.sub(r"\{([ㄱ-ㅎ]+)\}", _final_class, pattern)
    return re.compile(unicodedata.normalize("NFD", pattern))


def _final_class(match: re.Match[str]) -> str:
    """Return the character class of the final consonants that a `{...}` lists."""
    return "[" + "".join(chr(0x11A8 + _FINAL_LETTERS.index(letter)) for letter in match[1]) + "]"
