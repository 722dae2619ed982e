"""The calendar of one habit: a year or the last year as a heat map, its legend, and the same days in words."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui.day_states import DayState, day_state, day_words, state_words
from lifehelper_desktop.ui.models.day_grid import RECENT, DayGrid
from lifehelper_desktop.ui.models.day_list import span
from lifehelper_desktop.ui.widgets.basics import button, column, label, row, tool_button
from lifehelper_desktop.ui.widgets.day_signs import SignLabel
from lifehelper_desktop.ui.widgets.day_table import DayTable
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.heat_grid import HeatGrid

_ALWAYS_IN_LEGEND: Final = (DayState.DONE, DayState.MINIMUM, DayState.BLANK)
_IN_LEGEND: Final = (
    *_ALWAYS_IN_LEGEND,
    DayState.NOT_DONE,
    DayState.MISSED,
    DayState.LEFT,
    DayState.OFF,
    DayState.PAUSED,
    DayState.BEFORE,
)
_KEYS: Final = N_("화살표로 날을 옮기고, Enter로 열고, 스페이스로 완료를 기록해요.")


class HeatMap(QFrame):
    """`day_asked` carries the day to open, `done_asked` the day to mark as done when nothing is recorded on it."""

    day_asked = Signal(object)
    done_asked = Signal(object)

    def __init__(self) -> None:
        """Start empty; `show_record` fills it."""
        super().__init__()
        self.setObjectName("heatMap")
        self.setProperty("role", "card")
        self._record: HabitRecord | None = None
        self._week_start = 1
        self._counts: Counter[DayState] = Counter()  # of the days shown, up to today
        self._in_legend: tuple[object, ...] = ()
        self.year = RECENT
        self.grid = HeatGrid(DayGrid())
        self.grid.day_asked.connect(self.day_asked)
        self.grid.done_asked.connect(self.done_asked)
        self.grid.beyond_asked.connect(self._go_beyond)
        self.grid.noticed.connect(self._show_words)
        self.table = DayTable()
        self.table.day_asked.connect(self.day_asked)
        layout = column(self, margins=(18, 14, 18, 16), gap=10)
        layout.addWidget(self._build_head())
        self._calendar = self._build_calendar()
        layout.addWidget(self._calendar)
        layout.addWidget(self.table)
        self.table.hide()

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_head(self) -> FlowBox:
        head = FlowBox(gap=10)
        head.add(label(_("달력"), "heading", wrap=False))
        self._switch = QWidget()
        switch = row(self._switch, gap=2)
        self.earlier = tool_button("left", _("앞의 해"), lambda: self._step(-1), name="heatEarlier")
        self.later = tool_button("right", _("다음 해"), lambda: self._step(1), name="heatLater")
        self._year = label("", "section", wrap=False)
        self._year.setObjectName("heatYear")
        self._year.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._year.setMinimumWidth(self._year.fontMetrics().horizontalAdvance(_("최근 1년")) + 24)
        self.recent = button(_("최근 1년"), lambda: self.show_year(RECENT), role="flat", name="heatRecent")
        switch.addWidget(self.earlier)
        switch.addWidget(self._year)
        switch.addWidget(self.later)
        switch.addSpacing(6)
        switch.addWidget(self.recent)
        head.add(self._switch)
        self.as_text = button(_("글로 보기"), self._toggle_text, role="flat", name="heatAsText")
        self.as_text.setAccessibleDescription(_("달력의 날을 표로 읽어요"))
        head.add(self.as_text, at_end=True)
        return head

    def _build_calendar(self) -> QWidget:
        page = QWidget()
        layout = column(page, gap=8)
        layout.addWidget(self.grid)
        self._words = label("", "muted")
        self._words.setObjectName("heatWords")
        layout.addWidget(self._words)
        self._legend = FlowBox(gap=12, name="heatLegend")
        layout.addWidget(self._legend)
        return page

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_record(self, record: HabitRecord, week_start: int) -> None:
        """Show `record`; the year, the focused day and the way of reading stay. `week_start` is an ISO weekday."""
        before = self._record
        day = self.grid.day
        self._record, self._week_start = record, week_start
        if before is None or before.overview.habit.id != record.overview.habit.id:
            self.year, day = RECENT, None
            self._show_text(text=False)
        if self.year != RECENT and self.year not in self._years():
            self.year = RECENT
        self.table.show_record(record)
        self._show(day)

    def show_year(self, year: int) -> None:
        """Show a calendar year, or the last year with `RECENT`."""
        day = self.grid.day
        self.year = year
        self._show(day)

    def focus_day(self, day: date) -> None:
        """Make `day` the focused cell, in another year when need be."""
        if not self.grid.grid.index_of(day).isValid():
            self._go_beyond(day)
        else:
            self.grid.go_to(day)

    def _show(self, day: date | None) -> None:
        """Show the year in force; `day` is focused when it is shown, else the newest one."""
        record = self._record
        assert record is not None
        self.grid.grid.show_days(record, self.year, self._week_start)
        self._counts = Counter(
            day_state(record, day) for _line, _column, day in self.grid.grid.days() if day <= record.today
        )
        self.grid.forget_pictures()
        newest = min(self.grid.grid.last, record.today)
        self.grid.go_to(day if day is not None and self.grid.grid.index_of(day).isValid() else newest)
        years = self._years()
        self._year.setText(_("최근 1년") if self.year == RECENT else _("{year}년").format(year=self.year))
        self.earlier.setEnabled(self.year != years[0])
        self.later.setEnabled(self.year != RECENT)
        if self.recent.hasFocus() and self.year == RECENT:
            self.earlier.setFocus()
        self.recent.setVisible(self.year != RECENT)
        self.grid.setAccessibleName(f"{_('달력')} · {self._year.text()}")
        self.grid.setAccessibleDescription(f"{self._summary()} {_(_KEYS)}")
        self._show_legend()
        self._show_words(None)

    def _years(self) -> list[int]:
        """Return the calendar years that can be shown, oldest first."""
        assert self._record is not None
        first, _last = span(self._record)
        return list(range(first.year, self._record.today.year + 1))

    def _step(self, by: int) -> None:
        views = [*self._years(), RECENT]
        at = views.index(self.year) + by
        if 0 <= at < len(views):
            self.show_year(views[at])

    def _go_beyond(self, day: date) -> None:
        """Follow the keyboard over the edge of what is shown, as far as there are years."""
        years = self._years()
        if day.year in years:
            self.year = day.year
            self._show(day)
        else:
            self.grid.go_to(self.grid.grid.first)

    def _show_words(self, day: date | None) -> None:
        """Say what the day under the mouse or in focus shows, or else what the whole view shows."""
        if self._record is None:
            return
        self._words.setText(day_words(self._record, day) if day is not None else self._summary())

    def _summary(self) -> str:
        states = self._counts
        done, minimum = states[DayState.DONE], states[DayState.MINIMUM]
        parts = [ngettext("완료 {n}일", "완료 {n}일", done).format(n=done)]
        if minimum:
            parts.append(ngettext("최소 {n}일", "최소 {n}일", minimum).format(n=minimum))
        if blank := states[DayState.BLANK]:
            parts.append(ngettext("쉬기 {n}일", "쉬기 {n}일", blank).format(n=blank))
        return f"{self._year.text()} · {' · '.join(parts)}."

    def _show_legend(self) -> None:
        assert self._record is not None
        states = self._counts
        has_minimum = bool(self._record.overview.habit.minimum_dose)
        always = [each for each in _ALWAYS_IN_LEGEND if each is not DayState.MINIMUM or has_minimum]
        shown = [each for each in _IN_LEGEND if each in always or states[each]]
        has_notes = any(entry.note for entry in self._record.entries.values())
        wanted = (*shown, "note") if has_notes else (*shown,)
        if wanted == self._in_legend:
            return
        self._in_legend = wanted
        self._legend.clear()
        for state in shown:
            self._legend.add(_sign(SignLabel(state), state_words(state)))
        if has_notes:
            self._legend.add(_sign(SignLabel(DayState.LEFT, has_note=True), _("메모 있음")))

    # ---- in words ---------------------------------------------------------------------------------------------

    @property
    def is_text(self) -> bool:
        """Whether the days are shown as a table."""
        return not self.table.isHidden()

    def _toggle_text(self) -> None:
        to_text = not self.is_text
        day = self.grid.day
        self._show_text(text=to_text)
        if to_text:
            if day is not None and self.year != RECENT:
                self.table.show_month((day.year, day.month))
            self.table.view.setFocus()
        else:
            self.grid.setFocus()

    def _show_text(self, *, text: bool) -> None:
        self._calendar.setVisible(not text)
        self.table.setVisible(text)
        self.as_text.setText(_("달력으로 보기") if text else _("글로 보기"))
        self._switch.setVisible(not text)


def _sign(sign: SignLabel, words: str) -> QWidget:
    """Return a sign of the legend with its words."""
    holder = QWidget()
    layout = row(holder, gap=5)
    layout.addWidget(sign)
    layout.addWidget(label(words, "small", wrap=False))
    return holder
