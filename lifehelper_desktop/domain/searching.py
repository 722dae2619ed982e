"""Matching words in what the user wrote: the one place that says what finds what.

Compared are two forms of a text. `spaced` is composed, small, its compatibility forms (full width, ligatures) and
accents unified, every run of blanks one space. `keys` is the same without spaces and with Hangul as the keys that type
it: 걷기 is ㄱㅓㄷㄱㅣ, so that a word still being typed (걷ㄱ, 간 on the way to 가나) is a part of it.

* A word with Hangul is found wherever its syllables stand, across spaces too: Korean writes 물 마시기 and 물마시기.
* Any other word is found within one stretch without spaces: "heart" is not in "the art".
* A word with a lone jamo (걷ㄱ, ㅋㅋ), and with `typing` every word with Hangul, is found by its keys.

All words must be found. Every text is harmless: there are no signs with a meaning of their own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lifehelper_desktop.domain.jamo import FINAL_KEYS, decompose

_INITIALS: Final = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS: Final = (
    *("ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ", "ㅛ", "ㅜ", "ㅜㅓ", "ㅜㅔ", "ㅜㅣ"),
    *("ㅠ", "ㅡ", "ㅡㅣ", "ㅣ"),
)
_KEYS: Final = {
    first + place: keys
    for first, row in ((0x1100, _INITIALS), (0x1161, _VOWELS), (0x11A8, FINAL_KEYS))
    for place, keys in enumerate(row)
}
_JAMO: Final = re.compile("[\u1100-\u11ff]")
_HANGUL: Final = re.compile("[\u1100-\u11ff\uac00-\ud7a3]")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_SHAPERS: Final = ("\u200d", "\ufe0e", "\ufe0f")
_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class SearchForm:
    """A text as it is compared; the module says how."""

    spaced: str
    keys: str


def search_form(text: str) -> SearchForm:
    """Return the forms of any text; lone surrogates and what cannot be seen are left out."""
    apart = _unify(decompose(text).text).strip()
    return SearchForm(unicodedata.normalize("NFC", apart), _keys(apart))


@dataclass(frozen=True, slots=True)
class SearchWord:
    """One word of a query.

    Attributes:
        text: Its spaced form.
        keys: Its keys.
        has_hangul: Whether any of it is Hangul.
        is_unfinished: Whether a jamo stands alone in it.
    """

    text: str
    keys: str
    has_hangul: bool
    is_unfinished: bool

    def by_keys(self, *, typing: bool) -> bool:
        """Whether its keys decide."""
        return self.is_unfinished or (typing and self.has_hangul)

    def is_in(self, form: SearchForm, *, typing: bool) -> bool:
        """Return whether the word is found in a text."""
        if self.by_keys(typing=typing):
            return self.keys in form.keys
        return self.text in (form.spaced.replace(" ", "") if self.has_hangul else form.spaced)


def search_words(query: str) -> tuple[SearchWord, ...]:
    """Return the words of a query, each once; none when nothing of it can be seen."""
    words = dict.fromkeys(search_form(query).spaced.split())
    return tuple(
        SearchWord(
            word, _keys(unicodedata.normalize("NFD", word)), bool(_HANGUL.search(word)), bool(_JAMO.search(word))
        )
        for word in words
    )


def finds_all(words: Sequence[SearchWord], form: SearchForm, *, typing: bool) -> bool:
    """Return whether every word is found in a text."""
    return all(word.is_in(form, typing=typing) for word in words)


def begins_word(word: SearchWord, form: SearchForm) -> bool:
    """Return whether some word of the text begins with `word`: 비 does in 비가 왔다 and not in 준비."""
    return f" {word.text}" in f" {form.spaced}"


def excerpt(text: str, words: Sequence[SearchWord], width: int) -> str:
    """Return at most `width` characters of `text` in one line, around the first word that is found in it."""
    line = " ".join(text.split())
    if len(line) <= width:
        return line
    at = min((found for word in words if (found := _position(line, word)) is not None), default=0)
    inner = width - 2 * len(_ELLIPSIS)
    begin = max(0, min(at - inner // 3, len(line) - inner))
    while begin > 0 and _hangs(line[begin]):
        begin -= 1
    end = min(len(line), begin + inner)
    while end < len(line) and end > begin and _hangs(line[end]):
        end -= 1
    before = _ELLIPSIS if begin else ""
    after = _ELLIPSIS if end < len(line) else ""
    return before + line[begin:end].strip() + after


def _unify(apart: str) -> str:
    return _ACCENTS.sub("", apart).casefold()


def _keys(apart: str) -> str:
    return apart.replace(" ", "").translate(_KEYS)


def _position(line: str, word: SearchWord) -> int | None:
    """Return where in `line` the word stands: where whole characters match, else where its keys do."""
    apart = decompose(line)
    keys: list[str] = []
    places: list[int] = []
    for piece, place in zip(apart.text, apart.positions, strict=True):
        for key in _keys(_unify(piece)):
            keys.append(key)
            places.append(place)
    joined = "".join(keys)
    first = at = joined.find(word.keys)
    while at >= 0:
        end = at + len(word.keys)
        whole = (at == 0 or places[at - 1] != places[at]) and (end == len(places) or places[end] != places[end - 1])
        if whole and (word.has_hangul or " " not in line[places[at] : places[end - 1]]):
            return places[at]
        at = joined.find(word.keys, at + 1)
    return places[first] if first >= 0 else None


def _hangs(char: str) -> bool:
    """Return whether a character belongs to the one before it."""
    return char in _SHAPERS or unicodedata.category(char).startswith("M")
