"""The real program in a real tray on a real X server, clicked as a user clicks."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer

from lifehelper_desktop.base.clock import SystemClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.storage.store import open_store
from tests.integration.display import environment_of, x_server

pytestmark = pytest.mark.display

_TITLE, _QUICK = "^라이프 헬퍼$", "^빠른 기록$"


@dataclass
class Desk:
    """An X server with or without a tray host, and the programs started on it."""

    display: str
    home: Path
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def data(self) -> Path:
        """The data folder."""
        return self.home / "자료"

    def begin(self, *command: str) -> subprocess.Popen[str]:
        """Start a program on this desk."""
        environment = environment_of(self.display, self.home)
        self.started.append(subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True))
        return self.started[-1]

    def app(self, *arguments: str) -> subprocess.Popen[str]:
        """Start the program."""
        return self.begin(
            sys.executable, "-m", "lifehelper_desktop", "--data-dir", str(self.data), "--lang", "ko", *arguments
        )

    def xdotool(self, *words: str) -> str:
        """Run xdotool and return what it says; no window found is an empty answer."""
        environment = environment_of(self.display, self.home)
        done = subprocess.run(
            ["xdotool", *words], env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        return done.stdout

    def windows(self, name: str) -> list[str]:
        """Ids of the visible windows of that name; the icon in the tray, which has the program's name too, is none."""
        found = self.xdotool("search", "--onlyvisible", "--name", name).split()
        return [each for each in found if self._size(each)[0] > 200]

    def wait(self, what: Callable[[], object]) -> None:
        """Wait until `what` is true."""
        deadline = QDeadlineTimer(60_000)
        while not what():
            assert not deadline.hasExpired(), [(each.args, each.poll()) for each in self.started]

    def tray_place(self) -> tuple[int, int]:
        """Wait for the icon in the tray and return its middle on the screen."""
        icons: list[str] = []

        def embedded() -> bool:
            found = self.xdotool("search", "--class", "^LifeHelper$").split()
            icons[:] = [each for each in found if 8 <= self._size(each)[0] <= 64]
            return bool(icons)

        self.wait(embedded)
        place = self._shape(icons[0])
        return place["X"] + place["WIDTH"] // 2, place["Y"] + place["HEIGHT"] // 2

    def _size(self, window: str) -> tuple[int, int]:
        shape = self._shape(window)
        return shape.get("WIDTH", 0), shape.get("HEIGHT", 0)

    def _shape(self, window: str) -> dict[str, int]:
        lines = self.xdotool("getwindowgeometry", "--shell", window).split()
        return {name: int(value) for name, value in (line.split("=") for line in lines)}

    def entries(self) -> list[tuple[int, str, str]]:
        """What is recorded."""
        with closing(sqlite3.connect(self.data / "lifehelper.db")) as db:
            return db.execute("SELECT habit_id, date, value FROM entry ORDER BY 1, 2").fetchall()

    def end(self) -> None:
        """End everything that was started."""
        for each in reversed(self.started):
            each.kill()
            each.communicate()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with x_server() as display:
        desk = Desk(display, tmp_path)
        with closing(open_store(resolve_paths(desk.data), SystemClock())) as store:
            entry = store.catalogue.get("daily-steps")
            assert entry is not None
            store.habits.add(NewHabit(entry.id, 2, entry.frame(2, "ko")))
        yield desk
        desk.end()


@pytest.fixture
def desk_with_tray(desk: Desk) -> Desk:
    desk.begin("trayer", "--edge", "top", "--align", "right", "--widthtype", "request", "--height", "28")
    return desk


def test_a_click_on_the_icon_marks_a_habit_and_closing_leaves_the_icon(desk_with_tray: Desk) -> None:
    desk = desk_with_tray
    program = desk.app()
    desk.wait(lambda: desk.windows(_TITLE))
    x, y = desk.tray_place()
    desk.xdotool("mousemove", str(x), str(y), "click", "1")
    desk.wait(lambda: desk.windows(_QUICK))
    desk.xdotool("windowfocus", "--sync", desk.windows(_QUICK)[0], "key", "1")
    desk.wait(lambda: desk.entries())
    today = datetime.now(UTC).date()
    (habit, day, value), *more = desk.entries()
    assert (habit, value, more) == (1, "done", [])
    assert abs((datetime.fromisoformat(day).date() - today).days) <= 1
    desk.xdotool("key", "Escape")
    desk.wait(lambda: not desk.windows(_QUICK))
    second = desk.app("--quick-log")
    desk.wait(lambda: desk.windows(_QUICK))
    assert second.wait(30) == 0
    assert program.poll() is None
    assert program.args != second.args


def test_a_second_start_brings_the_window_to_the_front_and_ends(desk: Desk) -> None:
    program = desk.app()
    desk.wait(lambda: desk.windows(_TITLE))
    second = desk.app()
    assert second.wait(30) == 0
    assert program.poll() is None
    assert len(desk.windows(_TITLE)) == 1


def test_started_hidden_it_waits_in_the_tray(desk_with_tray: Desk) -> None:
    desk = desk_with_tray
    desk.app("--hidden")
    desk.tray_place()
    assert not desk.windows(_TITLE)
    second = desk.app()
    assert second.wait(30) == 0
    desk.wait(lambda: desk.windows(_TITLE))


def test_x9_without_a_tray_host_closing_ends_the_program(desk: Desk) -> None:
    program = desk.app()
    desk.wait(lambda: desk.windows(_TITLE))
    window = desk.windows(_TITLE)[0]
    # What a window manager sends for its close button.
    desk.begin(sys.executable, "-c", _CLOSE, window)
    assert program.wait(30) == 0


_CLOSE = """
import ctypes, sys
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
x.XInternAtom.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
x.XInternAtom.restype = ctypes.c_ulong
class Message(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message_type", ctypes.c_ulong),
                ("format", ctypes.c_int), ("data", ctypes.c_long * 5), ("pad", ctypes.c_long * 16)]
display = x.XOpenDisplay(None)
window = int(sys.argv[1])
event = Message(33, 0, 1, display, window, x.XInternAtom(display, b"WM_PROTOCOLS", 0), 32)
event.data[0] = x.XInternAtom(display, b"WM_DELETE_WINDOW", 0)
x.XSendEvent(ctypes.c_void_p(display), ctypes.c_ulong(window), 0, ctypes.c_long(0), ctypes.byref(event))
x.XSync(ctypes.c_void_p(display), 0)
"""
