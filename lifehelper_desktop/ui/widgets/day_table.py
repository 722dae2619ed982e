"""The calendar in words: a table of the days with their values and notes, by month."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QTableView, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui.models.day_list import DAY, VALUE, DayList, Month, months
from lifehelper_desktop.ui.text import full_day, month_of_year
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, label, row

_ROWS_SHOWN = 9
_LONG_DAY = date(2026, 9, 30)  # a Wednesday: no day has a longer name in English, and none in Korean


class DayTable(QWidget):
    """`day_asked` carries the day of a line that was opened (Enter, double click)."""

    day_asked = Signal(object)

    def __init__(self) -> None:
        """Start empty; `show_record` fills it."""
        super().__init__()
        self.days = DayList()
        self._months: list[Month] = []
        layout = column(self, gap=8)
        head = row(gap=8)
        words = label(_("달"), "muted", wrap=False)
        self.month = QComboBox()
        self.month.setObjectName("dayTableMonth")
        self.month.setAccessibleName(_("달 고르기"))
        words.setBuddy(self.month)
        self.month.currentIndexChanged.connect(self._on_month)
        head.addWidget(words)
        head.addWidget(self.month)
        head.addStretch(1)
        layout.addLayout(head)
        self.view = _Lines(self.days)
        self.view.opened.connect(lambda line: self.day_asked.emit(self.days.day_at(line)))
        layout.addWidget(self.view)

    def show_record(self, record: HabitRecord) -> None:
        """Show the days of `record`; the chosen month and the line in focus stay where they are."""
        self._record = record
        line = self.view.currentIndex().row()
        day = self.days.day_at(line) if line >= 0 else None
        chosen = self.chosen_month
        found = months(record)
        if found != self._months:
            self._months = found
            self.month.blockSignals(True)
            self.month.clear()
            self.month.addItem(_("모든 달"))
            self.month.addItems([month_of_year(*each) for each in found])
            self.month.setCurrentIndex(found.index(chosen) + 1 if chosen in found else 0)
            self.month.blockSignals(False)
        self.days.show_days(record, self.chosen_month)
        self._focus(day)

    @property
    def chosen_month(self) -> Month | None:
        """The (year, month) shown, None for all."""
        at = self.month.currentIndex()
        return self._months[at - 1] if at > 0 else None

    def show_month(self, month: Month | None) -> None:
        """Show one month, or all."""
        self.month.setCurrentIndex(self._months.index(month) + 1 if month in self._months else 0)

    def _on_month(self, _at: int) -> None:
        self.days.show_days(self._record, self.chosen_month)
        self._focus(None)

    def _focus(self, day: date | None) -> None:
        line = self.days.line_of(day) if day is not None else -1
        if self.days.rowCount():
            self.view.setCurrentIndex(self.days.index(max(0, line), DAY))


class _Lines(QTableView):
    """`opened` carries the number of the line."""

    opened = Signal(int)

    def __init__(self, days: DayList) -> None:
        super().__init__()
        self.setObjectName("dayTable")
        self.setAccessibleName(_("날마다의 기록"))
        self.setModel(days)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.doubleClicked.connect(self._on_double_click)
        height = self.fontMetrics().height() + theme().px(10)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(height)
        header = self.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsClickable(False)
        header.setHighlightSections(False)
        header.setStretchLastSection(True)
        header.setFixedHeight(height + theme().px(4))
        metrics = self.fontMetrics()
        header.resizeSection(DAY, metrics.horizontalAdvance(full_day(_LONG_DAY)) + theme().px(28))
        header.resizeSection(VALUE, metrics.horizontalAdvance("정한 날이 아님 · 00 ") + theme().px(16))
        self.setMinimumHeight(height * (_ROWS_SHOWN + 1) + theme().px(6))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the line in focus."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().row())
            event.accept()
            return
        super().keyPressEvent(event)

    def _on_double_click(self, index: QModelIndex) -> None:
        self.opened.emit(index.row())
