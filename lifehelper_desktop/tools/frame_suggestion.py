"""Ask the model for a frame sentence at a chosen level; only one that passes the rules is shown.

The tool `suggest_frame` and the form that adds a habit use this one function.
"""

from __future__ import annotations

import dataclasses
import logging
import re
from dataclasses import dataclass
from typing import Final

from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import Habit, Protocol
from lifehelper_desktop.domain.rules import FRAME_TEXT_MAX, FRAME_TEXT_MIN
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.tools.definition import TextModel
from lifehelper_desktop.tools.run_state import RunState

_log = logging.getLogger(__name__)
ATTEMPTS: Final = 3
"""The first and up to two retries, each with other worked pairs."""
MAX_TOKENS: Final = 60
_PAIRS: Final = 6

_FORM: Final = {
    "ko": {1: "…을 얻는다/만든다", 2: "[언제/무엇 뒤]에 …한다", 3: "나는 …하는 사람이다"},
    "en": {1: "I get / build …", 2: "After/When …, I …", 3: "I am someone who …"},
}
_HEAD: Final = {
    "ko": "습관마다 하려는 행동을 한 문장으로 쓴다. 꼴: {form}\n\n",
    "en": "For each habit write one sentence that says what I will do. Form: {form}\n\n",
}
_PAIR: Final = {"ko": "습관: {title} ({dose})\n문장:", "en": "Habit: {title} ({dose})\nSentence:"}
_SHAPE: Final = {
    "ko": {1: re.compile(r"다$"), 2: re.compile(r"다$"), 3: re.compile(r"^나는 .*(사람|이)(이)?다$")},
    "en": {1: re.compile(r"^\w"), 2: re.compile(r"\bI\b"), 3: re.compile(r"^I am\b|^I'm\b")},
}
_COMMON_SYLLABLES: Final = frozenset(
    (
        "한다",
        "는다",
        "하는",
        "사람",
        "이다",
        "나는",
        "에서",
        "으로",
        "얻는",
        "만든",
        "든다",
        "하고",
        "하기",
        "매일",
        "하루",
        "오늘",
    )
)


@dataclass(frozen=True, slots=True)
class FrameSuggestion:
    """A sentence to offer.

    Attributes:
        by_model: False when the catalogue's own example stands in for the model's sentence.
        attempts: How often the model was asked.
    """

    text: str
    by_model: bool
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class FrameSubject:
    """What a sentence is about, in the language of the run.

    Attributes:
        title, dose: As the instruction names it.
        category: Of the catalogue, or empty; worked pairs of the same one come first.
        entry_id: Of the catalogue, or empty.
        about: Every word that belongs to the subject: a sentence must share one.
        known: Sentences that are there already; none of them is a suggestion.
        stand_in: The example at each level 1–3 when the model has nothing that passes; empty without a catalogue entry.
    """

    title: str
    dose: str
    category: str
    entry_id: str
    about: str
    known: frozenset[str]
    stand_in: tuple[str, ...]


def subject_of_entry(entry: Protocol, run: RunState) -> FrameSubject:
    """Return the subject that a catalogue entry is."""
    language = run.language
    frames = entry.frames[language]
    fields = ("title", "summary", "standard_dose", "minimum_dose", "anchor_when", "anchor_after_what")
    return FrameSubject(
        title=entry.text("title", language),
        dose=entry.text("standard_dose", language),
        category=entry.category,
        entry_id=entry.id,
        about=" ".join([*(entry.text(field, language) for field in fields), *frames]),
        known=frozenset(frames),
        stand_in=tuple(frames),
    )


def subject_of_habit(habit: Habit, entry: Protocol | None, run: RunState) -> FrameSubject:
    """Return the subject that a habit of the user's is; its own sentence is no suggestion."""
    title = habit.title(run.language)
    if entry is None:
        about = f"{title} {habit.framed_text} {habit.standard_dose}"
        return FrameSubject(title, habit.standard_dose, "", "", about, frozenset({habit.framed_text}), ())
    subject = subject_of_entry(entry, run)
    return dataclasses.replace(
        subject,
        title=title,
        about=f"{subject.about} {title} {habit.framed_text}",
        known=subject.known | {habit.framed_text},
    )


def frame_instruction(subject: FrameSubject, level: int, language: str, catalogue: Catalogue, shift: int = 0) -> str:
    """Return the instruction for one sentence about `subject` at `level`.

    Six worked pairs of other entries show the form, those of the same category first; `shift` chooses other ones.
    It ends in the cue for the sentence, so that a pretrained model goes on with it and a chat-tuned one answers it.
    """
    others = [other for other in catalogue.all() if other.id != subject.entry_id]
    near = sorted(others, key=lambda other: other.category != subject.category)
    start = shift * _PAIRS % max(1, len(near))
    shown = (near[start:] + near[:start])[:_PAIRS]
    pairs = [
        f"{_cue(other.text('title', language), other.text('standard_dose', language), language)} "
        f"{other.frame(level, language)}\n\n"
        for other in reversed(shown)
    ]
    return (
        _HEAD[language].format(form=_FORM[language][level])
        + "".join(pairs)
        + _cue(subject.title, subject.dose, language)
    )


def _cue(title: str, dose: str, language: str) -> str:
    return _PAIR[language].format(title=title, dose=dose)


def clean_frame(raw: str) -> str:
    """Return the first line of a model's answer without quotation marks, list signs and a closing full stop."""
    for line in raw.splitlines():
        text = re.sub(r"^(?:[-*•]\s*|\d+[.)]\s+)+", "", line.strip()).strip("\"'“”‘’「」` ").rstrip(".。 ").strip()
        if text:
            return text
    return ""


def is_good_frame(text: str, level: int, language: str, about: str) -> bool:
    """Return whether `text` may be offered: length, language, form of the level, R7, and a word shared with `about`."""
    if not FRAME_TEXT_MIN <= len(text) <= FRAME_TEXT_MAX or re.search(r"[<>{}\[\]…]", text):
        return False
    has_hangul = bool(re.search(r"[가-힣]", text))
    if has_hangul != (language == "ko") or not _SHAPE[language][level].search(text):
        return False
    words = text.split()
    if len(words) >= 4 and len(set(words)) <= len(words) // 2:
        return False  # a tiny model going round in circles
    return bool(_pieces(text) & _pieces(about)) and not detect_avoidance_keywords(text)


def _pieces(text: str) -> set[str]:
    """Return what tells the subject of a text: pairs of neighbouring syllables, and the heads of English words."""
    korean = {word[at : at + 2] for word in re.findall(r"[가-힣]{2,}", text) for at in range(len(word) - 1)}
    english = {word[:4].casefold() for word in re.findall(r"[A-Za-z]{4,}", text)}
    return (korean - _COMMON_SYLLABLES) | english


def suggest_frame(
    model: TextModel, subject: FrameSubject, level: int, run: RunState, catalogue: Catalogue
) -> FrameSuggestion | None:
    """Return a sentence of the model's that passes; the catalogue's example when none of three attempts does.

    None when there is no example either.

    Raises:
        WorldError: There is no model, or it failed.
        ToolStopped: The user stopped it.
    """
    for attempt in range(ATTEMPTS):
        instruction = frame_instruction(subject, level, run.language, catalogue, shift=attempt)
        text = clean_frame(model.generate_text(instruction, MAX_TOKENS))
        if text not in subject.known and is_good_frame(text, level, run.language, subject.about):
            return FrameSuggestion(text, by_model=True, attempts=attempt + 1)
        _log.info("a suggested frame did not pass: %d characters", len(text))
    if not subject.stand_in:
        return None
    return FrameSuggestion(subject.stand_in[level - 1], by_model=False, attempts=ATTEMPTS)
