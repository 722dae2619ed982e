"""What one model family's format does: render turns as segments, read calls out of the stream."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from lifehelper_desktop.llm.llama_sampler import Sampling
from lifehelper_desktop.llm.protocol import LlmChatEvent, LlmPrompt, LlmTextChunk, LlmToolResult, LlmTurn


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a prompt. Only `trusted` text, written by us, may hold a model's markers."""

    text: str
    trusted: bool = False


class Marker(str):
    """A marker that the model wrote as its own token; the same characters as plain text are only words."""

    __slots__ = ()


class FinishReason(StrEnum):
    """Why the model's output ended."""

    STOP = "stop"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class BrokenCall:
    """Output that was meant as a call and cannot be read; never shown and never run."""

    raw: str


ParsedEvent = LlmChatEvent | BrokenCall


class ParsedEvents:
    """The events that a parser has ready; neighbouring text is one event, so chunking leaves no trace."""

    def __init__(self) -> None:
        """Begin with none."""
        self._events: list[ParsedEvent] = []

    def _take(self) -> list[ParsedEvent]:
        events, self._events = self._events, []
        return events

    def _show(self, text: str) -> None:
        if not text:
            return
        last = self._events[-1] if self._events else None
        if isinstance(last, LlmTextChunk):
            self._events[-1] = LlmTextChunk(last.text + text)
        else:
            self._events.append(LlmTextChunk(text))


class StreamParser(Protocol):
    """Reads one model turn piece by piece. Any cutting of a stream into pieces gives the same events."""

    def feed(self, text: str) -> list[ParsedEvent]:
        """Take the next piece, words or a `Marker`, and return what is certain by now.

        Text is never held longer than needed.
        """
        ...

    def finish(self, reason: FinishReason) -> list[ParsedEvent]:
        """Return what remains; a call that the length limit cut is marked `cut_off`."""
        ...

    def closing(self) -> str:
        """Return the markers that close what the output left open, so that the turn can go on after it."""
        ...


class ChatFormat(Protocol):
    """How one family of chat-tuned models writes turns. Stateless between conversations.

    Attributes:
        stop_strings: End the model's turn wherever they stand in its text.
        stop_markers: End the model's turn as tokens, which are looked up by these texts.
        markers: What the model writes as tokens and the parser gets as `Marker`.
        thought: The markers around thoughts, which leave the log with the next message of the user.
    """

    family: str
    sampling: Sampling
    stop_strings: Sequence[str]
    stop_markers: Sequence[str]
    markers: Sequence[str]
    thought: tuple[str, str] | None

    def render_start(self, prompt: LlmPrompt) -> list[Segment]:
        """Return what stands before the first message of the user."""
        ...

    def render_user(self, prompt: LlmPrompt, text: str, context: str, *, first: bool) -> list[Segment]:
        """Return the user's turn up to where the model goes on; `first` in the conversation."""
        ...

    def render_results(self, results: Sequence[LlmToolResult]) -> list[Segment]:
        """Return the results of the calls of the model's turn, up to where the model goes on."""
        ...

    def render_repair(self) -> list[Segment]:
        """Return the request to write an unreadable call again, up to where the model goes on."""
        ...

    def render_turn(self, prompt: LlmPrompt, turn: LlmTurn, *, first: bool) -> list[Segment]:
        """Return a finished exchange of the past, the model's last words included, its turn left open."""
        ...

    def render_instruction(self, instruction: str) -> list[Segment]:
        """Return a prompt of its own that only asks for `instruction`."""
        ...

    def parser(self, prompt: LlmPrompt, *, spelled: bool = False) -> StreamParser:
        """Return a new parser that knows the tools of `prompt`.

        With `spelled`, the vocabulary lacks the family's markers as tokens, and they count where they are spelled out.
        """
        ...


def compact_json(value: Any) -> str:
    """Return `value` as short JSON that keeps Korean readable."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "), default=str)


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `schema` without our own `x-` keys, which only guided decoding reads."""

    def clean(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: clean(item) for key, item in value.items() if not str(key).startswith("x-")}
        if isinstance(value, list | tuple):
            return [clean(item) for item in value]
        return value

    return {key: clean(item) for key, item in schema.items() if not str(key).startswith("x-")}
