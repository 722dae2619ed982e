"""The registry: six tools, complete in both languages, guarded at start."""

from __future__ import annotations

import dataclasses

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.tools.definition import ToolEffect
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry, check_definition


def test_the_six_tools_exist_with_their_effects() -> None:
    effects = {tool.name: tool.effect for tool in ToolRegistry.defaults().all()}
    assert effects == {
        "search_catalog": ToolEffect.READ,
        "query_protocol": ToolEffect.READ,
        "list_active_habits": ToolEffect.READ,
        "get_streak": ToolEffect.READ,
        "add_habit": ToolEffect.WRITE,
        "log_tracker_entry": ToolEffect.WRITE,
    }


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
