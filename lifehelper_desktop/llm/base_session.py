"""A conversation with a pretrained model: guided choices instead of free writing. On the engine's thread only."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.aside_session import AsideSession
from lifehelper_desktop.llm.formats.gemma3_base import FewShotGuide
from lifehelper_desktop.llm.generation import Generation
from lifehelper_desktop.llm.llama_engine import ASIDE, LlamaEngine, StopFlag
from lifehelper_desktop.llm.llama_sampler import GREEDY, Sampling
from lifehelper_desktop.llm.llama_session import shorten
from lifehelper_desktop.llm.prepared_words import stream_words
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmCheckpoint,
    LlmError,
    LlmFunctionCall,
    LlmPrompt,
    LlmToolResult,
    LlmTurnStats,
)
from lifehelper_desktop.llm.turn_stats import add_stats

_MESSAGE_CHARS: Final = 1200
"""More of a message than this says nothing more about which call it asks for."""
_WRITING: Final = Sampling(temperature=0.5, top_k=40, top_p=0.9, repeat_penalty=1.15)


class EngineJudge:
    """The engine's probabilities, asked in the log beside the conversation. Counts what it reads."""

    def __init__(self, engine: LlamaEngine, stop: StopFlag) -> None:
        """Judge with `engine`."""
        self._engine = engine
        self._stop = stop
        self.read_tokens = 0
        self.written_tokens = 0
        self.writing_s = 0.0

    def _read(self, prompt: str) -> None:
        vocabulary = self._engine.vocabulary
        tokens = [vocabulary.bos] if vocabulary.adds_bos else []
        tokens += vocabulary.tokenize_untrusted(prompt)
        room = self._engine.n_ctx // 2
        if len(tokens) > room:
            tokens = tokens[-room:]
        reused = self._engine.replace(tokens, ASIDE)
        self.read_tokens += len(tokens) - reused

    def score(self, prompt: str, options: Sequence[str]) -> list[float]:
        """Return the log-probability of each option right after `prompt`."""
        self._read(prompt)
        return self._engine.score(
            [self._engine.vocabulary.tokenize_untrusted(option)[:48] for option in options], ASIDE
        )

    def complete(self, prompt: str, max_tokens: int, sampling: Sampling = GREEDY) -> str:
        """Return the rest of the line after `prompt`."""
        self._read(prompt)
        started = time.perf_counter()
        generation = Generation(
            self._engine, sampling, self._stop, max_tokens=max_tokens, stop_strings=("\n",), log=ASIDE
        )
        text = "".join(generation)
        self.written_tokens += len(generation.tokens)
        self.writing_s += time.perf_counter() - started
        return text.strip()


class LlamaBaseSession(AsideSession):
    """Each message is decided on its own, with what was said just before as a hint."""

    def __init__(self, engine: LlamaEngine, prompt: LlmPrompt, stop: StopFlag) -> None:
        """Begin a conversation; nothing is read by the model before the first message."""
        super().__init__(engine, stop)
        self._judge = EngineJudge(engine, stop)
        self._guide = FewShotGuide(prompt, self._judge)
        self._user = ""
        self._calls: list[str] = []
        self._recent = ""
        if prompt.history:
            last = prompt.history[-1]
            self._recent = _recall(last.user, [(call.name, call.args) for call in last.calls], last.answer)

    def send_user(self, text: str, context: str = "") -> Iterator[LlmChatEvent]:
        """Decide what the message asks for; see the protocol."""
        started = self._begin()
        user = " ".join(shorten(text, _MESSAGE_CHARS).split())
        try:
            calls = self._guide.decide(user, context, self._recent) if user else []
            answer = "" if calls else self._guide.answer(user, (), {})
        finally:
            self._measure(started)
        self._user = user
        self._calls = [name for name, _args in calls]
        self._recent = _recall(user, calls, answer)
        for name, args in calls:
            yield LlmFunctionCall(name, args)
        if not calls:
            yield from stream_words(answer or _("그 말씀은 제가 잘 몰라요. 다르게 말해 주시겠어요?"))

    def send_tool_results(self, results: Sequence[LlmToolResult]) -> Iterator[LlmChatEvent]:
        """Put the results into words; nothing is claimed that they do not say. See the protocol."""
        started = self._begin()
        self.add_tool_results(results)
        try:
            answer = self._words_for(results)
        finally:
            self._measure(started)
        yield from stream_words(answer)

    def add_tool_results(self, results: Sequence[LlmToolResult]) -> None:
        """Note the results, which a later message may mean; see the protocol."""
        self._recent += json.dumps([dict(item.result) for item in results], ensure_ascii=False, default=str)[:4000]

    def checkpoint(self) -> LlmCheckpoint:
        """Return a mark of this moment; see the protocol."""
        return LlmCheckpoint(self, (self._user, self._recent))

    def rollback(self, checkpoint: LlmCheckpoint) -> None:
        """Forget what came after `checkpoint`; see the protocol."""
        if checkpoint.session is not self or not isinstance(checkpoint.state, tuple):
            raise ValueError("a checkpoint of another session")
        self._user, self._recent = checkpoint.state

    def _words_for(self, results: Sequence[LlmToolResult]) -> str:
        failed = [item.result for item in results if item.result.get("status") == "error"]
        if failed:
            return str(failed[0].get("reason") or _("그 일은 할 수 없었어요."))
        if any(item.result.get("status") == "cancelled" for item in results):
            return _("알겠어요. 아무것도 바꾸지 않았어요.")
        data: dict[str, Any] = {}
        for item in results:
            inner = item.result.get("data", item.result)
            if isinstance(inner, Mapping):
                data.update(inner)
        answer = self._guide.answer(self._user, [item.name for item in results], data)
        return answer or _("결과를 위 카드에 담아 두었어요.")

    def generate_text(self, instruction: str, *, max_tokens: int = 120, spare: bool = False) -> str:
        """Continue `instruction`; ends at the end of a line. See the protocol.

        An instruction that ends in a cue (`문장:`) or in worked lines is continued as it stands; any other gets a cue.
        """
        started = self._begin()
        prompt = shorten(instruction, 4000).rstrip()
        if not prompt.endswith(":"):
            prompt += "\n답:"
        try:
            return self._judge.complete(prompt, max_tokens, _WRITING)
        finally:
            self._measure(started)

    def _begin(self) -> float:
        if self._closed or self._engine.is_closed:
            raise LlmError("closed", _("모델이 닫혀 있어요."))
        self._stop.clear()
        self._judge.read_tokens = self._judge.written_tokens = 0
        self._judge.writing_s = 0.0
        return time.perf_counter()

    def _measure(self, started: float) -> None:
        seconds = time.perf_counter() - started
        self._stats = LlmTurnStats(
            prompt_tokens=self._judge.read_tokens,
            generated_tokens=self._judge.written_tokens,
            first_token_s=seconds,
            generation_s=self._judge.writing_s,
            total_s=seconds,
        )
        add_stats(self._total, self._stats)


def _recall(user: str, calls: Sequence[tuple[str, Mapping[str, Any]]], answer: str) -> str:
    """Return what a later message may refer to."""
    values = [str(value) for _name, args in calls for value in args.values()]
    return "\n".join([user, *values, answer])
