"""The words that surround a conversation: instructions, worked examples, and the facts beside each message.

Instructions and examples never change within a program run, so that a model's prompt prefix can be reused; the date
and the habits go beside the user's message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from lifehelper_desktop.chat.guidance import guided_tools, worked_examples
from lifehelper_desktop.chat.messages import ToolCallChatMessage
from lifehelper_desktop.chat.starter.guide import StarterGuide
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.llm.protocol import LlmPrompt
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.envelope import encode_tool_result
from lifehelper_desktop.tools.registry import ToolRegistry

_WEEKDAYS: Final = {
    "ko": ("월", "화", "수", "목", "금", "토", "일"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"),
}

SYSTEM: Final = {
    "ko": (
        "너는 습관 코치다. 짧고 따뜻하게, 사용자의 언어로 답한다. 습관·기록을 보거나 바꿀 때는 도구를 부른다. "
        "도구가 성공했다고 답한 일만 했다고 말한다. 도구가 필요 없으면 부르지 않는다. "
        "습관 문장은 하려는 행동으로 쓴다. 아프거나 위험하다는 말에는 도구를 부르지 말고 "
        "의사, 119, 109(24시간 상담)를 권한다."
    ),
    "en": (
        "You are a habit coach. Answer briefly and warmly in the user's language. Call a tool to look at or change "
        "habits and entries. Say that something was done only when a tool answered ok. Call no tool when none is "
        "needed. Word habits as what the person will do. When someone is ill or in danger call no tool; point to a "
        "doctor or an emergency number (in Korea 119, or 109 at any hour)."
    ),
}


def turn_context(
    store: Store,
    language: str,
    done: Sequence[ToolCallChatMessage] = (),
    *,
    today: date | None = None,
    in_view: int | None = None,
) -> str:
    """Return the facts beside a message: today's logical day and the active habits with their ids.

    Args:
        store: The user's data.
        language: Of the facts.
        done: The writes that an earlier answer to the same message has made: the model is told their results.
        today: The day of the run; without one the store's.
        in_view: The habit whose page the user is looking at.
    """
    today = today or store.today()
    habits = store.habits.list(HabitStatus.ACTIVE)
    listed = " · ".join(f"{habit.id} {habit.title(language)}" for habit in habits)
    if language == "en":
        facts = [f"Today: {_day(today, 'en')}", f"My habits: {listed or 'none'}"]
    else:
        facts = [f"오늘: {_day(today, 'ko')}", f"내 습관: {listed or '없음'}"]
    seen = next((habit for habit in habits if habit.id == in_view), None)
    if seen is not None:
        words = "On the screen now" if language == "en" else "지금 보는 화면"
        facts.append(f"{words}: {seen.id} {seen.title(language)}")
    title = "Already done for this message (do not call again)" if language == "en" else "이 메시지로 이미 한 일"
    facts += [
        f"{title}: {card.name} {_compact(card.args)} = {encode_tool_result(card.result)}"
        for card in done
        if card.result
    ]
    return "\n".join(facts)


def _compact(args: Mapping[str, Any]) -> str:
    return json.dumps(args, ensure_ascii=False, separators=(",", ":"), default=str)


def _day(day: date, language: str) -> str:
    return f"{day.isoformat()} ({_WEEKDAYS[language][day.weekday()]})"


def chat_prompt(registry: ToolRegistry, store: Store, language: str) -> LlmPrompt:
    """Return what starts a conversation, for the tools that this model is shown; the same for the whole run."""
    return LlmPrompt(
        system=SYSTEM[language],
        tools=guided_tools(registry.all(), store.catalogue, language),
        examples=worked_examples(),
        lines=StarterGuide(store.catalogue, language, registry),
    )
