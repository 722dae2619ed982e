"""Widgets that fit their children to the width: in lines like words, or beside each other or else below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from lifehelper_desktop.ui.theme import theme


class FlowBox(QWidget):
    """Left to right, then down; the children of a line stand centred in its height, those of its end at the right.

    A widget and no QLayout, so that no layout item is owned by Python and C++ at once.
    """

    def __init__(self, *, gap: int = 8, name: str = "") -> None:
        """`gap` is the space between children and lines, in pixels."""
        super().__init__()
        self.setObjectName(name)
        self._gap = gap
        self._widgets: list[QWidget] = []
        self._at_end: set[QWidget] = set()
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, *widgets: QWidget, at_end: bool = False) -> None:
        """Put `widgets` behind the others, `at_end` at the right edge of their line."""
        self._at_end.update(widgets if at_end else ())
        for widget in widgets:
            widget.setParent(self)
            self._widgets.append(widget)
            if self.isVisible():
                widget.show()
        self._changed()

    def clear(self) -> None:
        """Remove and delete all children."""
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()
        self._widgets = []
        self._at_end.clear()
        self._changed()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height of all lines at this width."""
        return self._arrange(width, move=False)

    def sizeHint(self) -> QSize:
        """All in one line."""
        sizes = [wish(widget) for widget in self._shown()]
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return QSize(width, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """The widest and the highest child."""
        size = QSize(0, 0)
        for widget in self._shown():
            size = size.expandedTo(widget.minimumSizeHint()).expandedTo(widget.minimumSize())
        return size

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the children anew."""
        super().resizeEvent(event)
        self._arrange(self.width(), move=True)

    def event(self, event: QEvent) -> bool:
        """A child became bigger, smaller, shown or hidden."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._changed()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        return [widget for widget in self._widgets if not widget.isHidden() or not self.isVisible()]

    def _changed(self) -> None:
        self.updateGeometry()
        self._arrange(self.width(), move=True)

    def _arrange(self, width: int, *, move: bool) -> int:
        """Return the height of all lines within `width`, and place the children with `move`."""
        lines: list[list[tuple[QWidget, QSize]]] = [[]]
        left = 0
        for widget in self._shown():
            size = wish(widget)
            size.setWidth(min(size.width(), max(1, width)))
            if lines[-1] and left + size.width() > width:
                lines.append([])
                left = 0
            lines[-1].append((widget, size))
            left += size.width() + self._gap
        top = 0
        for line in lines:
            height = max((size.height() for _widget, size in line), default=0)
            left, spare = 0, width - sum(size.width() + self._gap for _widget, size in line) + self._gap
            for widget, size in line:
                if widget in self._at_end:
                    left, spare = left + max(0, spare), 0
                if move:
                    widget.setGeometry(QRect(QPoint(left, top + (height - size.height()) // 2), size))
                left += size.width() + self._gap
            top += height + self._gap
        return max(0, top - self._gap)


class TurningBox(QWidget):
    """Two or more children beside each other, or below each other where it is narrow."""

    def __init__(self, beside_from: int, *, gap: int = 8, name: str = "") -> None:
        """The children stand beside each other from `beside_from` on, in pixels at 100 % text."""
        super().__init__()
        self.setObjectName(name)
        self._beside_from = beside_from
        self.box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self.box.setContentsMargins(0, 0, 0, 0)
        self.box.setSpacing(gap)

    @property
    def is_beside(self) -> bool:
        """Whether the children stand beside each other."""
        return self.box.direction() == QBoxLayout.Direction.LeftToRight

    def minimumSizeHint(self) -> QSize:
        """As narrow as the widest child, since they can stand below each other."""
        items = (self.box.itemAt(at) for at in range(self.box.count()))
        width = max((item.minimumSize().width() for item in items if item is not None), default=0)
        return QSize(width, self.box.minimumSize().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn where the width asks for it."""
        super().resizeEvent(event)
        beside = self.width() >= theme().px(self._beside_from)
        if beside != self.is_beside:
            self.box.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)


def wish(widget: QWidget) -> QSize:
    """Return the size that a child would like."""
    return widget.sizeHint().expandedTo(widget.minimumSize()).boundedTo(widget.maximumSize())
