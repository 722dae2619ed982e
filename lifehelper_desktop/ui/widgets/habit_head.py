"""The top of the detail page: what the habit is, where its phase stands, and today's marks."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.habits import MARKS, EntryValue, HabitStatus
from lifehelper_desktop.domain.labels import schedule_words, value_label
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.card_words import anchor_words, done_words, dose_words, gap_words, mark_tips, phase_words
from lifehelper_desktop.ui.habit_words import source_name
from lifehelper_desktop.ui.text import TODAY_WORDS, VALUE_ICONS, plain_day, tier_word
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import (
    button,
    column,
    frame,
    icon_label,
    label,
    plain_tip,
    row,
)
from lifehelper_desktop.ui.widgets.flow import FlowBox, TurningBox
from lifehelper_desktop.ui.widgets.phase_ring import PhaseRing, next_tier_words

# Pixels at 100 % text from where on something stands beside what it is else below of.
_BESIDE_FROM, _HINT_BESIDE_FROM, _MARKS_BESIDE_FROM = 580, 380, 290


class HabitHead(QFrame):
    """`mark_asked` carries the value for today, or None to take today's entry back; `resume_asked` ends a pause."""

    mark_asked = Signal(object)
    resume_asked = Signal()

    def __init__(self) -> None:
        """Start empty; `show_record` fills it."""
        super().__init__()
        self.setObjectName("habitHead")
        self.setProperty("role", "card")
        outer = column(self, margins=(20, 18, 20, 18))
        sides = TurningBox(_BESIDE_FROM, gap=18)
        outer.addWidget(sides)
        words = column(gap=8)
        sides.box.addLayout(words, 1)
        self._add_title(words)
        self._add_plan(words)
        self._add_origin(words)
        words.addStretch(1)
        self._add_hint(words)
        self.marks: dict[EntryValue, QPushButton] = {}
        words.addWidget(self._build_marks())
        words.addWidget(self._build_marked())
        self._resting = self._build_state()
        words.addWidget(self._resting)
        sides.box.addWidget(self._build_phase())

    # ---- building ---------------------------------------------------------------------------------------------

    def _add_title(self, words: QVBoxLayout) -> None:
        line = FlowBox(gap=8)
        self._title = label("", "display")
        self._title.setObjectName("detailTitle")
        self._tier = label("", "badgeAccent", wrap=False)
        self._tier.setObjectName("detailTier")
        self._archived = label(_("보관함"), "badge", wrap=False)
        self._archived.setObjectName("detailArchived")
        self._phase = label("", "badgeGold", wrap=False)
        self._phase.setObjectName("detailPhase")
        line.add(self._tier, self._phase, self._archived)
        words.addWidget(self._title)
        words.addWidget(line)
        words.addSpacing(2)
        self._frame_text = label("", "lead")
        self._frame_text.setObjectName("detailFrame")
        words.addWidget(self._frame_text)

    def _add_plan(self, words: QVBoxLayout) -> None:
        self._anchor = self._plan_line(words, "clock", "detailAnchor")
        self._dose = self._plan_line(words, "dose", "detailDose")
        self._schedule = self._plan_line(words, "today", "detailSchedule")

    def _plan_line(self, words: QVBoxLayout, icon: str, name: str) -> QLabel:
        line = row(gap=7)
        line.addWidget(icon_label(icon, "muted", 16), 0, Qt.AlignmentFlag.AlignTop)
        result = label("", "muted")
        result.setObjectName(name)
        line.addWidget(result, 1)
        words.addLayout(line)
        return result

    def _add_origin(self, words: QVBoxLayout) -> None:
        self._origin = frame("sunken", "detailOrigin")
        layout = column(self._origin, margins=(12, 8, 12, 8), gap=3)
        self._source = label("", "small")
        self._source.setObjectName("detailSource")
        self._description = label("", "muted", selectable=True)
        self._description.setObjectName("detailDescription")
        layout.addWidget(self._source)
        layout.addWidget(self._description)
        words.addWidget(self._origin)

    def _add_hint(self, words: QVBoxLayout) -> None:
        self._hint = frame("hint", "gapHint")
        layout = row(self._hint, margins=(12, 7, 8, 7), gap=8)
        layout.addWidget(icon_label("sprout", "on_gold_soft", 18))
        self._hint_text = label()
        self._hint_text.setObjectName("gapHintText")
        sides = TurningBox(_HINT_BESIDE_FROM)
        layout.addWidget(sides, 1)
        sides.box.addWidget(self._hint_text, 1)
        self._restart = button("", partial(self.mark_asked.emit, EntryValue.MINIMUM), role="flat", name="gapMinimum")
        sides.box.addWidget(self._restart)
        words.addWidget(self._hint)

    def _build_marks(self) -> QWidget:
        self._marks = TurningBox(_MARKS_BESIDE_FROM)
        for value in MARKS:
            mark = button(
                value_label(value),
                partial(self.mark_asked.emit, value),
                role="mark",
                icon=VALUE_ICONS[value],
                name=f"detailMark_{value.value}",
            )
            self.marks[value] = mark
            self._marks.box.addWidget(mark, 1)
        return self._marks

    def _build_marked(self) -> QFrame:
        self._marked = frame("sunken", "detailMarked")
        layout = row(self._marked, margins=(14, 6, 8, 6), gap=10)
        self._marked_icon = icon_label("check", "accent", 20)
        self._marked_text = label("", "body")
        self._marked_text.setObjectName("detailMarkedText")
        self.undo_button = button(
            _("되돌리기"), partial(self.mark_asked.emit, None), role="flat", icon="undo", name="detailUndo"
        )
        layout.addWidget(self._marked_icon)
        layout.addWidget(self._marked_text, 1)
        layout.addWidget(self.undo_button)
        return self._marked

    def _build_state(self) -> QFrame:
        state = frame("sunken", "detailResting")
        layout = row(state, margins=(14, 6, 8, 6), gap=10)
        self._state_icon = icon_label("pause", "muted", 18)
        layout.addWidget(self._state_icon)
        self._state_text = label("", "muted")
        self._state_text.setObjectName("detailState")
        layout.addWidget(self._state_text, 1)
        self._resume = button(_("다시 시작"), self.resume_asked.emit, role="flat", icon="play", name="detailResume")
        layout.addWidget(self._resume)
        return state

    def _build_phase(self) -> QWidget:
        holder = QWidget()
        layout = column(holder, gap=2)
        self.ring = PhaseRing()
        self._done = label("", "small", wrap=False)
        self._done.setObjectName("detailDone")
        self._next = label("", "small", wrap=False)
        self._next.setObjectName("detailNextTier")
        centre = Qt.AlignmentFlag.AlignHCenter
        layout.addWidget(self.ring, 0, centre)
        for each in (self._done, self._next):
            layout.addWidget(each, 0, centre)
        layout.addStretch(1)
        return holder

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_record(self, record: HabitRecord, week_start: int) -> None:
        """Show the habit of `record`; `week_start` is an ISO weekday. Focus in the row of today stays there."""
        focused = self.window().focusWidget()
        habit, overview = record.overview.habit, record.overview
        title = habit.title(current_language())
        self._title.setText(title)
        self._tier.setText(tier_word(overview.streaks.tier))
        self._archived.setVisible(habit.status is HabitStatus.ARCHIVED)
        self._frame_text.setText(habit.framed_text)
        self._frame_text.setVisible(bool(habit.framed_text))
        self._anchor.setText(anchor_words(habit))
        self._dose.setText(dose_words(habit))
        started = _("{day}부터").format(day=plain_day(habit.start))
        self._schedule.setText(f"{schedule_words(habit.schedule, week_start)} · {started}")
        self._show_origin(record)
        self._show_phase(record)
        self._show_hint(record)
        self._show_today(record, title)
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisibleTo(self):
            # The button that was pressed is hidden now: its counterpart takes the focus.
            (self.marks[EntryValue.DONE] if overview.today_entry is None else self.undo_button).setFocus()

    def _show_origin(self, record: HabitRecord) -> None:
        habit = record.overview.habit
        name = source_name(habit)
        self._origin.setVisible(bool(name or habit.description))
        self._source.setText(_("{name}에서 가져왔어요").format(name=name) if name else "")
        self._source.setVisible(bool(name))
        self._description.setText(habit.description)
        self._description.setVisible(bool(habit.description))

    def _show_phase(self, record: HabitRecord) -> None:
        overview = record.overview
        self.ring.show_phase(overview)
        self._phase.setText(phase_words(overview.phase_day))
        self._done.setText(done_words(overview.streaks.done_count_phase42))
        self._next.setText(next_tier_words(overview.tier_count, overview.habit.schedule))
        self._next.setVisible(bool(self._next.text()))

    def _show_hint(self, record: HabitRecord) -> None:
        overview, habit = record.overview, record.overview.habit
        words = gap_words(overview)
        self._hint.setVisible(bool(words))
        if not words:
            return
        self._hint_text.setText(words)
        self._restart.setVisible(bool(habit.minimum_dose))
        self._restart.setText(_("최소로 기록") if overview.open_gap == 1 else _("최소로 다시 시작"))
        self._restart.setToolTip(plain_tip(habit.minimum_dose or ""))

    def _show_today(self, record: HabitRecord, title: str) -> None:
        habit, entry = record.overview.habit, record.overview.today_entry
        active = habit.status is HabitStatus.ACTIVE
        self._marks.setVisible(active and entry is None)
        self._marked.setVisible(active and entry is not None)
        self._resting.setVisible(not active)
        self._resume.setVisible(habit.status is HabitStatus.PAUSED)
        archived = habit.status is HabitStatus.ARCHIVED
        ratio = self.devicePixelRatioF()
        picture = icons.pixmap("archive" if archived else "pause", theme().tokens["muted"], 18, ratio)
        self._state_icon.setPixmap(picture)
        if archived:
            words = _("{day}에 보관했어요. 기록은 그대로 있고, 여기서는 읽기만 해요.")
            self._state_text.setText(words.format(day=plain_day(record.last)))
        else:
            self._state_text.setText(_("쉬는 중이에요. 이어 온 날은 그대로 있어요."))
        tips = mark_tips(habit)
        for value, mark in self.marks.items():
            mark.setToolTip(plain_tip(tips[value]))
            mark.setAccessibleName(f"{title} · {value_label(value)}")
        self.marks[EntryValue.MINIMUM].setEnabled(bool(habit.minimum_dose))
        self.undo_button.setAccessibleName(f"{title} · {_('되돌리기')}")
        if entry is not None:
            picture = icons.pixmap(VALUE_ICONS[entry.value], theme().tokens["accent"], 20, ratio)
            self._marked_icon.setPixmap(picture)
            note = " ".join(entry.note.split())
            self._marked_text.setText(_(TODAY_WORDS[entry.value]) + (f" · {note}" if note else ""))
