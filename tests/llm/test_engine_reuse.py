"""Every reuse of what the model has read equals reading it afresh: prefixes from the disk, rollbacks, tool rounds."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from lifehelper_desktop.llm.base_session import LlamaBaseSession
from lifehelper_desktop.llm.formats.gemma3 import Gemma3Format
from lifehelper_desktop.llm.generation import Generation
from lifehelper_desktop.llm.llama_engine import ASIDE, CONVERSATION, LlamaEngine
from lifehelper_desktop.llm.llama_sampler import GREEDY, NativeSampler, Sampling
from lifehelper_desktop.llm.llama_session import LlamaChatSession
from lifehelper_desktop.llm.prefix_cache import PrefixCache
from lifehelper_desktop.llm.protocol import LlmPrompt, LlmStopped, LlmToolResult
from tests.llm.support import LOG_EXAMPLES, LOG_TOOLS, TOOLS, arm

pytestmark = pytest.mark.gguf

NOISE = 0.05
"""Steps of other sizes round differently (up to 2.7 in a score), so a fresh reading repeats the same steps."""
PROMPT = LlmPrompt("너는 습관 코치다. 짧고 따뜻하게 답한다.", TOOLS)


def tokens(engine: LlamaEngine, text: str) -> list[int]:
    return [engine.vocabulary.bos, *engine.vocabulary.tokenize(text, special=False)]


class Steps:
    """Notes the steps that the conversation's log came from, to repeat them from nothing."""

    def __init__(self, engine: LlamaEngine) -> None:
        self._engine = engine
        self._decode = engine._decode
        self._steps: list[tuple[int, list[int]]] = []

    def __call__(self, chunk: Sequence[int], log: int, *, last: bool) -> None:
        start = self._engine.length(log)
        self._decode(chunk, log, last=last)
        if log == CONVERSATION:
            # What a rollback cut off never happened; a step that it cut in two is repeated whole and cut again.
            self._steps = [step for step in self._steps if step[0] < start]
            self._steps.append((start, list(chunk)))

    def check(self, wanted: Sequence[int] | None = None) -> None:
        """Assert that the scores of now are those of reading all of it from nothing."""
        engine = self._engine
        reused, log = engine.logits(), engine.tokens()
        assert wanted is None or log == tuple(wanted)
        engine.truncate(0)
        for start, chunk in self._steps:
            engine.truncate(start)
            assert engine.length() == start, "the log holds tokens that no step decoded"
            self._decode(chunk, CONVERSATION, last=True)
        assert engine.tokens() == log
        assert float(np.abs(engine.logits() - reused).max()) < NOISE


@pytest.fixture
def steps(engine: LlamaEngine, monkeypatch: pytest.MonkeyPatch) -> Steps:
    """Watches the engine."""
    noted = Steps(engine)
    monkeypatch.setattr(engine, "_decode", noted)
    return noted


@pytest.fixture
def cached(engine: LlamaEngine, tmp_path: Path) -> Iterator[LlamaEngine]:
    """The engine with an empty cache folder."""
    engine._cache = PrefixCache(tmp_path / "prefixes", ("test",))
    yield engine
    engine._cache = None
    engine.keep_prefix([])


def saved(folder: Path) -> list[Path]:
    return sorted((folder / "prefixes").glob("*"))


# -- the opening from the disk


def test_a_prefix_from_the_disk_equals_fresh_evaluation(cached: LlamaEngine, steps: Steps, tmp_path: Path) -> None:
    prefix = tokens(cached, "오늘은 날씨가 좋아서 산책을 했다. 내일은 책을 읽을 것이다. " * 35)
    assert len(prefix) > 600  # more than the sliding window of 512
    one = [*prefix, *cached.vocabulary.tokenize(" 사과와 배", special=False)]
    two = [*prefix, *cached.vocabulary.tokenize(" 바다와 산이", special=False)]
    cached.keep_prefix(prefix)
    assert cached.replace(one) == 0
    assert len(saved(tmp_path)) == 1
    first = cached.logits()
    cached.truncate(0)
    assert cached.replace(one) == len(prefix)
    # The same bytes and the same last step: not even rounding differs.
    assert np.array_equal(cached.logits(), first)
    cached.truncate(0)
    assert cached.replace(two) == len(prefix)
    assert cached.tokens() == tuple(two)
    steps.check(two)
    # Rolling back over more than the window behind a restored prefix.
    cached.truncate(0)
    cached.replace(one)
    cached.evaluate(cached.vocabulary.tokenize("를 먹었다. " * 160, special=False))
    assert cached.length() > len(prefix) + 600
    assert cached.replace(two) == len(prefix)
    steps.check(two)


def test_the_log_beside_survives_a_restore(cached: LlamaEngine) -> None:
    prefix = tokens(cached, "하나 둘 셋 넷 다섯 여섯. " * 20)
    wanted = [*prefix, *cached.vocabulary.tokenize(" 일곱", special=False)]
    cached.keep_prefix(prefix)
    cached.replace(wanted)
    aside = tokens(cached, "대한민국의 수도는")
    cached.replace(aside, ASIDE)
    before = cached.logits()
    cached.truncate(0)
    assert cached.replace(wanted) == len(prefix)
    assert cached.tokens(ASIDE) == tuple(aside)
    cached.replace(aside[:-1], ASIDE)
    cached.evaluate(aside[-1:], ASIDE)
    assert int(cached.logits().argmax()) == int(before.argmax())


@pytest.mark.parametrize("kind", ["flipped", "empty", "refused", "half", "zeros"])
def test_a_damaged_prefix_is_read_and_written_anew(
    cached: LlamaEngine, steps: Steps, tmp_path: Path, kind: str
) -> None:
    prefix = tokens(cached, "하나 둘 셋 넷 다섯 여섯. " * 10)
    wanted = [*prefix, *cached.vocabulary.tokenize(" 일곱", special=False)]
    cached.keep_prefix(prefix)
    cached.replace(wanted)
    (path,) = saved(tmp_path)
    good = path.read_bytes()
    assert cached._cache is not None
    state = cached._cache.load(prefix)
    assert state is not None
    match kind:
        case "flipped":
            path.write_bytes(good[:-100] + bytes([good[-100] ^ 255]) + good[-99:])
        case "empty":
            path.write_bytes(b"")
        case "refused":  # the sum is right, the content is not a state
            cached._cache.save(prefix, os.urandom(1000))
        case "half":
            cached._cache.save(prefix, state[: len(state) // 2])
        case _:
            cached._cache.save(prefix, bytes(len(state)))
    cached.truncate(0)
    assert cached.replace(wanted) == 0
    steps.check(wanted)
    assert cached._cache.load(prefix) is not None
    cached.truncate(0)
    assert cached.replace(wanted) == len(prefix)


def test_a_stop_while_the_prefix_is_read_leaves_no_file(cached: LlamaEngine, tmp_path: Path) -> None:
    prefix = tokens(cached, "오늘은 날씨가 좋아서 산책을 했다. " * 60)
    wanted = [*prefix, *cached.vocabulary.tokenize(" 그리고", special=False)]
    cached.keep_prefix(prefix)
    flag = arm(cached, 600)
    with pytest.raises(LlmStopped):
        cached.replace(wanted)
    flag.disarm()
    kept = cached.length()
    assert 0 < kept < len(prefix)
    assert saved(tmp_path) == []
    assert cached.replace(wanted) == kept
    assert len(saved(tmp_path)) == 1


def test_another_prompt_is_not_given_this_prefix(cached: LlamaEngine) -> None:
    prefix = tokens(cached, "하나 둘 셋 넷 다섯 여섯. " * 20)
    cached.keep_prefix(prefix)
    cached.replace([*prefix, 1000])
    other = [*prefix[:50], 1001, *prefix[51:], 1000]
    assert cached.replace(other) == 50
    assert cached.tokens() == tuple(other)
    assert cached.replace(prefix[:30]) == 29  # shorter than the prefix


# -- going back


def test_a_rollback_over_the_window_equals_fresh_evaluation(engine: LlamaEngine, steps: Steps) -> None:
    start = tokens(engine, "오늘은 날씨가 좋아서 산책을 했다. " * 60)
    engine.replace(start)
    mark = engine.length()
    engine.evaluate(engine.vocabulary.tokenize("Something else entirely, in English. " * 110, special=False))
    assert engine.length() > mark + 600
    assert engine.truncate(mark) == mark
    tail = engine.vocabulary.tokenize(" 내일은 책을", special=False)
    engine.evaluate(tail)
    steps.check([*start, *tail])
    # And into the middle of a step.
    engine.truncate(mark - 3)
    engine.evaluate(tail)
    steps.check([*start[:-3], *tail])


def test_what_was_written_is_reused_as_what_was_read(engine: LlamaEngine, steps: Steps) -> None:
    start = tokens(engine, "Once upon a time there was a small village near the sea. ")
    engine.replace(start)
    generation = Generation(engine, GREEDY, threading.Event(), max_tokens=12)
    assert "".join(generation)
    wanted = [*start, *generation.tokens, *engine.vocabulary.tokenize(" And then", special=False)]
    assert engine.replace(wanted) == len(start) + len(generation.tokens)
    steps.check(wanted)


def test_scoring_can_be_stopped_inside_a_step(engine: LlamaEngine) -> None:
    base = tokens(engine, "대한민국의 수도는")
    options = [engine.vocabulary.tokenize(f" {word}이라고 한다. 그렇다", special=False) for word in ("서울", "부산")]
    engine.replace(base, ASIDE)
    free = engine.free_tokens()
    flag = arm(engine, 20)
    with pytest.raises(LlmStopped):
        engine.score(options)
    flag.disarm()
    assert engine.free_tokens() == free
    engine.replace(base, ASIDE)
    after = engine.score(options)
    engine.replace(base, ASIDE)
    assert after == pytest.approx(engine.score(options), abs=0.01)


# -- in a conversation


class Short(Gemma3Format):
    """Gemma 3 that says little, so that the pretrained model's babble costs no time."""

    sampling = GREEDY


@pytest.fixture
def session(cached: LlamaEngine, steps: Steps, monkeypatch: pytest.MonkeyPatch) -> LlamaChatSession:
    """A conversation of short answers."""
    monkeypatch.setattr("lifehelper_desktop.llm.llama_session._MAX_NEW", 4)
    return LlamaChatSession(cached, Short(), PROMPT, threading.Event())


def test_each_round_reads_only_what_is_new(session: LlamaChatSession, steps: Steps) -> None:
    list(session.send_user("안녕하세요"))
    first = session.stats.prompt_tokens
    opening = len(session._start)
    assert first > opening
    results = [LlmToolResult("get_streak", {"status": "ok", "data": {"current_streak": 3}})]
    list(session.send_tool_results(results))
    # The results with their markers, and the last written token at most; nothing of the opening.
    assert session.stats.prompt_tokens < 90 < opening
    list(session.send_user("고마워요"))
    assert session.stats.prompt_tokens < 30
    steps.check(session._wanted())


def test_a_new_conversation_takes_its_opening_from_the_disk(session: LlamaChatSession, cached: LlamaEngine) -> None:
    list(session.send_user("안녕하세요"))
    opening = len(session._start)
    session.close()
    assert cached.length() == 0
    again = LlamaChatSession(cached, Short(), PROMPT, threading.Event())
    list(again.send_user("안녕하세요"))
    assert again.stats.prompt_tokens < 20 < opening


def test_undo_and_another_message_read_only_that(session: LlamaChatSession, steps: Steps) -> None:
    list(session.send_user("안녕하세요"))
    mark = session.checkpoint()
    tail = len(session._exchanges[-1])
    session.add_tool_results([LlmToolResult("get_streak", {"status": "cancelled"})])
    list(session.send_user("오늘 걸었어요. " * 50))
    list(session.send_user("그리고 또 걸었어요"))
    session.rollback(mark)
    assert [len(exchange) for exchange in session._exchanges] == [tail]
    list(session.send_user("아니, 책을 읽었어요"))
    assert session.stats.prompt_tokens < 30
    steps.check(session._wanted())
    # The same again: all of the message but its last token is there already.
    session.rollback(mark)
    list(session.send_user("아니, 책을 읽었어요"))
    assert session.stats.prompt_tokens == 1


def test_a_rollback_to_the_very_beginning(session: LlamaChatSession) -> None:
    mark = session.checkpoint()
    list(session.send_user("안녕하세요"))
    session.rollback(mark)
    assert session._exchanges == []
    list(session.send_user("안녕하세요"))
    assert session.stats.prompt_tokens == 1


def test_a_mark_of_another_session_is_refused(session: LlamaChatSession, cached: LlamaEngine) -> None:
    other = LlamaChatSession(cached, Short(), PROMPT, threading.Event())
    with pytest.raises(ValueError, match="another session"):
        session.rollback(other.checkpoint())


def test_the_guided_session_goes_back_too(engine: LlamaEngine) -> None:
    session = LlamaBaseSession(engine, LlmPrompt("", LOG_TOOLS, LOG_EXAMPLES), threading.Event())
    list(session.send_user("명상 기록해"))
    mark, recent = session.checkpoint(), session._recent
    session.add_tool_results([LlmToolResult("log", {"status": "ok"})])
    list(session.send_user("고마워"))
    assert session._recent != recent
    session.rollback(mark)
    assert session._recent == recent
    other = LlamaBaseSession(engine, LlmPrompt("", LOG_TOOLS, LOG_EXAMPLES), threading.Event())
    with pytest.raises(ValueError, match="another session"):
        other.rollback(mark)


# -- picking tokens


@pytest.mark.parametrize(
    "sampling",
    [
        Sampling(temperature=0.9, repeat_penalty=1.3, seed=5),
        Sampling(temperature=0.0, repeat_penalty=1.8),
        Sampling(temperature=0.6, top_k=8, repeat_penalty=1.05, repeat_last_n=16, seed=1),
    ],
)
def test_narrowing_before_the_penalties_changes_nothing(
    engine: LlamaEngine, sampling: Sampling, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run() -> list[int]:
        engine.replace(tokens(engine, "하나 둘 셋 넷 하나 둘 셋 넷 하나 둘 셋"))
        generation = Generation(engine, sampling, threading.Event(), max_tokens=20)
        list(generation)
        return generation.tokens

    narrowed = run()
    links = NativeSampler._links

    def plain(self: NativeSampler, wanted: Sampling, n_vocab: int) -> list[object]:
        return links(self, wanted, n_vocab)[1:]

    monkeypatch.setattr(NativeSampler, "_links", plain)
    assert run() == narrowed
