"""Messages that mean what was said just before."""

from __future__ import annotations

import re
from collections.abc import Callable

from talk import TalkMaker
from worlds import Example

from lifehelper_desktop.chat.starter import lines as spoken
from lifehelper_desktop.domain.particles import with_particles


class FollowUpMaker(TalkMaker):
    """That one, the answer to which one, thanks, and a new matter after another one."""

    def _shown_before(self, protocol: str) -> tuple[str, str]:
        """Return what the user said and the exchange, after which `protocol` is what was shown."""
        kind = self.rng.random()
        if kind < 0.45:
            ask = self.rng.choice(
                (
                    self.phrase("protocol").text.replace("{name}", self.name(protocol)),
                    self.of_habit(protocol, "how").text,
                )
            )
            return ask, spoken.line(spoken.EXPLAIN, self.title(protocol))
        need = self.of_habit(protocol, "need")
        return need.text, spoken.line(spoken.SEARCH, need.extras[0])

    def _keywords(self, protocol: str) -> list[str]:
        """Return words that the catalogue's search knows the entry by, in the language."""
        fitting = [word for word in self.entries[protocol].keywords if word.isascii() != self.korean]
        return fitting or [self.title(protocol)]

    def _found(self, protocol: str, row: str) -> list[str]:
        if not row.startswith(spoken.SEARCH):
            return []
        others = self.world(without=(protocol,))[: self.rng.randint(0, 2)]
        return [self.title(protocol), *(self.title(key) for key in others)]

    def f_add_it(self) -> Example:
        """That one, please."""
        phrase = self.phrase("f_add_it")
        protocol = self.any_protocol()
        ask, row = self._shown_before(protocol)
        if "{name}" in phrase.before and self.rng.random() < 0.6:
            ask = phrase.before.replace("{name}", self.name(protocol))
            if row.startswith(spoken.SEARCH) and self.rng.random() < 0.7:
                row = spoken.line(spoken.SEARCH, self.rng.choice(self._keywords(protocol)))
        rows = [row]
        if row.startswith(spoken.SEARCH) and self.rng.random() < 0.4:
            rows.append(spoken.line(spoken.EXPLAIN, self.title(protocol)))
        found = self._found(protocol, row) if self.rng.random() < 0.7 or len(rows) == 1 else []
        before = spoken.render_before(with_particles(ask), rows, found)
        extra = phrase.extras[0] if phrase.extras else ""
        quoted = re.search(r"[‘“\"「]([^’”\"」]{4,})[’”\"」]", phrase.text)
        if quoted:
            sentence = quoted.group(1)
            level = "정체성" if re.search(r"나는 .*사람|^I('m| am) ", sentence) else "과정"
            return self._add("f_add_it", phrase.text, protocol, level, f"‘{sentence}’", before=before)
        level = list(spoken.LEVELS)[int(extra) - 1] if extra in ("1", "2", "3") else "과정"
        return self._add("f_add_it", phrase.text, protocol, level, before=before)

    def f_explain_it(self) -> Example:
        """Tell me more of that."""
        phrase = self.phrase("f_explain_it")
        protocol = self.any_protocol()
        need = self.of_habit(protocol, "need")
        row = spoken.line(spoken.SEARCH, need.extras[0])
        before = spoken.render_before(need.text, [row], self._found(protocol, row))
        return self.example(
            "f_explain_it", phrase.text, spoken.line(spoken.EXPLAIN, self.title(protocol)), self.some_world(), before
        )

    def f_which_answer(self) -> Example:
        """The answer to which one."""
        phrase = self.phrase("f_which_answer")
        what, _, day = phrase.extras[0].partition(",")
        value = {"done": "완료", "minimum": "최소", "blank": "쉼"}.get(what.strip())
        protocol = self.any_protocol()
        before = spoken.render_before(phrase.before, [spoken.line(spoken.TALK, spoken.WHICH)])
        text = phrase.text.replace("{name}", self.name(protocol))
        title = self.title(protocol)
        answer = (
            spoken.line(spoken.LOG, title, value, day.strip() or self.today)
            if value
            else spoken.line(spoken.STREAK, title)
        )
        return self.example("f_which_answer", text, answer, self.world(protocol, fewest=2), before)

    def _named_before(self, section: str, answer: Callable[[str], str], earlier: Callable[[str], str]) -> Example:
        phrase = self.phrase(section)
        protocol = self.any_protocol()
        said = with_particles(phrase.before.replace("{name}", self.name(protocol)))
        before = spoken.render_before(said, [earlier(self.title(protocol))])
        text = phrase.text.replace("{name}", self.name(protocol))
        return self.example(section, text, answer(self.title(protocol)), self.world(protocol), before)

    def f_streak_it(self) -> Example:
        """And how long is that now?"""
        return self._named_before(
            "f_streak_it",
            lambda title: spoken.line(spoken.STREAK, title),
            lambda title: spoken.line(spoken.LOG, title, "완료", self.today),
        )

    def f_log_it(self) -> Example:
        """I have done that one today too."""
        return self._named_before(
            "f_log_it",
            lambda title: spoken.line(spoken.LOG, title, "완료", self.today),
            lambda title: spoken.line(spoken.STREAK, title),
        )

    def f_thanks(self) -> Example:
        """Thanks."""
        protocol = self.any_protocol()
        row = self.rng.choice(
            (
                spoken.line(spoken.LOG, self.title(protocol), "완료", self.today),
                spoken.line(spoken.STREAK, self.title(protocol)),
                spoken.line(spoken.EXPLAIN, self.title(protocol)),
            )
        )
        ask = self._take(
            self.book.sections[
                "log_done" if row.startswith(spoken.LOG) else "streak" if row.startswith(spoken.STREAK) else "protocol"
            ]
        )
        said = with_particles(ask.text.replace("{name}", self.name(protocol)).replace("{date}", self.today))
        return self._reply("f_thanks", spoken.CHAT, spoken.render_before(said, [row]))

    def f_declined(self) -> Example:
        """No, thanks."""
        return self._reply(
            "f_declined",
            spoken.CHAT,
            spoken.render_before(self.phrase("slipchat").text, [spoken.line(spoken.TALK, spoken.FEELING)]),
        )

    def unrelated_before(self) -> Example:
        """A new matter after another one: what was before must not rub off."""
        first = self.rng.choice((self.log_clause, self.streak, self.need, self.how, self.feel))()
        self.used.clear()
        then = self.rng.choice(
            (
                self.log_done,
                self.log_clause,
                self.log_blank,
                self.streak,
                self.list_habits,
                self.need,
                self.how,
                self.wish,
                self.chat,
                self.log_min_clause,
            )
        )()
        then.before = spoken.render_before(first.user, first.answer.split("\n"))
        return then
