"""The words that surround a conversation: instructions, worked examples, and the facts beside each message.

Instructions and examples never change within a program run, so that a model's prompt prefix can be reused; the date
and the habits go beside the user's message.
"""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.chat.guidance import guided_tools, worked_examples
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.llm.protocol import LlmPrompt, LlmTool
from lifehelper_desktop.storage.store import Store
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


def turn_context(store: Store, language: str) -> str:
    """Return the facts beside a message: today's logical day and the active habits with their ids."""
    today = store.today()
    habits = store.habits.list(HabitStatus.ACTIVE)
    listed = " · ".join(f"{habit.id} {habit.title(language)}" for habit in habits)
    if language == "en":
        return f"Today: {_day(today, 'en')}\nMy habits: {listed or 'none'}"
    return f"오늘: {_day(today, 'ko')}\n내 습관: {listed or '없음'}"


def _day(day: date, language: str) -> str:
    return f"{day.isoformat()} ({_WEEKDAYS[language][day.weekday()]})"


def chat_prompt(registry: ToolRegistry, store: Store, language: str) -> LlmPrompt:
    """Return what starts a conversation; the same for the whole program run."""
    tools = [LlmTool(tool.name, tool.description, tool.parameters_schema) for tool in registry.all()]
    return LlmPrompt(
        system=SYSTEM[language],
        tools=guided_tools(tools, store.catalogue, language),
        examples=worked_examples(),
    )
