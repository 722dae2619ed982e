"""The QApplication: hears what the system tells the program itself rather than one of its windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Main thread. `leaving` comes before the windows are asked to close because the whole program is to end."""

    leaving = Signal()

    def __init__(self, arguments: Sequence[str]) -> None:
        """Make the one application; `arguments` begins with the program."""
        super().__init__(list(arguments))
        self._on_file: Callable[[str], None] | None = None
        self._early: list[str] = []

    def on_file(self, slot: Callable[[str], None] | None) -> None:
        """Call `slot` with every file that macOS wants opened, those that came before this call too."""
        self._on_file = slot
        if slot is not None:
            early, self._early = self._early, []
            for path in early:
                slot(path)

    def event(self, event: QEvent) -> bool:
        """See the session end and files being opened. Only events of the application itself come here."""
        if event.type() == QEvent.Type.Quit:
            # Logging out, the dock's or the menu's Quit: then closing a window must not leave it in the tray.
            self.leaving.emit()
        elif isinstance(event, QFileOpenEvent):
            path = event.file()
            if path and self._on_file is not None:
                self._on_file(path)
            elif path:
                self._early.append(path)
            return True
        return super().event(event)
