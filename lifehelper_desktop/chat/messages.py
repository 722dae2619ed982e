"""Messages, state and events of one conversation: frozen values, handed between threads freely."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.talk_summaries import TalkSummary
from lifehelper_desktop.tools.envelope import ToolResult


@dataclass(frozen=True, slots=True)
class UserChatMessage:
    """What the user wrote; `context` is what the model was told beside it, which nobody is shown."""

    text: str
    context: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class ModelChatMessage:
    """What the coach answered; `stopped` when the user stopped it in the middle."""

    text: str
    stopped: bool = False


class ToolCallState(StrEnum):
    """Where a call stands: what its card shows."""

    ASKING = "asking"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    DECLINED = "declined"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


@dataclass(frozen=True, slots=True)
class ToolCallChatMessage:
    """One tool call; replaced by a newer value with the same `key` as it goes on.

    Attributes:
        key: Made by the app, unique everywhere: a write is bound to it.
        name: Wire name as the model wrote it.
        label: Name for people in the user's language; the wire name for unknown tools.
        args: Arguments as the model gave them.
        result: None until the call ended.
        stored: The stored row in words, read back from the database; of a call that wrote nothing what it did, or
            empty.
        changes: Rows the call changed.
        call_id: The id that the model gave the call, or None.
        identity: The call as it was run (name and canonical arguments), by which a repetition is known.
    """

    key: str
    name: str
    label: str
    args: Mapping[str, Any]
    state: ToolCallState
    result: ToolResult | None = None
    stored: str = ""
    changes: Changes | None = None
    call_id: str | None = field(default=None, compare=False)
    identity: str = field(default="", compare=False)


class SystemMessageKind(StrEnum):
    """Why the app itself speaks."""

    LONG_HISTORY = "long_history"
    TURN_CAP = "turn_cap"
    NOTHING_CHANGED = "nothing_changed"
    TRIMMED = "trimmed"
    SUMMARISED = "summarised"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class SystemChatMessage:
    """A line from the app, not from the coach."""

    text: str
    kind: SystemMessageKind = SystemMessageKind.NOTICE


ChatMessage = UserChatMessage | ModelChatMessage | ToolCallChatMessage | SystemChatMessage


@dataclass(frozen=True, slots=True)
class ChatSessionState:
    """The whole state of a conversation.

    Attributes:
        messages: Append-only, except that a tool call's message is replaced as the call goes on.
        is_streaming: A turn is running; input waits.
        streaming_text: The part of the answer received so far, or None between turns.
        error: The last error in words, or None.
        can_continue: The turn cap was reached and `continue_turn` may go on.
    """

    messages: tuple[ChatMessage, ...] = ()
    is_streaming: bool = False
    streaming_text: str | None = None
    error: str | None = None
    can_continue: bool = False


@dataclass(frozen=True, slots=True)
class ModelLoading:
    """The model is being loaded; `fraction` 0–1."""

    fraction: float


@dataclass(frozen=True, slots=True)
class PromptReading:
    """The model is loaded and reads the prompt; no text has come yet."""


@dataclass(frozen=True, slots=True)
class ModelThinking:
    """The prompt is read; what the model writes now is not for the user's eyes yet: a thought, a call, a choice."""


@dataclass(frozen=True, slots=True)
class TextStreamed:
    """A piece of the answer arrived."""

    text: str


@dataclass(frozen=True, slots=True)
class MessageAdded:
    """A message joined the conversation; a ModelChatMessage takes the place of the text streamed so far."""

    message: ChatMessage


@dataclass(frozen=True, slots=True)
class ToolCallUpdated:
    """A tool call went on; replaces the message with the same key."""

    message: ToolCallChatMessage


@dataclass(frozen=True, slots=True)
class DataChanged:
    """A tool changed rows."""

    changes: Changes


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The turn ended well, or at the cap, or was `stopped` by the user; `state` is the state after it."""

    state: ChatSessionState
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """The turn ended with an error: what happened, the next step, and the state after it."""

    error: str
    next_step: str
    state: ChatSessionState


@dataclass(frozen=True, slots=True)
class ChatCleared:
    """The conversation was emptied."""


@dataclass(frozen=True, slots=True)
class MessagesReplaced:
    """The whole conversation is another one now: one was opened again, or its last turn begins anew."""

    messages: tuple[ChatMessage, ...]


@dataclass(frozen=True, slots=True)
class SummaryRunning:
    """Between turns: the model begins to summarise what it has left out, or `running` False: it does so no more."""

    running: bool


@dataclass(frozen=True, slots=True)
class AsideAnswered:
    """Between turns: what was asked beside the conversation (a sentence for a form) has ended, whichever way."""


@dataclass(frozen=True, slots=True)
class SummaryChanged:
    """What stands for the beginning of the conversation; its text is empty once it was deleted, None: nothing does."""

    summary: TalkSummary | None


ChatEvent = (
    ModelLoading
    | PromptReading
    | ModelThinking
    | TextStreamed
    | MessageAdded
    | ToolCallUpdated
    | DataChanged
    | TurnFinished
    | TurnFailed
    | ChatCleared
    | MessagesReplaced
    | SummaryRunning
    | AsideAnswered
    | SummaryChanged
)
ChatListener = Callable[[ChatEvent], None]
