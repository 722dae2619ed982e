"""Small makings for the tests of the language model."""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from lifehelper_desktop.llm.formats.base import BrokenCall, FinishReason, ParsedEvent
from lifehelper_desktop.llm.formats.calls import CallReader
from lifehelper_desktop.llm.formats.stream import CallStreamParser
from lifehelper_desktop.llm.llama_engine import LlamaEngine
from lifehelper_desktop.llm.protocol import LlmExample, LlmFunctionCall, LlmTextChunk, LlmTool

TOOLS = (
    LlmTool(
        "search_catalog",
        "습관 찾기",
        {"type": "object", "properties": {"category": {"type": "string"}, "keyword": {"type": "string"}}},
    ),
    LlmTool(
        "add_habit",
        "습관 추가",
        {
            "type": "object",
            "properties": {"name": {"type": "string"}, "amount": {"type": "integer"}, "note": {"type": "string"}},
            "required": ["name"],
        },
    ),
    LlmTool(
        "get_streak",
        "연속 기록",
        {"type": "object", "properties": {"habit_id": {"type": "integer"}}, "required": ["habit_id"]},
    ),
)


def parse(pieces: Iterable[str], reason: str = "stop") -> list[ParsedEvent]:
    """Return the events of a stream cut into `pieces`, adjacent texts joined."""
    parser = CallStreamParser(CallReader(TOOLS))
    events = [event for piece in pieces for event in parser.feed(piece)]
    events += parser.finish(FinishReason(reason))
    joined: list[ParsedEvent] = []
    for event in events:
        last = joined[-1] if joined else None
        if isinstance(event, LlmTextChunk) and isinstance(last, LlmTextChunk):
            joined[-1] = LlmTextChunk(last.text + event.text)
        else:
            joined.append(event)
    return joined


def calls_of(events: Iterable[ParsedEvent]) -> list[tuple[str, dict[str, Any]]]:
    """Return names and arguments of the calls among `events`."""
    return [(event.name, dict(event.args)) for event in events if isinstance(event, LlmFunctionCall)]


def text_of(events: Iterable[ParsedEvent]) -> str:
    """Return the text among `events`."""
    return "".join(event.text for event in events if isinstance(event, LlmTextChunk))


def has_broken(events: Iterable[ParsedEvent]) -> bool:
    """Whether a call that cannot be read is among `events`."""
    return any(isinstance(event, BrokenCall) for event in events)


class StopAtAsk(threading.Event):
    """A stop flag that sets itself at the n-th question, as if the user pressed Stop just then; keeps the moment.

    `clear` starts counting again, so that it survives the clearing at the start of a turn.
    """

    def __init__(self, asks: int) -> None:
        super().__init__()
        self._asks = asks
        self._asked = 0
        self.pressed_at = 0.0

    def is_set(self) -> bool:
        self._asked += 1
        if self._asked >= self._asks and not super().is_set() and self._asks:
            self.pressed_at = time.perf_counter()
            self.set()
        return super().is_set()

    def disarm(self) -> None:
        """Never press again."""
        self._asks = 0
        self.clear()


def _string(text: str) -> bytes:
    data = text.encode()
    return struct.pack("<Q", len(data)) + data


def write_gguf(
    path: Path,
    values: Mapping[str, str | int],
    tensors: Sequence[tuple[str, tuple[int, ...], int, int]] = (),
    data: bytes = b"",
    *,
    version: int = 3,
) -> Path:
    """Write a small GGUF file; `tensors` are (name, dimensions, ggml type, offset)."""
    out = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(values))
    for key, value in values.items():
        out += _string(key)
        out += struct.pack("<I", 8) + _string(value) if isinstance(value, str) else struct.pack("<II", 4, value)
    for name, dimensions, kind, offset in tensors:
        out += _string(name) + struct.pack("<I", len(dimensions))
        out += b"".join(struct.pack("<Q", size) for size in dimensions) + struct.pack("<IQ", kind, offset)
    out += b"\0" * (-len(out) % 32)
    path.write_bytes(out + data)
    return path


def arm(engine: LlamaEngine, asks: int) -> StopAtAsk:
    """Press Stop at the n-th time that the engine or a session asks from now on."""
    flag = StopAtAsk(asks)
    engine._stop = flag
    return flag


LOG_TOOLS = (
    LlmTool(
        "log",
        "",
        {
            "type": "object",
            "x-label": "기록",
            "properties": {"item": {"type": "integer", "x-label": "습관"}},
            "required": ["item"],
        },
    ),
)
LOG_EXAMPLES = (
    *(
        LlmExample(text, calls=(("log", {"item": 1}),), answer="{day}에 남겼어요.")
        for text in ("명상 했어, 기록해", "독서 기록해 줘")
    ),
    *(LlmExample(text, answer="천만에요.") for text in ("고마워", "좋은 하루")),
)
