"""The tools that exist. To add one: a module in this package with a `DEFINITION`, and its name in `visibility.py`.

`check_definition` looks at one tool; `start_check.check_registry` at all of them, and stops the program at start.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from jsonschema import Draft7Validator
from jsonschema.exceptions import SchemaError

import lifehelper_desktop.tools as package
from lifehelper_desktop.base.discovery import import_submodules
from lifehelper_desktop.base.i18n import LANGUAGES
from lifehelper_desktop.tools.definition import ToolDefinition, ToolEffect
from lifehelper_desktop.tools.visibility import (
    PLACES_OF_SERVER_TOOLS,
    PROFILES_OF_SERVER_TOOLS,
    TOOLS_BY_PLACE,
    TOOLS_BY_PROFILE,
    ModelProfile,
    Place,
)

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")
RESERVED_PROPERTIES = frozenset({"type", "description", "properties", "required", "nullable"})
"""Gemma 4's template drops properties with these names."""


class ToolDefinitionError(Exception):
    """A tool's definition is incomplete or contradicts itself: a bug that stops the program.

    Attributes:
        tool: Its name.
        problem: What is wrong, in English, for the log and whoever mends it.
    """

    def __init__(self, tool: str, problem: str) -> None:
        """Name the tool and what is wrong with it."""
        super().__init__(f"{tool}: {problem}")
        self.tool = tool
        self.problem = problem


class ToolRegistry:
    """The tools by name, in a fixed order: reading tools first, then writing ones, each by name."""

    def __init__(self, definitions: Iterable[ToolDefinition]) -> None:
        """Take the definitions and check each.

        Raises:
            ToolDefinitionError: Two tools share a name, or a definition is incomplete.
        """
        ordered = sorted(definitions, key=lambda tool: (tool.is_destructive, tool.name))
        self._by_name: dict[str, ToolDefinition] = {}
        for tool in ordered:
            if tool.name in self._by_name:
                raise ToolDefinitionError(tool.name, "two tools share this name")
            check_definition(tool)
            self._by_name[tool.name] = tool

    @classmethod
    def defaults(cls) -> ToolRegistry:
        """Return every tool of this package."""
        found = [getattr(module, "DEFINITION", None) for module in import_submodules(package)]
        return cls(tool for tool in found if isinstance(tool, ToolDefinition))

    def by_name(self, name: str) -> ToolDefinition | None:
        """Return the tool called exactly `name`, or None."""
        return self._by_name.get(name)

    def all(self) -> tuple[ToolDefinition, ...]:
        """Return all tools in their fixed order."""
        return tuple(self._by_name.values())

    def names(self) -> tuple[str, ...]:
        """Return the names in order."""
        return tuple(self._by_name)

    def visible(self, place: Place, profile: ModelProfile | None = None) -> tuple[ToolDefinition, ...]:
        """Return the tools that `place` shows, in their fixed order; with a `profile` those that such a model is shown.

        What is not named in `visibility.py` is not shown.
        """
        return tuple(tool for tool in self.all() if _is_shown(tool, place, profile))

    def narrowed(self, place: Place, profile: ModelProfile | None = None) -> ToolRegistry:
        """Return a registry of `visible` alone: a dispatcher over it reaches no other tool."""
        narrow = ToolRegistry(())
        narrow._by_name = {tool.name: tool for tool in self.visible(place, profile)}
        return narrow


def _is_shown(tool: ToolDefinition, place: Place, profile: ModelProfile | None) -> bool:
    if tool.server:
        return place in PLACES_OF_SERVER_TOOLS and (profile is None or profile in PROFILES_OF_SERVER_TOOLS)
    return tool.name in TOOLS_BY_PLACE[place] and (profile is None or tool.name in TOOLS_BY_PROFILE[profile])


def check_definition(tool: ToolDefinition) -> None:
    """Check one definition.

    Raises:
        ToolDefinitionError: Name, schema, labels, description or summary are missing or malformed.
    """
    if not _NAME.fullmatch(tool.name):
        raise ToolDefinitionError(repr(tool.name), "this is no tool name")
    if not isinstance(tool.parameters_schema, Mapping):
        raise ToolDefinitionError(tool.name, "no schema")
    try:
        Draft7Validator.check_schema(dict(tool.parameters_schema))
    except SchemaError as error:
        raise ToolDefinitionError(tool.name, f"schema: {error.message}") from error
    if tool.parameters_schema.get("type") != "object":
        raise ToolDefinitionError(tool.name, "schema: parameters must be an object")
    if reserved := RESERVED_PROPERTIES & set(tool.parameters_schema.get("properties", {})):
        raise ToolDefinitionError(tool.name, f"schema: property names {sorted(reserved)} are lost by some templates")
    labels = tool.label if isinstance(tool.label, Mapping) else {}
    if missing := [language for language in LANGUAGES if not labels.get(language, "").strip()]:
        raise ToolDefinitionError(tool.name, f"no label in {missing}")
    if not (tool.description or "").strip():
        raise ToolDefinitionError(tool.name, "no prompt text: description")
    if not isinstance(tool.effect, ToolEffect):
        raise ToolDefinitionError(tool.name, "no effect: nobody knows whether it must be asked about")
    if tool.is_destructive and not callable(tool.summarize):
        raise ToolDefinitionError(tool.name, "changes data and has no confirm summary for the dialog")
