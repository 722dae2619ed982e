"""What the tray means for the main window: where closing leads, and the ways back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QCloseEvent

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.ui.single_instance import QUICK_LOG
from lifehelper_desktop.ui.tray import Tray
from lifehelper_desktop.ui.trouble import guarded, told

if TYPE_CHECKING:
    from lifehelper_desktop.ui.main_window import MainWindow

_WAIT_FOR_TRAY_MS: Final = 30_000  # at login the program may be up long before the panel
_ACTIVATION: Final = "XDG_ACTIVATION_TOKEN"  # Qt hands it to the compositor when a window is activated next


class WindowTray(QObject):
    """Main thread. The window never hides without an icon that brings it back."""

    def __init__(self, window: MainWindow) -> None:
        """Make the tray of `window`; its icon shows when the settings want it and there is a tray."""
        super().__init__(window)
        self.bus = window.bus
        self._window = window
        self._quitting = False
        self._hidden = False  # in the tray, where only the icon or a second start brings the window back
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setInterval(_WAIT_FOR_TRAY_MS)
        self._waiting.timeout.connect(self._stay_reachable)
        self.tray = Tray(window.store, window.bus, self)
        self.tray.window_asked.connect(self.come_back)
        self.tray.settings_asked.connect(self._open_settings)
        self.tray.undo_asked.connect(self._undo)
        self.tray.quit_asked.connect(self.quit)
        self.tray.vanished.connect(self._stay_reachable)
        self.apply()

    @guarded
    def apply(self) -> None:
        """Show the icon or take it away, as the settings say."""
        self.tray.set_enabled(self._window.store.settings.get_bool(rows.TRAY_ENABLED))
        self._stay_reachable()

    def start_hidden(self) -> None:
        """Begin in the tray; where none comes up within half a minute the window is shown."""
        self._hidden = True
        if not self.tray.is_there:
            self._waiting.start()

    def come_back(self) -> None:
        """Show the window, wherever it was, in front of the others."""
        self._hidden = False
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()

    def carry_out(self, wish: str, token: str) -> None:
        """Do what a second start asked for; `token` lets a Wayland compositor give the focus."""
        if token:
            os.environ[_ACTIVATION] = token
        if wish == QUICK_LOG:
            self.tray.open_quick_log()
        else:
            self.come_back()

    def quit(self) -> None:
        """End the program, also where closing the window would leave it in the tray."""
        self._quitting = True
        self._window.close()

    def takes(self, event: QCloseEvent) -> bool:
        """Hide the window instead of closing it when the user wants so and the icon is really there.

        Returns whether the event is dealt with.
        """
        if self._quitting or not event.spontaneous() or not self.tray.is_there:
            return False
        wanted = False
        with told(self.bus):
            wanted = self._window.store.settings.get_bool(rows.CLOSE_TO_TRAY)
        if not wanted:
            return False
        event.ignore()
        self._hidden = True
        self._window.hide()
        if not self._window.knows_tray:
            self._window.knows_tray = True
            words = _("트레이에서 계속 함께할게요. 끝내려면 트레이 메뉴의 ‘끝내기’를 골라 주세요.")
            self.tray.tell(_("라이프 헬퍼"), words)
        return True

    def _open_settings(self) -> None:
        self.come_back()
        self._window.open_settings()

    def _undo(self) -> None:
        with acting(Source.TRAY):
            self._window.undo()
        self.tray.tell(_("라이프 헬퍼"), self._window.habits.notice.text)

    def _stay_reachable(self) -> None:
        if self._hidden and not self._waiting.isActive() and not self.tray.is_there:
            self.come_back()
