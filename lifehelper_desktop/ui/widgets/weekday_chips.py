"""Seven small buttons, one for each weekday, of which any number is chosen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.labels import LONG_WEEKDAYS, WEEKDAYS
from lifehelper_desktop.ui.widgets.basics import column
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.roving import RovingGroup

_STEPS: Final = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class _Chip(QPushButton):
    """One weekday; the arrow keys go to its neighbours."""

    def __init__(self, words: str, step: Callable[[int], object]) -> None:
        super().__init__(words)
        self._step = step
        self.roving: RovingGroup | None = None
        self.setProperty("role", "chip")
        self.setCheckable(True)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go to a neighbour, or be pressed."""
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._step(step)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Become the one that Tab comes back to."""
        super().focusInEvent(event)
        if self.roving is not None:
            self.roving.take(self)


class WeekdayChips(QWidget):
    """`changed` comes when the user chooses. One stop of the Tab key: arrows walk, Space chooses."""

    changed = Signal()

    def __init__(self, weekdays: frozenset[int], week_start: int, *, name: str) -> None:
        """Show ISO weekdays as chosen, in the order of the week; each chip is called `<name>_<weekday>`."""
        super().__init__()
        self.setObjectName(name)
        self._order = [(week_start - 1 + step) % 7 + 1 for step in range(7)]
        self.chips: dict[int, QPushButton] = {}
        flow = FlowBox(gap=5)
        column(self).addWidget(flow)
        chips = []
        for at, weekday in enumerate(self._order):
            chip = _Chip(_(WEEKDAYS[weekday - 1]), partial(self._focus, at))
            chip.setObjectName(f"{name}_{weekday}")
            chip.setAccessibleName(_(LONG_WEEKDAYS[weekday - 1]))
            chip.setToolTip(_(LONG_WEEKDAYS[weekday - 1]))
            chip.setChecked(weekday in weekdays)
            chip.clicked.connect(lambda _checked=False: self.changed.emit())
            self.chips[weekday] = chip
            chips.append(chip)
            flow.add(chip)
        roving = RovingGroup(chips, chips[0])
        for chip in chips:
            chip.roving = roving

    @property
    def weekdays(self) -> frozenset[int]:
        """The chosen ISO weekdays."""
        return frozenset(weekday for weekday, chip in self.chips.items() if chip.isChecked())

    def _focus(self, at: int, step: int) -> None:
        chip = self.chips[self._order[(at + step) % len(self._order)]]
        chip.setFocus(Qt.FocusReason.TabFocusReason)
