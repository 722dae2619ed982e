"""Long work of a dialog on a thread of its own, with progress and a way to stop it.

`Worker` lives in the main thread and runs one job at a time; what a job returns or raises comes back there. The store
gives the thread a connection of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from PySide6.QtCore import QCoreApplication, QObject, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.watch import Stage
from lifehelper_desktop.ui.relay import Relay

T = TypeVar("T")
STOPPED: Final = "stopped"


@dataclass(frozen=True, slots=True)
class Moved:
    """How far a job is: `total` is 0 where it is not known."""

    words: str
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a job came to nothing: a refusal or trouble of the world, in words.

    Attributes:
        is_stopped: The user stopped it; nothing went wrong.
        error: Set when the world refused it.
    """

    words: str
    is_stopped: bool = False
    error: WorldError | None = None


class Task:
    """What a job has in hand, on its own thread."""

    def __init__(self, tell: Callable[[Moved], None]) -> None:
        """Report through `tell`."""
        self._tell = tell
        self.stop = threading.Event()

    def stage(self, stage: Stage, done: int, total: int) -> None:
        """Report the stage of an import or export; fits `storage.transfer`'s `Progress`."""
        self._tell(Moved(stage.words, done, total))

    def step(self, words: str, done: int = 0, total: int = 0) -> None:
        """Report in words of one's own; ends the job when the user wants that.

        Raises:
            TransferError: `stopped`.
        """
        if self.stop.is_set():
            raise TransferError(STOPPED, _("멈췄어요. 바뀐 것은 없어요."))
        self._tell(Moved(words, done, total))


@dataclass(frozen=True, slots=True)
class _Ended:
    job: int
    result: Any = None
    failure: Failure | None = None


class Worker(QObject):
    """Main thread only. `moved` carries a `Moved`."""

    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        """Rest."""
        super().__init__(parent)
        self._number = 0
        self._task: Task | None = None
        self._on_done: Callable[[Any], None] | None = None
        self._on_failed: Callable[[Failure], None] | None = None
        self._relay = Relay(self._on_told)
        app = QCoreApplication.instance()
        if app is not None:
            app.aboutToQuit.connect(self.stop)

    @property
    def is_busy(self) -> bool:
        """Whether a job runs."""
        return self._task is not None

    def start(
        self, work: Callable[[Task], T], on_done: Callable[[T], None], on_failed: Callable[[Failure], None]
    ) -> None:
        """Run `work` on a thread; then call one of the two others in the main thread.

        A refusal, trouble of the world or the user's stop makes a `Failure`; a bug of ours goes to the log and the
        crash report, and makes one too.

        Raises:
            RuntimeError: A job runs already.
        """
        if self._task is not None:
            raise RuntimeError("one job at a time")
        self._number += 1
        number, relay = self._number, self._relay

        def tell(event: Moved | _Ended) -> None:
            relay.tell(number, event)

        task = self._task = Task(tell)
        self._on_done, self._on_failed = on_done, on_failed
        threading.Thread(target=_run, args=(number, task, work, tell), name="dialog-work", daemon=True).start()

    def stop(self) -> None:
        """Ask the job that runs to end; where it can no longer be stopped it goes on to its end."""
        if self._task is not None:
            self._task.stop.set()

    def _on_told(self, number: int, event: Moved | _Ended) -> None:
        if number != self._number or self._task is None:
            return
        if isinstance(event, Moved):
            self.moved.emit(event)
            return
        on_done, on_failed = self._on_done, self._on_failed
        self._task = self._on_done = self._on_failed = None
        if event.failure is not None and on_failed is not None:
            on_failed(event.failure)
        elif event.failure is None and on_done is not None:
            on_done(event.result)


def _run(number: int, task: Task, work: Callable[[Task], Any], tell: Callable[[Moved | _Ended], None]) -> None:
    ended = _Ended(number, failure=Failure(_("예상하지 못한 문제가 있었어요. 다시 해 주세요.")))
    try:
        ended = _Ended(number, work(task))
    except TransferError as error:
        ended = _Ended(number, failure=Failure(str(error), error.code == STOPPED, error))
    except WorldError as error:
        ended = _Ended(number, failure=Failure(str(error), error=error))
    except RuleViolation as refusal:
        ended = _Ended(number, failure=Failure(refusal.reason))
    finally:
        tell(ended)
