"""One window per data folder: a second start hands its wish to the first one and ends.

The first instance holds a lock file (whose owner the system knows, so that a crash leaves nothing behind) and listens
on a local socket that only the same user may open. What arrives there is untrusted: a line with a known word, or with
the path of a model file, which is then checked like one that the user chooses; anything else is dropped. A second lock
file is held while the window is not there yet (a long migration): a wish that comes then waits in the socket, and its
sender need not wait with it.
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
from urllib.parse import quote, unquote_to_bytes

from PySide6.QtCore import QDeadlineTimer, QLockFile, QObject
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _

SHOW: Final = "show"
QUICK_LOG: Final = "quick-log"
QUIT: Final = "quit"
WISHES: Final = (SHOW, QUICK_LOG, QUIT)
ANSWER_MS: Final = 2000
_ADD_MODEL: Final = "add-model:"  # and the file, percent-encoded
_MAX_LINE: Final = 16 * 1024  # bytes; the longest path is 4,096, each byte written as three
_MAX_TOKEN: Final = 1000  # tokens of window managers have about 100
_RETRY_S: Final = 0.02
_TAKEN: Final = b"ok\n"
_LOCK_NAME: Final = "window.lock"
_STARTING_NAME: Final = "window.starting.lock"
_SOCKET_NAME: Final = "window.socket"
_MAX_SOCKET_NAME: Final = 80  # bytes; the system takes 107, and Qt begins with a longer name of its own
_ACTIVATION: Final = "XDG_ACTIVATION_TOKEN"

_log = logging.getLogger(__name__)


def adding(model: Path) -> str:
    """Return the wish to add a model file to the list."""
    path = os.path.abspath(model)  # noqa: PTH100 - links stay as the user named them
    return _ADD_MODEL + quote(os.fsencode(path), safe="/")


def model_of(wish: str) -> Path | None:
    """Return the model file that a wish wants added; None for every other wish, and for what is no such file's path."""
    if not wish.startswith(_ADD_MODEL):
        return None
    raw = unquote_to_bytes(wish.removeprefix(_ADD_MODEL))
    path = Path(os.fsdecode(raw)) if b"\0" not in raw else Path()
    return path if path.is_absolute() else None


def server_name(folder: Path) -> str:
    """Return the socket's name for a data folder: short, since such names are limited to about 100 bytes.

    It lies where nobody else can put one: in the user's folder for such things (in a Flatpak, in the part of it that
    the starts of one app share), else in the data folder. The system's folder for temporary files, which everybody
    may write into, is the last resort on Linux and the user's own elsewhere.
    """
    digest = hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:16]
    name = f"lifehelper-{digest}"
    runtime, flatpak = os.environ.get("XDG_RUNTIME_DIR"), os.environ.get("FLATPAK_ID")
    if runtime and Path(runtime).is_dir():
        shared = Path(runtime, "app", flatpak) if flatpak else Path(runtime)
        return str((shared if shared.is_dir() else Path(runtime)) / name)
    inside = folder.resolve() / _SOCKET_NAME
    if sys.platform.startswith("linux") and len(os.fsencode(inside)) <= _MAX_SOCKET_NAME:
        return str(inside)
    return name


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

    def end_first(self, wait_s: float) -> bool:
        """Ask a running instance to end and wait for that; return True when none runs (any more)."""
        deadline = QDeadlineTimer(int(wait_s * 1000))
        asked = False
        while self._is_running():
            if deadline.hasExpired():
                return False
            if not asked:
                asked = self.ask_first(QUIT)
            # Of the end of another program nothing tells but its lock, and of one that does not take the wish neither.
            time.sleep(_RETRY_S)
        return True

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

    def _is_running(self) -> bool:
        return self._folder.is_dir() and self._is_held(_LOCK_NAME)

    def _first_is_starting(self) -> bool:
        return self._is_held(_STARTING_NAME)

    def _is_held(self, name: str) -> bool:
        lock = _lock_file(self._lock_path(name))
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
        known = wish in WISHES or model_of(wish) is not None
        if not (line.endswith("\n") and known and token.isprintable() and len(token) < _MAX_TOKEN):
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
    # A token that was cut would be none: the wish is what counts.
    known = token if len(token.encode("utf-8", "replace")) < _MAX_TOKEN else ""
    return f"{wish} {known}\n".encode("utf-8", "replace")


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
