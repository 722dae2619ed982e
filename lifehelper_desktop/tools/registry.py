"""The tools that exist. To add one: a module in this package with a `DEFINITION`; nothing else lists it.

`check` stops the program at start when a definition is incomplete; `tests/tools/test_registry.py` fails first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError

import lifehelper_desktop.tools as package
from lifehelper_desktop.base.discovery import import_submodules
from lifehelper_desktop.base.i18n import LANGUAGES
from lifehelper_desktop.tools.definition import ToolDefinition, ToolScope

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")
# Gemma 4's template drops properties with these names.
_RESERVED_PROPERTIES = frozenset({"type", "description", "properties", "required", "nullable"})


class ToolDefinitionError(Exception):
    """A tool's definition is incomplete or contradicts itself: a bug that stops the program."""


class ToolRegistry:
    """The tools by name, in a fixed order: reading tools first, then writing ones, each by name."""

    def __init__(self, definitions: Iterable[ToolDefinition]) -> None:
        """Take the definitions and check each.

        Raises:
            ToolDefinitionError: Two tools share a name, or a definition is incomplete.
        """
        ordered = sorted(definitions, key=lambda tool: (tool.is_destructive, tool.name))
        self._by_name = {tool.name: tool for tool in ordered}
        if len(self._by_name) != len(ordered):
            raise ToolDefinitionError("two tools share a name")
        for tool in ordered:
            check_definition(tool)

    @classmethod
    def defaults(cls, scopes: frozenset[ToolScope] = frozenset(ToolScope)) -> ToolRegistry:
        """Return every tool of this package whose scope is wanted."""
        found = [getattr(module, "DEFINITION", None) for module in import_submodules(package)]
        return cls(tool for tool in found if isinstance(tool, ToolDefinition) and tool.scope in scopes)

    def by_name(self, name: str) -> ToolDefinition | None:
        """Return the tool called exactly `name`, or None."""
        return self._by_name.get(name)

    def all(self) -> tuple[ToolDefinition, ...]:
        """Return all tools in their fixed order."""
        return tuple(self._by_name.values())

    def names(self) -> tuple[str, ...]:
        """Return the names in order."""
        return tuple(self._by_name)


def check_definition(tool: ToolDefinition) -> None:
    """Check one definition.

    Raises:
        ToolDefinitionError: Name, schema, labels or summary are missing or malformed.
    """
    if not _NAME.fullmatch(tool.name):
        raise ToolDefinitionError(f"{tool.name!r} is no tool name")
    try:
        Draft7Validator.check_schema(dict(tool.parameters_schema))
    except SchemaError as error:
        raise ToolDefinitionError(f"{tool.name}: schema: {error.message}") from error
    if tool.parameters_schema.get("type") != "object":
        raise ToolDefinitionError(f"{tool.name}: parameters must be an object")
    if reserved := _RESERVED_PROPERTIES & set(tool.parameters_schema.get("properties", {})):
        raise ToolDefinitionError(f"{tool.name}: property names {sorted(reserved)} are lost by some templates")
    if missing := [language for language in LANGUAGES if not tool.label.get(language)]:
        raise ToolDefinitionError(f"{tool.name}: no label in {missing}")
    if not tool.description:
        raise ToolDefinitionError(f"{tool.name}: no description")
    if tool.is_destructive and tool.summarize is None:
        raise ToolDefinitionError(f"{tool.name}: changes data and has no summary for the dialog")
