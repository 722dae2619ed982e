"""Asking the user before a write, through the program that called: an elicitation in the words of our own dialog.

Clients of 2025 are asked by a request of ours while their call waits. Since 2026-07-28 the call itself is answered
with the question, and the client calls again with the answer: that question waits here, and is used once.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import mcp_types as types

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict

ANSWER: Final = "confirm"  # key of the question and its answer
KEEP_SECONDS: Final = 3600.0
KEEP_QUESTIONS: Final = 64
# Accepting is the yes: there is nothing to fill in.
_FORM: Final[dict[str, Any]] = {"type": "object", "properties": {}}
_VERDICTS: Final = {
    "accept": Verdict.CONFIRMED,
    "decline": Verdict.DECLINED,
    "cancel": Verdict.CANCELLED,
}


class Question:
    """A gate that lets nothing through and remembers what would have to be asked."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.request: ConfirmRequest | None = None

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Remember; the answer comes later."""
        self.request = request
        return Verdict.CANCELLED


class Approved:
    """A gate for one call that the user has said yes to: the yes counts for exactly what was shown."""

    def __init__(self, shown: ConfirmRequest) -> None:
        """Let the call through that `shown` was about."""
        self._shown = shown

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Return CONFIRMED for that call, CANCELLED for any other."""
        is_same = request.tool_name == self._shown.tool_name and request.digest == self._shown.digest
        return Verdict.CONFIRMED if is_same else Verdict.CANCELLED


def can_ask(capabilities: types.ClientCapabilities | None) -> bool:
    """Return whether the client can show a form. One that says nothing of kinds shows forms."""
    elicitation = capabilities.elicitation if capabilities is not None else None
    return elicitation is not None and (elicitation.form is not None or elicitation.url is None)


def words_of(request: ConfirmRequest) -> str:
    """Return the question as the window's dialog puts it."""
    return f"{_('이 작업을 수행할까요?')}\n{request.label}\n{request.description}\n\n{request.summary}"


def form_of(request: ConfirmRequest) -> tuple[str, dict[str, Any]]:
    """Return the message and the schema of the form."""
    return words_of(request), dict(_FORM)


def question_of(request: ConfirmRequest) -> types.ElicitRequest:
    """Return the question as it travels inside of an answer."""
    message, schema = form_of(request)
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def verdict_of(answer: object) -> Verdict:
    """Return what an answer means; what is no answer to a form is none."""
    return _VERDICTS[answer.action] if isinstance(answer, types.ElicitResult) else Verdict.CANCELLED


@dataclass(frozen=True, slots=True)
class Waiting:
    """A question on its way to the user and back.

    Attributes:
        raw: The arguments as the client sent them.
        until: When it is too late for an answer, on the monotonic clock, in seconds.
    """

    request: ConfirmRequest
    raw: Mapping[str, Any]
    until: float


class WaitingQuestions:
    """The questions that went out with an answer. Each is taken once; only the newest are kept. Any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """Begin with none; `now` tells monotonic seconds."""
        self._now = now
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, Waiting] = OrderedDict()

    def keep(self, request: ConfirmRequest, raw: Mapping[str, Any]) -> str:
        """Keep a question and return the token that its answer has to bring; nobody can guess it."""
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._kept[token] = Waiting(request, raw, self._now() + KEEP_SECONDS)
            while len(self._kept) > KEEP_QUESTIONS:
                self._kept.popitem(last=False)
        return token

    def take(self, token: str, name: str, raw: Mapping[str, Any]) -> ConfirmRequest | None:
        """Return the question of `token`, once, when it was about this very call and is not too old."""
        with self._lock:
            waiting = self._kept.pop(token, None)
        if waiting is None or waiting.until < self._now():
            return None
        if waiting.request.tool_name != name or waiting.raw != raw:
            return None
        return waiting.request
