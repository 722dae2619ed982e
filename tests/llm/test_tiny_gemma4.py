"""Gemma 4's architecture through the whole path: load, render, stream, parse, stop. The weights are random."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from lifehelper_desktop.llm.formats.gemma4 import Gemma4Format
from lifehelper_desktop.llm.llama_engine import CONVERSATION, LlamaEngine
from lifehelper_desktop.llm.llama_service import LlamaService
from lifehelper_desktop.llm.llama_session import LlamaChatSession
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmPrompt, LlmStopped, LlmTextChunk, LlmToolResult
from lifehelper_desktop.llm.vocabulary import Vocabulary
from tests.helpers.llama_sources import VOCABULARY
from tests.helpers.tiny_gemma4 import write_tiny_gemma4
from tests.llm.support import TOOLS, text_of

WORDS = "기록을 볼게요."
CALL = "<|tool_call>call:get_streak{id=7}<tool_call|><|tool_response>"
ANSWER = "연속 열두째예요!<turn|>"
THOUGHT = "<|channel>thought 먼저 확인하자<channel|>"
PROMPT = LlmPrompt("너는 습관 코치다.", TOOLS)
RESULT = LlmToolResult("get_streak", {"status": "ok", "days": 12})


@pytest.fixture(scope="module")
def tiny_path(
    gemma4_files: dict[str, Path], gemma4_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A model that says its lines: after the opened turn, after results, and with a thought where one may come."""
    followers: dict[int, int] = {}
    for script in ("<channel|>" + WORDS + CALL, "<tool_response|>" + ANSWER, "\n" + THOUGHT):
        tokens = gemma4_vocabulary.tokenize(script, special=True)
        for token, follower in pairwise(tokens):
            assert followers.setdefault(token, follower) == follower, "a token of the script has two followers"
    return write_tiny_gemma4(tmp_path_factory.mktemp("tiny") / "tiny.gguf", gemma4_files[VOCABULARY], followers)


@pytest.fixture(scope="module")
def service(tiny_path: Path) -> Iterator[LlamaService]:
    """The service with the tiny model, which passed the probe."""
    service = LlamaService(lambda: tiny_path, n_ctx=2048)
    service.load()
    yield service
    service.close()


@pytest.fixture(scope="module")
def tiny_engine(tiny_path: Path) -> Iterator[LlamaEngine]:
    """The bare engine with the tiny model."""
    engine = LlamaEngine(tiny_path, n_ctx=1024)
    yield engine
    engine.close()


def marks(engine: LlamaEngine, text: str) -> int:
    """Return how often a marker is in the conversation's log."""
    return engine.tokens(CONVERSATION).count(engine.vocabulary.marker(text))


def test_a_call_and_its_result_in_one_model_turn(service: LlamaService) -> None:
    assert service.info is not None
    assert (service.info.family, service.info.chat_tuned, service.info.name) == ("gemma4", True, "Tiny Gemma 4")
    # The tables of the vocabulary, most of a small file, do not make a model larger.
    assert 0 < service.info.parameters < 1_000_000
    session = service.start_chat(PROMPT)
    events = list(session.send_user("며칠째야?", "오늘: 2일"))
    assert text_of(events) == WORDS
    assert events[-1] == LlmFunctionCall("get_streak", {"id": 7}, repaired=True)
    engine = service._engine
    assert engine is not None
    # The model stopped on the token that asks for results; it was not decoded.
    assert (marks(engine, "<|tool_call>"), marks(engine, "<|tool_response>")) == (1, 0)
    answer = list(session.send_tool_results([RESULT]))
    assert text_of(answer) == "연속 열두째예요!"
    assert all(isinstance(event, LlmTextChunk) for event in answer)
    assert (marks(engine, "<|tool_response>"), marks(engine, "<tool_response|>")) == (1, 1)
    assert marks(engine, "<|turn>") == 3
    # Only the results were read, in the same turn, and the whole log is what one text of it would be.
    assert session.stats.prompt_tokens < 40
    pieces = b"".join(engine.vocabulary.piece(token, special=True) for token in engine.tokens(CONVERSATION))
    assert engine.vocabulary.tokenize(pieces.decode(), special=True) == list(engine.tokens(CONVERSATION))
    assert pieces.decode().endswith(
        "<|turn>user\n오늘: 2일\n며칠째야?<turn|>\n<|turn>model\n<|channel>thought\n<channel|>기록을 볼게요."
        '<|tool_call>call:get_streak{id=7}<tool_call|><|tool_response>response:get_streak{days:12,status:<|"|>ok'
        '<|"|>}<tool_response|>연속 열두째예요!'
    )
    # The next message goes on from there: nothing before it is read again.
    list(session.send_user("고마워"))
    assert session.stats.prompt_tokens < 40


def test_text_beside_the_conversation_is_words_only(service: LlamaService) -> None:
    session = service.start_chat(PROMPT)
    assert session.generate_text("한 문장을 써라") == WORDS.strip()


def test_a_tool_that_asks_the_model_leaves_the_conversation_where_it_was(service: LlamaService) -> None:
    session = service.start_chat(PROMPT)
    list(session.send_user("며칠째야?", "오늘: 2일"))
    engine = service._engine
    assert engine is not None
    before = tuple(engine.tokens(CONVERSATION))
    for _attempt in range(3):
        assert session.generate_text("한 문장을 써라", max_tokens=60) == WORDS.strip()
    assert tuple(engine.tokens(CONVERSATION)) == before
    assert text_of(list(session.send_tool_results([RESULT]))) == "연속 열두째예요!"
    assert session.stats.prompt_tokens < 40, "only the results were read"


def test_stop_keeps_what_was_written(service: LlamaService) -> None:
    session = service.start_chat(PROMPT)
    stream = session.send_user("며칠째야?")
    first = next(stream)
    session.request_stop()
    with pytest.raises(LlmStopped):
        list(stream)
    assert isinstance(first, LlmTextChunk)
    assert WORDS.startswith(first.text)
    assert text_of(session.send_user("다시")) == WORDS


def test_thoughts_stay_between_calls_and_go_with_the_next_message(tiny_engine: LlamaEngine) -> None:
    session = LlamaChatSession(tiny_engine, Gemma4Format(thinking=True), PROMPT, threading.Event())
    events = list(session.send_user("며칠째야?"))
    assert text_of(events) == WORDS
    assert events[-1] == LlmFunctionCall("get_streak", {"id": 7}, repaired=True)
    list(session.send_tool_results([RESULT]))
    assert marks(tiny_engine, "<|channel>") == 1
    list(session.send_user("고마워"))
    # One thought: that of the second message.
    log = tiny_engine.tokens(CONVERSATION)
    opening = tiny_engine.vocabulary.marker("<|channel>")
    assert opening is not None
    assert log.count(opening) == 1
    assert log.index(opening) > log.index(tiny_engine.vocabulary.marker("<tool_response|>"))
    session.close()


def test_a_stop_inside_a_thought_leaves_it_closed(tiny_engine: LlamaEngine) -> None:
    flag = threading.Event()
    tiny_engine._stop = flag
    session = LlamaChatSession(tiny_engine, Gemma4Format(thinking=True), PROMPT, flag)
    stream = session.send_user("며칠째야?")
    next(stream)
    stream.close()
    list(session.send_user("다시"))
    assert marks(tiny_engine, "<|channel>") == marks(tiny_engine, "<channel|>") == 1
    session.close()


def test_history_and_many_turns_fit(tiny_path: Path) -> None:
    engine = LlamaEngine(tiny_path, n_ctx=768)
    try:
        session = LlamaChatSession(engine, Gemma4Format(), PROMPT, threading.Event())
        for index in range(8):
            assert text_of(session.send_user(f"{index}번째 " + "물을 마시고 걷는다. " * 12)) == WORDS
            session.add_tool_results([RESULT])
            assert engine.length() <= engine.n_ctx
        # What was dropped left no half turn behind.
        assert marks(engine, "<|turn>") - marks(engine, "<turn|>") == 1
    finally:
        engine.close()
