"""What was done in each month: a bar for the full dose, and on it a hatched one for the minimum."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.runs import MonthCount
from lifehelper_desktop.ui.text import month_name, month_of_year
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, label
from lifehelper_desktop.ui.widgets.chart import Chart, draw_label, draw_level
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.segments import Segments

_MONTHS: Final = {"year": 12, "all": 0}
_TOPS: Final = (5, 10, 20, 31)  # the scale ends at the first of these that holds every month
_BAR_MAX: Final = 30  # pixels at 100 % text
_BAR_SHARE: Final = 0.62  # of the room of a month
_SWATCH: Final = 16  # pixels at 100 % text
_FEWEST_SLOTS: Final = 6  # a young habit's bars are not drawn over the whole width


class MonthChart(Chart):
    """The bars themselves. A Page key goes over a year."""

    widest_label = "00"
    page = 12

    def __init__(self) -> None:
        """Start empty; `show_months` fills it."""
        super().__init__()
        self.setObjectName("monthChart")
        self.setAccessibleName(_("달마다 한 날"))
        self._months: Sequence[MonthCount] = ()

    def show_months(self, months: Sequence[MonthCount]) -> None:
        """Show these months, oldest first."""
        self._months = months
        self.show_summary(self._summary())

    def count(self) -> int:
        """The months."""
        return len(self._months)

    def point(self, number: int) -> QPointF:
        """The middle of a bar's top."""
        return QPointF(self._slot(number).center().x(), self._bar(number).top())

    def number_at(self, x: float) -> int:
        """The month whose room holds `x`."""
        slot = self._slot(0)
        return max(0, min(self.count() - 1, int((x - slot.left()) // max(1.0, slot.width()))))

    def words(self, number: int) -> str:
        """The month and its counts."""
        each = self._months[number]
        parts = [
            month_of_year(each.year, each.month),
            ngettext("완료 {n}일", "완료 {n}일", each.done).format(n=each.done),
        ]
        if each.minimum:
            parts.append(ngettext("최소 {n}일", "최소 {n}일", each.minimum).format(n=each.minimum))
        if each.blank:
            parts.append(ngettext("쉬기 {n}일", "쉬기 {n}일", each.blank).format(n=each.blank))
        if each.missing:
            parts.append(ngettext("기록 없음 {n}일", "기록 없음 {n}일", each.missing).format(n=each.missing))
        return " · ".join(parts)

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Draw the grid, the bars with their numbers, and the months."""
        top = self._top()
        for days in (0, top // 2 if top % 2 == 0 else 0, top):
            draw_level(painter, area, days / top, str(days))
        for number in range(self.count()):
            self._draw_bar(painter, number)
        self._draw_names(painter, area)

    def _draw_bar(self, painter: QPainter, number: int) -> None:
        tokens, each, bar = theme().tokens, self._months[number], self._bar(number)
        total = each.done + each.minimum
        if not total:
            return
        radius = min(4.0, bar.width() / 3)
        shape = QPainterPath()
        shape.addRoundedRect(bar, radius, radius)
        done = QPainterPath()
        done.addRect(QRectF(bar.left(), bar.bottom() - bar.height() * each.done / total, bar.width(), bar.height()))
        _fill(painter, shape, hatched=True)
        painter.fillPath(shape.intersected(done), tokens.colour("accent"))
        if painter.fontMetrics().horizontalAdvance("00") < self._slot(number).width() and number != self.reading:
            painter.setPen(tokens.colour("text"))
            at = QPointF(bar.center().x(), bar.top() - painter.fontMetrics().height() / 2)
            draw_label(painter, at, str(total), Qt.AlignmentFlag.AlignCenter)

    def _draw_names(self, painter: QPainter, area: QRectF) -> None:
        y = area.bottom() + self.small_metrics().height() / 2 + theme().px(5)
        painter.setPen(theme().tokens.colour("muted"))
        numbers = [*reversed(range(self.count()))]  # from the right: the newest month keeps its name
        years_only = self.count() > 2 * _MONTHS["year"]
        if years_only:
            numbers = [number for number in numbers if self._months[number].month == 1]
        names = [self._name(number, years_only=years_only) for number in numbers]
        widest = max((painter.fontMetrics().horizontalAdvance(name) for name in names), default=0) + theme().px(4)
        apart = self._slot(0).width() * (12 if years_only else 1)
        every = max(1, ceil(widest / apart))
        for number, name in [*zip(numbers, names, strict=True)][::every]:
            x = min(self._slot(number).center().x(), self.width() - widest / 2)
            draw_label(painter, QPointF(x, y), name, Qt.AlignmentFlag.AlignCenter)

    def _name(self, number: int, *, years_only: bool) -> str:
        each = self._months[number]
        return str(each.year) if years_only else month_name(each.month)

    def _slot(self, number: int) -> QRectF:
        area = self.area()
        width = area.width() / max(_FEWEST_SLOTS, self.count())
        return QRectF(area.left() + number * width, area.top(), width, area.height())

    def _bar(self, number: int) -> QRectF:
        slot, each = self._slot(number), self._months[number]
        width = min(theme().px(_BAR_MAX), max(2.0, slot.width() * _BAR_SHARE))
        height = slot.height() * (each.done + each.minimum) / self._top()
        return QRectF(slot.center().x() - width / 2, slot.bottom() - height, width, height)

    def _top(self) -> int:
        most = max((each.done + each.minimum for each in self._months), default=0)
        return next(top for top in _TOPS if most <= top)

    def _summary(self) -> str:
        if not self._months:
            return _("아직 기록이 없어요.")
        total = sum(each.done + each.minimum for each in self._months)
        n = len(self._months)
        return ngettext("{n}달 동안 {days}일 했어요.", "{n}달 동안 {days}일 했어요.", n).format(n=n, days=total)


class MonthBars(QFrame):
    """The card with the bars and the choice of their span."""

    def __init__(self) -> None:
        """Start empty; `show_months` fills it."""
        super().__init__()
        self.setObjectName("monthBars")
        self.setProperty("role", "card")
        self._months: Sequence[MonthCount] = ()
        layout = column(self, margins=(18, 14, 18, 12), gap=8)
        head = FlowBox(gap=10)
        head.add(label(_("달마다 한 날"), "heading", wrap=False))
        options = (("year", _("12개월")), ("all", _("전체")))
        self.span = Segments(options, "year", name="monthSpan", label=_("막대의 기간"))
        self.span.chosen.connect(self._show)
        head.add(self.span)
        layout.addWidget(head)
        self.chart = MonthChart()
        layout.addWidget(self.chart)
        legend = FlowBox(gap=6)
        for hatched, words in ((False, _("완료")), (True, _("최소"))):
            legend.add(_Swatch(hatched=hatched), label(words, "small", wrap=False))
        layout.addWidget(legend)
        layout.addStretch(1)

    def show_months(self, months: Sequence[MonthCount]) -> None:
        """Show these months, oldest first; the span stays."""
        self._months = months
        self._show(self.span.current)

    def _show(self, key: str) -> None:
        self.chart.show_months(self._months[-_MONTHS[key] :])


class _Swatch(QWidget):
    """A piece of a bar for the legend; decoration, its words stand beside it."""

    def __init__(self, *, hatched: bool) -> None:
        super().__init__()
        self._hatched = hatched
        side = theme().px(_SWATCH)
        self.setFixedSize(side, side)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 3, 3)
        _fill(painter, shape, hatched=self._hatched)
        painter.end()


def _fill(painter: QPainter, shape: QPainterPath, *, hatched: bool) -> None:
    """Fill `shape` as what was done in full, or hatched as what was done at the minimum."""
    accent = theme().tokens.colour("accent")
    painter.fillPath(shape, theme().tokens.colour("accent_soft") if hatched else accent)
    if hatched:
        painter.fillPath(shape, QBrush(accent, Qt.BrushStyle.BDiagPattern))
    painter.setPen(QPen(accent, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPath(shape)
