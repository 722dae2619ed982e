"""The reminders of one habit: when it rings, on which days, and whether this computer can show it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.base.settings import DAY_START_MINUTES, REMINDERS_ENABLED
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.domain.reminders import EVERY_DAY, REMINDERS_MAX, Reminder, next_moment, time_in
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.domain.schedule import is_due
from lifehelper_desktop.storage.reminders import ReminderLook
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.moments import day_text
from lifehelper_desktop.ui.reminders.desktop import desktop_notifier
from lifehelper_desktop.ui.reminders.notifier import LayeredNotifier, Way
from lifehelper_desktop.ui.reminders.words import TEST_KEY, test_notice
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import (
    button,
    column,
    frame,
    icon_label,
    label,
    row,
    scroll_page,
    set_role,
    size_on_screen,
)
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.reminder_row import NewReminder, ReminderRow
from lifehelper_desktop.ui.writes import attempt

_SIZE: Final = (540, 620)  # pixels at 100 % text
#: What is offered when the habit names no time, in this order.
_USUAL_TIMES: Final = (21 * 60, 8 * 60, 12 * 60, 18 * 60, 22 * 60, 7 * 60, 9 * 60, 15 * 60, 19 * 60, 13 * 60, 20 * 60)


class RemindersDialog(QDialog):
    """Non-modal, main thread. Every change is stored at once; what was removed comes back with one button."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        habit_id: int,
        parent: QWidget | None = None,
        *,
        notifier: LayeredNotifier | None = None,
    ) -> None:
        """Show the reminders of a habit; `notifier` shows the test, by default the application's."""
        super().__init__(parent)
        self.setObjectName("remindersDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("알림"))
        self.bus, self._store, self.habit_id = bus, store, habit_id
        self._notifier = notifier or desktop_notifier()
        self.rows: dict[int, ReminderRow] = {}
        self._suggested: int | None = None
        self._build()
        queued = Qt.ConnectionType.QueuedConnection
        self._notifier.way_changed.connect(self._show_way, queued)
        self._notifier.shown.connect(self._on_shown, queued)
        self._notifier.pressed.connect(self._on_pressed, queued)
        bus.on_data(self._on_data)
        self.refresh()
        self._show_way()
        self._notifier.probe()
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """The size of the design, as far as the screen has room for it."""
        return size_on_screen(self, *_SIZE)

    def done(self, result: int) -> None:
        """Close; a time that was just typed is kept."""
        for each in list(self.rows.values()):
            each.clock.settle()
        super().done(result)

    # ---- building ---------------------------------------------------------------------------------------------

    def _build(self) -> None:
        outer = column(self, margins=(22, 18, 22, 16), gap=10)
        self._title = label("", "title")
        self._title.setObjectName("remindersTitle")
        outer.addWidget(self._title)
        outer.addWidget(
            label(
                _("라이프 헬퍼가 켜져 있을 때 정한 시각에 알려 드려요. 이미 기록한 날과 쉬는 날에는 조용히 있어요."),
                "muted",
            )
        )
        self.notice = NoticeBar()
        outer.addWidget(self.notice)
        turn_on = button(_("알림 켜기"), self._switch_all_on, role="flat", name="enableReminders")
        self._off = self._hint("remindersOff", _("지금은 설정에서 모든 알림이 꺼져 있어요."), turn_on)
        self._rests = self._hint("remindersRest", _("쉬는 동안에는 울리지 않아요. 다시 시작하면 이어서 알려 드려요."))
        no_system = _("이 컴퓨터에서는 단추가 있는 시스템 알림을 쓸 수 없어서, 화면 구석의 작은 창으로 알려 드려요.")
        self._window_way = self._hint("remindersWay", no_system)
        scroll, body = scroll_page("remindersBody")
        page = column(body, margins=(0, 2, 4, 2), gap=10)
        for each in (self._off, self._rests, self._window_way):
            page.addWidget(each)
        self._list = column(gap=8)
        page.addLayout(self._list)
        self._empty = label("", "muted")
        self._empty.setObjectName("remindersEmpty")
        page.addWidget(self._empty)
        self._suggestion = button("", self._take_suggestion, role="soft", icon="bell", name="suggestedReminder")
        page.addWidget(self._suggestion, 0, Qt.AlignmentFlag.AlignLeft)
        self.new = NewReminder(_USUAL_TIMES[0], self._store.week_start())
        self.new.asked.connect(self._add)
        page.addWidget(self.new)
        page.addStretch(1)
        outer.addWidget(scroll, 1)
        outer.addWidget(frame("line"))
        outer.addLayout(self._build_footer())

    def _hint(self, name: str, words: str, *more: QWidget) -> QFrame:
        box = frame("hint", name)
        layout = row(box, margins=(12, 8, 10, 8), gap=10)
        layout.addWidget(icon_label("info", "on_gold_soft"))
        layout.addWidget(label(words), 1)
        for each in more:
            layout.addWidget(each)
        box.hide()
        return box

    def _build_footer(self) -> QHBoxLayout:
        footer = row(gap=8)
        self.test_button = button(_("시험 알림 보내기"), self.send_test, icon="bell", name="testReminder")
        footer.addWidget(self.test_button)
        self.outcome = label("", "muted")
        self.outcome.setObjectName("testOutcome")
        footer.addWidget(self.outcome, 1)
        footer.addWidget(button(_("닫기"), self.close, name="closeReminders"))
        return footer

    # ---- showing ----------------------------------------------------------------------------------------------

    @guarded
    def refresh(self) -> None:
        """Read the reminders anew; rows that stay keep the focus."""
        store = self._store
        try:
            habit = store.habits.get(self.habit_id)
        except RuleViolation:  # moved to the trash meanwhile
            self.close()
            return
        reminders, look = store.reminders.list(habit.id), store.reminders.look()
        self._title.setText(one_line(habit.title(current_language())))
        self._off.setVisible(not store.settings.get_bool(REMINDERS_ENABLED))
        self._rests.setVisible(habit.status is HabitStatus.PAUSED)
        for reminder_id in self.rows.keys() - {each.id for each in reminders}:
            self._drop(reminder_id)
        for place, reminder in enumerate(reminders):
            self._show_row(place, reminder, self._next_words(habit, reminder, look))
        self._show_offer(habit, reminders)

    def _show_row(self, place: int, reminder: Reminder, words: str) -> None:
        shown = self.rows.get(reminder.id)
        if shown is None:
            shown = ReminderRow(reminder, words, self._store.week_start())
            shown.time_chosen.connect(partial(self._set_time, reminder.id))
            shown.weekdays_chosen.connect(partial(self._set_weekdays, reminder.id))
            shown.switched.connect(partial(self._set_on, reminder.id))
            shown.remove_asked.connect(partial(self._remove, reminder.id))
            self.rows[reminder.id] = shown
            self._list.insertWidget(place, shown)
            shown.show()  # at once, so that it can take the focus
            return
        shown.show_reminder(reminder, words)
        if self._list.indexOf(shown) != place:
            self._list.removeWidget(shown)
            self._list.insertWidget(place, shown)

    def _drop(self, reminder_id: int) -> None:
        gone = self.rows.pop(reminder_id)
        self._list.removeWidget(gone)
        gone.hide()
        gone.deleteLater()

    def _show_offer(self, habit: Habit, reminders: list[Reminder]) -> None:
        taken = {each.minutes for each in reminders}
        suggested = time_in(habit.anchor_when)
        offered = next((each for each in (suggested, *_USUAL_TIMES) if each is not None and each not in taken), None)
        full = len(reminders) >= REMINDERS_MAX
        self.new.setEnabled(not full and habit.status is not HabitStatus.ARCHIVED)
        if offered is not None:
            self.new.offer(offered)
        self._suggested = suggested
        self._suggestion.setVisible(suggested is not None and not reminders and self.new.isEnabled())
        if suggested is not None:
            self._suggestion.setText(_("{time}에 알림 받기").format(time=_clock_words(suggested)))
        self._empty.setVisible(not reminders or full)
        if full:
            self._empty.setText(_("알림은 습관마다 {n}개까지예요. 하나를 지우면 자리가 나요.").format(n=REMINDERS_MAX))
        elif not reminders:
            self._empty.setText(_("아직 알림이 없어요. 아래에서 시각을 골라 추가해 주세요."))

    def _next_words(self, habit: Habit, reminder: Reminder, look: ReminderLook) -> str:
        """Return when a reminder rings next, or why it does not."""
        if not reminder.is_on:
            return _("꺼져 있어요")
        if habit.status is not HabitStatus.ACTIVE:
            return ""
        now, day_start = self._store.clock.now(), self._store.settings.get_int(DAY_START_MINUTES)
        moment = next_moment(reminder, now, day_start, look.marks, partial(is_due, habit.schedule))
        if moment is None:
            return _("이 습관이 쉬는 요일이라 울리지 않아요")
        day = moment.astimezone(now.tzinfo).date()
        shown = _("내일") if day == now.date() + timedelta(days=1) else day_text(day, now.date())
        words = _("다음 알림: {day} {time}").format(day=shown, time=f"{reminder.time:%H:%M}")
        if reminder.minutes < day_start:
            words += " · " + _("전날 몫으로 물어요")
        return words

    def _on_data(self, _changes: Changes) -> None:
        self.refresh()

    # ---- changing ---------------------------------------------------------------------------------------------

    def _add(self, minutes: int, weekdays: frozenset[int]) -> None:
        made: list[Reminder] = []

        def write() -> Changes:
            reminder, changes = self._store.reminders.add(self.habit_id, minutes, weekdays)
            made.append(reminder)
            return changes

        if self._do(write, weekdays) and made:
            self.new.days.show_weekdays(EVERY_DAY)
            shown = self.rows.get(made[0].id)
            if shown is not None:
                shown.take_focus()

    def _take_suggestion(self) -> None:
        if self._suggested is not None:
            self._add(self._suggested, EVERY_DAY)

    def _set_time(self, reminder_id: int, minutes: int) -> None:
        self._do(lambda: self._store.reminders.change(reminder_id, minutes=minutes))

    def _set_weekdays(self, reminder_id: int, weekdays: frozenset[int]) -> None:
        self._do(lambda: self._store.reminders.change(reminder_id, weekdays=weekdays), weekdays)

    def _set_on(self, reminder_id: int, on: bool) -> None:
        self._do(lambda: self._store.reminders.change(reminder_id, is_on=on))

    @guarded
    def _remove(self, reminder_id: int) -> None:
        time = _clock_words(self.rows[reminder_id].clock.minutes)
        if not self._do(lambda: self._store.reminders.remove(reminder_id)):
            return
        change = self._store.journal.next_undo()
        words = _("{time} 알림을 지웠어요.").format(time=time)
        undo = (lambda: self._undo(change.id)) if change is not None else None
        self.notice.show_notice(words, action=_("되돌리기") if undo is not None else "", on_action=undo)
        rest: list[QPushButton | ReminderRow] = [*self.rows.values(), self.new.add_button]
        rest[0].setFocus() if isinstance(rest[0], QPushButton) else rest[0].take_focus()

    def _undo(self, change_id: int) -> None:
        self._do(lambda: self._store.journal.undo(change_id).changes)

    def _switch_all_on(self) -> None:
        self._do(lambda: self._store.settings.set(REMINDERS_ENABLED, True))

    def _do(self, write: Callable[[], Changes], weekdays: frozenset[int] = EVERY_DAY) -> bool:
        """Carry out a write and show what is stored now; return whether it went through."""
        problem = _("요일을 하나 이상 골라 주세요.")
        if weekdays:
            outcome = attempt(self.bus, write)
            problem = outcome.problem
        self.refresh()
        self.notice.show_problem(problem)
        return not problem

    # ---- the test ---------------------------------------------------------------------------------------------

    def send_test(self) -> None:
        """Show how a reminder looks, and tell what became of it."""
        self._tell(_("보내는 중…"))
        self._notifier.show(test_notice())

    def _on_shown(self, key: str) -> None:
        if key != TEST_KEY:
            return
        if self._notifier.way is Way.WINDOW:
            self._tell(_("화면 구석의 작은 창으로 보여 드렸어요."))
        else:
            self._tell(_("보냈어요. 안 보이면 시스템의 알림 설정에서 라이프 헬퍼를 켜 주세요."))

    def _on_pressed(self, key: str, _button: str) -> None:
        if key == TEST_KEY:
            self._tell(_("단추도 잘 들어요. 준비가 끝났어요."), good=True)

    def _tell(self, words: str, *, good: bool = False) -> None:
        set_role(self.outcome, "good" if good else "muted")
        self.outcome.setText(words)
        self.outcome.setAccessibleName(words)
        announce(self, words)

    def _show_way(self) -> None:
        self._window_way.setVisible(self._notifier.way is Way.WINDOW)


def _clock_words(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
