"""What long work is busy with, how far it is, and a button that stops it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.widgets.basics import button, column, label, row
from lifehelper_desktop.ui.worker import Moved

_STEPS = 1000


class ProgressRow(QFrame):
    """Hidden until `begin`. Main thread."""

    def __init__(self, on_stop: Callable[[], object], parent: QWidget | None = None) -> None:
        """Start hidden; `on_stop` is called when the user wants the work to end."""
        super().__init__(parent)
        self.setObjectName("progress")
        self.setProperty("role", "sunken")
        self._ending = False
        line = row(self, margins=(14, 10, 10, 10), gap=12)
        words = column(gap=7)
        self._words = label("", "muted")
        self._words.setObjectName("progressWords")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        words.addWidget(self._words)
        words.addWidget(self.bar)
        line.addLayout(words, 1)
        self._stop = button(_("멈추기"), on_stop, icon="stop", name="stopWork")
        line.addWidget(self._stop)
        self.hide()

    @property
    def words(self) -> str:
        """What it says."""
        return self._words.text()

    def begin(self, words: str, *, can_stop: bool) -> None:
        """Show that work has begun; how long it takes is not known yet."""
        self._ending = False
        self._stop.setVisible(can_stop)
        self._stop.setEnabled(True)
        self.bar.setRange(0, 0)
        self._say(words)
        self.show()

    def show_moved(self, moved: Moved) -> None:
        """Show how far the work is."""
        if self._ending:
            return
        if moved.total > 0:
            self.bar.setRange(0, _STEPS)
            self.bar.setValue(min(_STEPS, moved.done * _STEPS // moved.total))
            self._say(f"{moved.words} {min(100, moved.done * 100 // moved.total)}%")
        else:
            self.bar.setRange(0, 0)
            self._say(moved.words)

    def show_ending(self, words: str) -> None:
        """Say that the work is about to end; nothing else is shown from then on."""
        self._ending = True
        self._stop.setEnabled(False)
        self._say(words)

    def _say(self, words: str) -> None:
        self._words.setText(words)
        self.bar.setAccessibleName(words)
