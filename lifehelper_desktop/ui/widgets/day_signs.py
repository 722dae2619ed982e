"""The signs of the calendar: each state of a day has a shape of its own, so that colour is never the only sign."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.ui.day_states import DayState
from lifehelper_desktop.ui.theme import Tokens, theme

_ROUND: Final = 0.24  # of the side: the corner's radius
_BORDERED: Final = frozenset({DayState.NOT_DONE, DayState.MISSED, DayState.LEFT, DayState.OPEN})
_SIGN_SIDE: Final = 14  # of a sign in the legend, pixels at 100 % text


def draw_sign(painter: QPainter, box: QRectF, state: DayState, tokens: Tokens, *, has_note: bool = False) -> None:
    """Draw the sign of `state` into the square `box`; a folded corner says that the day has a note.

    done: a full square; minimum: its lower half; blank: a dash; not done: a cross; missed: a dot in a frame; left
    open: an empty frame; off the schedule: a dot; paused: hatched; before the start: pale; not yet come: a hint of a
    frame.
    """
    side = box.width()
    shape = QPainterPath()
    shape.addRoundedRect(box, side * _ROUND, side * _ROUND)
    line = max(1.0, side * 0.08)
    if state is DayState.DONE:
        painter.fillPath(shape, tokens.colour("accent"))
    elif state is DayState.MINIMUM:
        painter.fillPath(shape, tokens.colour("accent_soft"))
        lower = QPainterPath()
        lower.addRect(QRectF(box.left(), box.center().y(), side, side / 2))
        painter.fillPath(shape.intersected(lower), tokens.colour("accent"))
        _frame(painter, box, tokens.colour("accent"), line)
    elif state is DayState.BLANK:
        painter.fillPath(shape, tokens.colour("blue_soft"))
        dash = QRectF(QPointF(), QSizeF(side * 0.56, max(2.0, side * 0.16)))
        dash.moveCenter(box.center())
        painter.fillRect(dash, tokens.colour("on_blue_soft"))
    elif state is DayState.PAUSED:
        painter.fillPath(shape, tokens.colour("sunken"))
        _hatch(painter, shape, box, tokens.colour("border_strong"), line)
    elif state is DayState.BEFORE:
        painter.fillPath(shape, tokens.colour("sunken"))
    elif state is DayState.CLOSED:
        _frame(painter, box, tokens.colour("border"), 1.0)
    elif state in _BORDERED:
        _frame(painter, box, tokens.colour("border_strong"), line)
    if state is DayState.NOT_DONE:
        inner = box.adjusted(side * 0.3, side * 0.3, -side * 0.3, -side * 0.3)
        painter.setPen(_pen(tokens.colour("muted"), max(1.4, side * 0.12)))
        painter.drawLine(inner.topLeft(), inner.bottomRight())
        painter.drawLine(inner.topRight(), inner.bottomLeft())
    elif state in (DayState.MISSED, DayState.OFF):
        _dot(painter, box, tokens.colour("muted" if state is DayState.MISSED else "border_strong"), side * 0.13)
    if has_note:
        _corner(painter, box, tokens.colour("on_accent" if state is DayState.DONE else "text"))


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _frame(painter: QPainter, box: QRectF, colour: QColor, line: float) -> None:
    painter.setPen(_pen(colour, line))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inside = box.adjusted(line / 2, line / 2, -line / 2, -line / 2)
    painter.drawRoundedRect(inside, inside.width() * _ROUND, inside.width() * _ROUND)


def _hatch(painter: QPainter, shape: QPainterPath, box: QRectF, colour: QColor, line: float) -> None:
    painter.save()
    painter.setClipPath(shape)
    painter.setPen(_pen(colour, line))
    side, step = box.width(), box.width() / 3
    for number in range(1, 6):
        along = number * step
        painter.drawLine(QPointF(box.left() + along - side, box.bottom()), QPointF(box.left() + along, box.top()))
    painter.restore()


def _dot(painter: QPainter, box: QRectF, colour: QColor, radius: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawEllipse(box.center(), max(1.2, radius), max(1.2, radius))


def _corner(painter: QPainter, box: QRectF, colour: QColor) -> None:
    inset, leg = box.width() * 0.1, box.width() * 0.38
    tip = QPointF(box.right() - inset, box.top() + inset)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, tip - QPointF(leg, 0), tip + QPointF(0, leg)]))


class SignLabel(QWidget):
    """One sign, as in a legend; decoration, its words stand beside it."""

    def __init__(self, state: DayState, *, has_note: bool = False, side: int = _SIGN_SIDE) -> None:
        """Show the sign of `state`, or with `has_note` the folded corner; `side` is in pixels at 100 % text."""
        super().__init__()
        self._state, self._has_note = state, has_note
        self.setFixedSize(theme().px(side) + 2, theme().px(side) + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the sign."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        draw_sign(painter, box, self._state, theme().tokens, has_note=self._has_note)
        painter.end()
