"""Which program this is, in a few lines."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QWidget

from lifehelper_desktop import __version__
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, label, row


class AboutDialog(QDialog):
    """Non-modal."""

    def __init__(self, data: Path, parent: QWidget | None = None) -> None:
        """Say where the user's data is: `data`."""
        super().__init__(parent)
        self.setObjectName("aboutDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("라이프 헬퍼에 대하여"))
        layout = self._column = column(self, margins=(26, 22, 26, 18), gap=12)
        head = row(gap=14)
        sign = label("", wrap=False)
        size = icons.size(48)
        sign.setPixmap(icons.app_icon().pixmap(size, sign.devicePixelRatioF()))
        sign.setFixedSize(size)
        head.addWidget(sign)
        names = column(gap=2)
        names.addWidget(label(_("라이프 헬퍼"), "title"))
        names.addWidget(label(_("LifeHelper Desktop {version}").format(version=__version__), "muted"))
        head.addLayout(names, 1)
        layout.addLayout(head)
        layout.addWidget(label(_("내 컴퓨터 안에서만 움직이는 습관 코치예요. 기록도 대화도 밖으로 나가지 않아요.")))
        layout.addWidget(label(_("의학적 조언은 아니에요. 몸이 불편하면 의사와 이야기해 주세요."), "muted"))
        layout.addWidget(label(_("데이터: {path}").format(path=data), "small", selectable=True))
        layout.addStretch(1)
        line = row()
        line.addStretch(1)
        close = button(_("닫기"), self.close, role="primary", name="closeAbout")
        line.addWidget(close)
        layout.addLayout(line)
        self.resize(self.sizeHint())
        close.setFocus()

    def sizeHint(self) -> QSize:
        """Wide enough for a line that is read at once."""
        width = theme().px(420)
        return QSize(width, self._column.heightForWidth(width))
