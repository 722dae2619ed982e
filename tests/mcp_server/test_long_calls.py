"""Calls that take long: cancelling ends the work itself, not only the waiting."""

from __future__ import annotations

import threading
import time

import anyio
import pytest

from lifehelper_desktop.storage.asking.asking import SECONDS
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.mcp_server.conftest import ERAS, Connect, data_of, run


class Slow:
    """A tool that works until it is told to stop."""

    def __init__(self) -> None:
        """Not begun."""
        self.begun, self.stopped = threading.Event(), threading.Event()

    def handle(self, args: Args, deps: ToolDeps) -> ToolResult:
        """Work on."""
        self.begun.set()
        if not deps.run.stop.wait(20):
            return ToolErr("handler_error", "nobody stopped it")
        self.stopped.set()
        return ToolOk({})

    @property
    def registry(self) -> ToolRegistry:
        """The tool among the others, in the place of one that other programs are shown."""
        mine = ToolDefinition(
            name="search_catalog",
            label={"ko": "끝없이 세기", "en": "Count"},
            description="끝없이 센다.",
            parameters_schema={"type": "object", "properties": {}},
            effect=ToolEffect.READ,
            scope=ToolScope.DATA,
            short_name="끝없이",
            handler=self.handle,
        )
        others = [tool for tool in ToolRegistry.defaults().all() if tool.name != mine.name]
        return ToolRegistry([mine, *others])


@pytest.fixture
def slow() -> Slow:
    """The slow tool."""
    return Slow()


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_stops_the_work_and_holds_up_nothing(connect: Connect, slow: Slow, era: str) -> None:
    async def work() -> None:
        scope = anyio.CancelScope()

        async def call() -> None:
            with scope:
                await client.call_tool("search_catalog", {})

        async with connect(era, registry=slow.registry) as client, anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            await anyio.to_thread.run_sync(slow.begun.wait)
            data_of(await client.call_tool("list_active_habits", {}))
            assert not slow.stopped.is_set()
            scope.cancel()
            assert await anyio.to_thread.run_sync(slow.stopped.wait, 5)
            data_of(await client.call_tool("list_active_habits", {}))

    run(work)


@pytest.mark.parametrize("era", ERAS)
def test_a_client_that_goes_stops_the_work(connect: Connect, slow: Slow, store: Store, era: str) -> None:
    async def work() -> None:
        async with connect(era, registry=slow.registry) as client, anyio.create_task_group() as tasks:
            tasks.start_soon(client.call_tool, "search_catalog", {})
            await anyio.to_thread.run_sync(slow.begun.wait)
            tasks.cancel_scope.cancel()

    run(work)
    assert slow.stopped.wait(5)


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_question_in_sql_stops_in_the_database(connect: Connect, store: Store, era: str) -> None:
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS n FROM n"

    async def work() -> None:
        scope = anyio.CancelScope()

        async def call() -> None:
            with scope:
                await client.call_tool("run_sql", {"sql": endless})

        async with connect(era) as client, anyio.create_task_group() as tasks:
            tasks.start_soon(call)
            data_of(await client.call_tool("list_active_habits", {}))
            scope.cancel()
            began = time.monotonic()
            await anyio.to_thread.run_sync(store.close)  # waits for whoever still reads
            assert time.monotonic() - began < SECONDS / 2

    run(work)
