"""A conversation with a model that was trained for this program: short prompts in, checked lines out.

The model takes its likeliest token as long as that can lead to a whole answer (`LlmLineChecker`), else the next
likeliest: what comes out can always be read. On the engine's thread only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.aside_session import AsideSession
from lifehelper_desktop.llm.generation import Utf8Pieces, is_looping
from lifehelper_desktop.llm.llama_engine import ASIDE, LlamaEngine, StopFlag
from lifehelper_desktop.llm.llama_session import shorten
from lifehelper_desktop.llm.prepared_words import stream_words
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmCheckpoint,
    LlmError,
    LlmFunctionCall,
    LlmLineChecker,
    LlmLines,
    LlmPrompt,
    LlmStopped,
    LlmToolResult,
    LlmTurnStats,
)
from lifehelper_desktop.llm.turn_stats import add_stats

_MAX_TOKENS: Final = 120
_TRIES: Final = 64
"""How many of the likeliest tokens are tried for one place before all others are."""
_MESSAGE_CHARS: Final = 1200


class LlamaLineSession(AsideSession):
    """Each message is a prompt of its own, with what was said just before on one line of it."""

    def __init__(self, engine: LlamaEngine, prompt: LlmPrompt, lines: LlmLines, stop: StopFlag) -> None:
        """Begin a conversation; nothing is read by the model before the first message."""
        super().__init__(engine, stop)
        self._lines = lines
        self._thinking = prompt.thinking
        self._calls: Sequence[LlmFunctionCall] = ()
        lines.begin(prompt.history)

    def send_user(self, text: str, context: str = "") -> Iterator[LlmChatEvent]:
        """Decide what the message asks for; see the protocol."""
        self._begin()
        user = " ".join(shorten(text, _MESSAGE_CHARS).split())
        self._calls = self._lines.decide(user, context)
        if self._calls:
            self._stats = LlmTurnStats()
            yield from self._calls
            return
        prompt, checker = self._lines.ask(user, context)
        answer = self._write(prompt, checker)
        narrower = self._lines.retry(answer)
        if narrower is not None:
            first = self._stats
            answer = self._write(prompt, narrower)
            self._stats.prompt_tokens += first.prompt_tokens
            self._stats.generated_tokens += first.generated_tokens
            self._stats.generation_s += first.generation_s
            self._stats.total_s += first.total_s
            self._stats.first_token_s = first.first_token_s
        self._calls, words = self._lines.read(answer)
        yield from self._calls
        if not self._calls:
            yield from stream_words(words)

    def send_tool_results(self, results: Sequence[LlmToolResult]) -> Iterator[LlmChatEvent]:
        """Say what the results say; the model is not asked. See the protocol."""
        self._begin()
        self._stats = LlmTurnStats()
        yield from stream_words(self._lines.close(self._calls, results))

    def add_tool_results(self, results: Sequence[LlmToolResult]) -> None:
        """Note the results, which a later message may mean; see the protocol."""
        self._lines.note(results)

    def checkpoint(self) -> LlmCheckpoint:
        """Return a mark of this moment; see the protocol."""
        return LlmCheckpoint(self, self._lines.snapshot())

    def rollback(self, checkpoint: LlmCheckpoint) -> None:
        """Forget what came after `checkpoint`; see the protocol."""
        if checkpoint.session is not self:
            raise ValueError("a checkpoint of another session")
        self._lines.restore(checkpoint.state)

    def generate_text(self, instruction: str, *, max_tokens: int = 120, spare: bool = False) -> str:
        """Return nothing: this model writes lines only, and the caller has a text that stands in. See the protocol."""
        self._begin()
        return ""

    def _begin(self) -> None:
        if self._closed or self._engine.is_closed:
            raise LlmError("closed", _("모델이 닫혀 있어요."))
        self._stop.clear()

    def _write(self, prompt: str, checker: LlmLineChecker) -> str:
        """Return the likeliest whole answer to `prompt`, token by token."""
        started = time.perf_counter()
        vocabulary = self._engine.vocabulary
        tokens = [vocabulary.bos] if vocabulary.adds_bos else []
        tokens += vocabulary.tokenize_untrusted(prompt)
        stats = LlmTurnStats()
        reused = self._engine.replace(tokens[: self._engine.n_ctx // 2], ASIDE)
        stats.prompt_tokens = len(tokens) - reused
        if self._thinking is not None:
            self._thinking()
        pieces, text, written = Utf8Pieces(), "", list[int]()
        try:
            while True:
                if self._stop.is_set():
                    raise LlmStopped
                token, piece = self._choose(text, pieces, checker)
                if not written:
                    stats.first_token_s = time.perf_counter() - started
                if token is None:
                    break
                written.append(token)
                text += piece
                if (len(written) >= _MAX_TOKENS or is_looping(written)) and checker.complete(text.strip()):
                    break
                if len(written) >= 2 * _MAX_TOKENS:
                    raise LlmError("decode", _("모델이 답을 만들지 못했어요. 다시 보내 주세요."))
                self._engine.evaluate([token], ASIDE)
                chosen = self._weighed(text, checker)
                if chosen:
                    text += chosen
                    tokens_of_it = vocabulary.tokenize_untrusted(chosen)
                    written += tokens_of_it
                    self._engine.evaluate(tokens_of_it, ASIDE)
        finally:
            stats.generated_tokens = len(written)
            stats.total_s = time.perf_counter() - started
            stats.generation_s = stats.total_s - stats.first_token_s
            self._stats = stats
            add_stats(self._total, stats)
        return text.strip()

    def _weighed(self, text: str, checker: LlmLineChecker) -> str:
        """Return the piece that the model and what speaks for it beside choose together, empty for no such place."""
        weights = self._lines.weigh(text)
        pieces = [piece for piece in weights or () if checker.viable((text + piece).lstrip(" "))]
        if weights is None or not pieces:
            return ""
        if len(pieces) == 1:
            return pieces[0]
        scores = self._engine.score([self._engine.vocabulary.tokenize_untrusted(piece) for piece in pieces], ASIDE)
        best = max(range(len(pieces)), key=lambda index: scores[index] + weights[pieces[index]])
        return pieces[best]

    def _choose(self, text: str, pieces: Utf8Pieces, checker: LlmLineChecker) -> tuple[int | None, str]:
        """Return the likeliest token that `text` may go on with and what it adds; None ends the answer."""
        import numpy as np

        vocabulary = self._engine.vocabulary
        logits = self._engine.logits()
        for size in (_TRIES, logits.size):
            best = np.argpartition(logits, -min(size, logits.size - 1))[-size:]
            for token in (int(each) for each in best[np.argsort(logits[best])[::-1]]):
                if vocabulary.ends_generation(token):
                    if checker.complete(text.strip()):
                        return None, ""
                    continue
                endings = [text + piece for piece in pieces.endings(vocabulary.piece(token))]
                # An answer does not begin with empty lines; half a character fits where any character does.
                if endings and all(each.strip() and checker.viable(each.lstrip(" ")) for each in endings):
                    return token, pieces.feed(vocabulary.piece(token))
        raise LlmError("decode", _("모델이 답을 만들지 못했어요. 다시 보내 주세요."))
