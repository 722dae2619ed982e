"""Whether the tools, the places that show them and the texts that name them fit together: asked at every start."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from lifehelper_desktop.tools.definition import ToolDefinition, ToolScope
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry
from lifehelper_desktop.tools.visibility import TOOLS_BY_PLACE, TOOLS_BY_PROFILE, ModelProfile, Place

_NOBODY: Final[Mapping[str, Iterable[str]]] = MappingProxyType({})
_PLACES_WITH_A_WINDOW: Final = frozenset({Place.WINDOW})
_PLACES_WITH_A_MODEL: Final = frozenset({Place.WINDOW, Place.CLI})


def check_registry(
    registry: ToolRegistry,
    *,
    places: Mapping[Place, Iterable[str]] = TOOLS_BY_PLACE,
    profiles: Mapping[ModelProfile, Iterable[str]] = TOOLS_BY_PROFILE,
    mentioned: Mapping[str, Iterable[str]] = _NOBODY,
) -> None:
    """Check all tools against each other and against everything that names them.

    Args:
        registry: The program's own tools.
        places: What each front end shows.
        profiles: What each kind of model is shown.
        mentioned: Names of tools that texts mention (prompts, worked examples), by where they stand.

    Raises:
        ToolDefinitionError: Naming the tool: it is declared but not implemented; implemented but shown nowhere, or to
            no model; without schema, label, scope, confirm summary or prompt text; two share a short name; or a tool
            that needs the window or the model is shown where there is none.
    """
    for where, names in _declared(places, profiles, mentioned):
        for name in names:
            if registry.by_name(name) is None:
                raise ToolDefinitionError(name, f"declared in {where} and not implemented")
    short_names: dict[str, str] = {}
    for tool in registry.all():
        _check_one(tool)
        _check_shown(tool, places, profiles)
        other = short_names.setdefault(tool.short_name, tool.name)
        if other != tool.name:
            raise ToolDefinitionError(tool.name, f"prompt text: its short name is that of {other}")


def _declared(
    places: Mapping[Place, Iterable[str]],
    profiles: Mapping[ModelProfile, Iterable[str]],
    mentioned: Mapping[str, Iterable[str]],
) -> Iterable[tuple[str, Iterable[str]]]:
    for place, names in places.items():
        yield f"the tools of the place {place.value}", names
    for profile, names in profiles.items():
        yield f"the tools of the model profile {profile.value}", names
    yield from mentioned.items()


def _check_one(tool: ToolDefinition) -> None:
    if not isinstance(tool.scope, ToolScope):
        raise ToolDefinitionError(tool.name, "no scope")
    if not callable(tool.handler):
        raise ToolDefinitionError(tool.name, "declared and not implemented: no handler")
    properties = tool.parameters_schema.get("properties")
    if not isinstance(properties, Mapping):
        raise ToolDefinitionError(tool.name, "schema: no properties")
    if unknown := set(tool.parameters_schema.get("required", ())) - set(properties):
        raise ToolDefinitionError(tool.name, f"schema: {sorted(unknown)} are required and not described")
    if not (tool.short_name or "").strip():
        raise ToolDefinitionError(tool.name, "no prompt text: short_name")


def _check_shown(
    tool: ToolDefinition, places: Mapping[Place, Iterable[str]], profiles: Mapping[ModelProfile, Iterable[str]]
) -> None:
    shown = {place for place, names in places.items() if tool.name in names}
    if not shown:
        raise ToolDefinitionError(tool.name, "implemented and shown nowhere")
    if not any(tool.name in names for names in profiles.values()):
        raise ToolDefinitionError(tool.name, "implemented and shown to no model")
    if tool.scope is ToolScope.UI and not shown <= _PLACES_WITH_A_WINDOW:
        lost = sorted(place.value for place in shown - _PLACES_WITH_A_WINDOW)
        raise ToolDefinitionError(tool.name, f"scope ui, and shown where there is no window: {lost}")
    if tool.scope is ToolScope.MODEL and not shown <= _PLACES_WITH_A_MODEL:
        lost = sorted(place.value for place in shown - _PLACES_WITH_A_MODEL)
        raise ToolDefinitionError(tool.name, f"scope model, and shown where there is no model: {lost}")
