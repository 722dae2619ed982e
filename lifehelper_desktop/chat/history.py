"""A conversation between three forms: messages as shown, events as stored, turns as replayed to a model."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.chat.messages import (
    ChatMessage,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
    ToolCallState,
    UserChatMessage,
)
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmToolResult, LlmTurn
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult, cap_result
from lifehelper_desktop.tools.stored_result import (
    changes_from_json,
    changes_to_json,
    result_from_json,
    result_to_json,
)

_log = logging.getLogger(__name__)
_INTERRUPTED: Final = N_("중단됨: 이 호출은 끝나기 전에 멈춰서 바뀐 것이 없어요. 필요하면 사용자에게 다시 물어보세요.")


def interrupted_result() -> ToolErr:
    """Return the result of a call that the end of the program cut short."""
    return ToolErr("interrupted", _(_INTERRUPTED))


def end_state(result: ToolResult) -> ToolCallState:
    """Return what a card shows for a call that ended with `result`."""
    match result:
        case ToolOk():
            return ToolCallState.DONE
        case ToolErr(code="interrupted"):
            return ToolCallState.INTERRUPTED
        case ToolErr():
            return ToolCallState.FAILED
        case ToolCancelled(declined=declined):
            return ToolCallState.DECLINED if declined else ToolCallState.CANCELLED


def event_of(message: ChatMessage) -> StoredEvent:
    """Return the event that stores a message: of a call that runs, its proposal; of one that ended, its result."""
    match message:
        case UserChatMessage(text=text, context=context):
            return StoredEvent("user", {"text": text, "context": context}, text=text)
        case ModelChatMessage(text=text, stopped=stopped):
            return StoredEvent("model", {"text": text, "stopped": stopped}, text=text)
        case SystemChatMessage(text=text, kind=kind):
            return StoredEvent("system", {"text": text, "kind": kind.value})
        case ToolCallChatMessage(result=None) as card:
            body: dict[str, Any] = {"name": card.name, "label": card.label, "args": dict(card.args)}
            body |= {"call_id": card.call_id, "identity": card.identity}
            return StoredEvent("call", body, card.key)
        case ToolCallChatMessage() as card:
            assert card.result is not None
            body = {"result": result_to_json(card.result), "stored": card.stored}
            body["changes"] = None if card.changes is None else changes_to_json(card.changes)
            return StoredEvent("result", body, card.key, card.stored)


def messages_of(
    events: Iterable[StoredEvent], written: Mapping[str, Mapping[str, Any]] | None = None
) -> tuple[ChatMessage, ...]:
    """Return the messages that `events` tell of; `written` are the results that invocations have stored.

    A call without a result whose write is in `written` gets that result: the program ended between the write and the
    note of it. Any other one is shown as interrupted, without a result. Events that cannot be read are left out.
    """
    messages: list[ChatMessage] = []
    places: dict[str, int] = {}
    for event in events:
        try:
            if event.kind == "result":
                place = places[event.invocation or ""]
                card = messages[place]
                assert isinstance(card, ToolCallChatMessage)
                messages[place] = _ended(card, event.body)
                continue
            message = _message(event)
        except (AssertionError, AttributeError, KeyError, TypeError, ValueError) as error:
            _log.warning("a stored %s event could not be read: %s", event.kind, error)
            continue
        if isinstance(message, ToolCallChatMessage):
            places[message.key] = len(messages)
        messages.append(message)
    return tuple(_settled(message, written or {}) for message in messages)


def _message(event: StoredEvent) -> ChatMessage:
    body = event.body
    match event.kind:
        case "user":
            return UserChatMessage(body["text"], body["context"])
        case "model":
            return ModelChatMessage(body["text"], stopped=body["stopped"])
        case "system":
            return SystemChatMessage(body["text"], SystemMessageKind(body["kind"]))
        case "call":
            return ToolCallChatMessage(
                key=event.invocation or "",
                name=body["name"],
                label=body["label"],
                args=dict(body["args"]),
                state=ToolCallState.RUNNING,
                call_id=body["call_id"],
                identity=body["identity"],
            )
        case other:
            raise ValueError(f"unknown kind {other!r}")


def _ended(card: ToolCallChatMessage, body: Mapping[str, Any]) -> ToolCallChatMessage:
    result = result_from_json(body["result"])
    changes = None if body["changes"] is None else changes_from_json(body["changes"])
    return dataclasses.replace(card, state=end_state(result), result=result, stored=body["stored"], changes=changes)


def _settled(message: ChatMessage, written: Mapping[str, Mapping[str, Any]]) -> ChatMessage:
    if not isinstance(message, ToolCallChatMessage) or message.result is not None:
        return message
    stored = written.get(message.key)
    if stored is None:
        return dataclasses.replace(message, state=ToolCallState.INTERRUPTED)
    result = result_from_json(stored)
    changes = result.changes if isinstance(result, ToolOk) and result.changes else None
    return dataclasses.replace(message, state=end_state(result), result=result, changes=changes)


def turns_of(messages: Sequence[ChatMessage]) -> tuple[LlmTurn, ...]:
    """Return the finished exchanges for `LlmPrompt.history`; messages that nothing answered are left out.

    A call that was interrupted is answered with just that, so that every call has its result.
    """
    turns: list[LlmTurn] = []
    for exchange in _exchanges(messages):
        user, *rest = exchange
        assert isinstance(user, UserChatMessage)
        cards = [message for message in rest if isinstance(message, ToolCallChatMessage)]
        words = [message.text for message in rest if isinstance(message, ModelChatMessage)]
        if not cards and not words:
            continue
        calls = [LlmFunctionCall(card.name, card.args, card.call_id) for card in cards]
        results = [
            LlmToolResult(card.name, cap_result(card.result or interrupted_result()), card.call_id) for card in cards
        ]
        turns.append(LlmTurn(user.text, tuple(calls), tuple(results), words[-1] if words else "", user.context))
    return tuple(turns)


def last_user(messages: Sequence[ChatMessage]) -> int | None:
    """Return where the last message of the user stands, or None."""
    places = [place for place, message in enumerate(messages) if isinstance(message, UserChatMessage)]
    return places[-1] if places else None


def last_user_text(messages: Sequence[ChatMessage]) -> str:
    """Return the user's last message, or empty."""
    return next((message.text for message in reversed(messages) if isinstance(message, UserChatMessage)), "")


def answer_interrupted(messages: Iterable[ChatMessage]) -> list[ToolCallChatMessage]:
    """Return the interrupted calls among `messages` that nothing has answered yet, answered with just that."""
    return [
        dataclasses.replace(message, result=interrupted_result())
        for message in messages
        if isinstance(message, ToolCallChatMessage)
        and message.state is ToolCallState.INTERRUPTED
        and message.result is None
    ]


def with_card(newer: ToolCallChatMessage, messages: Iterable[ChatMessage]) -> tuple[ChatMessage, ...]:
    """Return `messages` with `newer` in the place of the older value of the same call."""
    return tuple(
        newer if isinstance(message, ToolCallChatMessage) and message.key == newer.key else message
        for message in messages
    )


def _exchanges(messages: Sequence[ChatMessage]) -> list[list[ChatMessage]]:
    found: list[list[ChatMessage]] = []
    for message in messages:
        if isinstance(message, UserChatMessage):
            found.append([message])
        elif found:
            found[-1].append(message)
    return found
