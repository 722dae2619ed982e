"""Pressing keys in a window as a user does."""

from __future__ import annotations

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget


def press(widget: QWidget, keys: str) -> None:
    """Press one key, written as in the list of shortcuts (`Ctrl+Shift+C`), in what has the focus of its window.

    The window comes to the front first: with none of its own a window manager would see to that.
    """
    if not widget.isActiveWindow():
        widget.activateWindow()
        QTest.qWaitForWindowActive(widget.window())
    combination: QKeyCombination = QKeySequence(keys)[0]  # type: ignore[index]
    focused = widget.window().focusWidget() or widget
    QTest.keyClick(focused, Qt.Key(combination.key()), combination.keyboardModifiers())
    QApplication.processEvents()
