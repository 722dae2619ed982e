"""A client of the AG-UI protocol for tests: it checks every rule of a stream and builds the messages from it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ag_ui.core import Event, EventType, Message
from pydantic import BaseModel, TypeAdapter

_EVENT: TypeAdapter[Any] = TypeAdapter(Event)
_MESSAGE: TypeAdapter[Any] = TypeAdapter(Message)
_FINAL = (EventType.RUN_FINISHED, EventType.RUN_ERROR)


def read_lines(text: str) -> list[Any]:
    """Return the events of a stream of JSON lines, validated by the protocol's own models."""
    return [read_event(json.loads(line)) for line in text.splitlines()]


def read_event(row: dict[str, Any]) -> Any:
    """Return one event; unknown keys and what does not come back as it went fail."""
    event = _EVENT.validate_python(row)
    _no_extra(event)
    assert event.model_dump(mode="json", by_alias=True) == row
    return event


def _no_extra(value: object) -> None:
    if isinstance(value, BaseModel):
        assert not value.model_extra, value
        for name in type(value).model_fields:
            _no_extra(getattr(value, name))
    elif isinstance(value, list):
        for item in value:
            _no_extra(item)


class Client:
    """Follows one stream. `check` of the whole stream is `follow` and then `end`.

    Attributes:
        messages: What a client shows, as JSON, oldest first.
        outcomes: How each run ended: `success`, `cancelled`, `interrupt` or `error`.
        steps: Names of all steps, in the order they began.
    """

    def __init__(self) -> None:
        """Begin with an empty thread."""
        self.messages: list[dict[str, Any]] = []
        self.outcomes: list[str] = []
        self.steps: list[str] = []
        self.thread: str | None = None
        self._run: str | None = None
        self._run_ids: set[str] = set()
        self._texts: set[str] = set()
        self._calls: set[str] = set()
        self._ended: set[str] = set()
        self._answered: set[str] = set()
        self._given_up: set[str] = set()  # calls of a run that was broken off
        self._ids: set[str] = set()
        self._open_steps: set[str] = set()
        self._waiting: set[str] = set()
        self._is_replaced = False  # the messages that the run began with are others: a snapshot must follow
        self._before: Any = None
        self._time = 0

    def follow(self, events: Iterable[Any]) -> Client:
        """Take events in; a broken rule fails the test."""
        for event in events:
            self._take(event)
            self._before = event
        return self

    def end(self) -> Client:
        """The stream is over: nothing may be open."""
        assert self._before is not None, "an empty stream"
        assert self._before.type in _FINAL
        return self

    def _take(self, event: Any) -> None:
        assert event.timestamp >= self._time
        self._time = event.timestamp
        kind: EventType = event.type
        if kind is EventType.RUN_STARTED:
            self._start(event)
            return
        if kind is EventType.RUN_ERROR:
            self._all_closed()
            assert self._before is None or self._before.type is not EventType.RUN_ERROR
            assert event.message
            self.outcomes.append("error")
            self._given_up |= self._ended - self._answered
            self._run = None
            return
        assert self._run is not None, f"{kind} outside a run"
        assert not self._is_replaced or kind is EventType.MESSAGES_SNAPSHOT
        self._is_replaced = False
        match kind:
            case EventType.RUN_FINISHED:
                self._finish(event)
            case EventType.STEP_STARTED:
                assert event.step_name not in self._open_steps
                self._open_steps.add(event.step_name)
                self.steps.append(event.step_name)
            case EventType.STEP_FINISHED:
                self._open_steps.remove(event.step_name)
            case EventType.TEXT_MESSAGE_START:
                self._new_id(event.message_id)
                self._texts.add(event.message_id)
                self.messages.append({"id": event.message_id, "role": event.role, "content": ""})
            case EventType.TEXT_MESSAGE_CONTENT:
                assert event.delta
                assert event.message_id in self._texts
                self._by_id(event.message_id)["content"] += event.delta
            case EventType.TEXT_MESSAGE_END:
                self._texts.remove(event.message_id)
                assert self._by_id(event.message_id)["content"].strip()
            case EventType.TOOL_CALL_START:
                self._start_call(event)
            case EventType.TOOL_CALL_ARGS:
                assert event.delta
                assert event.tool_call_id in self._calls
                self._call(event.tool_call_id)["function"]["arguments"] += event.delta
            case EventType.TOOL_CALL_END:
                self._calls.remove(event.tool_call_id)
                self._ended.add(event.tool_call_id)
                assert isinstance(json.loads(self._call(event.tool_call_id)["function"]["arguments"]), dict)
            case EventType.TOOL_CALL_RESULT:
                assert event.tool_call_id in self._ended
                assert event.tool_call_id not in self._answered
                self._answered.add(event.tool_call_id)
                self._new_id(event.message_id)
                self.messages.append(
                    {
                        "id": event.message_id,
                        "role": "tool",
                        "content": event.content,
                        "toolCallId": event.tool_call_id,
                    }
                )
            case EventType.MESSAGES_SNAPSHOT:
                self._snapshot(event.messages)
            case EventType.ACTIVITY_SNAPSHOT | EventType.CUSTOM:
                json.dumps(event.model_dump(mode="json"), allow_nan=False)
            case _:
                raise AssertionError(f"nothing sends {kind}")

    def _start(self, event: Any) -> None:
        assert self._run is None, "a run within a run"
        assert event.run_id not in self._run_ids
        assert event.protocol_version == "1.0"
        self._run_ids.add(event.run_id)
        self._run = event.run_id
        self.thread = self.thread or event.thread_id
        assert event.thread_id == self.thread
        asked = event.input
        assert (asked.thread_id, asked.run_id) == (event.thread_id, event.run_id)
        answered = {entry.interrupt_id for entry in asked.resume or ()}
        assert answered == self._waiting, "each question is answered by the next run, and nothing else is"
        self._waiting = set()
        known = {message["id"] for message in self.messages}
        for message in asked.messages:
            if message.id not in known:
                self._ids.add(message.id)
                self.messages.append(_as_json(message))
        self._is_replaced = [_as_json(message) for message in asked.messages] != self.messages

    def _finish(self, event: Any) -> None:
        self._all_closed()
        assert (event.thread_id, event.run_id) == (self.thread, self._run)
        self.outcomes.append(event.outcome.type)
        self._run = None
        if event.outcome.type == "interrupt":
            for question in event.outcome.interrupts:
                self._new_id(question.id)
                self._waiting.add(question.id)
                assert question.reason == "tool_call"
                assert question.message
                assert question.tool_call_id in self._ended - self._answered
        elif event.outcome.type == "success":
            assert self._ended - self._given_up == self._answered - self._given_up, "every call has its result"
        else:
            self._given_up |= self._ended - self._answered

    def _start_call(self, event: Any) -> None:
        self._new_id(event.tool_call_id)
        self._calls.add(event.tool_call_id)
        parents = [message for message in self.messages if message["id"] == event.parent_message_id]
        if not parents:
            self._new_id(event.parent_message_id)
            parents = [{"id": event.parent_message_id, "role": "assistant"}]
            self.messages += parents
        assert parents[0]["role"] == "assistant"
        function = {"name": event.tool_call_name, "arguments": ""}
        parents[0].setdefault("toolCalls", []).append(
            {"id": event.tool_call_id, "type": "function", "function": function}
        )

    def _snapshot(self, messages: list[Any]) -> None:
        rows = [_as_json(message) for message in messages]
        if self._before.type is not EventType.RUN_STARTED:  # there it replaces; elsewhere it repeats what was sent
            assert rows == self.messages
        self.messages = rows
        self._ids |= {row["id"] for row in rows}

    def _all_closed(self) -> None:
        assert not self._texts, "a message is open"
        assert not self._calls, "a call is open"
        assert not self._open_steps, "a step is open"

    def _new_id(self, value: str) -> None:
        assert value
        assert value not in self._ids
        self._ids.add(value)

    def _by_id(self, message_id: str) -> dict[str, Any]:
        return next(message for message in self.messages if message["id"] == message_id)

    def _call(self, call_id: str) -> Any:
        return next(call for message in self.messages for call in message.get("toolCalls", ()) if call["id"] == call_id)


def _as_json(message: Any) -> dict[str, Any]:
    row: dict[str, Any] = _MESSAGE.dump_python(message, mode="json", by_alias=True)
    return row
