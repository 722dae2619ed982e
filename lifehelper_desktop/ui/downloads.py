"""Downloads of the window: each in a thread of its own, so that they go on when the list of models is closed."""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.models.known import KnownModel

if TYPE_CHECKING:
    from lifehelper_desktop.llm.models.download import DownloadControl, Progress

_log = logging.getLogger(__name__)

_SHUTDOWN_S: Final = 3.0
"""How long the end of the window waits for a download to put its bytes down. A later one is cut off like in a crash,
which loses at most the bytes since the last note."""


@dataclass(frozen=True, slots=True)
class DownloadState:
    """Where one download stands.

    Attributes:
        running: A thread works on it.
        stopping: It was asked to end.
        progress: The newest one, None before the first.
        error: Why it ended, None when it went well or is under way.
    """

    running: bool = False
    stopping: bool = False
    progress: Progress | None = None
    error: WorldError | None = None


@dataclass(frozen=True, slots=True)
class _Moved:
    model_id: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class _Ended:
    model_id: str
    error: WorldError | None


class _Job:
    def __init__(self) -> None:
        self.cancelled = False
        self.stopped = False
        self.control: DownloadControl | None = None
        self.thread: threading.Thread | None = None
        self.lock = threading.Lock()


class Downloads(QObject):
    """Main thread only. `changed` carries the id of a model whose state is new, `ended` of one that ended."""

    changed = Signal(str)
    ended = Signal(str)
    _told = Signal(object)

    def __init__(self, models: Path, parent: QObject | None = None) -> None:
        """Fetch into the folder `models`."""
        super().__init__(parent)
        self._models = models
        self._states: dict[str, DownloadState] = {}
        self._jobs: dict[str, _Job] = {}
        self._closed = False
        self._told.connect(self._on_told, Qt.ConnectionType.QueuedConnection)

    def state(self, model_id: str) -> DownloadState:
        """Return where the download of a model stands."""
        return self._states.get(model_id, DownloadState())

    @property
    def is_busy(self) -> bool:
        """Whether anything is under way."""
        return bool(self._jobs)

    def start(self, model: KnownModel) -> None:
        """Begin or go on; nothing happens while it runs already."""
        if model.id in self._jobs or self._closed:
            return
        job = self._jobs[model.id] = _Job()
        job.thread = threading.Thread(target=self._run, args=(model, job), name=f"download-{model.id}", daemon=True)
        self._set(model.id, DownloadState(running=True))
        job.thread.start()

    def pause(self, model_id: str) -> None:
        """Ask a running download to end and keep what came."""
        self._end(model_id, cancel=False)

    def cancel(self, model_id: str) -> None:
        """Ask a running download to end and drop what came."""
        self._end(model_id, cancel=True)

    def forget(self, model_id: str) -> None:
        """Drop the error of a download that ended."""
        if model_id not in self._jobs and self._states.pop(model_id, None) is not None:
            self.changed.emit(model_id)

    def shutdown(self) -> None:
        """Pause everything and wait a little; nothing is told any more."""
        self._closed = True
        jobs = list(self._jobs.values())
        for job in jobs:
            _ask(job, cancel=False)
        for job in jobs:
            if job.thread is not None:
                job.thread.join(_SHUTDOWN_S)

    def _end(self, model_id: str, *, cancel: bool) -> None:
        job = self._jobs.get(model_id)
        if job is not None:
            self._set(model_id, replace(self.state(model_id), stopping=True))
            _ask(job, cancel=cancel)

    def _set(self, model_id: str, state: DownloadState) -> None:
        self._states[model_id] = state
        self.changed.emit(model_id)

    # ---- the thread of a download ----

    def _run(self, model: KnownModel, job: _Job) -> None:
        error: WorldError | None = WorldError(_("받는 중에 예상하지 못한 문제가 있었어요."), _("이어받아 주세요."))
        try:
            # Half a second of imports that nothing else of the window needs.
            from lifehelper_desktop.llm.models.download import DownloadControl, download

            with job.lock:
                job.control = DownloadControl()
                if job.stopped:
                    _pass_on(job)
            download(model, self._models, job.control, lambda progress: self._tell(_Moved(model.id, progress)))
            error = None
        except WorldError as told:
            error = told
        finally:
            self._tell(_Ended(model.id, error))

    def _tell(self, event: _Moved | _Ended) -> None:
        if not self._closed:
            self._told.emit(event)

    def _on_told(self, event: _Moved | _Ended) -> None:
        if self._closed:
            return
        if isinstance(event, _Ended):
            del self._jobs[event.model_id]
            self._set(event.model_id, DownloadState(error=event.error))
            self.ended.emit(event.model_id)
        else:
            self._set(event.model_id, replace(self.state(event.model_id), progress=event.progress))


def _ask(job: _Job, *, cancel: bool) -> None:
    with job.lock:
        job.stopped, job.cancelled = True, job.cancelled or cancel
        _pass_on(job)


def _pass_on(job: _Job) -> None:
    if job.control is not None:
        if job.cancelled:
            job.control.cancel()
        else:
            job.control.pause()
