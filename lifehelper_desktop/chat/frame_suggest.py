"""Ask the model for a frame sentence at a chosen level; only one that passes the rules is shown."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from typing import Final

from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import Protocol
from lifehelper_desktop.domain.rules import FRAME_TEXT_MAX, FRAME_TEXT_MIN
from lifehelper_desktop.llm.protocol import LlmChatSession
from lifehelper_desktop.storage.catalogue import Catalogue

_log = logging.getLogger(__name__)
ATTEMPTS: Final = 2
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
    """A sentence to offer; `by_model` is False when the catalogue's own example stands in for it."""

    text: str
    by_model: bool


def frame_instruction(entry: Protocol, level: int, language: str, catalogue: Catalogue, shift: int = 0) -> str:
    """Return the instruction for one sentence about `entry` at `level`.

    Six worked pairs of other entries show the form, those of the same category first; `shift` chooses other ones.
    It ends in the cue for the sentence, so that a pretrained model goes on with it and a chat-tuned one answers it.
    """
    others = [other for other in catalogue.all() if other.id != entry.id]
    near = sorted(others, key=lambda other: other.category != entry.category)
    start = shift * _PAIRS % max(1, len(near))
    shown = (near[start:] + near[:start])[:_PAIRS]
    pairs = [f"{_cue(other, language)} {other.frame(level, language)}\n\n" for other in reversed(shown)]
    return _HEAD[language].format(form=_FORM[language][level]) + "".join(pairs) + _cue(entry, language)


def _cue(entry: Protocol, language: str) -> str:
    return _PAIR[language].format(title=entry.text("title", language), dose=entry.text("standard_dose", language))


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
    session: LlmChatSession, entry: Protocol, level: int, language: str, catalogue: Catalogue
) -> FrameSuggestion:
    """Return a sentence of the model's that passes, or the catalogue's example when none of two attempts does."""
    examples = [entry.frame(each, language) for each in (1, 2, 3)]
    fields = ("title", "summary", "standard_dose", "minimum_dose", "anchor_when", "anchor_after_what")
    about = " ".join([*(entry.text(field, language) for field in fields), *examples])
    for attempt in range(ATTEMPTS):
        instruction = frame_instruction(entry, level, language, catalogue, shift=attempt)
        text = clean_frame(session.generate_text(instruction, max_tokens=60))
        if text not in examples and is_good_frame(text, level, language, about):
            return FrameSuggestion(text, by_model=True)
        _log.info("a suggested frame did not pass: %d characters", len(text))
    return FrameSuggestion(entry.frame(level, language), by_model=False)
