"""No write without a yes: how it is asked for, what the answers do, and where nobody can be asked."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import anyio
import mcp_types as types
import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.mcp_server.calls import ARGUMENTS_MAX
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.mcp_server.conftest import ADD, ERAS, Connect, User, data_of, envelope_of, run

pytestmark = pytest.mark.parametrize("era", ERAS)


def _call(connect: Connect, era: str, user: User | None, name: str, args: dict[str, Any], **more: Any) -> Any:
    async def work() -> types.CallToolResult:
        async with connect(era, user, **more) as client:
            return await client.call_tool(name, args)

    return run(work)


def test_a_yes_writes_what_was_shown_and_history_names_the_source(connect: Connect, store: Store, era: str) -> None:
    user = User()
    data = data_of(_call(connect, era, user, "add_habit", ADD))
    [asked] = user.asked
    tool = ToolRegistry.defaults().by_name("add_habit")
    assert tool is not None
    assert tool.summarize is not None
    deps = ToolDeps(store, "ko")
    for words in (
        "이 작업을 수행할까요?",
        "습관 추가",
        tool.description,
        tool.summarize(tool.canonical(ADD, deps), deps),
    ):
        assert words in asked
    [habit] = store.habits.list()
    assert habit.id == data["habit_id"]
    assert habit.framed_text == ADD["framed_text"]
    [change] = store.journal.history()
    assert (change.source, change.source_words) == ("mcp", "다른 앱(MCP)")
    store.journal.undo()
    assert not store.habits.list()


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_no_and_no_answer_write_nothing_and_are_told_apart(
    connect: Connect, store: Store, era: str, action: str
) -> None:
    result = _call(connect, era, User(action), "add_habit", ADD)
    envelope = envelope_of(result)
    assert envelope["status"] == {"decline": "declined", "cancel": "cancelled"}[action]
    assert ("거절" in envelope["reason"]) is (action == "decline")
    assert not result.is_error
    assert not store.habits.list()
    assert not store.journal.history()


def test_a_client_that_cannot_ask_is_refused_with_a_reason(connect: Connect, store: Store, era: str) -> None:
    result = _call(connect, era, None, "add_habit", ADD)
    assert result.is_error
    assert envelope_of(result)["code"] == "cannot_ask"
    assert "--allow-writes" in envelope_of(result)["reason"]
    assert not store.habits.list()


def test_what_is_wrong_is_said_before_that(connect: Connect, era: str) -> None:
    assert envelope_of(_call(connect, era, None, "add_habit", {"protocol_id": "daily-steps"}))["code"] == "validation"


def test_unless_the_user_allowed_it_at_the_start(connect: Connect, store: Store, era: str) -> None:
    data_of(_call(connect, era, None, "add_habit", ADD, allow_writes=True))
    assert len(store.habits.list()) == 1


def test_who_can_be_asked_is_asked_even_then(connect: Connect, store: Store, era: str) -> None:
    user = User("decline")
    assert envelope_of(_call(connect, era, user, "add_habit", ADD, allow_writes=True))["status"] == "declined"
    assert len(user.asked) == 1
    assert not store.habits.list()


def test_a_blank_entry_asks_too(connect: Connect, store: Store, world: dict[str, Habit], era: str) -> None:
    wanted = {"habit_id": world["walk"].id, "value": "blank"}
    assert envelope_of(_call(connect, era, None, "log_tracker_entry", wanted))["code"] == "cannot_ask"
    user = User("decline")
    assert envelope_of(_call(connect, era, user, "log_tracker_entry", wanted))["status"] == "declined"
    assert "쉬기" in user.asked[0]
    assert store.entries.get(world["walk"].id, store.today()) is None


def test_the_day_that_was_shown_is_the_day_that_is_stored(
    connect: Connect, store: Store, clock: FixedClock, world: dict[str, Habit], era: str
) -> None:
    day = store.today()

    def midnight() -> None:
        clock.set(clock.now() + timedelta(days=1))

    user = User(before=midnight)
    data_of(_call(connect, era, user, "log_tracker_entry", {"habit_id": "하루 걷기", "value": "완료"}))
    assert day.isoformat() in user.asked[0]
    assert store.entries.get(world["walk"].id, day) is not None
    assert store.entries.get(world["walk"].id, day + timedelta(days=1)) is None


def test_what_became_impossible_meanwhile_is_refused(
    connect: Connect, store: Store, world: dict[str, Habit], era: str
) -> None:
    walk = world["walk"].id
    user = User(before=lambda: store.trash.delete(walk))
    result = _call(connect, era, user, "log_tracker_entry", {"habit_id": walk, "value": "done"})
    assert envelope_of(result)["code"] == "not_found"


def test_questions_that_wait_hold_up_nothing(connect: Connect, store: Store, world: dict[str, Habit], era: str) -> None:
    async def work() -> None:
        asked, go = anyio.Event(), anyio.Event()
        count = 0

        async def answer(_context: Any, _params: Any) -> types.ElicitResult:
            nonlocal count
            count += 1
            if count == 12:
                asked.set()
            await go.wait()
            return types.ElicitResult(action="accept", content={})

        async with connect(era, answer) as client, anyio.create_task_group() as tasks:
            for back in range(12):
                day = (store.today() - timedelta(days=back % 2)).isoformat()
                tasks.start_soon(
                    client.call_tool, "log_tracker_entry", {"habit_id": 1 + back % 3, "value": "done", "date": day}
                )
            await asked.wait()
            data_of(await client.call_tool("list_active_habits", {}))
            go.set()

    run(work)
    assert all(store.entries.get(each.id, store.today()) is not None for each in world.values())


def test_a_cancelled_call_ends_its_question(connect: Connect, store: Store, era: str) -> None:
    async def work() -> None:
        ended = anyio.Event()
        scope = anyio.CancelScope()

        async def answer(_context: Any, _params: Any) -> types.ElicitResult:
            scope.cancel()  # whoever called has been stopped while the user is being asked
            try:
                await anyio.sleep_forever()
            finally:
                ended.set()

        async with connect(era, answer) as client:
            with scope:
                await client.call_tool("add_habit", ADD)
            await ended.wait()
            # The connection is as good as before.
            assert data_of(await client.call_tool("list_active_habits", {}))["count"] == 0

    run(work)
    assert not store.habits.list()


@pytest.mark.parametrize(
    ("name", "args", "code"),
    [
        ("add_habit", {**ADD, "framed_text": "야식을 먹지 않는다"}, "r7_avoidance"),
        ("add_habit", {**ADD, "protocol_id": "no-such-entry"}, "not_found"),
        ("add_habit", {**ADD, "protocol_id": "daily-steps"}, "already_active"),
        ("log_tracker_entry", {"habit_id": 1, "value": "done", "date": "2030-01-01"}, "future_date"),
        ("log_tracker_entry", {"habit_id": 1, "value": "done", "date": "2026-08-01"}, "date_out_of_range"),
        ("log_tracker_entry", {"habit_id": 1, "value": "great"}, "validation"),
        ("log_tracker_entry", {"habit_id": 99, "value": "done"}, "not_found"),
        ("log_tracker_entry", {"habit_id": 1, "value": "done", "note": "가" * 201}, "validation"),
    ],
)
def test_the_rules_hold_here_too_even_where_nobody_is_asked(
    connect: Connect, store: Store, world: dict[str, Habit], era: str, name: str, args: dict[str, Any], code: str
) -> None:
    before = store.journal.history()
    assert envelope_of(_call(connect, era, None, name, args, allow_writes=True))["code"] == code
    assert store.journal.history() == before


def test_arguments_that_no_tool_means_to_take_are_refused_at_once(connect: Connect, store: Store, era: str) -> None:
    for args in ({**ADD, "framed_text": "걷" * ARGUMENTS_MAX}, {**ADD, "junk": "x" * ARGUMENTS_MAX}):
        envelope = envelope_of(_call(connect, era, User(), "add_habit", args))
        assert (envelope["code"], envelope["reason"]) == ("validation", "인자가 너무 길어요. 짧게 줄여 주세요.")
    assert not store.habits.list()
