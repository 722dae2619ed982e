"""Every tool is held to its scope: who carries it out is who its definition names, and nobody else is touched."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import date
from typing import Any

import pytest

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolScope
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.run_state import RunState
from tests.helpers.window import RecordingTextModel, RecordingUi
from tests.helpers.worlds import RecordingGate, world_1

#: One call of each tool that succeeds in the world of the tests. A new tool needs a row.
CALLS: Mapping[str, Mapping[str, Any]] = {
    "search_catalog": {"keyword": "걷기"},
    "query_protocol": {"id": "daily-steps"},
    "list_active_habits": {},
    "get_streak": {"habit_id": 1},
    "add_habit": {"protocol_id": "post-meal-walk", "frame_level": 2, "framed_text": "점심을 먹은 뒤 10분 걷는다"},
    "log_tracker_entry": {"habit_id": 1, "value": "done"},
    "search_data": {"words": "걷기"},
    "check_quality": {},
    "describe_data": {},
    "validate_sql": {"sql": "SELECT 1 AS one"},
    "run_sql": {"sql": "SELECT 1 AS one"},
    "open_screen": {"screen": "설정"},
    "show_habit": {"habit_id": 1},
    "copy_text": {"text": "오늘도 한 걸음"},
    "suggest_frame": {"protocol_id": "break-smoking"},
}
EVERY = [tool.name for tool in ToolRegistry.defaults().all()]


def _tool(name: str) -> ToolDefinition:
    tool = ToolRegistry.defaults().by_name(name)
    assert tool is not None
    return tool


class _Spied:
    """A dispatcher over the real tools, a window and a model, and the thread that ran each handler."""

    def __init__(self, store: Store, name: str) -> None:
        self.ui, self.model = RecordingUi(), RecordingTextModel(["담배 생각이 나면 창가에서 물을 마신다"])
        self.given: list[ToolDeps] = []
        tool = _tool(name)

        def handler(args: Args, deps: ToolDeps) -> ToolResult:
            self.given.append(deps)
            return tool.handler(args, deps)

        deps = ToolDeps(store, "ko", ui=self.ui, model=self.model)
        self.dispatcher = ToolDispatcher(ToolRegistry([dataclasses.replace(tool, handler=handler)]), deps)

    def call(self, name: str) -> ToolResult:
        return self.dispatcher.dispatch(name, CALLS[name], RecordingGate())


@pytest.mark.parametrize("name", EVERY)
def test_only_who_the_scope_names_is_touched(store: Store, name: str) -> None:
    world_1(store)
    spied = _Spied(store, name)
    result = spied.call(name)
    assert isinstance(result, ToolOk), result
    (deps,) = spied.given
    match _tool(name).scope:
        case ToolScope.DATA:
            assert (deps.ui, deps.model) == (None, None), "there is nothing that it could touch"
            assert (spied.ui.wishes, spied.model.instructions) == ([], [])
        case ToolScope.UI:
            assert deps.model is None
            assert len(spied.ui.wishes) == 1, "the window, and once"
            assert spied.model.instructions == []
        case ToolScope.MODEL:
            assert deps.ui is None
            assert spied.model.instructions, "the model was asked"
            assert spied.ui.wishes == []
        case _:
            pytest.fail("a tool without a scope")


@pytest.mark.parametrize("name", EVERY)
def test_without_the_one_that_carries_it_out_a_tool_says_so(store: Store, name: str) -> None:
    world_1(store)
    scope = _tool(name).scope
    result = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, "ko")).dispatch(name, CALLS[name], RecordingGate())
    if scope is ToolScope.DATA:
        assert isinstance(result, ToolOk)
    else:
        assert isinstance(result, ToolErr)
        assert result.code == ("no_window" if scope is ToolScope.UI else "no_model")
        assert "다시 부르지 말고" in result.reason


def test_every_tool_has_a_call_here() -> None:
    assert set(CALLS) == set(EVERY)


def test_all_tools_share_the_one_state_of_the_run(store: Store) -> None:
    world_1(store)
    run = RunState("en", day=date(2026, 8, 11))
    deps = ToolDeps(store, run=run)
    for scope in ToolScope:
        assert deps.for_scope(scope).run is run
    assert (deps.language, deps.today) == ("en", date(2026, 8, 11))
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), deps)
    result = dispatcher.dispatch("log_tracker_entry", {"habit_id": 2, "value": "done"}, RecordingGate())
    assert isinstance(result, ToolOk)
    assert result.data["date"] == "2026-08-11", "the day of the run, not a second look at the clock"
    assert run.habit_id == 2, "the habit last spoken of"


def test_a_run_speaks_one_language(store: Store) -> None:
    with pytest.raises(ValueError, match="en"):
        ToolDeps(store, "ko", run=RunState("en"))
    with pytest.raises(ValueError, match="language"):
        ToolDeps(store)
