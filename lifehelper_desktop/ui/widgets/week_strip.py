"""The last seven days of one habit as small round buttons; a menu on each records, changes or deletes that day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import MARKS, EntryValue
from lifehelper_desktop.domain.labels import value_label, weekday_label
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import VALUE_ICONS, short_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import repolish
from lifehelper_desktop.ui.widgets.roving import RovingGroup, RovingToolButton

_DAYS = 7
_CIRCLE, _GAP, _NAME, _NAME_GAP = 28, 2, 12, 2  # pixels at 100 % text: a button, between them, a name, below it
_ICON_COLOURS = {
    EntryValue.DONE: "on_accent",
    EntryValue.MINIMUM: "on_accent_soft",
    EntryValue.BLANK: "on_blue_soft",
    EntryValue.NOT_DONE: "muted",
}


class WeekStrip(QWidget):
    """`change_asked` carries (day, value); value None deletes the day's entry. Wraps into two lines where it must."""

    change_asked = Signal(object, object)

    def __init__(self) -> None:
        """Start empty; `show_days` fills it."""
        super().__init__()
        self._days: list[date] = []
        self._values: list[EntryValue | None] = []
        self._today = date.min
        # Asked for at every layout; another size of the text builds the screens anew.
        self._circle, self._gap, self._line_gap = (theme().px(size) for size in (_CIRCLE, _GAP, 4))
        self._name_height = theme().px(_NAME) * 4 // 3
        self._off: Mapping[date, str] = {}
        self._has_minimum = True
        self._names: list[str] = []
        self.buttons = [RovingToolButton(self) for _index in range(_DAYS)]
        group = RovingGroup(self.buttons, self.buttons[-1])
        for index, each in enumerate(self.buttons):
            each.roving = group
            each.setProperty("role", "day")
            each.setIconSize(icons.size(16))
            each.setCursor(Qt.CursorShape.PointingHandCursor)
            each.clicked.connect(lambda _checked=False, at=index: self._open_menu(at))
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    # ---- size and place: the names of the days are painted, which spares seven labels a habit ------------------

    def sizeHint(self) -> QSize:
        """All seven in one line."""
        return QSize(self._width_of(_DAYS), self._line_height())

    def minimumSizeHint(self) -> QSize:
        """Four beside each other, the rest in a second line."""
        return QSize(self._width_of((_DAYS + 1) // 2), self._line_height())

    def heightForWidth(self, width: int) -> int:
        """One line or two."""
        lines = -(-_DAYS // self._columns(width))
        return lines * self._line_height() + (lines - 1) * self._line_gap

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the buttons."""
        super().resizeEvent(event)
        circle = self._circle
        for index, each in enumerate(self.buttons):
            cell = self._cell(index)
            each.setGeometry(cell.left() + (cell.width() - circle) // 2, cell.bottom() + 1 - circle, circle, circle)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Write the names of the days over the buttons, which say them to screen readers too."""
        painter = QPainter(self)
        font = self.font()
        font.setPixelSize(theme().px(_NAME))
        painter.setFont(font)
        tokens = theme().tokens
        for index, name in enumerate(self._names):
            cell = self._cell(index)
            is_today = self._days[index] == self._today
            painter.setPen(tokens.colour("text" if is_today else "muted"))
            painter.drawText(cell.adjusted(-4, 0, 4, -self._circle), int(Qt.AlignmentFlag.AlignHCenter), name)

    def _line_height(self) -> int:
        return self._name_height + _NAME_GAP + self._circle

    def _width_of(self, columns: int) -> int:
        return columns * self._circle + (columns - 1) * self._gap

    def _columns(self, width: int) -> int:
        return _DAYS if width >= self._width_of(_DAYS) else (_DAYS + 1) // 2

    def _cell(self, index: int) -> QRect:
        columns = self._columns(self.width())
        line, at = divmod(index, columns)
        step = self._circle + self._gap
        top = line * (self._line_height() + self._line_gap)
        return QRect(at * step, top, self._circle, self._line_height())

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_days(
        self,
        today: date,
        entries: Mapping[date, EntryValue],
        off: Mapping[date, str],
        *,
        has_minimum: bool,
        enabled: bool,
    ) -> None:
        """Show the seven days that end with `today`; `off` says in words why a day of them asks for nothing."""
        days = [today - timedelta(days=_DAYS - 1 - index) for index in range(_DAYS)]
        values = [entries.get(day) for day in days]
        same_days = days == self._days and off == self._off
        for index, day in enumerate(days):
            if not same_days or values[index] is not self._values[index]:
                self._show_day(index, day, values[index], off.get(day, ""), is_today=day == today)
            self.buttons[index].setEnabled(enabled)
        self._days, self._values, self._today, self._off = days, values, today, off
        self._has_minimum = has_minimum
        self._names = [_("오늘") if day == today else weekday_label(day) for day in days]
        self.update()

    def day_button(self, day: date) -> QToolButton:
        """Return the button of one of the seven days."""
        return self.buttons[self._days.index(day)]

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
        at = self.buttons[index]
        menu.popup(at.mapToGlobal(at.rect().bottomLeft()))

    def _show_day(self, index: int, day: date, value: EntryValue | None, off: str, *, is_today: bool) -> None:
        day_button = self.buttons[index]
        if value is None:
            mark = "today" if is_today else "off" if off else "empty"
            state = off or (_("기록 전") if is_today else _("기록 없음"))
            sign = "plus" if is_today else "dot" if mark == "off" else ""
            day_button.setIcon(icons.icon(sign, theme().tokens["muted"], 16) if sign else icons.empty())
        else:
            mark, state = value.value, value_label(value)
            day_button.setIcon(icons.icon(VALUE_ICONS[value], theme().tokens[_ICON_COLOURS[value]], 16))
        if day_button.property("mark") != mark:
            day_button.setProperty("mark", mark)
            repolish(day_button)
        words = f"{short_day(day)} · {state}"
        day_button.setToolTip(words)
        day_button.setAccessibleName(words)
