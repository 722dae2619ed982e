"""Gemma 3, instruction-tuned: no system role and no tool tokens, so both are our own words in the first user turn.

Calls are asked for as JSON and read generously (JSON or Python-like, fenced or not); results go back as a user turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lifehelper_desktop.llm.formats.base import Segment, compact_json, plain_schema
from lifehelper_desktop.llm.formats.calls import CallReader
from lifehelper_desktop.llm.formats.stream import CallStreamParser
from lifehelper_desktop.llm.llama_sampler import Sampling
from lifehelper_desktop.llm.protocol import LlmPrompt, LlmToolResult, LlmTurn

_USER: Final = "<start_of_turn>user\n"
_END: Final = "<end_of_turn>\n"
_MODEL: Final = "<start_of_turn>model\n"

_TOOLS_HEAD: Final = (
    "You have access to functions. If you decide to invoke any of the function(s), you MUST put it in the format of "
    '{"name": function name, "parameters": dictionary of argument name and its value}. Several calls go into a JSON '
    "list. You SHOULD NOT include any other text in the response if you call a function."
)
_RESULTS_HEAD: Final = "Results of the function calls, in order:\n"
_RESULTS_TAIL: Final = "\nAnswer the user in their language, or call another function if it is needed."
_REPAIR: Final = (
    "That function call could not be read. Write it once more, as one line of JSON only: "
    '{"name": ..., "parameters": {...}}. Or answer in plain words.'
)


class Gemma3Format:
    """Gemma 3 with its chat template."""

    family = "gemma3"
    sampling = Sampling(temperature=0.6, top_k=64, top_p=0.95, repeat_penalty=1.05)
    stop_strings: Sequence[str] = ("<end_of_turn>", "<start_of_turn>")
    stop_markers: Sequence[str] = ("<end_of_turn>", "<start_of_turn>")
    markers: Sequence[str] = ()
    thought: tuple[str, str] | None = None

    def render_start(self, prompt: LlmPrompt) -> list[Segment]:
        """Return the opening of the first user turn: instructions and tools."""
        lines = [prompt.system.strip()]
        if prompt.tools:
            tools = [
                {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": plain_schema(tool.parameters),
                }
                for tool in prompt.tools
            ]
            lines += [_TOOLS_HEAD, compact_json(tools)]
        out = [Segment(_USER, trusted=True), Segment("\n\n".join(line for line in lines if line))]
        # The worked examples are a pool for pretrained models, far too large to show.
        if prompt.system or prompt.tools:
            out.append(Segment("\n\n"))
        return out

    def render_user(self, prompt: LlmPrompt, text: str, context: str, *, first: bool) -> list[Segment]:
        """Return the user's turn; the first one goes on where `render_start` stopped."""
        out = [] if first else [Segment(_END + _USER, trusted=True)]
        if context:
            out.append(Segment(context + "\n"))
        return [*out, Segment(text), Segment(_END + _MODEL, trusted=True)]

    def render_results(self, results: Sequence[LlmToolResult]) -> list[Segment]:
        """Return the results as a user turn: there is no tool role."""
        body = "\n".join(compact_json({"name": item.name, "result": item.result}) for item in results)
        return [
            Segment(_END + _USER, trusted=True),
            Segment(_RESULTS_HEAD + body + _RESULTS_TAIL),
            Segment(_END + _MODEL, trusted=True),
        ]

    def render_repair(self) -> list[Segment]:
        """Return the request to write a call again."""
        return [Segment(_END + _USER, trusted=True), Segment(_REPAIR), Segment(_END + _MODEL, trusted=True)]

    def render_turn(self, prompt: LlmPrompt, turn: LlmTurn, *, first: bool) -> list[Segment]:
        """Return a past exchange; the model's turn stays open, as after a live one."""
        out = self.render_user(prompt, turn.user, turn.context, first=first)
        if turn.calls:
            calls = [{"name": call.name, "parameters": dict(call.args)} for call in turn.calls]
            out.append(Segment(compact_json(calls[0] if len(calls) == 1 else calls)))
            out += self.render_results(turn.results)
        if turn.answer:
            out.append(Segment(turn.answer))
        return out

    def render_instruction(self, instruction: str) -> list[Segment]:
        """Return a conversation of one message."""
        return [Segment(_USER, trusted=True), Segment(instruction), Segment(_END + _MODEL, trusted=True)]

    def parser(self, prompt: LlmPrompt, *, spelled: bool = False) -> CallStreamParser:
        """Return a new parser; there are no markers that could be spelled."""
        return CallStreamParser(CallReader(prompt.tools))
