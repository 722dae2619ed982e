"""What the tray means for the main window: where closing leads, and the ways back."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QCloseEvent

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.single_instance import QUICK_LOG, QUIT, model_of
from lifehelper_desktop.ui.tray import Tray
from lifehelper_desktop.ui.trouble import guarded, told

if TYPE_CHECKING:
    from lifehelper_desktop.ui.main_window import MainWindow

HIDDEN: Final = "hidden"  # the wish to begin in the tray
_WAIT_FOR_TRAY_MS: Final = 15_000  # at login the program may be up before the panel
_ACTIVATION: Final = "XDG_ACTIVATION_TOKEN"  # Qt hands it to the compositor when a window is activated next


class WindowTray(QObject):
    """Main thread. The window never hides without an icon that brings it back."""

    def __init__(self, window: MainWindow) -> None:
        """Make the tray of `window`; its icon shows when the settings want it and there is a tray."""
        super().__init__(window)
        self.bus = window.bus
        self._window = window
        self._lets_go = False  # the program is to end: closing the window hides it no more
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
        self.tray.appeared.connect(self._waiting.stop)
        self.tray.vanished.connect(self._stay_reachable)
        self.apply()

    @guarded
    def apply(self) -> None:
        """Show the icon or take it away, as the settings say."""
        self.tray.set_enabled(self._window.store.settings.get_bool(rows.TRAY_ENABLED))
        self._stay_reachable()

    @guarded
    def begin(self, wish: str) -> None:
        """Show what the start asked for: the window, a model added in it, the quick log alone, or the icon alone.

        Without an icon the window is shown: at once with the quick log, and `HIDDEN` waits a while for a tray first.
        """
        if wish == HIDDEN and self._window.store.settings.get_bool(rows.TRAY_ENABLED):
            self._hidden = True
            if not self.tray.is_there:
                self._waiting.start()
        elif wish == QUICK_LOG and self.tray.is_there:
            self._hidden = True
        else:
            self._window.show()
        if wish == QUICK_LOG:
            QTimer.singleShot(0, self, self.tray.open_quick_log)  # in front of the window

    def come_back(self) -> None:
        """Show the window, wherever it was, in front of the others."""
        self._hidden = False
        self._waiting.stop()
        window = self._window
        window.setWindowState(window.windowState() & ~Qt.WindowState.WindowMinimized)
        window.show()
        window.raise_()
        window.activateWindow()

    def carry_out(self, wish: str, token: str) -> None:
        """Do what a second start asked for; `token` lets a Wayland compositor give the focus."""
        if token:
            os.environ[_ACTIVATION] = token
        if wish == QUIT:
            self.quit()
        elif (model := model_of(wish)) is not None:
            self.come_back()
            self._window.add_model(model)
        elif wish != QUICK_LOG:
            self.come_back()
        elif self.tray.quick_log.isVisible():
            self.tray.quick_log.activateWindow()
        else:
            self.tray.open_quick_log()

    def quit(self) -> None:
        """End the program, also where closing the window would leave it in the tray."""
        self._window.close()

    def let_go(self) -> None:
        """Leave nothing in the tray any more: the whole program ends, and Qt closes its windows one by one."""
        self._lets_go = True

    def takes(self, event: QCloseEvent) -> bool:
        """Hide the window instead of closing it when the user wants so and the icon is really there.

        Only the window system's close button hides; `close()` in the code, and with it `quit`, ends the program.
        Returns whether the event is dealt with.
        """
        if self._lets_go or not event.spontaneous() or not self.tray.is_there:
            return False
        wanted = False
        with told(self.bus):
            wanted = self._window.store.settings.get_bool(rows.CLOSE_TO_TRAY)
        if not wanted:
            return False
        event.ignore()
        self._hide()
        return True

    def _hide(self) -> None:
        """Leave the icon only; the first time it is said that the program goes on, and how it is ended."""
        window, is_news = self._window, not self._window.knows_tray
        self._hidden = window.knows_tray = True
        window.keep_place()
        window.dialogs.close_all(but=("crash",))  # which must be read, wherever the window is
        window.hide()
        if is_news:
            self.tray.tell(_("트레이에서 계속 함께할게요. 끝내려면 트레이 메뉴의 ‘끝내기’를 골라 주세요."))

    def _open_settings(self) -> None:
        self.come_back()
        self._window.open_settings()

    def _undo(self) -> None:
        self._window.undo()
        if not self._window.isVisible():
            self.tray.tell(self._window.undo_told)

    def _stay_reachable(self) -> None:
        if self._hidden and not self._waiting.isActive() and not self.tray.is_there:
            self.come_back()
