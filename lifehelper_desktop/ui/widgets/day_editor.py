"""The dialog of one day: what was done on it, and a note."""

from __future__ import annotations

from datetime import date
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QButtonGroup, QDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import MARKS, EntryValue
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.domain.rules import NOTE_MAX
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.day_edits import change_day
from lifehelper_desktop.ui.day_states import amount_words, is_editable, value_words
from lifehelper_desktop.ui.text import VALUE_ICONS, clean_lines, full_day, plain_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, plain_tip, row, set_role

_WIDTH: Final = 400  # pixels at 100 % text
_NOTE_LINES: Final = 3


class DayEditor(QDialog):
    """Writes one day of one habit and closes; a refusal is told here and nothing typed is lost. Main thread.

    `changed` carries the `DayEdit`, so that it can be taken back.
    """

    changed = Signal(object)

    def __init__(self, store: Store, bus: Bus, record: HabitRecord, day: date, parent: QWidget | None = None) -> None:
        """Show `day` as it is in `record`. A habit in the archive, and a day in a pause, can only be read."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("dayEditor")
        self.bus, self._store = bus, store
        self._record, self._habit, self._day = record, record.overview.habit, day
        self._entry = record.entries.get(day)
        self._may_clear = is_editable(record) and self._entry is not None
        self._may_write = is_editable(record) and day not in record.paused_days
        title = self._habit.title(current_language())
        self.setWindowTitle(f"{title} · {full_day(day)}")
        self.setMinimumWidth(theme().px(_WIDTH))
        layout = column(self, margins=(20, 18, 20, 16), gap=10)
        layout.addWidget(label(full_day(day), "title"))
        layout.addWidget(label(title, "muted"))
        self._add_state(layout)
        self.values: dict[EntryValue, QPushButton] = {}
        self._group = QButtonGroup(self)
        layout.addWidget(self._build_marks())
        self._add_hint(layout)
        self.note = QPlainTextEdit()
        self._count = label("", "small", wrap=False)
        self._add_note(layout)
        self._problem = label("", "error")
        self._problem.setObjectName("dayProblem")
        self._problem.hide()
        layout.addWidget(self._problem)
        layout.addLayout(self._build_buttons())
        self._show_count()
        checked = self._group.checkedButton()
        (checked if checked is not None and checked.isEnabled() else self.close_button).setFocus()

    # ---- building ---------------------------------------------------------------------------------------------

    def _add_state(self, layout: QVBoxLayout) -> None:
        words = [value_words(self._record, self._day)]
        if self._day == self._record.today:
            words.insert(0, _("오늘"))
        self._state = label(" · ".join(words), "section")
        self._state.setObjectName("dayState")
        layout.addWidget(self._state)
        amount = amount_words(self._record, self._entry)
        if amount:
            brought = label(_("가져온 양: {amount}").format(amount=amount), "muted")
            brought.setObjectName("dayAmount")
            layout.addWidget(brought)

    def _build_marks(self) -> QWidget:
        holder = QWidget()
        line = row(holder, gap=8)
        offered = list(MARKS)
        chosen = EntryValue.DONE if self._entry is None else self._entry.value
        if chosen not in offered:
            offered.append(chosen)  # what another tracker said; its note can be changed all the same
        tips = {EntryValue.DONE: self._habit.standard_dose, EntryValue.MINIMUM: self._habit.minimum_dose or ""}
        for value in offered:
            mark = button(value_label(value), role="choice", icon=VALUE_ICONS[value], name=f"day_{value.value}")
            mark.setCheckable(True)
            mark.setChecked(value is chosen and (self._may_write or self._entry is not None))
            mark.setEnabled(self._may_write)
            mark.setToolTip(plain_tip(tips.get(value, "")))
            mark.setAccessibleDescription(tips.get(value, ""))
            self._group.addButton(mark)
            self.values[value] = mark
            line.addWidget(mark, 1)
        if not self._habit.minimum_dose and chosen is not EntryValue.MINIMUM:
            self.values[EntryValue.MINIMUM].setEnabled(False)
            self.values[EntryValue.MINIMUM].setToolTip(_("최소 용량을 먼저 정해 주세요."))
        return holder

    def _add_hint(self, layout: QVBoxLayout) -> None:
        """Say why this day cannot be written, or what writing it will do besides."""
        start = self._habit.start
        if not is_editable(self._record):
            words = _("보관한 습관이라 기록을 읽기만 할 수 있어요.")
        elif not self._may_write:
            words = _("쉬어 가던 날이라 새로 적지 않아도 괜찮아요.")
        elif self._entry is None and self._day < start:
            words = _("시작한 날({start})보다 앞선 날이에요. 저장하면 이 날부터 시작한 것이 돼요.").format(
                start=plain_day(start)
            )
        else:
            return
        hint = frame("hint", "dayHint")
        line = row(hint, margins=(12, 7, 12, 7), gap=8)
        line.addWidget(icon_label("info", "on_gold_soft", 18), 0, Qt.AlignmentFlag.AlignTop)
        text = label(words)
        text.setObjectName("dayHintText")
        line.addWidget(text, 1)
        layout.addWidget(hint)

    def _add_note(self, layout: QVBoxLayout) -> None:
        head = row(gap=8)
        title = label(_("메모"), "muted", wrap=False)
        title.setBuddy(self.note)
        self._count.setObjectName("dayNoteCount")
        head.addWidget(title)
        head.addStretch(1)
        head.addWidget(self._count)
        layout.addLayout(head)
        self.note.setObjectName("dayNote")
        self.note.setAccessibleName(_("메모"))
        self.note.setPlaceholderText(_("한 줄 남겨 두면 나중에 힘이 돼요."))
        self.note.setPlainText(self._entry.note if self._entry is not None else "")
        self.note.setReadOnly(not self._may_write)
        self.note.setTabChangesFocus(True)
        self.note.setFixedHeight(self.note.fontMetrics().lineSpacing() * _NOTE_LINES + theme().px(24))
        self.note.textChanged.connect(self._show_count)
        layout.addWidget(self.note)

    def _build_buttons(self) -> QHBoxLayout:
        line = row(gap=8)
        self.clear_button = button(_("기록 지우기"), self._clear, role="flat", icon="undo", name="dayClear")
        self.clear_button.setVisible(self._may_clear)
        self.close_button = button(_("취소") if self._may_write else _("닫기"), self.reject, name="dayCancel")
        self.save_button = button(_("저장"), self._save, role="primary", name="daySave")
        self.save_button.setVisible(self._may_write)
        self.save_button.setDefault(True)
        line.addWidget(self.clear_button)
        line.addStretch(1)
        line.addWidget(self.close_button)
        line.addWidget(self.save_button)
        keys = QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Return)
        QShortcut(keys, self, self.save_button.click)  # also from within the note
        return line

    # ---- what the user does -----------------------------------------------------------------------------------

    def _show_count(self) -> None:
        length = len(clean_lines(self.note.toPlainText()))
        too_long = length > NOTE_MAX
        self._count.setText(f"{length}/{NOTE_MAX}")
        set_role(self._count, "error" if too_long else "small")
        self._count.setAccessibleName(_("메모 {n}자, {most}자까지").format(n=length, most=NOTE_MAX))
        self.save_button.setEnabled(not too_long)
        if too_long:
            self._tell(_("메모는 {most}자까지 적을 수 있어요.").format(most=NOTE_MAX))
        else:
            self._problem.hide()

    def _save(self) -> None:
        checked = self._group.checkedButton()
        value = next(value for value, mark in self.values.items() if mark is checked)
        self._write(value, self.note.toPlainText())

    def _clear(self) -> None:
        self._write(None, None)

    def _write(self, value: EntryValue | None, note: str | None) -> None:
        outcome, edit = change_day(self.bus, self._store, self._habit.id, self._day, value, note, shown=self._entry)
        if outcome.error is not None:
            self.bus.publish_notice(Trouble(outcome.error))
        if not outcome.is_ok:
            self._look_again()
            self._tell(outcome.problem)
            return
        if edit is not None:
            self.changed.emit(edit)
        self.accept()

    @guarded
    def _look_again(self) -> None:
        """Show what the day holds by now; what was typed and chosen stays."""
        entry = self._store.entries.get(self._habit.id, self._day)
        if entry == self._entry:
            return
        self._entry = entry
        words = [value_label(entry.value), entry.note] if entry is not None else [_("기록 없음")]
        self._state.setText(" · ".join(each for each in words if each))
        self.clear_button.setVisible(entry is not None)

    def _tell(self, problem: str) -> None:
        self._problem.setText(problem)
        self._problem.setAccessibleName(problem)
        self._problem.show()
