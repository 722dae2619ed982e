"""Makes the starter model ready while the user reads on: a thread of its own, progress, and a clean stop."""

from __future__ import annotations

import contextlib
import threading

from PySide6.QtCore import QObject, Qt, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.llm import model_store
from lifehelper_desktop.llm.protocol import LlmError, LlmStopped

_SHUTDOWN_S = 10.0  # a block is written in far less; what is left of a stopped file is removed by the thread itself


class Preparing(QObject):
    """Main thread. `moved` carries 0.0 to 1.0; `ended` carries what went wrong, in words, or nothing."""

    moved = Signal(float)
    ended = Signal(str)
    _from_thread = Signal(object)

    def __init__(self, paths: AppPaths, parent: QObject) -> None:
        """Start nothing yet."""
        super().__init__(parent)
        self._paths = paths
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self.done = 0.0
        self._from_thread.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        """Whether the thread works."""
        return self._thread is not None

    @property
    def is_ready(self) -> bool:
        """Whether the starter model lies there, made earlier or now."""
        return model_store.starter_is_ready(self._paths)

    def start(self) -> None:
        """Begin; while it runs, nothing happens."""
        if self._thread is None:
            self._stop.clear()
            self.done = 0.0
            self._thread = threading.Thread(target=self._run, name="prepare-starter", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End it and wait for the thread; what was made of the file so far is gone."""
        thread = self._thread
        if thread is not None:
            self._stop.set()
            thread.join(_SHUTDOWN_S)

    def _run(self) -> None:
        emit = self._from_thread.emit
        words = ""
        try:
            model_store.resolve_model(self._paths, "", progress=lambda done: emit(float(done)), stop=self._stop)
        except LlmStopped:
            pass
        except (WorldError, LlmError) as error:
            words = str(error)
        with contextlib.suppress(RuntimeError):  # nobody is there any more to be told
            emit(words)

    def _take(self, value: object) -> None:
        if isinstance(value, float):
            self.done = value
            self.moved.emit(value)
            return
        self._thread = None
        self.ended.emit(str(value))
