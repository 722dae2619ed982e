"""What a thread beside the window has to say, brought to the main thread."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal


class Relay(QObject):
    """`tell` may be called in any thread; the listener is called in the main one, unless it has gone meanwhile.

    It has no parent: whoever may still tell holds it. A signal of the listener itself could be sent while the listener
    is just being taken apart, which ends in errors or worse.
    """

    _told = Signal(int, object)

    def __init__(self, listener: Callable[[int, Any], object]) -> None:
        """`listener`, a method of a QObject, gets the number and what was told. Main thread."""
        super().__init__()
        self._told.connect(listener, Qt.ConnectionType.QueuedConnection)

    def tell(self, number: int, what: object) -> None:
        """Send it on its way."""
        self._told.emit(number, what)
