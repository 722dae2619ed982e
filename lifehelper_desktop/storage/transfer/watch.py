"""Progress of long work and the wish to stop it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.transfer.errors import TransferError

_EVERY: Final = 1_024  # rows between two looks at the event


class Stage(StrEnum):
    """What an import or export is busy with, in this order."""

    READING = "reading"
    COMPARING = "comparing"
    BACKUP = "backup"
    WRITING = "writing"

    @property
    def words(self) -> str:
        """What it is busy with, in the language in force."""
        return _(_STAGES[self])


_STAGES: Final = {
    Stage.READING: N_("읽는 중"),
    Stage.COMPARING: N_("견주는 중"),
    Stage.BACKUP: N_("백업하는 중"),
    Stage.WRITING: N_("쓰는 중"),
}


#: Called with the stage, what is done and how much there is in all (0: not known), on the thread that does the work.
Progress = Callable[[Stage, int, int], None]


class Watch:
    """Reports progress and looks whether the work is to stop."""

    def __init__(self, progress: Progress | None = None, stop: threading.Event | None = None) -> None:
        """Report to `progress`; another thread may set `stop` at any time."""
        self._progress = progress
        self._stop = stop
        self._stage = Stage.READING
        self._done = 0
        self._total = 0

    @property
    def is_stopped(self) -> bool:
        """Whether the user wants the work to end."""
        return self._stop is not None and self._stop.is_set()

    def begin(self, stage: Stage, total: int = 0) -> None:
        """Enter a stage of `total` rows.

        Raises:
            TransferError: `stopped`.
        """
        self._stage, self._done, self._total = stage, 0, total
        self._look()

    def step(self, rows: int = 1) -> None:
        """Count rows that are done.

        Raises:
            TransferError: `stopped`.
        """
        before = self._done // _EVERY
        self._done += rows
        if self._done // _EVERY != before:
            self._look()

    def end(self) -> None:
        """Leave the stage; its last number is reported."""
        self._look()

    def _look(self) -> None:
        if self.is_stopped:
            raise TransferError("stopped", _("멈췄어요. 바뀐 것은 없어요."))
        if self._progress is not None:
            self._progress(self._stage, self._done, max(self._total, self._done) if self._total else 0)
