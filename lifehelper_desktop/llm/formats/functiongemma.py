"""FunctionGemma: Gemma 3's turns with a developer turn of declarations and native calls.

Made for single-turn calls and for fine-tuning, not for long talks; the syntax inside the markers is Gemma 4's with
another string marker.
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
    call=("<start_function_call>", "<end_function_call>"),
    response=("<start_function_response>", "<end_function_response>"),
    declaration=("<start_function_declaration>", "<end_function_declaration>"),
    quote="<escape>",
)
_DEVELOPER: Final = "<start_of_turn>developer\n"
_USER: Final = "<start_of_turn>user\n"
_MODEL: Final = "<start_of_turn>model\n"
_END: Final = "<end_of_turn>\n"
# The words that the model was trained to see before declarations.
_HEAD: Final = "You are a model that can do function calling with the following functions"
_REPAIR: Final = "That function call could not be read. Write the call once more."


class FunctionGemmaFormat:
    """FunctionGemma with its native markers."""

    family = "functiongemma"
    sampling = Sampling(temperature=1.0, top_k=64, top_p=0.95)
    stop_strings: Sequence[str] = ("<end_of_turn>", "<start_of_turn>", "<start_function_response>")
    stop_markers: Sequence[str] = ("<end_of_turn>", "<start_of_turn>", "<start_function_response>", "<eos>")
    markers: Sequence[str] = MARKERS.written
    thought: tuple[str, str] | None = None

    def __init__(self) -> None:
        """Make it."""
        self._writer = NativeWriter(MARKERS)

    def render_start(self, prompt: LlmPrompt) -> list[Segment]:
        """Return the developer turn, left open: the user's turn closes it."""
        out = SegmentWriter()
        system = prompt.system.strip()
        if not prompt.tools and not system:
            return []
        out.ours(_DEVELOPER)
        if prompt.tools:
            out.theirs(f"{system}\n{_HEAD}".strip())
            self._writer.declare(out, prompt.tools)
        else:
            out.theirs(system)
        return out.take()

    def render_user(self, prompt: LlmPrompt, text: str, context: str, *, first: bool) -> list[Segment]:
        """Return the user's turn up to where the model begins."""
        out = SegmentWriter()
        self._user(out, prompt, text, context, first=first)
        return out.take()

    def _user(self, out: SegmentWriter, prompt: LlmPrompt, text: str, context: str, *, first: bool) -> None:
        if not first or prompt.tools or prompt.system.strip():
            out.ours(_END)
        out.ours(_USER)
        out.theirs(f"{context}\n{text}".strip())
        out.ours(_END + _MODEL)

    def render_results(self, results: Sequence[LlmToolResult]) -> list[Segment]:
        """Return the results, in the same model turn; their first marker, the stop token, was never decoded."""
        out = SegmentWriter()
        self._writer.results(out, results)
        return out.take()

    def render_repair(self) -> list[Segment]:
        """Return the request to write a call again."""
        return [Segment(_END + _USER, trusted=True), Segment(_REPAIR), Segment(_END + _MODEL, trusted=True)]

    def render_turn(self, prompt: LlmPrompt, turn: LlmTurn, *, first: bool) -> list[Segment]:
        """Return a past exchange; the model's turn stays open, as after a live one.

        Raises:
            ValueError: The turn has more results than calls.
        """
        out = SegmentWriter()
        self._user(out, prompt, turn.user, turn.context, first=first)
        self._writer.exchange(out, turn.calls, turn.results)
        out.theirs(turn.answer.strip())
        return out.take()

    def render_instruction(self, instruction: str) -> list[Segment]:
        """Return a conversation of one message."""
        out = SegmentWriter()
        out.ours(_USER)
        out.theirs(instruction.strip())
        out.ours(_END + _MODEL)
        return out.take()

    def parser(self, prompt: LlmPrompt, *, spelled: bool = False) -> NativeStreamParser:
        """Return a new parser."""
        return NativeStreamParser(NativeCallReader(prompt.tools), MARKERS, spelled=spelled)
