"""What one card of the home screen shows, as one value: cards whose facts stayed the same are not touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import EntryValue, Habit, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import schedule_words
from lifehelper_desktop.domain.review import week_first
from lifehelper_desktop.domain.schedule import is_due
from lifehelper_desktop.storage.store import HabitOverview

_DONE: Final = (EntryValue.DONE, EntryValue.MINIMUM)
_STRIP: Final = 7  # days of the week strip


@dataclass(frozen=True, slots=True)
class CardFacts:
    """One habit on the home screen.

    Attributes:
        days: What was recorded, by day, at least from `first_day_needed` on.
        today: The day that the screen shows.
        number: 1–9 where a number key marks it, else 0.
        keys: That key as people read it; empty where there is none.
        week_start: ISO weekday that the week begins with.
        can_move: Whether there is another place for it in its section.
    """

    overview: HabitOverview
    days: Mapping[date, EntryValue]
    today: date
    number: int = 0
    keys: str = ""
    week_start: int = 1
    can_move: bool = False

    @property
    def habit(self) -> Habit:
        """The habit shown."""
        return self.overview.habit

    @property
    def is_active(self) -> bool:
        """Whether it can be recorded."""
        return self.habit.status is HabitStatus.ACTIVE

    @property
    def rhythm(self) -> str:
        """How often it is due and where today stands in it, in words; empty for an active daily habit."""
        schedule = self.habit.schedule
        if schedule.kind is ScheduleKind.DAILY:
            return ""
        words = schedule_words(schedule, self.week_start)
        state = self._state() if self.is_active else ""
        return f"{words} · {state}" if state else words

    @property
    def off_days(self) -> dict[date, str]:
        """Days of the last seven that ask for nothing, or come before the start, each with the reason in words."""
        habit, found = self.habit, {}
        for back in range(_STRIP):
            day = self.today - timedelta(days=back)
            if day < habit.start:
                found[day] = _("시작하기 전")
            elif habit.is_paused_on(day):
                found[day] = _("쉬어 가는 중")
            elif not is_due(habit.schedule_on(day), day):
                found[day] = _("정한 날이 아님")
        return found

    def _state(self) -> str:
        schedule = self.habit.schedule
        match schedule.kind:
            case ScheduleKind.WEEKDAYS:
                return "" if is_due(schedule, self.today) else _("오늘은 쉬는 날")
            case ScheduleKind.PER_WEEK:
                done = self._done_since(week_first(self.today, self.week_start))
                words = (
                    _("이번 주 {done}/{times}") if done < schedule.times else _("이번 주 {done}/{times}, 다 채웠어요")
                )
                return words.format(done=done, times=schedule.times)
            case ScheduleKind.PER_MONTH:
                done = self._done_since(self.today.replace(day=1))
                words = (
                    _("이번 달 {done}/{times}") if done < schedule.times else _("이번 달 {done}/{times}, 다 채웠어요")
                )
                return words.format(done=done, times=schedule.times)
            case ScheduleKind.EVERY_DAYS:
                return self._next_words(schedule.days)
            case _:
                return ""

    def _done_since(self, first: date) -> int:
        return sum(first <= day <= self.today and value in _DONE for day, value in self.days.items())

    def _next_words(self, every: int) -> str:
        """When the next check is due: within `every` days of the last one."""
        last = max((day for day, value in self.days.items() if day <= self.today and value in _DONE), default=None)
        if last is None:
            return _("다음: 오늘")
        left = (last - self.today).days + every
        if left <= 0:
            return _("다음: 오늘")
        if left == 1:
            return _("다음: 내일")
        return ngettext("다음: {n}일 뒤", "다음: {n}일 뒤", left).format(n=left)


def first_day_needed(today: date, schedules: Iterable[Schedule]) -> date:
    """Return the first day whose entries the cards need: of the strip and the week, of a month, of a gap."""
    back = _STRIP - 1
    for schedule in schedules:
        back = max(back, schedule.days, today.day - 1 if schedule.kind is ScheduleKind.PER_MONTH else 0)
    return today - timedelta(days=back)
