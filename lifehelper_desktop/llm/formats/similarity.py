"""How alike two short texts are, by pairs of neighbouring characters: good for Korean, whose endings vary."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

_NOT_WORD: Final = re.compile(r"[\W_]+")


def character_pairs(text: str) -> frozenset[str]:
    """Return the pairs of neighbouring characters in `text`'s words, word borders included."""
    plain = unicodedata.normalize("NFKC", text[:4000]).casefold()
    out: set[str] = set()
    for word in _NOT_WORD.split(plain):
        if word:
            padded = f" {word} "
            out.update(padded[i : i + 2] for i in range(len(padded) - 1))
    return frozenset(out)


class SimilarityIndex:
    """Compares a text with a fixed list of texts; pairs that many of them share count little."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Index `texts`."""
        self._pairs = [character_pairs(text) for text in texts]
        self._count: dict[str, int] = {}
        for pairs in self._pairs:
            for pair in pairs:
                self._count[pair] = self._count.get(pair, 0) + 1
        self._norms = [self._norm(pairs) for pairs in self._pairs]

    def _weight(self, pair: str) -> float:
        return math.log((len(self._pairs) + 1) / (self._count.get(pair, 0) + 0.5))

    def _norm(self, pairs: frozenset[str]) -> float:
        return math.sqrt(max(sum(self._weight(pair) for pair in pairs), 1e-9))

    def compare(self, text: str) -> list[float]:
        """Return how alike `text` is to each indexed text, 0–1."""
        pairs = character_pairs(text)
        norm = self._norm(pairs)
        return [
            sum(self._weight(pair) for pair in pairs & other) / (norm * other_norm)
            for other, other_norm in zip(self._pairs, self._norms, strict=True)
        ]


def has_hangul(text: str) -> bool:
    """Whether any Korean letter is in `text`."""
    return any("가" <= char <= "힣" or "ㄱ" <= char <= "ㅣ" for char in text)


def best_indexes(scores: Sequence[float], count: int) -> list[int]:
    """Return the indexes of the `count` highest scores, best first; earlier ones win ties."""
    return sorted(range(len(scores)), key=lambda index: -scores[index])[:count]
