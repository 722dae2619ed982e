"""Brings a tool's JSON schema to the part that the native templates show, and says the rest in words.

They drop limits, patterns and enums of numbers silently, and print nonsense for `anyOf` and lists of types; the real
check of the arguments is made later, with the whole schema.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from lifehelper_desktop.llm.formats.base import plain_schema

_LIMITS: Final = (
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "maxLength",
    "pattern",
    "format",
    "minItems",
    "maxItems",
    "const",
)
_MAX_DEPTH: Final = 8


def template_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with `properties` and perhaps `required`, ready for the templates."""
    return {**_row({**plain_schema(schema), "type": "object"}, 0), "type": "object"}


def _row(schema: Mapping[str, Any], depth: int) -> dict[str, Any]:
    schema, nullable = _one_type(schema)
    kind = schema["type"]
    notes: list[str] = []
    out: dict[str, Any] = {}
    choices = [item for item in schema.get("enum") or () if item is not None]
    if choices and kind == "string":
        out["enum"] = [str(item) for item in choices]
    elif choices:
        notes.append(", ".join(_word(item) for item in choices))
    notes += [f"{key} {_word(schema[key])}" for key in _LIMITS if key in schema]
    description = str(schema.get("description") or "")
    if notes:
        description = f"{description} ({'; '.join(notes)})".strip()
    if description:
        out["description"] = description
    if kind == "array" and isinstance(schema.get("items"), Mapping) and schema["items"] and depth < _MAX_DEPTH:
        out["items"] = _row(schema["items"], depth + 1)
    if nullable:
        out["nullable"] = True
    if kind == "object":
        properties = schema.get("properties")
        out["properties"] = (
            {str(key): _row(value, depth + 1) for key, value in properties.items() if isinstance(value, Mapping)}
            if isinstance(properties, Mapping) and depth < _MAX_DEPTH
            else {}
        )
        required = [str(name) for name in schema.get("required") or ()]
        if required:
            out["required"] = required
    out["type"] = kind
    return out


def _one_type(schema: Mapping[str, Any]) -> tuple[dict[str, Any], bool]:
    """Return the schema with one plain type, and whether null is allowed as well."""
    out = dict(schema)
    nullable = bool(out.pop("nullable", False))
    for key in ("anyOf", "oneOf", "allOf"):
        variants = [item for item in out.pop(key, ()) or () if isinstance(item, Mapping)]
        real = [item for item in variants if item.get("type") != "null"]
        nullable = nullable or len(real) < len(variants)
        if real:
            out = {**real[0], **out}
    kind = out.get("type")
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        nullable = nullable or "null" in kind
        kind = next((item for item in kind if item != "null"), None)
    if not isinstance(kind, str) or not kind:
        kind = "object" if "properties" in out else "array" if "items" in out else "string"
    out["type"] = kind.lower()
    return out, nullable


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
