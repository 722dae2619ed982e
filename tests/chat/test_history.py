"""Messages, stored events and replayed turns say the same."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lifehelper_desktop.chat.history import end_state, event_of, interrupted_result, messages_of, turns_of
from lifehelper_desktop.chat.messages import (
    ChatMessage,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
    ToolCallState,
    UserChatMessage,
)
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmToolResult, LlmTurn
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk
from lifehelper_desktop.tools.stored_result import result_from_json, result_to_json

TEXT = st.text(st.characters(exclude_categories=()), max_size=20)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
CHANGES = st.builds(
    Changes,
    habits=st.frozensets(st.integers(1, 9)),
    entries=st.frozensets(st.tuples(st.integers(1, 9), st.dates().map(str))),
)
RESULTS = st.one_of(
    st.builds(ToolOk, OBJECT, CHANGES), st.builds(ToolErr, TEXT, TEXT), st.builds(ToolCancelled, st.booleans())
)


@st.composite
def cards(draw: Any) -> ToolCallChatMessage:
    result = draw(RESULTS)
    changes = result.changes if isinstance(result, ToolOk) and result.changes else None
    return ToolCallChatMessage(
        key=draw(st.uuids()).hex,
        name=draw(TEXT),
        label=draw(TEXT),
        args=draw(OBJECT),
        state=end_state(result),
        result=result,
        stored=draw(TEXT),
        changes=changes,
        call_id=draw(st.none() | TEXT),
        identity=draw(TEXT),
    )


MESSAGES = st.lists(
    st.one_of(
        st.builds(UserChatMessage, TEXT, TEXT),
        st.builds(ModelChatMessage, TEXT, st.booleans()),
        st.builds(SystemChatMessage, TEXT, st.sampled_from(SystemMessageKind)),
        cards(),
    ),
    max_size=12,
)


def stored(messages: list[ChatMessage]) -> list[StoredEvent]:
    """What is stored while `messages` happen: a call twice, as it begins and as it ends. Through JSON and back."""
    events: list[StoredEvent] = []
    for message in messages:
        if isinstance(message, ToolCallChatMessage):
            events.append(event_of(dataclasses.replace(message, result=None, state=ToolCallState.RUNNING)))
        events.append(event_of(message))
    return [dataclasses.replace(event, body=json.loads(json.dumps(event.body))) for event in events]


def whole(message: ChatMessage) -> dict[str, Any]:
    """Every field of a message, also those that comparing leaves out."""
    fields = {field.name: getattr(message, field.name) for field in dataclasses.fields(message)}
    if isinstance(message, ToolCallChatMessage) and message.result is not None:
        fields["result"] = result_to_json(message.result)
    return fields


@given(MESSAGES)
def test_stored_events_replay_to_the_same_messages(messages: list[ChatMessage]) -> None:
    again = messages_of(stored(messages))
    assert [type(each) for each in again] == [type(each) for each in messages]
    assert [whole(each) for each in again] == [whole(each) for each in messages]


@given(RESULTS)
def test_results_come_back_whole(result: Any) -> None:
    again = result_from_json(json.loads(json.dumps(result_to_json(result))))
    assert result_to_json(again) == result_to_json(result)


@given(MESSAGES)
def test_every_replayed_call_has_its_result(messages: list[ChatMessage]) -> None:
    for turn in turns_of(messages):
        assert len(turn.calls) == len(turn.results)
        assert [call.call_id for call in turn.calls] == [result.call_id for result in turn.results]
        assert turn.calls or turn.answer or turn.user is not None


def test_turns_hold_what_the_model_was_told() -> None:
    result = ToolOk({"items": [1]})
    card = ToolCallChatMessage(
        "k", "search_catalog", "찾기", {"keyword": "잠"}, ToolCallState.DONE, result, call_id="m"
    )
    messages = [
        UserChatMessage("안녕", "오늘: 수"),
        ModelChatMessage("찾아볼게요."),
        card,
        ModelChatMessage("있어요."),
        SystemChatMessage("알림"),
        UserChatMessage("답이 없던 말"),
    ]
    assert turns_of(messages) == (
        LlmTurn(
            "안녕",
            (LlmFunctionCall("search_catalog", {"keyword": "잠"}, "m"),),
            (LlmToolResult("search_catalog", {"status": "ok", "data": {"items": [1]}}, "m"),),
            "있어요.",
            "오늘: 수",
        ),
    )


def test_a_call_without_a_result_is_interrupted_or_rebuilt() -> None:
    call = StoredEvent(
        "call", {"name": "add_habit", "label": "추가", "args": {}, "call_id": None, "identity": "i"}, "key"
    )
    user = StoredEvent("user", {"text": "추가해 줘", "context": ""})
    _user, card = messages_of([user, call])
    assert isinstance(card, ToolCallChatMessage)
    assert (card.state, card.result) == (ToolCallState.INTERRUPTED, None)
    [turn] = turns_of([_user, card])
    assert turn.results[0].result == interrupted_result().to_json()
    written = {"key": result_to_json(ToolOk({"habit_id": 1}, Changes(frozenset({1}))))}
    _user, card = messages_of([user, call], written)
    assert isinstance(card, ToolCallChatMessage)
    assert (card.state, card.result) == (ToolCallState.DONE, ToolOk({"habit_id": 1}))
    assert card.changes == Changes(frozenset({1}))


def test_what_cannot_be_read_is_left_out() -> None:
    events = [
        StoredEvent("user", {"text": "안녕", "context": ""}),
        StoredEvent("model", {}),
        StoredEvent("system", {"text": "x", "kind": "of another version"}),
        StoredEvent("result", {"result": {}}, "no such call"),
        StoredEvent("call", {"name": "x"}, "k"),
    ]
    assert messages_of(events) == (UserChatMessage("안녕"),)
