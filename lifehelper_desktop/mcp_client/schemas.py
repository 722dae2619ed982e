"""From a server's schema of arguments to one that this program reads safely: a known part of draft-07, and small.

Regular expressions go, since matching a hostile one can take for ever, as does everything that only this program's own
schemas mean something by. The server checks the arguments itself, with its whole schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.storage.text import clean_text
from lifehelper_desktop.tools.arguments import is_plain_json
from lifehelper_desktop.tools.registry import RESERVED_PROPERTIES

RAW_MAX: Final = 16 * 1024
SHOWN_MAX: Final = 4 * 1024
PROPERTIES_MAX: Final = 30
_DEPTH_MAX, _NODES_MAX, _VARIANTS_MAX, _ENUM_MAX, _WORD_MAX, _TEXT_MAX = 6, 200, 6, 40, 80, 160
_TYPES: Final = frozenset({"string", "integer", "number", "boolean", "object", "array", "null"})
_NUMBERS: Final = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
_COUNTS: Final = ("minLength", "maxLength", "minItems", "maxItems")
_PLAIN_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_NO_WORD: Final = re.compile(r"[^A-Za-z0-9_]+")


class OddTool(Exception):  # noqa: N818 - the tool is left out and the user told why
    """A tool that cannot be offered; the text says why, to be translated."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one tool.

    Attributes:
        schema: What models are shown and calls are checked against.
        names: The server's own names, by those in `schema`, where they differ.
    """

    schema: Mapping[str, Any]
    names: Mapping[str, str]


def read_schema(raw: Mapping[str, Any]) -> Arguments:
    """Return the arguments that `raw`, untrusted, describes.

    Raises:
        OddTool: It is too large, no schema of draft-07, or none of an object.
    """
    try:
        if not is_plain_json(raw) or len(json.dumps(raw)) > RAW_MAX:
            raise OddTool(N_("인자의 설명이 너무 크거나 깊어요."))
        Draft7Validator.check_schema(dict(raw))
        if raw.get("type", "object") != "object":
            raise OddTool(N_("인자가 묶음이 아니에요."))
        simple = _Reader(raw).read()
        Draft7Validator.check_schema(simple)  # a reference may lead to a part that nobody has looked at
    except (SchemaError, RecursionError, OverflowError, TypeError, re.error) as error:
        raise OddTool(N_("인자의 설명이 JSON 스키마(draft-07)에 맞지 않아요.")) from error
    properties: Mapping[str, Any] = simple.get("properties", {})
    if len(properties) > PROPERTIES_MAX or any(len(name) > _WORD_MAX for name in properties):
        raise OddTool(N_("인자가 너무 많아요."))
    shown = _names(properties)
    back = {name: real for real, name in shown.items()}
    schema = {
        "type": "object",
        "properties": {shown[name]: _as_is(row) for name, row in properties.items()},
        "required": [shown[name] for name in simple.get("required", ())],
    }
    if len(json.dumps(schema, ensure_ascii=False).encode()) > SHOWN_MAX:
        raise OddTool(N_("인자의 설명이 너무 크거나 깊어요."))
    return Arguments(schema, {name: real for name, real in back.items() if name != real})


class _Reader:
    """Reads one schema: references are followed within it, to a depth and a number of parts."""

    def __init__(self, root: Mapping[str, Any]) -> None:
        self._root = root
        self._left = _NODES_MAX

    def read(self) -> dict[str, Any]:
        """Return the part of it that is known."""
        return self._row(self._root, 0)

    def _row(self, raw: Any, depth: int) -> dict[str, Any]:
        self._left -= 1
        if self._left < 0:
            raise OddTool(N_("인자의 설명이 너무 크거나 깊어요."))
        raw = self._target(raw)
        if not isinstance(raw, Mapping) or depth > _DEPTH_MAX:
            return {}
        out: dict[str, Any] = {}
        kind = raw.get("type")
        kinds = [kind] if isinstance(kind, str) else kind if isinstance(kind, list) else []
        known = [each for each in kinds if each in _TYPES]
        if known:
            out["type"] = known[0] if len(known) == 1 else known
        if words := _text(raw.get("description"), _TEXT_MAX):
            out["description"] = words
        self._values(raw, out)
        self._inside(raw, out, depth)
        self._variants(raw, out, depth)
        return out

    def _target(self, raw: Any) -> Any:
        for _hop in range(_DEPTH_MAX):
            if not isinstance(raw, Mapping) or not isinstance(raw.get("$ref"), str):
                return raw
            path = raw["$ref"]
            found: Any = self._root if path.startswith("#/") else None
            for part in path[2:].split("/"):
                found = found.get(part.replace("~1", "/").replace("~0", "~")) if isinstance(found, Mapping) else None
            rest = {key: value for key, value in raw.items() if key != "$ref"}
            raw = {**found, **rest} if isinstance(found, Mapping) else rest
        return {}

    def _values(self, raw: Mapping[str, Any], out: dict[str, Any]) -> None:
        choices = raw.get("enum")
        if isinstance(choices, list) and 0 < len(choices) <= _ENUM_MAX and all(map(_is_word, choices)):
            out["enum"] = list(choices)
        if "const" in raw and _is_word(raw["const"]):
            out["enum"] = [raw["const"]]
        for key in _NUMBERS:
            if isinstance(raw.get(key), int | float) and not isinstance(raw[key], bool):
                out[key] = raw[key]
        for key in _COUNTS:
            if isinstance(raw.get(key), int) and not isinstance(raw[key], bool):
                out[key] = raw[key]

    def _inside(self, raw: Mapping[str, Any], out: dict[str, Any], depth: int) -> None:
        if isinstance(raw.get("items"), Mapping):
            out["items"] = self._row(raw["items"], depth + 1)
        rows = raw.get("properties")
        if isinstance(rows, Mapping):
            out["properties"] = {name: self._row(row, depth + 1) for name, row in rows.items()}
            out["required"] = [name for name in raw.get("required", ()) if name in rows]

    def _variants(self, raw: Mapping[str, Any], out: dict[str, Any], depth: int) -> None:
        for key in ("anyOf", "oneOf", "allOf"):
            variants = raw.get(key)
            if not isinstance(variants, list) or not 0 < len(variants) <= _VARIANTS_MAX:
                continue
            rows = [self._row(variant, depth + 1) for variant in variants]
            real = [row for row in rows if row.get("type") != "null"]
            if key != "allOf" and len(real) == 1 and isinstance(real[0].get("type"), str) and "type" not in out:
                # The usual way to write an optional value.
                row = real[0]
                may_be_null = len(real) < len(rows)
                out.update({**row, **out, "type": [row["type"], "null"] if may_be_null else row["type"]})
                if may_be_null and "enum" in out:
                    out["enum"] = [*out["enum"], None]
            elif key != "oneOf":
                out[key] = rows
            else:
                out["anyOf"] = rows  # what was left out of them may have told them apart


def _names(properties: Mapping[str, Any]) -> dict[str, str]:
    """Return a name for each property that no template loses and every format can write."""
    shown: dict[str, str] = {}
    taken = set(properties)
    for real in properties:
        name = real
        if real in RESERVED_PROPERTIES or not _PLAIN_NAME.fullmatch(real):
            stem = (_NO_WORD.sub("_", real).strip("_") or "value")[:30]
            name, number = f"arg_{stem}", 1
            while name in taken:
                number += 1
                name = f"arg_{stem}_{number}"
        taken.add(name)
        shown[real] = name
    return shown


def _as_is(row: Mapping[str, Any]) -> dict[str, Any]:
    """Let a text reach the server letter by letter: what it means by white space is its own business."""
    kinds = row.get("type")
    is_text = kinds == "string" or (isinstance(kinds, list) and "string" in kinds)
    return {**row, "x-as-is": True} if is_text and "enum" not in row else dict(row)


def _is_word(value: Any) -> bool:
    return (
        value is None
        or isinstance(value, bool | int | float)
        or (isinstance(value, str) and len(value) <= _WORD_MAX and value.isprintable())
    )


def _text(value: Any, limit: int) -> str:
    if not isinstance(value, str):
        return ""
    text = clean_text(value[: 4 * limit])
    return text if len(text) <= limit else text[: limit - 1] + "…"
