"""Hubs over servers of our own that behave badly, each in a process that must be gone at the end."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus

PROGRAM = Path(__file__).parent.parent / "helpers" / "odd_server.py"
#: Short where a test waits for it, and long where nothing should depend on it.
QUICK = Limits(start=20.0, listing=20.0, call=20.0, pauses=(0.01, 0.02), relist=0.05, grace=0.2, settle=20.0)


class World:
    """A folder for what servers write down, and hubs that are closed at the end."""

    def __init__(self, folder: Path) -> None:
        """Begin with no hub."""
        self.folder = folder
        self.hubs: list[McpHub] = []
        self.specs: tuple[ServerSpec, ...] = ()

    def spec(self, mode: str = "normal", name: str = "odd", **more: Any) -> ServerSpec:
        """Return a server that behaves so."""
        return ServerSpec(name, sys.executable, (str(PROGRAM), mode, str(self.folder)), **more)

    def hub(self, *specs: ServerSpec, limits: Limits = QUICK, wake: bool = True) -> McpHub:
        """Return a hub over these servers, or one that behaves; with `wake` each has had its chance to start."""
        self.specs = specs or (self.spec(),)
        hub = McpHub(lambda: self.specs, limits)
        self.hubs.append(hub)
        if wake:
            hub.wake()
            hub.settle(20.0)
        return hub

    def calls(self) -> list[Any]:
        """What servers were asked to do; the first line of each is what the client said it can do."""
        file = self.folder / "calls.txt"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [json.loads(line) if line.startswith("{") else line for line in lines]

    def pids(self) -> list[int]:
        """The processes that servers and their children were."""
        file = self.folder / "pids.txt"
        return [int(line) for line in file.read_text().splitlines()] if file.exists() else []

    def alive(self) -> list[int]:
        """Those that still run."""
        return [pid for pid in self.pids() if psutil.pid_exists(pid) and _runs(pid)]


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def wait_until(hub: McpHub, fits: Callable[[ServerStatus], bool], at: int = 0, seconds: float = 20.0) -> ServerStatus:
    """Wait until the server's status fits, woken by the hub's own word, and return it."""
    moved = threading.Event()
    leave = hub.listen(moved.set)
    try:
        for _turn in range(10_000):
            moved.clear()
            status = hub.statuses()[at]
            if fits(status):
                return status
            assert moved.wait(seconds), f"nothing happened: {status}"
    finally:
        leave()
    raise AssertionError("never")


def ready(status: ServerStatus) -> bool:
    """Whether the server can be called."""
    return status.state is ServerState.READY


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """Return a world; at its end no server and no child of one may be left."""
    made = World(tmp_path)
    yield made
    for hub in made.hubs:
        hub.close()
        if hub._thread is not None:
            hub._thread.join(20.0)  # it may still import the library where a test was quick
        assert not hub.is_running
    assert made.alive() == []


def short(limits: Limits = QUICK, **changes: float) -> Limits:
    """Return limits with some made short."""
    return replace(limits, **changes)  # type: ignore[arg-type]
