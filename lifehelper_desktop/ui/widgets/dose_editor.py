"""How much: the standard and the minimum dose, with R6 and R9 said while one types."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.rules import DOSE_MAX
from lifehelper_desktop.domain.text import has_visible_text, same_text
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.widgets.basics import column, label, set_role, text_field


class DoseEditor(QWidget):
    """`changed` comes when one types."""

    changed = Signal()

    def __init__(self, standard: str, minimum: str, free_from: Callable[[str], str] | None = None) -> None:
        """Begin with the two doses.

        `free_from` names the day from which the standard dose may be raised to a text; empty when it may now (R6).
        """
        super().__init__()
        self._free_from = free_from
        layout = column(self, gap=6)
        layout.addWidget(label(_("얼마나 할까요?"), "section"))
        layout.addWidget(label(_("최소는 가장 힘든 날에도 할 수 있는 크기예요. 최소로 한 날도 하루예요."), "muted"))
        self.standard, self._standard_note = self._field(layout, _("표준"), standard, "standardDose")
        self.minimum, self._minimum_note = self._field(layout, _("최소"), minimum, "minimumDose")
        self._show()

    @property
    def doses(self) -> tuple[str, str]:
        """Standard and minimum as they are stored."""
        return one_line(self.standard.text()), one_line(self.minimum.text())

    @property
    def problem(self) -> str:
        """What keeps the doses from being stored, in words; empty when nothing does."""
        return self._standard_problem() or self._minimum_problem()

    def _standard_problem(self) -> str:
        if not has_visible_text(self.standard.text()):
            return _("표준 용량을 적어 주세요.")
        day = self._free_from(self.doses[0]) if self._free_from is not None else ""
        return _("처음 42일은 같은 용량으로 다져요. {day}부터 올릴 수 있어요.").format(day=day) if day else ""

    def _minimum_problem(self) -> str:
        standard, minimum = self.doses
        if not has_visible_text(minimum):
            return _("가장 힘든 날에도 할 수 있는 최소 용량을 적어 주세요.")
        if same_text(minimum, standard):
            return _("최소는 표준과 달라야 해요. 가장 힘든 날에도 할 수 있는 최소 용량을 적어 주세요.")
        return ""

    def _field(self, layout: QVBoxLayout, title: str, text: str, name: str) -> tuple[QLineEdit, QLabel]:
        edit = text_field(layout, title, text, DOSE_MAX, name)
        edit.textChanged.connect(self._on_text)
        note = label("", "small")
        note.setObjectName(f"{name}Note")
        layout.addWidget(note)
        return edit, note

    def _on_text(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        standard = self._standard_problem()
        held = bool(standard) and has_visible_text(self.standard.text())
        why = _("작게 이어 온 날이 습관을 단단하게 해요. 줄이는 것은 언제든 좋아요.")
        self._tell(self._standard_note, self.standard, f"{standard} {why}" if held else standard)
        self._tell(self._minimum_note, self.minimum, self._minimum_problem())

    @staticmethod
    def _tell(note: QLabel, edit: QLineEdit, problem: str) -> None:
        set_role(note, "error")
        note.setText(problem)
        note.setAccessibleName(problem)
        note.setVisible(bool(problem))
        edit.setAccessibleDescription(problem)
