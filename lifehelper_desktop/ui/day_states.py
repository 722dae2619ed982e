"""What one day of a habit shows in the calendar: its state, and the words for it that every surface of it shares."""

from __future__ import annotations

from datetime import date
from enum import Enum, auto
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import Entry, EntryValue, HabitStatus
from lifehelper_desktop.domain.labels import VALUE_LABELS
from lifehelper_desktop.storage.record import HabitRecord
from lifehelper_desktop.ui.text import full_day, long_day


class DayState(Enum):
    """What a day's cell shows.

    The first four are the values of an entry. Without one: `MISSED` the day asked for something and is over; `LEFT`
    the schedule leaves open which days it is done on; `OFF` the schedule does not ask for it; `PAUSED`; `OPEN` today;
    `BEFORE` the start; `CLOSED` it has not come yet, or the habit was archived before it.
    """

    DONE = auto()
    MINIMUM = auto()
    BLANK = auto()
    NOT_DONE = auto()
    MISSED = auto()
    LEFT = auto()
    OFF = auto()
    PAUSED = auto()
    OPEN = auto()
    BEFORE = auto()
    CLOSED = auto()


_OF_VALUE: Final = {
    EntryValue.DONE: DayState.DONE,
    EntryValue.MINIMUM: DayState.MINIMUM,
    EntryValue.BLANK: DayState.BLANK,
    EntryValue.NOT_DONE: DayState.NOT_DONE,
}
_WORDS: Final = {
    **{_OF_VALUE[value]: words for value, words in VALUE_LABELS.items()},
    DayState.MISSED: N_("기록 없음"),
    DayState.LEFT: N_("비워 둔 날"),
    DayState.OFF: N_("정한 날이 아님"),
    DayState.PAUSED: N_("쉬어 가는 중"),
    DayState.OPEN: N_("기록 전"),
    DayState.BEFORE: N_("시작하기 전"),
    DayState.CLOSED: N_("아직 오지 않은 날"),
}


def day_state(record: HabitRecord, day: date) -> DayState:
    """Return what the cell of `day` shows."""
    entry = record.entries.get(day)
    if day > record.today:
        return DayState.CLOSED
    if entry is not None:
        return _OF_VALUE[entry.value]
    if day > record.last:
        return DayState.CLOSED
    if day < record.overview.habit.start:
        return DayState.BEFORE
    if day in record.paused_days:
        return DayState.PAUSED
    if not record.is_due_on(day):
        return DayState.OFF
    if day == record.last:
        return DayState.OPEN
    return DayState.MISSED if record.schedule_on(day).kind.has_fixed_days else DayState.LEFT


def state_words(state: DayState) -> str:
    """Return the name of a state in the user's language."""
    return _(_WORDS[state])


def is_readable(record: HabitRecord, day: date) -> bool:
    """Return whether the cell of `day` can be gone to: every day up to today."""
    return day <= record.today


def is_editable(record: HabitRecord) -> bool:
    """Return whether the days of the habit can be changed: not those of an archived one."""
    return record.overview.habit.status is not HabitStatus.ARCHIVED


def amount_words(record: HabitRecord, entry: Entry | None) -> str:
    """Return the amount that came with an imported entry, with its unit: `1.5 L`; empty without one."""
    if entry is None or entry.amount is None:
        return ""
    return f"{entry.amount:g} {record.overview.habit.unit}".rstrip()


def value_words(record: HabitRecord, day: date) -> str:
    """Return the state of a day in words, with the amount of an imported entry: `완료 · 1.5 L`."""
    state = day_state(record, day)
    if state is DayState.CLOSED and day <= record.today:
        return _("보관한 뒤")
    parts = [state_words(state), amount_words(record, record.entries.get(day))]
    return " · ".join(part for part in parts if part)


def day_words(record: HabitRecord, day: date) -> str:
    """Return everything about a day in one line: `8월 12일 화요일 · 오늘 · 완료 · 메모`, with the year when another."""
    entry = record.entries.get(day)
    parts = [
        long_day(day) if day.year == record.today.year else full_day(day),
        _("오늘") if day == record.today else "",
        value_words(record, day),
        " ".join(entry.note.split()) if entry is not None else "",
    ]
    return " · ".join(part for part in parts if part)
