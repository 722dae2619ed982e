"""The 42 days in which a habit takes shape: how far the time has come, and how many of the days were done."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from lifehelper_desktop.base.i18n import ngettext
from lifehelper_desktop.domain.day_line import WINDOW_DAYS
from lifehelper_desktop.domain.habits import Schedule
from lifehelper_desktop.domain.rules import PHASE_DAYS
from lifehelper_desktop.domain.streaks import TIERS, next_tier
from lifehelper_desktop.storage.overviews import HabitOverview
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.card_words import done_words, phase_words
from lifehelper_desktop.ui.text import tier_word
from lifehelper_desktop.ui.theme import theme

# Pixels at 100 % text.
_SIDE, _EDGE, _THICK, _THIN = 176, 25, 13, 5
_TIER_ICON, _TICK_ICON = 38, 16
_FULL: Final = 16 * 360  # of a circle, as Qt counts


class PhaseRing(QWidget):
    """The outer ring: done days of the last 42 that counted, with a mark where each tier begins. The inner: the day
    of the phase. In the middle the tier.
    """

    def __init__(self) -> None:
        """Start at the beginning; `show_phase` sets where it stands."""
        super().__init__()
        self.setObjectName("phaseRing")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._day, self._done, self._tier = 0, 0, TIERS[0][0]

    def show_phase(self, overview: HabitOverview) -> None:
        """Show the day of the phase (from 43 on it is over), what the tier is read from, and the tier's name."""
        streaks = overview.streaks
        self._day, self._done, self._tier = overview.phase_day, overview.tier_count, streaks.tier
        self.setAccessibleName(tier_word(streaks.tier))
        parts = (
            done_words(streaks.done_count_phase42),
            phase_words(overview.phase_day),
            next_tier_words(overview.tier_count, overview.habit.schedule),
        )
        self.setAccessibleDescription(" · ".join(part for part in parts if part))
        self.setToolTip("\n".join(part for part in parts if part))
        self.update()

    def sizeHint(self) -> QSize:
        """A square that grows with the text."""
        return QSize(theme().px(_SIDE), theme().px(_SIDE))

    def minimumSizeHint(self) -> QSize:
        """The same square."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the rings, the marks and the middle."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        px, tokens = theme().px, theme().tokens
        edge = px(_EDGE) + px(_THICK) / 2
        outer = QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)
        self._arc(painter, outer, 1.0, "sunken", px(_THICK))
        self._arc(painter, outer, self._done / WINDOW_DAYS, "accent", px(_THICK))
        gap = px(_THICK) / 2 + px(_THIN) / 2 + px(5)
        inner = outer.adjusted(gap, gap, -gap, -gap)
        if self._day <= PHASE_DAYS:  # afterwards there is nothing left to come
            self._arc(painter, inner, 1.0, "sunken", px(_THIN))
            self._arc(painter, inner, self._day / PHASE_DAYS, "on_gold_soft", px(_THIN))
        for tier, _words, least in TIERS[1:]:
            self._mark(painter, outer, tier, least)
        ratio = self.devicePixelRatioF()
        icon = icons.pixmap(self._tier, tokens["accent"], _TIER_ICON, ratio)
        side = icons.size(_TIER_ICON).width()
        middle = outer.center()
        painter.drawPixmap(QPointF(middle.x() - side / 2, middle.y() - side * 0.95), icon)
        font = QFont(self.font())
        font.setBold(True)
        font.setPixelSize(px(16))
        painter.setFont(font)
        painter.setPen(tokens.colour("text"))
        words = QRectF(inner.left(), middle.y() + px(1), inner.width(), painter.fontMetrics().height())
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, tier_word(self._tier))
        font.setBold(False)
        font.setPixelSize(px(12))
        painter.setFont(font)
        painter.setPen(tokens.colour("muted"))
        words = QRectF(inner.left(), words.bottom() + px(1), inner.width(), painter.fontMetrics().height())
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, f"{self._done}/{WINDOW_DAYS}")
        painter.end()

    def _arc(self, painter: QPainter, box: QRectF, share: float, colour: str, width: int) -> None:
        if share <= 0:
            return
        cap = Qt.PenCapStyle.RoundCap if share < 1 else Qt.PenCapStyle.FlatCap
        painter.setPen(QPen(theme().tokens.colour(colour), width, Qt.PenStyle.SolidLine, cap))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawArc(box, 90 * 16, -round(_FULL * min(1.0, share)))

    def _mark(self, painter: QPainter, box: QRectF, tier: str, least: int) -> None:
        """Draw the mark and the picture of a tier where it begins."""
        px, tokens = theme().px, theme().tokens
        angle = radians(360 * least / WINDOW_DAYS - 90)
        towards = QPointF(cos(angle), sin(angle))
        radius, half = box.width() / 2, px(_THICK) / 2
        painter.setPen(QPen(tokens.colour("surface"), px(3)))
        painter.drawLine(box.center() + towards * (radius - half), box.center() + towards * (radius + half))
        reached = self._done >= least
        painter.setPen(QPen(tokens.colour("accent" if reached else "border_strong"), 1.5))
        painter.drawLine(box.center() + towards * (radius + half + 1), box.center() + towards * (radius + half + 4))
        side = icons.size(_TICK_ICON).width()
        at = box.center() + towards * (radius + half + px(5) + side / 2)
        colour = tokens["accent" if reached else "border_strong"]
        picture = icons.pixmap(tier, colour, _TICK_ICON, self.devicePixelRatioF())
        painter.drawPixmap(at - QPointF(side / 2, side / 2), picture)


def next_tier_words(count: int, schedule: Schedule) -> str:
    """Return how far it is to the next tier: days, or times where the schedule leaves the days open; empty on the last.

    `count` is what the tier is read from (`HabitOverview.tier_count`).
    """
    following = next_tier(count, schedule)
    if following is None:
        return ""
    tier, n = following
    if schedule.kind.has_fixed_days:
        words = ngettext("{tier}까지 {n}일 남았어요", "{tier}까지 {n}일 남았어요", n)
    else:
        words = ngettext("{tier}까지 {n}번 남았어요", "{tier}까지 {n}번 남았어요", n)
    return words.format(tier=tier_word(tier), n=n)
