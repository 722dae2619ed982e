"""Finding a title by what people type, syllables that are still being typed and initial consonants (ㄱㄱ) included."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from lifehelper_desktop.domain.jamo import FINAL_KEYS, decompose

_SYLLABLES: Final = ("가", "힣")
_CONSONANTS: Final = ("ㄱ", "ㅎ")
_FINAL: Final = "\u11a7"  # one before the first final consonant

#: Two consonants that a keyboard joins while one types initial consonants: ㄺ is ㄹㄱ.
_PAIRS: Final = str.maketrans(
    dict(zip("ㄳㄵㄶㄺㄻㄼㄽㄾㄿㅀㅄ", (each for each in FINAL_KEYS if len(each) == 2), strict=True))
)


def finds(query: str, title: str) -> bool:
    """Return whether every word of `query` stands in `title`; a query without words finds everything.

    Case and spaces inside the title do not matter, a lone consonant stands for any syllable that begins with it, and
    the last syllable may be unfinished: `걷`, `거`, `ㄱㄱ` and `간` (on the way to 가나) find `걷기` and `가나다`.
    """
    text = decompose(title).text
    words = unicodedata.normalize("NFC", query).translate(_PAIRS).split()
    return all(_pattern(word).search(text) for word in words)


@lru_cache(maxsize=64)
def _pattern(word: str) -> re.Pattern[str]:
    parts = [_one(char) for char in word[:-1]]
    parts.append(_last(word[-1]))
    return re.compile(" ?".join(part for part in parts if part))


def _one(char: str) -> str:
    if _CONSONANTS[0] <= char <= _CONSONANTS[1]:
        return re.escape(decompose(char).text) + "[\u1161-\u1175]?[\u11a8-\u11c2]?"
    return re.escape(decompose(char).text)


def _last(char: str) -> str:
    """Return the pattern of a character that may be followed by anything, and is perhaps not finished."""
    whole = _one(char)
    if not _SYLLABLES[0] <= char <= _SYLLABLES[1]:
        return whole
    jamo = decompose(char).text
    if len(jamo) < 3:
        return whole
    # 간 on the way to 가나, 닭 on the way to 달가: the final consonant, or its second half, begins the next syllable.
    letters = FINAL_KEYS[ord(jamo[2]) - ord(_FINAL) - 1]
    kept = chr(ord(_FINAL) + 1 + FINAL_KEYS.index(letters[0])) if len(letters) == 2 else ""
    return f"(?:{whole}|{re.escape(jamo[:2] + kept)} ?{re.escape(decompose(letters[-1]).text)})"
