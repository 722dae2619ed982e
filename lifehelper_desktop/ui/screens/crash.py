"""Tells of an error of our own, with a report that can be copied. Never modal: the window stays usable."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.bus import CrashNotice
from lifehelper_desktop.ui.widgets.basics import button, column, label, row


class CrashDialog(QDialog):
    """Shows one CrashNotice."""

    def __init__(self, notice: CrashNotice, parent: QWidget | None = None) -> None:
        """Build it; show it with `show()`."""
        super().__init__(parent)
        self.setObjectName("crashDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("문제가 생겼어요"))
        self.setModal(False)
        layout = column(self, margins=(24, 20, 24, 18), gap=12)
        layout.addWidget(label(_("프로그램에서 예상하지 못한 문제가 생겼어요."), "title"))
        layout.addWidget(label(_("기록은 그대로 있어요. 이어서 써도 괜찮지만, 이상하면 다시 시작해 주세요.")))
        self.report = QPlainTextEdit(notice.text)
        self.report.setObjectName("crashText")
        self.report.setReadOnly(True)
        self.report.setAccessibleName(_("오류 보고서"))
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        layout.addWidget(self.report, 1)
        where = _("같은 내용을 여기에 두었어요: {path}").format(path=notice.path) if notice.path else ""
        path_label = label(where, "small", selectable=True)
        path_label.setVisible(bool(where))
        layout.addWidget(path_label)
        line = row(gap=8)
        self._copied = label("", "good")
        line.addWidget(self._copied, 1)
        line.addWidget(button(_("보고서 복사"), self._copy, name="copyCrash"))
        line.addWidget(button(_("닫기"), self.close, role="primary", name="closeCrash"))
        layout.addLayout(line)

    def sizeHint(self) -> QSize:
        """Room for a traceback."""
        return QSize(640, 440)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.report.toPlainText())
        self._copied.setText(_("복사했어요."))
        self._copied.setAlignment(Qt.AlignmentFlag.AlignVCenter)
