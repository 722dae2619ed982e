"""The row of a habit in LifeHelper's own file, checked value by value as the repositories would have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from lifehelper_desktop.domain.habits import Habit, HabitKind, HabitStatus, Schedule
from lifehelper_desktop.domain.reminders import DAY_MINUTES, REMINDERS_MAX
from lifehelper_desktop.domain.rules import ANCHOR_MAX, RuleViolation, check_frame_level, check_frame_text
from lifehelper_desktop.domain.schedule import check_schedule
from lifehelper_desktop.storage.entries import EARLIEST_DAY
from lifehelper_desktop.storage.tables import schedule_columns, to_habit, to_past_schedule
from lifehelper_desktop.storage.text import clean_text
from lifehelper_desktop.storage.transfer.building import iso_day
from lifehelper_desktop.storage.transfer.frames import frame_for
from lifehelper_desktop.storage.transfer.model import DESCRIPTION_MAX, TITLE_MAX, UNIT_MAX
from lifehelper_desktop.storage.transfer.report import Report

_WEEKDAYS: Final = re.compile("[1-7]{1,7}")
_SOURCE: Final = re.compile(r"[!-~]{1,40}")
_PROTOCOL_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
#: Text columns: the least and the most characters.
_TEXTS: Final = {
    "title_ko": (1, TITLE_MAX),
    "title_en": (1, TITLE_MAX),
    "anchor_when": (1, ANCHOR_MAX),
    "anchor_after_what": (1, ANCHOR_MAX),
    "unit": (0, UNIT_MAX),
    "description": (0, DESCRIPTION_MAX),
}
_LINES: Final = frozenset({"description"})
_NULLABLE: Final = frozenset({"anchor_when", "anchor_after_what"})
#: What a file of an older version does not say.
_DEFAULTS: Final = {"unit": "", "description": "", "source": None, "deleted_on": None, "schedule_days": 0}


class BadField(Exception):  # noqa: N818 - caught where the remark is made
    """A value of the row that cannot be."""

    def __init__(self, name: str, value: object) -> None:
        """Keep the column's name and the value."""
        super().__init__(name)
        self.name = name
        self.value = value


def checked_row(given: Mapping[str, Any], report: Report, where: str) -> tuple[dict[str, Any], Habit]:
    """Return the columns to store, cleaned, and the habit that they make.

    Raises:
        BadField: A value is missing or impossible.
    """
    row: dict[str, Any] = {**_DEFAULTS, **given}
    for name, value in row.items():
        if not isinstance(value, (str, int, float, type(None))) or isinstance(value, bool):
            raise BadField(name, value)
    for name, (least, most) in _TEXTS.items():
        row[name] = _text(row, name, least, most)
    for name in ("start", "archived_on", "deleted_on", "created_on"):
        row[name] = _day(row, name)
    for name in ("created_at", "updated_at"):
        _check_moment(row, name)
    for name in ("protocol_id", "break_protocol_id"):
        value = row.get(name)
        if value is not None and not (isinstance(value, str) and len(value) <= 100 and _PROTOCOL_ID.fullmatch(value)):
            raise BadField(name, value)
    row["framed_text"] = _frame(row, report, where)
    try:
        habit = to_habit({"id": 0, **row}, {}, ())
        check_schedule(habit.schedule)
    except KeyError as error:
        raise BadField(str(error.args[0]), None) from error
    except (ValueError, TypeError) as error:
        raise BadField("habit", str(error)) from error
    if any(row.get(name) != value for name, value in schedule_columns(habit.schedule).items()):
        raise BadField("schedule_kind", row.get("schedule_kind"))
    _check_together(habit, row)
    return row, habit


def pauses_fit(status: HabitStatus, pauses: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether every pause is a span of days, and one runs exactly when the habit is paused."""
    running = 0
    for pause in pauses:
        first, last = iso_day(str(pause.get("first_day"))), pause.get("last_day")
        if first is None or first < EARLIEST_DAY:
            return False
        if last is None:
            running += 1
        elif not isinstance(last, str) or (end := iso_day(last)) is None or end < first:
            return False
    return running == (status is HabitStatus.PAUSED)


def reminders_fit(reminders: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether the reminders can be those of one habit: few enough, each with its own time and weekdays."""
    times = [row.get("minutes") for row in reminders]
    return (
        len(times) <= REMINDERS_MAX
        and len(set(times)) == len(times)
        and all(type(minutes) is int and 0 <= minutes < DAY_MINUTES for minutes in times)
        and all(isinstance(days := row.get("weekdays"), str) and _WEEKDAYS.fullmatch(days) for row in reminders)
        and all(row.get("is_on", 1) in (0, 1) for row in reminders)
        and all(is_aware_moment(row.get(name)) for row in reminders for name in ("since", "created_at", "updated_at"))
    )


def moment_of(value: object) -> datetime | None:
    """Return a stored moment, or None. Between day and time ISO lets any sign stand, also one that is no text."""
    try:
        is_text = isinstance(value, str) and len(value) <= 40 and value.isascii()
        return datetime.fromisoformat(str(value)) if is_text else None
    except ValueError:
        return None


def is_aware_moment(value: object) -> bool:
    """Return whether `value` is a stored moment with its offset."""
    moment = moment_of(value)
    return moment is not None and moment.tzinfo is not None


def schedules_fit(habit: Habit, history: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether every schedule is a possible one with a day of its own, and the last is the habit's.

    A file of before the history holds none.
    """
    found: dict[date, Schedule] = {}
    for row in history:
        try:
            day, schedule = to_past_schedule(row)
            check_schedule(schedule)
        except (KeyError, ValueError, TypeError):
            return False
        same = all(row.get(name) == value for name, value in schedule_columns(schedule, "").items())
        if not same or day < EARLIEST_DAY or day in found or row["from_day"] != day.isoformat():
            return False
        found[day] = schedule
    return not found or found[max(found)] == habit.schedule


def _text(row: Mapping[str, Any], name: str, least: int, most: int) -> str | None:
    value = row.get(name)
    if value is None and name in _NULLABLE:
        return None
    text = clean_text(value, keep_lines=name in _LINES) if isinstance(value, str) else None
    if text is None or not least <= len(text) <= most:
        raise BadField(name, value)
    return text


def _day(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is None and name != "start":
        return None
    day: date | None = iso_day(value) if isinstance(value, str) else None
    if day is None or day < EARLIEST_DAY:
        raise BadField(name, value)
    return day.isoformat()


def _check_moment(row: Mapping[str, Any], name: str) -> None:
    if moment_of(row.get(name)) is None:
        raise BadField(name, row.get(name))


def _frame(row: Mapping[str, Any], report: Report, where: str) -> str:
    """Return the sentence, or one that R7 takes in its place."""
    value = row.get("framed_text")
    if not isinstance(value, str):
        raise BadField("framed_text", value)
    try:
        return check_frame_text(clean_text(value), "")
    except RuleViolation:
        report.note(where, "frame_replaced")
        return frame_for(str(row["title_ko"]))


def _check_together(habit: Habit, row: Mapping[str, Any]) -> None:
    try:
        check_frame_level(habit.frame_level)
    except RuleViolation as error:
        raise BadField("frame_level", habit.frame_level) from error
    both = habit.protocol_id is not None and habit.break_protocol_id is not None
    neither = habit.protocol_id is None and habit.break_protocol_id is None
    of_kind = habit.break_protocol_id is None if habit.kind is not HabitKind.BREAK else habit.protocol_id is None
    if both or (neither and habit.source is None) or not of_kind:
        raise BadField("protocol_id", habit.protocol_id)
    if habit.source is not None and not (isinstance(habit.source, str) and _SOURCE.fullmatch(habit.source)):
        raise BadField("source", habit.source)
    if habit.anchor_source not in ("user", "suggested"):
        raise BadField("anchor_source", habit.anchor_source)
    if (habit.status is HabitStatus.ARCHIVED) != (habit.archived_on is not None):
        raise BadField("archived_on", row.get("archived_on"))
    if type(habit.position) is not int or abs(habit.position) > 1 << 40:
        raise BadField("position", habit.position)
