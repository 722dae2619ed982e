"""How often a habit is due: the five kinds, their numbers and days, and the rule of the streak in words."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QPushButton, QWidget

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.domain.habits import DAILY, Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import WEEKDAYS, weekdays_words
from lifehelper_desktop.domain.schedule import EVERY_DAYS_MAX, EVERY_DAYS_MIN, MONTH_DAYS_MAX, WEEK_DAYS
from lifehelper_desktop.ui.widgets.basics import button, column, label, set_role
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.stepper import Stepper
from lifehelper_desktop.ui.widgets.weekday_chips import WeekdayChips

_KINDS: Final = {
    ScheduleKind.DAILY: N_("매일"),
    ScheduleKind.WEEKDAYS: N_("정한 요일"),
    ScheduleKind.PER_WEEK: N_("일주일에 몇 번"),
    ScheduleKind.EVERY_DAYS: N_("며칠마다"),
    ScheduleKind.PER_MONTH: N_("한 달에 몇 번"),
}
_EVERY_DAY: Final = frozenset(range(1, WEEK_DAYS + 1))
#: What a kind begins with when it is chosen for the first time.
_WEEKDAYS_AT_FIRST: Final = frozenset({1, 2, 3, 4, 5})
_WEEK_AT_FIRST, _MONTH_AT_FIRST, _EVERY_AT_FIRST = 3, 4, 3


class ScheduleEditor(QWidget):
    """`changed` comes when the user chooses something else."""

    changed = Signal()

    def __init__(self, schedule: Schedule = DAILY, *, week_start: int = 1, is_change: bool = False) -> None:
        """Begin with `schedule`.

        Args:
            schedule: The one in force.
            week_start: ISO weekday that the week begins with (1 Monday, 7 Sunday).
            is_change: The habit runs already: what a change means for its past is told.
        """
        super().__init__()
        self._before, self._week_start, self._is_change = schedule, week_start, is_change
        layout = column(self, gap=8)
        layout.addWidget(label(_("얼마나 자주 할까요?"), "section"))
        self._group = QButtonGroup(self)
        self.kinds: dict[ScheduleKind, QPushButton] = {}
        layout.addWidget(self._build_kinds(schedule.kind))
        self.days = WeekdayChips(schedule.weekdays or _WEEKDAYS_AT_FIRST, week_start, name="scheduleDay")
        self.days.changed.connect(self._on_change)
        layout.addWidget(self.days)
        self.numbers = {
            ScheduleKind.PER_WEEK: self._stepper(schedule, ScheduleKind.PER_WEEK, _WEEK_AT_FIRST, (1, WEEK_DAYS)),
            ScheduleKind.EVERY_DAYS: self._stepper(
                schedule, ScheduleKind.EVERY_DAYS, _EVERY_AT_FIRST, (EVERY_DAYS_MIN, EVERY_DAYS_MAX)
            ),
            ScheduleKind.PER_MONTH: self._stepper(
                schedule, ScheduleKind.PER_MONTH, _MONTH_AT_FIRST, (1, MONTH_DAYS_MAX)
            ),
        }
        for each in self.numbers.values():
            layout.addWidget(each)
        self._words = label("", "muted")
        self._words.setObjectName("scheduleWords")
        layout.addWidget(self._words)
        self._note = label(_("지난날은 그대로 두고, 오늘부터 이렇게 셀게요."), "good")
        self._note.setObjectName("scheduleNote")
        layout.addWidget(self._note)
        self._show()

    @property
    def kind(self) -> ScheduleKind:
        """The kind that is chosen."""
        return next(kind for kind, each in self.kinds.items() if each.isChecked())

    @property
    def schedule(self) -> Schedule:
        """What is chosen; only to be stored when there is no `problem`."""
        kind = self.kind
        match kind:
            case ScheduleKind.WEEKDAYS:
                days = self.days.weekdays
                return DAILY if days == _EVERY_DAY else Schedule(kind, weekdays=days)
            case ScheduleKind.PER_WEEK | ScheduleKind.PER_MONTH:
                return Schedule(kind, times=self._number(kind))
            case ScheduleKind.EVERY_DAYS:
                return Schedule(kind, days=self._number(kind))
            case ScheduleKind.DAILY:
                return DAILY

    @property
    def problem(self) -> str:
        """What is still to be chosen, in words; empty when it can be stored."""
        if self.kind is ScheduleKind.WEEKDAYS and not self.days.weekdays:
            return _("요일을 하나 이상 골라 주세요.")
        return ""

    def _build_kinds(self, chosen: ScheduleKind) -> FlowBox:
        flow = FlowBox(gap=5, name="scheduleKinds")
        flow.setAccessibleName(_("얼마나 자주 할까요?"))
        for kind, words in _KINDS.items():
            each = button(_(words), role="segment", name=f"scheduleKind_{kind.value}")
            each.setCheckable(True)
            each.setChecked(kind is chosen)
            each.clicked.connect(self._on_change)
            self._group.addButton(each)
            self.kinds[kind] = each
            flow.add(each)
        return flow

    def _stepper(self, schedule: Schedule, kind: ScheduleKind, at_first: int, limits: tuple[int, int]) -> Stepper:
        own = (schedule.days or schedule.times) if schedule.kind is kind else at_first
        stepper = Stepper(
            own,
            limits,
            name=f"scheduleNumber_{kind.value}",
            label=_("얼마나 자주 할까요?"),
            less=_("하나 줄이기"),
            more=_("하나 늘리기"),
        )
        stepper.changed.connect(self._on_change)
        return stepper

    def _number(self, kind: ScheduleKind) -> int:
        return self.numbers[kind].number.value()

    def _on_change(self, _value: object = None) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        kind, problem = self.kind, self.problem
        self.days.setVisible(kind is ScheduleKind.WEEKDAYS)
        for each, stepper in self.numbers.items():
            stepper.setVisible(each is kind)
            stepper.show_phrase(_phrase(each, self._number(each)))
        set_role(self._words, "error" if problem else "muted")
        self._words.setText(problem or rule_words(self.schedule, self._week_start))
        self._words.setAccessibleName(self._words.text())
        self._note.setVisible(self._is_change and not problem and self.schedule != self._before)


def rule_words(schedule: Schedule, week_start: int) -> str:
    """Return what is asked for and how the streak is counted, in one or two short sentences."""
    n = schedule.days or schedule.times
    match schedule.kind:
        case ScheduleKind.WEEKDAYS:
            words = _("{days}에 해요. 쉬는 날은 연속을 끊지 않아요.")
            return words.format(days=weekdays_words(schedule.weekdays, week_start))
        case ScheduleKind.PER_WEEK:
            words = ngettext(
                "일주일에 {n}번, 어느 날이든 좋아요. 연속은 주({first}~{last}) 단위로 세어요.",
                "일주일에 {n}번, 어느 날이든 좋아요. 연속은 주({first}~{last}) 단위로 세어요.",
                n,
            )
            first, last = _(WEEKDAYS[week_start - 1]), _(WEEKDAYS[(week_start + 5) % 7])
            return words.format(n=n, first=first, last=last)
        case ScheduleKind.EVERY_DAYS:
            return ngettext(
                "한 날부터 {n}일 안에 다시 하면 연속이 이어져요.", "한 날부터 {n}일 안에 다시 하면 연속이 이어져요.", n
            ).format(n=n)
        case ScheduleKind.PER_MONTH:
            return ngettext(
                "한 달에 {n}번, 어느 날이든 좋아요. 연속은 달 단위로 세어요.",
                "한 달에 {n}번, 어느 날이든 좋아요. 연속은 달 단위로 세어요.",
                n,
            ).format(n=n)
        case ScheduleKind.DAILY:
            return _("매일 해요. ‘쉬기’로 둔 날은 연속을 끊지 않아요.")


def _phrase(kind: ScheduleKind, n: int) -> str:
    """Return the phrase around the number, with `{n}` in it."""
    match kind:
        case ScheduleKind.PER_WEEK:
            return ngettext("일주일에 {n}번", "일주일에 {n}번", n)
        case ScheduleKind.EVERY_DAYS:
            return ngettext("{n}일마다", "{n}일마다", n)
        case _:
            return ngettext("한 달에 {n}번", "한 달에 {n}번", n)
