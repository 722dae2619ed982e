"""Draw the pictures of the README anew: `python packaging/screenshots.py` writes `packaging/screenshots/*.png`.

A real window over a real database in a temporary folder, at a fixed moment, drawn without a display. The conversation
is a real one: what the user says is written here, the starter coach answers, and its calls are carried out. For the
picture of the tray the window runs on a screen of its own (Xvfb) with a real tray host (trayer).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, time, timedelta
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, NoReturn

os.environ["QT_QPA_PLATFORM"] = os.environ.get("PICTURES_ON", "offscreen")  # before Qt loads
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QDeadlineTimer
from PySide6.QtGui import QPixmap
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
from tests.integration.display import x_server

OUT: Final = Path(__file__).resolve().parent / "screenshots"
NOW: Final = datetime(2026, 8, 12, 21, 30, tzinfo=UTC)
WIDTH, HEIGHT, CHAT_WIDTH = 1280, 800, 400
MAX_BYTES: Final = 300_000
TRAY_SCREEN: Final = "900x680x24"
TRAY_HEIGHT: Final = 28  # of the host's bar
PATIENCE_MS: Final = 20_000


class Plan(NamedTuple):
    """One habit: catalogue id, days since it began, and every how many days it was done small, rested, or missed."""

    protocol_id: str
    days: int
    small_every: int
    rest_every: int
    missed_every: int


# More than half a year, so that the heat map has something to show.
LONG_PLAN: Final = Plan("daily-steps", 300, 4, 17, 11)
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


def fill(store: Store, clock: FixedClock, language: str, plans: Sequence[Plan] = PLANS) -> None:
    """Add the habits with their weeks of entries."""
    today = store.today()
    for plan in plans:
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


@contextmanager
def window_over(folder: Path, language: str, plans: Sequence[Plan]) -> Iterator[MainWindow]:
    """Give the window over the habits of `plans`, in light colours; it is shown by the caller."""
    clock = FixedClock(NOW)
    set_language(language)
    with closing(open_store(resolve_paths(folder), clock)) as store:
        store.settings.set(settings.LANGUAGE, language)
        store.settings.set(settings.THEME, "light")
        fill(store, clock, language, plans)
        save_state(store.paths.data, WindowState(width=WIDTH, height=HEIGHT, chat_width=CHAT_WIDTH))
        window = MainWindow(AppContext(store, no_model, lambda *_parts: no_model()), Bus())
        window.resize(WIDTH, HEIGHT)
        yield window
        window.close()
        window.deleteLater()
        settle()


def settle() -> None:
    """Let queued events be carried out, then the layouts that they change."""
    for _ in range(20):
        QApplication.processEvents()


def wait_until(what: Callable[[], bool]) -> None:
    """Let the program run until `what` is true."""
    deadline = QDeadlineTimer(PATIENCE_MS)
    while not what():
        if deadline.hasExpired():
            raise TimeoutError("the tray host did not take the icon")
        QApplication.processEvents()


def keep(picture: QPixmap, name: str) -> Path:
    """Write a picture and return its file."""
    path = OUT / name
    if not picture.save(str(path), "PNG", 0):
        raise OSError(f"{path} could not be written")
    if path.stat().st_size > MAX_BYTES:
        raise ValueError(f"{path} is larger than {MAX_BYTES} bytes")
    return path


def draw_window(llm: LlmService, folder: Path, language: str) -> Path:
    """Draw the window with the conversation."""
    with window_over(folder, language, PLANS) as window:
        window.show()
        talk(window.store, llm, window.bus, language)
        settle()
        window.refresh()
        window.habits.setFocus()
        settle()
        return keep(window.grab(), f"window-{language}.png")


def draw_detail(folder: Path, language: str) -> Path:
    """Draw the page of one habit with its heat map."""
    with window_over(folder, language, [LONG_PLAN]) as window:
        window.show()
        window.toggle_chat()
        window.show_habit(window.habits.numbered[0].id)
        settle()
        return keep(window.grab(), f"habit-{language}.png")


def draw_tray(folder: Path, language: str) -> Path:
    """Draw the quick log over the tray; needs a screen and a tray host."""
    with window_over(folder, language, PLANS) as window:
        tray, whole = window.tray, QApplication.primaryScreen().geometry()
        window.toggle_chat()
        window.move(0, 0)
        window.resize(whole.width(), whole.height() - TRAY_HEIGHT)
        window.show()
        wait_until(lambda: tray.icon is not None and tray.icon.geometry().top() >= window.height())
        tray.open_quick_log()
        wait_until(tray.quick_log.isVisible)
        settle()
        return keep(QApplication.primaryScreen().grabWindow(0), f"tray-{language}.png")


def draw_tray_elsewhere(language: str) -> None:
    """Run `draw_tray` in a process of its own on a screen of its own: a program has one kind of screen only."""
    with x_server(TRAY_SCREEN) as display:
        env = {**os.environ, "DISPLAY": display, "PICTURES_ON": "xcb"}
        bar = ["trayer", "--edge", "bottom", "--align", "right", "--widthtype", "request"]
        host = subprocess.Popen([*bar, "--height", str(TRAY_HEIGHT)], env=env)
        try:
            subprocess.run([sys.executable, __file__, "--tray", language], env=env, check=True, timeout=120)
        finally:
            host.terminate()
            host.wait(10)


def main() -> int:
    """Draw all pictures."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    dress(app)
    app.setQuitOnLastWindowClosed(False)
    OUT.mkdir(parents=True, exist_ok=True)
    if sys.argv[1:2] == ["--tray"]:
        with tempfile.TemporaryDirectory() as folder:
            print(draw_tray(Path(folder), sys.argv[2]))
        return 0
    with tempfile.TemporaryDirectory() as models:
        llm = make_llm(resolve_paths(Path(models)), "")
        llm.load()
        for language in TALK:
            for draw in (partial(draw_window, llm), draw_detail):
                with tempfile.TemporaryDirectory() as folder:
                    print(draw(Path(folder), language))
            draw_tray_elsewhere(language)
        llm.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
