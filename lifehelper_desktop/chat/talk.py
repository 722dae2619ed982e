"""The conversation as it stands: every step of it is told to the listener, and what happened is stored."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.keeping import ConversationKeeper
from lifehelper_desktop.chat.messages import (
    ChatEvent,
    ChatListener,
    ChatMessage,
    ChatSessionState,
    MessageAdded,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
    ToolCallUpdated,
)

_log = logging.getLogger(__name__)


class Talk:
    """Holds the state. Used on the thread that runs the conversation.

    Attributes:
        state: The conversation; replaced, never changed.
    """

    def __init__(self, listener: ChatListener, keeper: ConversationKeeper) -> None:
        """Begin empty; events go to `listener`, what happened to `keeper`."""
        self.listener = listener
        self._keeper = keeper
        self.state = ChatSessionState()

    def set(self, **changes: object) -> None:
        """Replace fields of the state."""
        self.state = dataclasses.replace(self.state, **changes)  # type: ignore[arg-type]

    def emit(self, event: ChatEvent) -> None:
        """Tell the listener; a listener that has gone (window closed) must not end the turn."""
        try:
            self.listener(event)
        except Exception:  # noqa: BLE001
            _log.exception("a chat listener failed on %s", type(event).__name__)

    def append(self, message: ChatMessage) -> None:
        """Add a message."""
        self.set(messages=(*self.state.messages, message))
        self._keeper.note(message)
        self.emit(MessageAdded(message))

    def show_card(
        self, event: ChatEvent, messages: Callable[[tuple[ChatMessage, ...]], tuple[ChatMessage, ...]]
    ) -> None:
        """Tell of a call: `messages` changes the messages as `event` says."""
        self.set(messages=messages(self.state.messages))
        if isinstance(event, MessageAdded) or (isinstance(event, ToolCallUpdated) and event.message.result is not None):
            self._keeper.note(event.message)
        self.emit(event)

    # -- ends of an answer

    def add_answer(self, text: str) -> None:
        """Add the answer, or say that it is empty where no call says anything either."""
        answer = text.strip()
        if answer:
            self.append(ModelChatMessage(answer))
        elif not isinstance(self.state.messages[-1], ToolCallChatMessage):
            self.append(SystemChatMessage(_("답이 비어 있었어요. 조금 다르게 말해 보시겠어요?")))

    def add_partial(self) -> bool:
        """Add what was streamed of an answer that has no end; return whether there was anything."""
        partial = (self.state.streaming_text or "").strip()
        if partial:
            self.append(ModelChatMessage(partial, stopped=True))
        return bool(partial)

    def add_stopped(self) -> None:
        """Add what the user stopped."""
        if not self.add_partial():
            self.append(SystemChatMessage(_("멈췄어요.")))

    def add_cap(self) -> None:
        """Say that the turn cap was reached."""
        words = _("도구 호출 루프가 너무 길어 중단했습니다.")
        self.append(SystemChatMessage(words, SystemMessageKind.TURN_CAP))
        self.set(error=words, can_continue=True)
