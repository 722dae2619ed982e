"""What `lifehelper bench` measures of a model, each in a process of its own. Times in seconds, speeds in tokens/s.

The yardsticks are llama.cpp without anything of ours: a bare `llama_decode` loop, and `Llama` of llama-cpp-python.
"""

from __future__ import annotations

import statistics
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lifehelper_desktop.llm.families import AUTO, PRETRAINED, STARTER, chat_format, choose_family
from lifehelper_desktop.llm.generation import Generation
from lifehelper_desktop.llm.gguf_header import read_header
from lifehelper_desktop.llm.llama_engine import CONVERSATION, LlamaEngine, StopFlag
from lifehelper_desktop.llm.llama_sampler import NativeSampler
from lifehelper_desktop.llm.llama_service import LlamaService
from lifehelper_desktop.llm.llama_session import LlamaChatSession, encode
from lifehelper_desktop.llm.protocol import LlmChatEvent, LlmPrompt, LlmStopped, LlmTextChunk, LlmToolResult

_FALLBACK: Final = "gemma3"
"""A pretrained model has no chat format; for measures of the engine any will do."""
_READ_TOKENS: Final = 3000
_STORY: Final = "오늘은 날씨가 좋아서 산책을 했다. 내일은 책을 읽고 물을 마실 것이다. "


@dataclass(frozen=True, slots=True)
class BenchInput:
    """What is measured with.

    Attributes:
        prompt: The app's own instructions and tools.
        context: The facts beside a message.
        message: What the user writes.
        results: Answers to the calls of the conversation, one a round.
        cache_dir: Where openings are kept between processes.
        tokens: Tokens written per repetition.
        repeats: How often what can be repeated inside one process is.
    """

    path: Path
    prompt: LlmPrompt
    context: str
    message: str
    results: Sequence[Mapping[str, Any]]
    cache_dir: Path
    tokens: int = 32
    repeats: int = 5


class _TimedEngine(LlamaEngine):
    """Notes when a token was last picked."""

    picked_at = 0.0
    first_at = 0.0

    def sample(self, sampler: NativeSampler) -> int:
        """Pick, and look at the clock."""
        token = super().sample(sampler)
        self.picked_at = time.perf_counter()
        self.first_at = self.first_at or self.picked_at
        return token


class _Engine:
    """The engine of one measure with the format of its model."""

    def __init__(self, given: BenchInput, *, n_ctx: int = 4096, cache: bool = False) -> None:
        started = time.perf_counter()
        self.stop = StopFlag()
        self.engine = _TimedEngine(
            given.path, n_ctx=n_ctx, stop=self.stop, cache_dir=given.cache_dir if cache else None
        )
        self.load_s = time.perf_counter() - started
        vocabulary = self.engine.vocabulary
        family = choose_family(read_header(given.path), lambda text: vocabulary.marker(text) is not None, AUTO)
        self.format = chat_format(_FALLBACK if family in (PRETRAINED, STARTER) else family)

    def session(self, prompt: LlmPrompt) -> LlamaChatSession:
        return LlamaChatSession(self.engine, self.format, prompt, self.stop)

    def opening(self, given: BenchInput) -> list[int]:
        """Return the tokens of a new chat up to where the model answers."""
        vocabulary = self.engine.vocabulary
        segments = self.format.render_start(given.prompt)
        segments += self.format.render_user(given.prompt, given.message, given.context, first=True)
        return ([vocabulary.bos] if vocabulary.adds_bos else []) + encode(vocabulary, segments)


def peak_memory_bytes() -> int:
    """Return the most memory that this process has held at once."""
    if sys.platform == "win32":
        import psutil

        return int(psutil.Process().memory_info().peak_wset)
    import resource

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _read(stream: Any, most: int) -> list[LlmChatEvent]:
    """Return the first events of a stream and close it."""
    events: list[LlmChatEvent] = []
    for event in stream:
        events.append(event)
        if len(events) >= most:
            break
    stream.close()
    return events


def first_token(given: BenchInput) -> dict[str, Any]:
    """Time from sending the first message of a new chat to the first picked token; cold or warm by `cache_dir`."""
    with_engine = _Engine(given, cache=True)
    started = time.perf_counter()
    session = with_engine.session(given.prompt)
    _read(session.send_user(given.message, given.context), 1)
    return {
        "load_s": with_engine.load_s,
        "first_token_s": with_engine.engine.first_at - started,
        "read_tokens": session.stats.prompt_tokens,
        "prompt_tokens": len(with_engine.opening(given)),
    }


def decode(given: BenchInput) -> dict[str, Any]:
    """Writing speed of the app against a bare `llama_decode` loop over the same tokens, by turns in one process."""
    with_engine = _Engine(given)
    engine = with_engine.engine
    prompt = with_engine.opening(given)
    api, context = engine._api, engine._context
    batch = api.llama_batch_init(1, 0, 1)

    def bare(tokens: Sequence[int]) -> float:
        engine.replace(prompt)
        batch.n_tokens, batch.n_seq_id[0], batch.seq_id[0][0], batch.logits[0] = 1, 1, CONVERSATION, 1
        started = time.perf_counter()
        for index, token in enumerate(tokens):
            batch.token[0], batch.pos[0] = token, len(prompt) + index
            if api.llama_decode(context, batch) != 0:
                raise RuntimeError("llama_decode failed")
        seconds = time.perf_counter() - started
        api.llama_memory_seq_rm(engine._memory, CONVERSATION, len(prompt), -1)
        return len(tokens) / seconds

    def ours() -> tuple[float, list[int]]:
        engine.replace(prompt)
        generation = Generation(engine, with_engine.format.sampling, with_engine.stop, max_tokens=given.tokens)
        started = time.perf_counter()
        for _text in generation:
            pass
        seconds = time.perf_counter() - started
        return len(generation.tokens) / seconds, generation.tokens

    # A pretrained model ends its answer early; the measure goes on writing.
    setattr(engine.vocabulary, "ends_generation", lambda _token: False)  # noqa: B010
    _speed, tokens = ours()
    pairs = []
    for number in range(given.repeats):
        # In turns, so that what else runs on the machine hits both alike.
        if number % 2:
            plain = bare(tokens)
            speed, tokens = ours()
        else:
            speed, tokens = ours()
            plain = bare(tokens)
        pairs.append((speed, plain))
    api.llama_batch_free(batch)
    return {
        "tokens_per_s": statistics.median(speed for speed, _plain in pairs),
        "bare_tokens_per_s": statistics.median(plain for _speed, plain in pairs),
        "share_of_bare": statistics.median(speed / plain for speed, plain in pairs),
        "tokens": len(tokens),
        "threads": engine.n_threads,
        "batch": engine.n_batch,
    }


def plain_llama(given: BenchInput) -> dict[str, Any]:
    """The same prompt and as many tokens through `Llama` of llama-cpp-python, as it comes, with our threads."""
    with_engine = _Engine(given, n_ctx=512)
    prompt, threads = with_engine.opening(given), with_engine.engine.n_threads
    sampling = with_engine.format.sampling
    with_engine.engine.close()
    from llama_cpp import Llama

    llama = Llama(str(given.path), n_ctx=4096, n_threads=threads, n_threads_batch=threads, verbose=False)
    started = time.perf_counter()
    first_s = 0.0
    stream = llama.generate(
        prompt,
        temp=sampling.temperature,
        top_k=sampling.top_k,
        top_p=sampling.top_p,
        min_p=0.0,
        repeat_penalty=sampling.repeat_penalty,
    )
    for count, _token in enumerate(stream):
        if count == 0:
            first_s = time.perf_counter() - started
        if count >= given.tokens:
            break
    writing_s = time.perf_counter() - started - first_s
    return {
        "first_token_s": first_s,
        "tokens_per_s": given.tokens / writing_s,
        "peak_bytes": peak_memory_bytes(),
    }


def conversation(given: BenchInput) -> dict[str, Any]:
    """A message and three rounds of calls: what each round reads, and the time to its first token.

    `reread_tokens` are those among the read ones that had been read before.
    """
    with_engine = _Engine(given)
    session = with_engine.session(given.prompt)
    rounds: list[dict[str, Any]] = []

    def run(name: str, stream: Callable[[], Any]) -> None:
        with_engine.engine.first_at = 0.0
        before = with_engine.engine.length()
        started = time.perf_counter()
        _read(stream(), given.tokens // 2)
        rounds.append(
            {
                "round": name,
                "read_tokens": session.stats.prompt_tokens,
                "standing_tokens": before,
                "reread_tokens": before
                + session.stats.prompt_tokens
                + session.stats.generated_tokens
                - with_engine.engine.length(),
                "written_tokens": session.stats.generated_tokens,
                "first_token_s": with_engine.engine.first_at - started,
                "total_s": time.perf_counter() - started,
            }
        )

    run("message", lambda: session.send_user(given.message, given.context))
    for number, result in enumerate(given.results, 1):
        item = LlmToolResult("tool", result)
        run(f"call {number}", lambda item=item: session.send_tool_results([item]))  # type: ignore[misc]
    run("next message", lambda: session.send_user("고마워요. 내일은?", given.context))
    return {"rounds": rounds, "peak_bytes": peak_memory_bytes()}


def stop(given: BenchInput) -> dict[str, Any]:
    """Time from pressing Stop to the end, while a prompt of 3,000 tokens is read and while text is written."""
    with_engine = _Engine(given, n_ctx=4096)
    engine, flag = with_engine.engine, with_engine.stop
    vocabulary = engine.vocabulary
    long = [vocabulary.bos, *vocabulary.tokenize_untrusted(_STORY * 300)][:_READ_TOKENS]
    flag.clear()

    def press(after_s: float, work: Callable[[], None]) -> float:
        pressed = [0.0]

        def now() -> None:
            pressed[0] = time.perf_counter()
            flag.set()

        timer = threading.Timer(after_s, now)
        timer.start()
        try:
            work()
        except LlmStopped:
            return time.perf_counter() - pressed[0]
        finally:
            timer.cancel()
            timer.join()
            flag.clear()
        raise RuntimeError("it ended before it was stopped")

    def read() -> None:
        engine.truncate(0)
        engine.replace(long)

    def write() -> None:
        while True:
            engine.replace(long[:200])
            for _text in Generation(engine, with_engine.format.sampling, flag, max_tokens=200):
                pass

    reading = [press(0.4 + 0.37 * number, read) for number in range(given.repeats)]
    writing = [press(0.5 + 0.17 * number, write) for number in range(given.repeats)]
    return {"reading_s": _spread(reading), "writing_s": _spread(writing), "prompt_tokens": len(long)}


def turn(given: BenchInput) -> dict[str, Any]:
    """The model's own kind of session (guided choices for a pretrained one): whole turns with one call's result."""
    service = LlamaService(lambda: given.path, probe=False, cache_dir=given.cache_dir)
    info = service.load()
    session = service.start_chat(given.prompt)
    turns = []
    for message in (given.message, "내 습관 목록 보여줘", "고마워"):
        started = time.perf_counter()
        events = list(session.send_user(message, given.context))
        read, answer_s = session.stats.prompt_tokens, time.perf_counter() - started
        calls = [event for event in events if not isinstance(event, LlmTextChunk)]
        if calls:
            list(session.send_tool_results([LlmToolResult(call.name, given.results[0]) for call in calls]))
            read += session.stats.prompt_tokens
        turns.append(
            {
                "calls": len(calls),
                "read_tokens": read,
                "first_event_s": answer_s,
                "total_s": time.perf_counter() - started,
            }
        )
    service.close()
    return {"family": info.family, "turns": turns, "peak_bytes": peak_memory_bytes()}


def _spread(values: Sequence[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "max": max(values)}


MEASURES: Final[dict[str, Callable[[BenchInput], dict[str, Any]]]] = {
    "first_token": first_token,
    "decode": decode,
    "plain_llama": plain_llama,
    "conversation": conversation,
    "stop": stop,
    "turn": turn,
}
