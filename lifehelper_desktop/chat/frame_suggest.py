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

_log = logging.getLogger(__name__)
ATTEMPTS: Final = 2

_FORM: Final = {
    "ko": {1: "…을 얻는다/만든다", 2: "[언제/무엇 뒤]에 …한다", 3: "나는 …하는 사람이다"},
    "en": {1: "I get / build …", 2: "After/When …, I …", 3: "I am someone who …"},
}
_SHAPE: Final = {
    "ko": {1: re.compile(r"다$"), 2: re.compile(r"다$"), 3: re.compile(r"^나는 .*(사람|이)(이)?다$")},
    "en": {1: re.compile(r"^\w"), 2: re.compile(r"\bI\b"), 3: re.compile(r"^I am\b|^I'm\b")},
}


@dataclass(frozen=True, slots=True)
class FrameSuggestion:
    """A sentence to offer; `by_model` is False when the catalogue's own example stands in for it."""

    text: str
    by_model: bool


def frame_instruction(entry: Protocol, level: int, language: str) -> str:
    """Return the instruction for one sentence about `entry` at `level`, with the catalogue's frames as the pattern."""
    form = _FORM[language][level]
    title, dose = entry.text("title", language), entry.text("standard_dose", language)
    example = entry.frame(level, language)
    if language == "en":
        return (
            f"Write one habit sentence in other words. Form: {form}\n"
            f"Habit: {title} ({dose})\nExample: {example}\nNew sentence:"
        )
    return f"습관 문장을 다른 말로 한 줄 써라. 꼴: {form}\n습관: {title} ({dose})\n예: {example}\n새 문장:"


def clean_frame(raw: str) -> str:
    """Return the first line of a model's answer without quotation marks, list signs and a closing full stop."""
    for line in raw.splitlines():
        text = re.sub(r"^[-*•\d.)\s]+", "", line).strip().strip("\"'“”‘’「」`").strip().rstrip(".。").strip()
        if text:
            return text
    return ""


def is_good_frame(text: str, level: int, language: str) -> bool:
    """Return whether `text` may be offered: length, language, form of the level, and R7."""
    if not FRAME_TEXT_MIN <= len(text) <= FRAME_TEXT_MAX or "<" in text or "{" in text:
        return False
    has_hangul = bool(re.search(r"[가-힣]", text))
    if has_hangul != (language == "ko") or not _SHAPE[language][level].search(text):
        return False
    words = text.split()
    if len(words) >= 4 and len(set(words)) <= len(words) // 2:
        return False  # a tiny model going round in circles
    return not detect_avoidance_keywords(text)


def suggest_frame(session: LlmChatSession, entry: Protocol, level: int, language: str) -> FrameSuggestion:
    """Return a sentence of the model's that passes, or the catalogue's example when none of two attempts does."""
    example = entry.frame(level, language)
    for _attempt in range(ATTEMPTS):
        text = clean_frame(session.generate_text(frame_instruction(entry, level, language), max_tokens=60))
        if text != example and is_good_frame(text, level, language):
            return FrameSuggestion(text, by_model=True)
        _log.info("a suggested frame did not pass: %d characters", len(text))
    return FrameSuggestion(example, by_model=False)
