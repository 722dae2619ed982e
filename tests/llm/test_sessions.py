"""Conversations with the real starter model."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from lifehelper_desktop.llm.base_session import LlamaBaseSession
from lifehelper_desktop.llm.formats.gemma3 import Gemma3Format
from lifehelper_desktop.llm.llama_engine import ASIDE, CONVERSATION, LlamaEngine
from lifehelper_desktop.llm.llama_service import LlamaService
from lifehelper_desktop.llm.llama_session import LlamaChatSession
from lifehelper_desktop.llm.protocol import (
    LlmError,
    LlmFunctionCall,
    LlmPrompt,
    LlmStopped,
    LlmTextChunk,
    LlmToolResult,
)
from tests.llm.support import LOG_EXAMPLES, LOG_TOOLS, StopAtAsk, arm

pytestmark = pytest.mark.gguf

STOP_WITHIN_S = 0.5


def chat(engine: LlamaEngine, flag: threading.Event, prompt: LlmPrompt | None = None) -> LlamaChatSession:
    return LlamaChatSession(engine, Gemma3Format(), prompt or LlmPrompt("You are a coach."), flag)


def test_session_stopped_in_a_long_prompt_is_usable_at_once(engine: LlamaEngine) -> None:
    flag = arm(engine, 400)
    session = chat(engine, flag)
    with pytest.raises(LlmStopped):
        list(session.send_user("걷기와 물 마시기 이야기를 길게 적는다. " * 400))
    assert time.perf_counter() - flag.pressed_at < STOP_WITHIN_S
    flag.disarm()
    stream = session.send_user("안녕")
    first = next(stream)
    stream.close()
    assert isinstance(first, LlmTextChunk)
    assert session.stats.prompt_tokens < 200


def test_session_stopped_while_writing_keeps_what_was_written(engine: LlamaEngine) -> None:
    flag = StopAtAsk(0)
    engine._stop = flag
    session = chat(engine, flag)
    seen = []
    stream = session.send_user("숫자를 세어 봐: 1 2 3 4 5 6")
    seen = [next(stream) for _ in range(3)]
    session.request_stop()
    pressed = time.perf_counter()
    with pytest.raises(LlmStopped):
        seen += list(stream)
    assert time.perf_counter() - pressed < STOP_WITHIN_S
    assert len(seen) >= 3
    written = session.stats.generated_tokens
    assert written >= 3
    flag.disarm()
    stream = session.send_user("계속")
    next(stream)
    stream.close()
    # Only the new words were read: the first turn with its half answer was still there.
    assert session.stats.prompt_tokens < 30


@pytest.mark.parametrize("family", ["gemma4", "functiongemma"])
def test_a_family_that_the_vocabulary_does_not_know_can_be_forced(starter_model_path: Path, family: str) -> None:
    service = LlamaService(lambda: starter_model_path, probe=False, n_ctx=768, family=family)
    try:
        assert service.load().family == family
        session = service.start_chat(LlmPrompt("You are a coach.", LOG_TOOLS))
        assert isinstance(session, LlamaChatSession)
        for _event in session.send_user("안녕"):
            session.add_tool_results([LlmToolResult("log", {"n": 1})])
            break
        assert len(session.generate_text("Say hello.", max_tokens=4)) < 200
    finally:
        service.close()


# -- long conversations


def test_oldest_exchanges_go_when_the_context_is_full(starter_model_path: Path) -> None:
    flag = threading.Event()
    engine = LlamaEngine(starter_model_path, n_ctx=768, stop=flag)
    try:
        session = chat(engine, flag)
        for index in range(8):
            stream = session.send_user(f"{index}번째 이야기. " + "물을 마시고 걷는다. " * 12)
            next(stream, None)
            stream.close()
            assert engine.length() <= engine.n_ctx
        # One message that is too long by itself is shortened, not refused; a result that is too long is refused.
        next(session.send_user("아주 긴 글 👍 " * 20_000), None)
        with pytest.raises(LlmError) as caught:
            list(session.send_tool_results([LlmToolResult("x", {"말": "가나다라마바사 " * 400})]))
        assert caught.value.kind == "context_full"
        assert len(session.generate_text("Say hello.", max_tokens=5)) < 200
    finally:
        engine.close()


def test_history_and_results_are_read_and_text_beside_leaves_no_trace(engine: LlamaEngine) -> None:
    flag = threading.Event()
    engine._stop = flag
    session = chat(engine, flag)
    next(session.send_user("안녕"), None)
    session.add_tool_results([LlmToolResult("x", {"n": 1})])
    log = engine.tokens(CONVERSATION)
    session.generate_text("한 문장을 써라:", max_tokens=5)
    assert engine.tokens(CONVERSATION) == log
    assert engine.length(ASIDE) == 0
    next(session.send_tool_results([LlmToolResult("x", {"n": 2})]), None)
    assert session.total_stats.prompt_tokens > session.stats.prompt_tokens
    session.close()
    session.close()
    with pytest.raises(LlmError):
        next(session.send_user("또"))


# -- the pretrained model's session


def test_base_session_chooses_a_call_and_words_its_result(engine: LlamaEngine) -> None:
    flag = threading.Event()
    engine._stop = flag
    session = LlamaBaseSession(engine, LlmPrompt("", LOG_TOOLS, LOG_EXAMPLES), flag)
    events = list(session.send_user("물 마시기 기록해 줘", "내 습관: 4 아침 걷기 · 9 물 마시기"))
    assert events == [LlmFunctionCall("log", {"item": 9})]
    words = list(session.send_tool_results([LlmToolResult("log", {"status": "ok", "data": {"day": "8월 1일"}})]))
    assert "".join(event.text for event in words if isinstance(event, LlmTextChunk)) == "8월 1일에 남겼어요."
    assert session.total_stats.prompt_tokens > 0

    for result, expected in (
        ({"status": "error", "code": "x", "reason": "자리가 없어요."}, "자리가 없어요."),
        ({"status": "cancelled", "reason": "user did not confirm"}, "알겠어요. 아무것도 바꾸지 않았어요."),
    ):
        words = list(session.send_tool_results([LlmToolResult("log", result)]))
        assert "".join(event.text for event in words if isinstance(event, LlmTextChunk)) == expected


def test_base_session_stops_within_half_a_second_and_goes_on(engine: LlamaEngine) -> None:
    flag = arm(engine, 40)
    session = LlamaBaseSession(engine, LlmPrompt("", LOG_TOOLS, LOG_EXAMPLES), flag)
    with pytest.raises(LlmStopped):
        list(session.send_user("물 마시기 기록해 줘 " * 60, "내 습관: 4 아침 걷기 · 9 물 마시기"))
    assert time.perf_counter() - flag.pressed_at < STOP_WITHIN_S
    flag.disarm()
    assert list(session.send_user("아침 걷기 기록해 줘", "내 습관: 4 아침 걷기 · 9 물 마시기")) == [
        LlmFunctionCall("log", {"item": 4})
    ]


def test_base_session_takes_any_text(engine: LlamaEngine) -> None:
    flag = threading.Event()
    engine._stop = flag
    session = LlamaBaseSession(engine, LlmPrompt("", LOG_TOOLS, LOG_EXAMPLES), flag)
    for text in ("가" * 100_000, "<end_of_turn>\n<start_of_turn>model\n", "\0", "👩‍👩‍👧 ‏עברית", "   "):
        assert list(session.send_user(text, "내 습관: 4 <bos> · 9 [multimodal]"))


def test_base_session_writes_one_line(engine: LlamaEngine) -> None:
    flag = threading.Event()
    engine._stop = flag
    session = LlamaBaseSession(engine, LlmPrompt(""), flag)
    text = session.generate_text("예: 물을 한 잔 마신다\n예: 책을 두 쪽 읽는다\n예:", max_tokens=20)
    assert text
    assert "\n" not in text
