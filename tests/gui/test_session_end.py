"""The end that the system asks for, in the window itself; with real signals and processes in tests/integration."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.ui import session_end
from lifehelper_desktop.ui.session_end import SessionEnd
from lifehelper_desktop.ui.window_state import FILE_NAME
from tests.gui.conftest import Gui, MakeGui


@pytest.fixture
def gui(make_gui: MakeGui) -> Gui:
    return make_gui([LlmTextChunk("천천히 "), *[LlmTextChunk("답해요. ")] * 50])


@pytest.fixture
def session(gui: Gui, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[SessionEnd]:
    """What the running program has; the process of the tests stays."""
    monkeypatch.setattr(session_end, "leave_after", lambda _seconds: None)
    monkeypatch.setattr(qapp, "exit", lambda _code: None)  # it would end every later event loop of the tests
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}
    made = SessionEnd(qapp, gui.window)
    yield made
    made._is_ending = False
    made.close()
    assert {number: signal.getsignal(number) for number in before} == before
    made.deleteLater()


class Spontaneous(QCloseEvent):
    """What a session or a window system sends."""

    def spontaneous(self) -> bool:
        return True


@pytest.fixture
def tray_there(gui: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(gui.window.in_tray.tray), "is_there", property(lambda _tray: True))


@pytest.mark.usefixtures("tray_there")
def test_at_the_end_of_the_session_closing_hides_nothing(gui: Gui) -> None:
    event = Spontaneous()
    assert gui.window.in_tray.takes(event), "usually it stays in the tray"
    gui.window.show()
    gui.window.in_tray.let_go()
    event = Spontaneous()
    assert not gui.window.in_tray.takes(event)
    assert event.isAccepted()


def test_a_signal_ends_the_window_and_its_thread(gui: Gui, session: SessionEnd) -> None:
    gui.say("안녕")
    os.kill(os.getpid(), signal.SIGTERM)
    gui.qtbot.waitUntil(lambda: not gui.window.isVisible(), timeout=3000)
    assert not gui.window.thread_.isRunning()
    assert (gui.store.paths.data / FILE_NAME).is_file()
    os.kill(os.getpid(), signal.SIGTERM)  # an impatient second one changes nothing
    gui.qtbot.wait(50)
    assert session._is_ending


def test_a_session_that_may_still_go_on_stops_the_answer_and_keeps_the_window(gui: Gui, session: SessionEnd) -> None:
    gui.say("안녕")
    session._prepare(None)  # type: ignore[arg-type]
    gui.wait_idle()
    assert gui.window.isVisible()
    assert (gui.store.paths.data / FILE_NAME).is_file()
    gui.say("다시")
    gui.wait_idle()


_HEARS_QUIT = """
import sys
from PySide6.QtCore import QEvent, QTimer, QUrl
from PySide6.QtGui import QFileOpenEvent
from lifehelper_desktop.ui.application import Application
app = Application(["app"])
app.leaving.connect(lambda: print("leaving", flush=True))
QTimer.singleShot(0, lambda: app.sendEvent(app, QFileOpenEvent("/tmp/early.gguf")))
QTimer.singleShot(10, lambda: app.on_file(lambda path: print(path, flush=True)))
QTimer.singleShot(20, lambda: app.sendEvent(app, QFileOpenEvent(QUrl.fromLocalFile("/tmp/late.gguf"))))
QTimer.singleShot(30, app.quit)
sys.exit(app.exec())
"""


def test_the_application_hears_the_session_and_the_files_of_macos(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _HEARS_QUIT], capture_output=True, text=True, timeout=60, check=True, cwd=Path.cwd()
    )
    assert done.stdout.split() == ["/tmp/early.gguf", "/tmp/late.gguf", "leaving"]


def test_signals_that_whoever_started_us_ignores_stay_ignored(gui: Gui, qapp: QApplication) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as `nohup` does
    try:
        made = SessionEnd(qapp, gui.window)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        made.close()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
