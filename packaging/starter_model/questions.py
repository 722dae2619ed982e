"""Messages that ask for something: numbers, the list, explanations, options, new habits."""

from __future__ import annotations

import re

from entries import EntryMaker
from phrasebook import Phrase
from topics import AVOIDED, TOPICS
from worlds import Example, UnfittingError

from lifehelper_desktop.chat.starter import lines as spoken

_QUOTED = re.compile(r"[‘“\"'「](.+)[’”\"'」]$")


class RequestMaker(EntryMaker):
    """Questions and new habits."""

    # -- questions

    def streak(self) -> Example:
        """How it goes."""
        protocol = self.any_protocol()
        text = self._entry_text(self.phrase("streak"), None, name=self.name(protocol))
        if self.rng.random() < 0.015:
            missing = spoken.line(spoken.TALK, spoken.MISSING, self.title(protocol))
            return self.example("missing_here", text, missing, self.world(without=(protocol,)))
        return self.example("streak", text, spoken.line(spoken.STREAK, self.title(protocol)), self.world(protocol))

    def ask(self) -> Example:
        """How it goes, the habit told in own words."""
        protocol = self.any_protocol()
        text = self.of_habit(protocol, "ask").text
        return self.example("ask", text, spoken.line(spoken.STREAK, self.title(protocol)), self.world(protocol))

    def list_habits(self) -> Example:
        """What there is."""
        return self.example("list", self.phrase("list").text, spoken.LIST, self.some_world())

    def protocol(self) -> Example:
        """An explanation, the entry named."""
        protocol = self.any_protocol()
        text = self._entry_text(self.phrase("protocol"), None, name=self.name(protocol))
        world = self.world(protocol) if self.rng.random() < 0.3 else self.some_world()
        return self.example("protocol", text, spoken.line(spoken.EXPLAIN, self.title(protocol)), world)

    def how(self) -> Example:
        """An explanation, asked in its own words."""
        protocol = self.any_protocol()
        world = self.world(protocol) if self.rng.random() < 0.3 else self.some_world()
        return self.example(
            "how", self.of_habit(protocol, "how").text, spoken.line(spoken.EXPLAIN, self.title(protocol)), world
        )

    def overdose(self) -> Example:
        """Too much of something: it is explained first."""
        phrase = self.phrase("overdose")
        return self.example(
            "overdose", phrase.text, spoken.line(spoken.EXPLAIN, self.title(phrase.protocol)), self.some_world()
        )

    def search(self) -> Example:
        """Options of a topic: a whole category, or a word."""
        template = self.phrase("search")
        if self.rng.random() < 0.6:
            category, words = self.rng.choice(list(TOPICS[self.language].items()))
            topic = self.rng.choice(words)
            row = self.catalogue.find_category(category)
            if row is None:
                raise LookupError(category)
            answer = spoken.line(spoken.CATEGORY, row.ko if self.shown == "ko" else row.en)
        else:
            entry = self.entries[self.any_protocol()]
            fitting = [word for word in entry.keywords if word.isascii() != self.korean]
            if not fitting:
                raise UnfittingError
            topic = self.rng.choice(fitting)
            answer = spoken.line(spoken.SEARCH, topic)
        return self.example("search", self._entry_text(template, None, topic=topic), answer, self.some_world())

    def need(self) -> Example:
        """A trouble that something in the catalogue answers."""
        protocol = self.any_protocol()
        phrase = self.of_habit(protocol, "need")
        return self.example("need", phrase.text, spoken.line(spoken.SEARCH, phrase.extras[0]), self.some_world())

    def search_any(self) -> Example:
        """Anything at all."""
        return self.example(
            "search_any", self.phrase("search_any").text, spoken.line(spoken.CATEGORY, spoken.WHOLE), self.some_world()
        )

    def nothing(self) -> Example:
        """A topic that the catalogue has nothing for."""
        phrase = self.phrase("nothing")
        return self.example("nothing", phrase.text, spoken.line(spoken.SEARCH, phrase.extras[0]), self.some_world())

    # -- new habits

    def _new_world(self, protocol: str) -> list[str]:
        return [] if self.rng.random() < 0.3 else self.world(without=(protocol,))

    def _add(
        self,
        section: str,
        text: str,
        protocol: str,
        level: str = "과정",
        frame: str = spoken.SUGGESTED,
        *fields: str,
        before: str = "",
    ) -> Example:
        answer = spoken.line(spoken.ADD, self.title(protocol), level, frame, *fields)
        return self.example(section, text, answer, self._new_world(protocol), before)

    def add(self) -> Example:
        """A new habit, named."""
        protocol = self.any_protocol()
        return self._add("add", self._entry_text(self.phrase("add"), None, name=self.name(protocol)), protocol)

    def add_more(self) -> Example:
        """One more beside others."""
        protocol = self.any_protocol()
        return self._add(
            "add_more", self._entry_text(self.phrase("add_more"), None, name=self.name(protocol)), protocol
        )

    def add_level(self) -> Example:
        """A new habit with the kind of sentence."""
        protocol = self.any_protocol()
        template = self.phrase("add_level")
        level = list(spoken.LEVELS)[int(template.extras[0]) - 1]
        return self._add("add_level", self._entry_text(template, None, name=self.name(protocol)), protocol, level)

    def add_quote_bad(self) -> Example:
        """A wording that the rules will refuse: it is passed on as it is."""
        protocol = self.any_protocol()
        bad = self.rng.choice(AVOIDED[self.language])
        text = self._entry_text(self.phrase("add_quote_bad"), None, name=self.name(protocol), bad=bad)
        return self._add("add_quote_bad", text, protocol, "과정", f"‘{bad}’")

    def wish(self) -> Example:
        """A new habit, wished for in own words."""
        protocol = self.any_protocol()
        return self._add("wish", self.of_habit(protocol, "wish").text, protocol)

    def _frame(self, phrase: Phrase) -> tuple[str, str, list[str]]:
        """Return level, sentence and fields of a phrase's extras."""
        frame, *rest = phrase.extras
        quoted = _QUOTED.search(frame)
        level = "과정"
        if quoted:
            frame = f"‘{quoted.group(1).strip()}’"
            level = "정체성" if re.search(r"나는 .*사람|^.I ('m|am) ", frame) else "과정"
        fields = []
        for part in rest:
            key, _, value = part.partition(":")
            mark = {"때": "때", "when": "때", "뒤": "뒤", "after": "뒤"}.get(key.strip().lower())
            if mark:
                fields.append(f"{mark} {value.strip()}")
        return level, spoken.squeeze(frame, 90), fields

    def add_detail(self) -> Example:
        """A new habit with its time, its anchor or its own sentence."""
        protocol = self.any_protocol()
        phrase = self.of_habit(protocol, "add")
        level, frame, fields = self._frame(phrase)
        return self._add("add_detail", phrase.text, protocol, level, frame, *fields)

    def protocol_add(self) -> Example:
        """Show it and add it at once."""
        protocol = self.any_protocol()
        text = self._entry_text(self.phrase("protocol_add"), None, name=self.name(protocol))
        fields: tuple[str, ...] = ()
        if self.rng.random() < 0.4:
            hour = self.rng.randint(1, 11)
            half = self.rng.choice(("", "", " 반", " 30분")) if self.korean else self.rng.choice(("", "", ":30"))
            when = (
                f"{self.rng.choice(('오전', '오후', '아침', '저녁', '밤'))} {hour}시{half}"
                if self.korean
                else f"{hour}{half} {self.rng.choice(('am', 'pm'))}"
            )
            text = (
                f"{text}{self.rng.choice((', ', ' '))}{when}{self.rng.choice(('로', '에', ' 기준으로'))}"
                if self.korean
                else f"{text.rstrip('.')} at {when}"
            )
            fields = (f"때 {when}",)
        answer = spoken.line(spoken.EXPLAIN, self.title(protocol)) + "\n"
        answer += spoken.line(spoken.ADD, self.title(protocol), "과정", spoken.SUGGESTED, *fields)
        return self.example("protocol_add", text, answer, self._new_world(protocol))
