"""A conversation that got too long, and what is to be seen of its summary."""

from __future__ import annotations

from lifehelper_desktop.chat.messages import (
    SystemChatMessage,
    SystemMessageKind,
)
from lifehelper_desktop.llm.protocol import LlmTextChunk, LlmTrim, LlmTurn
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import TalkSummary
from tests.chat.conftest import Chat

PROSE = "사용자는 밤에 잠이 안 와서 걷기를 늘리고 싶어 한다."


def never() -> bool:
    return False


def talk(chat: Chat, count: int, *, dropped_from: int, dropped: int, first: int = 1) -> None:
    """Say `count` things; from message `dropped_from` on the session has left out `dropped` exchanges."""
    for number in range(first, first + count):
        chat.llm.script.append([LlmTextChunk(f"{number}번 답")])
        chat.llm.trims.append(LlmTrim(0, dropped if number >= dropped_from else 0))
    for number in range(first, first + count):
        chat.say(f"{number}번 말")


def summary_of(chat: Chat) -> TalkSummary | None:
    return chat.controller._memory.summary


def markers(chat: Chat) -> list[str]:
    return [
        message.text
        for message in chat.state.messages
        if isinstance(message, SystemChatMessage) and message.kind is SystemMessageKind.SUMMARISED
    ]


def stored(chat: Chat, store: Store) -> TalkSummary | None:
    number = chat.controller.conversation_id
    assert number is not None
    return store.summaries.get(number)


def told(turn: LlmTurn | None) -> str:
    assert turn is not None
    return turn.user
