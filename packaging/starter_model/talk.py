"""Messages that words answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from questions import RequestMaker
from worlds import Example, UnfittingError

from lifehelper_desktop.chat.starter import lines as spoken

_MATTERS_OF_STREAK = re.compile(r"며칠|몇일|연속|스트릭|streak|기록이|how many days|how long", re.IGNORECASE)


class TalkMaker(RequestMaker):
    """Small talk, feelings, what only the screens do, safety, danger, and what cannot be understood."""

    def _talk(self, section: str, *parts: str, text: str | None = None, world: Sequence[str] | None = None) -> Example:
        said = self.phrase(section).text if text is None else text
        return self.example(
            section, said, spoken.line(spoken.TALK, *parts), self.some_world() if world is None else world
        )

    def _reply(self, section: str, kind: str, before: str = "") -> Example:
        phrase = self.phrase(section)
        answer = spoken.line(spoken.TALK, kind, spoken.squeeze(phrase.extras[0], 150))
        return self.example(section, phrase.text, answer, self.some_world(), before)

    def chat(self) -> Example:
        """Small talk."""
        return self._reply("chat", spoken.CHAT)

    def notcrisis(self) -> Example:
        """Sounds like danger and is a manner of speaking."""
        return self._reply("notcrisis", spoken.CHAT)

    def feel(self) -> Example:
        """How somebody feels."""
        return self._reply("feel", spoken.FEELING)

    def slipchat(self) -> Example:
        """A slip in general."""
        return self._reply("slipchat", spoken.FEELING)

    def outside(self) -> Example:
        """Nothing this app does."""
        return self._talk("outside", spoken.OUTSIDE)

    def fact(self) -> Example:
        """General knowledge."""
        return self._talk("fact", spoken.FACT)

    def crisis(self) -> Example:
        """Danger."""
        return self._talk("crisis", spoken.CRISIS)

    def vague(self) -> Example:
        """Not to be understood."""
        return self._talk("vague", spoken.VAGUE)

    def help(self) -> Example:
        """What the coach can do."""
        return self._talk("help", spoken.HELP)

    def which(self) -> Example:
        """Which one is not said: with one habit it is that one."""
        return self._talk("which", spoken.WHICH, world=self.world(fewest=2))

    def screen(self) -> Example:
        """What only the window does."""
        phrase = self.phrase("screen")
        protocol = self.any_protocol()
        return self._talk(
            "screen",
            spoken.SCREEN,
            phrase.extras[0],
            text=phrase.text.replace("{name}", self.name(protocol)),
            world=self.world(protocol),
        )

    def merge(self) -> Example:
        """Two in one."""
        first, second = self.rng.sample(list(self.entries), 2)
        text = self.phrase("merge").text.replace("{name2}", self.name(second)).replace("{name}", self.name(first))
        return self._talk("merge", spoken.MERGE, text=text)

    def safety(self) -> Example:
        """A wish and a condition."""
        phrase = self.phrase("safety")
        about = self.title(phrase.protocol) if phrase.protocol else spoken.NOTHING
        world = self.world(phrase.protocol) if phrase.protocol and self.rng.random() < 0.2 else self.some_world()
        return self._talk("safety", spoken.SAFETY, about, text=phrase.text, world=world)

    def slip(self) -> Example:
        """What the habit is there to replace has happened."""
        protocol = self.rng.choice([key for key in self.entries if self._breaks(key)])
        world = self.world(protocol) if self.rng.random() < 0.75 else self.some_world()
        return self._talk(
            "slip", spoken.SLIP, self.title(protocol), text=self.of_habit(protocol, "slip").text, world=world
        )

    def missing(self) -> Example:
        """A habit that is not in the catalogue: not there, or the user's own."""
        phrase = self.phrase("missing")
        thing = phrase.extras[0]
        if self.rng.random() < 0.5:
            return self._talk(
                "missing", spoken.MISSING, spoken.squeeze(thing, 40), text=phrase.text, world=self.world()
            )
        world = self.world()[:3]
        world.insert(self.rng.randint(0, len(world)), thing)
        if _MATTERS_OF_STREAK.search(phrase.text):
            return self.example("own_habit", phrase.text, spoken.line(spoken.STREAK, thing), world)
        if re.search(r"어제|그제|요일|yesterday|\bago\b|day\b", phrase.text):
            raise UnfittingError
        return self.example("own_habit", phrase.text, spoken.line(spoken.LOG, thing, "완료", self.today), world)
