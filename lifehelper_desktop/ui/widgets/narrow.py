"""Frames that give way where it is narrow or the text is big: nothing is cut off, it moves below.

Widgets and no QLayout, for the reason that `FlowBox` gives.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMargins, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.flow import wish

_SAID = Qt.WidgetAttribute.WA_WState_ExplicitShowHide  # hidden by someone, not only because nothing is shown yet


class _Giving(QFrame):
    """What both share: children in an order, and a height that follows the width."""

    def __init__(self, gap: int, margins: QMargins) -> None:
        super().__init__()
        self._gap, self._margins = gap, margins
        self._widgets: list[QWidget] = []
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def add(self, *widgets: QWidget) -> None:
        """Put `widgets` behind the others."""
        for widget in widgets:
            widget.setParent(self)
            self._widgets.append(widget)
        self._changed()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """The height at this width."""
        inside = width - self._margins.left() - self._margins.right()
        return self._arrange(QRect(0, 0, inside, 0), move=False) + self._margins.top() + self._margins.bottom()

    def sizeHint(self) -> QSize:
        """All beside each other."""
        sizes = [wish(each) for each in self._shown()]
        width = sum(size.width() for size in sizes) + self._gap * max(0, len(sizes) - 1)
        return self._with_margins(QSize(width, max((size.height() for size in sizes), default=0)))

    def minimumSizeHint(self) -> QSize:
        """The widest child, and the highest."""
        size = QSize(0, 0)
        for each in self._shown():
            size = size.expandedTo(each.minimumSizeHint()).expandedTo(each.minimumSize())
        return self._with_margins(size)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the children anew."""
        super().resizeEvent(event)
        self._place()

    def event(self, event: QEvent) -> bool:
        """A child became bigger, smaller, shown or hidden."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Show):
            self._changed()
        return super().event(event)

    def _shown(self) -> list[QWidget]:
        return [each for each in self._widgets if not (each.isHidden() and each.testAttribute(_SAID))]

    def _changed(self) -> None:
        self.updateGeometry()
        if self.isVisible():
            self._place()

    def _place(self) -> None:
        self._arrange(self.rect().marginsRemoved(self._margins), move=True)

    def _with_margins(self, size: QSize) -> QSize:
        margins = self._margins
        return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        """Return the height of all children within the width of `rect`, and place them in it with `move`."""
        raise NotImplementedError


class EvenRow(_Giving):
    """Children of the same width beside each other, or below each other where one of them would be cut off."""

    def __init__(self, *, gap: int = 8) -> None:
        """`gap` is the space between children, in pixels."""
        super().__init__(gap, QMargins())

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        widgets = self._shown()
        if not widgets:
            return 0
        sizes = [wish(each) for each in widgets]
        height = max(size.height() for size in sizes)
        each = (rect.width() - self._gap * (len(widgets) - 1)) // len(widgets)
        beside = each >= max(size.width() for size in sizes)
        for index, widget in enumerate(widgets if move else ()):
            left = index * (each + self._gap) if beside else 0
            top = 0 if beside else index * (height + self._gap)
            widget.setGeometry(rect.left() + left, rect.top() + top, each if beside else rect.width(), height)
        return height if beside else len(widgets) * (height + self._gap) - self._gap


class BesideOrBelow(_Giving):
    """The first child takes the room that the others leave; where that is too little, they stand below it.

    The others are as wide as they wish. Below, they begin at the left.
    """

    def __init__(self, *, gap: int = 8, margins: QMargins | None = None, room: int = 0, centred: bool = True) -> None:
        """Set the rule.

        Args:
            gap: Space between children, in pixels.
            margins: Space around them.
            room: What the first child needs at least beside the others, in pixels at 100 % text; 0 takes what it
                wishes to have.
            centred: Beside each other the children stand centred; False sets them on one lower edge.
        """
        super().__init__(gap, margins or QMargins())
        self._room, self._centred = theme().px(room), centred

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        widgets = self._shown()
        if not widgets:
            return 0
        first, others = widgets[0], [(each, wish(each)) for each in widgets[1:]]
        width = rect.width() - sum(size.width() + self._gap for _each, size in others)
        if width >= (self._room or wish(first).width()):
            return self._beside(rect, first, others, width, move=move)
        height = _height(first, rect.width())
        if move:
            first.setGeometry(rect.left(), rect.top(), rect.width(), height)
        return self._below(rect, others, height + self._gap, move=move) if others else height

    def _beside(
        self, rect: QRect, first: QWidget, others: list[tuple[QWidget, QSize]], width: int, *, move: bool
    ) -> int:
        own = _height(first, width)
        height = max([own, *(size.height() for _each, size in others)])
        if move:
            first.setGeometry(rect.left(), rect.top() + self._drop(height, own), width, own)
            left = rect.left() + width + self._gap
            for each, size in others:
                each.setGeometry(left, rect.top() + self._drop(height, size.height()), size.width(), size.height())
                left += size.width() + self._gap
        return height

    def _below(self, rect: QRect, others: list[tuple[QWidget, QSize]], top: int, *, move: bool) -> int:
        """Set the others in lines from `top` on; return the height of all."""
        left = line = 0
        for each, size in others:
            width = min(size.width(), rect.width())
            if left and left + width > rect.width():
                top, left, line = top + line + self._gap, 0, 0
            if move:
                each.setGeometry(rect.left() + left, rect.top() + top, width, size.height())
            left, line = left + width + self._gap, max(line, size.height())
        return top + line

    def _drop(self, height: int, own: int) -> int:
        return (height - own) // (2 if self._centred else 1)


def _height(widget: QWidget, width: int) -> int:
    return widget.heightForWidth(width) if widget.hasHeightForWidth() else wish(widget).height()
