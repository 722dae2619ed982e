"""One habit with its whole history: the calendar with every day open to change, numbers with their rules, charts."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.settings import DAY_START_MINUTES, WEEK_START
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.day_edits import DayEdit, change_day, take_back_day
from lifehelper_desktop.ui.day_states import day_words, is_editable
from lifehelper_desktop.ui.text import short_day
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.undo import take_back
from lifehelper_desktop.ui.widgets.basics import button, centred, column, scroll_page
from lifehelper_desktop.ui.widgets.day_editor import DayEditor
from lifehelper_desktop.ui.widgets.flow import FlowBox, TurningBox
from lifehelper_desktop.ui.widgets.habit_head import HabitHead
from lifehelper_desktop.ui.widgets.habit_numbers import HabitNumbers
from lifehelper_desktop.ui.widgets.heat_map import HeatMap
from lifehelper_desktop.ui.widgets.month_bars import MonthBars
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.run_list import RunList
from lifehelper_desktop.ui.widgets.strength_line import StrengthLine
from lifehelper_desktop.ui.writes import WriteOutcome, attempt

# Pixels at 100 % text: the width of the page, and from where on the charts stand beside each other.
_CONTENT_MAX: Final = 1080
_BESIDE_FROM: Final = 700


class HabitDetail(QWidget):
    """The page of one habit. Main thread.

    `back_asked` leads to the list, also when the habit is gone (trash, undo); `edit_asked` carries the Habit,
    `reminders_asked` its id. The page reads anew by itself when the bus tells of changes of its habit, at once or when
    it is shown next. Today's marks go to the day that the page shows: when another day has begun, nothing is written.
    """

    back_asked = Signal()
    edit_asked = Signal(object)
    reminders_asked = Signal(int)

    def __init__(self, store: Store, bus: Bus, parent: QWidget | None = None) -> None:
        """Start without a habit; `show_habit` chooses one."""
        super().__init__(parent)
        self.setObjectName("habitDetail")
        self.bus, self._store = bus, store
        self._habit_id: int | None = None
        self.record: HabitRecord | None = None
        self._is_stale = False
        self.editor: DayEditor | None = None
        outer = column(self)
        self._scroll, body = scroll_page()
        outer.addWidget(self._scroll)
        self._holder = centred(body, _CONTENT_MAX, (20, 16, 20, 28))
        layout = column(self._holder, gap=14)
        layout.addWidget(self._build_bar())
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self.head = HabitHead()
        self.head.mark_asked.connect(self.mark)
        self.head.resume_asked.connect(self._resume)
        self.numbers = HabitNumbers()
        self.heat = HeatMap()
        self.heat.day_asked.connect(self.open_day)
        self.heat.done_asked.connect(self.mark_day_done)
        self.strength = StrengthLine()
        self.months = MonthBars()
        self.runs = RunList()
        layout.addWidget(self.head)
        layout.addWidget(self.heat)
        layout.addWidget(self.numbers)
        charts = TurningBox(_BESIDE_FROM, gap=14)
        charts.box.addWidget(self.strength, 1)
        charts.box.addWidget(self.months, 1)
        layout.addWidget(charts)
        layout.addWidget(self.runs)
        layout.addStretch(1)
        self._holder.hide()
        bus.on_data(self._on_data)

    def _build_bar(self) -> FlowBox:
        bar = FlowBox(name="detailBar")
        self.back_button = button(_("습관 목록"), self.back_asked.emit, role="flat", icon="left", name="detailBack")
        self.reminders_button = button(_("알림…"), self._ask_reminders, icon="bell", name="detailReminders")
        self.edit_button = button(_("고치기…"), self._ask_edit, icon="edit", name="detailEdit")
        bar.add(self.back_button)
        bar.add(self.reminders_button, at_end=True)
        bar.add(self.edit_button, at_end=True)
        return bar

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_habit(self, habit_id: int) -> None:
        """Show another habit, from the top; of one that is gone only `back_asked` comes."""
        self._close_editor()
        self._habit_id = habit_id
        self.notice.hide()
        self._scroll.verticalScrollBar().setValue(0)
        self._read()
        if self.record is not None and self.record.overview.habit.id != habit_id:  # it could not be read
            self.record = None
            self._holder.hide()
        self.back_button.setFocus()

    def refresh(self) -> None:
        """Read the habit anew, when the page is hidden as soon as it is shown; without a habit nothing happens."""
        if self.isVisible():
            self._read()
        else:
            self._is_stale = True

    @property
    def habit_id(self) -> int | None:
        """The habit shown, or None."""
        return self._habit_id

    @guarded
    def _read(self) -> None:
        if self._habit_id is None:
            return
        try:
            record = self._store.record(self._habit_id)
        except RuleViolation:
            self._leave()
            return
        week_start = self._store.week_start()
        self._is_stale = False
        self.record = record
        editable = is_editable(record)
        self.edit_button.setEnabled(editable)
        self.reminders_button.setEnabled(editable)
        self.head.show_record(record, week_start)
        self.numbers.show_record(record)
        self.heat.show_record(record, week_start)
        self.strength.show_values(record.strength)
        self.months.show_months(record.months)
        self.runs.show_runs(record.runs)
        self._holder.show()

    def _leave(self) -> None:
        """The habit is gone: go back to the list, but only from here."""
        self._close_editor()
        self._habit_id, self.record = None, None
        self._holder.hide()
        self.back_asked.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Read what changed while the page was hidden."""
        super().showEvent(event)
        if self._is_stale:
            self._read()

    def _on_data(self, changes: Changes) -> None:
        habits = changes.habits | {habit_id for habit_id, _day in changes.entries}
        settings = {WEEK_START.key, DAY_START_MINUTES.key}
        if self._habit_id not in habits and not changes.settings & settings:
            return
        self.refresh()

    # ---- today ------------------------------------------------------------------------------------------------

    @guarded
    def mark(self, value: EntryValue | None) -> None:
        """Record the day shown, or with None take back the entry that is shown for it."""
        record = self.record
        if record is None:
            return
        if value is None:
            entry = record.overview.today_entry
            if entry is not None:
                self._tell(take_back(self.bus, self._store, entry))
            return
        if record.today != self._store.today():
            self._read()
            self.notice.show_notice(_("새 하루가 시작됐어요. 오늘 화면으로 바꾸었으니 다시 눌러 주세요."))
            return
        habit_id = record.overview.habit.id
        if self._tell(attempt(self.bus, lambda: self._store.entries.log(habit_id, value, record.today)[1])):
            self.notice.hide()

    @guarded
    def _resume(self) -> None:
        habit_id = self._habit_id
        if habit_id is not None:
            self._tell(attempt(self.bus, lambda: self._store.habits.resume(habit_id)))

    # ---- any day ----------------------------------------------------------------------------------------------

    def open_day(self, day: date) -> None:
        """Open the editor of `day`; that of an archived habit can only be read."""
        if self.record is None:
            return
        self._close_editor()
        self.editor = DayEditor(self._store, self.bus, self.record, day, self)
        self.editor.changed.connect(self._on_edit)
        self.editor.finished.connect(self._on_editor_end)
        self.editor.open()

    @guarded
    def mark_day_done(self, day: date) -> None:
        """Record `day` as done when nothing is recorded on it; otherwise say what is."""
        record = self.record
        if record is None:
            return
        if not is_editable(record):
            self.notice.show_notice(_("보관한 습관이라 기록을 읽기만 할 수 있어요."))
            return
        if record.entries.get(day) is not None:
            self.notice.show_notice(day_words(record, day), action=_("고치기"), on_action=partial(self.open_day, day))
            return
        habit_id = record.overview.habit.id
        outcome, edit = change_day(self.bus, self._store, habit_id, day, EntryValue.DONE, shown=None)
        self._tell(outcome)
        if edit is not None:
            self._on_edit(edit)

    def _on_edit(self, edit: DayEdit) -> None:
        """Tell what was done, with a way back."""
        after, before = edit.after, edit.before
        if after is None:
            words = _("{day} 기록을 지웠어요.")
        elif before is not None and before.value is after.value:
            words = _("{day} 메모를 바꾸었어요.")
        else:
            words = _("{day} · ‘{value}’(으)로 적었어요.")
        value = value_label(after.value) if after is not None else ""
        self.notice.show_notice(
            with_particles(words.format(day=short_day(edit.day), value=value)),
            action=_("되돌리기"),
            on_action=lambda: self._tell(take_back_day(self.bus, self._store, edit)),
        )

    def _on_editor_end(self, _result: int) -> None:
        self.editor = None

    def _close_editor(self) -> None:
        if self.editor is not None:
            self.editor.reject()

    # ---- the rest ---------------------------------------------------------------------------------------------

    def _ask_edit(self) -> None:
        if self.record is not None:
            self.edit_asked.emit(self.record.overview.habit)

    def _ask_reminders(self) -> None:
        if self._habit_id is not None:
            self.reminders_asked.emit(self._habit_id)

    def _tell(self, outcome: WriteOutcome) -> bool:
        """Say why a write was refused, show the true state then, and return whether it went through.

        What was written is read anew when the bus tells of it.
        """
        if outcome.error is not None:
            self.bus.publish_notice(Trouble(outcome.error))
        elif not outcome.is_ok:
            self.notice.show_notice(outcome.problem, error=True)
        if not outcome.changes:
            self._read()
        return outcome.is_ok
