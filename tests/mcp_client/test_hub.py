"""Servers that hang, flood, die, print garbage or change: the program goes on, and none outlives it."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace

import anyio
import pytest
from mcp import MCPError

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.mcp_client import connection
from lifehelper_desktop.mcp_client.hub import CallStopped
from lifehelper_desktop.mcp_client.status import ServerState
from lifehelper_desktop.mcp_client.trial import try_server
from lifehelper_desktop.mcp_client.trouble import ServerTrouble, Trouble
from tests.mcp_client.conftest import QUICK, World, ready, short, wait_until


def text_of(result) -> str:  # type: ignore[no-untyped-def]
    return result.content[0].text


def test_nothing_starts_before_the_coach_is_used(world: World) -> None:
    hub = world.hub(wake=False)
    hub.apply()
    assert not hub.is_awake
    assert hub.statuses()[0].state is ServerState.ASLEEP
    assert world.pids() == []


def test_waking_does_not_wait_for_a_server_that_hangs(world: World) -> None:
    hub = world.hub(world.spec("hang"), wake=False)
    began = time.monotonic()
    hub.wake()
    assert time.monotonic() - began < 0.5
    assert hub.statuses()[0].state in (ServerState.ASLEEP, ServerState.STARTING)
    hub.settle(0.1)
    assert time.monotonic() - began < 1.5


def test_only_servers_that_are_on_run(world: World) -> None:
    hub = world.hub(world.spec(), world.spec(name="second", is_on=False))
    assert [status.state for status in hub.statuses()] == [ServerState.READY, ServerState.OFF]
    assert len(world.pids()) == 1


def test_a_call_is_answered(world: World) -> None:
    hub = world.hub()
    assert text_of(hub.call("odd", "echo", {"text": "안녕"})) == "안녕"
    assert world.calls()[1:] == [{"name": "echo", "args": {"text": "안녕"}}]


def test_the_client_offers_no_model_no_folders_and_no_questions(world: World) -> None:
    hub = world.hub()
    assert world.calls()[0] == {}
    assert text_of(hub.call("odd", "ask", {})) == "거절 r1,r2,r3"
    assert "granted r1" not in world.calls()


def test_a_server_gets_only_the_few_variables_that_it_needs(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_USER", "x")
    hub = world.hub(world.spec(env=(("MY_KEY", "값"),)))
    given = text_of(hub.call("odd", "environment", {}))
    assert "MY_KEY" in given
    assert "A_SECRET_OF_THE_USER" not in given


def test_a_hanging_call_ends_at_its_limit_and_others_go_on(world: World) -> None:
    hub = world.hub(limits=short(call=0.3))
    with pytest.raises(ServerTrouble) as caught:
        hub.call("odd", "hang", {})
    assert caught.value.kind is Trouble.SLOW
    assert text_of(hub.call("odd", "echo", {"text": "still"})) == "still"


def test_stop_ends_a_call_at_once_and_the_server_is_told(world: World) -> None:
    hub = world.hub()
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    with pytest.raises(CallStopped):
        hub.call("odd", "hang", {}, stop)
    assert time.monotonic() - began < 1.0
    assert text_of(hub.call("odd", "echo", {"text": "x"})) == "x"
    assert "cancelled" in world.calls()


def test_a_server_that_hangs_at_the_handshake_fails_in_words(world: World) -> None:
    hub = world.hub(world.spec("hang"), limits=short(start=0.3, pauses=()))
    status = wait_until(hub, lambda status: status.state is ServerState.FAILED)
    assert "시간 안에" in status.problem
    with pytest.raises(ServerTrouble):
        hub.call("odd", "echo", {})


def test_a_server_that_hangs_at_its_list_fails(world: World) -> None:
    hub = world.hub(world.spec("hang_list"), limits=short(listing=0.3, pauses=()))
    wait_until(hub, lambda status: status.state is ServerState.FAILED)


def test_a_server_that_dies_at_once_is_tried_a_few_times_and_its_last_words_told(world: World) -> None:
    hub = world.hub(world.spec("dies"))
    status = wait_until(hub, lambda status: status.state is ServerState.FAILED)
    assert "설정이 빠졌어요" in status.problem
    assert len(world.pids()) == 1 + len(QUICK.pauses)


def test_a_server_that_dies_in_a_call_comes_back(world: World) -> None:
    hub = world.hub()
    with pytest.raises(ServerTrouble) as caught:
        hub.call("odd", "die", {})
    assert caught.value.kind is Trouble.ENDED
    wait_until(hub, lambda status: ready(status) and len(world.pids()) == 2)
    assert text_of(hub.call("odd", "echo", {"text": "again"})) == "again"
    assert [call for call in world.calls() if isinstance(call, dict) and call.get("name") == "die"] == [
        {"name": "die", "args": {}}
    ], "a call that may have had its effect is not made again"


def test_tools_stay_known_while_their_server_is_down(world: World) -> None:
    hub = world.hub(limits=short(pauses=()))
    with pytest.raises(ServerTrouble):
        hub.call("odd", "die", {})
    status = wait_until(hub, lambda status: status.state is ServerState.FAILED)
    assert status.listing is not None
    assert len(status.listing.tools) == 12
    hub.restart("odd")
    wait_until(hub, ready)


@pytest.mark.parametrize(
    ("mode", "words"), [("garbage", "MCP가 아닌"), ("huge_line", "너무 많은"), ("asks", "너무 많은")]
)
def test_floods_of_garbage_lines_and_requests_are_cut_off(world: World, mode: str, words: str) -> None:
    hub = world.hub(world.spec(mode), limits=short(pauses=(), line=1 << 20, rate=1e5, burst=1e5))
    status = wait_until(hub, lambda status: status.state is ServerState.FAILED)
    assert words in status.problem


def test_a_storm_of_notifications_costs_little_and_keeps_calls_waiting_at_most_their_limit(world: World) -> None:
    hub = world.hub(limits=short(call=1.0, rate=100.0, burst=50.0))
    began, used = time.monotonic(), time.thread_time()
    with pytest.raises(ServerTrouble):
        hub.call("odd", "flood", {})
    assert time.monotonic() - began < 3.0
    assert time.thread_time() - used < 0.5


def test_words_before_the_protocol_are_forgiven(world: World) -> None:
    hub = world.hub(world.spec("banner"), world.spec("noisy_errors", name="noisy"))
    assert [status.state for status in hub.statuses()] == [ServerState.READY] * 2


def test_a_long_answer_arrives(world: World) -> None:
    hub = world.hub()
    assert len(text_of(hub.call("odd", "long", {}))) > 500_000


@pytest.mark.parametrize(("sent", "read"), [("\\ud83d 반", "? 반"), ("\xb0\xa1!", "\ufffd\ufffd!")])
def test_texts_that_are_not_quite_text_arrive_all_the_same(world: World, sent: str, read: str) -> None:
    """Half a character as an escape, and a text in another encoding: neither may leave the call without an answer."""
    sent = sent.encode().decode("latin-1") if "\\u" in sent else sent
    assert text_of(world.hub().call("odd", "halves", {"text": sent})) == read


def test_a_trap_in_a_schema_leaves_the_server_standing_and_its_problems_follow_the_language(world: World) -> None:
    hub = world.hub(world.spec("odd"), world.spec("dies", name="dies"), limits=short(pauses=()))
    assert hub.statuses()[0].state is ServerState.READY
    listing = hub.statuses()[0].listing
    assert listing is not None
    assert "draft-07" in next(each.reason for each in listing.left_out if each.name == "trap")
    dead = wait_until(hub, lambda status: status.state is ServerState.FAILED, at=1)
    with pytest.raises(ServerTrouble) as caught:
        hub.call("dies", "echo", {})
    assert caught.value.words == dead.problem, "said once, not quoted in itself"
    assert "끝났어요" in dead.problem
    set_language("en")
    assert "끝났어요" not in dead.problem
    assert "설정이 빠졌어요" in dead.problem, "the server's own words stay"


def test_a_failure_that_nobody_thought_of_is_shown_as_one(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def bad(*_args: object, **_more: object) -> None:
        raise TypeError("x")

    monkeypatch.setattr(connection, "read_listing", bad)
    hub = world.hub(wake=False)
    hub.wake()
    wait_until(hub, lambda status: status.state is ServerState.FAILED)
    with pytest.raises(ServerTrouble):
        hub.call("odd", "echo", {})


def test_a_list_that_changes_is_read_anew(world: World) -> None:
    hub = world.hub()
    hub.call("odd", "grow", {})
    wait_until(hub, lambda status: status.listing is not None and len(status.listing.tools) == 13)


def test_errors_of_the_server_are_its_own(world: World) -> None:
    hub = world.hub()
    assert hub.call("odd", "fail", {}).is_error
    with pytest.raises((MCPError, ServerTrouble)):
        hub.call("nobody", "echo", {})


def test_no_program_and_no_right_to_run_it_are_told_apart(world: World) -> None:
    file = world.folder / "no program.txt"
    file.write_text("x", "utf-8")
    file.chmod(0o644)
    hub = world.hub(
        replace(world.spec(), command="no-such-program-here"), replace(world.spec(name="b"), command=str(file), args=())
    )
    problems = [status.problem for status in hub.statuses()]
    assert "찾지 못했어요" in problems[0]
    assert problems[1]
    assert {status.state for status in hub.statuses()} <= {ServerState.FAILED, ServerState.WAITING}


@pytest.mark.parametrize("mode", ["children", "stubborn"])
def test_children_end_with_their_server_within_two_seconds(world: World, mode: str) -> None:
    hub = world.hub(world.spec(mode), limits=replace(QUICK, grace=0.4))
    assert len(world.alive()) == 2
    began = time.monotonic()
    hub.close()
    assert time.monotonic() - began < 2.0
    assert world.alive() == []


def test_closing_during_a_call_and_a_start_ends_both(world: World) -> None:
    hub = world.hub(world.spec(), world.spec("hang", name="slow"), wake=False)
    hub.wake()
    wait_until(hub, ready)
    ended: list[BaseException] = []

    def call() -> None:
        try:
            hub.call("odd", "hang", {})
        except ServerTrouble as error:
            ended.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    began = time.monotonic()
    hub.close()
    thread.join(5.0)
    assert time.monotonic() - began < 2.0
    assert len(ended) <= 1
    assert not thread.is_alive()
    hub.wake()  # after the end nothing starts any more
    assert not hub.is_running


def test_a_call_that_waits_for_a_server_ends_when_it_is_switched_off(world: World) -> None:
    hub = world.hub(world.spec("hang"), wake=False)
    hub.wake()
    wait_until(hub, lambda status: status.state is ServerState.STARTING)
    world.specs = ()
    threading.Timer(0.2, hub.apply).start()
    began = time.monotonic()
    with pytest.raises(ServerTrouble):
        hub.call("odd", "echo", {})
    assert time.monotonic() - began < 5.0


def test_settings_that_change_start_and_end_servers(world: World) -> None:
    hub = world.hub()
    world.specs = (world.specs[0], world.spec(name="second"))
    hub.apply()
    wait_until(hub, ready, at=1)
    assert len(world.pids()) == 2, "what has not changed runs on"
    world.specs = (replace(world.specs[0], is_on=False), replace(world.specs[1], trusts_read_only=False))
    hub.apply()
    wait_until(hub, lambda status: status.state is ServerState.OFF)
    assert len(world.pids()) == 2
    assert ready(hub.statuses()[1])


def test_a_trial_reads_the_tools_and_leaves_nothing_running(world: World) -> None:
    status = try_server(world.spec(), limits=QUICK)
    assert status.state is ServerState.READY
    assert status.listing is not None
    assert len(status.listing.tools) == 12
    assert world.alive() == []


def test_a_trial_can_be_stopped(world: World) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    began = time.monotonic()
    assert try_server(world.spec("hang"), stop.is_set, QUICK).state is ServerState.STARTING
    assert time.monotonic() - began < 3.0
    assert world.alive() == []


def test_closing_while_the_library_is_imported_starts_nothing(world: World) -> None:
    hub = world.hub(wake=False, limits=short(closing=0.0))
    hub.wake()
    hub.close()
    assert hub._thread is not None
    hub._thread.join(20.0)
    assert not hub.is_running
    assert world.alive() == []


def test_closing_ends_a_connection_that_is_just_cancelling_something_inside(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = threading.Event()

    async def run(_self: connection.Connection) -> None:
        with anyio.CancelScope() as scope:
            scope.cancel()
            try:
                await anyio.sleep_forever()
            finally:
                with anyio.CancelScope(shield=True):
                    task = asyncio.current_task()
                    assert task is not None
                    assert task.cancelling()
                    inside.set()
                    await anyio.sleep_forever()

    monkeypatch.setattr(connection.Connection, "run", run)
    hub = world.hub(wake=False)
    hub.wake()
    assert inside.wait(20.0)
    began = time.monotonic()
    hub.close()
    assert not hub.is_running
    assert time.monotonic() - began < QUICK.closing
