"""What the coach may call: by place, by model, and within one state of the run."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ToolCallChatMessage, ToolCallState
from lifehelper_desktop.chat.starter.contract import TRAINED_TOOLS
from lifehelper_desktop.chat.tool_side import SMALL_MAX, profile_of
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmStopped, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.visibility import TOOLS_BY_PROFILE, ModelProfile
from tests.helpers import scripted_llm
from tests.helpers.scripted_llm import SCRIPTED_INFO, ScriptedLlmService
from tests.helpers.window import RecordingUi
from tests.helpers.worlds import RecordingGate, world_1

GOOD = "담배 생각이 나면 창가에서 물을 마신다"


def _controller(llm: ScriptedLlmService, store: Store, ui: RecordingUi | None = None) -> ChatSessionController:
    events: list[object] = []
    return ChatSessionController(llm, store, ToolRegistry.defaults(), RecordingGate(), events.append, "ko", ui=ui)


def _cards(controller: ChatSessionController) -> list[ToolCallChatMessage]:
    return [message for message in controller.state.messages if isinstance(message, ToolCallChatMessage)]


@pytest.mark.parametrize(
    ("chat_tuned", "parameters", "profile"),
    [
        (False, 100_000_000, ModelProfile.STARTER),
        (True, 100_000_000, ModelProfile.SMALL),
        (True, SMALL_MAX, ModelProfile.SMALL),
        (True, SMALL_MAX + 1, ModelProfile.FULL),
        (True, 0, ModelProfile.FULL),
    ],
)
def test_the_profile_of_a_model(chat_tuned: bool, parameters: int, profile: ModelProfile) -> None:
    info = dataclasses.replace(SCRIPTED_INFO, chat_tuned=chat_tuned, parameters=parameters)
    assert profile_of(info) is profile
    assert profile_of(None) is ModelProfile.FULL


@pytest.mark.parametrize("profile", list(ModelProfile))
def test_a_model_is_shown_and_can_call_what_its_profile_names(
    store: Store, profile: ModelProfile, monkeypatch: pytest.MonkeyPatch
) -> None:
    world_1(store)
    sizes = {ModelProfile.STARTER: (False, 1), ModelProfile.SMALL: (True, 1), ModelProfile.FULL: (True, 0)}
    tuned, parameters = sizes[profile]
    info = dataclasses.replace(SCRIPTED_INFO, parameters=parameters)
    monkeypatch.setattr(scripted_llm, "SCRIPTED_INFO", info)
    names = ToolRegistry.defaults().names()
    llm = ScriptedLlmService([[LlmFunctionCall("suggest_frame", {"habit_id": 1})], [LlmTextChunk("네.")]])
    llm.chat_tuned = tuned
    controller = _controller(llm, store, RecordingUi())
    controller.user_turn("걷기 문장을 새로 지어 줘")
    assert {tool.name for tool in llm.prompts[0].tools} == set(TOOLS_BY_PROFILE[profile]) & set(names)
    [card] = _cards(controller)
    if profile is ModelProfile.FULL:
        assert isinstance(card.result, ToolOk)
    else:
        assert isinstance(card.result, ToolErr), "a tool that it was not shown cannot be reached"
        assert card.result.code == "unknown_tool"


def test_without_a_window_its_tools_are_not_there(store: Store) -> None:
    llm = ScriptedLlmService([[LlmFunctionCall("open_screen", {"screen": "설정"})], [LlmTextChunk("없네요.")]])
    controller = _controller(llm, store)
    controller.user_turn("설정 열어 줘")
    shown = {tool.name for tool in llm.prompts[0].tools}
    assert not shown & {"open_screen", "show_habit", "copy_text"}
    assert set(TRAINED_TOOLS) <= shown
    [card] = _cards(controller)
    assert isinstance(card.result, ToolErr)
    assert card.result.code == "unknown_tool"
    assert "open_screen" not in card.result.reason


def test_the_card_says_what_was_opened(store: Store) -> None:
    llm = ScriptedLlmService([[LlmFunctionCall("open_screen", {"screen": "설정"})], [LlmTextChunk("열었어요.")]])
    controller = _controller(llm, store, RecordingUi())
    controller.user_turn("설정 열어 줘")
    [card] = _cards(controller)
    assert (card.state, card.label) == (ToolCallState.DONE, "화면 열기")
    assert card.stored == "‘settings’를 열었어요."
    assert llm.tool_results[0][0].result == {"status": "ok", "data": {"opened": "settings"}}


# ---- the state of the run -------------------------------------------------------------------------------------------


def test_the_habit_last_spoken_of_is_meant(store: Store) -> None:
    habits = world_1(store)
    llm = ScriptedLlmService(
        [
            [LlmFunctionCall("get_streak", {"habit_id": "하루 걷기"})],
            [LlmTextChunk("42일째예요.")],
            [LlmFunctionCall("show_habit", {})],
            [LlmTextChunk("열었어요.")],
        ]
    )
    ui = RecordingUi()
    controller = _controller(llm, store, ui)
    controller.user_turn("걷기 며칠째야?")
    controller.user_turn("그거 보여 줘")
    assert ui.wishes == [("show_habit", habits["walk"].id)]


def test_the_habit_in_view_is_told_and_meant_until_another_is_spoken_of(store: Store) -> None:
    habits = world_1(store)
    show = [LlmFunctionCall("show_habit", {})]
    words = [LlmTextChunk("네.")]
    spoken = [LlmFunctionCall("get_streak", {"habit_id": habits["todo"].id})]
    llm = ScriptedLlmService([show, words, spoken, words, show, words, show, words])
    ui = RecordingUi(habit_in_view=habits["social"].id)
    controller = _controller(llm, store, ui)
    for text in ("이거 보여 줘", "할 일은 며칠째야?", "그거 보여 줘"):
        controller.user_turn(text)
    assert f"지금 보는 화면: {habits['social'].id} " in llm.user_inputs[0][1]
    ui.habit_in_view = habits["walk"].id
    controller.user_turn("이거 보여 줘")
    assert [value for _action, value in ui.wishes] == [habits[name].id for name in ("social", "todo", "walk")]


def test_a_new_conversation_has_spoken_of_nothing(store: Store) -> None:
    world_1(store)
    llm = ScriptedLlmService(
        [
            [LlmFunctionCall("get_streak", {"habit_id": 1})],
            [LlmTextChunk("네.")],
            [LlmFunctionCall("show_habit", {})],
            [LlmTextChunk("어느 습관이요?")],
        ]
    )
    ui = RecordingUi()
    controller = _controller(llm, store, ui)
    controller.user_turn("걷기 며칠째야?")
    controller.clear()
    controller.user_turn("그거 보여 줘")
    assert ui.wishes == []


def test_one_message_means_one_day(store: Store, clock: FixedClock) -> None:
    """The user says “today” before midnight and says yes after it."""
    habits = world_1(store)

    class SlowGate(RecordingGate):
        def confirm(self, request):  # type: ignore[no-untyped-def]
            clock.set(clock.now() + timedelta(hours=8))
            return super().confirm(request)

    later = [LlmFunctionCall("log_tracker_entry", {"habit_id": habits[name].id, "value": "done"}) for name in habits]
    llm = ScriptedLlmService([later, [LlmTextChunk("적었어요.")]])
    events: list[object] = []
    controller = ChatSessionController(llm, store, ToolRegistry.defaults(), SlowGate(), events.append, "ko")
    controller.user_turn("오늘 셋 다 했어")
    days = {card.result.data["date"] for card in _cards(controller) if isinstance(card.result, ToolOk)}
    assert days == {date(2026, 8, 12).isoformat()}


# ---- asking the model -----------------------------------------------------------------------------------------------


def test_a_sentence_in_the_middle_of_a_turn(store: Store) -> None:
    llm = ScriptedLlmService(
        [[LlmFunctionCall("suggest_frame", {"protocol_id": "break-smoking"})], [LlmTextChunk("이건 어때요?")]],
        texts=["담배를 끊는다", GOOD],
    )
    controller = _controller(llm, store)
    controller.user_turn("담배 문장 하나 지어 줘")
    [card] = _cards(controller)
    assert isinstance(card.result, ToolOk)
    assert card.result.data["framed_text"] == GOOD
    assert GOOD in card.stored
    assert len(llm.sessions) == 1, "the conversation's own session, beside which it was asked"
    assert len(llm.instructions) == 2


def test_stop_in_a_sentence_cancels_the_call_and_ends_the_turn(store: Store) -> None:
    llm = ScriptedLlmService(
        [[LlmFunctionCall("suggest_frame", {"protocol_id": "break-smoking"})], [LlmTextChunk("여기까지 오지 않아요.")]],
        texts=[LlmStopped()],
    )
    controller = _controller(llm, store)
    original = scripted_llm.ScriptedChatSession.generate_text

    def stop_first(session: scripted_llm.ScriptedChatSession, instruction: str, *, max_tokens: int = 120) -> str:
        controller.request_stop()
        return original(session, instruction, max_tokens=max_tokens)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scripted_llm.ScriptedChatSession, "generate_text", stop_first)
        controller.user_turn("담배 문장 하나 지어 줘")
    [card] = _cards(controller)
    assert card.state is ToolCallState.CANCELLED
    assert llm.tool_results == []
    assert not controller.state.is_streaming


def test_a_model_that_fails_is_a_result(store: Store) -> None:
    llm = ScriptedLlmService(
        [[LlmFunctionCall("suggest_frame", {"protocol_id": "break-smoking"})], [LlmTextChunk("못 했어요.")]],
        texts=[LlmError("decode", "모델이 답을 만들지 못했어요.")],
    )
    controller = _controller(llm, store)
    controller.user_turn("담배 문장 하나 지어 줘")
    [card] = _cards(controller)
    assert isinstance(card.result, ToolErr)
    assert "모델이 답을 만들지 못했어요." in card.result.reason
