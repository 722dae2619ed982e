"""A row of buttons of which exactly one is chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from lifehelper_desktop.ui.widgets.basics import button, row


class Segments(QWidget):
    """`chosen` carries the key of the button that was pressed; the arrow keys move between the buttons."""

    chosen = Signal(str)

    def __init__(self, options: Sequence[tuple[str, str]], current: str, *, name: str, label: str) -> None:
        """Show (key, words) options; `label` says to screen readers what is chosen here."""
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        layout = row(self, gap=4)
        self._group = QButtonGroup(self)
        self.buttons: dict[str, QPushButton] = {}
        for key, words in options:
            each = button(words, role="segment", name=f"{name}_{key}")
            each.setCheckable(True)
            each.setChecked(key == current)
            each.setAccessibleName(f"{label}: {words}")
            each.clicked.connect(lambda _checked=False, chosen=key: self.chosen.emit(chosen))
            self._group.addButton(each)
            self.buttons[key] = each
            layout.addWidget(each)

    @property
    def current(self) -> str:
        """The key of the button that is chosen."""
        return next(key for key, each in self.buttons.items() if each.isChecked())

    def choose(self, key: str) -> None:
        """Show `key` as chosen, without a signal."""
        self.buttons[key].setChecked(True)
