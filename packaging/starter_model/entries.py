"""Messages that record a day."""

from __future__ import annotations

from phrasebook import Phrase
from topics import FUTURE, SHARED_NAMES, WRITTEN_FUTURE
from wording import put_korean_date
from worlds import Example, Maker, UnfittingError

from lifehelper_desktop.chat.starter import lines as spoken


class EntryMaker(Maker):
    """Entries: done, minimum, rest, several, in advance, or not said which."""

    def _entry_text(self, template: Phrase, said: str | None, **slots: str) -> str:
        text = template.text
        if said is not None and "{date}" in text:
            text = put_korean_date(self.rng, text, said) if self.korean else text.replace("{date}", said)
        for key, value in slots.items():
            text = text.replace("{" + key + "}", value)
        if "{" in text:
            raise UnfittingError
        return text

    def _log(self, section: str, slot: str, tag: str, value: str) -> Example:
        template = self.phrase(section)
        protocol = self.any_protocol()
        filled = self.name(protocol) if slot == "name" else self.of_habit(protocol, tag).text
        said, written = self.date()
        if "{date}" not in template.text:
            said, written = None, self.today
        note, reason = "", ""
        if "{reason}" in template.text:
            why = self.phrase("reasons")
            reason, note = why.text, f"메모 {why.extras[0]}"
        # Literal day words of a template count.
        for word, day in (("어제", "어제"), ("yesterday", "yesterday")):
            if word in template.text.lower() and "{date}" not in template.text:
                written = day
        text = self._entry_text(template, said, **{slot: filled, "reason": reason})
        if slot != "name" and said is None and self.rng.random() < 0.25:
            text = f"{self.today} {text}" if self.korean else text.rstrip(".") + " today"
        world = self.world(protocol)
        if self.rng.random() < 0.02:
            world = self.world(without=(protocol,))
            return self.example(
                "missing_here", text, spoken.line(spoken.TALK, spoken.MISSING, self.title(protocol)), world
            )
        return self.example(section, text, spoken.line(spoken.LOG, self.title(protocol), value, written, note), world)

    def log_done(self) -> Example:
        """An entry, the habit named."""
        return self._log("log_done", "name", "", "완료")

    def log_clause(self) -> Example:
        """An entry, told as a story."""
        return self._log("log_done_clause", "done", "done", "완료")

    def log_plain(self) -> Example:
        """An entry told without asking for anything."""
        protocol = self.any_protocol()
        clause = self.of_habit(protocol, "done").text
        said, written = self.date()
        if self.rng.random() < 0.4:
            text, written = clause, self.today
            if self.rng.random() < 0.4:
                text = f"오늘 {clause}" if self.korean else f"{clause} today"
        elif self.korean:
            text = put_korean_date(self.rng, "{date} " + clause, said)
        else:
            text = self.rng.choice((f"{clause} {said}", f"{said}: {clause}", f"i {clause} {said}"))
        if not self.korean and self.rng.random() < 0.4 and not text.lower().startswith(("i ", said.lower())):
            text = f"I {text}"
        return self.example(
            "log_plain", text, spoken.line(spoken.LOG, self.title(protocol), "완료", written), self.world(protocol)
        )

    def log_min(self) -> Example:
        """A small version, the habit named."""
        return self._log("log_min", "name", "", "최소")

    def log_min_clause(self) -> Example:
        """A small version, told."""
        return self._log("log_min_clause", "min", "min", "최소")

    def log_blank(self) -> Example:
        """An intended rest."""
        return self._log("log_blank", "name", "", "쉼")

    def rest(self) -> Example:
        """An intended rest, the habit told in own words."""
        protocol = self.any_protocol()
        text = self.of_habit(protocol, "rest").text
        return self.example(
            "rest", text, spoken.line(spoken.LOG, self.title(protocol), "쉼", self.today), self.world(protocol)
        )

    def again(self) -> Example:
        """Once more the same."""
        return self._log("again", "name", "", "완료")

    def future(self) -> Example:
        """A day that has not come."""
        template = self.phrase("future")
        protocol = self.any_protocol()
        day = self.rng.choice(FUTURE[self.language])
        text = self._entry_text(template, None, name=self.name(protocol), future=day)
        written = WRITTEN_FUTURE.get(day, day)
        return self.example(
            "future", text, spoken.line(spoken.LOG, self.title(protocol), "완료", written), self.world(protocol)
        )

    def log_multi(self) -> Example:
        """Two at once."""
        template = self.phrase("log_multi")
        first = self.any_protocol()
        world = self.world(first, fewest=2)
        second = self.rng.choice([key for key in world if key != first])
        said, written = self.date()
        if "{date}" not in template.text:
            said, written = None, self.today
        text = self._entry_text(template, said, name=self.name(first), name2=self.name(second))
        answer = "\n".join(spoken.line(spoken.LOG, self.title(key), "완료", written) for key in (first, second))
        return self.example("log_multi", text, answer, world)

    def log_all(self) -> Example:
        """Everything of today."""
        template = self.phrase("log_all")
        world = self.world()
        written = (
            "어제" if "어제" in template.text else "yesterday" if "yesterday" in template.text.lower() else self.today
        )
        answer = "\n".join(spoken.line(spoken.LOG, self.title(key), "완료", written) for key in world)
        return self.example("log_all", template.text, answer, world)

    def shared_name(self) -> Example:
        """A name that several habits answer to: the one that is active, or a question."""
        name, keys = self.rng.choice(list(SHARED_NAMES[self.language].items()))
        section = self.rng.choice(("log_done", "log_done", "streak"))
        template = self.phrase(section)
        said, written = self.date()
        if "{date}" not in template.text:
            said, written = None, self.today
        text = self._entry_text(template, said, name=name)
        builds = [key for key in keys if not self._breaks(key)]
        several = self.rng.random() < 0.5
        wanted = [self.rng.choice(keys)]
        if several:
            other = [key for key in keys if key != wanted[0] and not (self._breaks(key) and self._breaks(wanted[0]))]
            if not other:
                other = [key for key in builds if key != wanted[0]]
            if not other:
                raise UnfittingError
            wanted.append(self.rng.choice(other))
        world = self.world(*wanted, without=[key for key in keys if key not in wanted])
        if several:
            return self.example("which_shared", text, spoken.line(spoken.TALK, spoken.WHICH), world)
        title = self.title(wanted[0])
        answer = (
            spoken.line(spoken.STREAK, title)
            if section == "streak"
            else spoken.line(spoken.LOG, title, "완료", written)
        )
        return self.example("one_shared", text, answer, world)
