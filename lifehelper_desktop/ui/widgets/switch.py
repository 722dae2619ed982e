"""A switch: a check box that is drawn as a pill with a knob, and says on or off by sign as well as by colour."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QCheckBox, QWidget

from lifehelper_desktop.ui.theme import theme

_WIDTH, _HEIGHT, _RING = 44, 24, 3  # pixels at 100 % text; the ring is the room for the focus line on each side


class Switch(QCheckBox):
    """On or off. Its words stand beside it: give it an accessible name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Begin off."""
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def show_on(self, on: bool) -> None:
        """Show it on or off, without a signal."""
        if self.isChecked() != on:
            self.blockSignals(True)
            self.setChecked(on)
            self.blockSignals(False)
            self.update()

    def sizeHint(self) -> QSize:
        """The pill with its focus line."""
        px = theme().px
        return QSize(px(_WIDTH + 2 * _RING), px(_HEIGHT + 2 * _RING))

    def minimumSizeHint(self) -> QSize:
        """It never shrinks."""
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        """All of it can be clicked."""
        return self.rect().contains(pos)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw pill, knob, sign (a tick when on, nothing when off) and the focus line."""
        tokens, px = theme().tokens, theme().px
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = px(_RING)
        pill = QRectF(ring, (self.height() - px(_HEIGHT)) / 2, px(_WIDTH), px(_HEIGHT))
        on, usable = self.isChecked(), self.isEnabled()
        edge = tokens.colour("accent" if on and usable else "border_strong" if usable else "border")
        painter.setPen(QPen(edge, 2))
        painter.setBrush(tokens.colour("accent") if on and usable else tokens.colour("sunken"))
        inner = pill.adjusted(1, 1, -1, -1)
        painter.drawRoundedRect(inner, inner.height() / 2, inner.height() / 2)
        knob_size = pill.height() - px(10)
        left = pill.right() - knob_size - px(5) if on else pill.left() + px(5)
        knob = QRectF(left, pill.center().y() - knob_size / 2, knob_size, knob_size)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.colour("on_accent") if on and usable else edge)
        painter.drawEllipse(knob)
        if on:
            self._draw_tick(painter, pill, px(2))
        if self.hasFocus():
            painter.setPen(QPen(tokens.colour("accent" if not on else "text"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            outer = pill.adjusted(1 - ring, 1 - ring, ring - 1, ring - 1)
            painter.drawRoundedRect(outer, outer.height() / 2, outer.height() / 2)

    def _draw_tick(self, painter: QPainter, pill: QRectF, width: float) -> None:
        colour = theme().tokens.colour("on_accent" if self.isEnabled() else "border_strong")
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        step = pill.height() / 12
        x, y = pill.left() + 4.2 * step, pill.center().y()
        painter.drawPolyline(
            [
                QPoint(round(x), round(y)),
                QPoint(round(x + 1.7 * step), round(y + 1.7 * step)),
                QPoint(round(x + 5 * step), round(y - 1.9 * step)),
            ]
        )
