"""The server with the official client: in this process for speed, as a process of its own for the wire."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
import mcp_types as types
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.mcp_server.server import make_server
from lifehelper_desktop.storage.journal import Source
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import world_1

T = TypeVar("T")
#: Both eras of the protocol: the handshake of 2025, and 2026-07-28, which the client of today prefers.
ERAS: Final = ("legacy", "auto")
ADD: Final = {"protocol_id": "post-meal-walk", "frame_level": 2, "framed_text": "점심 먹고 10분 걷는다"}
LIMIT: Final = 30.0  # seconds; only a hanging test needs it
ROOT: Final = Path(__file__).resolve().parents[2]


class User:
    """Answers the questions of a client, and remembers them."""

    def __init__(self, action: str = "accept", before: Callable[[], object] = lambda: None) -> None:
        """Answer `action` to each, after doing `before`."""
        self.action = action
        self.before = before
        self.asked: list[str] = []

    async def __call__(self, _context: Any, params: Any) -> types.ElicitResult:
        """Answer one question."""
        self.asked.append(params.message)
        assert params.requested_schema == {"type": "object", "properties": {}}
        self.before()
        return types.ElicitResult(action=self.action, content={} if self.action == "accept" else None)  # type: ignore[arg-type]


Connect = Callable[..., Client]


def run(work: Callable[[], Awaitable[T]]) -> T:
    """Run one asynchronous test, which must not hang."""

    async def limited() -> T:
        with anyio.fail_after(LIMIT):
            return await work()

    return anyio.run(limited)


def data_of(result: types.CallToolResult) -> dict[str, Any]:
    """Return the data of a call that went well; text and structure say the same."""
    envelope = envelope_of(result)
    assert envelope["status"] == "ok", envelope
    assert not result.is_error
    return dict(envelope["data"])


def envelope_of(result: types.CallToolResult) -> dict[str, Any]:
    """Return the structured content, which the text repeats."""
    [block] = result.content
    assert isinstance(block, types.TextContent)
    assert json.loads(block.text) == result.structured_content
    assert isinstance(result.structured_content, dict)
    return result.structured_content


def command(paths: AppPaths, *more: str) -> list[str]:
    """Return what starts the server as a process."""
    base = [sys.executable, "-m", "lifehelper_desktop", "cli", "mcp"]
    return [*base, "--data-dir", str(paths.data), "--lang", "ko", *more]


def parameters(paths: AppPaths, *more: str) -> StdioServerParameters:
    """Return the same for the official client."""
    program, *arguments = command(paths, *more)
    return StdioServerParameters(command=program, args=arguments, cwd=ROOT)


class Raw:
    """A client that only knows lines: what it gets is what is on the wire."""

    def __init__(self, argv: list[str], capabilities: dict[str, Any] | None = None, **environment: str) -> None:
        """Start the server and shake hands."""
        self.process = subprocess.Popen(
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env={**os.environ, **environment},
        )
        hello = {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities or {},
            "clientInfo": {"name": "raw", "version": "1"},
        }
        self.hello = self.ask(0, "initialize", hello)["result"]
        self.say("notifications/initialized")

    def send(self, line: bytes) -> None:
        """Write one line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def say(self, method: str, params: dict[str, Any] | None = None, number: int | None = None) -> None:
        """Send a notification, or with a number a request."""
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        if number is not None:
            message["id"] = number
        self.send(json.dumps(message).encode())

    def call(self, number: int, name: str, arguments: dict[str, Any]) -> None:
        """Call a tool and do not wait."""
        self.say("tools/call", {"name": name, "arguments": arguments}, number)

    def read(self) -> dict[str, Any]:
        """Return the next message; anything else on standard output fails."""
        assert self.process.stdout is not None
        return dict(json.loads(self.process.stdout.readline().decode("utf-8")))

    def ask(self, number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a request and return the next message, which must be its answer."""
        self.say(method, params, number)
        answer = self.read()
        assert answer["id"] == number
        return answer

    def end(self, seconds: float = 10.0) -> int:
        """Wait for the end of the server and return its exit code."""
        try:
            return self.process.wait(seconds)
        finally:
            self.kill()

    def kill(self) -> None:
        """Leave nothing running."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()


@pytest.fixture
def raw(paths: AppPaths) -> Iterator[Callable[..., Raw]]:
    """Start servers that end with the test."""
    started: list[Raw] = []

    def start(argv: list[str] | None = None, capabilities: dict[str, Any] | None = None, **environment: str) -> Raw:
        started.append(Raw(argv or command(paths), capabilities, **environment))
        return started[-1]

    yield start
    for each in started:
        each.kill()


@pytest.fixture
def world(store: Store) -> dict[str, Habit]:
    """Three habits with a history."""
    return world_1(store)


@pytest.fixture
def connect(store: Store) -> Connect:
    """Return clients of a server over `store`, in this process."""
    store.journal.source = Source.MCP

    def make(
        mode: str = "auto",
        user: User | None = None,
        *,
        allow_writes: bool = False,
        registry: ToolRegistry | None = None,
        **more: Any,
    ) -> Client:
        server = make_server(store, "ko", registry or ToolRegistry.defaults(), allow_writes=allow_writes)
        return Client(server, mode=mode, elicitation_callback=user, **more)

    return make
