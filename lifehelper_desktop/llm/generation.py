"""One run of the model: tokens to whole characters, stop strings, an end to loops."""

from __future__ import annotations

import codecs
import contextlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from lifehelper_desktop.llm.formats.base import FinishReason, Marker
from lifehelper_desktop.llm.llama_engine import CONVERSATION, LlamaEngine, StopFlag
from lifehelper_desktop.llm.llama_sampler import Sampling
from lifehelper_desktop.llm.protocol import LlmStopped
from lifehelper_desktop.llm.vocabulary import WORD_JOINER

_LOOP_PERIOD: Final = 64
_LOOP_TIMES: Final = 3
_LOOP_TOKENS: Final = 24


def is_looping(tokens: Sequence[int]) -> bool:
    """Whether `tokens` ends in the same few tokens over and over."""
    if len(tokens) < _LOOP_TOKENS:
        return False
    last = tokens[-1]
    for period in range(1, min(_LOOP_PERIOD, len(tokens) // _LOOP_TIMES) + 1):
        if tokens[-1 - period] != last:
            continue  # asked after every token: most periods are ruled out at a glance
        # A token or two may well repeat a little (dashes, dots, digits); a phrase should not.
        span = period * max(_LOOP_TIMES, -(-_LOOP_TOKENS // period))
        tail = tokens[-span:]
        if len(tail) == span and all(tail[i] == tail[i - period] for i in range(period, span)):
            return True
    return False


class Utf8Pieces:
    """Joins the bytes of tokens into whole characters; 쀍 comes as three tokens, each a third of it."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")

    def feed(self, piece: bytes) -> str:
        """Return the characters that are complete by now, without the joiners that break markers."""
        return self._decoder.decode(piece).replace(WORD_JOINER, "")

    def endings(self, piece: bytes) -> tuple[str, ...]:
        """Return what `feed` would, without taking it; of a character begun, some of those it may become.

        Nothing for a piece that says nothing, or that can become no character.
        """
        if not piece:
            return ()
        pending, _flags = self._decoder.getstate()
        data = pending + piece
        found: dict[str, None] = {}
        for missing in range(4):
            for fill in (b"\x80", b"\x9f", b"\xa0", b"\xbf") if missing else (b"",):
                with contextlib.suppress(UnicodeDecodeError):
                    found[(data + fill * missing).decode("utf-8").replace(WORD_JOINER, "")] = None
            if found:
                break
        return tuple(each for each in found if each)

    def finish(self) -> str:
        """Return what is left; half a character at the end of a cut output is dropped."""
        self._decoder.reset()
        return ""


class StopStrings:
    """Ends a text at the first of some strings, which may arrive in pieces."""

    def __init__(self, strings: Sequence[str]) -> None:
        """Watch for `strings`."""
        self._strings = [text for text in strings if text]
        self._held = ""
        self.found = False

    def feed(self, text: str) -> str:
        """Return what may be shown by now; sets `found` when a stop string came."""
        self._held += text
        hits = [index for index in (self._held.find(stop) for stop in self._strings) if index >= 0]
        if hits:
            self.found = True
            out, self._held = self._held[: min(hits)], ""
            return out
        keep = 0
        for stop in self._strings:
            for size in range(min(len(stop) - 1, len(self._held)), keep, -1):
                if stop.startswith(self._held[-size:]):
                    keep = size
                    break
        cut = len(self._held) - keep
        out, self._held = self._held[:cut], self._held[cut:]
        return out

    def finish(self) -> str:
        """Return what was held back."""
        out, self._held = self._held, ""
        return out


class Generation:
    """Iterates over the pieces of text that the model writes after what `log` holds.

    `finish` tells afterwards why it ended. Every token that counts stands in the engine's log, and in `tokens`.
    """

    def __init__(
        self,
        engine: LlamaEngine,
        sampling: Sampling,
        stop: StopFlag,
        *,
        max_tokens: int,
        stop_strings: Sequence[str] = (),
        stop_tokens: Collection[int] = (),
        markers: Mapping[int, Marker] | None = None,
        log: int = CONVERSATION,
    ) -> None:
        """Prepare; nothing runs before iteration.

        Args:
            engine: The model.
            sampling: How it picks tokens.
            stop: Ends it from outside.
            max_tokens: The most it may write.
            stop_strings: Texts that end the turn; they are not yielded.
            stop_tokens: Tokens that end the turn, beside those the vocabulary knows; they are not decoded.
            markers: Tokens that are yielded as `Marker`.
            log: Where the tokens go.
        """
        self._engine = engine
        self._sampling = sampling
        self._stop = stop
        self._max_tokens = max_tokens
        self._stops = StopStrings(stop_strings)
        self._stop_tokens = frozenset(stop_tokens)
        self._markers = markers or {}
        self._log = log
        self.tokens: list[int] = []
        self.finish = FinishReason.LENGTH

    def __iter__(self) -> Iterator[str]:
        """Run the model; raises LlmStopped when the stop flag is set."""
        vocabulary = self._engine.vocabulary
        pieces = Utf8Pieces()
        with self._engine.sampler(self._sampling) as sampler:
            while len(self.tokens) < self._max_tokens and self._engine.free_tokens() > 0:
                if self._stop.is_set():
                    raise LlmStopped
                token = self._engine.sample(sampler)
                if token in self._stop_tokens or vocabulary.ends_generation(token):
                    self.finish = FinishReason.STOP
                    break
                self._engine.evaluate([token], self._log)
                self.tokens.append(token)
                marker = self._markers.get(token)
                if marker is not None:
                    pieces.finish()
                text = self._stops.finish() if marker is not None else self._next_text(pieces, token)
                if text:
                    yield text
                if marker is not None:
                    yield marker
                if self._stops.found or is_looping(self.tokens):
                    self.finish = FinishReason.STOP
                    break
        rest = "" if self._stops.found else self._stops.finish()
        if rest:
            yield rest

    def _next_text(self, pieces: Utf8Pieces, token: int) -> str:
        return self._stops.feed(pieces.feed(self._engine.vocabulary.piece(token)))
