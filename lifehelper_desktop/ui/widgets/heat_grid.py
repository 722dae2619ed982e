"""The calendar itself: a table of weeks with a keyboard of its own, drawn from one picture for each year."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QSizePolicy, QTableView, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.day_states import day_state
from lifehelper_desktop.ui.models.day_grid import WEEK, DayGrid
from lifehelper_desktop.ui.text import month_name, month_of_year
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.day_signs import draw_sign

# Pixels at 100 % text: one cell with its gap. Where the smallest does not fit, the calendar scrolls.
_PITCH_MIN, _PITCH_MAX, _GAP = 13, 22, 3
_KEPT_PICTURES: Final = 12
_Key = tuple[object, ...]


class HeatGrid(QTableView):
    """Shows a `DayGrid`. `day_asked` carries the day to open (click, Enter), `done_asked` the day of Space.

    The arrows walk by days (up, down) and weeks (left, right), also over the edge of what is shown: then
    `beyond_asked` carries the day that was meant. `noticed` carries the day under the mouse, else the focused one, else
    None. Home and End go to the ends of the week, with Ctrl to those of what
    is shown, Page Up and Page Down by a month.
    """

    day_asked = Signal(object)
    done_asked = Signal(object)
    beyond_asked = Signal(object)
    noticed = Signal(object)

    def __init__(self, grid: DayGrid) -> None:
        """Show `grid`, and everything that it comes to hold later."""
        super().__init__()
        self.grid = grid
        self.setObjectName("heatGrid")
        self._pictures: dict[_Key, QPixmap] = {}
        self._edition = 0  # of the record: pictures of an older one are stale
        self._hovered: date | None = None
        self.setModel(grid)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._months = _Labels(Qt.Orientation.Horizontal, self)
        self._weekdays = _Labels(Qt.Orientation.Vertical, self)
        self.setHorizontalHeader(self._months)
        self.setVerticalHeader(self._weekdays)
        self.setCornerButtonEnabled(False)
        self._fit()
        self.selectionModel().currentChanged.connect(self._notice)

    # ---- what is shown ----------------------------------------------------------------------------------------

    def forget_pictures(self) -> None:
        """Draw anew: the record, the theme or the language changed."""
        self._edition += 1
        self._pictures.clear()
        self._fit()
        self.viewport().update()
        self._notice()

    @property
    def day(self) -> date | None:
        """The day of the focused cell."""
        return self.grid.day_at(self.currentIndex())

    def go_to(self, day: date) -> None:
        """Make `day` the focused cell and bring it into view; days that are not shown are left alone."""
        index = self.grid.index_of(day)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
            self.viewport().update()

    def cell_rect(self, day: date) -> QRect:
        """Return where the cell of `day` lies on the viewport; empty when it is not shown."""
        return self.visualRect(self.grid.index_of(day))

    def sizeHint(self) -> QSize:
        """The seven rows, the labels and the scroll bar when there is one."""
        bar = self.horizontalScrollBar().sizeHint().height() if self._scrolls() else 0
        height = self._months.sizeHint().height() + WEEK * self.pitch + bar
        return QSize(_PITCH_MIN * (WEEK * WEEK), height)

    def minimumSizeHint(self) -> QSize:
        """Any width, all of the height."""
        return QSize(theme().px(120), self.sizeHint().height())

    # ---- sizes ------------------------------------------------------------------------------------------------

    def _fit(self) -> None:
        """Choose the size of the cells for the width there is; the weeks share what is left over."""
        weeks = max(1, self.grid.columnCount())
        room = self.width() - self._weekdays.sizeHint().width()
        least, most = float(theme().px(_PITCH_MIN)), float(theme().px(_PITCH_MAX))
        fitting = room / weeks
        if fitting < least:  # it scrolls: whole weeks in view at both ends
            fitting = room / max(1, room // least)
        self._step = max(least, min(most, fitting))
        self.pitch = int(self._step)
        for header in (self._months, self._weekdays):
            header.setMinimumSectionSize(1)
        for section in range(self._months.count()):
            self._months.resizeSection(section, self._left(section + 1) - self._left(section))
        for section in range(self._weekdays.count()):
            self._weekdays.resizeSection(section, self.pitch)
        self.updateGeometry()

    def _left(self, column: int) -> int:
        """Return where a week begins."""
        return round(column * self._step)

    def _scrolls(self) -> bool:
        return self._left(self.grid.columnCount()) > self.width() - self._weekdays.sizeHint().width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the cells to the new width, and keep the newest weeks in view."""
        at_end = self.horizontalScrollBar().value() >= self.horizontalScrollBar().maximum()
        self._fit()
        super().resizeEvent(event)
        if at_end:
            self.horizontalScrollBar().setValue(self.horizontalScrollBar().maximum())

    # ---- drawing ----------------------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the kept picture, and on it the day under the mouse and the focused one."""
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawPixmap(QPoint(-self.horizontalOffset(), 0), self._picture())
        tokens = theme().tokens
        if self._hovered is not None:
            self._ring(painter, self._hovered, QPen(tokens.colour("border_strong"), 1.5))
        if self.hasFocus() and self.day is not None:
            self._ring(painter, self.day, QPen(tokens.colour("surface"), 5))
            self._ring(painter, self.day, QPen(tokens.colour("text"), 2.4))
        painter.end()

    def _ring(self, painter: QPainter, day: date, pen: QPen) -> None:
        rect = self.cell_rect(day)
        if rect.isValid():
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            ring = QRectF(rect.x(), rect.y(), self.pitch, self.pitch).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(ring, ring.width() * 0.26, ring.width() * 0.26)

    def _picture(self) -> QPixmap:
        """Return the picture of all the weeks, drawn once for each size, theme and edition of the record."""
        ratio = self.devicePixelRatioF()
        grid = self.grid
        key = (grid.first, grid.last, self._step, ratio, theme().tokens.name, self._edition)
        found = self._pictures.get(key)
        if found is not None:
            return found
        size = QSize(max(1, self._left(grid.columnCount())), WEEK * self.pitch)
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        if grid.record is not None:
            painter = QPainter(picture)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._draw_days(painter)
            painter.end()
        if len(self._pictures) >= _KEPT_PICTURES:
            self._pictures.clear()
        self._pictures[key] = picture
        return picture

    def _draw_days(self, painter: QPainter) -> None:
        record, tokens, pitch = self.grid.record, theme().tokens, self.pitch
        assert record is not None
        gap = max(2, round(_GAP * pitch / _PITCH_MAX))
        side = pitch - gap
        for line, column, day in self.grid.days():
            box = QRectF(self._left(column) + gap / 2, line * pitch + gap / 2, side, side)
            entry = record.entries.get(day)
            has_note = entry is not None and bool(entry.note) and day <= record.today
            draw_sign(painter, box, day_state(record, day), tokens, has_note=has_note)
            if day == record.today:
                painter.setPen(QPen(tokens.colour("text"), 1.6))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(-0.6, -0.6, 0.6, 0.6), side * 0.26, side * 0.26)

    # ---- keyboard and mouse -----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk over the days, open one, or record it; every other key is for those around."""
        day, key = self.day, event.key()
        if day is None:
            event.ignore()
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.day_asked.emit(day)
        elif key == Qt.Key.Key_Space:
            self.done_asked.emit(day)
        else:
            ctrl = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            target = self._target(day, key, ctrl=ctrl)
            if target is None:
                event.ignore()
                return
            self._walk_to(target)
        event.accept()

    def _target(self, day: date, key: int, *, ctrl: bool) -> date | None:
        """Return where a key leads from `day`, or None when it does not move."""
        first = self.grid.first
        line = self.grid.index_of(day).row()
        steps: dict[int, Callable[[], date]] = {
            Qt.Key.Key_Up: lambda: day - timedelta(days=1),
            Qt.Key.Key_Down: lambda: day + timedelta(days=1),
            Qt.Key.Key_Left: lambda: day - timedelta(days=WEEK),
            Qt.Key.Key_Right: lambda: day + timedelta(days=WEEK),
            Qt.Key.Key_Home: lambda: first if ctrl else max(first, day - timedelta(days=line)),
            Qt.Key.Key_End: lambda: self._newest() if ctrl else min(self._newest(), day + timedelta(days=6 - line)),
            Qt.Key.Key_PageUp: lambda: _months_later(day, -1),
            Qt.Key.Key_PageDown: lambda: _months_later(day, 1),
        }
        step = steps.get(key)
        return step() if step is not None else None

    def _newest(self) -> date:
        """Return the last day shown that can be gone to."""
        assert self.grid.record is not None
        return min(self.grid.last, self.grid.record.today)

    def _walk_to(self, day: date) -> None:
        record = self.grid.record
        assert record is not None
        day = min(day, record.today)
        if self.grid.index_of(day).isValid():
            self.go_to(day)
        else:
            self.beyond_asked.emit(day)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the day that was clicked; what has not come yet does not answer."""
        super().mouseReleaseEvent(event)
        day = self._usable_day(self.indexAt(event.position().toPoint()))
        if day is not None and event.button() == Qt.MouseButton.LeftButton:
            self.day_asked.emit(day)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Outline the day under the mouse."""
        self._hover(self.indexAt(event.position().toPoint()))
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Outline nothing."""
        self._hover(QModelIndex())
        super().leaveEvent(event)

    def _usable_day(self, index: QModelIndex | QPersistentModelIndex) -> date | None:
        day = self.grid.day_at(index)
        return day if day is not None and self.grid.flags(index) & Qt.ItemFlag.ItemIsEnabled else None

    def _hover(self, index: QModelIndex | QPersistentModelIndex) -> None:
        day = self._usable_day(index)
        if day == self._hovered:
            return
        self._hovered = day
        cursor = Qt.CursorShape.ArrowCursor if day is None else Qt.CursorShape.PointingHandCursor
        self.viewport().setCursor(cursor)
        self.viewport().update()
        self._notice()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell of the focused day."""
        super().focusInEvent(event)
        self._notice()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that no day is focused any more."""
        super().focusOutEvent(event)
        self._notice()

    def _notice(self) -> None:
        self.noticed.emit(self._hovered or (self.day if self.hasFocus() else None))


class _Labels(QHeaderView):
    """Months above the weeks, or weekdays beside the rows, with no more words than there is room for."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self.setObjectName("heatLabels")
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """One line above; the widest weekday beside."""
        metrics = self.fontMetrics()
        if self.orientation() == Qt.Orientation.Horizontal:
            return QSize(0, metrics.height() + theme().px(4))
        model = self.model()
        words = [str(model.headerData(at, self.orientation())) for at in range(model.rowCount())] if model else []
        widest = max((metrics.horizontalAdvance(each) for each in words), default=0)
        return QSize(widest + theme().px(8), 0)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the words over the width of several sections."""
        painter = QPainter(self.viewport())
        painter.setPen(theme().tokens.colour("muted"))
        painter.setFont(self.font())
        if self.orientation() == Qt.Orientation.Horizontal:
            self._draw_months(painter)
        else:
            self._draw_weekdays(painter)
        painter.end()

    def _draw_months(self, painter: QPainter) -> None:
        grid = self.model()
        assert isinstance(grid, DayGrid)
        until = self.width()
        for column in reversed(range(grid.columnCount())):  # from the right: the newest month keeps its name
            found = grid.month_of(column)
            if found is None:
                continue
            year, month = found
            names = [month_name(month)]
            if month == 1 and grid.first.year != grid.last.year:
                names = [month_of_year(year, month), _("{year}년").format(year=year), *names]
            left = self.sectionViewportPosition(column)
            if left < 0:
                break  # scrolled away: half a name says nothing
            for each in names:
                if left + self.fontMetrics().horizontalAdvance(each) < until:
                    painter.drawText(QPoint(left + 1, self.fontMetrics().ascent()), each)
                    until = left - 4
                    break

    def _draw_weekdays(self, painter: QPainter) -> None:
        every = 1 if self.sectionSize(0) >= self.fontMetrics().height() else 2
        for line in range(0, self.count(), every):
            box = QRect(0, self.sectionViewportPosition(line), self.width() - theme().px(6), self.sectionSize(line))
            words = str(self.model().headerData(line, self.orientation()))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)


def _months_later(day: date, months: int) -> date:
    """Return the same day of another month, or its last day where the month is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
