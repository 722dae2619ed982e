"""The session ends while the real program runs: it saves, stops the model, and is gone within three seconds."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from lifehelper_desktop.base.clock import SystemClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.base.settings import FIRST_RUN_DONE, MODEL_FAMILY, MODEL_PATH, SettingValue
from lifehelper_desktop.storage.store import open_store
from tests.integration.display import environment_of, x_server

pytestmark = [pytest.mark.display, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]

LIMIT_S = 3.0
_LOADED = 250 * 1024 * 1024  # bytes of memory that the program has only with a model in it


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server of our own."""
    with x_server() as name:
        yield name


class Program:
    """The program as a user starts it."""

    def __init__(self, display: str, home: Path, **settings: SettingValue) -> None:
        """Prepare its data."""
        self.environment, self.data = environment_of(display, home), home / "자료"
        with closing(open_store(resolve_paths(self.data), SystemClock())) as store:
            store.settings.set(FIRST_RUN_DONE, True)
            for row in (MODEL_PATH, MODEL_FAMILY):
                if row.key in settings:
                    store.settings.set(row, settings[row.key])

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start it."""
        command = [sys.executable, "-m", "lifehelper_desktop", "--data-dir", str(self.data), "--lang", "ko", *arguments]
        return subprocess.Popen(command, env=self.environment, stderr=subprocess.PIPE, text=True)

    def xdotool(self, *words: str) -> str:
        """Run xdotool."""
        command = ["xdotool", *words]
        return subprocess.run(
            command, env=self.environment, capture_output=True, text=True, timeout=60, check=True
        ).stdout

    def window(self) -> str:
        """Wait for the window and return its id."""
        return self.xdotool("search", "--sync", "--onlyvisible", "--name", "^라이프 헬퍼$").split()[0]

    def events(self) -> list[str]:
        """Kinds of the stored events of conversations, in order."""
        with closing(sqlite3.connect(self.data / "lifehelper.db")) as db:
            return [kind for (kind,) in db.execute("SELECT kind FROM conversation_event ORDER BY id")]

    def end(self, process: subprocess.Popen[str], number: signal.Signals) -> tuple[float, str]:
        """Send a signal; return how long the end took and what was said on the way."""
        begun = time.monotonic()
        process.send_signal(number)
        _out, errors = process.communicate(timeout=30)
        took = time.monotonic() - begun
        assert process.returncode == 0, errors
        return took, errors

    def assert_well(self, errors: str) -> None:
        """The data are whole, nothing crashed, and the place of the window was written down."""
        assert "Traceback" not in errors
        with closing(sqlite3.connect(self.data / "lifehelper.db")) as db:
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert not list((self.data / "logs").glob("crash-*"))
        assert json.loads((self.data / "window.json").read_text(encoding="utf-8"))["width"] >= 100


def wait(what: Callable[[], object], seconds: float = 60.0) -> None:
    """Wait until `what` is true."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_an_idle_window_ends(display: str, tmp_path: Path, number: signal.Signals) -> None:
    program = Program(display, tmp_path)
    process = program.start()
    program.window()
    took, errors = program.end(process, number)
    assert took < LIMIT_S
    program.assert_well(errors)
    assert not (program.data / "window.lock").exists()


@pytest.mark.gguf
def test_the_model_stops_in_the_middle_of_its_answer(display: str, tmp_path: Path, starter_model_path: Path) -> None:
    # The family is forced, so that it writes on and on: the file has no chat template.
    settings: dict[str, SettingValue] = {"model_path": str(starter_model_path), "model_family": "gemma3"}
    program = Program(display, tmp_path, **settings)
    process = program.start()
    window = program.window()
    program.xdotool("windowfocus", "--sync", window, "key", "ctrl+l")
    program.xdotool("type", "--delay", "40", "tell me a long story about walking")
    program.xdotool("key", "Return")
    wait(lambda: "user" in program.events())
    wait(lambda: psutil.Process(process.pid).memory_info().rss > _LOADED)
    time.sleep(0.5)
    answered = program.events()
    busy = psutil.Process(process.pid).cpu_percent(0.2)
    took, errors = program.end(process, signal.SIGTERM)
    print(f"ended {took:.2f} s after SIGTERM, at {busy:.0f} % of a core")
    assert answered == ["user"], "it was still answering"
    assert busy > 10
    assert took < LIMIT_S
    program.assert_well(errors)
    assert program.events()[0] == "user"


def test_a_process_that_hangs_is_left(tmp_path: Path) -> None:
    code = (
        "import sys, time; from lifehelper_desktop.ui.session_end import leave_after; "
        "leave_after(0.3); time.sleep(60); sys.exit(1)"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=30, check=False).returncode == 0


def test_quit_ends_the_running_window_and_waits_for_it(display: str, tmp_path: Path) -> None:
    program = Program(display, tmp_path)
    process = program.start()
    program.window()
    asked = program.start("--quit")
    assert asked.communicate(timeout=30)[1] == ""
    with closing(open_store(resolve_paths(program.data), SystemClock())):
        pass  # its data can be opened: nobody holds them any more
    _out, errors = process.communicate(timeout=10)
    program.assert_well(errors)
    nobody = program.start("--quit")
    nobody.communicate(timeout=30)
    assert (asked.returncode, process.returncode, nobody.returncode) == (0, 0, 0)


_HANGS = """
import sys, time
from types import SimpleNamespace as Some
from PySide6.QtCore import QTimer
from lifehelper_desktop.ui.application import Application
from lifehelper_desktop.ui.session_end import SessionEnd
app = Application(["app"])
window = Some(in_tray=Some(let_go=lambda: None), context=Some(servers=None), finish=lambda: None)
end = SessionEnd(app, window)
def hang():
    print("ready", flush=True)
    time.sleep(60)  # as a copy of a large database to a slow disk does
QTimer.singleShot(0, hang)
app.exec()
"""


def test_a_main_thread_that_is_busy_does_not_hold_up_the_session(tmp_path: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.Popen([sys.executable, "-c", _HANGS], stdout=subprocess.PIPE, env=environment, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    begun = time.monotonic()
    process.terminate()
    process.communicate(timeout=30)
    assert process.returncode == 0
    assert time.monotonic() - begun < LIMIT_S
