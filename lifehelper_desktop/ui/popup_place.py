"""Where a small window goes that belongs to an icon on the screen."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QCursor, QGuiApplication

_MARGIN = 8  # device-independent pixels from the edge of the screen and from the icon


def room_by(icon: QRect | None) -> QRect:
    """Return what can be used of the screen with `icon`, or of that with the mouse when the icon is not known."""
    screen = QGuiApplication.screenAt(QCursor.pos() if icon is None else icon.center())
    room = (screen or QGuiApplication.primaryScreen()).availableGeometry()
    return room.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)


def place_by(icon: QRect | None, size: QRect, room: QRect) -> QPoint:
    """Return the corner of a window as big as `size`: on the roomier side of the icon, else in the middle of `room`."""
    if icon is None or icon.isEmpty():
        middle = QRect(size)
        middle.moveCenter(room.center())
        at = middle.topLeft()
    elif icon.center().y() > room.center().y():
        at = QPoint(icon.center().x() - size.width() // 2, icon.top() - size.height() - _MARGIN)
    else:
        at = QPoint(icon.center().x() - size.width() // 2, icon.bottom() + _MARGIN)
    x = min(max(room.left(), at.x()), room.right() - size.width() + 1)
    y = min(max(room.top(), at.y()), room.bottom() - size.height() + 1)
    return QPoint(x, y)
