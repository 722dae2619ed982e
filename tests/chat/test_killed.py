"""kill -9 in the middle of a call: the write is neither repeated nor lost."""

from __future__ import annotations

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.chat.messages import ToolCallChatMessage, ToolCallState
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import open_store
from tests.chat.conftest import Chat
from tests.helpers.worlds import RecordingGate, world_1

ROOT = Path(__file__).resolve().parents[2]
TODAY = date(2026, 8, 12)


@pytest.mark.parametrize(
    ("place", "kinds", "written", "state"),
    [
        ("called", ["user", "call"], False, ToolCallState.INTERRUPTED),
        ("asking", ["user", "call"], False, ToolCallState.INTERRUPTED),
        ("written", ["user", "call"], True, ToolCallState.DONE),
        ("answered", ["user", "call", "result", "model"], True, ToolCallState.DONE),
    ],
)
def test_killed_in_a_call(
    paths: AppPaths, clock: FixedClock, place: str, kinds: list[str], written: bool, state: ToolCallState
) -> None:
    store = open_store(paths, clock)
    habit = world_1(store)["walk"]
    store.close()
    command = [sys.executable, "-m", "tests.chat.child", str(paths.data), place, str(habit.id)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.kill()
    store = open_store(paths, clock)
    try:
        [row] = store.conversations.list()
        assert [event.kind for event in store.conversations.events(row.id)] == kinds
        entry = store.entries.get(habit.id, TODAY)
        assert (entry is not None) is written
        chat = Chat(store, [[LlmTextChunk("네.")]], RecordingGate())
        chat.controller.open(row.id)
        [card] = [each for each in chat.state.messages if isinstance(each, ToolCallChatMessage)]
        assert card.state is state
        chat.say("그건 됐어?")
        assert chat.gate.requests == []  # type: ignore[union-attr]
        assert store.entries.get(habit.id, TODAY) == entry
        [turn] = chat.llm.prompts[0].history
        assert turn.results[0].result["status"] == ("ok" if written else "error")
        assert chat.state.error is None
    finally:
        store.close()
