"""The one way between threads: a QObject in the main thread with few signals, each carrying one frozen value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from PySide6.QtCore import QObject, Qt, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.chat.messages import ChatEvent
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.tools.confirm_gate import PendingConfirm
from lifehelper_desktop.ui.wishes import PendingWish


@dataclass(frozen=True, slots=True)
class CrashNotice:
    """An error of our own was caught; `path` is the report on disk, or None when it could not be written."""

    path: Path | None
    text: str


@dataclass(frozen=True, slots=True)
class FrameProposal:
    """The answer to `LlmThread.suggest_frame`: a sentence to offer, or an error in words with the next step.

    `by_model` is False when the catalogue's own example stands in for the model's sentence.
    """

    request_id: int
    text: str = ""
    by_model: bool = False
    error: str = ""
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A slot of the window met an error of the world; the window tells it once, with its next step."""

    error: WorldError


Notice = CrashNotice | FrameProposal | Trouble


def _checked(value: Any, kinds: tuple[type, ...]) -> Any:
    if not isinstance(value, kinds):
        names = ", ".join(kind.__name__ for kind in kinds)
        raise TypeError(f"the bus carries {names} here, not {type(value).__name__}")
    return value


class Bus(QObject):
    """Lives in the main thread. Any thread may publish; slots always run in the main thread, in the order published.

    Every connection is queued, so a slot never runs inside the code that published, and order holds across threads.
    """

    _chat = Signal(object)
    _data = Signal(object)
    _confirm = Signal(object)
    _wish = Signal(object)
    _notice = Signal(object)

    def publish_chat(self, event: ChatEvent) -> None:
        """Tell the chat pane what happened in the conversation."""
        self._chat.emit(_checked(event, get_args(ChatEvent)))

    def publish_data(self, changes: Changes) -> None:
        """Tell the screens which rows changed."""
        self._data.emit(_checked(changes, (Changes,)))

    def publish_confirm(self, pending: PendingConfirm) -> None:
        """Ask the user; the answer goes straight to `pending`."""
        self._confirm.emit(_checked(pending, (PendingConfirm,)))

    def publish_wish(self, pending: PendingWish) -> None:
        """Ask the window to do something for the coach; the answer goes straight to `pending`."""
        self._wish.emit(_checked(pending, (PendingWish,)))

    def publish_notice(self, notice: Notice) -> None:
        """Tell the window of a crash report, a finished frame suggestion, or trouble with the world."""
        self._notice.emit(_checked(notice, get_args(Notice)))

    def on_chat(self, slot: Callable[[ChatEvent], None]) -> None:
        """Call `slot` (a method of a QObject, so that it ends with it) for every chat event."""
        self._chat.connect(slot, Qt.ConnectionType.QueuedConnection)

    def on_data(self, slot: Callable[[Changes], None]) -> None:
        """Call `slot` for every change of data."""
        self._data.connect(slot, Qt.ConnectionType.QueuedConnection)

    def on_confirm(self, slot: Callable[[PendingConfirm], None]) -> None:
        """Call `slot` for every question to the user."""
        self._confirm.connect(slot, Qt.ConnectionType.QueuedConnection)

    def on_wish(self, slot: Callable[[PendingWish], None]) -> None:
        """Call `slot` for every wish of the coach's."""
        self._wish.connect(slot, Qt.ConnectionType.QueuedConnection)

    def on_notice(self, slot: Callable[[Notice], None]) -> None:
        """Call `slot` for every notice."""
        self._notice.connect(slot, Qt.ConnectionType.QueuedConnection)
