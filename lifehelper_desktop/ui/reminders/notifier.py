"""What can show a notice with buttons: one protocol, several ways (the system's own, a window of ours).

To add a way: a subclass of `Notifier` in a module of its own, and its place in `LayeredNotifier`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, Qt, Signal


@dataclass(frozen=True, slots=True)
class NoticeButton:
    """One button of a notice: its key and its words."""

    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to show until it is answered, dismissed or withdrawn.

    Attributes:
        key: Names it; showing another one with the same key takes its place.
        title: May stand on a locked screen.
        body: Plain text; lines are kept.
        buttons: The most important first, since some systems show only the first ones.
        opens: Whether a click on it leads somewhere.
    """

    key: str
    title: str
    body: str
    buttons: tuple[NoticeButton, ...] = ()
    opens: bool = True


class Way(Enum):
    """How notices are shown."""

    UNKNOWN = auto()  # not tried yet
    SYSTEM = auto()
    WINDOW = auto()  # the system has no way of its own, or refused


class Notifier(QObject):
    """Lives in the main thread, and so do its methods; connect its signals queued, they may come from any thread.

    Signals:
        pressed: Key of the notice and of the button; the notice is gone.
        clicked: Key; its body was clicked, and it is gone.
        dismissed: Key; the user closed it without an answer.
        shown: Key; it is on the screen.
        failed: The `Notice` that could not be shown.
        probed: Whether it could show a notice with buttons now: the answer to `probe`.
    """

    pressed = Signal(str, str)
    clicked = Signal(str)
    dismissed = Signal(str)
    shown = Signal(str)
    failed = Signal(object)
    probed = Signal(bool)

    def probe(self) -> None:
        """Find out whether a notice with buttons could be shown; `probed` follows, unless nobody knows."""
        self.probed.emit(True)

    def show(self, notice: Notice) -> None:
        """Show a notice; `shown` or `failed` follows."""
        raise NotImplementedError

    def withdraw(self, key: str) -> None:
        """Take a notice off the screen; one that is not there is no error."""
        raise NotImplementedError

    def close(self) -> None:
        """Take everything off the screen and end; nothing can be shown afterwards."""
        raise NotImplementedError


class LayeredNotifier(Notifier):
    """Tries its ways in order: what one cannot show goes to the next, so that nothing is lost.

    Signals:
        way_changed: Notices are shown in another `Way` from now on.
    """

    way_changed = Signal()

    def __init__(self, ways: Sequence[Notifier], parent: QObject | None = None) -> None:
        """Take the ways over, the first one the system's; the last one must never fail."""
        super().__init__(parent)
        self._ways = tuple(ways)
        self._where: dict[str, int] = {}  # what is on its way or on the screen
        self.way = Way.UNKNOWN
        queued = Qt.ConnectionType.QueuedConnection
        for each in self._ways:
            each.setParent(self)
            each.pressed.connect(self._on_pressed, queued)
            each.clicked.connect(self._on_clicked, queued)
            each.dismissed.connect(self._on_dismissed, queued)
            each.shown.connect(self._on_shown, queued)
            each.failed.connect(self._on_failed, queued)
        self._ways[0].probed.connect(self._on_probed, queued)

    def probe(self) -> None:
        """Find out whether the system has a way; `way` knows it afterwards."""
        self._ways[0].probe()

    def show(self, notice: Notice) -> None:
        """Show a notice in the first way that can."""
        before = self._where.get(notice.key)
        if before:
            self._ways[before].withdraw(notice.key)
        self._where[notice.key] = 0
        self._ways[0].show(notice)

    def withdraw(self, key: str) -> None:
        """Take a notice off the screen, wherever it is."""
        number = self._where.pop(key, None)
        if number is not None:
            self._ways[number].withdraw(key)

    def close(self) -> None:
        """End all ways."""
        self._where.clear()
        for each in self._ways:
            each.close()

    def end(self) -> None:
        """Close and go away: a window that opens afterwards, over restored data, gets a notifier of its own."""
        self.close()
        self.setParent(None)
        self.deleteLater()

    def _on_pressed(self, key: str, button: str) -> None:
        self._where.pop(key, None)
        self.pressed.emit(key, button)

    def _on_clicked(self, key: str) -> None:
        self._where.pop(key, None)
        self.clicked.emit(key)

    def _on_dismissed(self, key: str) -> None:
        self._where.pop(key, None)
        self.dismissed.emit(key)

    def _on_shown(self, key: str) -> None:
        number = self._where.get(key)
        if number is not None:
            self._set_way(Way.WINDOW if number else Way.SYSTEM)
            self.shown.emit(key)

    def _on_probed(self, works: bool) -> None:
        self._set_way(Way.SYSTEM if works else Way.WINDOW)
        self.probed.emit(works)

    def _set_way(self, way: Way) -> None:
        if way is not self.way:
            self.way = way
            self.way_changed.emit()

    def _on_failed(self, notice: Notice) -> None:
        number = self._where.get(notice.key)
        if number is None:
            return  # withdrawn meanwhile
        if number + 1 == len(self._ways):
            del self._where[notice.key]
            self.failed.emit(notice)
            return
        self._where[notice.key] = number + 1
        self._ways[number + 1].show(notice)
