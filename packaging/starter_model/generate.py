"""Make the training data of the starter coach from the phrases: `python generate.py --count 8000 --seed 1 --out FILE`.

Each example is a small world (titles of the active habits, what was said before), a message and the lines that answer
it, in the very form in which the app asks its model (`lifehelper_desktop.chat.starter.lines`). Seeded: the same seed
gives the same examples. `--held-out` makes examples of the phrasing families that training never sees.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from phrasebook import Phrase, PhraseBook, read_phrases
from wording import english_date, english_noise, korean_date, korean_noise, put_korean_date

from lifehelper_desktop.chat.starter import lines as spoken
from lifehelper_desktop.domain.habits import HabitType
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.storage.catalogue import Catalogue

KOREAN_SHARE = 0.74

SHARED_NAMES: dict[str, dict[str, tuple[str, ...]]] = {
    "ko": {
        "걷기": ("daily-steps", "post-meal-walk"),
        "산책": ("daily-steps", "post-meal-walk", "nature-dose"),
        "운동": ("strength-training", "moderate-cardio"),
        "채소": ("vegetables-first", "fruit-veg-five"),
        "휴대폰": ("break-bedtime-phone", "phone-out-of-sight", "break-phubbing"),
        "폰": ("break-bedtime-phone", "phone-out-of-sight", "break-doomscrolling", "break-phubbing"),
        "글쓰기": ("expressive-writing", "three-good-things", "bedtime-todo-list", "if-then-planning"),
        "적기": ("bedtime-todo-list", "three-good-things", "if-then-planning", "retrieval-practice"),
        "샤워": ("warm-bath-before-bed", "cold-finish-shower"),
        "쉬기": ("micro-break", "eye-20-20-20"),
        "호흡": ("cyclic-sighing", "mindfulness-meditation"),
        "물": ("break-sugary-drinks", "break-energy-drinks"),
        "사람 챙기기": ("reach-out-message", "small-kindness"),
        "식단": ("mediterranean-plate", "fruit-veg-five", "whole-grain-fiber", "vegetables-first"),
        "일어나기": ("regular-wake-time", "break-prolonged-sitting"),
        "계획": ("if-then-planning", "bedtime-todo-list"),
    },
    "en": {
        "walk": ("daily-steps", "post-meal-walk"),
        "walking": ("daily-steps", "post-meal-walk", "nature-dose"),
        "workout": ("strength-training", "moderate-cardio"),
        "veggies": ("vegetables-first", "fruit-veg-five"),
        "phone habit": ("break-bedtime-phone", "phone-out-of-sight", "break-phubbing"),
        "writing": ("expressive-writing", "three-good-things", "bedtime-todo-list"),
        "shower": ("warm-bath-before-bed", "cold-finish-shower"),
        "break": ("micro-break", "eye-20-20-20", "break-prolonged-sitting"),
        "breathing": ("cyclic-sighing", "mindfulness-meditation"),
        "water": ("break-sugary-drinks", "break-energy-drinks"),
        "planning": ("if-then-planning", "bedtime-todo-list"),
    },
}
"""What may mean more than one habit: with one of them active it is that one, with several the coach asks."""

TOPICS: dict[str, dict[str, tuple[str, ...]]] = {
    "ko": {
        "수면": ("수면", "잠", "꿀잠", "숙면"),
        "움직임": ("운동", "움직임", "몸 쓰는 거", "체력"),
        "식사·영양": ("식사", "영양", "식단", "먹는 거", "음식"),
        "마음": ("마음", "스트레스", "멘탈", "정신 건강", "불안"),
        "집중": ("집중", "집중력", "공부", "업무 집중"),
        "디지털": ("디지털", "스마트폰", "디지털 디톡스"),
        "관계": ("관계", "인간관계", "사람 사이", "대인 관계"),
        "몸 돌봄": ("몸 관리", "몸 돌보기", "몸 돌봄"),
        "기호품": ("술 담배", "기호품", "술이나 담배"),
    },
    "en": {
        "Sleep": ("sleep", "sleeping"),
        "Movement": ("movement", "exercise", "fitness"),
        "Nutrition": ("nutrition", "food", "eating", "diet"),
        "Mind": ("stress", "mind", "mental health", "mood"),
        "Focus": ("focus", "concentration", "studying"),
        "Digital": ("digital", "screen time"),
        "Connection": ("connection", "relationships", "people"),
        "Body care": ("body care", "self-care"),
        "Substances": ("substances", "smoking and drinking"),
    },
}
_AVOIDED = {
    "ko": ("야식 끊기", "담배 안 피우기", "술 줄이기", "폰 그만 보기", "커피 금지", "SNS 하지 않기", "단것 안 먹기", "게임 끊기", "미루지 않기", "손톱 안 뜯기"),
    "en": ("no more smoking", "stop snacking", "quit social media", "don't drink", "never scroll in bed", "avoid sugar", "no phone", "less coffee"),
}  # fmt: skip
_FUTURE = {
    "ko": ("내일", "모레", "내일모레", "다음 주 월요일"),
    "en": ("tomorrow", "the day after tomorrow", "next Monday"),
}
_WRITTEN_FUTURE = {"내일모레": "모레"}
_MATTERS_OF_STREAK = re.compile(r"며칠|몇일|연속|스트릭|streak|기록이|how many days|how long", re.IGNORECASE)
_QUOTED = re.compile(r"[‘“\"'「](.+)[’”\"'」]$")
_ENGLISH_TITLE_IN_KOREAN_APP = 0.25


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


class Unfitting(Exception):
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
            raise Unfitting
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
        if wanted and self.rng.random() < 0.55:
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

    # -- entries

    def _entry_text(self, template: Phrase, said: str | None, **slots: str) -> str:
        text = template.text
        if said is not None and "{date}" in text:
            text = put_korean_date(self.rng, text, said) if self.korean else text.replace("{date}", said)
        for key, value in slots.items():
            text = text.replace("{" + key + "}", value)
        if "{" in text:
            raise Unfitting
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
        if not self.korean and slot != "name" and "{" + slot + "}" in template.text:
            filled = filled if template.text.index("{") else filled
        text = self._entry_text(template, said, **{slot: filled, "reason": reason})
        if slot != "name" and said is None and self.rng.random() < 0.25:
            text = f"{self.today} {text}" if self.korean else text.rstrip(".") + " today"
        world = self.world(protocol)
        if self.rng.random() < 0.035:
            world = self.world(without=(protocol,))
            return self.example("missing_here", text, spoken.line(spoken.TALK, spoken.MISSING, self.title(protocol)), world)
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
        return self.example("log_plain", text, spoken.line(spoken.LOG, self.title(protocol), "완료", written), self.world(protocol))

    def log_min(self) -> Example:
        """A small version, the habit named."""
        return self._log("log_min", "name", "", "최소")

    def log_min_clause(self) -> Example:
        """A small version, told."""
        return self._log("log_min_clause", "min", "min", "최소")

    def log_blank(self) -> Example:
        """An intended rest."""
        return self._log("log_blank", "name", "", "쉼")

    def again(self) -> Example:
        """Once more the same."""
        return self._log("again", "name", "", "완료")

    def future(self) -> Example:
        """A day that has not come."""
        template = self.phrase("future")
        protocol = self.any_protocol()
        day = self.rng.choice(_FUTURE[self.language])
        text = self._entry_text(template, None, name=self.name(protocol), future=day)
        written = _WRITTEN_FUTURE.get(day, day)
        return self.example("future", text, spoken.line(spoken.LOG, self.title(protocol), "완료", written), self.world(protocol))

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
        written = "어제" if "어제" in template.text else "yesterday" if "yesterday" in template.text.lower() else self.today
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
        several = self.rng.random() < 0.6
        wanted = [self.rng.choice(keys)]
        if several:
            other = [key for key in keys if key != wanted[0] and not (self._breaks(key) and self._breaks(wanted[0]))]
            if not other:
                other = [key for key in builds if key != wanted[0]]
            if not other:
                raise Unfitting
            wanted.append(self.rng.choice(other))
        world = self.world(*wanted, without=[key for key in keys if key not in wanted])
        if several:
            return self.example("which_shared", text, spoken.line(spoken.TALK, spoken.WHICH), world)
        title = self.title(wanted[0])
        answer = spoken.line(spoken.STREAK, title) if section == "streak" else spoken.line(spoken.LOG, title, "완료", written)
        return self.example("one_shared", text, answer, world)

    # -- questions

    def streak(self) -> Example:
        """How it goes."""
        protocol = self.any_protocol()
        text = self._entry_text(self.phrase("streak"), None, name=self.name(protocol))
        if self.rng.random() < 0.03:
            missing = spoken.line(spoken.TALK, spoken.MISSING, self.title(protocol))
            return self.example("missing_here", text, missing, self.world(without=(protocol,)))
        return self.example("streak", text, spoken.line(spoken.STREAK, self.title(protocol)), self.world(protocol))

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
        return self.example("how", self.of_habit(protocol, "how").text, spoken.line(spoken.EXPLAIN, self.title(protocol)), world)

    def overdose(self) -> Example:
        """Too much of something: it is explained first."""
        phrase = self.phrase("overdose")
        return self.example("overdose", phrase.text, spoken.line(spoken.EXPLAIN, self.title(phrase.protocol)), self.some_world())

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
                raise Unfitting
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
        return self.example("search_any", self.phrase("search_any").text, spoken.line(spoken.CATEGORY, spoken.WHOLE), self.some_world())

    def nothing(self) -> Example:
        """A topic that the catalogue has nothing for."""
        phrase = self.phrase("nothing")
        return self.example("nothing", phrase.text, spoken.line(spoken.SEARCH, phrase.extras[0]), self.some_world())

    # -- new habits

    def _new_world(self, protocol: str) -> list[str]:
        return [] if self.rng.random() < 0.3 else self.world(without=(protocol,))

    def _add(self, section: str, text: str, protocol: str, level: str = "과정", frame: str = spoken.SUGGESTED, *fields: str, before: str = "") -> Example:
        answer = spoken.line(spoken.ADD, self.title(protocol), level, frame, *fields)
        return self.example(section, text, answer, self._new_world(protocol), before)

    def add(self) -> Example:
        """A new habit, named."""
        protocol = self.any_protocol()
        return self._add("add", self._entry_text(self.phrase("add"), None, name=self.name(protocol)), protocol)

    def add_more(self) -> Example:
        """One more beside others."""
        protocol = self.any_protocol()
        return self._add("add_more", self._entry_text(self.phrase("add_more"), None, name=self.name(protocol)), protocol)

    def add_level(self) -> Example:
        """A new habit with the kind of sentence."""
        protocol = self.any_protocol()
        template = self.phrase("add_level")
        level = list(spoken.LEVELS)[int(template.extras[0]) - 1]
        return self._add("add_level", self._entry_text(template, None, name=self.name(protocol)), protocol, level)

    def add_quote_bad(self) -> Example:
        """A wording that the rules will refuse: it is passed on as it is."""
        protocol = self.any_protocol()
        bad = self.rng.choice(_AVOIDED[self.language])
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
            when = f"{self.rng.choice(('오전', '오후', '아침', '저녁', '밤'))} {hour}시{half}" if self.korean else f"{hour}{half} {self.rng.choice(('am', 'pm'))}"
            text = f"{text}{self.rng.choice((', ', ' '))}{when}{self.rng.choice(('로', '에', ' 기준으로'))}" if self.korean else f"{text.rstrip('.')} at {when}"
            fields = (f"때 {when}",)
        answer = spoken.line(spoken.EXPLAIN, self.title(protocol)) + "\n"
        answer += spoken.line(spoken.ADD, self.title(protocol), "과정", spoken.SUGGESTED, *fields)
        return self.example("protocol_add", text, answer, self._new_world(protocol))

    # -- words

    def _talk(self, section: str, *parts: str, text: str | None = None, world: Sequence[str] | None = None) -> Example:
        said = self.phrase(section).text if text is None else text
        return self.example(section, said, spoken.line(spoken.TALK, *parts), self.some_world() if world is None else world)

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
        return self._talk("screen", spoken.SCREEN, phrase.extras[0], text=phrase.text.replace("{name}", self.name(protocol)), world=self.world(protocol))

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
        return self._talk("slip", spoken.SLIP, self.title(protocol), text=self.of_habit(protocol, "slip").text, world=world)

    def missing(self) -> Example:
        """A habit that is not in the catalogue: not there, or the user's own."""
        phrase = self.phrase("missing")
        thing = phrase.extras[0]
        if self.rng.random() < 0.5:
            return self._talk("missing", spoken.MISSING, spoken.squeeze(thing, 40), text=phrase.text, world=self.world())
        world = self.world()[:3]
        world.insert(self.rng.randint(0, len(world)), thing)
        if _MATTERS_OF_STREAK.search(phrase.text):
            return self.example("own_habit", phrase.text, spoken.line(spoken.STREAK, thing), world)
        if re.search(r"어제|그제|요일|yesterday|\bago\b|day\b", phrase.text):
            raise Unfitting
        return self.example("own_habit", phrase.text, spoken.line(spoken.LOG, thing, "완료", self.today), world)

    # -- what was said before

    def _shown_before(self, protocol: str) -> tuple[str, str]:
        """Return what the user said and the exchange, after which `protocol` is what was shown."""
        kind = self.rng.random()
        if kind < 0.45:
            ask = self.rng.choice((self.phrase("protocol").text.replace("{name}", self.name(protocol)), self.of_habit(protocol, "how").text))
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
        return self.example("f_explain_it", phrase.text, spoken.line(spoken.EXPLAIN, self.title(protocol)), self.some_world(), before)

    def f_which_answer(self) -> Example:
        """The answer to which one."""
        phrase = self.phrase("f_which_answer")
        what, _, day = phrase.extras[0].partition(",")
        value = {"done": "완료", "minimum": "최소", "blank": "쉼"}.get(what.strip())
        protocol = self.any_protocol()
        before = spoken.render_before(phrase.before, [spoken.line(spoken.TALK, spoken.WHICH)])
        text = phrase.text.replace("{name}", self.name(protocol))
        title = self.title(protocol)
        answer = spoken.line(spoken.LOG, title, value, day.strip() or self.today) if value else spoken.line(spoken.STREAK, title)
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
        row = self.rng.choice((spoken.line(spoken.LOG, self.title(protocol), "완료", self.today), spoken.line(spoken.STREAK, self.title(protocol)), spoken.line(spoken.EXPLAIN, self.title(protocol))))
        ask = self._take(self.book.sections["log_done" if row.startswith(spoken.LOG) else "streak" if row.startswith(spoken.STREAK) else "protocol"])
        said = with_particles(ask.text.replace("{name}", self.name(protocol)).replace("{date}", self.today))
        return self._reply("f_thanks", spoken.CHAT, spoken.render_before(said, [row]))

    def f_declined(self) -> Example:
        """No, thanks."""
        return self._reply("f_declined", spoken.CHAT, spoken.render_before(self.phrase("slipchat").text, [spoken.line(spoken.TALK, spoken.FEELING)]))

    def unrelated_before(self) -> Example:
        """A new matter after another one: what was before must not rub off."""
        first = self.rng.choice((self.log_clause, self.streak, self.need, self.how, self.feel))()
        self.used.clear()
        then = self.rng.choice((self.log_done, self.log_clause, self.log_blank, self.streak, self.list_habits, self.need, self.how, self.wish, self.chat, self.log_min_clause))()
        then.before = spoken.render_before(first.user, first.answer.split("\n"))
        return then


WEIGHTS: dict[str, float] = {
    "log_done": 9, "log_clause": 9, "log_plain": 6, "log_min": 5, "log_min_clause": 6, "log_blank": 7, "again": 1.2, "future": 1,
    "log_multi": 2, "log_all": 1, "shared_name": 2.5, "streak": 8, "list_habits": 5, "protocol": 4.5, "how": 5, "overdose": 1,
    "search": 3.5, "need": 8, "search_any": 1, "nothing": 1.2, "add": 4, "add_more": 1.5, "add_level": 1, "add_quote_bad": 0.8,
    "wish": 5.5, "add_detail": 7, "protocol_add": 1.8, "chat": 3.2, "notcrisis": 0.6, "feel": 2.6, "slipchat": 0.7, "outside": 2.2,
    "fact": 1, "crisis": 1.8, "vague": 1, "help": 1, "which": 1.5, "screen": 4, "merge": 1.2, "safety": 2.8, "slip": 2.6, "missing": 2.2,
    "f_add_it": 2.2, "f_explain_it": 1, "f_which_answer": 1.3, "f_streak_it": 0.7, "f_log_it": 0.7, "f_thanks": 0.7, "f_declined": 0.5,
    "unrelated_before": 5,
}  # fmt: skip
"""How often each kind comes, so that no tool is the default."""


def make_examples(count: int, seed: int, *, held_out: bool = False) -> list[Example]:
    """Return `count` examples; equal messages with equal worlds come once."""
    rng = random.Random(seed)  # noqa: S311 - examples, no secrets
    catalogue = Catalogue.load()
    makers = {language: Maker(rng, language, catalogue, held_out=held_out) for language in ("ko", "en")}
    kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
    seen: set[tuple[str, str]] = set()
    out: list[Example] = []
    tries = 0
    while len(out) < count:
        tries += 1
        if tries > 60 * count + 1000:
            break
        maker = makers["ko" if rng.random() < KOREAN_SHARE else "en"]
        maker.used.clear()
        # Some write English to a Korean window, a few Korean to an English one.
        maker.shown = rng.choices(("ko", "en"), (95, 5) if maker.korean else (28, 72))[0]
        try:
            example = getattr(maker, rng.choices(kinds, weights)[0])()
        except Unfitting:
            continue
        key = (example.prompt, example.answer)
        if key not in seen:
            seen.add(key)
            out.append(example)
    return out


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    examples = make_examples(options.count, options.seed, held_out=options.held_out)
    out = options.out.open("w", encoding="utf-8") if options.out else sys.stdout
    for example in examples:
        print(json.dumps(asdict(example), ensure_ascii=False), file=out)
    if options.out:
        out.close()
        print(len(examples), Counter(example.section for example in examples).most_common())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
