"""The grip by which a card is dragged, with the mouse or a finger; the keyboard has its own way."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from lifehelper_desktop.ui.theme import theme

_WIDTH, _HEIGHT, _DOT, _STEP = 14, 30, 3, 6  # pixels at 100 % text


class DragHandle(QWidget):
    """`lifted`, `moved` and `dropped` carry the place of the pointer on the screen; Esc ends a drag by `cancelled`."""

    lifted = Signal(QPoint)
    moved = Signal(QPoint)
    dropped = Signal(QPoint)
    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        """Lie on `parent`, which puts it in place."""
        super().__init__(parent)
        self.setObjectName("dragHandle")
        self._owner = parent
        self._pressed: QPoint | None = None
        self._dragging = False
        self._hovered = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setFixedSize(self.sizeHint())

    @property
    def is_dragging(self) -> bool:
        """Whether a drag runs."""
        return self._dragging

    def sizeHint(self) -> QSize:
        """Six dots with room to hit them."""
        return QSize(theme().px(_WIDTH), theme().px(_HEIGHT))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where; a drag begins with the first real movement."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Begin the drag, or go on with it."""
        at = event.globalPosition().toPoint()
        if self._pressed is None:
            return
        if self._dragging:
            self.moved.emit(at)
        elif (at - self._pressed).manhattanLength() >= QApplication.startDragDistance():
            self._dragging = True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.setFocus(Qt.FocusReason.MouseFocusReason)  # for Esc
            self.lifted.emit(self._pressed)
            self.moved.emit(at)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Drop."""
        if event.button() == Qt.MouseButton.LeftButton:
            dragged = self._end()
            if dragged:
                self.dropped.emit(event.globalPosition().toPoint())

    def event(self, event: QEvent) -> bool:
        """Take Esc before any shortcut while a drag runs."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if is_escape and event.type() == QEvent.Type.ShortcutOverride and self._dragging:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves everything where it was."""
        if event.key() == Qt.Key.Key_Escape and self._end():
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """A handle that goes away ends its drag."""
        super().hideEvent(event)
        if self._end():
            self.cancelled.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stand out under the pointer."""
        super().enterEvent(event)
        self._hover(True)

    def leaveEvent(self, event: QEvent) -> None:
        """Stand back."""
        super().leaveEvent(event)
        self._hover(False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw two columns of three dots."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().tokens.colour("text" if self._hovered or self._dragging else "border_strong"))
        step, dot = theme().px(_STEP), theme().px(_DOT)
        centre = QPointF(self.width() / 2, self.height() / 2)
        for x in (-0.5, 0.5):
            for y in (-1, 0, 1):
                painter.drawEllipse(centre + QPointF(x * step, y * step), dot / 2, dot / 2)

    def _hover(self, hovered: bool) -> None:
        self._hovered = hovered
        self.update()

    def _end(self) -> bool:
        """End the drag; return whether one ran."""
        dragged, self._dragging, self._pressed = self._dragging, False, None
        if dragged:
            if self.hasFocus():
                self._owner.setFocus(Qt.FocusReason.MouseFocusReason)
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        return dragged
