"""The check at start: every mistake that can be made with a tool is caught, with its name, in every front end."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from lifehelper_desktop import __main__
from lifehelper_desktop.chat import tools_at_start
from lifehelper_desktop.chat.tools_at_start import checked_registry
from lifehelper_desktop.cli import main as cli_main
from lifehelper_desktop.tools.definition import ToolDefinition
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry
from lifehelper_desktop.tools.start_check import check_registry
from lifehelper_desktop.tools.visibility import TOOLS_BY_PLACE, TOOLS_BY_PROFILE, ModelProfile, Place
from lifehelper_desktop.ui import start as window_start

Break = Callable[[], ToolRegistry]


def _without(names: tuple[str, ...], gone: str) -> tuple[str, ...]:
    return tuple(name for name in names if name != gone)


def _with(name: str, **changes: Any) -> ToolRegistry:
    """Return the program's tools with one of them changed, past the check of a single definition."""
    registry = ToolRegistry.defaults()
    tool = registry.by_name(name)
    assert tool is not None
    registry._by_name[name] = dataclasses.replace(tool, **changes)
    return registry


def _caught(registry: ToolRegistry, **parts: Any) -> ToolDefinitionError:
    with pytest.raises(ToolDefinitionError) as caught:
        check_registry(registry, **parts)
    return caught.value


def test_the_programs_own_tools_fit_together() -> None:
    assert checked_registry().names() == ToolRegistry.defaults().names()


@pytest.mark.parametrize("place", list(Place))
def test_a_tool_that_a_place_declares_and_nobody_implements(place: Place) -> None:
    places = {**TOOLS_BY_PLACE, place: (*TOOLS_BY_PLACE[place], "dance")}
    error = _caught(ToolRegistry.defaults(), places=places)
    assert (error.tool, place.value in error.problem) == ("dance", True)


@pytest.mark.parametrize("profile", list(ModelProfile))
def test_a_tool_that_a_model_is_shown_and_nobody_implements(profile: ModelProfile) -> None:
    profiles = {**TOOLS_BY_PROFILE, profile: (*TOOLS_BY_PROFILE[profile], "dance")}
    assert _caught(ToolRegistry.defaults(), profiles=profiles).tool == "dance"


def test_a_tool_that_was_taken_away_and_is_still_named() -> None:
    fewer = ToolRegistry(tool for tool in ToolRegistry.defaults().all() if tool.name != "get_streak")
    assert _caught(fewer).tool == "get_streak"


def test_a_tool_that_a_prompt_names_and_nobody_implements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools_at_start, "HINTED_TOOLS", ("add_habit", "dance"))
    with pytest.raises(ToolDefinitionError, match="dance: declared in the hints"):
        checked_registry()


def test_a_tool_without_a_handler() -> None:
    error = _caught(_with("get_streak", handler=None))
    assert (error.tool, "not implemented" in error.problem) == ("get_streak", True)


def test_a_tool_that_no_place_shows() -> None:
    places = {place: _without(tuple(names), "get_streak") for place, names in TOOLS_BY_PLACE.items()}
    error = _caught(ToolRegistry.defaults(), places=places)
    assert (error.tool, error.problem) == ("get_streak", "implemented and shown nowhere")


def test_a_tool_that_no_model_is_shown() -> None:
    profiles = {profile: _without(tuple(names), "get_streak") for profile, names in TOOLS_BY_PROFILE.items()}
    error = _caught(ToolRegistry.defaults(), profiles=profiles)
    assert (error.tool, error.problem) == ("get_streak", "implemented and shown to no model")


def test_a_tool_of_the_window_where_there_is_no_window() -> None:
    places = {**TOOLS_BY_PLACE, Place.CLI: (*TOOLS_BY_PLACE[Place.CLI], "open_screen")}
    error = _caught(ToolRegistry.defaults(), places=places)
    assert (error.tool, "cli" in error.problem) == ("open_screen", True)


def test_a_tool_of_the_model_where_there_is_no_model() -> None:
    places = {**TOOLS_BY_PLACE, Place.MCP: (*TOOLS_BY_PLACE[Place.MCP], "suggest_frame")}
    error = _caught(ToolRegistry.defaults(), places=places)
    assert (error.tool, "mcp" in error.problem) == ("suggest_frame", True)


def test_two_tools_of_one_short_name() -> None:
    error = _caught(_with("open_screen", short_name="찾기"))
    assert "prompt text" in error.problem
    assert {"open_screen", "search_catalog"} >= {error.tool}


_MISSING: Mapping[str, tuple[Mapping[str, Any], str]] = {
    "scope": ({"scope": None}, "no scope"),
    "label": ({"label": {"ko": "이름"}}, "no label"),
    "schema": ({"parameters_schema": {"type": "object", "properties": {"x": {"type": "nonsense"}}}}, "schema"),
    "properties": ({"parameters_schema": {"type": "object"}}, "schema"),
    "any label": ({"label": None}, "no label"),
    "a label with words": ({"label": {"ko": " ", "en": " "}}, "no label"),
    "any schema": ({"parameters_schema": None}, "schema"),
    "a described property": (
        {"parameters_schema": {"type": "object", "properties": {}, "required": ["x"]}},
        "schema",
    ),
    "confirm summary": ({"summarize": None}, "confirm summary"),
    "description": ({"description": ""}, "prompt text"),
    "any description": ({"description": None}, "prompt text"),
    "effect": ({"effect": None}, "no effect"),
    "words in the description": ({"description": " "}, "prompt text"),
    "short name": ({"short_name": ""}, "prompt text"),
}


@pytest.mark.parametrize("missing", _MISSING)
def test_a_tool_without_one_of_its_parts(missing: str) -> None:
    changes, problem = _MISSING[missing]
    whole = ToolRegistry.defaults()
    tool = whole.by_name("add_habit")
    assert tool is not None
    broken = [dataclasses.replace(tool, **changes), *(other for other in whole.all() if other is not tool)]
    with pytest.raises(ToolDefinitionError, match=problem) as caught:
        checked_registry(ToolRegistry(broken))
    assert caught.value.tool == "add_habit"


# ---- the front ends -------------------------------------------------------------------------------------------------


@pytest.fixture
def _one_without_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    """Break one tool of the program: everything that starts meets it."""
    whole = ToolRegistry.defaults()

    def broken() -> ToolRegistry:
        return ToolRegistry(_unscoped(tool) for tool in whole.all())

    monkeypatch.setattr(ToolRegistry, "defaults", broken)


def _unscoped(tool: ToolDefinition) -> ToolDefinition:
    return dataclasses.replace(tool, scope=None) if tool.name == "get_streak" else tool


@pytest.mark.parametrize("command", [["habits"], ["mcp"], ["chat", "안녕"], ["tool", "list"]])
@pytest.mark.usefixtures("_one_without_scope")
def test_the_command_line_and_the_mcp_server_stop_with_its_name(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert __main__.main_cli(["--data-dir", str(tmp_path / "data"), "--lang", "ko", *command]) == cli_main.BROKEN
    said = capsys.readouterr()
    assert "get_streak" in said.err
    assert said.out == ""
    assert not (tmp_path / "data" / "lifehelper.db").exists(), "nothing was opened"


@pytest.mark.usefixtures("_one_without_scope")
def test_the_window_stops_with_its_name(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: shown.append(box.text()))
    assert __main__.main_gui(["--data-dir", str(tmp_path / "data"), "--lang", "ko"]) == window_start.BROKEN
    assert len(shown) == 1
    assert "get_streak" in shown[0]
