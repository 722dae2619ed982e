"""The strength of a habit over time: a line from 0 to 100 %."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from math import ceil
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QFrame

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.text import month_name, plain_day, short_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, label
from lifehelper_desktop.ui.widgets.chart import Chart, draw_label, draw_level
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.segments import Segments

Strength = tuple[date, float]
_DAYS: Final = {"quarter": 92, "year": 366, "all": 0}
_MONTH = 30


class StrengthChart(Chart):
    """The line itself. A Page key goes over a month."""

    page = _MONTH

    def __init__(self) -> None:
        """Start empty; `show_values` fills it."""
        super().__init__()
        self.setObjectName("strengthChart")
        self.setAccessibleName(_("강도"))
        self._values: Sequence[Strength] = ()
        self._path: tuple[object, QPainterPath, QPainterPath] | None = None

    def show_values(self, values: Sequence[Strength]) -> None:
        """Show these days, oldest first, each with a value from 0 to 1."""
        self._values = values
        self._path = None
        self.show_summary(self._summary())

    def count(self) -> int:
        """The days."""
        return len(self._values)

    def point(self, number: int) -> QPointF:
        """Where the value of a day lies."""
        area = self.area()
        along = number / (len(self._values) - 1) if len(self._values) > 1 else 1.0
        value = min(1.0, max(0.0, self._values[number][1]))
        return QPointF(area.left() + along * area.width(), area.bottom() - value * area.height())

    def words(self, number: int) -> str:
        """The day and its value."""
        day, value = self._values[number]
        newest = self._values[-1][0]
        name = short_day(day) if day.year == newest.year else plain_day(day)
        return f"{name} · {value:.0%}"

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Draw the grid, the months, the line and its newest value."""
        tokens = theme().tokens
        for share in (0.0, 0.5, 1.0):
            draw_level(painter, area, share, f"{share:.0%}")
        self._draw_months(painter, area)
        line, below = self._paths(area)
        accent = tokens.colour("accent")
        shade = QLinearGradient(area.topLeft(), area.bottomLeft())
        shade.setColorAt(0, QColor(accent.red(), accent.green(), accent.blue(), 90))
        shade.setColorAt(1, QColor(accent.red(), accent.green(), accent.blue(), 8))
        painter.fillPath(below, shade)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(accent, 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPath(line)
        painter.setPen(QPen(tokens.colour("surface"), 2))
        painter.setBrush(accent)
        painter.drawEllipse(self.point(self.count() - 1), theme().px(5), theme().px(5))

    def _draw_months(self, painter: QPainter, area: QRectF) -> None:
        y = area.bottom() + self.small_metrics().height() / 2 + theme().px(5)
        painter.setPen(theme().tokens.colour("muted"))
        marks = list(self._month_marks())
        if not marks:
            return
        widest = max(painter.fontMetrics().horizontalAdvance(words) for _number, words in marks) + theme().px(10)
        apart = area.width() / max(1, len(marks))
        for number, words in marks[:: max(1, ceil(widest / apart))]:
            half = painter.fontMetrics().horizontalAdvance(words) / 2
            x = max(half, min(self.point(number).x(), self.width() - half - 1))
            draw_label(painter, QPointF(x, y), words, Qt.AlignmentFlag.AlignCenter)

    def _month_marks(self) -> Iterator[tuple[int, str]]:
        """Yield (number, words) of the first of each month, newest first; only years where the span is long."""
        days = [day for day, _value in self._values]
        years_only = len(days) > 2 * _DAYS["year"]
        month = days[-1].replace(day=1)
        while month >= days[0]:
            if month.month == 1:
                yield bisect_left(days, month), str(month.year)
            elif not years_only:
                yield bisect_left(days, month), month_name(month.month)
            month = (month - timedelta(days=1)).replace(day=1)

    def _paths(self, area: QRectF) -> tuple[QPainterPath, QPainterPath]:
        """Return the line and the area below it, with no more points than there are pixels."""
        key = (area.width(), area.height(), area.left(), area.top())
        if self._path is not None and self._path[0] == key:
            return self._path[1], self._path[2]
        step = max(1, len(self._values) // max(1, round(area.width())))
        numbers = [*range(0, len(self._values) - 1, step), len(self._values) - 1]
        points = [self.point(number) for number in numbers]
        if len(points) == 1:
            points.insert(0, QPointF(area.left(), points[0].y()))
        line = QPainterPath(points[0])
        for point in points[1:]:
            line.lineTo(point)
        below = QPainterPath(line)
        below.lineTo(QPointF(points[-1].x(), area.bottom()))
        below.lineTo(QPointF(points[0].x(), area.bottom()))
        below.closeSubpath()
        self._path = (key, line, below)
        return line, below

    def _summary(self) -> str:
        """Say where the line begins, ends, and was highest."""
        if not self._values:
            return _("아직 기록이 없어요.")
        first, last = self._values[0], self._values[-1]
        best = max(self._values, key=lambda each: each[1])
        return _("{first} {begin}에서 {last} {end}까지예요. 가장 높은 날은 {day}, {best}예요.").format(
            first=plain_day(first[0]),
            begin=f"{first[1]:.0%}",
            last=plain_day(last[0]),
            end=f"{last[1]:.0%}",
            day=plain_day(best[0]),
            best=f"{best[1]:.0%}",
        )


class StrengthLine(QFrame):
    """The card with the line and the choice of its span."""

    def __init__(self) -> None:
        """Start empty; `show_values` fills it."""
        super().__init__()
        self.setObjectName("strengthLine")
        self.setProperty("role", "card")
        self._values: Sequence[Strength] = ()
        layout = column(self, margins=(18, 14, 18, 12), gap=8)
        head = FlowBox(gap=10)
        head.add(label(_("강도"), "heading", wrap=False))
        options = (("quarter", _("3개월")), ("year", _("1년")), ("all", _("전체")))
        self.span = Segments(options, "year", name="strengthSpan", label=_("강도의 기간"))
        self.span.chosen.connect(self._show)
        head.add(self.span)
        layout.addWidget(head)
        self.chart = StrengthChart()
        layout.addWidget(self.chart)
        layout.addStretch(1)

    def show_values(self, values: Sequence[Strength]) -> None:
        """Show these days, oldest first, each with a value from 0 to 1; the span stays."""
        self._values = values
        self._show(self.chosen)

    @property
    def chosen(self) -> str:
        """The span in force: `quarter`, `year` or `all`."""
        return self.span.current

    def _show(self, key: str) -> None:
        self.chart.show_values(self._values[-_DAYS[key] :])
