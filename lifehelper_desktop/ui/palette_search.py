"""What the palette finds: titles as typed, unfinished syllables, initial consonants (ㄱㄱ), and slips of the finger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from lifehelper_desktop.domain.finding import finds
from lifehelper_desktop.domain.jamo import decompose

# How well a text fits, best first.
_WHOLE, _BEGINS, _WORD, _INSIDE, _TYPED, _SCATTERED, _CLOSE = 100, 90, 80, 70, 60, 50, 40
_OTHER_WORDS: Final = 5  # less for a word that is not the title
_WAITING: Final = 30  # less for what waits: one's own things come before those of the catalogue
_RECENT: Final = 9  # more for what was chosen lately: enough among neighbours, too little to turn the order round
_SLIPS_FROM: Final = 5  # letters (jamo): shorter words are like too many others
_LIKENESS_MIN: Final = 80  # 0–100


@dataclass(frozen=True, slots=True)
class PaletteItem:
    """One thing that can be chosen.

    Attributes:
        key: By which it is remembered: `command new_chat`, `habit 3`, `done 3`, `entry daily-steps`.
        title: What is read.
        words: What it is found by besides the title, in any language.
        run: Does it.
        keys: Key of the command as people read it, or empty.
        icon: Name of an icon.
        waits: Shown only once something was typed.
        detail: Where it belongs: a second line.
    """

    key: str
    title: str
    words: tuple[str, ...]
    run: Callable[[], object]
    keys: str = ""
    icon: str = ""
    waits: bool = False
    detail: str = ""


def search(items: Sequence[PaletteItem], wanted: str, recent: Sequence[str]) -> list[PaletteItem]:
    """Return the items that fit `wanted`, best first; what was chosen lately (`recent`, newest first) comes before
    its equals. Without anything wanted: all that does not wait, the recent ones first.
    """
    lately = {key: place for place, key in reversed(list(enumerate(recent)))}
    if not wanted.strip():
        shown = [each for each in items if not each.waits or each.key in lately]
        return sorted(shown, key=lambda each: lately.get(each.key, len(lately)))
    scores = {each.key: _fit(each, wanted) - (_WAITING if each.waits else 0) for each in items}
    found = [each for each in items if scores[each.key] > 0]

    def order(item: PaletteItem) -> tuple[int, int]:
        bonus = _RECENT if item.key in lately else 0
        return -scores[item.key] - bonus, lately.get(item.key, len(lately))

    return sorted(found, key=order)


def _fit(item: PaletteItem, wanted: str) -> int:
    best = fit(item.title, wanted)
    for words in item.words:
        best = max(best, fit(words, wanted) - _OTHER_WORDS)
    # Words of both languages, and those of title and description, may be mixed.
    if best <= 0 and finds(wanted, " ".join((item.title, *item.words))):
        return _SCATTERED
    return best


@lru_cache(maxsize=8192)
def fit(text: str, wanted: str) -> int:
    """Return how well `wanted` fits `text`: 0 not at all, 100 the same."""
    typed, letters = _letters(wanted), _letters(text)
    if not typed:
        return 0
    if letters == typed:
        return _WHOLE
    if letters.startswith(typed):
        return _BEGINS
    if f" {typed}" in letters:
        return _WORD
    if typed in letters:
        return _INSIDE
    if finds(wanted, text):
        return _TYPED
    if len(typed) >= _SLIPS_FROM:
        likeness = max(fuzz.ratio(typed, word, score_cutoff=_LIKENESS_MIN) for word in (letters, *letters.split()))
        if likeness:
            return _CLOSE
    return 0


@lru_cache(maxsize=8192)
def _letters(text: str) -> str:
    """Return the letters that are compared: small, Hangul taken apart, signs as spaces."""
    apart = decompose(text).text
    return " ".join("".join(char if char.isalnum() or "\u1100" <= char <= "\u11ff" else " " for char in apart).split())
