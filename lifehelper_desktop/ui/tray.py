"""The tray: an icon that shows how many of today's habits are open, a menu to mark them, and the quick log."""

from __future__ import annotations

import logging
import sys
from functools import partial

from PySide6.QtCore import QObject, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QColor, QFont, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu, QSystemTrayIcon

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _, current_language, ngettext
from lifehelper_desktop.domain.habits import MARKS, Entry, EntryValue
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.ui import icons, today_marks
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.screens.quick_log import QuickLog
from lifehelper_desktop.ui.text import VALUE_ICONS, long_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.today_marks import Today
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.writes import WriteOutcome

_LOOK_MS = 3000  # a tray host may come up long after the program, and may go away
_SIZES = (16, 22, 24, 32, 48, 64)
_BADGE_FILL, _BADGE_INK = "#C0392B", "#FFFFFF"  # on any panel, light or dark

_log = logging.getLogger(__name__)


def badge_icon(open_count: int) -> QIcon:
    """Return the program's icon with the number of open habits in its corner, or with a tick when none is open."""
    result = QIcon()
    base = icons.app_icon()
    for size in _SIZES:
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        base.paint(painter, QRect(0, 0, size, size))
        if open_count > 0:
            _paint_badge(painter, size, str(open_count) if open_count < 10 else "9+")
        painter.end()
        result.addPixmap(pixmap)
    return result


def _paint_badge(painter: QPainter, size: int, text: str) -> None:
    side = size * 0.62
    place = QRectF(size - side, size - side, side, side)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(_BADGE_FILL))
    painter.drawEllipse(place)
    font = QFont(painter.font())
    font.setPixelSize(max(7, round(side * (0.78 if len(text) == 1 else 0.58))))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(_BADGE_INK))
    painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)


class Tray(QObject):
    """Main thread. `is_there` says whether the user can see the icon, so that a hidden window has a way back.

    `window_asked`, `settings_asked`, `undo_asked` and `quit_asked` are carried out by the window; `vanished` comes
    when the tray host went away.
    """

    window_asked = Signal()
    settings_asked = Signal()
    undo_asked = Signal()
    quit_asked = Signal()
    vanished = Signal()

    def __init__(self, store: Store, bus: Bus, parent: QObject | None = None) -> None:
        """Make the icon without showing it; `set_enabled` does."""
        super().__init__(parent)
        self.bus = bus
        self._store = store
        self._enabled = False
        self._shown: tuple[object, ...] | None = None
        self._today: Today | None = None
        self._marks: dict[tuple[int, EntryValue], QAction] = {}
        self.icon = QSystemTrayIcon(self)
        self.icon.setObjectName("tray")
        self.icon.activated.connect(self._on_activated)
        self.menu = QMenu()
        self.menu.setObjectName("trayMenu")
        self.menu.aboutToShow.connect(self.fill_menu)
        self.icon.setContextMenu(self.menu)
        self.quick_log = QuickLog(store, bus)
        self.quick_log.window_asked.connect(self.window_asked)
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self.check_host)

    @property
    def is_there(self) -> bool:
        """Whether the icon is in a tray that exists."""
        return self._enabled and self.icon.isVisible() and QSystemTrayIcon.isSystemTrayAvailable()

    def set_enabled(self, enabled: bool) -> None:
        """Show the icon, as soon as there is a tray, or take it away."""
        self._enabled = enabled
        if enabled:
            self._look.start()
            self.check_host()
        else:
            self._look.stop()
            self.icon.hide()

    def rebuild(self) -> None:
        """Say everything anew in the language and theme in force."""
        self._shown = None
        self.quick_log.rebuild()
        self.fill_menu()
        self.refresh()

    def check_host(self) -> None:
        """Look whether there is a tray now: an icon made before its host is up would never appear."""
        available = QSystemTrayIcon.isSystemTrayAvailable()
        if self._enabled and available and not self.icon.isVisible():
            self.refresh()
            self.fill_menu()  # an empty menu is not offered by some hosts
            self.icon.show()
            _log.info("tray icon shown")
        elif not available and self.icon.isVisible():
            self.icon.hide()
            _log.info("the tray went away")
            self.vanished.emit()

    @guarded
    def refresh(self) -> None:
        """Show today's state on the icon, and in the quick log while it is open."""
        if self.quick_log.isVisible():
            self.quick_log.refresh()
        today = self._look_at_today()
        if today is None:
            return
        shown = (today.open_count, today.day, current_language())
        if shown == self._shown:
            return
        self._shown = shown
        self.icon.setIcon(badge_icon(today.open_count))
        n = today.open_count
        left = ngettext("오늘 {n}개 남음", "오늘 {n}개 남음", n).format(n=n) if n else _("오늘 기록을 모두 마쳤어요")
        self.icon.setToolTip(f"{_('라이프 헬퍼')} — {left if today.due else _('오늘 정해진 습관은 없어요.')}")

    def open_quick_log(self) -> None:
        """Show the quick log near the icon; a second time closes it."""
        if self.quick_log.isVisible():
            self.quick_log.hide()
            return
        place = self.icon.geometry() if self.icon.isVisible() else QRect()
        self.quick_log.open_near(None if place.isEmpty() else place)

    def tell(self, title: str, text: str) -> None:
        """Show a message by the icon, where the system can."""
        if self.is_there and QSystemTrayIcon.supportsMessages():
            self.icon.showMessage(title, text, self.icon.icon())

    def mark_action(self, habit_id: int, value: EntryValue) -> QAction:
        """Return the menu's action that marks a habit; `fill_menu` makes them."""
        return self._marks[habit_id, value]

    def shutdown(self) -> None:
        """Take everything away; call at the end."""
        self._look.stop()
        self.icon.hide()
        self.quick_log.close()
        self.quick_log.deleteLater()
        self.menu.deleteLater()

    # ---- the menu ---------------------------------------------------------------------------------------------

    @guarded
    def fill_menu(self) -> None:
        """Build the menu from today's habits."""
        today = self._look_at_today()
        for each in self.menu.findChildren(QMenu):
            each.deleteLater()
        self.menu.clear()
        self._marks = {}
        if today is not None:
            self._today = today
            head = self.menu.addAction(long_day(today.day))
            head.setEnabled(False)
            for overview in today.due:
                self._add_habit(today, overview)
            self.menu.addSeparator()
        colour = theme().tokens["text"]
        for name, icon, words, signal in (
            ("trayQuickLog", "today", _("빠른 기록…"), self.open_quick_log),
            ("trayWindow", "coach", _("창 열기"), self.window_asked.emit),
            ("trayUndo", "undo", _("마지막 변경을 되돌리기"), self.undo_asked.emit),
            ("traySettings", "settings", _("설정…"), self.settings_asked.emit),
            ("trayQuit", "close", _("끝내기"), self.quit_asked.emit),
        ):
            action = self.menu.addAction(icons.icon(icon, colour, 18), words)
            action.setObjectName(name)
            action.triggered.connect(lambda _checked=False, run=signal: run())

    def _add_habit(self, today: Today, overview: HabitOverview) -> None:
        habit, entry = overview.habit, overview.today_entry
        title = habit.title(current_language()).replace("&", "&&")
        words = title if entry is None else f"{title} — {value_label(entry.value)}"
        inner = QMenu(words, self.menu)
        colour = theme().tokens["text"]
        inner.setIcon(icons.icon("plus" if entry is None else VALUE_ICONS[entry.value], colour, 18))
        self.menu.addMenu(inner)
        for value in MARKS:
            action = inner.addAction(icons.icon(VALUE_ICONS[value], colour, 18), value_label(value))
            action.setCheckable(True)
            action.setChecked(entry is not None and entry.value is value)
            action.setEnabled(value is not EntryValue.MINIMUM or bool(habit.minimum_dose))
            action.triggered.connect(partial(self._mark, habit.id, value))
            self._marks[habit.id, value] = action
        if entry is not None:
            inner.addSeparator()
            undo = inner.addAction(icons.icon("undo", colour, 18), _("되돌리기"))
            undo.triggered.connect(partial(self._clear, entry))

    @guarded
    def _mark(self, habit_id: int, value: EntryValue, _checked: bool = False) -> None:
        if self._today is not None:
            self._tell(today_marks.mark(self.bus, self._store, self._today.day, habit_id, value))

    @guarded
    def _clear(self, entry: Entry, _checked: bool = False) -> None:
        if self._today is not None:
            self._tell(today_marks.clear(self.bus, self._store, self._today.day, entry))

    def _tell(self, outcome: WriteOutcome) -> None:
        if not outcome.is_ok:
            self.tell(_("라이프 헬퍼"), outcome.problem)
        self.refresh()

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        # On macOS a click opens the menu by itself.
        wanted = (QSystemTrayIcon.ActivationReason.Trigger, QSystemTrayIcon.ActivationReason.DoubleClick)
        if sys.platform != "darwin" and reason in wanted:
            self.open_quick_log()
        elif reason is QSystemTrayIcon.ActivationReason.MiddleClick:
            self.window_asked.emit()

    def _look_at_today(self) -> Today | None:
        try:
            return today_marks.look(self._store)
        except WorldError as error:
            self.bus.publish_notice(Trouble(error))
            return None
