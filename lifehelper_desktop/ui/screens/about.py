"""Which program this is, in a few lines."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QWidget

from lifehelper_desktop import __version__
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.release_page import release_page
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.widgets.basics import button, column, label, row, size_on_screen


def open_release_page() -> None:
    """Show in the user's browser where new versions are. Nothing else of the program ever goes there."""
    QDesktopServices.openUrl(QUrl(release_page()))


class AboutDialog(QDialog):
    """Non-modal. `licences_wanted`: the user asks what is inside and under which terms."""

    licences_wanted = Signal()

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
        layout.addWidget(label(_("코치는 Gemma 3를 바탕으로 해요. Gemma 이용 약관이 적용돼요."), "small"))
        layout.addStretch(1)
        line = row()
        line.addWidget(button(_("오픈 소스 라이선스"), self.licences_wanted.emit, role="flat", name="openLicences"))
        if release_page():
            news = button(_("새 버전 보기…"), open_release_page, role="flat", name="openReleases")
            news.setAccessibleDescription(_("새 버전을 저절로 찾지는 않아요. 누르면 브라우저에서 열려요."))
            news.setToolTip(news.accessibleDescription())
            line.addWidget(news)
        line.addStretch(1)
        close = button(_("닫기"), self.close, role="primary", name="closeAbout")
        line.addWidget(close)
        layout.addLayout(line)
        self.resize(self.sizeHint())
        close.setFocus()

    def sizeHint(self) -> QSize:
        """Wide enough for a line that is read at once."""
        width = size_on_screen(self, 420, 420).width()
        return QSize(width, self._column.heightForWidth(width))
