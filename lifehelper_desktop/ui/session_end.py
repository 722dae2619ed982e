"""The end that the system asks for: logging out, shutting down, or a signal.

What is recorded is in the database the moment it is recorded, so there is little to save and nothing to ask. The model
is stopped in the middle of its answer, other programs' servers are ended, and the program is gone within three
seconds, whatever hangs. On Windows and macOS the session speaks through Qt; on Linux, where Qt's libraries know no
session manager, it sends SIGTERM.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Final, NoReturn

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.ui.application import Application

if TYPE_CHECKING:
    from lifehelper_desktop.ui.main_window import MainWindow

LIMIT_S: Final = 2.5
"""After so long the process leaves, closed or not: whoever ends the session waits no longer than a few seconds."""
_LAST_WORDS_S: Final = 0.2
_SIGNALS: Final = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")

_log = logging.getLogger(__name__)


class SessionEnd(QObject):
    """Main thread, while the window is there. `close` it when the event loop has ended."""

    _came = Signal()

    def __init__(self, app: QApplication, window: MainWindow) -> None:
        """Listen to signals and to the session."""
        super().__init__(app)
        self._app, self._window = app, window
        self._is_ending = False
        app.commitDataRequest.connect(self._prepare, Qt.ConnectionType.DirectConnection)
        if isinstance(app, Application):
            app.leaving.connect(window.in_tray.let_go)
        # Python runs a handler only between two of the main thread's own instructions, and that one sleeps in Qt or
        # copies a database: the byte in the socket wakes a thread, from which on the time runs whatever else does.
        self._reading, self._writing = socket.socketpair()
        self._writing.setblocking(False)
        self._fd_before = signal.set_wakeup_fd(self._writing.fileno(), warn_on_full_buffer=False)
        self._handlers_before = {
            number: signal.signal(number, _note)
            for name in _SIGNALS
            if (number := getattr(signal, name, None)) is not None and signal.getsignal(number) is not signal.SIG_IGN
        }
        self._came.connect(self._on_signal, Qt.ConnectionType.QueuedConnection)
        self._waiting = threading.Thread(target=self._wait, args=(self._came.emit,), name="session-end", daemon=True)
        self._waiting.start()

    @property
    def is_ending(self) -> bool:
        """Whether a signal has ended the window."""
        return self._is_ending

    def close(self) -> None:
        """Listen no more."""
        if not self._is_ending:  # else another signal must not break off what is left to be closed
            for number, handler in self._handlers_before.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(self._fd_before)
            self._writing.close()  # which ends the thread, unless a signal has
            self._waiting.join()
            self._reading.close()
        self._app.commitDataRequest.disconnect(self._prepare)
        if isinstance(self._app, Application):
            self._app.leaving.disconnect(self._window.in_tray.let_go)

    def _prepare(self, _manager: QSessionManager) -> None:
        """The session is about to end and may still be kept: stop the answer, write down what is not yet written.

        Nobody is asked, so the session need not wait. Qt tells the end itself by closing the windows.
        """
        self._window.thread_.stop()
        self._window.keep_place()

    def _wait(self, tell: Callable[[], None]) -> None:
        """In a thread of its own: wait for the first signal, then give the main thread its time."""
        if self._reading.recv(1):
            leave_after(LIMIT_S)
            with contextlib.suppress(RuntimeError):  # the program has ended meanwhile
                tell()

    @Slot()
    def _on_signal(self) -> None:
        self._is_ending = True
        _log.info("the system ends the program")
        servers = self._window.context.servers
        if servers is not None:  # beside the rest: both take their time
            threading.Thread(target=servers.close, name="servers-end", daemon=True).start()
        self._window.finish()
        self._app.exit(0)


def leave_after(seconds: float) -> threading.Timer:
    """End the process after `seconds` unless it has ended by then. What is recorded is in the database already."""
    timer = threading.Timer(seconds, _leave_late)
    timer.daemon = True
    timer.start()
    return timer


def leave(code: int) -> NoReturn:
    """End the process at once, when everything is closed: taking Python and Qt apart takes seconds on a busy machine,
    and a session that ends is busy.
    """
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _leave_late() -> None:
    """Nothing here may wait for what hangs: the log may be on the disk that does."""
    words = "something did not end in time; leaving without it"
    told = threading.Thread(target=_log.warning, args=(words,), daemon=True)
    told.start()
    told.join(_LAST_WORDS_S)
    os._exit(0)


def _note(_number: int, _frame: FrameType | None) -> None:
    """The socket has the byte; nothing may be done here."""
