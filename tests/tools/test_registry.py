"""The registry: the program's tools, complete in both languages, guarded one by one."""

from __future__ import annotations

import dataclasses

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.chat.starter.contract import TRAINED_TOOLS
from lifehelper_desktop.tools.definition import ToolEffect, ToolScope
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry, check_definition
from lifehelper_desktop.tools.visibility import ModelProfile, Place


def test_two_tools_write_and_every_other_reads() -> None:
    effects = {tool.name: tool.effect for tool in ToolRegistry.defaults().all()}
    writing = {name for name, effect in effects.items() if effect is ToolEffect.WRITE}
    assert writing == {"add_habit", "log_tracker_entry"}
    assert {"search_catalog", "query_protocol", "list_active_habits", "get_streak"} <= set(effects)


def test_the_window_shows_all_and_other_places_no_tool_of_the_window() -> None:
    registry = ToolRegistry.defaults()
    assert registry.visible(Place.WINDOW) == registry.all()
    for place in (Place.CLI, Place.MCP):
        shown = registry.visible(place)
        assert shown
        assert all(tool.scope is not ToolScope.UI for tool in shown)
    assert all(tool.scope is ToolScope.DATA for tool in registry.visible(Place.MCP))


def test_a_small_model_gets_few() -> None:
    registry = ToolRegistry.defaults()
    full = registry.visible(Place.WINDOW, ModelProfile.FULL)
    small = registry.visible(Place.WINDOW, ModelProfile.SMALL)
    assert full == registry.all()
    assert {tool.name for tool in small} < {tool.name for tool in full}
    assert len(small) <= 8


def test_the_starter_on_the_command_line_has_the_six_it_was_trained_on() -> None:
    shown = ToolRegistry.defaults().visible(Place.CLI, ModelProfile.STARTER)
    assert sorted(tool.name for tool in shown) == sorted(TRAINED_TOOLS)


def test_a_tool_of_an_added_server_is_for_large_models_and_not_passed_on() -> None:
    tool = ToolRegistry.defaults().by_name("get_streak")
    assert tool is not None
    registry = ToolRegistry([dataclasses.replace(tool, name="weather_today", server="weather")])
    assert registry.visible(Place.WINDOW, ModelProfile.FULL)
    assert not registry.visible(Place.WINDOW, ModelProfile.SMALL)
    assert not registry.visible(Place.WINDOW, ModelProfile.STARTER)
    assert not registry.visible(Place.MCP)


def test_what_is_not_named_is_not_shown() -> None:
    tool = ToolRegistry.defaults().by_name("get_streak")
    assert tool is not None
    registry = ToolRegistry([dataclasses.replace(tool, name="nobody_knows_me")])
    assert not any(registry.visible(place) for place in Place)
    assert registry.narrowed(Place.WINDOW).by_name("nobody_knows_me") is None


def test_every_description_is_translated() -> None:
    from lifehelper_desktop.base.i18n import _

    set_language("en")
    for tool in ToolRegistry.defaults().all():
        assert _(tool.description) != tool.description, tool.name


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Bad Name"},
        {"label": {"ko": "이름"}},
        {"description": ""},
        {"parameters_schema": {"type": "array"}},
        {"parameters_schema": {"type": "object", "properties": {"x": {"type": "nonsense"}}}},
        {"parameters_schema": {"type": "object", "properties": {"description": {"type": "string"}}}},
        {"summarize": None},
    ],
)
def test_an_incomplete_definition_is_refused(change: dict[str, object]) -> None:
    tool = ToolRegistry.defaults().by_name("add_habit")
    assert tool is not None
    with pytest.raises(ToolDefinitionError):
        check_definition(dataclasses.replace(tool, **change))  # type: ignore[arg-type]


def test_two_tools_of_one_name_are_refused() -> None:
    tool = ToolRegistry.defaults().all()[0]
    with pytest.raises(ToolDefinitionError):
        ToolRegistry([tool, tool])
