"""Turns as AG-UI events: in every ending each start has its end, and a client ends up with what was said."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from typing import Any

import pytest
from ag_ui.core import BaseEvent, EventType

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.chat.agui import AguiGate, AguiStream
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatSessionState,
    MessageAdded,
    ModelChatMessage,
    PromptReading,
    SummaryChanged,
    SummaryRunning,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallState,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker, TalkSummary
from lifehelper_desktop.tools.confirm_gate import ConfirmGate, Verdict
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.agui import Client, read_event
from tests.helpers.scripted_llm import Script, ScriptedLlmService, ScriptPause, ScriptThinking
from tests.helpers.worlds import RecordingGate, world_1

LOG_WALK = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"})
STREAK = LlmFunctionCall("get_streak", {"habit_id": 1})


class Streamed:
    """A conversation and its stream."""

    def __init__(self, store: Store, script: Script, gate: ConfirmGate | None = None) -> None:
        """Ask through `gate`; None: nobody can be asked."""
        self.llm = ScriptedLlmService(script)
        self.rows: list[dict[str, Any]] = []
        clock = itertools.count(1_786_570_200_000)
        self.stream = AguiStream(
            self._write, lambda: self.controller.conversation_id, asks=gate is not None, now_ms=lambda: next(clock)
        )
        asked = AguiGate(self.stream, lambda _id, request: gate.confirm(request)) if gate is not None else None
        self.controller = ChatSessionController(self.llm, store, ToolRegistry.defaults(), asked, self.stream.take, "ko")

    def _write(self, event: BaseEvent) -> None:
        self.rows.append(event.model_dump(mode="json", by_alias=True))

    @property
    def events(self) -> list[Any]:
        """The events so far, read as a client reads them."""
        return [read_event(row) for row in self.rows]

    def of(self, *kinds: EventType) -> list[Any]:
        """The events of these kinds."""
        return [event for event in self.events if event.type in kinds]

    def client(self) -> Client:
        """A client that has followed the whole stream."""
        return Client().follow(self.events).end()


@pytest.fixture
def make(store: Store) -> Callable[..., Streamed]:
    """Return a maker of streamed conversations over world 1."""
    world_1(store)

    def made(*script: list[object], gate: ConfirmGate | None = None) -> Streamed:
        return Streamed(store, script, gate)  # type: ignore[arg-type]

    return made


def test_a_turn_of_words_tells_every_step(make: Callable[..., Streamed]) -> None:
    talk = make([ScriptThinking(), LlmTextChunk(" 안녕"), LlmTextChunk("하세요. "), LlmTextChunk("\n반가워요.\n")])
    talk.controller.user_turn("  안녕  ")
    client = talk.client()
    assert client.outcomes == ["success"]
    assert client.steps == ["loading_model", "reading", "thinking", "writing"]
    assert [(row["role"], row["content"]) for row in client.messages] == [
        ("user", "안녕"),
        ("assistant", "안녕하세요. \n반가워요."),
    ]
    assert client.thread == str(talk.controller.conversation_id)
    assert [event.content for event in talk.of(EventType.ACTIVITY_SNAPSHOT)] == [
        {"fraction": 0.0},
        {"fraction": 0.5},
        {"fraction": 1.0},
    ]
    assert talk.of(EventType.STEP_STARTED)[0].metadata == {"text": "모델을 불러오는 중"}


def test_calls_belong_to_the_message_that_made_them(make: Callable[..., Streamed]) -> None:
    talk = make(
        [LlmTextChunk("찾아볼게요."), STREAK, LlmFunctionCall("list_active_habits", {})],
        [LlmFunctionCall("get_streak", {"habit_id": 99})],
        [LlmTextChunk("좋아요.")],
    )
    talk.controller.user_turn("어때?")
    client = talk.client()
    roles = [row["role"] for row in client.messages]
    assert roles == ["user", "assistant", "tool", "tool", "assistant", "tool", "assistant"]
    first, second = client.messages[1], client.messages[4]
    assert first["content"] == "찾아볼게요."
    assert [call["function"]["name"] for call in first["toolCalls"]] == ["get_streak", "list_active_habits"]
    assert "content" not in second
    assert json.loads(second["toolCalls"][0]["function"]["arguments"]) == {"habit_id": 99}
    assert json.loads(client.messages[2]["content"])["data"]["current_streak"] == 42
    assert json.loads(client.messages[5]["content"])["status"] == "error"
    assert [event.metadata["label"] for event in talk.of(EventType.TOOL_CALL_START)][:2] == [
        "연속 기록 보기",
        "내 습관 보기",
    ]
    keys = [card.key for card in talk.controller.state.messages if isinstance(card, ToolCallChatMessage)]
    assert [event.tool_call_id for event in talk.of(EventType.TOOL_CALL_RESULT)] == keys


@pytest.mark.parametrize(
    ("verdict", "entry", "status"),
    [
        (Verdict.CONFIRMED, ("resolved", {"approved": True}), "ok"),
        (Verdict.DECLINED, ("resolved", {"approved": False}), "cancelled"),
        (Verdict.CANCELLED, ("cancelled", None), "cancelled"),
    ],
)
def test_a_question_is_an_interrupt_and_its_answer_the_next_run(
    make: Callable[..., Streamed], verdict: Verdict, entry: tuple[str, Any], status: str
) -> None:
    gate = RecordingGate(verdict)
    talk = make([STREAK, LOG_WALK, STREAK], [LlmTextChunk("네.")], gate=gate)
    talk.controller.user_turn("기록해 줘")
    client = talk.client()
    assert client.outcomes == ["interrupt", "success"]
    ran = ["calling_tool"] if verdict is Verdict.CONFIRMED else []
    steps = ["calling_tool", "calling_tool", "waiting_for_you", *ran, "reading", "writing"]
    assert client.steps == ["loading_model", "reading", *steps]
    [asked] = [event.outcome for event in talk.of(EventType.RUN_FINISHED) if event.outcome.type == "interrupt"]
    [question] = asked.interrupts
    [request] = gate.requests
    assert question.message == f"{request.description}\n{request.summary}"
    assert question.metadata["digest"] == request.digest
    [answer] = talk.of(EventType.RUN_STARTED)[1].input.resume
    assert (answer.status, answer.payload) == entry
    calls = client.messages[1]["toolCalls"]
    assert [call["function"]["name"] for call in calls] == ["get_streak", "log_tracker_entry"]  # the third is the first
    result = next(row for row in client.messages if row.get("toolCallId") == question.tool_call_id)
    assert json.loads(result["content"])["status"] == status
    changed = [event.value for event in talk.of(EventType.CUSTOM) if event.name == "lifehelper:data_changed"]
    assert changed == ([{"habits": [], "entries": [[1, "2026-08-12"]]}] if verdict is Verdict.CONFIRMED else [])


def test_calls_after_a_question_still_belong_to_the_same_message(make: Callable[..., Streamed]) -> None:
    other = LlmFunctionCall("log_tracker_entry", {"habit_id": 2, "value": "done"})
    talk = make([LlmTextChunk("할게요."), LOG_WALK, other], [LlmTextChunk("네.")], gate=RecordingGate())
    talk.controller.user_turn("둘 다 기록해 줘")
    client = talk.client()
    assert client.outcomes == ["interrupt", "interrupt", "success"]
    assert len(client.messages[1]["toolCalls"]) == 2


def test_nobody_to_ask_is_no_interrupt(make: Callable[..., Streamed]) -> None:
    talk = make([LOG_WALK], [LlmTextChunk("네.")])
    talk.controller.user_turn("기록해 줘")
    client = talk.client()
    assert client.outcomes == ["success"]
    assert "waiting_for_you" not in client.steps
    assert json.loads(client.messages[2]["content"])["status"] == "cancelled"


def test_at_the_cap_the_run_was_stopped_on_purpose(make: Callable[..., Streamed]) -> None:
    rounds = [[LlmFunctionCall("get_streak", {"habit_id": number})] for number in range(1, 5)]
    talk = make(*rounds, [LlmTextChunk("이제 말해요.")])
    talk.controller.user_turn("계속")
    assert talk.client().outcomes == ["cancelled"]
    assert [event.value["kind"] for event in talk.of(EventType.CUSTOM)] == ["turn_cap"]
    talk.controller.continue_turn()
    client = talk.client()
    assert client.outcomes == ["cancelled", "success"]
    assert client.messages[-1]["content"] == "이제 말해요."


def _stopped_at(talk: Streamed, pause: ScriptPause) -> None:
    def stop() -> None:
        assert pause.reached.wait(60)
        talk.controller.request_stop()

    stopper = threading.Thread(target=stop)
    stopper.start()
    talk.controller.user_turn("멈춰 봐")
    stopper.join()


@pytest.mark.parametrize("place", ["loading", "reading", "writing", "spaces", "second round"])
def test_stopped_anywhere_everything_is_closed(make: Callable[..., Streamed], place: str) -> None:
    pause = ScriptPause()
    scripts: dict[str, list[list[object]]] = {
        "loading": [[LlmTextChunk("끝")]],
        "reading": [[pause, LlmTextChunk("끝")]],
        "writing": [[LlmTextChunk("여기까지 "), pause, LlmTextChunk("끝")]],
        "spaces": [[LlmTextChunk(" \n"), pause, LlmTextChunk("끝")]],
        "second round": [[STREAK], [pause, LlmTextChunk("끝")]],
    }
    talk = make(*scripts[place], [LlmTextChunk("다시 왔어요.")])
    if place == "loading":
        talk.llm.load_pause = pause
    _stopped_at(talk, pause)
    client = talk.client()
    assert client.outcomes == ["cancelled"]
    if place == "writing":
        assert client.messages[-1]["content"] == "여기까지"
        assert talk.of(EventType.TEXT_MESSAGE_END)[-1].metadata == {"stopped": True}
    talk.llm.load_pause = None
    talk.llm.script.clear()
    talk.llm.script.append([LlmTextChunk("다시 왔어요.")])
    talk.controller.user_turn("계속 있어?")
    assert talk.client().outcomes == ["cancelled", "success"]


@pytest.mark.parametrize("place", ["loading", "reading", "writing", "second round"])
def test_a_failure_ends_the_run_and_the_next_one_is_new(make: Callable[..., Streamed], place: str) -> None:
    broken = LlmError("decode", "모델이 답하지 못했어요.")
    scripts: dict[str, list[list[object]]] = {
        "loading": [],
        "reading": [[broken]],
        "writing": [[LlmTextChunk("여기까"), broken]],
        "second round": [[STREAK], [broken]],
    }
    talk = make(*scripts[place])
    if place == "loading":
        talk.llm.load_error = WorldError("모델이 없어요.", "설정에서 골라 주세요.")
    talk.controller.user_turn("안녕")
    assert talk.client().outcomes == ["error"]
    expected = "모델이 없어요. 설정에서 골라 주세요." if place == "loading" else "모델이 답하지 못했어요. 다시 보내거나"
    [error] = talk.of(EventType.RUN_ERROR)
    assert error.message.startswith(expected)
    assert error.code == "turn_failed"
    talk.llm.load_error = None
    talk.llm.script.append([LlmTextChunk("네.")])
    talk.controller.user_turn("다시")
    client = talk.client()
    assert client.outcomes == ["error", "success"]
    assert [row["content"] for row in client.messages if row["role"] == "user"] == ["안녕", "다시"]


def test_an_answer_that_was_not_streamed_is_sent_whole(make: Callable[..., Streamed]) -> None:
    talk = make()
    talk.controller.user_turn("죽고 싶어요")
    client = talk.client()
    assert client.outcomes == ["success"]
    answer = talk.controller.state.messages[-1]
    assert isinstance(answer, ModelChatMessage)
    assert client.messages[-1]["content"] == answer.text
    assert client.messages[-1]["role"] == "assistant"


def test_odd_texts_and_arguments_stay_valid_json(make: Callable[..., Streamed]) -> None:
    odd = LlmFunctionCall("없는\ud800 도구", {"값": "\udfff", "수": float("nan"), "빈": ""})
    talk = make([odd], [LlmTextChunk("\ud83d 네")])
    talk.controller.user_turn("이\udc80상해")
    client = talk.client()
    assert client.messages[0]["content"] == "이\ufffd상해"
    assert client.messages[-1]["content"] == "\ufffd 네"
    [arguments] = [json.loads(event.delta) for event in talk.of(EventType.TOOL_CALL_ARGS)]
    assert arguments == {"값": "\ufffd", "수": "NaN", "빈": ""}
    json.dumps(talk.rows, ensure_ascii=False).encode()


def test_a_new_conversation_is_another_thread(make: Callable[..., Streamed]) -> None:
    talk = make([LlmTextChunk("하나")], [LlmTextChunk("둘")])
    talk.controller.user_turn("첫째")
    split = len(talk.rows)
    talk.controller.clear()
    talk.controller.user_turn("둘째")
    first = Client().follow(talk.events[:split]).end()
    second = Client().follow(talk.events[split:]).end()
    assert first.thread != second.thread
    assert [row["content"] for row in second.messages] == ["둘째", "둘"]


def test_a_conversation_that_is_not_kept_has_a_thread_of_its_own(store: Store) -> None:
    store.settings.set(KEEP_CONVERSATIONS, False)
    talk = Streamed(store, [[LlmTextChunk("하나")], [LlmTextChunk("둘")]])
    talk.controller.user_turn("첫째")
    talk.controller.user_turn("둘째")
    client = talk.client()
    assert talk.controller.conversation_id is None
    assert client.thread
    assert len(client.messages) == 4


def test_an_answer_anew_replaces_the_messages_and_the_others_keep_their_ids(make: Callable[..., Streamed]) -> None:
    talk = make([STREAK], [LlmTextChunk("하나")], [LlmTextChunk("둘")], [LlmTextChunk("셋")])
    talk.controller.user_turn("첫째")
    talk.controller.user_turn("둘째")
    before = talk.client().messages
    talk.controller.edit_last("둘째, 고침")
    client = talk.client()
    assert client.messages[:4] == before[:4]
    assert [row.get("content") for row in client.messages[4:]] == ["둘째, 고침", "셋"]
    assert client.messages[4]["id"] not in {row["id"] for row in before}


def test_a_stored_conversation_goes_on_with_all_its_messages(make: Callable[..., Streamed], store: Store) -> None:
    old = make([LlmTextChunk("볼게요."), STREAK], [LlmTextChunk("하나")])
    old.controller.user_turn("첫째")
    number = old.controller.conversation_id
    assert number is not None
    talk = Streamed(store, [[LlmTextChunk("둘")]])
    talk.controller.open(number)
    talk.controller.user_turn("둘째")
    client = talk.client()
    assert client.thread == str(number)
    assert [row["role"] for row in client.messages] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert client.messages[1]["toolCalls"]


def test_tidying_at_rest_is_a_run_of_its_own_and_the_summary_comes_with_the_next() -> None:
    rows: list[dict[str, Any]] = []
    stream = AguiStream(lambda event: rows.append(event.model_dump(mode="json", by_alias=True)), lambda: 7)
    for event in (
        SummaryRunning(True),
        SummaryRunning(False),
        SummaryChanged(TalkSummary("앞에서 걷기 이야기를 했어요.", SummaryMaker.MODEL, 3)),
        MessageAdded(UserChatMessage("안녕")),
        PromptReading(),
        TextStreamed("네"),
        MessageAdded(ModelChatMessage("네")),
        TurnFinished(ChatSessionState()),
    ):
        stream.take(event)
    events = [read_event(row) for row in rows]
    client = Client().follow(events).end()
    assert client.outcomes == ["success", "success"]
    assert client.steps == ["summarising", "reading", "writing"]
    [summary] = [event.value for event in events if event.type is EventType.CUSTOM]
    assert summary == {"text": "앞에서 걷기 이야기를 했어요.", "made_by": "model", "covers": 3}


@pytest.mark.parametrize("end", ["close", "fail", "clear", "next"])
def test_a_turn_that_is_broken_off_is_closed(end: str) -> None:
    rows: list[dict[str, Any]] = []
    stream = AguiStream(lambda event: rows.append(event.model_dump(mode="json", by_alias=True)), lambda: None)
    card = ToolCallChatMessage("k1", "get_streak", "연속 기록 보기", {}, ToolCallState.RUNNING)
    for event in (MessageAdded(UserChatMessage("안녕")), MessageAdded(card), PromptReading(), TextStreamed("반쯤")):
        stream.take(event)
    match end:
        case "close":
            stream.close()
            stream.close()
        case "fail":
            stream.fail("멈췄어요.", "world")
        case "clear":
            stream.take(ChatCleared())
        case _:
            stream.take(MessageAdded(UserChatMessage("또")))
            stream.take(TurnFinished(ChatSessionState()))
    client = Client()
    client.follow([read_event(row) for row in rows]).end()
    expected = {"fail": ["error"], "next": ["cancelled", "success"]}.get(end, ["cancelled"])
    assert client.outcomes == expected
    assert "반쯤" in [row.get("content") for row in client.messages]


def test_the_checker_sees_what_is_wrong(make: Callable[..., Streamed]) -> None:
    talk = make([LlmTextChunk("네"), STREAK], [LlmTextChunk("끝")])
    talk.controller.user_turn("안녕")
    events = talk.events
    Client().follow(events).end()
    for at, event in enumerate(events):
        if event.type in (EventType.CUSTOM, EventType.ACTIVITY_SNAPSHOT):
            continue
        with pytest.raises((AssertionError, KeyError, StopIteration, ValueError)):
            Client().follow([*events[:at], *events[at + 1 :]]).end()
