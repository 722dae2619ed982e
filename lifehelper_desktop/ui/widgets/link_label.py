"""A heading that can be clicked; with the keyboard the card around it does the same."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtWidgets import QLabel

from lifehelper_desktop.ui.widgets.basics import as_label


class LinkLabel(QLabel):
    """Plain text that wraps; underlined under the pointer. `clicked` comes with the left button."""

    clicked = Signal()

    def __init__(self, role: str) -> None:
        """Begin empty, with a role of the style sheet."""
        super().__init__()
        as_label(self, role)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Tell of a click that began and ended here."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()
        else:
            super().mouseReleaseEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep the press, so that the release comes here too."""
        if event.button() == Qt.MouseButton.LeftButton:
            event.accept()
        else:
            super().mousePressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Underline."""
        super().enterEvent(event)
        self._underline(True)

    def leaveEvent(self, event: QEvent) -> None:
        """End the line."""
        super().leaveEvent(event)
        self._underline(False)

    def _underline(self, shown: bool) -> None:
        font = self.font()
        font.setUnderline(shown)
        self.setFont(font)
