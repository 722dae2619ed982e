"""The real program in a real tray on a real X server, clicked and typed at as a user does."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QDeadlineTimer

from lifehelper_desktop.base.clock import SystemClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.base.settings import DAY_START_MINUTES, FIRST_RUN_DONE
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.storage.store import open_store
from tests.integration.display import environment_of, x_server

pytestmark = pytest.mark.display

_TITLE, _QUICK, _TROUBLE = "^라이프 헬퍼$", "^빠른 기록$", "시작하지 못했어요"
_HABITS = ("daily-steps", "bedtime-todo-list")


@dataclass
class Desk:
    """An X server, and the programs started on it."""

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

    def tray_host(self) -> subprocess.Popen[str]:
        """Start a panel that icons can be in."""
        return self.begin("trayer", "--edge", "bottom", "--align", "right", "--widthtype", "request", "--height", "28")

    def xdotool(self, *words: str) -> str:
        """Run xdotool and return what it says; no window found is an empty answer."""
        environment = environment_of(self.display, self.home)
        command = ["xdotool", *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False).stdout

    def windows(self, name: str) -> list[str]:
        """Ids of the visible windows of that name."""
        return self.xdotool("search", "--onlyvisible", "--name", name).split()

    def wait(self, what: Callable[[], object]) -> None:
        """Wait until `what` is true."""
        deadline = QDeadlineTimer(40_000)
        while not what():
            assert not deadline.hasExpired(), "it did not come"
            time.sleep(0.02)

    def wait_for(self, name: str) -> str:
        """Wait for the window of that name and return its id."""
        self.wait(lambda: self.windows(name))
        return self.windows(name)[0]

    def shapes(self) -> dict[str, dict[str, int]]:
        """Places and sizes of the program's visible windows, the icon among them."""
        found = {}
        for window in self.xdotool("search", "--onlyvisible", "--class", "lifehelper").split():
            lines = self.xdotool("getwindowgeometry", "--shell", window).split()
            shape = {name: int(value) for name, value in (line.split("=") for line in lines)}
            if shape:  # it may have gone meanwhile
                found[window] = shape
        return found

    def icon(self) -> tuple[int, int] | None:
        """Return the middle of the icon in the tray, None while there is none."""
        for shape in self.shapes().values():
            if _is_icon(shape):
                return shape["X"] + shape["WIDTH"] // 2, shape["Y"] + shape["HEIGHT"] // 2
        return None

    def main_windows(self) -> list[str]:
        """Ids of the main windows on the screen."""
        return self.windows(_TITLE)

    def click(self, button: int) -> None:
        """Click the icon with a mouse button (1 left, 3 right), once it is there."""
        self.wait(self.icon)
        place = self.icon()
        assert place is not None
        self.xdotool("mousemove", str(place[0]), str(place[1]), "click", str(button))

    def menu(self) -> str:
        """Open the icon's menu and return its window."""
        self.wait(self.main_windows)
        self.click(3)
        self.wait(self._menus)
        return self._menus()[0]

    def _menus(self) -> list[str]:
        others = {*self.windows(_TITLE), *self.windows(_QUICK)}
        return [name for name, shape in self.shapes().items() if name not in others and not _is_icon(shape)]

    def press(self, window: str, *keys: str) -> None:
        """Press keys in a window."""
        self.xdotool("windowfocus", "--sync", window, "key", "--delay", "60", *keys)

    def press_close(self, window: str) -> None:
        """Press the close button that a window manager would draw."""
        assert self.begin(sys.executable, "-c", _CLOSE, window).wait(30) == 0

    def entries(self) -> list[tuple[int, str]]:
        """Habits and values that are recorded; all of them are of today."""
        with closing(sqlite3.connect(self.data / "lifehelper.db")) as db:
            rows = db.execute("SELECT habit_id, value, is_minimum, date FROM entry ORDER BY 1").fetchall()
        assert all(abs((date.fromisoformat(day) - date.today()).days) <= 1 for *_entry, day in rows)  # noqa: DTZ011
        return [(habit, "minimum" if is_minimum else value) for habit, value, is_minimum, _day in rows]

    def end(self) -> None:
        """End everything that was started."""
        for each in reversed(self.started):
            each.kill()
            each.communicate()


def _is_icon(shape: dict[str, int]) -> bool:
    return shape["WIDTH"] < 60 and shape["Y"] > 700


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk without a tray, and two habits."""
    with x_server() as display:
        desk = Desk(display, tmp_path)
        with closing(open_store(resolve_paths(desk.data), SystemClock())) as store:
            store.settings.set(FIRST_RUN_DONE, True)
            store.settings.set(DAY_START_MINUTES, 0)
            for name in _HABITS:
                entry = store.catalogue.get(name)
                assert entry is not None
                store.habits.add(NewHabit(entry.id, 2, entry.frame(2, "ko")))
        yield desk
        desk.end()


def test_a_click_on_the_icon_opens_the_quick_log_which_marks_a_habit(desk: Desk) -> None:
    desk.tray_host()
    desk.app()
    desk.click(1)
    quick = desk.wait_for(_QUICK)
    desk.press(quick, "1")
    desk.wait(lambda: desk.entries() == [(1, "done")])
    desk.press(quick, "Right", "Return")
    desk.wait(lambda: desk.entries() == [(1, "done"), (2, "minimum")])
    desk.press(quick, "ctrl+z")
    desk.wait(lambda: desk.entries() == [(1, "done")])
    desk.press(quick, "Escape")
    desk.wait(lambda: not desk.windows(_QUICK))
    desk.click(1)
    desk.wait_for(_QUICK)
    desk.click(1)
    desk.wait(lambda: not desk.windows(_QUICK))


def test_the_menu_of_the_icon_marks_a_habit(desk: Desk) -> None:
    desk.tray_host()
    desk.app()
    desk.press(desk.menu(), "Down", "Right", "Return")
    desk.wait(lambda: desk.entries() == [(1, "done")])


def test_the_menu_of_the_icon_ends_the_program(desk: Desk) -> None:
    desk.tray_host()
    program = desk.app()
    desk.press(desk.menu(), "Up", "Return")
    assert program.wait(30) == 0


def test_closing_leaves_the_icon_and_a_second_start_brings_the_window_back(desk: Desk) -> None:
    desk.tray_host()
    program = desk.app()
    desk.wait(desk.icon)
    desk.wait(desk.main_windows)
    desk.press_close(desk.main_windows()[0])
    desk.wait(lambda: not desk.main_windows())
    assert desk.icon() is not None
    assert desk.app("--quick-log").wait(30) == 0
    desk.wait_for(_QUICK)
    assert not desk.main_windows()
    assert desk.app().wait(30) == 0
    desk.wait(desk.main_windows)
    assert program.poll() is None


def test_a_tray_that_comes_late_gets_the_icon_and_one_that_goes_gives_the_window_back(desk: Desk) -> None:
    program = desk.app("--hidden")
    host = desk.tray_host()
    desk.wait(desk.icon)
    assert not desk.main_windows()
    host.kill()
    desk.wait(desk.main_windows)
    desk.tray_host()
    desk.wait(desk.icon)
    assert program.poll() is None


def test_x9_without_a_tray_closing_ends_the_program(desk: Desk) -> None:
    program = desk.app()
    desk.wait(desk.main_windows)
    desk.press_close(desk.main_windows()[0])
    assert program.wait(30) == 0


def test_of_several_starts_at_once_one_window_comes(desk: Desk) -> None:
    begun = [desk.app() for _each in range(3)]
    desk.wait(desk.main_windows)
    desk.wait(lambda: sum(each.poll() is None for each in begun) == 1)
    assert sorted(each.poll() or 0 for each in begun) == [0, 0, 0]
    assert len(desk.main_windows()) == 1


def test_other_data_have_their_own_window(desk: Desk) -> None:
    desk.app()
    desk.begin(sys.executable, "-m", "lifehelper_desktop", "--data-dir", str(desk.home / "다른 자료"), "--lang", "ko")
    desk.wait(lambda: len(desk.main_windows()) == 2)


def test_a_first_one_that_hangs_is_told_in_words(desk: Desk) -> None:
    program = desk.app()
    desk.wait(desk.main_windows)
    program.send_signal(signal.SIGSTOP)
    second = desk.app()
    desk.press(desk.wait_for(_TROUBLE), "Return")
    assert second.wait(30) == 3
    assert second.stderr is not None
    assert "이미 켜져 있는데 지금은 답하지 않아요" in second.stderr.read()
    program.send_signal(signal.SIGCONT)


# Without a window manager nobody else would send what its close button sends.
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
