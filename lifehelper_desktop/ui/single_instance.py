"""One window per data folder: a second start hands its wish to the first one and ends.

The first instance holds a lock file (whose owner the system knows, so that a crash leaves nothing behind) and listens
on a local socket that only the same user may open. What arrives there is untrusted: a short line with a known word,
anything else is dropped. A second lock file is held while the window is not there yet (a long migration): a wish that
comes then waits in the socket, and its sender need not wait with it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _

SHOW: Final = "show"
QUICK_LOG: Final = "quick-log"
WISHES: Final = (SHOW, QUICK_LOG)
ANSWER_MS: Final = 2000
_MAX_LINE: Final = 1024  # bytes; tokens of window managers have about 100
_RETRY_S: Final = 0.02
_TAKEN: Final = b"ok\n"
_LOCK_NAME: Final = "window.lock"
_STARTING_NAME: Final = "window.starting.lock"
_ACTIVATION: Final = "XDG_ACTIVATION_TOKEN"

_log = logging.getLogger(__name__)


def server_name(folder: Path) -> str:
    """Return the socket's name for a data folder: short, since such names are limited to about 100 bytes."""
    digest = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    name = f"lifehelper-{digest}"
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return str(Path(runtime) / name) if runtime and Path(runtime).is_dir() else name


class SingleInstance(QObject):
    """Main thread. Make it before the window; `claim` says whether this process may open one."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        """Prepare for the data in `folder`; nothing is claimed yet."""
        super().__init__(parent)
        self._folder = folder
        self._name = server_name(folder)
        self._lock: QLockFile | None = None
        self._starting: QLockFile | None = None
        self._server: QLocalServer | None = None
        self._on_wish: Callable[[str, str], None] | None = None
        self._early: list[tuple[str, str]] = []

    def claim(self) -> bool:
        """Return True when this process is the first one of the folder, and listen from now on.

        Raises:
            WorldError: The folder does not take the lock file, for another reason than a running program.
        """
        lock = _lock_file(self._lock_path(_LOCK_NAME))
        if not lock.tryLock(0):
            if lock.error() is QLockFile.LockError.LockFailedError:
                return False
            raise WorldError(
                _("자료 폴더를 쓸 수 없어요: {path}").format(path=self._folder),
                _("폴더의 권한과 남은 공간을 살펴봐 주세요."),
            )
        self._lock = lock
        self._mark_starting()
        self._listen()
        return True

    def ask_first(self, wish: str) -> bool:
        """Hand `wish` to the running instance; return whether it took it within two seconds.

        One that is still starting has it in its socket then, and counts as having taken it.
        """
        deadline = QDeadlineTimer(ANSWER_MS)
        while not deadline.hasExpired():
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(max(1, deadline.remainingTime())):
                _let_it_come_to_the_front()
                socket.write(_line(wish, os.environ.get(_ACTIVATION, "")))
                return _answer(socket, deadline) == _TAKEN or self._first_is_starting()
            # The other one may have locked a moment ago and listen in a moment, of which nothing tells.
            time.sleep(_RETRY_S)
        return False

    def on_wish(self, slot: Callable[[str, str], None]) -> None:
        """Call `slot(wish, activation_token)` for every later start, and for those that came before this call."""
        self._on_wish = slot
        if self._starting is not None:
            self._starting.unlock()
            self._starting = None
        early, self._early = self._early, []
        for wish, token in early:
            slot(wish, token)

    def hold_wishes(self) -> None:
        """Keep what comes until `on_wish` is called again: the window has ended, and another one may follow."""
        self._on_wish = None
        self._mark_starting()

    def release(self) -> None:
        """Listen no more and let another process be the first."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for lock in (self._starting, self._lock):
            if lock is not None:
                lock.unlock()
        self._starting = self._lock = None

    def _mark_starting(self) -> None:
        if self._starting is None:
            lock = _lock_file(self._lock_path(_STARTING_NAME))
            if lock.tryLock(0):
                self._starting = lock

    def _first_is_starting(self) -> bool:
        lock = _lock_file(self._lock_path(_STARTING_NAME))
        if not lock.tryLock(0):
            return lock.error() is QLockFile.LockError.LockFailedError
        lock.unlock()
        return False

    def _lock_path(self, name: str) -> Path:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            _log.warning("data folder: %s", error)
            # Opening the data tells what is wrong; the lock only needs some place of its own.
            return Path(tempfile.gettempdir()) / f"{Path(self._name).name}.{name}"
        return self._folder / name

    def _listen(self) -> None:
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        if not server.listen(self._name):
            QLocalServer.removeServer(self._name)  # we hold the lock: what is there was left by a crash
            if not server.listen(self._name):
                _log.warning("a second start will not reach this window: %s", server.errorString())
                return
        server.newConnection.connect(self._on_connection)
        self._server = server

    def _on_connection(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            socket.disconnected.connect(socket.deleteLater)
            socket.readyRead.connect(lambda each=socket: self._read(each))
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if not socket.canReadLine():
            if socket.bytesAvailable() >= _MAX_LINE:
                socket.abort()
            return
        line = bytes(socket.readLine(_MAX_LINE).data()).decode("utf-8", "replace")
        wish, _space, token = line.rstrip("\n").partition(" ")
        if not line.endswith("\n") or wish not in WISHES or not token.isprintable():
            _log.warning("unknown wish of a second start")
            socket.abort()
            return
        socket.write(_TAKEN)
        socket.flush()
        socket.disconnectFromServer()
        if self._on_wish is None:
            self._early.append((wish, token))
        else:
            self._on_wish(wish, token)


def _lock_file(path: Path) -> QLockFile:
    lock = QLockFile(str(path))
    lock.setStaleLockTime(0)  # a running owner is never stale, however long it runs
    return lock


def _line(wish: str, token: str) -> bytes:
    line = f"{wish} {token}\n".encode("utf-8", "replace")
    # A token that was cut would be none: the wish is what counts.
    return line if len(line) < _MAX_LINE else f"{wish} \n".encode()


def _answer(socket: QLocalSocket, deadline: QDeadlineTimer) -> bytes:
    answer = bytes(socket.readAll().data())
    while not answer.endswith(b"\n") and socket.waitForReadyRead(max(1, deadline.remainingTime())):
        answer += bytes(socket.readAll().data())
    return answer + bytes(socket.readAll().data())  # the other side may have written and gone at once


def _let_it_come_to_the_front() -> None:
    """Windows lets only the program that the user just started take the foreground, unless it passes that on."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.AllowSetForegroundWindow(-1)


def still_busy() -> WorldError:
    """Return the error for a first instance that does not answer."""
    return WorldError(
        _("라이프 헬퍼가 이미 켜져 있는데 지금은 답하지 않아요."),
        _("잠시 뒤에 다시 열거나, 켜져 있는 라이프 헬퍼를 끝낸 다음 열어 주세요."),
    )
