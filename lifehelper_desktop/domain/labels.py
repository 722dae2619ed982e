"""The words for values and weekdays that every surface shows (Korean msgids): one table each."""

from __future__ import annotations

from datetime import date
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import EntryValue

VALUE_LABELS: Final = {
    EntryValue.DONE: N_("완료"),
    EntryValue.MINIMUM: N_("최소"),
    EntryValue.BLANK: N_("쉬기"),
    EntryValue.NOT_DONE: N_("안 함"),
}
#: Monday first, as `date.weekday` counts.
WEEKDAYS: Final = (N_("월"), N_("화"), N_("수"), N_("목"), N_("금"), N_("토"), N_("일"))


def value_label(value: EntryValue) -> str:
    """Return the name of an entry's value in the user's language."""
    return _(VALUE_LABELS[value])


def weekday_label(day: date) -> str:
    """Return the short name of the weekday in the user's language."""
    return _(WEEKDAYS[day.weekday()])


def day_text(day: date) -> str:
    """Return a civil day with its weekday, for people: `2026-08-12(수)`."""
    return f"{day.isoformat()}({weekday_label(day)})"
