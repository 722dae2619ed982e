"""One download: progress, pause, resume, checksum, and never a half file under a model's name.

`download` blocks, so it runs in a thread of its own; `DownloadControl` may be used from any other one.
"""

from __future__ import annotations

import errno
import logging
import re
import shutil
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

import httpx
from filelock import FileLock, Timeout
from huggingface_hub import get_session
from huggingface_hub.utils import build_hf_headers, hf_raise_for_status  # type: ignore[attr-defined]

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.models.hub import RemoteFile, ask_hub, in_words, no_space
from lifehelper_desktop.llm.models.known import KnownModel
from lifehelper_desktop.llm.models.part_file import PartFile, part_path, part_size, remove_part

_log = logging.getLogger(__name__)

_TIMEOUT: Final = httpx.Timeout(30.0, connect=10.0)
_RESERVE: Final = 64 * 1024 * 1024
"""Bytes of the disk that stay free for everything else."""
_WAITS: Final = (1.0, 3.0, 8.0)  # seconds before each new try after a lost line
_REPORT_S: Final = 0.1
_SPEED_WINDOW_S: Final = 5.0
_RANGE: Final = re.compile(r"bytes (\d+)-\d+/(\d+|\*)")


class Outcome(StrEnum):
    """How a download ended, if no error ended it."""

    DONE = "done"
    PAUSED = "paused"
    CANCELLED = "cancelled"


class Phase(StrEnum):
    """What a download does: `asking` the Hub, `checking` the part that is there, `receiving`."""

    ASKING = "asking"
    CHECKING = "checking"
    RECEIVING = "receiving"


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a download stands.

    Attributes:
        done, total: Bytes; `total` is about right before the Hub has answered.
        speed: Bytes per second over the last seconds, 0 while unknown.
        seconds_left: By that speed, None while unknown.
    """

    phase: Phase
    done: int
    total: int
    speed: float = 0.0
    seconds_left: float | None = None


Listener = Callable[[Progress], None]


class DownloadControl:
    """Asks a running download to end. Any thread; a read that waits for the network is woken up."""

    def __init__(self) -> None:
        """Nothing is asked."""
        self._lock = threading.Lock()
        self._asked = threading.Event()
        self._wanted: Outcome | None = None
        self._socket: socket.socket | None = None

    @property
    def wanted(self) -> Outcome | None:
        """`PAUSED` or `CANCELLED` once asked for, else None."""
        return self._wanted

    def pause(self) -> None:
        """End soon and keep what came."""
        self._end(Outcome.PAUSED)

    def cancel(self) -> None:
        """End soon and remove what came."""
        self._end(Outcome.CANCELLED)

    def _end(self, wanted: Outcome) -> None:
        with self._lock:
            if self._wanted is not Outcome.CANCELLED:
                self._wanted = wanted
            self._asked.set()
            _wake(self._socket)

    def wait(self, seconds: float) -> None:
        """Wait, but no longer than until somebody asks for the end."""
        self._asked.wait(seconds)

    @contextmanager
    def waking(self, connection: socket.socket | None) -> Iterator[None]:
        """While inside, asking for the end also wakes whoever reads from `connection`."""
        with self._lock:
            self._socket = connection
            if self._wanted is not None:
                _wake(connection)
        try:
            yield
        finally:
            with self._lock:
                self._socket = None


def _wake(connection: socket.socket | None) -> None:
    if connection is not None:
        try:
            # The plain method also for TLS: its own one would change the object under the reader's hands.
            socket.socket.shutdown(connection, socket.SHUT_RDWR)
        except OSError:
            _log.debug("the connection is gone already", exc_info=True)


class _LostLineError(Exception):
    """The answer ended before the file did."""


def download(
    model: KnownModel,
    models: Path,
    control: DownloadControl,
    listener: Listener,
    *,
    endpoint: str | None = None,
    waits: Sequence[float] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Outcome:
    """Fetch `model` into the folder `models`, going on where an earlier try ended.

    Args:
        model: Which one.
        models: Takes the file when it is whole and its checksum right; its half lies in a folder below.
        control: Asks for a pause or the end.
        listener: Told of the progress in this thread, at most about ten times a second.
        endpoint: Another Hub's address, see `ask_hub`.
        waits: Seconds before each new try after the line was lost; a try that brought bytes starts them anew.
        clock: Seconds, for the speed.

    Raises:
        WorldError: In words, with the next step.
    """
    try:
        part_path(models, model.file).parent.mkdir(parents=True, exist_ok=True)
        with FileLock(part_path(models, model.file).with_suffix(".lock"), timeout=0):
            outcome = _Download(
                model, models, control, listener, endpoint, _WAITS if waits is None else waits, clock
            ).run()
            if outcome is Outcome.CANCELLED:
                remove_part(models, model.file)
            return outcome
    except Timeout as error:
        raise WorldError(
            _("다른 창에서 이 모델을 이미 받고 있어요."), _("그쪽이 끝나기를 기다리거나, 그쪽에서 멈춰 주세요.")
        ) from error
    except httpx.HTTPError as error:
        raise in_words(error, model, models) from error
    except OSError as error:
        raise _disk_words(error, model, models) from error


def _disk_words(error: OSError, model: KnownModel, models: Path) -> WorldError:
    if isinstance(error, ConnectionError):  # the Hub's «offline» is one
        return in_words(error, model, models)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return no_space(model.bytes - part_size(models, model.file), shutil.disk_usage(models).free)
    _log.warning("download of %s", model.id, exc_info=error)
    return WorldError(
        _("모델 파일을 쓸 수 없었어요: {reason}").format(reason=error.strerror or error),
        _("데이터 폴더에 쓸 수 있는지 확인해 주세요."),
    )


class _Download:
    def __init__(
        self,
        model: KnownModel,
        models: Path,
        control: DownloadControl,
        listener: Listener,
        endpoint: str | None,
        waits: Sequence[float],
        clock: Callable[[], float],
    ) -> None:
        self._model, self._models, self._control, self._endpoint = model, models, control, endpoint
        self._waits = waits
        self._meter = _Meter(listener, clock)

    def run(self) -> Outcome:
        self._meter.tell(Phase.ASKING, 0, self._model.bytes)
        remote = ask_hub(self._model, self._endpoint)
        if self._control.wanted:
            return self._control.wanted
        part = PartFile(self._models, self._model.file, remote.sha256)
        read_all = False
        try:
            self._require_space(remote.size - part.kept)
            read_all = part.read_kept(lambda done: self._seen(done, remote.size))
            if read_all and self._receive_all(part, remote):
                self._finish(part, remote)
                return Outcome.DONE
            assert self._control.wanted is not None
            return self._control.wanted
        finally:
            part.close(read_all=read_all)

    def _seen(self, done: int, total: int) -> bool:
        self._meter.tell(Phase.CHECKING, done, total)
        return self._control.wanted is None

    def _require_space(self, missing: int) -> None:
        free = shutil.disk_usage(self._models).free
        if missing + _RESERVE > free:
            raise no_space(missing + _RESERVE, free)

    def _receive_all(self, part: PartFile, remote: RemoteFile) -> bool:
        """Return whether the file is whole; False when an end was asked for."""
        failures = 0
        while part.size < remote.size:
            before = part.size
            try:
                self._try_once(part, remote)
            except (httpx.TransportError, _LostLineError) as error:
                if self._control.wanted is None:
                    failures = 1 if part.size > before else failures + 1
                    if failures > len(self._waits):
                        raise self._told(error) from error
                    _log.info("line lost at %d of %d: %r", part.size, remote.size, error)
                    self._control.wait(self._waits[failures - 1])
            if self._control.wanted is not None:
                return False
        if part.size > remote.size:
            part.restart()
            raise _lie()
        return True

    def _try_once(self, part: PartFile, remote: RemoteFile) -> None:
        self._receive(part, remote)
        if self._control.wanted is None and part.size < remote.size:
            raise _LostLineError

    def _told(self, error: Exception) -> Exception:
        lost = isinstance(error, _LostLineError)
        return in_words(httpx.ReadError("the line was lost") if lost else error, self._model, self._models)

    def _receive(self, part: PartFile, remote: RemoteFile) -> None:
        headers = build_hf_headers()
        headers["Accept-Encoding"] = "identity"
        if part.size:
            headers["Range"] = f"bytes={part.size}-"
        with get_session().stream("GET", remote.url, headers=headers, timeout=_TIMEOUT) as response:
            stream = response.extensions.get("network_stream")
            with self._control.waking(stream.get_extra_info("socket") if stream is not None else None):
                if response.status_code == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE and part.size:
                    part.restart()
                    return
                hf_raise_for_status(response)
                self._agree(response, part, remote)
                self._meter.start(part.size)
                for block in response.iter_bytes():
                    if self._control.wanted is not None:
                        return
                    part.append(block)
                    if part.size > remote.size:
                        part.restart()
                        raise _lie()
                    self._meter.tell(Phase.RECEIVING, part.size, remote.size)

    def _agree(self, response: httpx.Response, part: PartFile, remote: RemoteFile) -> None:
        """See that the answer begins where we are and is as long as the Hub said; a whole one starts again."""
        if response.status_code == httpx.codes.PARTIAL_CONTENT:
            found = _RANGE.match(response.headers.get("Content-Range", ""))
            if found is None or int(found[1]) != part.size or found[2] not in (str(remote.size), "*"):
                part.restart()
                raise _lie()
            return
        if part.size:
            _log.info("the server sends the whole file again")
            part.restart()
        length = response.headers.get("Content-Length", "")
        if length.isdigit() and int(length) != remote.size:
            raise _lie()

    def _finish(self, part: PartFile, remote: RemoteFile) -> None:
        if part.checksum != remote.sha256:
            _log.error("%s: checksum %s instead of %s", self._model.id, part.checksum, remote.sha256)
            part.restart()
            raise WorldError(
                _("받은 파일의 체크섬이 원본과 달라서 지웠어요."),
                _("처음부터 다시 받아 주세요. 또 그러면 다른 네트워크에서 받아 보세요."),
            )
        part.finish(self._models / self._model.file)
        self._meter.tell(Phase.RECEIVING, remote.size, remote.size, at_once=True)


def _lie() -> WorldError:
    return WorldError(
        _("서버가 알린 크기와 보내온 크기가 달라서 멈췄어요."),
        _("잠시 뒤에 처음부터 다시 받아 주세요. 또 그러면 다른 네트워크에서 받아 보세요."),
    )


class _Meter:
    """Tells the listener now and then, with the speed of the last seconds."""

    def __init__(self, listener: Listener, clock: Callable[[], float]) -> None:
        self._listener, self._clock = listener, clock
        self._marks: deque[tuple[float, int]] = deque()
        self._last: tuple[Phase, float] | None = None

    def start(self, done: int) -> None:
        self._marks = deque([(self._clock(), done)])

    def tell(self, phase: Phase, done: int, total: int, *, at_once: bool = False) -> None:
        now = self._clock()
        if not at_once and self._last is not None and self._last[0] is phase and now - self._last[1] < _REPORT_S:
            return
        self._last = (phase, now)
        if phase is not Phase.RECEIVING:
            self._listener(Progress(phase, done, total))
            return
        self._marks.append((now, done))
        while len(self._marks) > 2 and now - self._marks[0][0] > _SPEED_WINDOW_S:
            self._marks.popleft()
        (began, first), (until, last) = self._marks[0], self._marks[-1]
        speed = (last - first) / (until - began) if until > began else 0.0
        self._listener(Progress(phase, done, total, speed, (total - done) / speed if speed > 0 else None))
