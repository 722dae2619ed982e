"""Arguments between the model's loose writing and a tool's schema: coerced once, then checked, never guessed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from jsonschema import Draft7Validator
from jsonschema.exceptions import ValidationError, best_match

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.text import clean_text

_MAX_DEPTH: Final = 32
_TYPE_WORDS: Final = {
    "string": N_("글"),
    "integer": N_("정수"),
    "number": N_("숫자"),
    "boolean": N_("참/거짓"),
    "object": N_("묶음"),
    "array": N_("목록"),
}
_NULL_WORDS: Final = frozenset({"null", "none", "nil", "undefined"})
_INT64_MAX: Final = 2**63 - 1


def coerce(schema: Mapping[str, Any], args: Mapping[str, Any]) -> dict[str, Any]:
    """Return `args` with values brought to the types that `schema` declares, where nothing is lost by it.

    `"3"` becomes 3 for an integer, `3.0` becomes 3, an enum word in another case becomes the listed one, text is
    cleaned to the one line that storage keeps (so that what is measured, shown and stored is the same; `x-lines` in
    its schema keeps line breaks, `x-as-is` everything), and an optional argument that is null or blank is dropped. The
    word "null" means null except in free text, where it may be meant. Where several types are declared, a text that is
    no number stays one. Undeclared keys stay: handlers ignore them.
    """
    properties = schema.get("properties", {})
    required = schema.get("required", [])
    result: dict[str, Any] = {}
    for key, value in args.items():
        row = properties.get(key)
        if row is None:
            result[key] = value
            continue
        changed = _coerce_value(row, value)
        if changed in (None, "") and key not in required:
            continue
        result[key] = changed
    return result


def is_absent(value: Any) -> bool:
    """Return whether `value` is one of the ways in which models leave an argument out: null, blank, "none"."""
    return value is None or (isinstance(value, str) and clean_text(value).casefold() in _NULL_WORDS | {""})


def whole_number(value: object) -> int | None:
    """Return the integer that `value` is or spells (3, 3.0, "3"), or None; a boolean is none."""
    if isinstance(value, str):
        value = _number(clean_text(value), "integer", value)
    elif isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def declared_types(row: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the types that a property's schema declares, none when it leaves them open."""
    kind = row.get("type", ())
    return (kind,) if isinstance(kind, str) else tuple(kind)


def _coerce_value(row: Mapping[str, Any], value: Any) -> Any:
    kinds = declared_types(row)
    if isinstance(value, str):
        if row.get("x-as-is"):
            return value
        text = clean_text(value, keep_lines=bool(row.get("x-lines")))
        if text.casefold() in _NULL_WORDS and ("string" not in kinds or "enum" in row):
            return None
        if "integer" in kinds or "number" in kinds:
            number = _number(text, "number" if "number" in kinds else "integer", value)
            if number is not value:
                return number
        if "string" in kinds and "enum" in row:
            for choice in row["enum"]:
                if isinstance(choice, str) and choice.casefold() == text.casefold():
                    return choice
        return text if "string" in kinds else value
    number = whole_number(value) if "integer" in kinds else None
    return value if number is None else number


def _number(text: str, kind: str, original: str) -> Any:
    if len(text) > 20:
        return original
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        return original
    if not math.isfinite(number):
        return original
    if kind == "integer":
        return int(number) if number.is_integer() else original
    return number


def is_plain_json(value: Any, depth: int = 0) -> bool:
    """Return whether `value` is finite JSON of sane depth with string keys and 64-bit integers."""
    if depth > _MAX_DEPTH:
        return False
    if value is None or isinstance(value, str | bool):
        return True
    if isinstance(value, int):
        return abs(value) <= _INT64_MAX
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Mapping):
        return all(isinstance(key, str) and is_plain_json(item, depth + 1) for key, item in value.items())
    if isinstance(value, list | tuple):
        return all(is_plain_json(item, depth + 1) for item in value)
    return False


def explain(validator: Draft7Validator, args: Mapping[str, Any]) -> str | None:
    """Return what is wrong with `args` (the path and what was expected) in the user's language, or None."""
    error = best_match(validator.iter_errors(dict(args)))
    return None if error is None else _describe(error)


def _describe(error: ValidationError) -> str:
    path = ".".join(str(part) for part in error.absolute_path) or _("인자")
    limit: Any = error.validator_value
    instance: Any = error.instance
    match error.validator:
        case "required":
            missing = [name for name in limit if name not in instance]
            return _("{path}: 값이 필요해요").format(path=", ".join(missing))
        case "type":
            kinds = declared_types({"type": limit})
            expected = "/".join(_(_TYPE_WORDS[kind]) if kind in _TYPE_WORDS else kind for kind in kinds)
            return _("{path}: {expected} 모양이어야 해요").format(path=path, expected=expected)
        case "enum":
            choices = ", ".join(str(choice) for choice in limit)
            return _("{path}: {choices} 가운데 하나여야 해요").format(path=path, choices=choices)
        case "maxLength" | "minLength":
            return _("{path}: 길이가 맞지 않아요({limit}자)").format(path=path, limit=limit)
        case _:
            return _("{path}: 모양이 맞지 않아요").format(path=path)
