"""The one line that says what the coach is doing: calm, so that a step of a blink is never shown."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLabel

from lifehelper_desktop.chat.progress import IDLE, SLOW_S, Step, StepKind, spoken, words_of
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import as_label

CALM_MS: Final = 150
"""A step that lasts less is not shown."""
REST_MS: Final = 4000
"""How long it says that the coach has stopped."""
_LONG_WORD: Final = re.compile(r"\S{16,}")
_TICK_MS: Final = 1000
_AT_ONCE: Final = (StepKind.STOPPING, StepKind.WAITING)
"""Answers to what the user did, and what waits for the user."""


class StatusLine(QLabel):
    """Shows steps. Main thread.

    Attributes:
        shown: The step that is on the screen.
    """

    changed = Signal()
    """Another step is on the screen, or it has come further."""

    def __init__(self, step: Step, since: float) -> None:
        """Show `step`, which began at `since` of `time.monotonic`, at once and without telling screen readers."""
        super().__init__()
        as_label(self, "small")
        self.setObjectName("chatStatus")
        self.is_quiet = False
        self.shown = step
        self._since = since
        self._next: tuple[Step, float] | None = None
        self._calm = _timer(self, CALM_MS, self._turn)
        self._rest = _timer(self, REST_MS, lambda: self.show_step(IDLE, time.monotonic()))
        self._tick = _timer(self, _TICK_MS, self._tell)
        self._put(_rested(step, since), since)

    def show_step(self, step: Step, since: float, *, quiet: bool = False) -> None:
        """Show `step` once it has lasted for `CALM_MS`; with `quiet` screen readers are not told of it."""
        self.is_quiet = quiet
        step = _rested(step, since)
        if step.is_same(self.shown):
            self._calm.stop()
            self._next = None
            self._put(step, since)
        elif step.kind in _AT_ONCE:
            self._next = (step, since)
            self._turn()
        else:
            begun = self._next is not None and step.is_same(self._next[0])
            self._next = (step, since)
            if not begun:
                self._calm.start()

    def _turn(self) -> None:
        self._calm.stop()
        if self._next is None:
            return
        step, since = self._next
        self._next = None
        if step.is_running and not self.is_quiet:
            announce(self, spoken(step))  # not every percent, and not that all is quiet again
        self._put(step, since)

    def _put(self, step: Step, since: float) -> None:
        self.shown, self._since = step, since
        self._rest.stop()
        self._tick.stop()
        if step.kind is StepKind.STOPPED:
            self._rest.start()
        self.setAccessibleName(spoken(step))
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        """Write the words, and come back at the next full second of a step that takes long."""
        seconds = max(0.0, time.monotonic() - self._since)
        # Names of other programs' tools are one long word, which must break somewhere.
        words = _LONG_WORD.sub(lambda found: "\u200b".join(found[0]), words_of(self.shown, seconds))
        if words != self.text():
            self.setText(words)
        if self.shown.is_running:
            wait = SLOW_S - seconds if seconds < SLOW_S else 1 - seconds % 1
            self._tick.start(max(20, round(wait * 1000)))


def _rested(step: Step, since: float) -> Step:
    """Return `step`, or rest where it only says that something has stopped a while ago."""
    is_over = step.kind is StepKind.STOPPED and time.monotonic() - since >= REST_MS / 1000
    return IDLE if is_over else step


def _timer(parent: QLabel, milliseconds: int, slot: Callable[[], None]) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(milliseconds)
    timer.timeout.connect(slot)
    return timer
