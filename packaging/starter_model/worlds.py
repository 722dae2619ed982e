"""One example, and the small world that it happens in."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from phrasebook import Phrase, PhraseBook, read_phrases
from wording import english_date, english_noise, korean_date, korean_noise

from lifehelper_desktop.chat.starter import lines as spoken
from lifehelper_desktop.domain.habits import HabitType
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.storage.catalogue import Catalogue


@dataclass
class Example:
    """One example; `habits` are titles in the order shown, `answer` the lines without the leading space."""

    lang: str
    section: str
    user: str
    answer: str
    habits: list[str] = field(default_factory=list)
    before: str = ""
    families: list[str] = field(default_factory=list)

    @property
    def prompt(self) -> str:
        """What the model reads."""
        return spoken.render_prompt(self.habits, self.user, self.before)


class UnfittingError(Exception):
    """A combination of phrases that says nothing sensible, or a side without such phrases: another is drawn."""


class Maker:
    """Makes examples of one language from one side of the phrases."""

    def __init__(self, rng: random.Random, language: str, catalogue: Catalogue, *, held_out: bool) -> None:
        """`rng` decides everything."""
        self.rng = rng
        self.language = language
        self.korean = language == "ko"
        self.book: PhraseBook = read_phrases(language)
        self.catalogue = catalogue
        self.entries = {entry.id: entry for entry in catalogue.all()}
        self.held_out = held_out
        self.used: list[str] = []
        self.shown = language

    # -- small pieces

    def phrase(self, section: str) -> Phrase:
        """Return a phrase of a section."""
        return self._take(self.book.sections[section])

    def of_habit(self, protocol: str, tag: str) -> Phrase:
        """Return a phrase of a catalogue entry."""
        return self._take(self.book.by_habit[protocol][tag])

    def name(self, protocol: str) -> str:
        """Return how people call the entry; names are short and shared by both sides."""
        names = self.book.by_habit[protocol]["name"]
        entry = self.entries[protocol]
        if self.rng.random() < 0.12 or not names:
            return entry.text("title", self.language)
        return self.rng.choice(names).text

    def _take(self, phrases: Sequence[Phrase]) -> Phrase:
        chosen = self.book.pick(self.rng, phrases, held_out=self.held_out)
        if chosen is None:
            raise UnfittingError
        self.used.append(chosen.family)
        return chosen

    def title(self, protocol: str) -> str:
        """Return the entry's title in the language of the app's window."""
        return self.entries[protocol].text("title", self.shown)

    def date(self) -> tuple[str, str]:
        """Return a day as said and as written."""
        return korean_date(self.rng) if self.korean else english_date(self.rng)

    @property
    def today(self) -> str:
        """The word for today."""
        return "오늘" if self.korean else "today"

    def any_protocol(self) -> str:
        """Return any catalogue id."""
        return self.rng.choice(list(self.entries))

    # -- worlds

    def world(self, *wanted: str, without: Sequence[str] = (), fewest: int = 0) -> list[str]:
        """Return active catalogue ids with `wanted` among them: at most three to build and one to break."""
        chosen = list(wanted)
        size = self.rng.choices((1, 2, 3, 4), (20, 34, 30, 16))[0]
        size = max(size, len(chosen), fewest)
        pool = [key for key in self.entries if key not in chosen and key not in without]
        self.rng.shuffle(pool)
        if wanted and self.rng.random() < 0.7:
            near = {self.entries[key].category for key in wanted}
            pool.sort(key=lambda key: self.entries[key].category not in near)
        for key in pool:
            if len(chosen) >= size:
                break
            breaks = sum(self._breaks(each) for each in chosen)
            if (self._breaks(key) and breaks >= 1) or (not self._breaks(key) and len(chosen) - breaks >= 3):
                continue
            chosen.append(key)
        self.rng.shuffle(chosen)
        return chosen

    def _breaks(self, protocol: str) -> bool:
        return self.entries[protocol].kind.habit_type is HabitType.BREAK

    def some_world(self) -> list[str]:
        """Return habits that have nothing to do with the message; often none."""
        return [] if self.rng.random() < 0.25 else self.world()

    def example(self, section: str, user: str, answer: str, world: Sequence[str], before: str = "") -> Example:
        """Return the finished example; `world` holds catalogue ids or titles of the user's own."""
        user = with_particles(user)
        user = korean_noise(self.rng, user) if self.korean else english_noise(self.rng, user)
        titles = [self.title(key) if key in self.entries else key for key in world]
        return Example(self.language, section, user, answer, titles, before, list(self.used))
