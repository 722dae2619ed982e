"""Gemma 4: a system turn with declarations, calls and results inside one model turn, thoughts in a channel.

Our own writing of the template that Google ships with the model (pinned by tests, byte for byte); files carry whichever
version was current when they were made, so theirs is not used. Three things differ on purpose:

- The start leaves the system turn open and each user turn begins by closing the turn before it, so that old exchanges
  can be dropped from the middle. Put together, the bytes are the same.
- A past turn that ended with results and no words is closed; the April template forgot to.
- Of the past, the empty thought that switched thinking off stays in the log: dropping it would cost reading the whole
  answer again with every message. Real thoughts go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lifehelper_desktop.llm.formats.base import Segment
from lifehelper_desktop.llm.formats.native_calls import NativeCallReader
from lifehelper_desktop.llm.formats.native_stream import NativeStreamParser
from lifehelper_desktop.llm.formats.native_writer import NativeMarkers, NativeWriter, SegmentWriter
from lifehelper_desktop.llm.llama_sampler import Sampling
from lifehelper_desktop.llm.protocol import LlmPrompt, LlmToolResult, LlmTurn

MARKERS: Final = NativeMarkers(
    call=("<|tool_call>", "<tool_call|>"),
    response=("<|tool_response>", "<tool_response|>"),
    declaration=("<|tool>", "<tool|>"),
    quote='<|"|>',
    thought=("<|channel>", "<channel|>"),
)
_SYSTEM: Final = "<|turn>system\n"
_THINK: Final = "<|think|>\n"
_USER: Final = "<|turn>user\n"
_MODEL: Final = "<|turn>model\n"
_END: Final = "<turn|>\n"
_NO_THOUGHT: Final = "<|channel>thought\n<channel|>"
_REPAIR: Final = (
    "That function call could not be read. Write the call once more, or answer in plain words in the user's language."
)


class Gemma4Format:
    """Gemma 4 with its native markers."""

    family = "gemma4"
    sampling = Sampling(temperature=1.0, top_k=64, top_p=0.95)
    stop_strings: Sequence[str] = ("<turn|>", "<|turn>", "<|tool_response>")
    stop_markers: Sequence[str] = ("<turn|>", "<|turn>", "<|tool_response>", "<eos>")
    markers: Sequence[str] = MARKERS.written
    thought: tuple[str, str] | None = MARKERS.thought

    def __init__(self, *, thinking: bool = False) -> None:
        """With `thinking`, the model thinks before it answers, unseen and slower."""
        self._thinking = thinking
        self._writer = NativeWriter(MARKERS)

    def render_start(self, prompt: LlmPrompt) -> list[Segment]:
        """Return the system turn: instructions and declarations."""
        if not self._has_start(prompt):
            return []
        out = SegmentWriter()
        out.ours(_SYSTEM)
        if self._thinking:
            out.ours(_THINK)
        out.theirs(prompt.system.strip())
        self._writer.declare(out, prompt.tools)
        return out.take()

    def _has_start(self, prompt: LlmPrompt) -> bool:
        return bool(self._thinking or prompt.tools or prompt.system.strip())

    def render_user(self, prompt: LlmPrompt, text: str, context: str, *, first: bool) -> list[Segment]:
        """Return the user's turn up to where the model begins."""
        out = SegmentWriter()
        self._user(out, prompt, text, context, first=first)
        self._begin_model(out)
        return out.take()

    def _user(self, out: SegmentWriter, prompt: LlmPrompt, text: str, context: str, *, first: bool) -> None:
        if not first or self._has_start(prompt):
            out.ours(_END)
        out.ours(_USER)
        out.theirs(f"{context}\n{text}".strip())
        out.ours(_END)

    def _begin_model(self, out: SegmentWriter) -> None:
        out.ours(_MODEL)
        if not self._thinking:
            out.ours(_NO_THOUGHT)

    def render_results(self, results: Sequence[LlmToolResult]) -> list[Segment]:
        """Return the results, in the same model turn.

        Their first marker is the token on which the model stopped; that one was never decoded, so it stands here once.
        """
        out = SegmentWriter()
        self._writer.results(out, results)
        return out.take()

    def render_repair(self) -> list[Segment]:
        """Return the request to write a call again."""
        out = SegmentWriter()
        out.ours(_END + _USER)
        out.theirs(_REPAIR)
        out.ours(_END)
        self._begin_model(out)
        return out.take()

    def render_turn(self, prompt: LlmPrompt, turn: LlmTurn, *, first: bool) -> list[Segment]:
        """Return a past exchange, without thoughts; the model's turn stays open, as after a live one.

        Raises:
            ValueError: The turn has more results than calls.
        """
        out = SegmentWriter()
        self._user(out, prompt, turn.user, turn.context, first=first)
        out.ours(_MODEL)
        self._writer.exchange(out, turn.calls, turn.results)
        out.theirs(_without_channels(turn.answer))
        return out.take()

    def render_instruction(self, instruction: str) -> list[Segment]:
        """Return a conversation of one message."""
        out = SegmentWriter()
        out.ours(_USER)
        out.theirs(instruction.strip())
        out.ours(_END + _MODEL + _NO_THOUGHT)
        return out.take()

    def parser(self, prompt: LlmPrompt, *, spelled: bool = False) -> NativeStreamParser:
        """Return a new parser."""
        return NativeStreamParser(NativeCallReader(prompt.tools), MARKERS, spelled=spelled)


def _without_channels(answer: str) -> str:
    """Return a past answer as the template shows it, should channels ever have been kept with it."""
    assert MARKERS.thought is not None
    opening, closing = MARKERS.thought
    return "".join(part.split(opening)[0] for part in answer.split(closing)).strip()
