"""Time and weekdays of one reminder: the editor, and the row of the list around it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTime, QTimer, Signal
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QFrame, QPushButton, QTimeEdit

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.labels import weekdays_words
from lifehelper_desktop.domain.reminders import EVERY_DAY, Reminder
from lifehelper_desktop.ui.widgets.basics import button, column, label, row, tool_button
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.switch import Switch
from lifehelper_desktop.ui.widgets.weekday_chips import WeekdayChips

_SETTLE_MS: Final = 700  # a time that is still being changed is not stored at every step
_PRESETS: Final = (
    ("every", N_("매일"), EVERY_DAY),
    ("weekdays", N_("평일"), frozenset({1, 2, 3, 4, 5})),
    ("weekend", N_("주말"), frozenset({6, 7})),
)


class ClockEdit(QTimeEdit):
    """A time of the wall clock. `settled` comes when the user has chosen another one, not at every step on the way."""

    settled = Signal()

    def __init__(self, minutes: int, name: str, words: str) -> None:
        """Show `minutes` after midnight."""
        super().__init__(_time(minutes))
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setDisplayFormat("HH:mm")
        self.setWrapping(True)
        self.setKeyboardTracking(False)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._told = minutes
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_SETTLE_MS)
        self._timer.timeout.connect(self.settle)
        self.timeChanged.connect(lambda _time: self._timer.start())
        self.editingFinished.connect(self.settle)

    @property
    def minutes(self) -> int:
        """Minutes after midnight."""
        return self.time().hour() * 60 + self.time().minute()

    def show_minutes(self, minutes: int) -> None:
        """Show another time, without a signal; what the user is about to choose stays."""
        if self._timer.isActive() and minutes == self._told:
            return
        self._told = minutes
        self.setTime(_time(minutes))
        self._timer.stop()

    def settle(self) -> None:
        """Tell a new time now."""
        self._timer.stop()
        if self.minutes != self._told:
            self._told = self.minutes
            self.settled.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Take the wheel only with the focus: a time must not change in passing."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class WeekdayChoice(FlowBox):
    """The chips of the weekdays with three usual choices beside them; `changed` comes when the user chooses."""

    changed = Signal()

    def __init__(self, weekdays: frozenset[int], week_start: int, name: str) -> None:
        """Show ISO weekdays; the usual choices are called `<name>_every`, `<name>_weekdays`, `<name>_weekend`."""
        super().__init__(gap=6, name=f"{name}Choice")
        self.setAccessibleName(_("요일"))
        self.chips = WeekdayChips(weekdays, week_start, name=name)
        self.chips.changed.connect(self._on_chips)
        self.presets: dict[frozenset[int], QPushButton] = {}
        self.add(self.chips)
        for key, words, days in _PRESETS:
            each = button(_(words), role="segment", name=f"{name}_{key}")
            each.setCheckable(True)
            each.clicked.connect(lambda _checked=False, chosen=days: self._choose(chosen))
            self.presets[days] = each
            self.add(each)
        self.show_weekdays(weekdays)

    @property
    def weekdays(self) -> frozenset[int]:
        """The chosen ISO weekdays; may be none."""
        return self.chips.weekdays

    def show_weekdays(self, weekdays: frozenset[int]) -> None:
        """Show other weekdays, without a signal."""
        for weekday, chip in self.chips.chips.items():
            chip.setChecked(weekday in weekdays)
        for days, each in self.presets.items():
            each.setChecked(days == weekdays)

    def _choose(self, weekdays: frozenset[int]) -> None:
        self.show_weekdays(weekdays)
        self.changed.emit()

    def _on_chips(self) -> None:
        self.show_weekdays(self.weekdays)
        self.changed.emit()


class ReminderRow(QFrame):
    """One reminder of the list. The signals tell what the user wants; what is stored comes back by `show_reminder`."""

    time_chosen = Signal(int)
    weekdays_chosen = Signal(object)
    switched = Signal(bool)
    remove_asked = Signal()

    def __init__(self, reminder: Reminder, words: str, week_start: int) -> None:
        """Show a reminder; `words` say when it rings next."""
        super().__init__()
        self.setObjectName("reminderRow")
        self.setProperty("role", "card")
        self._week_start = week_start
        layout = column(self, margins=(14, 10, 10, 12), gap=8)
        line = row(gap=10)
        self.clock = ClockEdit(reminder.minutes, "reminderTime", _("시각"))
        self.clock.settled.connect(lambda: self.time_chosen.emit(self.clock.minutes))
        self.words = label("", "muted")
        self.words.setObjectName("reminderNext")
        self.switch = Switch()
        self.switch.setObjectName("reminderSwitch")
        self.switch.clicked.connect(self.switched)
        self.remove = tool_button("trash", "", self.remove_asked.emit, name="reminderRemove")
        line.addWidget(self.clock)
        line.addWidget(self.words, 1)
        line.addWidget(self.switch)
        line.addWidget(self.remove)
        layout.addLayout(line)
        self.days = WeekdayChoice(reminder.weekdays, week_start, "reminderDay")
        self.days.changed.connect(lambda: self.weekdays_chosen.emit(self.days.weekdays))
        layout.addWidget(self.days)
        self.show_reminder(reminder, words)

    def show_reminder(self, reminder: Reminder, words: str) -> None:
        """Show what is stored."""
        self.clock.show_minutes(reminder.minutes)
        self.days.show_weekdays(reminder.weekdays)
        self.switch.setChecked(reminder.is_on)
        self.words.setText(words)
        self.words.setAccessibleName(words)
        time = f"{reminder.time:%H:%M}"
        self.setAccessibleName(f"{time}, {weekdays_words(reminder.weekdays, self._week_start)}. {words}")
        self.switch.setAccessibleName(_("{time} 알림 켜기").format(time=time))
        tip = _("{time} 알림 지우기").format(time=time)
        self.remove.setToolTip(tip)
        self.remove.setAccessibleName(tip)

    def take_focus(self) -> None:
        """Give the focus to the time."""
        self.clock.setFocus(Qt.FocusReason.OtherFocusReason)


class NewReminder(QFrame):
    """The card with which another reminder is added: `asked` carries minutes and weekdays."""

    asked = Signal(int, object)

    def __init__(self, minutes: int, week_start: int) -> None:
        """Offer a time, every day."""
        super().__init__()
        self.setObjectName("newReminder")
        self.setProperty("role", "empty")
        layout = column(self, margins=(14, 12, 10, 12), gap=8)
        line = row(gap=10)
        self.clock = ClockEdit(minutes, "newReminderTime", _("새 알림의 시각"))
        self.add_button = button(_("알림 추가"), self._ask, role="primary", icon="plus", name="addReminder")
        line.addWidget(self.clock)
        line.addWidget(self.add_button)
        line.addStretch(1)
        layout.addLayout(line)
        self.days = WeekdayChoice(EVERY_DAY, week_start, "newReminderDay")
        layout.addWidget(self.days)

    def offer(self, minutes: int) -> None:
        """Offer another time."""
        self.clock.show_minutes(minutes)

    def _ask(self) -> None:
        self.clock.settle()
        self.asked.emit(self.clock.minutes, self.days.weekdays)


def _time(minutes: int) -> QTime:
    return QTime(*divmod(minutes, 60))
