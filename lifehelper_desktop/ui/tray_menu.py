"""The menu of the tray icon: today's habits with their marks, the quick log, the window, undo, settings, the end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import MARKS, Entry, EntryValue
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.storage.store import HabitOverview
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import VALUE_ICONS, long_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.today_marks import Today

_LONGEST = 44  # characters of one line; a menu as wide as the screen is hard to hit
_ICON = 18  # device-independent pixels


class TrayMenu(QMenu):
    """Main thread. `fill` builds it anew; it must be filled before it is shown, since some hosts keep their own copy.

    `mark_asked` carries habit id, EntryValue and what was recorded when the menu was filled (EntryValue or None);
    `clear_asked` the Entry to take back.
    """

    mark_asked = Signal(int, object, object)
    clear_asked = Signal(object)
    quick_log_asked = Signal()
    window_asked = Signal()
    undo_asked = Signal()
    settings_asked = Signal()
    quit_asked = Signal()

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.setObjectName("trayMenu")
        self.today: Today | None = None
        self._marks: dict[tuple[int, EntryValue], QAction] = {}

    def mark_action(self, habit_id: int, value: EntryValue) -> QAction:
        """Return the action that marks a habit.

        Raises:
            KeyError: Today's part of the menu has no such habit.
        """
        return self._marks[habit_id, value]

    def fill(self, today: Today | None, undo_words: str) -> None:
        """Show `today`, None where it cannot be read; `undo_words` tells what undo would take back, empty: nothing."""
        for each in self.findChildren(QMenu):
            each.setObjectName("")  # not found any more; gone when the choice that may be under way in it is over
            each.deleteLater()
        self.clear()
        self._marks = {}
        self.today = today
        if today is not None:
            self.addAction(long_day(today.day)).setEnabled(False)
            for overview in today.due:
                self._add_habit(overview)
            if not today.due:
                self.addAction(today.words()).setEnabled(False)
            self.addSeparator()
        quick = self._add("trayQuickLog", "today", _("빠른 기록…"), self.quick_log_asked.emit)
        self.setDefaultAction(quick)
        self._add("trayWindow", "coach", _("창 열기"), self.window_asked.emit)
        words = _("되돌리기: {what}").format(what=undo_words) if undo_words else _("되돌리기")
        self._add("trayUndo", "undo", words, self.undo_asked.emit).setEnabled(bool(undo_words))
        self.addSeparator()
        self._add("traySettings", "settings", _("설정…"), self.settings_asked.emit)
        self._add("trayQuit", "close", _("끝내기"), self.quit_asked.emit)

    def _add(self, name: str, icon: str, words: str, run: Callable[[], None]) -> QAction:
        action = self.addAction(_icon(icon), _line(words))
        action.setObjectName(name)
        action.triggered.connect(lambda _checked=False: run())
        return action

    def _add_habit(self, overview: HabitOverview) -> None:
        habit, entry = overview.habit, overview.today_entry
        title = habit.title(current_language())
        inner = QMenu(_line(title if entry is None else f"{title} — {value_label(entry.value)}"), self)
        inner.setObjectName(f"trayHabit_{habit.id}")
        inner.setIcon(_icon("plus" if entry is None else VALUE_ICONS[entry.value]))
        self.addMenu(inner)
        seen = None if entry is None else entry.value
        for value in MARKS:
            action = inner.addAction(_icon(VALUE_ICONS[value]), value_label(value))
            action.setCheckable(True)
            action.setChecked(value is seen)
            action.setEnabled(value is not EntryValue.MINIMUM or bool(habit.minimum_dose))
            action.triggered.connect(partial(self._on_mark, habit.id, value, seen))
            self._marks[habit.id, value] = action
        if entry is not None:
            inner.addSeparator()
            back = inner.addAction(_icon("undo"), _("되돌리기"))
            back.triggered.connect(partial(self._on_clear, entry))

    def _on_mark(self, habit_id: int, value: EntryValue, seen: EntryValue | None, _checked: bool = False) -> None:
        self.mark_asked.emit(habit_id, value, seen)

    def _on_clear(self, entry: Entry, _checked: bool = False) -> None:
        self.clear_asked.emit(entry)


def _icon(name: str) -> QIcon:
    return icons.icon(name, theme().tokens["text"], _ICON)


def _line(words: str) -> str:
    """Return words for a menu: not too long, and an ampersand is an ampersand."""
    cut = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    return cut.replace("&", "&&")
