"""The streak and the phase of one habit, at the right of its week."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMoveEvent
from PySide6.QtWidgets import QProgressBar, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import HabitType, ScheduleKind
from lifehelper_desktop.domain.labels import run_words
from lifehelper_desktop.domain.rules import PHASE_DAYS
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.storage.store import HabitOverview
from lifehelper_desktop.ui.card_words import done_words, phase_words
from lifehelper_desktop.ui.text import tier_word
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, icon_label, label, row, set_role

_BAR = 140  # pixels at 100 % text


class CardNumbers(QWidget):
    """Main thread; `show_overview` fills it."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__()
        layout = column(self, gap=5)
        self._line = line = row(gap=6)
        line.addStretch(1)
        self._streak_icon = icon_label("flame", "on_gold_soft", 16)
        self._streak = label("", "section", wrap=False)
        self._streak.setObjectName("habitStreak")
        line.addWidget(self._streak_icon)
        line.addWidget(self._streak)
        line.addStretch(0)
        self._phase = label("", "small", wrap=False)
        self._phase.setObjectName("habitPhase")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setRange(0, PHASE_DAYS)
        self._bar.setFixedWidth(theme().px(_BAR))
        layout.addLayout(line)
        layout.addWidget(self._bar)
        layout.addWidget(self._phase)
        self._lean(left=False)
        self.tier_words, self.tier_tip = "", ""

    def moveEvent(self, event: QMoveEvent) -> None:
        """Lean to the right beside the week, to the left below it."""
        super().moveEvent(event)
        self._lean(left=self.x() == 0)

    def _lean(self, *, left: bool) -> None:
        side = Qt.AlignmentFlag.AlignLeft if left else Qt.AlignmentFlag.AlignRight
        self._line.setStretch(0, 0 if left else 1)
        self._line.setStretch(self._line.count() - 1, 1 if left else 0)
        self._phase.setAlignment(side)
        layout = self.layout()
        assert layout is not None
        layout.setAlignment(self._bar, side)

    @property
    def parts(self) -> tuple[str, ...]:
        """What it says, for screen readers."""
        return self.tier_words, self._streak.text(), self._phase.text()

    def show_overview(self, overview: HabitOverview) -> None:
        """Show the numbers of one habit."""
        streaks = overview.streaks
        n = streaks.current_streak
        self._streak.setText(_streak_words(overview))
        if self._streak_icon.isHidden() is (n > 0):
            self._streak_icon.setVisible(n > 0)
        role = "section" if n > 0 else "muted"
        if self._streak.property("role") != role:
            set_role(self._streak, role)
        longest = run_words(streaks.longest_streak, unit_of(overview.habit.schedule))
        self._streak.setToolTip(_("가장 길게 {run}").format(run=longest))
        self.tier_words = tier_word(streaks.tier)
        self.tier_tip = done_words(streaks.done_count_phase42)
        self._phase.setText(phase_words(overview.phase_day))
        self._bar.setValue(min(overview.phase_day, PHASE_DAYS))
        self._bar.setAccessibleName(self._phase.text())


def _streak_words(overview: HabitOverview) -> str:
    habit, n = overview.habit, overview.streaks.current_streak
    match habit.schedule.kind:
        case ScheduleKind.PER_WEEK:
            words = ngettext("연속 {n}주", "연속 {n}주", n)
        case ScheduleKind.PER_MONTH:
            words = ngettext("연속 {n}달", "연속 {n}달", n)
        case ScheduleKind.EVERY_DAYS:
            words = ngettext("연속 {n}번", "연속 {n}번", n)
        case _ if habit.habit_type is HabitType.BREAK:
            words = ngettext("계획을 지킨 날 {n}일", "계획을 지킨 날 {n}일", n)
        case _:
            words = ngettext("연속 {n}일", "연속 {n}일", n)
    return words.format(n=n)
