"""Questions before something that is not taken back by one key: the answer by default is no."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from lifehelper_desktop.base.i18n import _


def ask(
    parent: QWidget,
    question: str,
    note: str,
    *,
    yes: str,
    on_yes: Callable[[], object],
    name: str,
    title: str = "",
    destructive: bool = False,
) -> QMessageBox:
    """Show a question over `parent` and call `on_yes` when it is answered so. Main thread; returns at once.

    Args:
        question: One sentence.
        note: What there is to know before the answer.
        yes: Words of the button that does it.
        name: Object name of the box; its buttons are `<name>Yes` and `<name>No`.
        title: Of its window; the question where it is not given.
        destructive: Something is lost for good.
    """
    box = QMessageBox(parent)
    box.setObjectName(name)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setWindowTitle(title or question)
    box.setText(question)
    box.setInformativeText(note)
    no_button = box.addButton(_("취소"), QMessageBox.ButtonRole.RejectRole)
    kind = QMessageBox.ButtonRole.DestructiveRole if destructive else QMessageBox.ButtonRole.AcceptRole
    yes_button = box.addButton(yes, kind)
    no_button.setObjectName(f"{name}No")
    yes_button.setObjectName(f"{name}Yes")
    box.setDefaultButton(no_button)
    box.setEscapeButton(no_button)
    yes_button.clicked.connect(lambda _checked=False: on_yes())
    fit_buttons(box)
    box.open()
    return box


def fit_buttons(box: QMessageBox) -> None:
    """Give every button the width of its words: a box is made as wide as its text, and would cut them off."""
    box.ensurePolished()
    for each in box.buttons():
        each.ensurePolished()
        each.setMinimumWidth(each.sizeHint().width())
