"""The last seven days of one habit as small round buttons; a menu on each records, changes or deletes that day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import MARKS, EntryValue
from lifehelper_desktop.domain.labels import value_label, weekday_label
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import VALUE_ICONS, short_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, label, repolish, row

_DAYS = 7
_ICON_COLOURS = {
    EntryValue.DONE: "on_accent",
    EntryValue.MINIMUM: "on_accent_soft",
    EntryValue.BLANK: "on_blue_soft",
    EntryValue.NOT_DONE: "muted",
}


class WeekStrip(QWidget):
    """`change_asked` carries (day, value); value None deletes the day's entry."""

    change_asked = Signal(object, object)

    def __init__(self) -> None:
        """Start empty; `show_days` fills it."""
        super().__init__()
        layout = row(self, gap=2)
        self._buttons: list[QToolButton] = []
        self._names = []
        self._days: list[date] = []
        self._values: list[EntryValue | None] = []
        self._has_minimum = True
        for index in range(_DAYS):
            cell = column(gap=2)
            name = label("", "small", wrap=False)
            name.setAlignment(Qt.AlignmentFlag.AlignCenter)
            day_button = QToolButton()
            day_button.setProperty("role", "day")
            day_button.setIconSize(QSize(16, 16))
            day_button.setCursor(Qt.CursorShape.PointingHandCursor)
            day_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            day_button.clicked.connect(lambda _checked=False, at=index: self._open_menu(at))
            cell.addWidget(name)
            cell.addWidget(day_button)
            self._names.append(name)
            self._buttons.append(day_button)
            layout.addLayout(cell)

    def show_days(
        self, today: date, entries: Mapping[date, EntryValue], start: date, *, has_minimum: bool, enabled: bool
    ) -> None:
        """Show the seven days that end with `today`."""
        self._days = [today - timedelta(days=_DAYS - 1 - index) for index in range(_DAYS)]
        self._values = [entries.get(day) for day in self._days]
        self._has_minimum = has_minimum
        for index, day in enumerate(self._days):
            self._show_day(index, day, is_today=day == today, before=day < start)
            self._buttons[index].setEnabled(enabled)

    def day_button(self, day: date) -> QToolButton:
        """Return the button of one of the seven days."""
        return self._buttons[self._days.index(day)]

    def menu_for(self, day: date) -> QMenu:
        """Build the menu of one of the seven days."""
        index = self._days.index(day)
        current = self._values[index]
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = menu.addAction(short_day(day))
        title.setEnabled(False)
        for value in MARKS:
            action = menu.addAction(icons.icon(VALUE_ICONS[value], theme().tokens["text"], 18), value_label(value))
            action.setObjectName(f"day_{value.value}")
            action.setEnabled(value is not current and (value is not EntryValue.MINIMUM or self._has_minimum))
            action.triggered.connect(lambda _checked=False, chosen=value: self.change_asked.emit(day, chosen))
        menu.addSeparator()
        delete = menu.addAction(icons.icon("undo", theme().tokens["text"], 18), _("기록 지우기"))
        delete.setObjectName("day_delete")
        delete.setEnabled(current is not None)
        delete.triggered.connect(lambda _checked=False: self.change_asked.emit(day, None))
        return menu

    def _open_menu(self, index: int) -> None:
        menu = self.menu_for(self._days[index])
        at = self._buttons[index]
        menu.popup(at.mapToGlobal(at.rect().bottomLeft()))

    def _show_day(self, index: int, day: date, *, is_today: bool, before: bool) -> None:
        day_button, value = self._buttons[index], self._values[index]
        self._names[index].setText(_("오늘") if is_today else weekday_label(day))
        if value is None:
            mark = "today" if is_today else "before" if before else "empty"
            state = _("기록 전") if is_today else _("기록 없음")
            day_button.setIcon(icons.icon("plus", theme().tokens["muted"], 16) if is_today else icons.empty())
        else:
            mark, state = value.value, value_label(value)
            day_button.setIcon(icons.icon(VALUE_ICONS[value], theme().tokens[_ICON_COLOURS[value]], 16))
        day_button.setProperty("mark", mark)
        repolish(day_button)
        words = f"{short_day(day)} · {state}"
        day_button.setToolTip(words)
        day_button.setAccessibleName(words)
