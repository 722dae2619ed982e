"""A full context: old results become short first, then whole exchanges go, and what cannot fit is said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifehelper_desktop.llm.compaction import short_result
from lifehelper_desktop.llm.formats.gemma3 import Gemma3Format
from lifehelper_desktop.llm.llama_engine import CONVERSATION, LlamaEngine
from lifehelper_desktop.llm.llama_session import LlamaChatSession
from lifehelper_desktop.llm.protocol import (
    LlmError,
    LlmFunctionCall,
    LlmPrompt,
    LlmToolResult,
    LlmTrim,
    LlmTurn,
)

pytestmark = pytest.mark.gguf

LONG = LlmToolResult(
    "search_catalog", {"status": "ok", "data": {"count": 9, "items": ["걷기와 물 마시기"] * 12, "_hint": "길" * 60}}
)


def test_a_short_result_keeps_status_and_short_values() -> None:
    assert short_result(LONG).result == {
        "status": "ok",
        "data": {"count": 9, "items": "(12)", "_hint": "길" * 39 + "…"},
    }
    error = LlmToolResult("x", {"status": "error", "code": "duplicate", "reason": "가" * 100}, "id")
    assert short_result(error).result == {"status": "error", "code": "duplicate", "reason": "가" * 79 + "…"}
    assert short_result(error).call_id == "id"


@pytest.fixture
def small(starter_model_path: Path) -> Iterator[LlamaEngine]:
    """An engine with a small context."""
    engine = LlamaEngine(starter_model_path, n_ctx=1024)
    yield engine
    engine.close()


def say(session: LlamaChatSession, text: str) -> None:
    stream = session.send_user(text)
    next(stream, None)
    stream.close()


def text_of(engine: LlamaEngine) -> str:
    pieces = (engine.vocabulary.piece(token) for token in engine.tokens(CONVERSATION))
    return b"".join(pieces).decode("utf-8", "replace")


def test_old_results_shrink_before_exchanges_go(small: LlamaEngine) -> None:
    session = LlamaChatSession(small, Gemma3Format(), LlmPrompt("You are a coach."), threading.Event())
    for index in range(12):
        say(session, f"{index}번째 말")
        assert small.length() <= small.n_ctx
        if session.trimmed != LlmTrim():
            break
        session.add_tool_results([LONG])
    assert session.trimmed.results > 0
    assert session.trimmed.exchanges == 0
    # The system prefix and every message stay where they were.
    text = text_of(small)
    assert text.count("You are a coach.") == 1
    assert text.count("번째 말") == index + 1
    session.close()


def test_exchanges_go_when_short_results_are_not_enough(small: LlamaEngine) -> None:
    session = LlamaChatSession(small, Gemma3Format(), LlmPrompt("You are a coach."), threading.Event())
    for index in range(14):
        say(session, f"{index}번째 " + "물을 마시고 걷는다. " * 8)
    assert session.trimmed.exchanges > 0
    assert session.trimmed.results == 0
    text = text_of(small)
    assert "You are a coach." in text
    assert " 13번째" in text or "13번째" in text
    assert "0번째 물" not in text.replace("10번째", "")


def test_history_shrinks_too(small: LlamaEngine) -> None:
    call = LlmFunctionCall("search_catalog", {"keyword": "잠"})
    turn = LlmTurn("잠 습관 찾아 줘", (call,), (LONG,), "이런 것들이 있어요.")
    session = LlamaChatSession(
        small, Gemma3Format(), LlmPrompt("You are a coach.", history=(turn,) * 7), threading.Event()
    )
    say(session, "고마워")
    assert session.trimmed.results > 0
    assert "이런 것들이 있어요." in text_of(small)
    assert small.length() <= small.n_ctx


def test_a_turn_that_cannot_fit_says_so(small: LlamaEngine) -> None:
    session = LlamaChatSession(small, Gemma3Format(), LlmPrompt("You are a coach."), threading.Event())
    say(session, "안녕")
    with pytest.raises(LlmError) as caught:
        list(session.send_tool_results([LlmToolResult("x", {"말": "가나다라마바사 " * 700})]))
    assert caught.value.kind == "context_full"
    assert "나누어서" in caught.value.message


def test_going_back_after_shrinking_is_sound(small: LlamaEngine) -> None:
    session = LlamaChatSession(small, Gemma3Format(), LlmPrompt("You are a coach."), threading.Event())
    mark = session.checkpoint()
    for _index in range(12):
        mark = session.checkpoint()
        say(session, "목말라")
        session.add_tool_results([LONG])
        if session.trimmed != LlmTrim():
            break
    assert session.trimmed != LlmTrim()
    before = text_of(small).count("목말라")
    session.rollback(mark)
    say(session, "다른 말")
    # The exchange before the mark is whole again, and can be made short again.
    assert text_of(small).count("걷기와 물 마시기") == 12
    assert 0 < text_of(small).count("목말라") < before
    assert small.length() <= small.n_ctx
