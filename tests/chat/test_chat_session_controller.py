"""The reference's eight cases of the controller (five in its design, the rest named in its reference)."""

from __future__ import annotations

import json

import pytest

from lifehelper_desktop.chat import controller as controller_module
from lifehelper_desktop.chat.controller import CHAT_MAX_TURNS
from lifehelper_desktop.chat.messages import (
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
    ToolCallState,
    UserChatMessage,
)
from lifehelper_desktop.chat.notices import CHAT_SOFT_HISTORY_LIMIT
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import Verdict
from lifehelper_desktop.tools.envelope import TOOL_RESULT_MAX_BYTES, ToolCancelled, ToolOk
from tests.chat.conftest import Chat, MakeChat
from tests.helpers.worlds import RecordingGate, world_1

SEARCH = LlmFunctionCall("search_catalog", {"category": "sleep"})
ADD = LlmFunctionCall("add_habit", {"protocol_id": "daily-steps", "frame_level": 2, "framed_text": "저녁에 걷는다"})


def test_natural_language_answer_only(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("안"), LlmTextChunk("녕!")])
    chat.say("안녕")
    assert chat.state.messages == (UserChatMessage("안녕"), ModelChatMessage("안녕!"))
    assert not chat.state.is_streaming
    assert chat.state.streaming_text is None
    assert chat.state.error is None


def test_one_tool_call_then_answer(make_chat: MakeChat) -> None:
    chat = make_chat([SEARCH], [LlmTextChunk("카페인 마감 시각이 있어요.")])
    chat.say("잠 잘 오게 하는 습관?")
    assert chat.kinds() == ["user", "toolcall", "model"]
    card = chat.state.messages[1]
    assert isinstance(card, ToolCallChatMessage)
    assert (card.label, card.state) == ("카탈로그 찾기", ToolCallState.DONE)
    [[result]] = chat.llm.tool_results
    assert result.name == "search_catalog"
    assert result.result["status"] == "ok"


def test_destructive_cancel_is_a_cancelled_result(make_chat: MakeChat, store: Store) -> None:
    chat = make_chat([ADD], [LlmTextChunk("알겠어요. 그대로 둘게요.")], gate=RecordingGate(Verdict.DECLINED))
    chat.say("걷기 추가해 줘")
    card = chat.state.messages[1]
    assert isinstance(card, ToolCallChatMessage)
    assert card.result == ToolCancelled()
    assert card.state is ToolCallState.DECLINED
    assert store.habits.list() == []
    assert chat.llm.tool_results[0][0].result["status"] == "cancelled"


def test_max_turns_ends_with_an_error_and_can_go_on(make_chat: MakeChat) -> None:
    searches = [[LlmFunctionCall("search_catalog", {"limit": number})] for number in range(1, 9)]
    chat = make_chat(*searches, [LlmTextChunk("다 찾았어요.")])
    chat.say("계속 찾아 줘")
    assert chat.state.error == "도구 호출 루프가 너무 길어 중단했습니다."
    assert chat.state.can_continue
    assert not chat.state.is_streaming
    assert chat.kinds() == ["user", *["toolcall"] * CHAT_MAX_TURNS, "system"]
    chat.controller.continue_turn()
    assert chat.kinds().count("toolcall") == 2 * CHAT_MAX_TURNS
    chat.controller.continue_turn()
    assert chat.state.messages[-1] == ModelChatMessage("다 찾았어요.")
    assert chat.state.error is None
    assert not chat.state.can_continue
    # Every call got its result, in order, the last round's after "go on".
    assert len(chat.llm.tool_results) == 2 * CHAT_MAX_TURNS


def test_a_second_turn_while_one_runs_is_ignored(store: Store) -> None:
    chat: Chat

    def listen_and_interrupt() -> None:
        chat.say("끼어들기")

    class Interrupting(RecordingGate):
        def confirm(self, request: object) -> Verdict:  # type: ignore[override]
            listen_and_interrupt()
            return Verdict.CONFIRMED

    chat = Chat(store, [[ADD], [LlmTextChunk("추가했어요.")]], Interrupting())
    chat.say("걷기 추가해 줘")
    assert chat.llm.user_texts == ["걷기 추가해 줘"]
    assert chat.kinds() == ["user", "toolcall", "model"]


def test_empty_input_does_nothing(make_chat: MakeChat) -> None:
    chat = make_chat([LlmTextChunk("들리지 않아야 해요")])
    for text in ("", "   ", "\n\t", "\0"):
        chat.say(text)
    assert chat.state.messages == ()
    assert chat.events == []


def test_soft_history_notice_comes_once_at_the_limit(make_chat: MakeChat) -> None:
    chat = make_chat(*[[LlmTextChunk("네.")] for _number in range(CHAT_SOFT_HISTORY_LIMIT + 2)])
    for number in range(CHAT_SOFT_HISTORY_LIMIT - 1):
        chat.say(f"{number}")
    assert "system" not in chat.kinds()
    chat.say("여덟 번째")
    notice = chat.state.messages[-1]
    assert isinstance(notice, SystemChatMessage)
    assert notice.kind is SystemMessageKind.LONG_HISTORY
    assert "대화가 길어졌어요" in notice.text
    chat.say("아홉 번째")
    assert chat.kinds().count("system") == 1


def test_huge_dump_is_capped_before_it_reaches_the_model(
    make_chat: MakeChat, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    world_1(store)
    dump = ToolOk({"items": [{"row": "길고 긴 줄 " * 20} for _number in range(200)]})
    monkeypatch.setattr("lifehelper_desktop.tools.dispatcher.ToolDispatcher.dispatch", lambda *args: dump)
    chat = make_chat([SEARCH], [LlmTextChunk("많네요.")])
    chat.say("다 보여 줘")
    [[result]] = chat.llm.tool_results
    size = len(json.dumps(result.result, ensure_ascii=False, separators=(",", ":")).encode())
    assert size <= TOOL_RESULT_MAX_BYTES
    assert result.result["data"]["_omitted"] > 0
    assert controller_module.CHAT_MAX_TURNS == 4
