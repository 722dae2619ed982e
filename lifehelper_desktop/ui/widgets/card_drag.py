"""Dragging a card to another place of its section: a picture follows the pointer, a line shows where it would land."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QPixmap, QRegion
from PySide6.QtWidgets import QFrame, QGraphicsOpacityEffect, QLabel, QScrollArea, QWidget

from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import frame

_EDGE, _STEP, _TICK_MS = 48, 14, 16  # pixels from the edge that scroll, pixels a tick, milliseconds between ticks
_FADED, _LIFTED = 0.35, 0.94  # how much is seen of the card that stays, and of the picture in the air


class CardDrag(QObject):
    """One drag at a time among widgets that stand below each other in `area`. Main thread.

    `landed` carries the widget and its new index among its siblings; nothing comes when it lands where it was.
    """

    landed = Signal(QWidget, int)

    def __init__(self, area: QWidget) -> None:
        """Work on the children of `area`."""
        super().__init__(area)
        self._area = area
        self._card: QWidget | None = None
        self._siblings: Sequence[QWidget] = ()
        self._offset = QPoint()
        self._pointer = QPoint()
        self._ghost: QLabel | None = None
        self._line: QFrame | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._scroll)

    @property
    def is_running(self) -> bool:
        """Whether a card is in the air."""
        return self._card is not None

    def begin(self, card: QWidget, siblings: Sequence[QWidget], at: QPoint) -> None:
        """Lift `card`, one of `siblings` (in order), by the point `at` of the screen."""
        self.cancel()
        self._card, self._siblings, self._pointer = card, siblings, at
        self._offset = card.mapFromGlobal(at)
        ghost = QLabel(self._area)
        ghost.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        ghost.setPixmap(_picture(card))
        ghost.resize(card.size())
        ghost_effect = QGraphicsOpacityEffect(ghost)
        ghost_effect.setOpacity(_LIFTED)
        ghost.setGraphicsEffect(ghost_effect)
        effect = QGraphicsOpacityEffect(card)
        effect.setOpacity(_FADED)
        card.setGraphicsEffect(effect)
        line = frame("dropLine")
        line.setParent(self._area)
        self._ghost, self._line = ghost, line
        ghost.show()
        line.show()
        line.raise_()
        self._timer.start()
        self.move(at)

    def move(self, at: QPoint) -> None:
        """Follow the pointer."""
        if self._card is None or self._ghost is None or self._line is None:
            return
        self._pointer = at
        self._ghost.move(self._card.x(), self._area.mapFromGlobal(at).y() - self._offset.y())
        gap = self._gap_at(at)
        above = self._siblings[gap - 1] if gap else None
        below = self._siblings[gap] if gap < len(self._siblings) else None
        if above is not None and below is not None:
            middle = (above.geometry().bottom() + below.y()) // 2
        elif above is not None:
            middle = above.geometry().bottom() + theme().px(6)
        else:
            assert below is not None
            middle = below.y() - theme().px(6)
        thick = theme().px(4)
        self._line.setGeometry(self._card.x(), middle - thick // 2, self._card.width(), thick)

    def drop(self, at: QPoint) -> None:
        """Let go."""
        card = self._card
        if card is None:
            return
        old = self._siblings.index(card)
        gap = self._gap_at(at)
        self.cancel()
        new = gap - (gap > old)
        if new != old:
            self.landed.emit(card, new)

    def cancel(self) -> None:
        """Leave everything where it was."""
        self._timer.stop()
        for each in (self._ghost, self._line):
            if each is not None:
                each.hide()
                each.deleteLater()
        if self._card is not None:
            self._card.setGraphicsEffect(None)  # type: ignore[arg-type]  # Qt takes none for removing it
        self._card, self._ghost, self._line, self._siblings = None, None, None, ()

    def _gap_at(self, at: QPoint) -> int:
        """Return how many siblings stand above the middle of the card in the air."""
        assert self._card is not None
        middle = self._area.mapFromGlobal(at).y() - self._offset.y() + self._card.height() // 2
        return sum(each.geometry().center().y() < middle for each in self._siblings)

    def _scroll(self) -> None:
        """Scroll while the pointer is near an edge of what is seen."""
        scroll = scroll_area_of(self._area)
        if scroll is None:
            return
        view = scroll.viewport()
        y, edge = view.mapFromGlobal(self._pointer).y(), theme().px(_EDGE)
        step = -_STEP if y < edge else _STEP if y > view.height() - edge else 0
        bar = scroll.verticalScrollBar()
        before = bar.value()
        bar.setValue(before + step)
        if bar.value() != before:
            self.move(self._pointer)


def _picture(card: QWidget) -> QPixmap:
    """Return a picture of `card` whose round corners let through what is below."""
    ratio = card.devicePixelRatioF()
    picture = QPixmap(card.size() * ratio)
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    card.render(picture, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    return picture


def scroll_area_of(widget: QWidget) -> QScrollArea | None:
    """Return the scroll area around `widget`, or None."""
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent
