"""A list of two-line rows: title and what is known of it, a badge, and where wanted a check box. Keyboard first.

Everything that a row shows is also its text for screen readers. Rows are drawn, not built of widgets: a list of two
thousand habits opens at once.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme

_LineRole: Final = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
#: Pixels at 100 % text.
_PAD_X, _PAD_Y, _GAP, _BOX, _BADGE_X, _BADGE_Y, _ROUND, _MARGIN = 12, 9, 3, 18, 9, 2, 10, 2
_NO_VIEW_WIDTH, _LEAST_HEIGHT = 320, 140
_BADGES: Final = {
    "plain": ("sunken", "muted"),
    "good": ("accent_soft", "on_accent_soft"),
    "note": ("blue_soft", "on_blue_soft"),
    "warn": ("gold_soft", "on_gold_soft"),
    "bad": ("danger_soft", "on_danger_soft"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One row.

    Attributes:
        key: What the row stands for; a choice is kept by it when the list is shown anew.
        detail: The second line; may be empty.
        badge: A word on the right.
        kind: Look of the badge: `plain`, `good`, `note`, `warn` or `bad`.
        icon: Name of an icon on the left, where there is no check box.
        colour: Theme colour of the icon.
        checked: None for a row without a check box.
        faded: The row no longer counts; its words say why.
    """

    key: Hashable
    title: str
    detail: str = ""
    badge: str = ""
    kind: str = "plain"
    icon: str = ""
    colour: str = "muted"
    checked: bool | None = None
    faded: bool = False

    @property
    def spoken(self) -> str:
        """All of it for screen readers."""
        return ", ".join(part for part in (self.title, self.badge, self.detail) if part)


class LineList(QListWidget):
    """`toggled` asks for another state of a check box: the owner decides and calls `show_lines` or `set_checked`."""

    toggled = Signal(object, bool)
    chosen = Signal()

    def __init__(self, name: str, label: str, parent: QWidget | None = None) -> None:
        """Start empty; `label` is the name for screen readers."""
        super().__init__(parent)
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("role", "lines")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMouseTracking(True)
        self.setMinimumHeight(theme().px(_LEAST_HEIGHT))
        self.setItemDelegate(_LineDelegate(self))
        self.currentItemChanged.connect(lambda _now, _before: self.chosen.emit())

    @property
    def lines(self) -> list[Line]:
        """What is shown, in order."""
        return [_line(self.item(at)) for at in range(self.count())]

    @property
    def current(self) -> Line | None:
        """The chosen row."""
        item = self.currentItem()
        return _line(item) if item is not None else None

    def show_lines(self, lines: Iterable[Line]) -> None:
        """Replace all rows. The choice stays where its key is still there, else in its place."""
        wanted, shown = list(lines), self.lines
        if [line.key for line in wanted] == [line.key for line in shown]:
            for at, (line, before) in enumerate(zip(wanted, shown, strict=True)):
                if line != before:
                    _fill(self.item(at), line)
            return
        chosen, place = self.current, self.currentRow()
        scroll = self.verticalScrollBar().value()
        blocked = self.blockSignals(True)
        self.clear()
        for line in wanted:
            item = QListWidgetItem()
            _fill(item, line)
            self.addItem(item)
        keys = [line.key for line in wanted]
        if chosen is not None and chosen.key in keys:
            place = keys.index(chosen.key)
        self.setCurrentRow(max(0, min(place, len(wanted) - 1)))
        self.blockSignals(blocked)
        self.verticalScrollBar().setValue(scroll)
        self.chosen.emit()

    def update_line(self, line: Line) -> None:
        """Show a newer state of the row of the same key."""
        for at in range(self.count()):
            if _line(self.item(at)).key == line.key:
                _fill(self.item(at), line)
                return

    def choose(self, key: Hashable) -> None:
        """Make the row of `key` the chosen one."""
        for at in range(self.count()):
            if _line(self.item(at)).key == key:
                self.setCurrentRow(at)
                return

    def ask_toggle(self, index: _Index) -> None:
        """Ask for the other state of the row's check box."""
        line = index.data(_LineRole)
        if isinstance(line, Line) and line.checked is not None:
            self.toggled.emit(line.key, not line.checked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The space bar turns the check box of the chosen row; Enter activates the row and does nothing else."""
        if event.key() == Qt.Key.Key_Space and self.current is not None and self.current.checked is not None:
            self.ask_toggle(self.currentIndex())
            return
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()  # else the dialog takes it for its default button, that of a question just opened too

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The words wrap anew."""
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()


def _line(item: QListWidgetItem) -> Line:
    line = item.data(_LineRole)
    assert isinstance(line, Line)
    return line


def _fill(item: QListWidgetItem, line: Line) -> None:
    flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
    item.setFlags(flags if line.checked is None else flags | Qt.ItemFlag.ItemIsUserCheckable)
    item.setData(_LineRole, line)
    item.setText(line.title)
    item.setData(Qt.ItemDataRole.AccessibleTextRole, line.spoken)
    state = Qt.CheckState.Checked if line.checked else Qt.CheckState.Unchecked
    item.setData(Qt.ItemDataRole.CheckStateRole, None if line.checked is None else state)


class _LineDelegate(QStyledItemDelegate):
    """Draws a row in as many lines as its words need."""

    def __init__(self, view: LineList) -> None:
        super().__init__(view)
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        px, line = theme().px, index.data(_LineRole)
        width = self._view.viewport().width() or _NO_VIEW_WIDTH
        if not isinstance(line, Line):
            return QSize(width, 0)
        layout = _Layout(line, option.font, QRect(0, 0, width, 0))
        return QSize(width, layout.bottom + px(_PAD_Y + _MARGIN))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        line = index.data(_LineRole)
        if not isinstance(line, Line):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        self._paint_ground(painter, option, index, selected)
        _paint_line(painter, line, _Layout(line, option.font, option.rect), selected)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index, selected: bool) -> None:
        tokens, px = theme().tokens, theme().px
        box = QRectF(option.rect).adjusted(px(_MARGIN) + 0.5, px(_MARGIN) + 0.5, -px(_MARGIN) - 0.5, -px(_MARGIN) - 0.5)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        focused = selected and self._view.hasFocus()
        painter.setPen(QPen(tokens.colour("accent"), 2 if focused else 1) if selected else Qt.PenStyle.NoPen)
        painter.setBrush(tokens.colour("accent_soft" if selected else "hover" if hovered else "surface"))
        painter.drawRoundedRect(box, px(_ROUND), px(_ROUND))
        if index.row() and not selected and index.row() - 1 != self._view.currentRow():
            painter.setPen(QPen(tokens.colour("border"), 1))
            y, inset = option.rect.top(), px(_PAD_X)
            painter.drawLine(option.rect.left() + inset, y, option.rect.right() - inset, y)

    def editorEvent(
        self, event: QEvent, _model: QAbstractItemModel, option: QStyleOptionViewItem, index: _Index
    ) -> bool:
        """A click on a row with a check box turns it."""
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            inside = option.rect.contains(event.position().toPoint())
            if inside and event.button() == Qt.MouseButton.LeftButton:
                self._view.ask_toggle(index)
        return False


class _Layout:
    """Where the parts of a row lie in `rect`."""

    def __init__(self, line: Line, font: QFont, rect: QRect) -> None:
        px = theme().px
        self.title_font, self.small = _bold(font), _smaller(font)
        top = rect.top() + px(_PAD_Y + _MARGIN)
        left, right = rect.left() + px(_PAD_X), rect.right() - px(_PAD_X)
        self.mark = QRect(left, top, 0, 0)
        title_metrics = QFontMetrics(self.title_font)
        if line.checked is not None or line.icon:
            size = px(_BOX)
            self.mark = QRect(left, top + max(0, (title_metrics.height() - size) // 2), size, size)
            left += size + px(10)
        self.badge = QRect()
        title_right = right
        if line.badge:
            words = QFontMetrics(self.small)
            width, height = words.horizontalAdvance(line.badge) + 2 * px(_BADGE_X), words.height() + 2 * px(_BADGE_Y)
            self.badge = QRect(right - width, top, width, height)
            title_right = self.badge.left() - px(8)
        self.title = _lay_out(line.title, self.title_font, max(1, title_right - left))
        self.title_at = QPointF(left, top)
        bottom = top + self.title.boundingRect().height()
        if line.badge:
            bottom = max(bottom, self.badge.bottom() + 1)
        self.detail = _lay_out(line.detail, self.small, max(1, right - left))
        self.detail_at = QPointF(left, bottom + px(_GAP))
        if line.detail:
            bottom = self.detail_at.y() + self.detail.boundingRect().height()
        self.bottom = math.ceil(bottom - rect.top())


def _lay_out(text: str, font: QFont, width: int) -> QTextLayout:
    """Break a text into lines at words, inside of one only where it is longer than a line."""
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout = QTextLayout(text, font)
    layout.setTextOption(option)
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, top))
        top += line.height()
    layout.endLayout()
    return layout


def _paint_line(painter: QPainter, line: Line, layout: _Layout, selected: bool) -> None:
    tokens = theme().tokens
    strong = "on_accent_soft" if selected else "muted" if line.faded else "text"
    soft = "on_accent_soft" if selected else "muted"
    if line.checked is not None:
        _paint_box(painter, layout.mark, checked=line.checked)
    elif line.icon:
        ratio = painter.device().devicePixelRatioF()
        colour = tokens["on_accent_soft" if selected else line.colour]
        painter.drawPixmap(layout.mark, icons.pixmap(line.icon, colour, _BOX, ratio))
    painter.setPen(tokens.colour(strong))
    layout.title.draw(painter, layout.title_at)
    painter.setPen(tokens.colour(soft))
    layout.detail.draw(painter, layout.detail_at)
    if line.badge:
        painter.setFont(layout.small)
        ground, words = _BADGES[line.kind]
        painter.setPen(QPen(tokens.colour(words), 1) if selected else Qt.PenStyle.NoPen)
        painter.setBrush(tokens.colour(ground))
        radius = layout.badge.height() / 2
        painter.drawRoundedRect(QRectF(layout.badge), radius, radius)
        painter.setPen(tokens.colour(words))
        painter.drawText(layout.badge, int(Qt.AlignmentFlag.AlignCenter), line.badge)


def _paint_box(painter: QPainter, box: QRect, *, checked: bool) -> None:
    tokens, px = theme().tokens, theme().px
    painter.setPen(QPen(tokens.colour("accent" if checked else "border_strong"), 2))
    painter.setBrush(tokens.colour("accent" if checked else "surface"))
    painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), px(5), px(5))
    if checked:
        colour = tokens.colour("on_accent")
        pen = QPen(colour, px(2), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        part = box.width() / 18

        def spot(x: float, y: float) -> QPoint:
            return QPoint(round(box.left() + x * part), round(box.top() + y * part))

        painter.drawPolyline([spot(4.5, 9.5), spot(7.8, 12.8), spot(13.8, 5.8)])


def _bold(font: QFont) -> QFont:
    result = QFont(font)
    result.setWeight(QFont.Weight.DemiBold)
    return result


def _smaller(font: QFont) -> QFont:
    result = QFont(font)
    if font.pixelSize() > 0:
        result.setPixelSize(round(font.pixelSize() * 12.5 / 14))
    else:
        result.setPointSizeF(font.pointSizeF() * 12.5 / 14)
    return result
