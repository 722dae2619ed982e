"""Between the starter coach's lines and the app: what is asked of the model, and what its lines mean.

Ids are never the model's business: it writes titles, and the app finds the ids (`tools.references`). Sentences and
days that it writes are held against the message before they are used.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.claims import claims_a_write
from lifehelper_desktop.chat.crisis import CRISIS_ANSWER
from lifehelper_desktop.chat.starter import guards, words
from lifehelper_desktop.chat.starter import lines as spoken
from lifehelper_desktop.chat.starter.contract import contract
from lifehelper_desktop.chat.starter.dates import choose_day
from lifehelper_desktop.chat.starter.likeness import Likeness
from lifehelper_desktop.chat.starter.window_commands import window_call
from lifehelper_desktop.domain.rules import ANCHOR_MAX, FRAME_TEXT_MAX, FRAME_TEXT_MIN, NOTE_MAX
from lifehelper_desktop.llm.formats.similarity import has_hangul
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmLineChecker, LlmToolResult, LlmTurn
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.tools.registry import ToolRegistry

_HABIT_LINE: Final = re.compile(r"^(?:내 습관|My habits): (.*)$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"^(\d{1,9}) (.+)$")
_QUOTED: Final = re.compile(r"[‘“\"'「『]\s*([^’”\"'」』]{2,80}?)\s*[’”\"'」』]")
_IDENTITY: Final = re.compile(r"^나는 .*(?:사람|이다)|^I(?:['’]m| am) ", re.IGNORECASE)
_EVERYTHING: Final = re.compile(
    r"전부|모두|싹|다\s?(?:했|체크|완료|끝|채웠|해냈|됐)|올클|올\s?클리어|빠짐없이|하나도\s?안\s?빼|둘\s?다|셋\s?다|넷\s?다"
    r"|\ball\b|\bevery(?:thing)?\b|\bboth\b|\bclean sweep\b",
    re.IGNORECASE,
)
_LIKENESS_NATS: Final = 40.0
"""What a full likeness is worth beside the model's log-probability; two habits rarely differ by more than 0.1."""
_NAMED_NATS: Final = 4.0
"""What it is worth that the message names done, minimum or rest in so many words."""
_LEAST_SHARE: Final = 0.3
_QUOTES: Final = "‘’“”\"'「」『』"


def listed_habits(context: str) -> dict[int, str]:
    """Return the active habits that the facts beside a message list: id to title, in order."""
    found = _HABIT_LINE.search(context)
    rows = found.group(1).split(spoken.SEPARATOR) if found else []
    return {int(match.group(1)): match.group(2).strip() for row in rows if (match := _NUMBERED.match(row.strip()))}


class StarterGuide:
    """Implements `LlmLines` for one conversation. Used on the model's thread; keeps what was said just before."""

    def __init__(self, catalogue: Catalogue, language: str, registry: ToolRegistry) -> None:
        """Speak of `catalogue` in the window's `language`; only tools of `registry` are called."""
        self._catalogue = catalogue
        self._language = language
        self._tools = frozenset(registry.names())
        self.contract = contract(registry, catalogue)
        self._ids = {entry.text("title", language): entry.id for entry in catalogue.all()}
        self._titles = {entry.id: entry.text("title", language) for entry in catalogue.all()}
        self._categories = {
            category.ko if language == "ko" else category.en: category.name for category in catalogue.categories
        }
        self._habits: dict[int, str] = {}
        self._likeness = Likeness(catalogue)
        self._user = ""
        self._before = ""
        self._lines: list[str] = []
        self._found: list[str] = []
        self._ruled = ""  # the message that is answered by rule, or nothing

    # -- what the model is asked

    def begin(self, history: Sequence[LlmTurn]) -> None:
        """Take up a conversation after the turns of `history`."""
        if history:
            last = history[-1]
            self._habits = listed_habits(last.context) or self._habits
            self._user = last.user
            self._lines = [self._line_of(call) for call in last.calls] or [self._line_of_words(last.answer)]
            self._found = [title for result in last.results for title in _found_titles(result)]
            self._before = spoken.render_before(self._user, self._lines, self._found)

    def decide(self, user: str, context: str) -> Sequence[LlmFunctionCall]:
        """Return the call that the message asks of the window by rule, none when the model must read it."""
        habits = listed_habits(context)
        call = window_call(user, habits, self._tools)
        if call is None:
            return ()
        if call.name != "copy_text":  # after that, what was said before is still what “that one” means
            self._habits = habits
            title = habits.get(call.args.get("habit_id", 0), "")
            self._lines = [spoken.line(spoken.STREAK, title) if title else spoken.line(spoken.TALK, spoken.SCREEN)]
            self._found = []
            self._user = user
        self._ruled = user
        return (call,)

    def ask(self, user: str, context: str) -> tuple[str, LlmLineChecker]:
        """Return the prompt for a message, and the grammar of what may answer it."""
        if self._lines:
            self._before = spoken.render_before(self._user, self._lines, self._found)
        self._habits = listed_habits(context)
        self._user, self._lines, self._found = user, [], []
        self._ruled = ""
        titles = list(dict.fromkeys(self._habits.values()))
        return spoken.render_prompt(titles, user, self._before), self._grammar()

    def retry(self, text: str) -> LlmLineChecker | None:
        """Return the grammar for another try when the answer contradicts what is known, else None.

        A habit that is on the list is not missing, and one that the message names in full need not be asked about.
        """
        parts = text.split(spoken.SEPARATOR)
        if parts[0] != spoken.TALK or not self._habits:
            return None
        listed = list(self._habits.values())
        missing = parts[1] == spoken.MISSING and parts[2] in listed
        asked = parts[1] == spoken.WHICH and (len(listed) == 1 or bool(guards.named_titles(self._user, listed)))
        only = [parts[2]] if missing else []
        return self._grammar(only, without=(spoken.TALK,)) if missing or asked else None

    def weigh(self, text: str) -> Mapping[str, float] | None:
        """Return what speaks for each habit or value where one is chosen, in nats beside the model's, else None."""
        row = text.rsplit("\n", 1)[-1].strip()
        if row in (f"{spoken.LOG} ·", f"{spoken.STREAK} ·"):
            return self._weigh_habits(" ·" if row.startswith(spoken.LOG) else "")
        if row.startswith(spoken.LOG) and row.endswith(" ·") and len(row.split(spoken.SEPARATOR)) == 2:
            named = guards.named_value(self._user, self._habits.values())
            return {f" {word} ·": _NAMED_NATS * (value == named) for word, value in spoken.VALUES.items()}
        return None

    def _weigh_habits(self, following: str) -> Mapping[str, float] | None:
        titles = list(dict.fromkeys(self._habits.values()))
        # The answer to “which one?” names it alone, and is heard as it is.
        nats = 0.0 if self._answered_question() else _LIKENESS_NATS
        alike, named = self._likeness.compare(self._user, titles), self._likeness.named(self._user, titles)
        return {
            f" {title}{following}": nats * alike[title] + _NAMED_NATS * (title in named) for title in titles
        } or None

    def _grammar(self, only: Sequence[str] = (), without: Sequence[str] = ()) -> spoken.LineGrammar:
        """Return what may be written; titles that the message spells out leave no room for others."""
        habits = list(dict.fromkeys(self._habits.values()))
        habits = list(only) or guards.named_titles(self._user, habits) or habits
        titles = guards.named_titles(self._user, self._ids) or list(self._ids)
        return spoken.LineGrammar(habits, titles, list(self._categories), without=without)

    # -- what it answered

    def read(self, text: str) -> tuple[Sequence[LlmFunctionCall], str]:
        """Return the calls that the lines ask for, or the words that are due."""
        self._lines = [row for row in text.strip().split("\n") if row.strip()]
        calls: list[LlmFunctionCall] = []
        for row in list(self._lines):
            parts = row.split(spoken.SEPARATOR)
            if parts[0] == spoken.TALK:
                return (), self._talk(parts[1:])
            if parts[0] == spoken.ADD:
                if guards.tells_of_a_condition(self._user):
                    self._lines = [spoken.line(spoken.TALK, spoken.SAFETY, parts[1])]
                    return (), self._talk([spoken.SAFETY, parts[1]])
                if guards.is_excessive(self._user, self._ids[parts[1]]):
                    parts = [spoken.EXPLAIN, parts[1]]
                    calls = [call for call in calls if call.name != "query_protocol"]
                    self._lines = [spoken.line(*parts)]
            name, args = self._call(parts)
            if name in self._tools:
                calls.append(LlmFunctionCall(name, args))
        calls = self._meant(calls)
        if self._several_of_one_title(calls):
            self._lines = [spoken.line(spoken.TALK, spoken.WHICH)]
            return (), self._talk([spoken.WHICH])
        return (calls, "") if calls else ((), self._talk([spoken.VAGUE]))

    def close(self, calls: Sequence[LlmFunctionCall], results: Sequence[LlmToolResult]) -> str:
        """Return the words after the calls' results."""
        self.note(results)
        rows = [(result.name, call.args, result.result) for call, result in zip(calls, results, strict=False)]
        try:
            user = self._ruled or self._user
            said = words.closing(rows, self._habits, self._spoken_language(user), user)
        except (KeyError, TypeError, ValueError):
            said = ""  # a long result was cut down to fit: its card shows what is left
        return said or _("결과를 위 카드에 담아 두었어요.")

    def note(self, results: Sequence[LlmToolResult]) -> None:
        """Remember what the results showed, for a message like “that one”."""
        self._found += [title for result in results for title in _found_titles(result)]

    def snapshot(self) -> object:
        """Return what a checkpoint must keep."""
        return (self._user, self._before, tuple(self._lines), tuple(self._found), dict(self._habits))

    def restore(self, state: object) -> None:
        """Go back to a snapshot.

        Raises:
            ValueError: It is none.
        """
        if not isinstance(state, tuple) or len(state) != 5:
            raise ValueError("no snapshot of this guide")
        self._user, self._before, rows, found, habits = state
        self._lines, self._found, self._habits = list(rows), list(found), dict(habits)

    # -- lines to calls

    def _call(self, parts: Sequence[str]) -> tuple[str, dict[str, Any]]:
        label, rest = parts[0], parts[1:]
        match label:
            case spoken.SEARCH:
                return "search_catalog", {"keyword": self._likeness.keyword(self._user, rest[0])}
            case spoken.CATEGORY:
                name = self._categories.get(rest[0])
                return "search_catalog", {"category": name} if name else {"limit": 10}
            case spoken.EXPLAIN:
                return "query_protocol", {"id": self._ids[rest[0]]}
            case spoken.STREAK:
                return "get_streak", {"habit_id": self._id_of(rest[0])}
            case spoken.LOG:
                return "log_tracker_entry", self._entry(rest)
            case spoken.ADD:
                return "add_habit", self._habit(rest)
            case _:
                return "list_active_habits", {}

    def _id_of(self, title: str) -> int | str:
        ids = [number for number, each in self._habits.items() if each == title]
        return ids[0] if len(ids) == 1 else title

    def _meant(self, calls: list[LlmFunctionCall]) -> list[LlmFunctionCall]:
        """Return the calls without entries of habits that the message says nothing of, where it means only some."""
        logs = [call for call in calls if call.name == "log_tracker_entry"]
        if len(logs) < 2 or _EVERYTHING.search(self._user):
            return calls
        titles = [self._habits.get(call.args["habit_id"], str(call.args["habit_id"])) for call in logs]
        alike = self._likeness.compare(self._user, titles)
        floor = _LEAST_SHARE * max(alike.values())
        faint = [call for call, title in zip(logs, titles, strict=True) if alike[title] < floor]
        return [call for call in calls if call not in faint]

    def _several_of_one_title(self, calls: Sequence[LlmFunctionCall]) -> bool:
        return any(isinstance(call.args.get("habit_id"), str) for call in calls)

    def _entry(self, rest: Sequence[str]) -> dict[str, Any]:
        title, value, day = rest[0], rest[1], rest[2]
        args: dict[str, Any] = {
            "habit_id": self._id_of(title),
            "value": spoken.VALUES[value],
            "date": choose_day(day, self._user + " " + self._answered_question()),
        }
        note = next((part[3:].strip() for part in rest[3:] if part.startswith("메모 ")), "")
        if note and guards.overlaps(note, self._user):
            args["note"] = note[:NOTE_MAX]
        return args

    def _answered_question(self) -> str:
        """Return what was said before when the coach had asked which habit was meant: the day may stand there."""
        said, _arrow, rows = self._before.partition(" → ")
        return said if spoken.WHICH in rows else ""

    def _habit(self, rest: Sequence[str]) -> dict[str, Any]:
        protocol = self._ids[rest[0]]
        level = self._level(spoken.LEVELS[rest[1]], rest[2])
        args: dict[str, Any] = {
            "protocol_id": protocol,
            "frame_level": level,
            "framed_text": self._sentence(protocol, level, rest[2]),
        }
        for part in rest[3:]:
            key = "anchor_when" if part.startswith("때 ") else "anchor_after_what"
            value = part[2:].strip()[:ANCHOR_MAX]
            if value and guards.overlaps(value, self._user):
                args[key] = value
        if "anchor_when" not in args and "anchor_after_what" not in args:
            after = guards.act_before(args["framed_text"]) if guards.overlaps(args["framed_text"], self._user) else ""
            after, when = after or guards.act_before(self._user), guards.clock_time(self._user)
            found = {"anchor_after_what": after[:ANCHOR_MAX]} if after else {"anchor_when": when} if when else {}
            args.update(found)
        return args

    def _level(self, level: int, written: str) -> int:
        """Return the level of a dictated sentence by its form, of any other as the model chose it."""
        quoted = _QUOTED.findall(self._user)
        if written[:1] not in _QUOTES or not quoted:
            return level
        if any(_IDENTITY.search(each) for each in quoted):
            return 3
        return 2 if level == 3 else level

    def _sentence(self, protocol: str, level: int, written: str) -> str:
        """Return the habit's sentence: dictated words exactly as dictated, own ones when they speak of the message."""
        entry = self._catalogue.get(protocol)
        assert entry is not None, "the grammar allows titles of the catalogue only"
        suggested = entry.frame(level, "ko" if has_hangul(self._user) else self._language)
        text = written.strip()
        if text == spoken.SUGGESTED:
            return suggested
        quoted: list[str] = _QUOTED.findall(self._user)
        if text[:1] in _QUOTES and quoted:
            plain = text.strip(_QUOTES).strip()
            return min(quoted, key=lambda each: (each != plain, abs(len(each) - len(plain))))[:FRAME_TEXT_MAX]
        text = text.strip(_QUOTES).rstrip(".").strip()
        fits = FRAME_TEXT_MIN <= len(text) <= FRAME_TEXT_MAX and guards.overlaps(text, self._user)
        return text if fits and not guards.invents_a_number(text, self._user) else suggested

    # -- words

    def _spoken_language(self, user: str) -> str:
        if has_hangul(user):
            return "ko"
        return "en" if re.search(r"[A-Za-z]{2}", user) else self._language

    def _talk(self, parts: Sequence[str]) -> str:
        language = self._spoken_language(self._user)
        kind, slot = parts[0], parts[1] if len(parts) > 1 else ""
        habits = ", ".join(self._habits.values())

        def say(key: str, **fields: object) -> str:
            return words.say("talk", key, language, self._user, **fields)

        match kind:
            case spoken.CRISIS:
                return _(CRISIS_ANSWER)
            case spoken.CHAT | spoken.FEELING:
                return say(kind) if claims_a_write(slot) or has_hangul(slot) != (language == "ko") else slot
            case spoken.SCREEN:
                return say(f"{kind}:{slot}")
            case spoken.SAFETY:
                entry = self._catalogue.get(self._ids.get(slot, ""))
                if entry is None:
                    return say("안전:")
                return say("안전", title=entry.text("title", language), safety=entry.text("safety", language))
            case spoken.SLIP:
                entry = self._catalogue.get(self._ids.get(slot, ""))
                if entry is None:
                    return say("실수:")
                key = "실수" if slot in self._habits.values() else "실수:새로"
                return say(key, title=entry.text("title", language), frame=entry.frame(2, language))
            case spoken.WHICH:
                return say(kind, habits=habits) if habits else say("어느것:하나도")
            case spoken.MISSING:
                if slot in self._ids:
                    entry = self._catalogue.get(self._ids[slot])
                    return say("없음:카탈로그", thing=entry.text("title", language) if entry else slot)
                return say(kind, thing=slot, habits=habits) if habits else say("없음:하나도")
            case _:
                return say(kind)

    # -- back to lines

    def _line_of(self, call: LlmFunctionCall) -> str:
        """Return the line that stands for a call of the past."""
        args: Mapping[str, Any] = call.args
        match call.name:
            case "search_catalog":
                labels = {name: label for label, name in self._categories.items()}
                if args.get("keyword"):
                    return spoken.line(spoken.SEARCH, spoken.squeeze(str(args["keyword"]), 40))
                return spoken.line(spoken.CATEGORY, labels.get(str(args.get("category")), spoken.WHOLE))
            case "query_protocol":
                return spoken.line(spoken.EXPLAIN, self._titles.get(str(args.get("id")), ""))
            case "add_habit":
                return spoken.line(spoken.ADD, self._titles.get(str(args.get("protocol_id")), ""))
            case "get_streak":
                return spoken.line(spoken.STREAK, self._title_of(args.get("habit_id")))
            case "show_habit":
                return spoken.line(spoken.STREAK, self._title_of(args.get("habit_id")))
            case "open_screen" | "copy_text":
                return spoken.line(spoken.TALK, spoken.SCREEN)
            case "log_tracker_entry":
                return spoken.line(spoken.LOG, self._title_of(args.get("habit_id")))
            case _:
                return spoken.LIST

    def _title_of(self, habit: object) -> str:
        return self._habits.get(habit, "") if isinstance(habit, int) else str(habit or "")

    def _line_of_words(self, answer: str) -> str:
        asked = [words.say("talk", spoken.WHICH, language, "", habits="")[:6] for language in ("ko", "en")]
        return spoken.line(spoken.TALK, spoken.WHICH if any(answer.startswith(each) for each in asked) else "")


def _found_titles(result: LlmToolResult) -> list[str]:
    data = result.result.get("data", {})
    items = data.get("items", ()) if isinstance(data, Mapping) and result.name == "search_catalog" else ()
    return [str(item["title"]) for item in items if isinstance(item, Mapping) and "title" in item]
