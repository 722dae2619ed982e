"""A conversation with a chat-tuned model. Lives on the engine's thread, except for `request_stop`."""

from __future__ import annotations

import dataclasses
import logging
import time
from collections.abc import Generator, Iterator, Sequence
from typing import Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.compaction import Noted
from lifehelper_desktop.llm.formats.base import BrokenCall, ChatFormat, Segment
from lifehelper_desktop.llm.generation import Generation
from lifehelper_desktop.llm.llama_engine import ASIDE, CONVERSATION, LlamaEngine, StopFlag
from lifehelper_desktop.llm.llama_sampler import Sampling
from lifehelper_desktop.llm.protocol import (
    LlmChatEvent,
    LlmCheckpoint,
    LlmError,
    LlmFunctionCall,
    LlmPrompt,
    LlmTextChunk,
    LlmToolResult,
    LlmTrim,
    LlmTurn,
    LlmTurnStats,
)
from lifehelper_desktop.llm.turn_stats import add_stats
from lifehelper_desktop.llm.vocabulary import Vocabulary
from lifehelper_desktop.llm.wire import Wire

_log = logging.getLogger(__name__)

_MAX_NEW: Final = 512
_RESERVE: Final = 160
"""Room that must be left for an answer, in tokens."""
_KEEP_SHARE: Final = 0.6
"""When the context is full, so much of it is kept: dropping one exchange a turn would read all again each time."""
_TEXT_SHARE: Final = 0.5
_RECAP_SHARE: Final = 0.3
_INSTRUCTION_LEAST: Final = 160
"""An instruction beside the conversation that must be shorter than so many tokens is not worth asking."""


def encode(vocabulary: Vocabulary, segments: Sequence[Segment]) -> list[int]:
    """Return the tokens of `segments`; only trusted ones can hold control tokens."""
    out: list[int] = []
    for segment in segments:
        if segment.trusted:
            out += vocabulary.tokenize(segment.text, special=True)
        else:
            out += vocabulary.tokenize_untrusted(segment.text)
    return out


def shorten(text: str, limit: int) -> str:
    """Return `text` within `limit` characters: its beginning and its end."""
    if len(text) <= limit:
        return text
    return f"{text[: limit * 3 // 4]} … {text[-(limit // 4) :]}"


class LlamaChatSession:
    """Keeps the tokens of each exchange; the engine's log follows them and reuses the common prefix."""

    def __init__(self, engine: LlamaEngine, chat_format: ChatFormat, prompt: LlmPrompt, stop: StopFlag) -> None:
        """Begin a conversation; nothing is read by the model before the first message."""
        self._engine = engine
        self._format = chat_format
        self._wire = Wire(chat_format, engine.vocabulary)
        self._prompt = prompt
        self._stop = stop
        self._stats = LlmTurnStats()
        self._total = LlmTurnStats()
        self._closed = False
        self._start = [engine.vocabulary.bos] if engine.vocabulary.adds_bos else []
        self._start += encode(engine.vocabulary, chat_format.render_start(prompt))
        engine.keep_prefix(self._start)
        self._exchanges: list[list[int]] = []
        self._noted: list[Noted] = []  # what each exchange holds of results, to make them short
        self._dropped = 0
        self._shortened = 0
        self._recap: list[int] = []  # stands between the start and the exchanges, in the place of those dropped
        self._note = ""  # news of what was dropped, to be told with the next message
        self._retold = 0
        for turn in prompt.history:
            first = not self._exchanges
            self._exchanges.append(self._encode_turn(turn, first))
            self._noted.append(Noted(turn, first))

    @property
    def trimmed(self) -> LlmTrim:
        """What had to be left out so far."""
        return LlmTrim(self._shortened, self._dropped)

    @property
    def stats(self) -> LlmTurnStats:
        """Measures of the last turn."""
        return self._stats

    @property
    def total_stats(self) -> LlmTurnStats:
        """Measures of all turns of this conversation, added up."""
        return self._total

    def request_stop(self) -> None:
        """Stop the running stream. Any thread may call this."""
        self._stop.set()

    def send_user(self, text: str, context: str = "") -> Iterator[LlmChatEvent]:
        """Send the user's message and stream the model's turn; see the protocol."""
        self._begin()
        # More characters than the context has tokens never fit; more tokens than characters are rare.
        room = int((self._engine.n_ctx - len(self._start)) * _TEXT_SHARE)
        text, context = shorten(text, max(room, 200)), shorten(context, 2000)
        plain = self._encode_user(text, context)
        note, self._note = self._note, ""
        exchange = self._encode_user(text, f"{note}\n{context}") if note else list(plain)
        if self._exchanges:
            # Thoughts are kept between the calls of one message and go with the next one.
            self._exchanges[-1] = self._wire.without_thoughts(self._exchanges[-1])
        self._exchanges.append(exchange)
        self._noted.append(Noted(note=note, told=tuple(exchange), plain=plain) if note else Noted())
        before = len(exchange)
        try:
            yield from self._respond()
        except LlmError:
            # Stopped or failed before the first token: as if never sent, or every later turn would read it first.
            # It can have become shorter: a note that the recap tells by now was taken out of it.
            if len(exchange) <= before and self._exchanges and self._exchanges[-1] is exchange:
                self._exchanges.pop()
                self._note = self._noted.pop().note or self._note
            raise

    def send_tool_results(self, results: Sequence[LlmToolResult]) -> Iterator[LlmChatEvent]:
        """Send all results of the model's turn and stream what follows; see the protocol."""
        self._begin()
        self.add_tool_results(results)
        yield from self._respond()

    def add_tool_results(self, results: Sequence[LlmToolResult]) -> None:
        """Note the results without asking for an answer; see the protocol."""
        if self._closed or not self._exchanges:
            raise LlmError("closed", _("대화에 앞선 질문이 없어요."))
        tokens = self._encode_results(results)
        self._exchanges[-1] += tokens
        self._noted[-1].results.append((tokens, tuple(results)))

    def checkpoint(self) -> LlmCheckpoint:
        """Return a mark of this moment; see the protocol."""
        count = self._dropped + len(self._exchanges)
        if not self._exchanges:
            return LlmCheckpoint(self, (count, [], Noted(), self._retold))
        return LlmCheckpoint(self, (count, list(self._exchanges[-1]), self._noted[-1].copy(), self._retold))

    def rollback(self, checkpoint: LlmCheckpoint) -> None:
        """Forget what came after `checkpoint`; see the protocol. The engine's log follows with the next message."""
        if checkpoint.session is not self or not isinstance(checkpoint.state, tuple):
            raise ValueError("a checkpoint of another session")
        count, last, noted, retold = checkpoint.state
        # What had to be dropped for want of room stays dropped.
        kept = max(0, count - self._dropped)
        for gone in self._noted[kept:]:
            self._note = self._note or gone.note  # to be told again
        del self._exchanges[kept:], self._noted[kept:]
        if kept and count == self._dropped + len(self._exchanges):
            # As it was then: with its thoughts, without results that were noted since.
            self._exchanges[-1], self._noted[-1] = list(last), noted.copy()
            if retold != self._retold:
                self._noted[-1].take_back_note(self._exchanges[-1])

    def retell(self, note: str) -> None:
        """Tell of what was left out anew, or no more; see the protocol."""
        self._note = note
        if not note:
            self._recap = []
            self._take_back_notes()

    def generate_text(self, instruction: str, *, max_tokens: int = 120, spare: bool = False) -> str:
        """Answer one instruction outside the conversation; see the protocol."""
        self._begin()
        text = shorten(instruction, 4000)
        tokens = self._encode_instruction(text)
        room = self._engine.free_tokens() - max_tokens
        while spare and len(tokens) > room:
            if room < _INSTRUCTION_LEAST:
                return ""
            text = shorten(text, int(len(text) * 0.9 * room / len(tokens)))
            tokens = self._encode_instruction(text)
        try:
            if self._engine.free_tokens() < len(tokens) + max_tokens:
                self._engine.truncate(len(self._start))  # read again with the next message
            self._engine.replace(tokens, ASIDE)
            generation = Generation(
                self._engine,
                self._format.sampling,
                self._stop,
                max_tokens=max_tokens,
                stop_strings=self._wire.stop_strings,
                stop_tokens=self._wire.stop_tokens,
                markers=self._wire.markers,
                log=ASIDE,
            )
            return self._words_of(generation).strip()
        finally:
            if not self._engine.is_closed:
                self._engine.truncate(0, ASIDE)

    def close(self) -> None:
        """Forget the conversation; the model stays loaded. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._exchanges.clear()
        self._noted.clear()
        if not self._engine.is_closed:
            self._engine.truncate(0)

    # -- inside

    def _words_of(self, generation: Generation) -> str:
        """Return what the model says to the user; its thoughts are not part of it."""
        if not self._format.markers:
            return "".join(generation)
        parser = self._format.parser(LlmPrompt(""), spelled=self._wire.spelled)
        events = [event for text in generation for event in parser.feed(text)]
        events += parser.finish(generation.finish)
        return "".join(event.text for event in events if isinstance(event, LlmTextChunk))

    def _begin(self) -> None:
        if self._closed or self._engine.is_closed:
            raise LlmError("closed", _("모델이 닫혀 있어요."))
        self._stop.clear()

    def _wanted(self) -> list[int]:
        return [*self._start, *self._recap, *(token for exchange in self._exchanges for token in exchange)]

    def _fit(self) -> None:
        """Make old results short, then drop the oldest exchanges, until the rest and an answer fit."""
        size = len(self._wanted())
        room = self._engine.n_ctx - _RESERVE
        if size <= room:
            return
        goal = int(self._engine.n_ctx * _KEEP_SHARE)
        for exchange, noted in zip(self._exchanges[:-1], self._noted[:-1], strict=True):
            if size > goal:
                size -= self._shrink(exchange, noted)
        # All the way to the goal: dropping one exchange a turn would read all again each time.
        goal = goal if size > room else size
        while len(self._exchanges) > 1 and size > goal:
            while len(self._exchanges) > 1 and size > goal:
                size -= len(self._exchanges.pop(0))
                self._noted.pop(0)
                self._dropped += 1
            # All that follows the start is read again now: here a new recap costs nothing but its own length.
            self._renew_recap()
            size, goal = len(self._wanted()), room
        if size > room and self._recap:
            size -= len(self._recap)
            self._recap = []
        if size > room:
            size -= self._shrink(self._exchanges[-1], self._noted[-1], keep_last=True)
        if size > room:
            words = _("이번 메시지와 찾아본 내용이 모델이 한 번에 읽을 수 있는 길이를 넘었어요. 나누어서 보내 주세요.")
            raise LlmError("context_full", words)

    def _renew_recap(self) -> None:
        """Put what stands in for the dropped exchanges in their place; what was told beside messages is told there."""
        turn = self._prompt.recap(self._dropped) if self._prompt.recap is not None else None
        self._recap = []
        if turn is not None:
            limit = int((self._engine.n_ctx - len(self._start)) * _RECAP_SHARE)
            self._recap = self._encode_turn(dataclasses.replace(turn, user=shorten(turn.user, limit)), first=True)
        self._note = ""
        self._take_back_notes()

    def _take_back_notes(self) -> None:
        self._retold += 1
        for exchange, noted in zip(self._exchanges, self._noted, strict=True):
            noted.take_back_note(exchange)

    def _encode_user(self, text: str, context: str) -> list[int]:
        first = not self._exchanges and not self._recap
        return encode(self._engine.vocabulary, self._format.render_user(self._prompt, text, context, first=first))

    def _encode_instruction(self, text: str) -> list[int]:
        vocabulary = self._engine.vocabulary
        start = [vocabulary.bos] if vocabulary.adds_bos else []
        return start + encode(vocabulary, self._format.render_instruction(text))

    def _shrink(self, exchange: list[int], noted: Noted, *, keep_last: bool = False) -> int:
        saved = noted.shrink(exchange, self._encode_results, self._encode_turn, keep_last=keep_last)
        self._shortened += saved > 0
        return saved

    def _encode_results(self, results: Sequence[LlmToolResult]) -> list[int]:
        return encode(self._engine.vocabulary, self._format.render_results(results))

    def _encode_turn(self, turn: LlmTurn, first: bool) -> list[int]:
        return encode(self._engine.vocabulary, self._format.render_turn(self._prompt, turn, first=first))

    def _respond(self) -> Iterator[LlmChatEvent]:
        self._stats = LlmTurnStats()
        try:
            yield from self._answer()
        finally:
            add_stats(self._total, self._stats)

    def _answer(self) -> Iterator[LlmChatEvent]:
        called, broken = yield from self._once(self._format.sampling)
        if not broken or called:
            return
        self._exchanges[-1] += encode(self._engine.vocabulary, self._format.render_repair())
        called, broken = yield from self._once(Sampling())
        if broken and not called:
            yield LlmTextChunk(_("방금 답을 제대로 만들지 못했어요. 다른 말로 한 번 더 말씀해 주세요."))

    def _once(self, sampling: Sampling) -> Generator[LlmChatEvent, None, tuple[bool, bool]]:
        """Run the model once; the generator returns whether calls, and whether broken calls, came."""
        started = time.perf_counter()
        self._fit()
        wanted = self._wanted()
        reused = self._engine.replace(wanted, CONVERSATION)
        read_s = time.perf_counter() - started
        self._stats.prompt_tokens += len(wanted) - reused
        if self._prompt.thinking is not None:
            self._prompt.thinking()
        exchange = self._exchanges[-1]
        generation = Generation(
            self._engine,
            sampling,
            self._stop,
            max_tokens=_MAX_NEW,
            stop_strings=self._wire.stop_strings,
            stop_tokens=self._wire.stop_tokens,
            markers=self._wire.markers,
        )
        parser = self._format.parser(self._prompt, spelled=self._wire.spelled)
        called = broken = False
        try:
            for text in generation:
                if not self._stats.first_token_s:
                    self._stats.first_token_s = time.perf_counter() - started
                for event in parser.feed(text):
                    if isinstance(event, BrokenCall):
                        broken = True
                        continue
                    called = called or isinstance(event, LlmFunctionCall)
                    yield event
            for event in parser.finish(generation.finish):
                if isinstance(event, BrokenCall):
                    broken = True
                    continue
                called = called or isinstance(event, LlmFunctionCall)
                yield event
        finally:
            # Also when the caller closed the stream or stopped it: what was decoded stands.
            exchange += generation.tokens
            exchange += self._engine.vocabulary.tokenize(parser.closing(), special=True)
            self._stats.generated_tokens += len(generation.tokens)
            seconds = time.perf_counter() - started
            self._stats.total_s += seconds
            self._stats.generation_s += seconds - read_s
        if broken:
            self._stats.parse_failures += 1
            _log.warning("the model's call could not be read")
        return called, broken
