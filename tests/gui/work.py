"""Short ways to drive the dialogs that work in the background, over a real store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, Notice, Trouble
from lifehelper_desktop.ui.work_dialog import WorkDialog

D = TypeVar("D", bound=WorkDialog)
W = TypeVar("W", bound=QWidget)


class Listener(QObject):
    """Remembers what the bus carried."""

    def __init__(self, bus: Bus) -> None:
        """Listen to `bus`."""
        super().__init__()
        self.changes = NOTHING
        self.troubles: list[str] = []
        bus.on_data(self._on_data)
        bus.on_notice(self._on_notice)

    def _on_data(self, changes: Changes) -> None:
        self.changes |= changes

    def _on_notice(self, notice: Notice) -> None:
        if isinstance(notice, Trouble):
            self.troubles.append(str(notice.error))


class Work:
    """A dialog with short ways to do what a user does."""

    def __init__(self, qtbot: QtBot, store: Store) -> None:
        """Make a bus; `open` shows a dialog on it."""
        self.qtbot, self.store = qtbot, store
        self.bus = Bus()
        self.listener = Listener(self.bus)
        self.made: list[WorkDialog] = []

    def open(self, kind: Callable[[Store, Bus, None], D]) -> D:
        """Show a dialog and wait for what it reads."""
        dialog = kind(self.store, self.bus, None)
        self.made.append(dialog)
        dialog.show()
        dialog.activateWindow()
        self.qtbot.waitUntil(dialog.isActiveWindow)
        self.wait(dialog)
        return dialog

    def wait(self, dialog: WorkDialog) -> None:
        """Wait until the dialog's work has ended and what it told has arrived."""
        self.qtbot.waitUntil(lambda: not dialog.worker.is_busy, timeout=20_000)
        QCoreApplication.processEvents()

    def find(self, kind: type[W], name: str, inside: QWidget) -> W:
        """Return the one visible widget of this kind and object name, once it is there."""

        def visible() -> list[W]:
            return [each for each in inside.findChildren(kind, name) if each.isVisible()]

        self.qtbot.waitUntil(lambda: len(visible()) == 1, timeout=3000)
        return visible()[0]

    def click(self, name: str, inside: QWidget) -> None:
        """Click the visible button `name`."""
        self.qtbot.mouseClick(self.find(QAbstractButton, name, inside), Qt.MouseButton.LeftButton)

    def text(self, name: str, inside: QWidget) -> str:
        """Return the text of the visible label `name`."""
        return self.find(QLabel, name, inside).text()

    def answer(self, name: str, inside: WorkDialog, *, yes: bool) -> QMessageBox:
        """Answer the question `name` and wait for what comes of it."""
        box = self.find(QMessageBox, name, inside)
        default = box.defaultButton()
        assert default is not None
        assert default.objectName() == f"{name}No"
        self.click(f"{name}Yes" if yes else f"{name}No", box)
        self.wait(inside)
        return box

    def end(self) -> None:
        """Close the dialogs."""
        for dialog in self.made:
            try:
                self.qtbot.waitUntil(lambda each=dialog: not each.worker.is_busy, timeout=20_000)  # type: ignore[misc]
                dialog.close()
            except RuntimeError:  # closed by the test
                continue
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


@pytest.fixture
def work(qtbot: QtBot, store: Store) -> Iterator[Work]:
    """Dialogs over the store; all are closed at the end."""
    made = Work(qtbot, store)
    yield made
    made.end()


def assert_named(dialog: QWidget) -> None:
    """Every control that takes the keyboard says what it is."""
    for each in dialog.findChildren(QWidget):
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and each.isVisible():
            words = each.accessibleName() or (each.text() if isinstance(each, QAbstractButton) else "")
            inner = each.objectName().startswith("qt_") or type(each).__name__ in ("QTabBar", "QTabWidget", "QLineEdit")
            assert words or inner, f"{type(each).__name__} {each.objectName()} has no name"
