"""The conversation as the window knows it. It outlives the chat pane, which is built anew for language and theme."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal

from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatEvent,
    ChatMessage,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    PromptReading,
    SummaryChanged,
    SystemChatMessage,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.chat.progress import IDLE, READING, STOPPING, Step, step_after
from lifehelper_desktop.storage.talk_summaries import TalkSummary
from lifehelper_desktop.ui.bus import Bus


class Conversation(QObject):
    """Main thread. `changed` carries every event after it was taken in; `busy_changed` says whether a turn runs.

    Attributes:
        messages: As shown, oldest first.
        streaming: The answer received so far, None when none is being written.
        failure: The TurnFailed of the last turn, or None.
        can_continue: The turn cap was reached.
        step: Where the turn stands, or the rest between turns.
        step_since: When that step began, of `time.monotonic`.
        model_ready: A model answered in this conversation, so a failure is not one of loading.
        undone: Keys of tool calls whose entry was taken back.
        summary: What stands for the beginning, without text once it was deleted, or None.
        is_editing: The composer holds the user's last message, to be sent in its place.
    """

    changed = Signal(object)
    busy_changed = Signal(bool)

    def __init__(self, bus: Bus, parent: QObject | None = None) -> None:
        """Listen to `bus`."""
        super().__init__(parent)
        self.messages: list[ChatMessage] = []
        self.streaming: str | None = None
        self.failure: TurnFailed | None = None
        self.can_continue = False
        self.step = IDLE
        self.step_since = time.monotonic()
        self.model_ready = False
        self.undone: set[str] = set()
        self.is_editing = False
        self.summary: TalkSummary | None = None
        self._busy = False
        self._skip_user: str | None = None
        self._clearing: str | None = None
        bus.on_chat(self.take)

    @property
    def is_busy(self) -> bool:
        """Whether a turn runs."""
        return self._busy

    @property
    def last_user_text(self) -> str:
        """The user's last message, or empty."""
        for message in reversed(self.messages):
            if isinstance(message, UserChatMessage):
                return message.text
        return ""

    def begin_turn(self, *, retried: str | None = None) -> None:
        """A turn was asked for; `retried` is the message that is sent again and whose bubble stands already."""
        self.failure = None
        self.can_continue = False
        self._skip_user = retried
        self._go_to(READING)
        self._set_busy(True)

    def begin_stop(self) -> None:
        """The running turn was told to stop: what still comes of it is no new step."""
        if self._busy:
            self._go_to(STOPPING)

    def add_line(self, text: str) -> None:
        """Add a line from the app itself."""
        self.take(MessageAdded(SystemChatMessage(text)))

    def begin_clear(self, note: str = "") -> None:
        """The thread was told to begin anew: ignore what the old turn still says, until ChatCleared comes.

        `note` is then the first line. Until that moment the conversation is empty and busy.
        """
        self._clearing = note
        self.begin_stop()
        self._forget()
        self._set_busy(True)
        self.changed.emit(ChatCleared())

    def take(self, event: ChatEvent) -> None:
        """Take one event in and tell the pane."""
        if self._clearing is not None and not isinstance(event, ChatCleared):
            return
        self._follow(event)
        match event:
            case PromptReading():
                self.model_ready = True
            case TextStreamed(text):
                self.streaming = (self.streaming or "") + text
            case MessageAdded(message):
                if self._skips(message):
                    return
                if isinstance(message, ModelChatMessage | ToolCallChatMessage):
                    self.streaming = None
                self.messages.append(message)
            case MessagesReplaced(messages):
                self.messages[:] = messages
                self.streaming = None
            case ToolCallUpdated(message):
                self._replace(message)
            case TurnFinished(state):
                self.can_continue = state.can_continue
                self._end_turn()
            case TurnFailed():
                self.failure = event
                self._end_turn()
            case SummaryChanged(summary):
                self.summary = summary
            case ChatCleared():
                self._forget()
                if self._clearing:
                    self.messages.append(SystemChatMessage(self._clearing))
                self._clearing = None
                self._end_turn()
            case _:
                pass
        self.changed.emit(event)

    def _follow(self, event: ChatEvent) -> None:
        step = step_after(self.step, event)
        if self._busy and not step.is_running and not isinstance(event, TurnFinished | TurnFailed | ChatCleared):
            step = READING  # the turn was asked for while the coach tidied up, and that has ended
        self._go_to(step)

    def _go_to(self, step: Step) -> None:
        if not step.is_same(self.step):
            self.step_since = time.monotonic()
        self.step = step

    def _skips(self, message: ChatMessage) -> bool:
        if self._skip_user is not None and message == UserChatMessage(self._skip_user):
            self._skip_user = None
            return True
        return False

    def _replace(self, newer: ToolCallChatMessage) -> None:
        for index, message in enumerate(self.messages):
            if isinstance(message, ToolCallChatMessage) and message.key == newer.key:
                self.messages[index] = newer

    def _forget(self) -> None:
        self.messages.clear()
        self.undone.clear()
        self.is_editing = False
        self.summary = None
        self.failure, self.can_continue = None, False
        self.streaming = None

    def _end_turn(self) -> None:
        self.streaming = None
        self._skip_user = None
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)
