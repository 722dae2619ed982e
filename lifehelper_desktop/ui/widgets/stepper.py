"""A whole number inside a phrase (`일주일에 3번`), with a button for less and one for more."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSpinBox, QToolButton, QWidget

from lifehelper_desktop.ui.widgets.basics import row, tool_button


class _Number(QSpinBox):
    """Lets the wheel scroll the page unless it has the focus: a number must not change in passing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Take the wheel only with the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Stepper(QWidget):
    """`changed` carries the new number."""

    changed = Signal(int)

    def __init__(self, value: int, limits: tuple[int, int], *, name: str, label: str, less: str, more: str) -> None:
        """Begin with `value` between `limits`, both included.

        Args:
            value: The number at first.
            limits: Lowest and highest number.
            name: Object name of the number; its buttons are `<name>Less` and `<name>More`.
            label: What the number is, for screen readers.
            less, more: Words of the buttons.
        """
        super().__init__()
        self.number = _Number()
        self.number.setObjectName(name)
        self.number.setAccessibleName(label)
        self.number.setRange(*limits)
        self.number.setValue(value)
        self.number.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.number.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.number.valueChanged.connect(self._on_value)
        self._less = self._button("minus", less, f"{name}Less", -1)
        self._more = self._button("plus", more, f"{name}More", 1)
        layout = row(self, gap=6)
        layout.addWidget(self._less)
        layout.addWidget(self.number)
        layout.addWidget(self._more)
        layout.addStretch(1)
        self._mark_ends()

    def show_phrase(self, phrase: str) -> None:
        """Write the number inside `phrase`, which holds `{n}`."""
        before, after = phrase.split("{n}")
        self.number.setPrefix(before)
        self.number.setSuffix(after)

    def _button(self, icon: str, words: str, name: str, step: int) -> QToolButton:
        result = tool_button(icon, words, partial(self._step, step), name=name, colour="text")
        result.setAutoRepeat(True)
        # The number itself has the arrow keys: the buttons are for the pointer.
        result.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        result.setProperty("roving", True)
        return result

    def _step(self, step: int) -> None:
        self.number.setValue(self.number.value() + step)

    def _on_value(self, value: int) -> None:
        self._mark_ends()
        self.changed.emit(value)

    def _mark_ends(self) -> None:
        self._less.setEnabled(self.number.value() > self.number.minimum())
        self._more.setEnabled(self.number.value() < self.number.maximum())
