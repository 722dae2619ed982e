"""Writes the syntax that Gemma 4 and FunctionGemma share: `call:name{…}`, `response:name{…}`, `declaration:name{…}`.

Both families differ in their markers only. What stands in `Segment.trusted` is ours: markers, punctuation, numbers
and plain names; every string of anyone else is a segment of its own that cannot hold a marker.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lifehelper_desktop.llm.formats.base import Segment
from lifehelper_desktop.llm.formats.native_schema import template_schema
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTool, LlmToolResult

_PLAIN_NAME: Final = re.compile(r"[\w.-]+")
_UNFINISHED: Final[Mapping[str, Any]] = {"status": "cancelled", "reason": "interrupted"}


@dataclass(frozen=True, slots=True)
class NativeMarkers:
    """The control tokens of one family, as text; the same `quote` opens and closes a string."""

    call: tuple[str, str]
    response: tuple[str, str]
    declaration: tuple[str, str]
    quote: str
    thought: tuple[str, str] | None = None

    @property
    def written(self) -> tuple[str, ...]:
        """What the model itself may write and its parser must know."""
        return (*self.call, *self.response, self.quote, *(self.thought or ()))


class SegmentWriter:
    """Collects segments; neighbours of the same trust become one."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._segments: list[Segment] = []

    def _add(self, text: str, *, trusted: bool) -> None:
        if not text:
            return
        if self._segments and self._segments[-1].trusted is trusted:
            text = self._segments.pop().text + text
        self._segments.append(Segment(text, trusted))

    def ours(self, text: str) -> None:
        """Add text that may hold markers."""
        self._add(text, trusted=True)

    def theirs(self, text: str) -> None:
        """Add text that must not hold any."""
        self._add(text, trusted=False)

    def name(self, text: str) -> None:
        """Add a name of a tool or a key: ours when it is nothing but word characters."""
        self._add(text, trusted=_PLAIN_NAME.fullmatch(text) is not None)

    def take(self) -> list[Segment]:
        """Return what was collected and begin anew."""
        segments, self._segments = self._segments, []
        return segments


class NativeWriter:
    """Writes calls, results and declarations with one family's markers."""

    def __init__(self, markers: NativeMarkers) -> None:
        """Write with `markers`."""
        self._markers = markers

    def declare(self, out: SegmentWriter, tools: Iterable[LlmTool]) -> None:
        """Add the declarations of `tools`, as the templates do."""
        opening, closing = self._markers.declaration
        for tool in tools:
            out.ours(opening + "declaration:")
            out.name(tool.name)
            out.ours("{description:")
            self._string(out, tool.description)
            schema = template_schema(tool.parameters)
            out.ours(",parameters:{")
            if schema["properties"]:
                out.ours("properties:{")
                self._properties(out, schema["properties"])
                out.ours("},")
            if schema.get("required"):
                self._required(out, schema["required"])
                out.ours(",")
            out.ours("type:")
            self._string(out, "OBJECT")
            out.ours("}}" + closing)

    def call(self, out: SegmentWriter, call: LlmFunctionCall) -> None:
        """Add one call; arguments that are None are left out, for the templates print `None`."""
        self._named(out, "call", call.name, call.args, self._markers.call)

    def exchange(self, out: SegmentWriter, calls: Sequence[LlmFunctionCall], results: Sequence[LlmToolResult]) -> None:
        """Add the calls of a past turn with their results, paired by position.

        A call that never got a result is given one that says so: without it the templates ask for results for ever.

        Raises:
            ValueError: More results than calls; the templates would lose them silently.
        """
        if len(results) > len(calls):
            raise ValueError(f"{len(results)} results for {len(calls)} calls")
        for call in calls:
            self.call(out, call)
        missing = [LlmToolResult(call.name, _UNFINISHED) for call in calls[len(results) :]]
        self.results(out, [*results, *missing])

    def results(self, out: SegmentWriter, results: Iterable[LlmToolResult]) -> None:
        """Add the results in call order; the model goes on right after them."""
        for result in results:
            self._named(out, "response", result.name, result.result, self._markers.response)

    def _named(
        self, out: SegmentWriter, what: str, name: str, members: Mapping[str, Any], markers: tuple[str, str]
    ) -> None:
        out.ours(f"{markers[0]}{what}:")
        out.name(name)
        self._value(out, members)
        out.ours(markers[1])

    def _string(self, out: SegmentWriter, text: str) -> None:
        out.ours(self._markers.quote)
        out.theirs(text)
        out.ours(self._markers.quote)

    def _value(self, out: SegmentWriter, value: Any, *, quoted_keys: bool = False) -> None:
        if isinstance(value, bool):
            out.ours("true" if value else "false")
        elif isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            out.ours(str(value))
        elif isinstance(value, Mapping):
            out.ours("{")
            members = sorted_items({key: item for key, item in value.items() if item is not None})
            for index, (key, item) in enumerate(members):
                out.ours("," if index else "")
                if quoted_keys:
                    self._string(out, key)
                else:
                    out.name(key)
                out.ours(":")
                self._value(out, item, quoted_keys=quoted_keys)
            out.ours("}")
        elif isinstance(value, list | tuple):
            out.ours("[")
            for index, item in enumerate(item for item in value if item is not None):
                out.ours("," if index else "")
                self._value(out, item, quoted_keys=quoted_keys)
            out.ours("]")
        else:
            self._string(out, str(value))

    # -- schemas, which `template_schema` has brought to what the templates show

    def _required(self, out: SegmentWriter, names: Sequence[str]) -> None:
        out.ours("required:")
        self._value(out, list(names))

    def _properties(self, out: SegmentWriter, properties: Mapping[str, Any]) -> None:
        for index, (key, row) in enumerate(sorted_items(properties)):
            out.ours("," if index else "")
            out.name(key)
            out.ours(":{")
            self._row(out, row)
            out.ours("}")

    def _row(self, out: SegmentWriter, row: Mapping[str, Any]) -> None:
        if row.get("description"):
            out.ours("description:")
            self._string(out, row["description"])
            out.ours(",")
        if row.get("enum"):
            out.ours("enum:")
            self._value(out, row["enum"])
            out.ours(",")
        if row.get("items"):
            out.ours("items:{")
            self._items(out, row["items"])
            out.ours("},")
        if row.get("nullable"):
            out.ours("nullable:true,")
        if row["type"] == "object":
            out.ours("properties:{")
            self._properties(out, row["properties"])
            out.ours("},")
            if row.get("required"):
                self._required(out, row["required"])
                out.ours(",")
        out.ours("type:")
        self._string(out, row["type"].upper())

    def _items(self, out: SegmentWriter, items: Mapping[str, Any]) -> None:
        for index, (key, value) in enumerate(sorted_items(items)):
            out.ours("," if index else "")
            if key == "properties":
                out.ours("properties:{")
                self._properties(out, value)
                out.ours("}")
            elif key == "required":
                self._required(out, value)
            elif key == "type":
                out.ours("type:")
                self._string(out, value.upper())
            else:
                out.name(key)
                out.ours(":")
                self._value(out, value, quoted_keys=True)


def sorted_items(members: Mapping[Any, Any]) -> list[tuple[str, Any]]:
    """Return the items in the order of Jinja's `dictsort`: by key, capitals and small letters alike."""
    return sorted(((str(key), value) for key, value in members.items()), key=lambda item: item[0].lower())
