"""The longest streaks of a habit with their days, as bars beside their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.labels import run_words
from lifehelper_desktop.domain.runs import Run
from lifehelper_desktop.ui.text import plain_day
from lifehelper_desktop.ui.widgets.basics import clear_layout, column, label
from lifehelper_desktop.ui.widgets.flow import FlowBox, TurningBox

SHOWN: Final = 5
_BESIDE_FROM: Final = 420  # pixels at 100 % text: from here on the days stand beside the bar


class RunList(QFrame):
    """The five longest streaks, the longest first; the one that still runs is marked."""

    def __init__(self) -> None:
        """Start empty; `show_runs` fills it."""
        super().__init__()
        self.setObjectName("runList")
        self.setProperty("role", "card")
        self._shown: tuple[Run, ...] | None = None
        layout = column(self, margins=(18, 14, 18, 16), gap=10)
        layout.addWidget(label(_("가장 길게 이어 온 때"), "heading"))
        self._empty = label(_("이어 온 날이 생기면 여기에 모여요."), "muted")
        layout.addWidget(self._empty)
        self._grid = QGridLayout()
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(9)
        self._grid.setColumnStretch(1, 1)
        layout.addLayout(self._grid)

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show the longest of `runs`; of two as long as each other the newer one comes first."""
        best = tuple(sorted(runs, key=lambda run: (-run.length, -run.first.toordinal()))[:SHOWN])
        if best == self._shown:
            return
        self._shown = best
        clear_layout(self._grid)
        self._empty.setVisible(not best)
        for line, run in enumerate(best):
            self._add_run(line, run, best[0].length)

    def _add_run(self, line: int, run: Run, longest: int) -> None:
        length = label(run_words(run.length, run.unit), "section", wrap=False)
        length.setObjectName(f"run_{line}")
        days = plain_day(run.first)
        if run.last != run.first or run.is_current:
            days = f"{days} – {_('지금') if run.is_current else plain_day(run.last)}"
        bar = QProgressBar()
        bar.setProperty("role", "run")
        bar.setTextVisible(False)
        bar.setRange(0, longest)
        bar.setValue(run.length)
        bar.setAccessibleName(f"{length.text()}, {days}")
        words = label(days, "muted", wrap=False)
        words.setObjectName(f"runDays_{line}")
        beside = TurningBox(_BESIDE_FROM, gap=12)
        beside.box.addWidget(bar, 1)
        said = FlowBox()
        said.add(words)
        if run.is_current:
            said.add(label(_("이어지는 중"), "badgeGold", wrap=False))
        beside.box.addWidget(said, 1)
        self._grid.addWidget(length, line, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._grid.addWidget(beside, line, 1)
