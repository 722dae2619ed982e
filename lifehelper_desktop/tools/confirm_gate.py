"""The gate before every write: a question that is answered exactly once, bound to one call and the arguments shown."""

from __future__ import annotations

import hashlib
import json
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol


class Verdict(StrEnum):
    """How a question ended."""

    CONFIRMED = "confirmed"
    DECLINED = "declined"
    CANCELLED = "cancelled"


def arguments_digest(tool_name: str, args: Mapping[str, Any]) -> str:
    """Return a hash of the call as shown: tool name and canonical JSON of the arguments."""
    text = json.dumps([tool_name, args], ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class ConfirmRequest:
    """What the user is asked.

    Attributes:
        invocation_id: Made by the app for this one call; a model's own ids are never used here.
        label: Name of the tool in the user's language.
        description: What the tool does.
        summary: The effect of this call in words, with the arguments that will be used.
    """

    tool_name: str
    label: str
    description: str
    summary: str
    args: Mapping[str, Any]
    digest: str
    invocation_id: str = field(default_factory=lambda: uuid.uuid4().hex)


class PendingConfirm:
    """A request waiting for its answer. Any thread may answer; only the first answer counts.

    The asking thread blocks in `wait`. An answer for another invocation or other arguments is ignored.
    """

    def __init__(self, request: ConfirmRequest) -> None:
        """Begin waiting for an answer to `request`."""
        self.request = request
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._verdict: Verdict | None = None

    def answer(self, verdict: Verdict, invocation_id: str, digest: str) -> bool:
        """Give the answer; return whether it counted (first one, for this call and these arguments)."""
        with self._lock:
            if self._verdict is not None:
                return False
            if invocation_id != self.request.invocation_id or digest != self.request.digest:
                return False
            self._verdict = verdict
        self._done.set()
        return True

    def cancel(self) -> bool:
        """End the question without an answer (stop, closing, quitting): counts as no."""
        return self.answer(Verdict.CANCELLED, self.request.invocation_id, self.request.digest)

    @property
    def is_answered(self) -> bool:
        """Whether the question has ended."""
        return self._done.is_set()

    def wait(self) -> Verdict:
        """Block until the question ends and return how."""
        self._done.wait()
        return self._verdict or Verdict.CANCELLED


class ConfirmGate(Protocol):
    """Asks the user. Called on the thread that runs the tools; may block."""

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Return the user's verdict on exactly this request; anything but CONFIRMED means no."""
        ...


class FixedGate:
    """Answers every question the same way: the command line's `--yes`, and evaluation cases."""

    def __init__(self, verdict: Verdict) -> None:
        """Always answer `verdict`."""
        self._verdict = verdict

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Return the fixed verdict."""
        return self._verdict
