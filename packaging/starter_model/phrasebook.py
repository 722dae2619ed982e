"""The phrases that the training data is made of, read from `phrases/` and split into training and validation.

Every line of those files is one phrasing family. Whether a family belongs to the validation set is decided by a hash
of its text, so that it never changes sides, and no template or clause is shared between the two sets.
"""

from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

PHRASES = Path(__file__).parent / "phrases"
VALIDATION_SHARE = 0.06


@dataclass(frozen=True)
class Phrase:
    """One line: `before -> text => extra | extra`, under the catalogue entry of its block (if any)."""

    text: str
    extras: tuple[str, ...] = ()
    before: str = ""
    protocol: str = ""

    @property
    def family(self) -> str:
        """A short name of this wording."""
        return hashlib.sha256(f"{self.protocol}|{self.before}|{self.text}".encode()).hexdigest()[:12]

    @property
    def held_out(self) -> bool:
        """Whether the wording is kept for validation."""
        return int(self.family[:8], 16) / 0xFFFFFFFF < VALIDATION_SHARE


def _parse(body: str, protocol: str) -> Phrase:
    text, _, extra = body.partition(" => ")
    before, arrow, after = text.partition(" -> ")
    if not arrow:
        before, after = "", text
    # The first extra is what the line stands for; the others are fields such as `때: 3시`.
    extras = tuple(part.strip() for part in extra.split(" | ")) if extra else ()
    return Phrase(after.strip(), extras, before.strip(), protocol)


@dataclass
class PhraseBook:
    """All phrases of one language: `by_habit[protocol][tag]` and `sections[name]`."""

    language: str
    by_habit: dict[str, dict[str, list[Phrase]]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    sections: dict[str, list[Phrase]] = field(default_factory=lambda: defaultdict(list))

    def pick(self, rng: random.Random, phrases: Sequence[Phrase], *, held_out: bool) -> Phrase | None:
        """Return one of `phrases` of the wanted side, or None when it has none."""
        side = [phrase for phrase in phrases if phrase.held_out == held_out]
        return rng.choice(side) if side else None


def read_phrases(language: str) -> PhraseBook:
    """Return the phrases of `language` (`ko` or `en`).

    Raises:
        ValueError: A line that is neither a comment, a block header nor `tag: text`.
    """
    book = PhraseBook(language)
    for path in sorted(PHRASES.glob(f"*_{language}*.txt")):
        protocol = ""
        of_habits = path.name.startswith("habits")
        for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            row = raw.strip()
            if not row or row.startswith("#"):
                continue
            if row.startswith("@"):
                protocol = row[1:].strip()
                continue
            tag, colon, body = row.partition(":")
            if not colon or not body.strip():
                raise ValueError(f"{path.name}:{number}: {row}")
            phrase = _parse(body.strip(), protocol if protocol != "-" else "")
            target = book.by_habit[protocol] if of_habits else book.sections
            target[tag.strip()].append(phrase)
    return book
