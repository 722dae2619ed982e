"""A row of widgets that is one stop of the Tab key; the arrow keys walk inside it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from lifehelper_desktop.ui.theme import theme


class RovingGroup:
    """Tab stops at the widget that had the focus last. The property `roving` tells that arrows reach the others."""

    def __init__(self, widgets: Sequence[QWidget], first: QWidget) -> None:
        """Begin with `first`."""
        self._widgets = widgets
        for each in widgets:
            each.setProperty("roving", True)
        self.take(first)

    def take(self, chosen: QWidget) -> None:
        """Let the Tab key stop at `chosen` and at none of the others."""
        for each in self._widgets:
            policy = Qt.FocusPolicy.StrongFocus if each is chosen else Qt.FocusPolicy.ClickFocus
            if each.focusPolicy() != policy:
                each.setFocusPolicy(policy)


class RovingToolButton(QToolButton):
    """A tool button in a group."""

    roving: RovingGroup | None = None

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Become the one that Tab comes back to."""
        super().focusInEvent(event)
        if self.roving is not None:
            self.roving.take(self)


class MarkButton(QPushButton):
    """A mark of today in a group, with a shortcut written in it where there is room."""

    roving: RovingGroup | None = None

    def __init__(self, text: str) -> None:
        """Without a shortcut at first."""
        super().__init__(text)
        self._keys = ""

    @property
    def keys(self) -> str:
        """The shortcut as people read it; empty for none."""
        return self._keys

    @keys.setter
    def keys(self, keys: str) -> None:
        if keys != self._keys:
            self._keys = keys
            self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Become the one that Tab comes back to."""
        super().focusInEvent(event)
        if self.roving is not None:
            self.roving.take(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Write the shortcut small at the right end, never over the words."""
        super().paintEvent(event)
        if not self._keys:
            return
        font = self.font()
        font.setPixelSize(theme().px(11))
        painter = QPainter(self)
        painter.setFont(font)
        width = painter.fontMetrics().horizontalAdvance(self._keys)
        words = self.fontMetrics().horizontalAdvance(self.text()) + self.iconSize().width() + theme().px(6)
        if (self.width() - words) / 2 >= width + theme().px(20):
            painter.setPen(theme().tokens.colour("muted"))
            inside = self.rect().adjusted(0, 0, -theme().px(12), 0)
            painter.drawText(inside, int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter), self._keys)
