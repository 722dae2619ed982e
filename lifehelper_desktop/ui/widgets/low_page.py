"""A page inside a scroll area that shrinks to its least height before anything has to be scrolled."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


class LowPage(QWidget):
    """A transparent page. Lists in it give way first; only below their least height the area scrolls."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty; the owner sets the layout."""
        super().__init__(parent)
        self.setObjectName("transparent")

    def heightForWidth(self, width: int) -> int:
        """The least height, where Qt itself asks for the height that the content would like."""
        layout = self.layout()
        return -1 if layout is None else layout.totalMinimumHeightForWidth(width)
