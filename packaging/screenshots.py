"""Draw the pictures of the README anew: `python packaging/screenshots.py` writes `packaging/screenshots/window-*.png`.

A real window over a real database in a temporary folder, at a fixed moment, drawn without a display. The conversation
is a real one: what the user says is written here, the starter coach answers, and its calls are carried out.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt loads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtWidgets import QApplication

from lifehelper_desktop.__main__ import make_llm
from lifehelper_desktop.base import settings
from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.domain.habits import EntryValue, NewHabit
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.tools.confirm_gate import FixedGate, Verdict
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.ui.app import dress
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.main_window import MainWindow
from lifehelper_desktop.ui.window_state import WindowState, save_state

OUT: Final = Path(__file__).resolve().parent / "screenshots"
NOW: Final = datetime(2026, 8, 12, 21, 30, tzinfo=UTC)
WIDTH, HEIGHT, CHAT_WIDTH = 1280, 800, 400
MAX_BYTES: Final = 300_000


class Plan(NamedTuple):
    """One habit: catalogue id, days since it began, and every how many days it was done small, rested, or missed."""

    protocol_id: str
    days: int
    small_every: int
    rest_every: int
    missed_every: int


# The first one is recorded by the coach in the picture.
PLANS: Final = (
    Plan("daily-steps", 38, 5, 13, 17),
    Plan("bedtime-todo-list", 19, 7, 11, 100),
    Plan("morning-sunlight", 9, 4, 100, 100),
    Plan("break-doomscrolling", 25, 6, 100, 12),
)
TALK: Final = {
    "ko": (
        "오늘 저녁에 만보 걸었어 ㅎㅎ",
        "할 일 적기는 한 줄만 썼네",
        "걷기 며칠째지?",
        "요즘 잇몸이 약하대 관련 습관 있어?",
        "고마워 코치님",
    ),
    "en": (
        "walked my ten thousand steps tonight",
        "how long is my walking streak?",
        "my gums are weak, any habit for that?",
        "thanks coach",
    ),
}


def fill(store: Store, clock: FixedClock, language: str) -> None:
    """Add the habits with their weeks of entries."""
    today = store.today()
    for plan in PLANS:
        begun = today - timedelta(days=plan.days)
        clock.set(datetime.combine(begun, time(12), tzinfo=UTC))
        entry = store.catalogue.get(plan.protocol_id)
        assert entry is not None
        anchors = entry.text("anchor_when", language), entry.text("anchor_after_what", language)
        habit, _changes = store.habits.add(NewHabit(entry.id, 2, entry.frame(2, language), *anchors))
        clock.set(NOW)
        for n in range(plan.days):
            if (value := value_of(plan, n)) is not None:
                store.entries.log(habit.id, value, begun + timedelta(days=n), any_past_day=True)


def value_of(plan: Plan, n: int) -> EntryValue | None:
    """Return what was recorded on the n-th day, from 0; None for a missed one."""
    if (n + 1) % plan.missed_every == 0:
        return None
    if (n + 1) % plan.rest_every == 0:
        return EntryValue.BLANK
    return EntryValue.MINIMUM if (n + 1) % plan.small_every == 0 else EntryValue.DONE


def talk(store: Store, llm: LlmService, bus: Bus, language: str) -> None:
    """Hold a conversation with the coach; every question of a dialog is answered with yes."""
    gate = FixedGate(Verdict.CONFIRMED)
    controller = ChatSessionController(
        llm, store, ToolRegistry.defaults(), gate, bus.publish_chat, language, keep=False
    )
    for message in TALK[language]:
        controller.user_turn(message)
        if controller.state.error:
            raise RuntimeError(controller.state.error)
    controller.close()


def no_model() -> NoReturn:
    """The window itself starts no model: the conversation comes over its bus."""
    raise AssertionError("the window needs no model")


def draw(app: QApplication, llm: LlmService, folder: Path, language: str) -> Path:
    """Draw the window in one language and return the picture."""
    clock = FixedClock(NOW)
    set_language(language)
    with closing(open_store(resolve_paths(folder), clock)) as store:
        store.settings.set(settings.LANGUAGE, language)
        store.settings.set(settings.THEME, "light")
        fill(store, clock, language)
        save_state(store.paths.data, WindowState(width=WIDTH, height=HEIGHT, chat_width=CHAT_WIDTH))
        bus = Bus()
        window = MainWindow(AppContext(store, no_model, lambda *_parts: no_model()), bus)
        window.resize(WIDTH, HEIGHT)
        window.show()
        talk(store, llm, bus, language)
        for _ in range(20):  # queued events, then the layouts that they change
            app.processEvents()
        window.refresh()
        window.habits.setFocus()
        app.processEvents()
        path = OUT / f"window-{language}.png"
        if not window.grab().save(str(path), "PNG", 0):
            raise OSError(f"{path} could not be written")
        window.close()
        window.deleteLater()
        app.processEvents()
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path} is larger than {MAX_BYTES} bytes")
    return path


def main() -> int:
    """Draw both pictures."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    dress(app)
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as models:
        llm = make_llm(resolve_paths(Path(models)), "")
        llm.load()
        for language in TALK:
            with tempfile.TemporaryDirectory() as folder:
                print(draw(app, llm, Path(folder), language))
        llm.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
