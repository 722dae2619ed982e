"""What other programs see of the tools, and what a call answers."""

from __future__ import annotations

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.mcp_server.server import make_server
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolEffect, ToolScope
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.visibility import Place
from tests.mcp_server.conftest import ADD, ERAS, Connect, User, data_of, envelope_of, run


@pytest.mark.parametrize("era", ERAS)
def test_all_data_tools_are_listed_as_they_are_defined(connect: Connect, era: str) -> None:
    async def work() -> list[types.Tool]:
        async with connect(era) as client:
            return (await client.list_tools()).tools

    listed = {tool.name: tool for tool in run(work)}
    shown = {tool.name: tool for tool in ToolRegistry.defaults().visible(Place.MCP)}
    assert listed.keys() == shown.keys()
    assert {"add_habit", "log_tracker_entry", "search_catalog", "get_streak"} <= listed.keys()
    for name, tool in shown.items():
        assert tool.scope is ToolScope.DATA
        assert listed[name].title == tool.label["ko"]
        assert listed[name].input_schema == tool.parameters_schema
        hints = listed[name].annotations
        assert hints is not None
        assert hints.title == tool.label["ko"]
        assert hints.read_only_hint is (tool.effect is ToolEffect.READ)
        assert hints.open_world_hint is False


def test_titles_are_in_the_users_language(store: Store) -> None:
    set_language("en")

    async def work() -> tuple[list[types.Tool], str | None]:
        async with Client(make_server(store, "en", ToolRegistry.defaults())) as client:
            return (await client.list_tools()).tools, client.instructions

    tools, instructions = run(work)
    titles = {tool.name: tool.title for tool in tools}
    assert titles["add_habit"] == "Add habit"
    assert instructions is not None


def _hints(name: str) -> types.ToolAnnotations:
    from lifehelper_desktop.mcp_server.listing import tool_of

    tool = ToolRegistry.defaults().by_name(name)
    assert tool is not None
    hints = tool_of(tool, "ko").annotations
    assert hints is not None
    return hints


def _rows(store: Store) -> list[object]:
    habits = store.habits.list(*HabitStatus)
    return [habits, [store.entries.for_habit(habit.id) for habit in habits]]


def test_a_tool_that_reads_says_so() -> None:
    hints = _hints("get_streak")
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (True, False, True)


def test_adding_keeps_what_is_there_and_again_adds_nothing(connect: Connect, store: Store) -> None:
    hints = _hints("add_habit")
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (False, False, True)

    async def work() -> None:
        async with connect(user=User()) as client:
            before = store.habits.list()
            data_of(await client.call_tool("add_habit", ADD))
            after = _rows(store)
            assert store.habits.list()[: len(before)] == before
            assert envelope_of(await client.call_tool("add_habit", ADD))["code"] == "already_active"
            assert _rows(store) == after

    run(work)


def test_recording_keeps_what_is_there_and_again_changes_nothing(
    connect: Connect, store: Store, world: dict[str, Habit]
) -> None:
    hints = _hints("log_tracker_entry")
    assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (False, False, True)
    walk = world["walk"].id

    async def work() -> None:
        async with connect(user=User()) as client:
            data_of(await client.call_tool("log_tracker_entry", {"habit_id": walk, "value": "done", "note": "비"}))
            after = _rows(store)
            for value in ("done", "minimum"):
                again = await client.call_tool("log_tracker_entry", {"habit_id": walk, "value": value})
                assert envelope_of(again)["code"] == "duplicate"
            assert _rows(store) == after

    run(work)


@pytest.mark.parametrize("era", ERAS)
def test_calls_answer_structure_and_the_same_text(
    connect: Connect, store: Store, world: dict[str, Habit], era: str
) -> None:
    async def work() -> None:
        async with connect(era) as client:
            streak = data_of(await client.call_tool("get_streak", {"habit_id": "하루 걷기"}))
            assert streak["current_streak"] == store.overview(world["walk"]).streaks.current_streak
            wrong = await client.call_tool("get_streak", {"habit_id": 999})
            assert wrong.is_error
            assert envelope_of(wrong)["code"] == "not_found"
            missing = await client.call_tool("get_streak", {})
            assert missing.is_error
            assert envelope_of(missing)["code"] == "validation"
            with pytest.raises(MCPError, match="search_catalog"):
                await client.call_tool("open_screen", {"name": "habits"})

    run(work)


def test_no_reading_tool_changes_anything(connect: Connect, store: Store, world: dict[str, Habit]) -> None:
    given = {"id": "daily-steps", "habit_id": 1, "sql": "SELECT count(*) AS n FROM habits", "words": "걷기"}

    def everything() -> list[object]:
        with store.db.read():
            names = [name for (name,) in store.db.sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1")]
            # The search index is made from the other tables.
            kept = [name for name in names if not name.startswith("search_")]
            return [sorted(store.db.sql(f'SELECT * FROM "{name}"'), key=repr) for name in kept]

    async def work() -> int:
        count = 0
        async with connect() as client:
            for tool in (await client.list_tools()).tools:
                assert tool.annotations is not None
                if tool.annotations.read_only_hint:
                    arguments = {key: given[key] for key in tool.input_schema["required"]}
                    data_of(await client.call_tool(tool.name, arguments))
                    count += 1
        return count

    before = everything()
    assert run(work) >= 4
    assert everything() == before


@pytest.mark.parametrize("era", ERAS)
def test_many_calls_in_flight_each_get_their_own_answer(
    connect: Connect, store: Store, world: dict[str, Habit], era: str
) -> None:
    ids = [entry.id for entry in store.catalogue.all()][:40]
    found: dict[str, str] = {}

    async def work() -> None:
        async with connect(era) as client, anyio.create_task_group() as tasks:

            async def one(protocol_id: str) -> None:
                found[protocol_id] = data_of(await client.call_tool("query_protocol", {"id": protocol_id}))["id"]

            for each in ids:
                tasks.start_soon(one, each)

    run(work)
    assert found == {each: each for each in ids}
