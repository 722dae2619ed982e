"""The terms of everything that the program is made of: a list on the left, the text on the right."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QSplitter, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.licences import Licence, read_licences
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, label, row
from lifehelper_desktop.ui.widgets.line_list import Line, LineList

_WIDTH: Final = 940  # pixels at 100 % text
_HEIGHT: Final = 560
_LIST: Final = 270


class LicencesDialog(QDialog):
    """Non-modal."""

    def __init__(self, parent: QWidget | None = None, licences: list[Licence] | None = None) -> None:
        """Show `licences`, or those of this program."""
        super().__init__(parent)
        self.setObjectName("licencesDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("오픈 소스 라이선스"))
        self._licences = licences if licences is not None else read_licences()
        layout = column(self, margins=(24, 20, 24, 18), gap=12)
        layout.addWidget(label(_("라이프 헬퍼는 여러 사람이 나누어 준 것으로 만들었어요. 고마워요."), "body"))
        self.list = LineList("licenceList", _("들어 있는 것"))
        self.text = QPlainTextEdit()
        self.text.setObjectName("licenceText")
        self.text.setReadOnly(True)
        self.text.setAccessibleName(_("라이선스 내용"))
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        # Tab moves on: the text is only read.
        self.text.setTabChangesFocus(True)
        parts = QSplitter()
        parts.setChildrenCollapsible(False)
        parts.addWidget(self.list)
        parts.addWidget(self.text)
        parts.setSizes([theme().px(_LIST), theme().px(_WIDTH - _LIST)])
        parts.setStretchFactor(1, 1)
        layout.addWidget(parts, 1)
        line = row()
        line.addStretch(1)
        line.addWidget(button(_("닫기"), self.close, role="primary", name="closeLicences"))
        layout.addLayout(line)
        self.list.chosen.connect(self._show_chosen)
        self.list.show_lines(
            Line(at, f"{each.name} {each.version}".rstrip(), each.licence) for at, each in enumerate(self._licences)
        )
        self.list.setFocus()

    def sizeHint(self) -> QSize:
        """Room for a text of eighty columns."""
        return QSize(theme().px(_WIDTH), theme().px(_HEIGHT))

    def _show_chosen(self) -> None:
        chosen = self.list.current
        if chosen is None or not isinstance(chosen.key, int):
            return
        licence = self._licences[chosen.key]
        parts = [licence.home, licence.text or _("전체 내용은 이 홈페이지에 있어요.")]
        self.text.setPlainText("\n\n".join(part for part in parts if part))
