"""How long the window's event loop stands still while text streams: `python tests/benchmarks/event_loop.py [SECONDS]`.

A real window (offscreen unless QT_QPA_PLATFORM says otherwise), a real store and the real loop; only the model is a
fast source of text: far more pieces a second than any model writes, so it is the window that is measured. Prints the
gaps between ticks of a 1 ms timer in the main thread, in milliseconds: by the clock, and by the processor time that the
main thread spent in them (which other programs do not lengthen).
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QElapsedTimer, Qt, QTimer
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import current_language, set_language
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatListener
from lifehelper_desktop.llm.protocol import LlmChatEvent, LlmService, LlmTextChunk
from lifehelper_desktop.storage.store import open_store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import UiActions
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.ui.app import dress
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.main_window import MainWindow
from tests.helpers.scripted_llm import ScriptedLlmService
from tests.helpers.worlds import world_1

PIECES_A_SECOND = 60
WORDS = ("오늘은 ", "날씨가 ", "좋아서 ", "**산책**을 ", "했어요. ", "물도 ", "마셨고요.\n")


class FastText(ScriptedLlmService):
    """A model that writes for a while."""

    seconds = 10.0

    def play(self) -> Iterator[LlmChatEvent]:
        """Stream words at a steady pace, each with the work of a Python thread that holds the GIL a little."""
        begin = time.perf_counter()
        count = 0
        while (passed := time.perf_counter() - begin) < self.seconds:
            while count < passed * PIECES_A_SECOND:
                yield LlmTextChunk(WORDS[count % len(WORDS)])
                count += 1
            time.sleep(0.002)


def percentile(values: list[float], share: float) -> float:
    """Return a percentile of sorted values."""
    return values[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    """Run and print one line of JSON."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    set_language("ko")
    app = QApplication(sys.argv[:1])
    dress(app)
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(resolve_paths(Path(folder)), FixedClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC)))
        world_1(store)
        llm = FastText()
        llm.seconds = seconds
        registry = ToolRegistry.defaults()

        def controller(
            service: LlmService, gate: ConfirmGate, listener: ChatListener, ui: UiActions
        ) -> ChatSessionController:
            return ChatSessionController(service, store, registry, gate, listener, current_language(), ui=ui)

        window = MainWindow(AppContext(store, lambda: llm, controller), Bus())
        window.resize(1280, 800)
        window.show()
        gaps: list[float] = []
        spent: list[float] = []
        used = [0.0]
        clock = QElapsedTimer()
        heart = QTimer()
        heart.setTimerType(Qt.TimerType.PreciseTimer)
        heart.setInterval(1)

        def beat() -> None:
            gaps.append(clock.nsecsElapsed() / 1e6)
            clock.restart()
            now = time.thread_time()
            spent.append((now - used[0]) * 1000)
            used[0] = now
            if len(gaps) > 500 and not window.conversation.is_busy:
                app.quit()

        def begin() -> None:
            assert window.chat is not None
            window.chat.send("안녕하세요")
            used[0] = time.thread_time()
            clock.start()
            heart.start()

        heart.timeout.connect(beat)
        QTimer.singleShot(500, begin)
        app.exec()
        heart.stop()
        shown = sum(len(getattr(message, "text", "")) for message in window.conversation.messages)
        window.close()
        store.close()
    report: dict[str, float] = {"seconds": seconds, "ticks": len(gaps), "characters": shown}
    for name, values in (("gap", sorted(gaps)), ("processor", sorted(spent))):
        report |= {f"{name}_p50_ms": percentile(values, 0.5), f"{name}_p99_ms": percentile(values, 0.99)}
        report[f"{name}_max_ms"] = values[-1]
    report = {key: round(value, 2) for key, value in report.items()}
    print(json.dumps(report))


if __name__ == "__main__":
    main()
