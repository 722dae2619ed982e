"""The days of one habit as lines of text, the newest first: the calendar for those who read rather than look."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui.day_states import value_words
from lifehelper_desktop.ui.text import full_day
from lifehelper_desktop.ui.widgets.basics import plain_tip

Index = QModelIndex | QPersistentModelIndex
Month = tuple[int, int]
DAY, VALUE, NOTE = range(3)
_TITLES: Final = (N_("날짜"), N_("기록"), N_("메모"))


class DayList(QAbstractTableModel):
    """One line for each day of the record: the day, what was recorded, the note."""

    def __init__(self) -> None:
        """Start empty; `show_days` fills it."""
        super().__init__()
        self.record: HabitRecord | None = None
        self._first = self._last = date.min
        self._count = 0

    def show_days(self, record: HabitRecord, month: Month | None = None) -> None:
        """Show all days of `record`, or those of one (year, month)."""
        self.beginResetModel()
        first, last = span(record)
        if month is not None:
            first = max(first, date(*month, 1))
            last = min(last, date(month[0] + month[1] // 12, month[1] % 12 + 1, 1) - timedelta(days=1))
        self.record, self._first, self._last = record, first, last
        self._count = max(0, (last - first).days + 1)
        self.endResetModel()

    def day_at(self, line: int) -> date:
        """Return the day of a line, 0 for the newest."""
        return self._last - timedelta(days=line)

    def line_of(self, day: date) -> int:
        """Return the line of a day, or -1 when it is not listed."""
        return (self._last - day).days if self._first <= day <= self._last else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """The days."""
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        """Day, value, note."""
        return 0 if parent.isValid() else len(_TITLES)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The words of one cell; a note that is cut off is a tool tip too."""
        if self.record is None or role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        day = self.day_at(index.row())
        entry = self.record.entries.get(day)
        note = entry.note if entry is not None else ""
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip(note) if index.column() == NOTE and note else None
        if index.column() == DAY:
            return full_day(day)
        return value_words(self.record, day) if index.column() == VALUE else " ".join(note.split())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The titles of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _(_TITLES[section])
        return None


def span(record: HabitRecord) -> tuple[date, date]:
    """Return the first and the last day that there is something to say about: the record, and entries around it."""
    known = [day for day in record.entries if day <= record.today]
    start = min(record.overview.habit.start, record.last)
    if not known:
        return start, record.last
    return min(start, min(known)), max(record.last, max(known))


def months(record: HabitRecord) -> list[Month]:
    """Return the (year, month) of `span`, the newest first."""
    first, last = span(record)
    numbers = range(last.year * 12 + last.month - 1, first.year * 12 + first.month - 2, -1)
    return [(number // 12, number % 12 + 1) for number in numbers]
