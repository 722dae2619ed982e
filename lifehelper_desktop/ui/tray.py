"""The tray: an icon that shows how many of today's habits are open, its menu, and the quick log beside it."""

from __future__ import annotations

import logging
import sys

from PySide6.QtCore import QObject, QRect, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSystemTrayIcon

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.habits import Entry, EntryValue
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui import today_marks
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.quick_log import QuickLog
from lifehelper_desktop.ui.today_marks import Today
from lifehelper_desktop.ui.tray_icon import NOTHING_DUE, tray_icon
from lifehelper_desktop.ui.tray_menu import TrayMenu
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.writes import WriteOutcome

_SEARCH_MS = 3000  # a tray host may come up long after the program
_WATCH_MS = 5000  # and may go away
_WARM_MS = 300  # after a change, when nobody waits, the quick log is made ready to open at once
_Reason = QSystemTrayIcon.ActivationReason

_log = logging.getLogger(__name__)


class Tray(QObject):
    """Main thread. `is_there` says whether the user can see the icon, so that a hidden window has a way back.

    `window_asked`, `settings_asked`, `undo_asked` and `quit_asked` are carried out by the window; `appeared` and
    `vanished` tell that the icon came into a tray, or that the tray went away.
    """

    window_asked = Signal()
    settings_asked = Signal()
    undo_asked = Signal()
    quit_asked = Signal()
    appeared = Signal()
    vanished = Signal()

    def __init__(self, store: Store, bus: Bus, parent: QObject | None = None) -> None:
        """Prepare without showing an icon; `set_enabled` does."""
        super().__init__(parent)
        self.bus = bus
        # Made anew for each host that comes up: Qt chooses how to talk to it when the icon is made.
        self.icon: QSystemTrayIcon | None = None
        self._store = store
        self._enabled = False
        self._shown: tuple[object, ...] | None = None
        self.menu = TrayMenu()
        self.menu.aboutToShow.connect(self.fill_menu)
        self.menu.mark_asked.connect(self._mark)
        self.menu.clear_asked.connect(self._clear)
        self.menu.quick_log_asked.connect(self.open_quick_log)
        self.menu.window_asked.connect(self.window_asked)
        self.menu.undo_asked.connect(self.undo_asked)
        self.menu.settings_asked.connect(self.settings_asked)
        self.menu.quit_asked.connect(self.quit_asked)
        self.quick_log = QuickLog(store, bus)
        self.quick_log.window_asked.connect(self.window_asked)
        self._look = QTimer(self)
        self._look.setInterval(_SEARCH_MS)
        self._look.timeout.connect(self.check_host)
        self._warm = QTimer(self)
        self._warm.setSingleShot(True)
        self._warm.setInterval(_WARM_MS)
        self._warm.timeout.connect(self.quick_log.refresh)

    @property
    def is_there(self) -> bool:
        """Whether the icon is in a tray that exists."""
        return self.icon is not None and QSystemTrayIcon.isSystemTrayAvailable()

    def set_enabled(self, enabled: bool) -> None:
        """Show the icon, as soon as there is a tray, or take it away."""
        self._enabled = enabled
        if enabled:
            self._look.start()
        else:
            self._look.stop()
        self.check_host()

    def check_host(self) -> None:
        """Look whether there is a tray now, and bring the icon into it, or tell that it has gone."""
        wanted = self._enabled and QSystemTrayIcon.isSystemTrayAvailable()
        if wanted and self.icon is None:
            self._show_icon()
        elif not wanted and self.icon is not None:
            self._drop_icon()
            if self._enabled:
                _log.info("the tray went away")
                self.vanished.emit()

    def _show_icon(self) -> None:
        self.icon = QSystemTrayIcon(self)
        self.icon.setObjectName("tray")
        self.icon.activated.connect(self._on_activated)
        self.icon.setContextMenu(self.menu)
        self._shown = None
        self.refresh()
        self.icon.show()
        self._look.setInterval(_WATCH_MS)
        _log.info("tray icon shown")
        self.appeared.emit()

    def _drop_icon(self) -> None:
        if self.icon is not None:
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None
            self._look.setInterval(_SEARCH_MS)

    def rebuild(self) -> None:
        """Say everything anew in the language and theme in force."""
        self._shown = None
        self.quick_log.rebuild()
        self.refresh()

    def refresh(self) -> None:
        """Show today's state on the icon, in the menu and in the open quick log."""
        if self.quick_log.isVisible():
            self.quick_log.refresh()
        if self.icon is None:
            return
        self._warm.start()
        today = self._look_at_today()
        if today is None:
            return
        shown = (today, current_language())
        if shown == self._shown:
            return
        self._shown = shown
        self.icon.setIcon(tray_icon(today.open_count if today.due else NOTHING_DUE))
        self.icon.setToolTip(f"{_('라이프 헬퍼')} — {_tip(today)}")
        if not self.menu.isVisible():  # nothing moves under the pointer
            self._fill_menu(today)

    def fill_menu(self) -> None:
        """Build the menu from today's habits."""
        self._fill_menu(self._look_at_today())

    def _fill_menu(self, today: Today | None) -> None:
        undo_words = ""
        try:
            change = self._store.journal.next_undo()
            undo_words = "" if change is None else change.words(current_language())
        except WorldError as error:
            _log.warning("history: %s", error)
        self.menu.fill(today, undo_words)

    def mark_action(self, habit_id: int, value: EntryValue) -> QAction:
        """Return the menu's action that marks a habit, see `TrayMenu.mark_action`."""
        return self.menu.mark_action(habit_id, value)

    def open_quick_log(self) -> None:
        """Show the quick log near the icon; a second time closes it."""
        if self.quick_log.isVisible():
            self.quick_log.hide()
        elif not self.quick_log.was_just_left:
            place = QRect() if self.icon is None else self.icon.geometry()
            if place.topLeft().isNull():  # the host has not taken the icon in yet
                place = QRect()
            self.quick_log.open_near(None if place.isEmpty() else place)

    def tell(self, text: str) -> None:
        """Show a message by the icon, where the system can."""
        if self.icon is not None and text and QSystemTrayIcon.supportsMessages():
            self.icon.showMessage(_("라이프 헬퍼"), text, self.icon.icon())

    def shutdown(self) -> None:
        """Take everything away; call at the end. May be called again."""
        self._enabled = False
        self._look.stop()
        self._warm.stop()
        self._drop_icon()
        self.quick_log.hide()
        self.quick_log.deleteLater()
        self.menu.deleteLater()

    # ---- what the user does -----------------------------------------------------------------------------------

    @guarded
    def _mark(self, habit_id: int, value: EntryValue, seen: EntryValue | None) -> None:
        if self.menu.today is not None:
            self._tell_outcome(today_marks.mark(self.bus, self._store, self.menu.today.day, habit_id, value, seen))

    @guarded
    def _clear(self, entry: Entry) -> None:
        if self.menu.today is not None:
            self._tell_outcome(today_marks.clear(self.bus, self._store, self.menu.today.day, entry))

    def _tell_outcome(self, outcome: WriteOutcome) -> None:
        if not outcome.is_ok:
            self.tell(outcome.problem)
        self.refresh()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is _Reason.Trigger and sys.platform != "darwin":  # there a click opens the menu by itself
            self.open_quick_log()
        elif reason in (_Reason.DoubleClick, _Reason.MiddleClick):
            self.quick_log.hide()
            self.window_asked.emit()

    def _look_at_today(self) -> Today | None:
        try:
            return today_marks.look(self._store)
        except WorldError as error:
            _log.warning("today: %s", error)  # the window tells it, since it reads the same
            return None


def _tip(today: Today) -> str:
    n = today.open_count
    if not today.due or n == 0:
        return today.words()
    return ngettext("오늘 {n}개 남음", "오늘 {n}개 남음", n).format(n=n)
