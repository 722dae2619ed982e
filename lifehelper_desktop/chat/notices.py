"""What the app itself says after a turn: a claim that nothing backs, a long conversation, what the model forgot."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.claims import claims_a_write
from lifehelper_desktop.chat.messages import (
    ChatMessage,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    UserChatMessage,
)
from lifehelper_desktop.llm.protocol import LlmTrim

CHAT_SOFT_HISTORY_LIMIT: Final = 8


def notices_after(
    messages: Sequence[ChatMessage],
    *,
    wrote: bool,
    user_turns: int,
    trim: LlmTrim,
    trim_before: LlmTrim,
    summarised: bool = False,
) -> list[SystemChatMessage]:
    """Return the lines to add after the turn that `messages` end with.

    Args:
        wrote: A call of the turn changed data.
        user_turns: How many messages the user has sent.
        trim: What the model's side had to leave out so far; `trim_before` is the same before the turn.
        summarised: A summary stands for more of the conversation than before the turn.
    """
    found: list[SystemChatMessage] = []
    said_now = list(itertools.takewhile(lambda m: not isinstance(m, UserChatMessage), reversed(messages)))
    claimed = any(isinstance(message, ModelChatMessage) and claims_a_write(message.text) for message in said_now)
    if claimed and not wrote and not _has(SystemMessageKind.NOTHING_CHANGED, said_now):
        words = _("참고: 이번 답에서 실제로 바뀐 기록은 없어요.")
        found.append(SystemChatMessage(words, SystemMessageKind.NOTHING_CHANGED))
    if summarised:
        words = _("대화가 길어서 앞부분을 요약해 두었어요.")
        found.append(SystemChatMessage(words, SystemMessageKind.SUMMARISED))
    elif trim.exchanges > trim_before.exchanges:
        words = _("대화가 길어서 앞부분은 코치가 더 이상 기억하지 못해요. 습관 기록은 그대로예요.")
        found.append(SystemChatMessage(words, SystemMessageKind.TRIMMED))
    elif trim.results > trim_before.results:
        words = _("대화가 길어서 앞에서 찾아본 내용은 짧게 줄여 두었어요.")
        found.append(SystemChatMessage(words, SystemMessageKind.TRIMMED))
    if user_turns >= CHAT_SOFT_HISTORY_LIMIT and not _has(SystemMessageKind.LONG_HISTORY, messages):
        words = _("대화가 길어졌어요. 새 대화로 시작하면 더 빨라져요.")
        found.append(SystemChatMessage(words, SystemMessageKind.LONG_HISTORY))
    return found


def _has(kind: SystemMessageKind, messages: Iterable[ChatMessage]) -> bool:
    return any(isinstance(message, SystemChatMessage) and message.kind is kind for message in messages)
