"""Calls of one turn: all collected, run in order, answered in one turn; the cases of gemma-and-tools 5 that apply."""

from __future__ import annotations

import threading
import time
from datetime import date

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.chat.messages import (
    DataChanged,
    MessageAdded,
    ModelChatMessage,
    ModelLoading,
    SystemChatMessage,
    ToolCallChatMessage,
    ToolCallState,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
)
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, PendingConfirm, Verdict
from lifehelper_desktop.tools.envelope import ToolErr
from tests.chat.conftest import Chat, MakeChat
from tests.helpers.scripted_llm import ScriptPause
from tests.helpers.worlds import RecordingGate, world_1

TODAY = date(2026, 8, 12)
LOG_WALK = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"})


def _cards(chat: Chat) -> list[ToolCallChatMessage]:
    return [message for message in chat.state.messages if isinstance(message, ToolCallChatMessage)]


def test_all_calls_of_a_turn_run_in_order_and_go_back_in_one_turn(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    other = LlmFunctionCall("log_tracker_entry", {"habit_id": 2, "value": "minimum"})
    streak = LlmFunctionCall("get_streak", {"habit_id": 1})
    chat = make_chat([LlmTextChunk("기록할게요."), LOG_WALK, other, streak], [LlmTextChunk("잘했어요.")])
    chat.say("걷기 다 했고 할 일도 한 줄 적었어")
    assert chat.kinds() == ["user", "model", "toolcall", "toolcall", "toolcall", "model"]
    [results] = chat.llm.tool_results
    assert [result.name for result in results] == ["log_tracker_entry", "log_tracker_entry", "get_streak"]
    assert results[2].result["data"]["current_streak"] == 43


def test_nine_same_calls_ask_once_and_write_once(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    gate = RecordingGate()
    different = LlmFunctionCall("log_tracker_entry", {"habit_id": 2, "value": "done"})
    chat = make_chat([*[LOG_WALK] * 9, different], [LlmTextChunk("네.")], gate=gate)
    chat.say("기록해 줘")
    assert len(gate.requests) == 2
    [results] = chat.llm.tool_results
    statuses = [result.result.get("code", result.result["status"]) for result in results]
    assert statuses == ["ok", *["repeated_call"] * 8, "ok"]
    assert len(_cards(chat)) == 2


def test_the_same_id_twice_is_one_call_and_ids_come_back(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    calls = [
        LlmFunctionCall("get_streak", {"habit_id": 1}, call_id="call_0"),
        LlmFunctionCall("get_streak", {"habit_id": 2}, call_id="call_0"),
        LlmFunctionCall("get_streak", {"habit_id": 3}, call_id="call_1"),
        LlmFunctionCall("get_streak", {"habit_id": "3"}, call_id="call_2"),
    ]
    chat = make_chat(calls, [LlmTextChunk("네.")])
    chat.say("연속?")
    [results] = chat.llm.tool_results
    assert [result.call_id for result in results] == ["call_0", "call_0", "call_1", "call_2"]
    assert [result.result["status"] for result in results] == ["ok", "error", "ok", "error"]


def test_one_call_written_in_several_ways_is_asked_once(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    gate = RecordingGate()
    numbers: list[object] = [1, "1", 1.0, "하루 걷기", "daily steps"]
    ways = [{"habit_id": one, "value": word} for one, word in zip(numbers, ["done", "완료", "DONE"] * 2, strict=False)]
    calls = [LlmFunctionCall("log_tracker_entry", args, call_id=f"c{at}") for at, args in enumerate(ways)]
    chat = make_chat(calls, [LlmTextChunk("네.")], gate=gate)
    chat.say("기록해 줘")
    assert len(gate.requests) == 1
    assert len(_cards(chat)) == 1


def test_arguments_that_are_no_object_are_a_result(make_chat: MakeChat) -> None:
    chat = make_chat([LlmFunctionCall("get_streak", [1])], [LlmTextChunk("번호를 알려 주세요.")])  # type: ignore[arg-type]
    chat.say("연속?")
    assert chat.llm.tool_results[0][0].result["code"] == "validation"
    assert chat.state.error is None


def test_mixed_batch_with_one_declined(make_chat: MakeChat, store: Store) -> None:
    world_1(store)

    class Choosy(RecordingGate):
        def confirm(self, request: ConfirmRequest) -> Verdict:
            self.requests.append(request)
            return Verdict.DECLINED if request.tool_name == "add_habit" else Verdict.CONFIRMED

    add = LlmFunctionCall("add_habit", {"protocol_id": "micro-break", "frame_level": 2, "framed_text": "정각에 쉰다"})
    search = LlmFunctionCall("search_catalog", {"keyword": "휴식"})
    chat = make_chat([search, add, LOG_WALK], [LlmTextChunk("네.")], gate=Choosy())
    chat.say("셋 다 해 줘")
    assert [card.state for card in _cards(chat)] == [
        ToolCallState.DONE,
        ToolCallState.DECLINED,
        ToolCallState.DONE,
    ]
    [results] = chat.llm.tool_results
    assert [result.result["status"] for result in results] == ["ok", "cancelled", "ok"]
    assert store.entries.get(1, TODAY) is not None
    assert len(store.habits.list()) == 3


def test_a_cut_off_call_never_runs(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    gate = RecordingGate()
    cut = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"}, cut_off=True)
    chat = make_chat([cut], [LlmTextChunk("다시 해 볼게요.")], gate=gate)
    chat.say("기록해 줘")
    [card] = _cards(chat)
    assert card.state is ToolCallState.FAILED
    assert isinstance(card.result, ToolErr)
    assert "잘린 호출" in card.result.reason
    assert gate.requests == []
    assert store.entries.get(1, TODAY) is None


def test_an_unknown_tool_is_a_result_and_the_loop_goes_on(make_chat: MakeChat) -> None:
    chat = make_chat([LlmFunctionCall("fly", {})], [LlmTextChunk("그건 할 수 없어요.")])
    chat.say("날아 봐")
    assert chat.llm.tool_results[0][0].result["code"] == "unknown_tool"
    assert chat.state.messages[-1] == ModelChatMessage("그건 할 수 없어요.")


def test_the_card_shows_the_stored_row_not_the_models_words(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "minimum", "note": "비 와서 짧게"})
    chat = make_chat([call], [LlmTextChunk("7,000보를 기록했어요!")])
    chat.say("조금 걸었어")
    [card] = _cards(chat)
    assert card.stored == "하루 걷기 · 2026-08-12(수) · 최소 · 비 와서 짧게"
    assert any(isinstance(event, DataChanged) for event in chat.events)


def test_card_events_follow_asking_running_done(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    chat = make_chat([LOG_WALK], [LlmTextChunk("네.")])
    chat.say("기록해 줘")
    states = [event.message.state for event in chat.events if isinstance(event, ToolCallUpdated)]
    assert states == [ToolCallState.ASKING, ToolCallState.RUNNING, ToolCallState.DONE]
    assert isinstance(chat.events[-1], TurnFinished)


def test_a_claim_without_a_write_is_put_right(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    chat = make_chat([LlmTextChunk("오늘 걷기를 기록했어요!")])
    chat.say("걷기 기록해 줘")
    assert chat.kinds() == ["user", "model", "system"]
    notice = chat.state.messages[-1]
    assert isinstance(notice, SystemChatMessage)
    assert "실제로 바뀐 기록은 없어요" in notice.text


def test_a_claim_beside_a_declined_call_is_put_right(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    gate = RecordingGate(Verdict.DECLINED)
    chat = make_chat([LlmTextChunk("오늘 걷기를 기록했어요!"), LOG_WALK], [LlmTextChunk("네, 좋아요.")], gate=gate)
    chat.say("걷기 기록해 줘")
    assert chat.kinds() == ["user", "model", "toolcall", "model", "system"]


def test_a_true_claim_after_going_on_is_left_alone(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    searches = [[LlmFunctionCall("search_catalog", {"limit": number})] for number in range(1, 4)]
    chat = make_chat([LOG_WALK], *searches, [LlmTextChunk("오늘 걷기를 기록했어요.")])
    chat.say("걷기 기록하고 다 찾아 줘")
    assert chat.state.can_continue
    chat.controller.continue_turn()
    assert chat.state.messages[-1] == ModelChatMessage("오늘 걷기를 기록했어요.")


def test_going_on_to_an_empty_answer_says_so(make_chat: MakeChat) -> None:
    searches = [[LlmFunctionCall("search_catalog", {"limit": number})] for number in range(1, 5)]
    chat = make_chat(*searches, [])
    chat.say("다 찾아 줘")
    chat.controller.continue_turn()
    assert chat.kinds()[-2:] == ["system", "system"]


def test_the_long_history_line_comes_also_when_the_eighth_turn_fails(make_chat: MakeChat) -> None:
    chat = make_chat(*[[LlmTextChunk("네.")] for _number in range(7)], [RuntimeError("boom")])
    for number in range(8):
        chat.say(f"{number}")
    assert chat.state.error is not None
    assert "대화가 길어졌어요" in chat.state.messages[-1].text


def test_results_of_a_lost_session_do_not_reach_a_new_one(make_chat: MakeChat) -> None:
    searches = [[LlmFunctionCall("search_catalog", {"limit": number})] for number in range(1, 5)]
    chat = make_chat(*searches, [LlmTextChunk("네.")])
    chat.say("다 찾아 줘")
    chat.llm.close()
    chat.say("안녕")
    assert chat.llm.noted_results == []
    assert chat.state.messages[-1] == ModelChatMessage("네.")


def test_stop_while_writing_keeps_the_partial_text(make_chat: MakeChat) -> None:
    pause = ScriptPause()
    chat = make_chat([LlmTextChunk("오늘은 "), pause, LlmTextChunk("들리지 않아야 해요")], [LlmTextChunk("네.")])
    worker = threading.Thread(target=chat.say, args=("이야기해 줘",))
    worker.start()
    assert pause.reached.wait(10)
    chat.controller.request_stop()
    worker.join(10)
    assert not worker.is_alive()
    assert chat.state.messages[-1] == ModelChatMessage("오늘은", stopped=True)
    assert chat.state.error is None
    chat.say("다시")
    assert chat.state.messages[-1] == ModelChatMessage("네.")


def test_stop_while_asking_cancels_the_call_and_the_ones_after_it(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    asked = threading.Event()

    class Waiting(RecordingGate):
        pending: PendingConfirm | None = None

        def confirm(self, request: ConfirmRequest) -> Verdict:
            self.pending = PendingConfirm(request)
            asked.set()
            return self.pending.wait()

    gate = Waiting()
    second = LlmFunctionCall("log_tracker_entry", {"habit_id": 2, "value": "done"})
    chat = make_chat([LOG_WALK, second], [LlmTextChunk("네, 그만할게요.")], gate=gate)
    worker = threading.Thread(target=chat.say, args=("기록해 줘",))
    worker.start()
    assert asked.wait(10)
    chat.controller.request_stop()
    assert gate.pending is not None
    gate.pending.cancel()
    worker.join(10)
    assert not worker.is_alive()
    assert [card.state for card in _cards(chat)] == [ToolCallState.CANCELLED, ToolCallState.CANCELLED]
    assert store.entries.get(1, TODAY) is None
    # A late "yes" for the old question changes nothing.
    request = gate.pending.request
    assert not gate.pending.answer(Verdict.CONFIRMED, request.invocation_id, request.digest)
    # The next message first hands over what became of the calls.
    chat.say("괜찮아")
    assert [result.result["status"] for result in chat.llm.noted_results[-1]] == ["cancelled", "cancelled"]


def test_model_failure_is_said_with_the_next_step(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("음"), RuntimeError("boom")], [LlmError("decode", "모델이 답을 잇지 못했어요.")])
    chat.say("하나")
    assert chat.state.error == "LLM 응답 실패: RuntimeError"
    assert isinstance(chat.events[-1], TurnFailed)
    assert chat.events[-1].next_step
    chat.say("둘")
    assert chat.state.error == "모델이 답을 잇지 못했어요."
    assert not chat.state.is_streaming


def test_no_model_is_said_in_words_and_another_try_is_possible(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("안녕하세요.")])
    chat.llm.load_error = WorldError("모델 파일이 없어요.", "설정에서 모델을 골라 주세요.")
    chat.say("안녕")
    assert chat.state.error == "모델 파일이 없어요."
    chat.llm.load_error = None
    chat.say("안녕")
    assert chat.state.messages[-1] == ModelChatMessage("안녕하세요.")
    assert [event.fraction for event in chat.events if isinstance(event, ModelLoading)] == [0.0, 0.5, 1.0]


def test_a_listener_that_fails_does_not_end_the_turn(store: Store) -> None:
    world_1(store)
    chat = Chat(store, [[LOG_WALK], [LlmTextChunk("네.")]], RecordingGate())

    def gone(event: object) -> None:
        raise RuntimeError("the window has gone")

    chat.controller._talk.listener = gone
    chat.say("기록해 줘")
    assert store.entries.get(1, TODAY) is not None
    assert not chat.state.is_streaming


def test_clear_begins_anew_and_closes_the_old_conversation(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("하나")], [LlmTextChunk("둘")])
    chat.say("첫째")
    chat.controller.clear()
    assert chat.state.messages == ()
    assert chat.llm.sessions[0].closed
    chat.say("둘째")
    assert len(chat.llm.prompts) == 2
    assert chat.llm.load_count == 1


def test_long_text_and_nul_are_taken(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("길어요.")])
    chat.say("가\0" + "나😀‏مرحبا" * 20_000)
    [text] = chat.llm.user_texts
    assert len(text) == 4000
    assert "\0" not in text
    assert text.startswith("가나😀")


def test_the_message_goes_with_the_date_and_the_habits(make_chat: MakeChat, store: Store) -> None:
    world_1(store)
    chat = make_chat([LlmTextChunk("네.")])
    chat.say("안녕")
    [(_text, context)] = chat.llm.user_inputs
    assert "2026-08-12 (수)" in context
    assert "1 하루 걷기" in context
    [prompt] = chat.llm.prompts
    assert "2026-08-12" not in prompt.system


def test_an_answer_without_words_says_so(make_chat: MakeChat) -> None:
    chat = make_chat([])
    chat.say("음")
    assert chat.kinds() == ["user", "system"]
    assert isinstance(chat.events[-1], TurnFinished)
    assert any(isinstance(event, MessageAdded) for event in chat.events)


def test_stop_ends_a_question_in_sql_at_once(make_chat: MakeChat, store: Store) -> None:
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    chat = make_chat([LlmFunctionCall("run_sql", {"sql": endless})], [LlmTextChunk("네.")])
    timer = threading.Timer(0.3, chat.controller.request_stop)
    begin = time.monotonic()
    timer.start()
    chat.say("끝없이 세어 줘")
    assert time.monotonic() - begin < 1.8  # its own limit is two seconds
    [card] = _cards(chat)
    assert card.state is ToolCallState.CANCELLED


def test_arguments_that_no_json_holds_are_a_card_and_not_the_end(make_chat: MakeChat) -> None:
    deep: dict[str, object] = {}
    inner = deep
    for _level in range(5000):
        inner["x"] = inner = {}
    chat = make_chat([LlmFunctionCall("get_streak", {"habit_id": deep})] * 2, [LlmTextChunk("어느 습관이에요?")])
    chat.say("연속 기록 보여 줘")
    assert [card.state for card in _cards(chat)] == [ToolCallState.FAILED] * 2
    assert chat.kinds()[-1] == "model"
    assert chat.state.error is None
