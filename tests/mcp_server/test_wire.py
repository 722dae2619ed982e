"""The server as a process: what is on the wire, and how it ends when the client does."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import anyio
import pytest
from mcp.client.client import Client

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.store import open_store
from tests.mcp_server.conftest import ADD, ERAS, ROOT, Raw, User, command, data_of, envelope_of, parameters, run

ASKS = {"elicitation": {"form": {}}}
StartRaw = Callable[..., Raw]


def _habits(paths: AppPaths) -> list[str]:
    with closing(open_store(paths)) as store:
        with store.db.read():
            assert store.db.sql("PRAGMA integrity_check") == [("ok",)]
        return [habit.framed_text for habit in store.habits.list()]


@pytest.mark.parametrize("era", ERAS)
def test_the_official_client_over_stdio(paths: AppPaths, era: str) -> None:
    user = User()

    async def work() -> float:
        async with Client(parameters(paths), mode=era, elicitation_callback=user) as client:
            assert client.server_info is not None
            assert client.server_info.title == "라이프 헬퍼"
            results: dict[str, Any] = {}

            async def call(key: str, name: str, args: dict[str, Any]) -> None:
                results[key] = await client.call_tool(name, args)

            async with anyio.create_task_group() as tasks:
                tasks.start_soon(call, "added", "add_habit", ADD)
                for word in ("물", "walk", "감사"):
                    tasks.start_soon(call, word, "search_catalog", {"keyword": word})
            assert {word for word in ("물", "walk", "감사") if data_of(results[word])["count"]} == {
                "물",
                "walk",
                "감사",
            }
            assert data_of(results["added"])["title"] == "식후 10분 걷기"
            again = await client.call_tool("add_habit", ADD)
            assert envelope_of(again)["code"] == "already_active"
            listed = await client.read_resource("lifehelper://habits")
            assert ADD["framed_text"] in str(listed.contents[0])
            leaving = anyio.current_time()
        return anyio.current_time() - leaving

    assert run(work) < 8  # it goes by itself, on a busy machine too
    assert "문장: 점심 먹고 10분 걷는다" in user.asked[0]
    assert _habits(paths) == [ADD["framed_text"]]


def test_nothing_but_messages_in_utf8_is_on_the_wire(paths: AppPaths, raw: StartRaw) -> None:
    # Whatever prints, in Python or below it: `search_catalog` stands for a library that does.
    script = (
        "import dataclasses, os, sys\n"
        "from lifehelper_desktop import __main__ as program\n"
        "from lifehelper_desktop.tools import search_catalog as tool\n"
        "def noisy(args, deps, old=tool.DEFINITION.handler):\n"
        "    print('stray', flush=True); os.write(1, b'stray\\n'); os.system('echo stray')\n"
        "    return old(args, deps)\n"
        "tool.DEFINITION = dataclasses.replace(tool.DEFINITION, handler=noisy)\n"
        "program.main_cli(sys.argv[1:])\n"
    )
    argv = [sys.executable, "-c", script, *command(paths)[4:]]
    server = raw(argv, LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    for line in (b"", b"{", b"\xff\xfe\x00", b"[]", b'"hello"', b"x" * (5 << 20)):
        server.send(line)  # is no message, and is passed over
    for number in (1, 2):
        answer = server.ask(number, "tools/call", {"name": "search_catalog", "arguments": {"keyword": "걷기"}})
        assert answer["result"]["structuredContent"]["data"]["items"][0]["title"] == "하루 걷기"
    half = server.ask(3, "tools/call", {"name": "get_streak", "arguments": {"habit_id": "걷기\ud83d"}})
    assert half["result"]["structuredContent"]["code"] == "not_found"
    assert server.process.stdin is not None
    server.process.stdin.close()
    assert server.process.stdout is not None
    assert server.process.stdout.read() == b""
    assert server.process.stderr is not None
    assert server.process.stderr.read().count(b"stray") == 6


def test_what_was_asked_before_the_end_of_input_is_answered(paths: AppPaths) -> None:
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}}
    lines = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "list_active_habits", "arguments": {}}},
        {"id": 3, "method": "resources/list", "params": {}},
    ]
    text = "\n".join(json.dumps({"jsonrpc": "2.0", **line}) for line in lines)
    done = subprocess.run(command(paths), input=text.encode(), capture_output=True, timeout=30, check=True, cwd=ROOT)
    answers = {each["id"]: each for each in map(json.loads, done.stdout.splitlines())}
    assert answers.keys() == {1, 2, 3}
    assert all("result" in each for each in answers.values())


def test_a_cancelled_call_takes_its_question_back_and_is_not_answered(paths: AppPaths, raw: StartRaw) -> None:
    server = raw(capabilities=ASKS)
    server.call(1, "add_habit", ADD)
    question = server.read()
    assert question["method"] == "elicitation/create"
    server.say("notifications/cancelled", {"requestId": 1, "reason": "the user stopped"})
    taken_back = server.read()
    assert taken_back["method"] == "notifications/cancelled"
    assert taken_back["params"]["requestId"] == question["id"]
    late = {"jsonrpc": "2.0", "id": question["id"], "result": {"action": "accept", "content": {}}}
    server.send(json.dumps(late).encode())
    answer = server.ask(2, "tools/call", {"name": "list_active_habits", "arguments": {}})
    assert answer["result"]["structuredContent"]["data"]["count"] == 0


def test_when_the_client_closes_its_end_the_server_ends(paths: AppPaths, raw: StartRaw) -> None:
    server = raw(capabilities=ASKS)
    server.call(1, "add_habit", ADD)
    assert server.read()["method"] == "elicitation/create"
    assert server.process.stdin is not None
    began = time.monotonic()
    server.process.stdin.close()
    assert server.end() == 0
    assert time.monotonic() - began < 3
    assert _habits(paths) == []


def test_when_nobody_reads_any_more_the_server_ends(paths: AppPaths, raw: StartRaw) -> None:
    server = raw(capabilities=ASKS)
    server.call(1, "add_habit", ADD)
    assert server.read()["method"] == "elicitation/create"
    assert server.process.stdout is not None
    server.process.stdout.close()  # its input stays open: only writing tells
    began = time.monotonic()
    server.say("ping", {}, 2)
    assert server.end() == 0
    assert time.monotonic() - began < 3
    assert _habits(paths) == []


@pytest.mark.skipif(sys.platform == "win32", reason="a client that is killed is a matter of POSIX signals here")
def test_a_client_that_is_killed_leaves_no_server_and_nothing_half_written(paths: AppPaths) -> None:
    # The client is a process of its own that has a write under way all the time.
    script = (
        "import json, subprocess, sys\n"
        "server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "def send(**message):\n"
        "    server.stdin.write(json.dumps({'jsonrpc': '2.0', **message}).encode() + b'\\n'); server.stdin.flush()\n"
        "hello = {'protocolVersion': '2025-11-25', 'capabilities': {}, 'clientInfo': {'name': 'x', 'version': '1'}}\n"
        "send(id=0, method='initialize', params=hello); server.stdout.readline()\n"
        "send(method='notifications/initialized')\n"
        "for number, name in enumerate(['post-meal-walk', 'daily-steps', 'bedtime-todo-list'], 1):\n"
        "    text = '걷고 적는다 ' + str(number)\n"
        "    args = {'protocol_id': name, 'frame_level': 2, 'framed_text': text}\n"
        "    send(id=number, method='tools/call', params={'name': 'add_habit', 'arguments': args})\n"
        "print(server.pid, server.stdout.readline().decode(), flush=True)\n"
        "server.wait()\n"
    )
    argv = [sys.executable, "-c", script, *command(paths, "--allow-writes")]
    client = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert client.stdout is not None
        pid = int(client.stdout.readline().split()[0])
        client.send_signal(signal.SIGKILL)
        client.wait()
        with closing(client.stdout):
            # The server inherits nothing of ours, so its end is seen by its being gone.
            assert _gone(pid, 3)
    finally:
        client.kill()
    for text in _habits(paths):
        assert text.startswith("걷고 적는다")


def _gone(pid: int, seconds: float) -> bool:
    """Return whether a process that is not our child ends in time."""
    if hasattr(os, "pidfd_open"):
        import select

        try:
            descriptor = os.pidfd_open(pid)
        except ProcessLookupError:
            return True
        try:
            return bool(select.select([descriptor], [], [], seconds)[0])
        finally:
            os.close(descriptor)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
    return False
