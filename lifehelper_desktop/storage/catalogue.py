"""The catalogue: 47 evidence-based entries in nine categories, read from `resources/catalogue/`, and its search.

To add an entry: one object in the category's JSON file. `tests/storage/test_catalogue.py` checks the schema, both
languages, R7 over every frame, and the source.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from rapidfuzz.distance import OSA

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import LANGUAGES, _
from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.domain.habits import Category, Evidence, HabitKind, Protocol

SEARCH_LIMIT_DEFAULT: Final = 5
SEARCH_LIMIT_MAX: Final = 10
_KEYWORD_MAX: Final = 200  # characters; a longer keyword is cut, so that pasted pages cost nothing
# Words that say "habit" or "stop" and nothing about which one; close-spelling search leaves them out.
_FILLERS: Final = frozenset(
    (
        *("습관", "프로토콜", "추천", "끊기", "줄이기", "그만하기"),
        *("habit", "habits", "protocol", "stop", "quit", "quitting", "reduce", "less", "no"),
    )
)
# Endings that may trail a word ("명상을", "walking"); only looked at when nothing matches.
_ENDINGS: Final = (
    *("을", "를", "이", "가", "은", "는", "도", "로", "으로", "에", "과", "와", "랑", "이랑", "하기", "하고", "끊기"),
    *("ing", "s"),
)


def fold(text: str) -> str:
    """Return `text` in the form that search compares: composed (NFKC), case-folded."""
    return unicodedata.normalize("NFKC", text).casefold()


def letters(word: str) -> str:
    """Return the letters of a folded word, Hangul taken apart into jamo, so that one slip is one edit."""
    return unicodedata.normalize("NFD", word)


def allowed_edits(length: int) -> int:
    """Return how many slips a word of `length` letters (jamo) may hold and still be recognised."""
    if length < 5:
        return 0
    return 1 if length < 9 else 2


def _squeeze(text: str) -> str:
    return "".join(char for char in fold(text) if char.isalnum())


@dataclass(frozen=True)
class _Indexed:
    """One entry with the text that is searched.

    Attributes:
        text: Everything 4.1 names, in both languages, folded, one field a line so that no match crosses fields.
        joined: `text` with the spaces taken out, for compounds typed without them.
        words: Letters of the words that a close spelling may stand for: titles, keywords and category.
    """

    protocol: Protocol
    text: str
    joined: str
    words: frozenset[str]


class Catalogue:
    """All entries in catalogue order. Immutable after loading; any thread may use it."""

    def __init__(self, categories: Sequence[Category], protocols: Sequence[Protocol]) -> None:
        """Index the entries.

        Raises:
            ValueError: An id occurs twice or an entry names an unknown category.
        """
        self._categories = tuple(categories)
        self._protocols = tuple(protocols)
        self._by_id = {protocol.id: protocol for protocol in self._protocols}
        self._labels = {
            _squeeze(label): category
            for category in self._categories
            for label in (category.name, category.ko, category.en)
        }
        names = {category.name for category in self._categories}
        unknown = {protocol.category for protocol in self._protocols} - names
        if len(self._by_id) != len(self._protocols) or unknown:
            raise ValueError(f"catalogue: an id occurs twice, or unknown categories {sorted(unknown)}")

    @classmethod
    def load(cls, folder: Path | None = None) -> Catalogue:
        """Read the catalogue files of `folder` (by default the program's own).

        Raises:
            WorldError: A file is missing or unreadable: the installation is damaged.
        """
        root = folder if folder is not None else resources_dir() / "catalogue"
        try:
            categories = [Category(**row) for row in _read(root / "categories.json")]
            protocols = [_protocol(row) for category in categories for row in _read(root / f"{category.name}.json")]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise WorldError(_("습관 카탈로그를 읽지 못했어요."), _("프로그램을 다시 설치해 주세요.")) from error
        return cls(categories, protocols)

    @property
    def categories(self) -> tuple[Category, ...]:
        """The categories in display order."""
        return self._categories

    def all(self) -> tuple[Protocol, ...]:
        """Return every entry in catalogue order."""
        return self._protocols

    def get(self, protocol_id: str) -> Protocol | None:
        """Return the entry with this id (spaces around it and upper case do not matter), or None."""
        return self._by_id.get(protocol_id) or self._by_id.get(fold(protocol_id).strip())

    def find_category(self, text: str) -> Category | None:
        """Return the category whose name or label, Korean or English, is `text` in any case and spacing, or None."""
        return self._labels.get(_squeeze(text[:_KEYWORD_MAX]))

    def search(
        self, keyword: str | None = None, category: str | None = None, limit: int | None = SEARCH_LIMIT_DEFAULT
    ) -> list[Protocol]:
        """Return up to `limit` entries (clamped to 1–10; None: all) in catalogue order.

        Every space-separated part of `keyword` must occur in an entry's id, category, titles, summaries, keywords
        or target behaviour, in either language. Only when nothing matches so, close spellings are tried, nearest
        first. A blank keyword or category does not restrict; an unknown category gives an empty list.
        """
        wanted = (category or "").strip()
        found = self.find_category(wanted) if wanted else None
        if wanted and found is None:
            return []
        rows = [row for row in self._index if found is None or row.protocol.category == found.name]
        parts = fold((keyword or "")[:_KEYWORD_MAX]).split()
        hits = [row.protocol for row in rows if all(part in row.text for part in parts)]
        if not hits:
            hits = _close(rows, parts)
        return hits if limit is None else hits[: max(1, min(limit, SEARCH_LIMIT_MAX))]

    @cached_property
    def _index(self) -> tuple[_Indexed, ...]:
        labels = {category.name: category for category in self._categories}
        return tuple(_indexed(protocol, labels[protocol.category]) for protocol in self._protocols)


def _read(path: Path) -> list[Any]:
    value = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(value, list):
        raise TypeError(f"{path.name}: expected a list")
    return value


def _protocol(row: dict[str, Any]) -> Protocol:
    frames: dict[str, tuple[str, str, str]] = {}
    texts: dict[str, dict[str, str]] = {}
    for language in LANGUAGES:
        fields = dict(row[language])
        outcome, process, identity = fields.pop("frames")
        frames[language] = (outcome, process, identity)
        texts[language] = fields
    evidence = Evidence(**row["evidence"], limit=texts["ko"]["limit"])
    return Protocol(
        id=row["id"],
        kind=HabitKind(row["kind"]),
        category=row["category"],
        texts=texts,
        frames=frames,
        keywords=tuple(row["keywords"]),
        evidence=evidence,
        requires_ack=row["requires_ack"],
    )


def _indexed(protocol: Protocol, category: Category) -> _Indexed:
    head = [protocol.id, category.name, category.ko, category.en, *protocol.keywords]
    titles = [protocol.text("title", language) for language in LANGUAGES]
    rest = [protocol.text(field, language) for field in ("summary", "target_behavior") for language in LANGUAGES]
    text = fold("\n".join([*head, *titles, *rest]))
    words = {letters(word) for word in _words([*head, *titles])}
    return _Indexed(protocol, text, text.replace(" ", ""), frozenset(words))


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in "".join(c if c.isalnum() else " " for c in fold(text)).split()}


def _close(rows: Sequence[_Indexed], parts: Sequence[str]) -> list[Protocol]:
    """Return the entries in which every part has a close spelling, nearest first, catalogue order among equals."""
    kept = [part for part in parts if part not in _FILLERS]
    if not kept:
        return []
    ranked: list[tuple[int, Protocol]] = []
    for row in rows:
        total = 0
        for part in kept:
            distance = _distance(row, part)
            if distance is None:
                break
            total += distance
        else:
            ranked.append((total, row.protocol))
    best = min((total for total, _protocol in ranked), default=0)
    # Farther guesses beside a nearer one would only be noise.
    return [protocol for total, protocol in ranked if total == best]


def _distance(row: _Indexed, part: str) -> int | None:
    """Return the slips between `part` and the nearest word of the entry, or None when none is near enough."""
    if part in row.text or part in row.joined:
        return 0
    for ending in _ENDINGS:
        stem = part.removesuffix(ending)
        if stem != part and len(letters(stem)) >= 4 and stem in row.text:
            return 0
    if any(part[:cut] in row.text and part[cut:] in row.text for cut in range(2, len(part) - 1)):
        return 1  # two words typed as one: 감사일기
    typed = letters(part)
    cutoff = allowed_edits(len(typed))
    if cutoff == 0:
        return None
    distances = [OSA.distance(typed, word, score_cutoff=cutoff) for word in row.words]
    nearest = min(distances, default=cutoff + 1)
    return nearest if nearest <= cutoff else None
