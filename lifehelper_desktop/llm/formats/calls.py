"""Reads one block of text that may be a tool call: JSON or a Python-like call, never evaluated.

Generous about syntax (what was loose is marked `repaired`), strict about shape: text that is not a call gives None.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final

from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTool

_ARGUMENT_KEYS: Final = ("parameters", "arguments", "args")
_MAX_CALLS: Final = 32
_WORDS: Final[Mapping[str, Any]] = {
    "true": True,
    "false": False,
    "null": None,
    "none": None,
}
_CUT_NAME: Final = re.compile(r'"name"\s*:\s*"([\w.:-]+)"')
_CUT_CALL: Final = re.compile(r"^[\s\[]*(?:print\s*\(\s*)?([A-Za-z_][\w.:]*)\s*\(")


class _NotACallError(Exception):
    """The text is something else."""


class CallReader:
    """Knows the tools of one conversation and reads calls to them."""

    def __init__(self, tools: Sequence[LlmTool]) -> None:
        """Read calls to `tools`; unknown names pass only where a call cannot be anything else."""
        self._order = {tool.name: list(tool.parameters.get("properties", {})) for tool in tools}

    @property
    def names(self) -> tuple[str, ...]:
        """The known names."""
        return tuple(self._order)

    def known_name(self, name: str) -> str | None:
        """Return the one known tool that `name` means: itself, or the only one that ends it after `:` or `.`."""
        name = name.strip()
        if name in self._order:
            return name
        ending = [known for known in self._order if name.endswith((":" + known, "." + known))]
        return ending[0] if len(ending) == 1 else None

    def read(self, text: str, *, fenced: bool, any_name: bool = False) -> list[LlmFunctionCall] | None:
        """Return the calls that `text` is as a whole, or None.

        `any_name` lets Python-like calls to unknown names pass: only inside a fence that is meant for calls.
        """
        text = text.strip()
        if not text:
            return None
        for reader in (self._read_json, self._read_python):
            try:
                calls = reader(text, any_name)
            except (_NotACallError, ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
                continue
            if calls and len(calls) <= _MAX_CALLS:
                return calls
        return None if not fenced else self._read_lines(text, any_name)

    def _read_lines(self, text: str, any_name: bool) -> list[LlmFunctionCall] | None:
        """Read a fenced block with one call a line."""
        lines = [line for line in text.splitlines() if line.strip()]
        if not 1 < len(lines) <= _MAX_CALLS:
            return None
        out: list[LlmFunctionCall] = []
        for line in lines:
            calls = self.read(line, fenced=False, any_name=any_name)
            if calls is None:
                return None
            out.extend(calls)
        return out

    def cut_off(self, text: str) -> LlmFunctionCall | None:
        """Return the call that `text` began and never finished, for the record only, or None when it is no call."""
        match = _CUT_NAME.search(text) or _CUT_CALL.search(text)
        if match is None:
            return None
        name = match.group(1)
        return LlmFunctionCall(self.known_name(name) or name, {}, cut_off=True)

    # -- JSON

    def _read_json(self, text: str, _any_name: bool) -> list[LlmFunctionCall]:
        if text[0] not in "{[":
            raise _NotACallError
        repaired = False
        try:
            value = json.loads(text, strict=False, parse_constant=_refuse_constant)
        except ValueError:
            value = _literal(text)
            repaired = True
        return self._from_value(value, repaired=repaired)

    def _from_value(self, value: Any, *, repaired: bool) -> list[LlmFunctionCall]:
        if isinstance(value, list):
            return [call for item in value for call in self._from_value(item, repaired=repaired)]
        if not isinstance(value, dict):
            raise _NotACallError
        for key in ("tool_calls", "function_calls"):
            if isinstance(value.get(key), list):
                return self._from_value(value[key], repaired=repaired)
        if isinstance(value.get("function"), dict):
            return self._from_value({**value["function"], "id": value.get("id")}, repaired=repaired)
        return [self._from_object(value, repaired=repaired)]

    def _from_object(self, value: Mapping[str, Any], *, repaired: bool) -> LlmFunctionCall:
        if len(value) == 1:
            ((only, arguments),) = value.items()
            if only in self._order and isinstance(arguments, Mapping):
                return LlmFunctionCall(only, _drop_nulls(arguments), repaired=True)
        name = value.get("name")
        if not isinstance(name, str) or not name.strip():
            raise _NotACallError
        known = self.known_name(name)
        given = [key for key in _ARGUMENT_KEYS if key in value]
        if not given:
            # A bare name is a call only when nothing else is said and the tool exists.
            if known is None or set(value) - {"name", "type", "id"}:
                raise _NotACallError
            arguments = {}
        else:
            arguments = value[given[0]]
        if arguments is None:
            arguments = {}
        if isinstance(arguments, str):
            arguments = json.loads(arguments, strict=False, parse_constant=_refuse_constant) if arguments else {}
            repaired = True
        if not isinstance(arguments, Mapping):
            raise _NotACallError
        call_id = value.get("id")
        return LlmFunctionCall(
            known or name.strip(),
            _drop_nulls(arguments),
            call_id=call_id if isinstance(call_id, str) and call_id else None,
            repaired=repaired or (known is not None and known != name),
        )

    # -- Python-like

    def _read_python(self, text: str, any_name: bool) -> list[LlmFunctionCall]:
        body = _parse(text)
        nodes: list[ast.expr] = body.elts if isinstance(body, ast.List | ast.Tuple) else [body]
        return [self._from_node(node, any_name=any_name) for node in nodes]

    def _from_node(self, node: ast.expr, *, any_name: bool) -> LlmFunctionCall:
        if not isinstance(node, ast.Call):
            raise _NotACallError
        written = _dotted(node.func)
        if written == "print" and "print" not in self._order:
            if len(node.args) != 1 or node.keywords:
                raise _NotACallError
            return self._from_node(node.args[0], any_name=any_name)
        known = self.known_name(written)
        if known is None and not any_name:
            raise _NotACallError
        name = known or written
        arguments: dict[str, Any] = {}
        repaired = "." in written and not written.startswith("default_api.")
        order = self._order.get(name, [])
        if len(node.args) > len(order):
            raise _NotACallError
        for key, value in zip(order, node.args, strict=False):
            arguments[key], _loose = _value(value)
            repaired = True
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg in arguments:
                raise _NotACallError
            arguments[keyword.arg], loose = _value(keyword.value)
            repaired = repaired or loose
        return LlmFunctionCall(name, _drop_nulls(arguments), repaired=repaired)


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"not JSON: {name}")


def _drop_nulls(arguments: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key): value for key, value in arguments.items() if value is not None}


def _parse(text: str) -> ast.expr:
    with warnings.catch_warnings():
        # "\d" in a string of the model's is no business of ours.
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        return ast.parse(text, mode="eval").body


def _literal(text: str) -> Any:
    """Read a JSON-like text with Python's quotes, trailing commas or bare words."""
    value, _loose = _value(_parse(text))
    return value


def _dotted(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    raise _NotACallError


def _value(node: ast.expr) -> tuple[Any, bool]:
    """Return the literal that `node` is, and whether it had to be read generously."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, bytes | complex) or node.value is Ellipsis:
            raise _NotACallError
        return node.value, False
    if isinstance(node, ast.Name):
        return _WORDS.get(node.id.lower(), node.id), True
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        number, loose = _value(node.operand)
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise _NotACallError
        return (-number if isinstance(node.op, ast.USub) else number), loose
    if isinstance(node, ast.List | ast.Tuple):
        parts = [_value(part) for part in node.elts]
        return [part for part, _ in parts], any(loose for _, loose in parts)
    if isinstance(node, ast.Dict):
        out: dict[str, Any] = {}
        any_loose = False
        for key, item in zip(node.keys, node.values, strict=True):
            if key is None:
                raise _NotACallError
            name, key_loose = _value(key)
            if isinstance(name, list | dict):
                raise _NotACallError
            out[str(name)], item_loose = _value(item)
            any_loose = any_loose or key_loose or item_loose
        return out, any_loose
    raise _NotACallError
