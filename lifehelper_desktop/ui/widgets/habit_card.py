"""One habit on the home screen: its sentence, its anchor, the week, the numbers, and today's three marks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QMenu, QProgressBar, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import N_, _, current_language, ngettext
from lifehelper_desktop.domain.habits import MARKS, EntryValue, Habit, HabitStatus, HabitType, ScheduleKind
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.domain.rules import PHASE_DAYS
from lifehelper_desktop.storage.store import HabitOverview
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import VALUE_ICONS, tier_word
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import (
    button,
    column,
    frame,
    icon_label,
    label,
    plain_tip,
    row,
    set_role,
    tool_button,
)
from lifehelper_desktop.ui.widgets.week_strip import WeekStrip

_TODAY_WORDS = {
    EntryValue.DONE: N_("오늘 완료로 기록했어요"),
    EntryValue.MINIMUM: N_("오늘 최소로 기록했어요. 오늘도 하루예요"),
    EntryValue.BLANK: N_("오늘은 쉬기로 했어요"),
    EntryValue.NOT_DONE: N_("오늘은 ‘안 함’으로 들어와 있어요"),
}


class HabitCard(QFrame):
    """Shows one HabitOverview and asks its screen for every change; updates in place so that focus stays.

    `mark_asked` carries the value for today or None to take it back; `day_asked` (day, value or None);
    `action_asked` one of `pause`, `resume`, `archive`, `edit`, `confirm_anchor`.
    """

    mark_asked = Signal(object)
    day_asked = Signal(object, object)
    action_asked = Signal(str)

    def __init__(self, overview: HabitOverview, entries: Mapping[date, EntryValue], today: date) -> None:
        """Show `overview`; `entries` are the habit's entries by day."""
        super().__init__()
        self.setObjectName("habitCard")
        self.setProperty("role", "card")
        self.overview = overview
        layout = column(self, margins=(18, 14, 14, 16), gap=10)
        layout.addLayout(self._build_head())
        layout.addWidget(self._build_anchor_hint())
        layout.addLayout(self._build_numbers())
        layout.addWidget(self._build_hint())
        layout.addWidget(self._build_marks())
        layout.addWidget(self._build_marked())
        layout.addWidget(self._build_paused())
        self.show_overview(overview, entries, today)

    @property
    def habit(self) -> Habit:
        """The habit shown."""
        return self.overview.habit

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_head(self) -> QGridLayout:
        head = QGridLayout()
        head.setHorizontalSpacing(12)
        head.setVerticalSpacing(2)
        head.setColumnStretch(1, 1)
        self._tier_icon = icon_label("seed", "accent", 30)
        words = column(gap=3)
        self._title = label("", "heading")
        self._title.setObjectName("habitTitle")
        self._frame_text = label("", "body")
        self._frame_text.setObjectName("habitFrame")
        words.addWidget(self._frame_text)
        words.addSpacing(2)
        self._anchor = self._plan_line(words, "clock", "habitAnchor")
        self._dose = self._plan_line(words, "dose", "habitDose")
        self._tier = label("", "badgeAccent", wrap=False)
        self._tier.setObjectName("habitTier")
        self._menu_button = tool_button("more", _("습관 메뉴"), self._open_menu, name="habitMenu")
        top = Qt.AlignmentFlag.AlignTop
        head.addWidget(self._tier_icon, 0, 0, 2, 1, top)
        head.addWidget(self._title, 0, 1, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._tier, 0, 2, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self._menu_button, 0, 3)
        head.addLayout(words, 1, 1, 1, 3)
        return head

    def _plan_line(self, words: QVBoxLayout, icon: str, name: str) -> QLabel:
        line = row(gap=6)
        line.addWidget(icon_label(icon, "muted", 15), 0, Qt.AlignmentFlag.AlignTop)
        result = label("", "muted")
        result.setObjectName(name)
        line.addWidget(result, 1)
        words.addLayout(line)
        return result

    def _build_anchor_hint(self) -> QFrame:
        self._anchor_hint = frame("hint", "anchorHint")
        layout = row(self._anchor_hint, margins=(12, 6, 8, 6), gap=8)
        layout.addWidget(icon_label("anchor", "on_gold_soft", 18))
        layout.addWidget(label(_("이 시점은 제안이에요. 나에게 맞나요?")), 1)
        layout.addWidget(
            button(_("맞아요"), lambda: self.action_asked.emit("confirm_anchor"), role="flat", name="confirmAnchor")
        )
        layout.addWidget(button(_("바꾸기"), lambda: self.action_asked.emit("edit"), role="flat", name="editAnchor"))
        return self._anchor_hint

    def _build_numbers(self) -> QHBoxLayout:
        numbers = row(gap=14)
        self.week = WeekStrip()
        self.week.change_asked.connect(self.day_asked)
        numbers.addWidget(self.week, 0, Qt.AlignmentFlag.AlignBottom)
        numbers.addStretch(1)
        right = column(gap=5)
        badges = row(gap=6)
        badges.addStretch(1)
        self._streak_icon = icon_label("flame", "on_gold_soft", 16)
        self._streak = label("", "section", wrap=False)
        self._streak.setObjectName("habitStreak")
        badges.addWidget(self._streak_icon)
        badges.addWidget(self._streak)
        self._phase = label("", "small", wrap=False)
        self._phase.setObjectName("habitPhase")
        self._phase.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._phase_bar = QProgressBar()
        self._phase_bar.setTextVisible(False)
        self._phase_bar.setRange(0, PHASE_DAYS)
        self._phase_bar.setFixedWidth(140)
        right.addLayout(badges)
        right.addWidget(self._phase_bar, 0, Qt.AlignmentFlag.AlignRight)
        right.addWidget(self._phase)
        numbers.addLayout(right)
        return numbers

    def _build_hint(self) -> QFrame:
        self._hint = frame("hint", "missHint")
        layout = row(self._hint, margins=(12, 7, 8, 7), gap=8)
        layout.addWidget(icon_label("sprout", "on_gold_soft", 18))
        self._hint_text = label()
        self._hint_text.setObjectName("missHintText")
        layout.addWidget(self._hint_text, 1)
        self._restart = button(
            _("최소로 다시 시작"), lambda: self.mark_asked.emit(EntryValue.MINIMUM), role="flat", name="restartMinimum"
        )
        layout.addWidget(self._restart)
        return self._hint

    def _build_marks(self) -> QWidget:
        self._marks = QWidget()
        layout = row(self._marks, gap=8)
        self._mark_buttons = {}
        for value in MARKS:
            mark = button(
                value_label(value),
                partial(self.mark_asked.emit, value),
                role="mark",
                icon=VALUE_ICONS[value],
                name=f"mark_{value.value}",
            )
            self._mark_buttons[value] = mark
            layout.addWidget(mark, 1)
        return self._marks

    def _build_marked(self) -> QFrame:
        self._marked = frame("sunken", "markedRow")
        layout = row(self._marked, margins=(14, 6, 8, 6), gap=10)
        self._marked_icon = icon_label("check", "accent", 20)
        self._marked_text = label("", "section")
        self._marked_text.setObjectName("markedText")
        layout.addWidget(self._marked_icon)
        layout.addWidget(self._marked_text, 1)
        self.undo_button = button(
            _("되돌리기"), lambda: self.mark_asked.emit(None), role="flat", icon="undo", name="undoToday"
        )
        layout.addWidget(self.undo_button)
        return self._marked

    def _build_paused(self) -> QFrame:
        self._paused = frame("sunken", "pausedRow")
        layout = row(self._paused, margins=(14, 6, 8, 6), gap=10)
        layout.addWidget(icon_label("pause", "muted", 18))
        layout.addWidget(label(_("쉬는 중이에요. 이어 온 날은 그대로 있어요."), "muted"), 1)
        layout.addWidget(
            button(
                _("다시 시작"), lambda: self.action_asked.emit("resume"), role="flat", icon="play", name="resumeHabit"
            )
        )
        return self._paused

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_overview(self, overview: HabitOverview, entries: Mapping[date, EntryValue], today: date) -> None:
        """Show newer numbers of the same habit."""
        focused = self.window().focusWidget()
        self.overview = overview
        habit, active = overview.habit, overview.habit.status is HabitStatus.ACTIVE
        tokens = theme().tokens
        self._tier_icon.setPixmap(icons.pixmap(overview.streaks.tier, tokens["accent"], 30, self.devicePixelRatioF()))
        title = habit.title(current_language())
        self._title.setText(title)
        self._frame_text.setText(habit.framed_text)
        self._show_plan()
        self._anchor_hint.setVisible(active and habit.anchor_source == "suggested")
        self.week.show_days(today, entries, habit.start, has_minimum=bool(habit.minimum_dose), enabled=active)
        self._show_numbers()
        self._show_hint(active)
        entry = overview.today_entry
        self._marks.setVisible(active and entry is None)
        self._marked.setVisible(active and entry is not None)
        self._paused.setVisible(not active)
        self._show_mark_buttons(title)
        if entry is not None:
            colour = tokens["accent"]
            self._marked_icon.setPixmap(icons.pixmap(VALUE_ICONS[entry.value], colour, 20, self.devicePixelRatioF()))
            self._marked_text.setText(_(_TODAY_WORDS[entry.value]))
        self._name_for_readers(title)
        if focused is not None and self.isAncestorOf(focused) and not focused.isVisibleTo(self):
            # The button that was pressed is hidden now: its counterpart takes the focus.
            (self._mark_buttons[EntryValue.DONE] if entry is None else self.undo_button).setFocus()

    def menu(self) -> QMenu:
        """Build the habit's menu."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        paused = self.habit.status is HabitStatus.PAUSED
        rows = (
            ("edit", "edit", _("고치기…")),
            ("resume", "play", _("다시 시작")) if paused else ("pause", "pause", _("쉬어 가기")),
            ("archive", "archive", _("보관하기…")),
        )
        for name, icon, words in rows:
            action = menu.addAction(icons.icon(icon, theme().tokens["text"], 18), words)
            action.setObjectName(f"habit_{name}")
            action.triggered.connect(lambda _checked=False, chosen=name: self.action_asked.emit(chosen))
        return menu

    def _open_menu(self) -> None:
        at = self._menu_button
        self.menu().popup(at.mapToGlobal(at.rect().bottomLeft()))

    def _show_plan(self) -> None:
        habit = self.habit
        anchors = [part for part in (habit.anchor_when, habit.anchor_after_what) if part]
        self._anchor.setText(" · ".join(anchors) or _("정한 때가 아직 없어요"))
        words = _("{standard} · 최소 {minimum}") if habit.minimum_dose else "{standard}"
        self._dose.setText(words.format(standard=habit.standard_dose, minimum=habit.minimum_dose))

    def _show_numbers(self) -> None:
        habit, streaks = self.habit, self.overview.streaks
        n = streaks.current_streak
        if habit.schedule.kind is ScheduleKind.PER_WEEK:
            words = ngettext("연속 {n}주", "연속 {n}주", n)
        elif habit.habit_type is HabitType.BREAK:
            words = ngettext("계획을 지킨 날 {n}일", "계획을 지킨 날 {n}일", n)
        else:
            words = ngettext("연속 {n}일", "연속 {n}일", n)
        self._streak.setText(words.format(n=n))
        self._streak_icon.setVisible(n > 0)
        set_role(self._streak, "section" if n > 0 else "muted")
        best = ngettext("가장 길게 {n}", "가장 길게 {n}", streaks.longest_streak).format(n=streaks.longest_streak)
        self._streak.setToolTip(best)
        self._tier.setText(tier_word(streaks.tier))
        self._tier.setToolTip(
            ngettext(
                "최근 42일 가운데 {n}일 했어요", "최근 42일 가운데 {n}일 했어요", streaks.done_count_phase42
            ).format(n=streaks.done_count_phase42)
        )
        day = self.overview.phase_day
        forming = day <= PHASE_DAYS
        words = _("형성기 {n}/42일") if forming else _("유지기 {n}일째")
        self._phase.setText(words.format(n=day))
        self._phase_bar.setValue(min(day, PHASE_DAYS))
        self._phase_bar.setAccessibleName(self._phase.text())

    def _show_hint(self, active: bool) -> None:
        gap = self.overview.open_gap
        shown = active and gap >= 1 and self.overview.today_entry is None and self.overview.is_due
        self._hint.setVisible(shown)
        if not shown:
            return
        again = gap >= 2 and bool(self.habit.minimum_dose)
        if again:
            words = _("다시 시작하기 좋은 날이에요. 최소 용량 하나로 이어 볼까요?")
        elif self.habit.minimum_dose:
            words = _("오늘은 최소 용량이면 충분해요.")
        else:
            words = _("오늘 한 번이면 다시 이어 갈 수 있어요.")
        self._hint_text.setText(words)
        self._restart.setVisible(again)

    def _show_mark_buttons(self, title: str) -> None:
        habit = self.habit
        tips = {
            EntryValue.DONE: habit.standard_dose,
            EntryValue.MINIMUM: habit.minimum_dose or _("최소 용량을 먼저 정해 주세요."),
            EntryValue.BLANK: _("오늘은 일부러 쉬어요. 이어 온 날은 그대로예요."),
        }
        for value, mark in self._mark_buttons.items():
            mark.setToolTip(plain_tip(tips[value]))
            mark.setAccessibleName(f"{title} · {value_label(value)}")
        self._mark_buttons[EntryValue.MINIMUM].setEnabled(bool(habit.minimum_dose))
        self.undo_button.setAccessibleName(f"{title} · {_('되돌리기')}")
        self._menu_button.setAccessibleName(f"{title} · {_('습관 메뉴')}")

    def _name_for_readers(self, title: str) -> None:
        parts = [title, self._tier.text(), self._streak.text(), self._phase.text()]
        if self.overview.today_entry is not None:
            parts.append(self._marked_text.text())
        self.setAccessibleName(" · ".join(parts))
        self.setAccessibleDescription(self.habit.framed_text)
