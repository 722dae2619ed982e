"""The list of keyboard shortcuts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.shortcuts import SHORTCUTS
from lifehelper_desktop.ui.widgets.basics import button, column, frame, label, row


class ShortcutsDialog(QDialog):
    """Shows every row of `ui/shortcuts.py`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Build it in the language in force."""
        super().__init__(parent)
        self.setObjectName("shortcutsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("단축키"))
        layout = column(self, margins=(24, 20, 24, 18), gap=14)
        layout.addWidget(label(_("단축키"), "title"))
        card = frame("card")
        rows = column(card, margins=(16, 12, 16, 12), gap=9)
        for each in SHORTCUTS:
            line = row(gap=24)
            line.addWidget(label(_(each.words)), 1)
            line.addWidget(label(each.keys[0], "badge", wrap=False), 0, Qt.AlignmentFlag.AlignRight)
            rows.addLayout(line)
        layout.addWidget(card)
        layout.addWidget(
            button(_("닫기"), self.accept, role="primary", name="closeShortcuts"), 0, Qt.AlignmentFlag.AlignRight
        )
        self.setMinimumWidth(420)
