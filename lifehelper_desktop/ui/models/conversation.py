"""The conversation as the window knows it. It outlives the chat pane, which is built anew for language and theme."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatEvent,
    ChatMessage,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    ModelLoading,
    PromptReading,
    SystemChatMessage,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.ui.bus import Bus


class Conversation(QObject):
    """Main thread. `changed` carries every event after it was taken in; `busy_changed` says whether a turn runs.

    Attributes:
        messages: As shown, oldest first.
        streaming: The answer received so far, None when none is being written.
        failure: The TurnFailed of the last turn, or None.
        can_continue: The turn cap was reached.
        loading: 0–1 while the model loads, else None.
        is_reading: The model reads; no word has come yet.
        model_ready: A model answered in this conversation, so a failure is not one of loading.
        undone: Keys of tool calls whose entry was taken back.
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
        self.loading: float | None = None
        self.is_reading = False
        self.model_ready = False
        self.undone: set[str] = set()
        self.is_editing = False
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
        self._set_busy(True)

    def add_line(self, text: str) -> None:
        """Add a line from the app itself."""
        self.take(MessageAdded(SystemChatMessage(text)))

    def begin_clear(self, note: str = "") -> None:
        """The thread was told to begin anew: ignore what the old turn still says, until ChatCleared comes.

        `note` is then the first line. Until that moment the conversation is empty and busy.
        """
        self._clearing = note
        self._forget()
        self._set_busy(True)
        self.changed.emit(ChatCleared())

    def take(self, event: ChatEvent) -> None:
        """Take one event in and tell the pane."""
        if self._clearing is not None and not isinstance(event, ChatCleared):
            return
        match event:
            case ModelLoading(fraction):
                self.loading = fraction
            case PromptReading():
                self.loading, self.is_reading, self.model_ready = None, True, True
            case TextStreamed(text):
                self.loading, self.is_reading = None, False
                self.streaming = (self.streaming or "") + text
            case MessageAdded(message):
                if self._skips(message):
                    return
                if isinstance(message, ModelChatMessage | ToolCallChatMessage):
                    self.streaming, self.is_reading = None, False
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
            case ChatCleared():
                self._forget()
                if self._clearing:
                    self.messages.append(SystemChatMessage(self._clearing))
                self._clearing = None
                self._end_turn()
            case _:
                pass
        self.changed.emit(event)

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
        self.failure, self.can_continue = None, False
        self.streaming, self.loading, self.is_reading = None, None, False

    def _end_turn(self) -> None:
        self.streaming, self.loading, self.is_reading = None, None, False
        self._skip_user = None
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        if busy != self._busy:
            self._busy = busy
            self.busy_changed.emit(busy)
