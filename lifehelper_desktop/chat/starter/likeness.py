"""How much a message sounds like each habit, by pairs of letters shared with what the catalogue says of it.

The catalogue's titles, doses, sentences and keywords in both languages tell two similar habits apart better than a
small model does; the model hears what no shared letters say. Both together decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lifehelper_desktop.chat.starter.guards import squeezed
from lifehelper_desktop.domain.habits import Protocol
from lifehelper_desktop.llm.formats.similarity import SimilarityIndex
from lifehelper_desktop.storage.catalogue import Catalogue

_FIELDS: Final = (
    "title",
    "title",  # what it is called says most
    "summary",
    "standard_dose",
    "minimum_dose",
    "anchor_when",
    "anchor_after_what",
)
_KEYWORD_CHARS: Final = 2


def _said_of(entry: Protocol) -> str:
    texts = [entry.text(field, language) for language in ("ko", "en") for field in _FIELDS]
    frames = [frame for language in ("ko", "en") for frame in entry.frames[language]]
    return " ".join([*texts, *frames, *entry.keywords, *entry.keywords])


class Likeness:
    """Compares messages with the catalogue's entries and with titles of the user's own. Not thread-safe."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Index the catalogue once."""
        self._catalogue = catalogue
        self._said = {entry.id: _said_of(entry) for entry in catalogue.all()}
        self._by_title = {
            entry.text("title", language): entry.id for entry in catalogue.all() for language in ("ko", "en")
        }
        self._own: tuple[str, ...] = ()
        self._index = SimilarityIndex(self._said.values())

    def compare(self, user: str, titles: Sequence[str]) -> dict[str, float]:
        """Return how alike the message is to each habit of these titles, 0-1."""
        own = tuple(title for title in titles if title not in self._by_title)
        if own != self._own:
            self._own, self._index = own, SimilarityIndex([*self._said.values(), *own])
        scores = dict(zip([*self._said, *own], self._index.compare(user), strict=True))
        return {title: scores[self._by_title.get(title, title)] for title in titles}

    def named(self, user: str, titles: Sequence[str]) -> set[str]:
        """Return those habits of `titles` of which the message holds a keyword that belongs to none of the others."""
        plain = [squeezed(word) for word in user.split()]
        words = {title: self._keywords(title) for title in titles}
        out: set[str] = set()
        for title in titles:
            others = {word for other in titles if other != title for word in words[other]}
            own = words[title] - others
            # Korean words carry their endings behind them.
            if any(said.startswith(word) for said in plain for word in own):
                out.add(title)
        return out

    def _keywords(self, title: str) -> set[str]:
        entry = self._catalogue.get(self._by_title.get(title, ""))
        words = entry.keywords if entry is not None else title.split()
        return {squeezed(word) for word in words if len(squeezed(word)) >= _KEYWORD_CHARS}

    def keyword(self, user: str, wanted: str) -> str:
        """Return the word to search for: `wanted`, or a keyword of the catalogue that stands in the message instead.

        A model that read “my neck is stiff” and searches for something else has not listened; where the message holds
        a keyword and `wanted` is not of the message's own words, the keyword is taken. The longest one wins.
        """
        plain, word = squeezed(user), squeezed(wanted)
        if word and word in plain and self._catalogue.search(wanted):
            return wanted
        spoken = {
            keyword
            for entry in self._catalogue.all()
            for keyword in entry.keywords
            if len(squeezed(keyword)) >= _KEYWORD_CHARS and squeezed(keyword) in plain
        }
        if spoken:
            return max(sorted(spoken), key=len)
        return wanted
