"""How each format writes the same things, so that one suite runs over all of them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lifehelper_desktop.llm.formats.base import ChatFormat, FinishReason, Marker, ParsedEvent
from lifehelper_desktop.llm.formats.functiongemma import MARKERS as FUNCTION
from lifehelper_desktop.llm.formats.functiongemma import FunctionGemmaFormat
from lifehelper_desktop.llm.formats.gemma3 import Gemma3Format
from lifehelper_desktop.llm.formats.gemma4 import MARKERS as GEMMA4
from lifehelper_desktop.llm.formats.gemma4 import Gemma4Format
from lifehelper_desktop.llm.formats.native_writer import NativeMarkers, NativeWriter, SegmentWriter
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmPrompt, LlmTextChunk
from tests.llm.support import TOOLS


@dataclass(frozen=True)
class Dialect:
    """One format, read from spelled text or from marker tokens.

    Attributes:
        markers: The native markers; None for prompted JSON.
        spelled: Whether the stream is text only.
    """

    name: str
    format: ChatFormat
    markers: NativeMarkers | None = None
    spelled: bool = True

    def call(self, name: str, args: Mapping[str, Any]) -> str:
        """Return one call, written properly."""
        if self.markers is None:
            return json.dumps({"name": name, "parameters": args}, ensure_ascii=False)
        out = SegmentWriter()
        NativeWriter(self.markers).call(out, LlmFunctionCall(name, args))
        return "".join(segment.text for segment in out.take())

    def raw(self, native: str, prompted: str) -> str:
        """Return the text of a call: `native` stands between the markers, ¦ in it for the string marker."""
        if self.markers is None:
            return prompted
        return self.markers.call[0] + native.replace("¦", self.markers.quote) + self.markers.call[1]

    def begun(self, native: str, prompted: str) -> str:
        """Return a call without its end."""
        return prompted if self.markers is None else self.raw(native, "").removesuffix(self.markers.call[1])

    @property
    def lead(self) -> str:
        """What must stand between words and a call: prompted calls need a line of their own."""
        return "\n" if self.markers is None else ""

    def pieces(self, text: str, cuts: Sequence[int] = ()) -> list[str]:
        """Return `text` cut at `cuts`; read from tokens, markers are pieces of their own and stay whole."""
        borders = sorted({0, len(text), *(cut for cut in cuts if cut <= len(text))})
        if self.markers is None or self.spelled:
            return [text[a:b] for a, b in pairwise(borders)]
        out: list[str] = []
        position = 0
        pattern = "|".join(re.escape(marker) for marker in self.markers.written)
        for match in [*re.finditer(pattern, text), None]:
            end = match.start() if match else len(text)
            inner = [position, *(cut for cut in borders if position < cut < end), end]
            out += [text[a:b] for a, b in pairwise(inner)]
            if match:
                out.append(Marker(match.group()))
                position = match.end()
        return out

    def parse(self, text: str, reason: str = "stop", cuts: Sequence[int] = ()) -> list[ParsedEvent]:
        """Return the events of a turn, neighbouring words joined."""
        parser = self.format.parser(LlmPrompt("", TOOLS), spelled=self.spelled)
        events = [event for piece in self.pieces(text, cuts) for event in parser.feed(piece)]
        events += parser.finish(FinishReason(reason))
        joined: list[ParsedEvent] = []
        for event in events:
            last = joined[-1] if joined else None
            if isinstance(event, LlmTextChunk) and isinstance(last, LlmTextChunk):
                joined[-1] = LlmTextChunk(last.text + event.text)
            else:
                joined.append(event)
        return joined


GEMMA3 = Dialect("gemma3", Gemma3Format())
NATIVE = (
    Dialect("gemma4-tokens", Gemma4Format(), GEMMA4, spelled=False),
    Dialect("gemma4-spelled", Gemma4Format(), GEMMA4),
    Dialect("functiongemma-tokens", FunctionGemmaFormat(), FUNCTION, spelled=False),
    Dialect("functiongemma-spelled", FunctionGemmaFormat(), FUNCTION),
)
DIALECTS = (GEMMA3, *NATIVE)
GEMMA4_DIALECTS = NATIVE[:2]
