"""The words for values, days, schedules and streaks that every surface shows (Korean msgids)."""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import N_, _, current_language, ngettext
from lifehelper_desktop.domain.habits import EntryValue, Schedule, ScheduleKind
from lifehelper_desktop.domain.schedule import RunUnit
from lifehelper_desktop.domain.streaks import TIERS

VALUE_LABELS: Final = {
    EntryValue.DONE: N_("완료"),
    EntryValue.MINIMUM: N_("최소"),
    EntryValue.BLANK: N_("쉬기"),
    EntryValue.NOT_DONE: N_("안 함"),
}
#: Monday first, as `date.weekday` counts.
WEEKDAYS: Final = (N_("월"), N_("화"), N_("수"), N_("목"), N_("금"), N_("토"), N_("일"))
LONG_WEEKDAYS: Final = (
    *(N_("월요일"), N_("화요일"), N_("수요일"), N_("목요일"), N_("금요일"), N_("토요일"), N_("일요일")),
)
_TIER_LABELS: Final = {name: title for name, title, _least in TIERS}
_WEEKDAY_SETS: Final = {
    frozenset({1, 2, 3, 4, 5}): N_("평일"),
    frozenset({6, 7}): N_("주말"),
    frozenset({1, 2, 3, 4, 5, 6, 7}): N_("매일"),
}


def value_label(value: EntryValue) -> str:
    """Return the name of an entry's value in the user's language."""
    return _(VALUE_LABELS[value])


def tier_label(tier: str) -> str:
    """Return the name of a tier (`root`: 뿌리) in the user's language."""
    return _(_TIER_LABELS[tier])


def weekday_label(day: date) -> str:
    """Return the short name of the weekday in the user's language."""
    return _(WEEKDAYS[day.weekday()])


def day_text(day: date) -> str:
    """Return a civil day with its weekday, for people: `2026-08-12(수)`."""
    return f"{day.isoformat()}({weekday_label(day)})"


def schedule_words(schedule: Schedule, week_start: int = 1) -> str:
    """Return how often a habit is due, for labels: `매일`, `월·수·금`, `주말`, `일주일에 3번`, `3일마다`.

    `week_start` is the ISO weekday (1 Monday, 7 Sunday) that the week begins with.
    """
    if schedule.kind is ScheduleKind.WEEKDAYS:
        return weekdays_words(schedule.weekdays, week_start)
    if schedule.kind is ScheduleKind.PER_WEEK:
        return ngettext("일주일에 {n}번", "일주일에 {n}번", schedule.times).format(n=schedule.times)
    if schedule.kind is ScheduleKind.PER_MONTH:
        return ngettext("한 달에 {n}번", "한 달에 {n}번", schedule.times).format(n=schedule.times)
    if schedule.kind is ScheduleKind.EVERY_DAYS:
        return ngettext("{n}일마다", "{n}일마다", schedule.days).format(n=schedule.days)
    return _("매일")


def weekdays_words(weekdays: frozenset[int], week_start: int = 1) -> str:
    """Return ISO weekdays in the order of the week: `월·수·금`, `수요일`; all five or both of the end have a name."""
    if named := _WEEKDAY_SETS.get(weekdays):
        return _(named)
    if len(weekdays) == 1:
        return _(LONG_WEEKDAYS[next(iter(weekdays)) - 1])
    order = [(week_start - 1 + step) % 7 + 1 for step in range(7)]
    joint = "·" if current_language() == "ko" else ", "
    return joint.join(_(WEEKDAYS[day - 1]) for day in order if day in weekdays)


def run_words(n: int, unit: RunUnit) -> str:
    """Return a length of a streak with its unit: `12일`, `3주`, `2달`, `5번`."""
    if unit == "week":
        return ngettext("{n}주", "{n}주", n).format(n=n)
    if unit == "month":
        return ngettext("{n}달", "{n}달", n).format(n=n)
    if unit == "check":
        return ngettext("{n}번", "{n}번", n).format(n=n)
    return ngettext("{n}일", "{n}일", n).format(n=n)
