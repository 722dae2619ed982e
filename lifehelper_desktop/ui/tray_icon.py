"""The picture in the tray: the program's icon with the number of habits that are open today, or a tick."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPen, QPixmap, QPolygonF

from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import Tokens, load_tokens

DONE: Final = 0  # everything of today is recorded
NOTHING_DUE: Final = -1
_SIZES: Final = (16, 20, 22, 24, 32, 40, 48, 64)
_SMALL: Final = 24  # pixels; up to here the badge takes more of the picture, so that it can be read
_MOST: Final = 9


@lru_cache(maxsize=_MOST + 3)
def tray_icon(open_count: int) -> QIcon:
    """Return the icon for a number of open habits; `DONE` shows a tick and `NOTHING_DUE` no badge.

    The badge is a light disc in a dark ring, so that it is seen on dark panels and on light ones.
    """
    result = QIcon()
    base = icons.app_icon()
    tokens = load_tokens("light")
    for size in _SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base.paint(painter, QRect(0, 0, size, size))
        if open_count != NOTHING_DUE:
            _paint_badge(painter, size, open_count, tokens)
        painter.end()
        result.addPixmap(pixmap)
    return result


def forget() -> None:
    """Drop every pixmap: they must not outlive the application."""
    tray_icon.cache_clear()


def _paint_badge(painter: QPainter, size: int, open_count: int, tokens: Tokens) -> None:
    side = round(size * (0.8 if size <= _SMALL else 0.65))
    place = QRectF(size - side, size - side, side, side)
    line = max(1.0, size / 20)
    done = open_count == DONE
    ink = tokens.colour("on_accent_soft" if done else "text")
    painter.setPen(QPen(tokens.colour("on_accent_soft"), line))
    painter.setBrush(tokens.colour("surface" if done else "gold_soft"))
    painter.drawEllipse(place.adjusted(line / 2, line / 2, -line / 2, -line / 2))
    if done:
        _paint_tick(painter, place, ink)
    else:
        _paint_number(painter, place, str(open_count) if open_count <= _MOST else f"{_MOST}+", ink)


def _paint_tick(painter: QPainter, place: QRectF, ink: QColor) -> None:
    pen = QPen(ink, max(1.5, place.width() * 0.15))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    corners = ((0.27, 0.52), (0.44, 0.68), (0.74, 0.34))
    painter.drawPolyline(
        QPolygonF([QPointF(place.x() + x * place.width(), place.y() + y * place.height()) for x, y in corners])
    )


def _paint_number(painter: QPainter, place: QRectF, text: str, ink: QColor) -> None:
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(place.height() * (0.78 if len(text) == 1 else 0.56))))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(place.adjusted(-2, -2, 2, 2), Qt.AlignmentFlag.AlignCenter, text)
