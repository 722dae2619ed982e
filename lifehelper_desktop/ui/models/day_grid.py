"""The days of one habit as a table of weeks, for the calendar; screen readers read it cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from lifehelper_desktop.domain.labels import weekday_label
from lifehelper_desktop.domain.review import week_first
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui.day_states import day_words, is_readable
from lifehelper_desktop.ui.text import month_of_year
from lifehelper_desktop.ui.widgets.basics import plain_tip

Index = QModelIndex | QPersistentModelIndex
WEEK: Final = 7
#: What the view of the last year shows instead of a calendar year.
RECENT: Final = 0
_RECENT_WEEKS: Final = 53


class DayGrid(QAbstractTableModel):
    """Weeks are columns, weekdays rows; exactly one cell for each civil day from `first` to `last`.

    The cells of the first and last week that lie outside hold no day.
    """

    def __init__(self) -> None:
        """Start empty; `show_days` fills it."""
        super().__init__()
        self.record: HabitRecord | None = None
        self.first = self.last = date.min
        self._corner = date.min  # the day of the cell at row 0, column 0
        self._weeks = 0
        self._shape: tuple[date, date, date] | None = None

    def show_days(self, record: HabitRecord, year: int, week_start: int) -> None:
        """Show a calendar year, or with `RECENT` the 53 weeks that end with this one.

        `week_start` is the ISO weekday (1 Monday, 7 Sunday) of the first row.
        """
        if year == RECENT:
            last = record.today
            first = week_first(last, week_start) - timedelta(days=WEEK * (_RECENT_WEEKS - 1))
        else:
            first, last = date(year, 1, 1), date(year, 12, 31)
        corner = week_first(first, week_start)
        shape = (corner, first, last)
        if shape == self._shape:  # the focused cell stays where it is
            self.record = record
            self.dataChanged.emit(self.index(0, 0), self.index(WEEK - 1, self._weeks - 1))
            return
        self.beginResetModel()
        self.record, self._shape = record, shape
        self._corner, self.first, self.last = shape
        self._weeks = ((last - corner).days) // WEEK + 1
        self.endResetModel()

    def day_at(self, index: Index) -> date | None:
        """Return the civil day of a cell, or None outside of the days shown."""
        if not index.isValid():
            return None
        day = self._corner + timedelta(days=index.column() * WEEK + index.row())
        return day if self.first <= day <= self.last else None

    def index_of(self, day: date) -> QModelIndex:
        """Return the cell of `day`; an invalid index when it is not shown."""
        if not self.first <= day <= self.last:
            return QModelIndex()
        column, line = divmod((day - self._corner).days, WEEK)
        return self.index(line, column)

    def days(self) -> Iterator[tuple[int, int, date]]:
        """Yield (row, column, day) of every cell that holds a day, oldest first."""
        offset = (self.first - self._corner).days
        for number in range((self.last - self.first).days + 1):
            column, line = divmod(offset + number, WEEK)
            yield line, column, self.first + timedelta(days=number)

    def month_of(self, column: int) -> tuple[int, int] | None:
        """Return (year, month) when the month's first shown day lies in this week, else None."""
        begin = max(self._corner + timedelta(days=column * WEEK), self.first)
        end = min(self._corner + timedelta(days=column * WEEK + WEEK - 1), self.last)
        if column == 0:
            return begin.year, begin.month
        return (end.year, end.month) if end.day <= (end - begin).days + 1 else None

    # ---- the model of Qt --------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Seven weekdays."""
        return WEEK if self._weeks and not parent.isValid() else 0

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The weeks."""
        return 0 if parent.isValid() else self._weeks

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The words of a day, as tool tip and for screen readers; the view draws the cell itself."""
        if role not in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        day = self.day_at(index)
        if day is None or self.record is None:
            return None
        words = day_words(self.record, day)
        return plain_tip(words) if role == Qt.ItemDataRole.ToolTipRole else words

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Weekdays beside the rows; for screen readers the month above each week."""
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return weekday_label(self._corner + timedelta(days=section))
        end = min(self._corner + timedelta(days=section * WEEK + WEEK - 1), self.last)
        return month_of_year(end.year, end.month)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Only days that have come can be gone to."""
        day = self.day_at(index)
        if day is None or self.record is None or not is_readable(self.record, day):
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
