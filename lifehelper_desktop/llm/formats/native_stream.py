"""Reads one model turn of a family with call markers: words, calls, thoughts that nobody sees.

A marker counts when the model wrote it as its one token (`Marker`). Only for a vocabulary that lacks these tokens are
markers found in the text. Every decision depends on the stream so far, never on how it was cut into pieces.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from lifehelper_desktop.llm.formats.base import BrokenCall, FinishReason, Marker, ParsedEvent, ParsedEvents
from lifehelper_desktop.llm.formats.native_calls import QUOTE, NativeCallReader
from lifehelper_desktop.llm.formats.native_prose import Prose
from lifehelper_desktop.llm.formats.native_writer import NativeMarkers
from lifehelper_desktop.llm.protocol import LlmFunctionCall

_THOUGHT_NAME: Final = "thought"
_MAX_CALL: Final = 16_000


class MarkerLexer:
    """Finds spelled markers in a text that comes in pieces; holds back only what may still become one."""

    def __init__(self, markers: Sequence[str]) -> None:
        """Find `markers`, none of which begins another."""
        self._markers = tuple(markers)
        self._pattern = re.compile("|".join(re.escape(marker) for marker in markers))
        self._held = ""

    def feed(self, text: str) -> list[str]:
        """Return the words and `Marker`s that are certain by now."""
        self._held += text
        out: list[str] = []
        position = 0
        for match in self._pattern.finditer(self._held):
            out += [self._held[position : match.start()], Marker(match.group())]
            position = match.end()
        self._held = self._held[position:]
        start = self._held.rfind("<")
        keep = 0
        if start >= 0 and any(marker.startswith(self._held[start:]) for marker in self._markers):
            keep = len(self._held) - start
        cut = len(self._held) - keep
        out.append(self._held[:cut])
        self._held = self._held[cut:]
        return [part for part in out if part]

    def finish(self) -> list[str]:
        """Return what was held back."""
        held, self._held = self._held, ""
        return [held] if held else []


class _State(Enum):
    PROSE = auto()
    CALL = auto()
    CHANNEL = auto()  # a thought's marker came, its name is not whole yet
    THOUGHT = auto()
    OVER = auto()  # results were asked for: nothing that follows is the model's to say


class NativeStreamParser(ParsedEvents):
    """Incremental parser of Gemma 4's and FunctionGemma's output."""

    def __init__(self, reader: NativeCallReader, markers: NativeMarkers, *, spelled: bool) -> None:
        """Find calls that `reader` can read; `spelled` tells that markers come as plain text."""
        super().__init__()
        self._reader = reader
        self._markers = markers
        self._lexer = MarkerLexer(markers.written) if spelled else None
        self._state = _State.PROSE
        self._prose = Prose()
        self._call = ""
        self._channel = ""
        self._call_in_thought = False
        self._has_calls = False

    def feed(self, text: str) -> list[ParsedEvent]:
        """Take the next piece of the stream."""
        if self._lexer is None:
            self._part(text)
        else:
            parts = [*self._lexer.finish(), text] if isinstance(text, Marker) else self._lexer.feed(text)
            for part in parts:
                self._part(part)
        return self._take()

    def finish(self, reason: FinishReason) -> list[ParsedEvent]:
        """End the stream."""
        for part in self._lexer.finish() if self._lexer is not None else ():
            self._part(part)
        if self._state is _State.CALL:
            self._last_call(reason)
        if self._state in (_State.PROSE, _State.CALL):
            self._show(self._prose.finish())
            if self._prose.broken:
                self._events.append(BrokenCall(self._prose.broken))
        elif self._state in (_State.THOUGHT, _State.CHANNEL) and not self._has_calls and not self._prose.shown:
            # A thought that never ended left nothing to show; a call inside it may not have been meant.
            self._events.append(BrokenCall(_THOUGHT_NAME if self._state is _State.THOUGHT else self._channel))
        elif self._call_in_thought and self._state is _State.THOUGHT:
            self._events.append(BrokenCall(""))
        return self._take()

    def closing(self) -> str:
        """Return the markers that close what the output left open, so that the turn can go on after it."""
        if self._state is _State.CALL:
            return (self._markers.quote if self._call.count(QUOTE) % 2 else "") + self._markers.call[1]
        if self._state in (_State.THOUGHT, _State.CHANNEL) and self._markers.thought is not None:
            return self._markers.thought[1]
        return ""

    def _part(self, part: str) -> None:
        if isinstance(part, Marker):
            self._marker(part)
        else:
            self._words(part.replace(QUOTE, ""))

    def _words(self, text: str) -> None:
        if self._state is _State.PROSE:
            self._show(self._prose.feed(text))
        elif self._state is _State.CALL:
            if len(self._call) <= _MAX_CALL:
                self._call += text
        elif self._state is _State.CHANNEL:
            self._channel += text
            name = self._channel.lstrip()
            if name.startswith(_THOUGHT_NAME):
                self._state = _State.THOUGHT
            elif not _THOUGHT_NAME.startswith(name):
                # An empty channel: its marker was a slip, and these are words.
                self._state = _State.PROSE
                self._show(self._prose.feed(self._channel))

    def _marker(self, marker: Marker) -> None:
        opening, closing = self._markers.call
        thought = self._markers.thought or ("", "")
        if self._state is _State.OVER:
            return
        if self._state is _State.THOUGHT:
            if marker == thought[1]:
                self._state = _State.PROSE
                self._call_in_thought = False
            elif marker == opening:
                self._call_in_thought = True
            return
        if self._state is _State.CALL:
            if marker == self._markers.quote:
                self._call += QUOTE
                return
            self._end_call()
            if marker == closing:
                return
        if marker == opening:
            self._show(self._prose.before_call())
            self._state, self._call = _State.CALL, ""
        elif marker == thought[0]:
            self._state, self._channel = _State.CHANNEL, ""
        elif marker == self._markers.response[0]:
            self._show(self._prose.finish())
            self._state = _State.OVER
        elif marker == self._markers.quote and self._state is _State.PROSE:
            self._show(self._prose.feed('"'))
        elif self._state is _State.CHANNEL:
            self._state = _State.PROSE

    def _end_call(self) -> None:
        """Read the call that a marker ended."""
        self._state = _State.PROSE
        found = self._reader.read(self._call) if len(self._call) <= _MAX_CALL else None
        if found is None:
            self._events.append(BrokenCall(self._call[:_MAX_CALL].replace(QUOTE, '"')))
            return
        calls, rest = found
        self._has_calls = True
        self._events.extend(calls)
        if rest.strip():
            self._show(self._prose.feed(rest))

    def _last_call(self, reason: FinishReason) -> None:
        """Decide on a call that has no end marker: whole brackets are enough when the turn ended by itself."""
        if reason is FinishReason.STOP:
            self._end_call()
            self._state = _State.CALL
            return
        cut = self._reader.cut_off(self._call)
        self._has_calls = self._has_calls or isinstance(cut, LlmFunctionCall)
        self._events.append(cut if cut is not None else BrokenCall(self._call[:_MAX_CALL].replace(QUOTE, '"')))
