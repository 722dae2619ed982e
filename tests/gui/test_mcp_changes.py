"""What another assistant writes through `lifehelper mcp` is in the window at once."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from lifehelper_desktop.storage.journal import Source
from tests.gui.conftest import Gui, MakeGui

ROOT = Path(__file__).resolve().parents[2]


def _titles(gui: Gui) -> list[str]:
    return [card.overview.habit.title("ko") for card in gui.window.habits.cards.values() if card.isVisible()]


def test_the_window_shows_what_another_program_adds(make_gui: MakeGui) -> None:
    gui = make_gui()
    arguments = ["-m", "lifehelper_desktop", "cli", "mcp", "--data-dir", str(gui.store.paths.data), "--lang", "ko"]
    server = StdioServerParameters(command=sys.executable, args=arguments, cwd=ROOT)
    wanted = {"protocol_id": "post-meal-walk", "frame_level": 2, "framed_text": "점심 먹고 10분 걷는다"}
    added, leave = threading.Event(), threading.Event()

    async def yes(_context: Any, _params: Any) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content={})

    async def call() -> None:
        async with Client(server, elicitation_callback=yes) as client:
            result = await client.call_tool("add_habit", wanted)
            assert not result.is_error
            added.set()
            await anyio.to_thread.run_sync(leave.wait)

    caller = threading.Thread(target=anyio.run, args=(call,))
    caller.start()
    try:
        before = len(gui.store.habits.list())
        gui.qtbot.waitUntil(added.is_set, timeout=90_000)  # starting it reads much from the disk
        # The server still runs, and nobody here was told: the window looks for itself.
        gui.qtbot.waitUntil(lambda: "식후 10분 걷기" in _titles(gui), timeout=5000)
        assert len(gui.store.habits.list()) == before + 1
        assert gui.store.journal.history()[0].source == Source.MCP
    finally:
        leave.set()
        caller.join()
