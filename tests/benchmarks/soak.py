"""A long conversation with the starter model: `python tests/benchmarks/soak.py [TURNS]` (200 turns by default).

The real loop on a real store in a temporary folder, keeping the conversation as the program does. Prints, as JSON, for
the first and the last tenth of the turns the median time until the model shows something (a word or a call) and of the
whole turn, the slowest turn, what memory the process held, and the size of the database.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import psutil

from lifehelper_desktop.__main__ import make_llm
from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatEvent, MessageAdded, TextStreamed, ToolCallChatMessage, TurnFailed
from lifehelper_desktop.storage.store import open_store
from lifehelper_desktop.tools.confirm_gate import FixedGate, Verdict
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import world_1

SAID = (
    "오늘 습관 보여 줘",
    "걷기 며칠째야?",
    "잠을 더 잘 자고 싶어",
    "저녁 걷기 다 했어, 기록해 줘",
    "고마워",
    "커피 줄이는 습관 찾아 줘",
    "할 일 적기 어제 했어",
)


def main() -> int:
    """Talk, measure, print."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    set_language("ko")
    process = psutil.Process()
    failures: list[str] = []
    first: list[float] = []
    whole: list[float] = []
    memory: list[float] = []
    started = 0.0

    def listen(event: ChatEvent) -> None:
        if isinstance(event, TurnFailed):
            failures.append(event.error)
        is_call = isinstance(event, MessageAdded) and isinstance(event.message, ToolCallChatMessage)
        if len(first) == len(whole) and (is_call or isinstance(event, TextStreamed)):
            first.append(time.perf_counter() - started)

    with tempfile.TemporaryDirectory() as folder:
        paths = resolve_paths(Path(folder))
        store = open_store(paths, FixedClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC)))
        world_1(store)
        llm = make_llm(paths, "")
        gate = FixedGate(Verdict.CONFIRMED)
        controller = ChatSessionController(llm, store, ToolRegistry.defaults(), gate, listen, "ko")
        for number in range(turns):
            started = time.perf_counter()
            controller.user_turn(SAID[number % len(SAID)])
            whole.append(time.perf_counter() - started)
            memory.append(process.memory_info().rss / 2**20)
        calls = sum(isinstance(message, ToolCallChatMessage) for message in controller.state.messages)
        number = controller.conversation_id
        assert number is not None
        events = len(store.conversations.events(number))
        controller.close()
        llm.close()
        size = sum(path.stat().st_size for path in paths.data.glob("*.db*"))
        store.close()
    part = max(1, turns // 10)
    report = {
        "turns": turns,
        "calls": calls,
        "stored_events": events,
        "failures": failures,
        "first_sign_s": {
            "first_tenth": round(statistics.median(first[1 : part + 1]), 3),
            "last_tenth": round(statistics.median(first[-part:]), 3),
        },
        "turn_s": {
            "first_tenth": round(statistics.median(whole[1 : part + 1]), 3),
            "last_tenth": round(statistics.median(whole[-part:]), 3),
            "slowest_after_the_first": round(max(whole[1:]), 3),
        },
        "memory_mib": {
            "after_a_tenth": round(memory[part - 1], 1),
            "half_way": round(memory[turns // 2], 1),
            "at_the_end": round(memory[-1], 1),
        },
        "database_kib": round(size / 1024),
    }
    print(json.dumps(report, ensure_ascii=False, indent=2))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
