"""The table of the weekly review: habits and weekdays, each day as a sign that has a name."""

from __future__ import annotations

from datetime import date, timedelta
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QToolButton, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.labels import weekday_label
from lifehelper_desktop.domain.review import WEEK, DayMark, HabitWeek, WeekReview
from lifehelper_desktop.domain.review_words import count_words, mark_word, more_words, weekday_word
from lifehelper_desktop.ui.day_states import DayState
from lifehelper_desktop.ui.text import short_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, frame, label, plain_tip, row, tool_button
from lifehelper_desktop.ui.widgets.day_signs import SignLabel
from lifehelper_desktop.ui.widgets.flow import FlowBox

_CELL: Final = 20  # pixels at 100 % text
_NARROW: Final = 430  # below, the words of a habit go above its days
_ARROW: Final = WEEK + 1  # column
_SIGNS: Final = {
    DayMark.DONE: DayState.DONE,
    DayMark.MINIMUM: DayState.MINIMUM,
    DayMark.BLANK: DayState.BLANK,
    DayMark.MISSED: DayState.MISSED,
    DayMark.OPEN: DayState.CLOSED,
    DayMark.OFF: DayState.OFF,
}


class WeekTable(QFrame):
    """Shows one WeekReview that has habits. `detail_asked` carries the id of a habit."""

    detail_asked = Signal(int)

    def __init__(self, review: WeekReview) -> None:
        """Show `review`."""
        super().__init__()
        self.setProperty("role", "card")
        self.setObjectName("weekTable")
        outer = column(self, margins=(16, 14, 16, 14), gap=10)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme().px(5))
        self._grid.setVerticalSpacing(theme().px(8))
        self._grid.setColumnStretch(0, 1)
        for at in range(WEEK):
            self._grid.addWidget(_weekday_head(review.first + timedelta(days=at)), 0, at + 1)
        self._lines = [self._make_line(week) for week in review.habits]
        self._is_narrow: bool | None = None
        self._arrange(narrow=False)
        outer.addLayout(self._grid)
        outer.addWidget(frame("line"))
        outer.addWidget(_legend(review))

    def _make_line(self, week: HabitWeek) -> tuple[QWidget, list[DayCell], QToolButton]:
        title = week.habit.title(current_language())
        more = more_words(week)
        counts = count_words(week) + (f" · {more}" if more else "")
        words = QWidget(self)
        inside = column(words, gap=0)
        inside.addWidget(label(title, "setting"))
        inside.addWidget(label(counts, "small"))
        arrow = tool_button(
            "right",
            _("‘{title}’ 자세히 보기").format(title=title),
            partial(self.detail_asked.emit, week.habit.id),
            name=f"reviewHabit_{week.habit.id}",
        )
        arrow.setToolTip(plain_tip(arrow.toolTip()))
        spoken = ", ".join(f"{weekday_word(day)} {mark_word(mark)}" for day, mark in week.days)
        arrow.setAccessibleDescription(f"{counts}. {spoken}")
        return words, [DayCell(day, mark) for day, mark in week.days], arrow

    def _arrange(self, *, narrow: bool) -> None:
        if self._is_narrow == narrow:
            return
        self._is_narrow = narrow
        for at, (words, cells, arrow) in enumerate(self._lines):
            top = 2 * at + 1
            days = top + 1 if narrow else top
            self._grid.addWidget(words, top, 0, 1, WEEK - 1 if narrow else 1)
            for column_, cell in enumerate(cells, start=1):
                self._grid.addWidget(cell, days, column_, Qt.AlignmentFlag.AlignCenter)
            # Above the last two days where it is narrow: beside them it would take the room that they need.
            place = (WEEK - 1, 2) if narrow else (_ARROW, 1)
            self._grid.addWidget(
                arrow, top, place[0], 1, place[1], Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the words readable where it is narrow."""
        self._arrange(narrow=event.size().width() < theme().px(_NARROW))
        super().resizeEvent(event)


class DayCell(SignLabel):
    """One day of one habit as a sign; its name says it in words."""

    def __init__(self, day: date, mark: DayMark) -> None:
        """Show `mark`."""
        super().__init__(_SIGNS[mark], side=_CELL)
        words = f"{short_day(day)}: {mark_word(mark)}"
        self.setAccessibleName(words)
        self.setToolTip(words)


def _weekday_head(day: date) -> QWidget:
    head = label(weekday_label(day), "small", wrap=False)
    head.setAlignment(Qt.AlignmentFlag.AlignCenter)
    head.setAccessibleName(weekday_word(day))
    return head


def _legend(review: WeekReview) -> QWidget:
    used = {mark for week in review.habits for _day, mark in week.days}
    legend = FlowBox(gap=theme().px(14), name="weekLegend")
    for mark in DayMark:
        if mark in used:
            item = QWidget()
            inside = row(item, gap=6)
            inside.addWidget(SignLabel(_SIGNS[mark]))
            inside.addWidget(label(mark_word(mark), "small", wrap=False))
            legend.add(item)
    return legend
