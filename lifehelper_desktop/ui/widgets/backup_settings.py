"""How backups are made by themselves: the switch, and the second place to which each daily one is copied."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.storage.backup_copies import CopyState
from lifehelper_desktop.ui.moments import moment_text
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row, set_role
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.switch import Switch


class BackupSettings(QFrame):
    """Shows what it is told; the signals carry what the user wants. Main thread."""

    enabled_asked = Signal(bool)
    choose_asked = Signal()
    forget_asked = Signal()
    copy_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Build; `show_settings` and `show_copies` fill it."""
        super().__init__(parent)
        self.setObjectName("backupSettings")
        self.setProperty("role", "card")
        layout = column(self, margins=(16, 12, 16, 13), gap=10)
        self._build_switch(layout)
        layout.addWidget(frame("line"))
        self._build_place(layout)

    def _build_switch(self, layout: QVBoxLayout) -> None:
        line = row(gap=12)
        words = column(gap=2)
        title = _("날마다 백업")
        parts = (
            _("하루에 한 번 저절로 백업해요. 최근 7일과 4주의 것이 남아요."),
            _("꺼도 가져오기나 되살리기 전에는 하나씩 만들어요."),
        )
        help_text = " ".join(parts)
        words.addWidget(label(title, "section"))
        words.addWidget(label(help_text, "muted"))
        line.addLayout(words, 1)
        self.switch = Switch()
        self.switch.setObjectName("backupsEnabled")
        self.switch.setAccessibleName(title)
        self.switch.setAccessibleDescription(help_text)
        self.switch.clicked.connect(lambda on: self.enabled_asked.emit(on))
        line.addWidget(self.switch, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(line)

    def _build_place(self, layout: QVBoxLayout) -> None:
        line = row(gap=12)
        line.addWidget(icon_label("drive", "accent", 22), 0, Qt.AlignmentFlag.AlignTop)
        words = column(gap=2)
        words.addWidget(label(_("백업을 하나 더 둘 폴더"), "section"))
        self.place = label("", "muted", selectable=True)
        self.place.setObjectName("copyFolder")
        self.state = label("", "small")
        self.state.setObjectName("copyState")
        words.addWidget(self.place)
        words.addWidget(self.state)
        line.addLayout(words, 1)
        layout.addLayout(line)
        buttons = FlowBox()
        self._choose = button("", self.choose_asked.emit, icon="folder", name="chooseCopyFolder")
        self._copy = button(_("지금 복사하기"), self.copy_asked.emit, name="copyNow")
        self._forget = button(_("그만 복사하기"), self.forget_asked.emit, role="flat", name="forgetCopyFolder")
        buttons.add(self._choose, self._copy, self._forget)
        layout.addWidget(buttons)

    def show_settings(self, *, enabled: bool, folder: str) -> None:
        """Show what is stored."""
        self.switch.setChecked(enabled)
        has_folder = bool(folder)
        about = _("USB 메모리나 동기화되는 폴더를 고르면, 컴퓨터가 고장 나도 기록이 남아요.")
        self.place.setText(folder or about)
        self._choose.setText(_("다른 폴더 고르기…") if has_folder else _("폴더 고르기…"))
        for each in (self._copy, self._forget):
            each.setVisible(has_folder)
        for each in (self._choose, self._copy):
            each.setEnabled(enabled)
        if not has_folder:
            self.state.setText("")
        self.state.setVisible(has_folder)

    def show_copies(self, state: CopyState, now: datetime) -> None:
        """Show how the second place stands."""
        set_role(self.state, "small" if state.is_there else "error")
        if not state.is_there:
            words = _("지금은 이 폴더가 보이지 않아요. 저장 장치를 연결하면 다음 백업 때 복사해요.")
        elif state.newest is None:
            words = _("아직 복사한 백업이 없어요. 다음 하루 백업부터 복사해요.")
        else:
            words = _("복사본 {n}개 · 가장 새로운 것은 {when}의 백업이에요.").format(
                n=state.count, when=moment_text(state.newest, now)
            )
            if not state.is_current:
                words = f"{words} {_('그 뒤의 백업은 아직 복사하지 못했어요.')}"
        self.state.setText(words)
