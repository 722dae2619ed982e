"""The form of a habit: adding one from the catalogue, and changing one that runs."""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QDialog, QFrame, QLineEdit, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import DAILY, Habit, NewHabit, Protocol
from lifehelper_desktop.domain.rules import ANCHOR_MAX, TITLE_MAX
from lifehelper_desktop.domain.text import has_visible_text
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, FrameProposal, Notice
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.moments import day_text
from lifehelper_desktop.ui.screens.catalogue import safety_box
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.trouble import told
from lifehelper_desktop.ui.widgets.basics import button, column, frame, label, scroll_page, text_field
from lifehelper_desktop.ui.widgets.dose_editor import DoseEditor
from lifehelper_desktop.ui.widgets.frame_editor import FrameEditor
from lifehelper_desktop.ui.widgets.narrow import BesideOrBelow
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.schedule_editor import ScheduleEditor
from lifehelper_desktop.ui.writes import attempt


class HabitDialog(QDialog):
    """Window-modal, opened with `open()`. With `habit` it changes that habit, otherwise it adds `entry`.

    It closes only when the write went through; a refusal is shown inside and nothing that was typed is lost.
    """

    def __init__(
        self,
        parent: QWidget | None,
        store: Store,
        bus: Bus,
        thread: LlmThread,
        *,
        entry: Protocol | None,
        habit: Habit | None = None,
        ai_enabled: bool = True,
    ) -> None:
        """Fill the form from the habit, or from the catalogue entry; `ai_enabled` offers the coach's proposals."""
        super().__init__(parent)
        self.setObjectName("habitDialog")
        self._store, self._bus, self._thread = store, bus, thread
        self.entry, self.habit = entry, habit
        self._request = 0
        language = current_language()
        self.setWindowTitle(_("습관 고치기") if habit is not None else _("습관 추가"))
        self._build(language, ai_enabled=ai_enabled)
        bus.on_notice(self._on_notice)
        self._check()
        self.resize(self.sizeHint())
        self.frame_editor.edit.setFocus()

    def sizeHint(self) -> QSize:
        """Room for most of the form; it scrolls where there is less."""
        room = self.screen().availableSize() * 0.92
        return QSize(theme().px(580), theme().px(760)).boundedTo(room)

    # ---- building ---------------------------------------------------------------------------------------------

    def _build(self, language: str, *, ai_enabled: bool) -> None:
        outer = column(self, gap=0)
        scroll, body = scroll_page()
        layout = column(body, margins=(24, 20, 24, 16), gap=14)
        self._build_title(layout, language)
        self.frame_editor = FrameEditor(
            self.entry,
            language,
            level=self.habit.frame_level if self.habit else 2,
            text=self.habit.framed_text if self.habit else "",
            ai_enabled=self.entry is not None and ai_enabled,
        )
        self.frame_editor.suggestion_asked.connect(self._suggest)
        self.frame_editor.changed.connect(self._check)
        layout.addWidget(self._card(self.frame_editor))
        layout.addWidget(self._build_anchors(language))
        self.schedule_editor = self._make_schedule_editor()
        layout.addWidget(self._card(self.schedule_editor))
        self.dose_editor = self._make_dose_editor(language)
        self.standard, self.minimum = self.dose_editor.standard, self.dose_editor.minimum
        layout.addWidget(self._card(self.dose_editor))
        self._build_safety(layout, language)
        layout.addStretch(1)
        outer.addWidget(scroll, 1)
        outer.addWidget(frame("line"))
        outer.addWidget(self._build_footer())

    def _build_title(self, layout: QVBoxLayout, language: str) -> None:
        """The catalogue names its habits; one that another tracker brought has a name of its own."""
        self.title: QLineEdit | None = None
        if self.habit is None:
            layout.addWidget(label(self._entry_text("title", language), "title"))
            layout.addWidget(label(self._entry_text("summary", language), "muted"))
        elif self.habit.catalogue_id:
            layout.addWidget(label(self.habit.title(language), "title"))
        else:
            box = column(gap=6)
            self.title = self._field(box, _("이름"), self.habit.title(language), TITLE_MAX, "habitTitleEdit")
            layout.addLayout(box)

    def _entry_text(self, field: str, language: str) -> str:
        return self.entry.text(field, language) if self.entry is not None else ""

    def _card(self, inner: QWidget) -> QFrame:
        card = frame("card")
        column(card, margins=(16, 14, 16, 14)).addWidget(inner)
        return card

    def _field(self, layout: QVBoxLayout, title: str, text: str, limit: int, name: str) -> QLineEdit:
        edit = text_field(layout, title, text, limit, name)
        edit.textChanged.connect(lambda _text: self._check())
        return edit

    def _build_anchors(self, language: str) -> QFrame:
        box = QWidget()
        layout = column(box, gap=6)
        layout.addWidget(label(_("언제 할까요?"), "section"))
        layout.addWidget(label(_("시각이나 이미 하는 일 가운데 하나면 돼요."), "muted"))
        when = self.habit.anchor_when if self.habit else self._entry_text("anchor_when", language)
        after = self.habit.anchor_after_what if self.habit else self._entry_text("anchor_after_what", language)
        self.when = self._field(layout, _("언제"), when or "", ANCHOR_MAX, "anchorWhen")
        self.after = self._field(layout, _("무엇을 한 뒤"), after or "", ANCHOR_MAX, "anchorAfter")
        return self._card(box)

    def _make_schedule_editor(self) -> ScheduleEditor:
        week_start = 1
        with told(self._bus):
            week_start = self._store.week_start()
        schedule = self.habit.schedule if self.habit is not None else DAILY
        editor = ScheduleEditor(schedule, week_start=week_start, is_change=self.habit is not None)
        editor.changed.connect(self._check)
        return editor

    def _make_dose_editor(self, language: str) -> DoseEditor:
        habit = self.habit
        standard = habit.standard_dose if habit else self._entry_text("standard_dose", language)
        minimum = habit.minimum_dose if habit else self._entry_text("minimum_dose", language)
        editor = DoseEditor(standard, minimum or "", self._raise_from if habit is not None else None)
        editor.changed.connect(self._check)
        return editor

    def _raise_from(self, standard: str) -> str:
        """Name the day from which the standard dose may be raised to `standard`; empty when it may now (R6)."""
        assert self.habit is not None
        today, day = date.min, None  # also when the disk has trouble, which is told: saving judges again
        with told(self._bus):
            today, day = self._store.today(), self._store.habits.dose_raise_from(self.habit.id, standard)
        return day_text(day, today) if day is not None else ""

    def _build_safety(self, layout: QVBoxLayout, language: str) -> None:
        safety = self._entry_text("safety", language)
        self.acknowledged = QCheckBox(_("읽었고, 나에게 맞는지 확인했어요."))
        self.acknowledged.setObjectName("acknowledge")
        self.acknowledged.toggled.connect(lambda _checked: self._check())
        needed = self.entry is not None and self.entry.requires_ack and self.habit is None
        self.acknowledged.setVisible(needed)
        self._needs_ack = needed
        if safety:
            layout.addWidget(safety_box(safety))
        layout.addWidget(self.acknowledged)
        layout.addWidget(label(_("일반적인 건강 습관이며 의학적 조언이 아니에요."), "small"))

    def _build_footer(self) -> QWidget:
        footer = QWidget()
        footer.setObjectName("dialogFooter")
        layout = column(footer, margins=(24, 12, 24, 14), gap=8)
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self._problem = label("", "muted")
        self._problem.setObjectName("formProblem")
        words = _("저장") if self.habit is not None else _("추가")
        self.save_button = button(words, self._save, role="primary", name="formSave")
        self.save_button.setDefault(True)
        line = BesideOrBelow(room=180)
        line.add(self._problem, button(_("취소"), self.reject, name="formCancel"), self.save_button)
        layout.addWidget(line)
        return footer

    # ---- checking and saving ----------------------------------------------------------------------------------

    @property
    def problem(self) -> str:
        """The first thing that is still missing, in words; empty when the form can be saved."""
        if self.title is not None and not has_visible_text(self.title.text()):
            return _("습관의 이름을 적어 주세요.")
        if self.frame_editor.problem:
            return self.frame_editor.problem
        if not has_visible_text(self.when.text()) and not has_visible_text(self.after.text()):
            return _("언제, 또는 무엇을 한 뒤에 할지 하나는 정해 주세요.")
        for editor in (self.schedule_editor, self.dose_editor):
            if editor.problem:
                return editor.problem
        if self._needs_ack and not self.acknowledged.isChecked():
            return _("안전 안내를 읽고 확인해 주세요.")
        return ""

    def _check(self) -> None:
        if not hasattr(self, "save_button"):
            return  # still being built
        problem = self.problem
        self._problem.setText(problem)
        self._problem.setAccessibleName(problem)
        self.save_button.setEnabled(not problem)

    def _save(self) -> None:
        outcome = attempt(self._bus, self._change if self.habit is not None else self._add)
        if outcome.is_ok:
            self.accept()
            return
        self.notice.show_notice(outcome.problem, error=True)
        if self.habit is not None:  # the card behind the form may show what is no longer true
            self._bus.publish_data(Changes(habits=frozenset({self.habit.id})))

    def _add(self) -> Changes:
        assert self.entry is not None
        new = NewHabit(
            protocol_id=self.entry.id,
            frame_level=self.frame_editor.level,
            framed_text=self.frame_editor.text,
            anchor_when=one_line(self.when.text()) or None,
            anchor_after_what=one_line(self.after.text()) or None,
            standard_dose=self.dose_editor.doses[0],
            minimum_dose=self.dose_editor.doses[1],
            schedule=self.schedule_editor.schedule,
            is_complete=True,
        )
        return self._store.habits.add(new)[1]

    def _change(self) -> Changes:
        habit, editor = self.habit, self.frame_editor
        assert habit is not None
        frame = (editor.level, editor.text)
        anchors = (one_line(self.when.text()) or None, one_line(self.after.text()) or None)
        doses, schedule = self.dose_editor.doses, self.schedule_editor.schedule
        title = one_line(self.title.text()) if self.title is not None else ""
        same_anchors = anchors == (habit.anchor_when, habit.anchor_after_what) and habit.anchor_source == "user"
        # Parts that the user left alone are not sent: they were taken once and are not judged again.
        return self._store.habits.update(
            habit.id,
            title=None if title in ("", habit.title(current_language())) else title,
            frame=None if frame == (habit.frame_level, habit.framed_text) else frame,
            anchors=None if same_anchors else anchors,
            doses=None if doses == (habit.standard_dose, habit.minimum_dose) else doses,
            schedule=None if schedule == habit.schedule else schedule,
        )

    # ---- the coach's proposal ---------------------------------------------------------------------------------

    def _suggest(self, level: int) -> None:
        if self.entry is not None:
            self._request = self._thread.suggest_frame(self.entry.id, level, current_language())

    def _on_notice(self, notice: Notice) -> None:
        if isinstance(notice, FrameProposal) and notice.request_id == self._request:
            self.frame_editor.show_answer(notice)
