"""What the two charts share: one reading at a time, under the mouse or by keyboard, shown, and told in words."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from lifehelper_desktop.ui.reader_role import set_reader_role
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.announce import announce

# Pixels at 100 % text.
_SMALL_TEXT, _TOP, _RIGHT = 12, 26, 10


class Chart(QWidget):
    """Draws readings from left to right; the arrows, Home, End and Page keys go through them.

    Subclasses say how many readings there are, where each lies, what it says, and draw the rest.
    """

    height_hint = 190  # pixels at 100 % text
    widest_label = "100%"  # on the left of the readings
    page = 10  # readings that a Page key goes over

    def __init__(self) -> None:
        """Start without readings."""
        super().__init__()
        self.reading: int | None = None  # number of the reading shown, None for none
        self.summary = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_reader_role(self, QAccessible.Role.Chart)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    # ---- what subclasses say ----------------------------------------------------------------------------------

    def count(self) -> int:
        """Return how many readings there are."""
        raise NotImplementedError

    def point(self, number: int) -> QPointF:
        """Return where a reading lies."""
        raise NotImplementedError

    def words(self, number: int) -> str:
        """Return what a reading says."""
        raise NotImplementedError

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Draw everything but the reading."""
        raise NotImplementedError

    def number_at(self, x: float) -> int:
        """Return the reading that is nearest to a place from left to right."""
        area, last = self.area(), self.count() - 1
        return max(0, min(last, round((x - area.left()) / max(1.0, area.width()) * last)))

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_summary(self, words: str) -> None:
        """Set what the chart says as a whole, and draw it anew without a reading."""
        self.summary = words
        self._read(None)

    def area(self) -> QRectF:
        """Return where the readings lie, inside the labels."""
        px = theme().px
        bottom = self.small_metrics().height() + px(8)
        left = round(self.small_metrics().horizontalAdvance(self.widest_label)) + px(10)
        return QRectF(self.rect()).adjusted(left, px(_TOP), -px(_RIGHT), -bottom)

    def small_font(self) -> QFont:
        """Return the font of the labels."""
        font = QFont(self.font())
        font.setPixelSize(theme().px(_SMALL_TEXT))
        return font

    def small_metrics(self) -> QFontMetricsF:
        """Return the sizes of the labels' font."""
        return QFontMetricsF(self.small_font())

    def sizeHint(self) -> QSize:
        """Any width; the height grows with the text."""
        return QSize(theme().px(280), theme().px(self.height_hint))

    def minimumSizeHint(self) -> QSize:
        """Narrow is fine, low is not."""
        return QSize(theme().px(160), theme().px(self.height_hint))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the chart, the reading, and the frame of the focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.small_font())
        if self.count():
            self.draw(painter, self.area())
            if self.reading is not None:
                self._draw_reading(painter, self.reading)
        if self.hasFocus():
            painter.setPen(QPen(theme().tokens.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 8, 8)
        painter.end()

    def _draw_reading(self, painter: QPainter, number: int) -> None:
        tokens, area, at = theme().tokens, self.area(), self.point(number)
        painter.setPen(QPen(tokens.colour("border_strong"), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(at.x(), area.top()), QPointF(at.x(), area.bottom()))
        painter.setPen(QPen(tokens.colour("surface"), 2))
        painter.setBrush(tokens.colour("text"))
        painter.drawEllipse(at, theme().px(4), theme().px(4))
        words, metrics = self.words(number), self.small_metrics()
        box = QRectF(0, 0, metrics.horizontalAdvance(words) + theme().px(16), metrics.height() + theme().px(6))
        left = max(2.0, min(self.width() - box.width() - 2, at.x() - box.width() / 2))
        box.moveTopLeft(QPointF(left, 1))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(tokens.colour("text"))
        painter.drawRoundedRect(box, box.height() / 3, box.height() / 3)
        painter.setPen(tokens.colour("surface"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    # ---- reading ----------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go through the readings; every other key is for those around."""
        last, key = self.count() - 1, event.key()
        now = self.reading if self.reading is not None else last
        steps = {
            Qt.Key.Key_Left: now - 1,
            Qt.Key.Key_Right: now + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
            Qt.Key.Key_PageUp: now - self.page,
            Qt.Key.Key_PageDown: now + self.page,
        }
        if last < 0 or key not in steps:
            event.ignore()
            return
        self._read(max(0, min(last, steps[Qt.Key(key)])))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the reading under the mouse."""
        if self.count():
            self._read(self.number_at(event.position().x()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the reading under the mouse (a pen or a finger has no hover)."""
        super().mousePressEvent(event)
        self.mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The mouse is gone, and its reading with it."""
        super().leaveEvent(event)
        if not self.hasFocus():
            self._read(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin with the newest reading when the keyboard brought the focus."""
        super().focusInEvent(event)
        if self.count() and event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._read(self.count() - 1)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show no reading any more."""
        super().focusOutEvent(event)
        self._read(None)

    def _read(self, number: int | None) -> None:
        words = self.summary if number is None else f"{self.words(number)}. {self.summary}"
        self.reading = number
        self.update()
        if words != self.accessibleDescription():
            self.setAccessibleDescription(words)
            if number is not None and self.hasFocus():
                announce(self, self.words(number))


def draw_level(painter: QPainter, area: QRectF, share: float, words: str) -> None:
    """Draw the line of the grid that lies `share` of the way up, with `words` on its left."""
    tokens, y = theme().tokens, area.bottom() - share * area.height()
    painter.setPen(QPen(tokens.colour("border"), 1))
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
    painter.setPen(tokens.colour("muted"))
    draw_label(painter, QPointF(area.left() - 6, y), words, Qt.AlignmentFlag.AlignRight)


def draw_label(painter: QPainter, at: QPoint | QPointF, words: str, align: Qt.AlignmentFlag) -> None:
    """Write `words` so that `at` is the middle of their left, centre or right edge."""
    metrics = painter.fontMetrics()
    width, height = metrics.horizontalAdvance(words) + 2, metrics.height()
    shift = {Qt.AlignmentFlag.AlignLeft: 0.0, Qt.AlignmentFlag.AlignRight: float(width)}.get(align, width / 2)
    painter.drawText(QRectF(at.x() - shift, at.y() - height / 2, width, height), Qt.AlignmentFlag.AlignCenter, words)
