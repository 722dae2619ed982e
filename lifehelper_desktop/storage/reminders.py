"""The reminders of habits, and what became of each on each day."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.domain.reminders import DAY_MINUTES, EVERY_DAY, REMINDERS_MAX, Mark, Reminder, Ring
from lifehelper_desktop.domain.rules import BACKDATE_DAYS, RuleViolation
from lifehelper_desktop.domain.schedule import is_due
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.tables import (
    HABIT,
    NOT_DELETED,
    REMINDER,
    columns_of,
    is_row_id,
    to_reminder,
    weekday_digits,
)
from lifehelper_desktop.storage.text import shorten

_KEEP_DAYS: Final = timedelta(days=BACKDATE_DAYS + 1)  # marks of days that nobody can answer any more are dropped
Reminders = list[Reminder]  # inside the class, `list` is the method


@dataclass(frozen=True, slots=True)
class ReminderLook:
    """What one look at the data showed: all that it takes to decide what rings.

    Attributes:
        reminders: All, those of paused, archived and trashed habits too: what they leave out does not ring later.
        marks: By reminder id and day.
        habits: The active and paused habits by id.
        recorded: (habit id, day) of the entries on the days in question.
    """

    reminders: tuple[Reminder, ...]
    marks: Mapping[tuple[int, date], Mark]
    habits: Mapping[int, Habit]
    recorded: frozenset[tuple[int, date]]

    def asks(self, habit_id: int, day: date) -> bool:
        """Return whether the habit asks for something on a day of the look: active, on its schedule, not recorded."""
        habit = self.habits.get(habit_id)
        if habit is None or habit.status is not HabitStatus.ACTIVE or (habit_id, day) in self.recorded:
            return False
        return not habit.is_paused_on(day) and is_due(habit.schedule, day)


class ReminderRepository:
    """Reads and writes reminders. Any thread; each write is one transaction and answers what it changed.

    A refused write raises `RuleViolation`, trouble with the disk a `WorldError`; neither leaves anything behind. The
    marks of what rang are bookkeeping: undo does not touch them and they belong to no export.
    """

    def __init__(self, db: Database, habits: HabitRepository, clock: Clock, today: Callable[[], date]) -> None:
        """Work on `db`; `today` gives the logical day, `clock` the wall clock for since, created and updated."""
        self._db = db
        self._habits = habits
        self._clock = clock
        self._today = today

    # Reading

    def list(self, habit_id: int) -> Reminders:
        """Return the reminders of a habit by time; unknown habits and those in the trash have none."""
        if not is_row_id(habit_id):
            return []
        with self._db.read():
            return self._load(REMINDER.c.habit_id == habit_id)

    def get(self, reminder_id: int) -> Reminder:
        """Return one reminder.

        Raises:
            RuleViolation: `not_found`, also for one of a habit in the trash and for ids that no row can have.
        """
        if is_row_id(reminder_id):
            with self._db.read():
                found = self._load(REMINDER.c.id == reminder_id)
            if found:
                return found[0]
        raise RuleViolation("not_found_reminder", id=shorten(reminder_id))

    def all_live(self) -> Reminders:
        """Return the reminders of the active and paused habits, by habit and time."""
        live = HABIT.select(HABIT.c.id).where(NOT_DELETED & (HABIT.c.status != HabitStatus.ARCHIVED.value))
        with self._db.read():
            return self._load(REMINDER.c.habit_id.in_(live))

    def look(self, days: Collection[date] = ()) -> ReminderLook:
        """Return what there is to know about today, about days that were put off, and about `days`."""
        with self._db.read():
            reminders = tuple(map(to_reminder, self._db.fetch(REMINDER.select().order_by(REMINDER.c.id))))
            rows = self._db.sql(
                "SELECT mark.reminder_id, mark.day, mark.snoozed_until FROM reminder_mark AS mark "
                "JOIN reminder ON reminder.id = mark.reminder_id AND reminder.minutes = mark.minutes"
            )
            marks = {
                (number, date.fromisoformat(day)): Mark(None if until is None else datetime.fromisoformat(until))
                for number, day, until in rows
            }
            asked = {self._today(), *days, *(day for (_id, day), mark in marks.items() if mark.snoozed_until)}
            names = ", ".join("?" * len(asked))
            reminded = "SELECT habit_id FROM reminder"
            statement = f"SELECT habit_id, date FROM entry WHERE habit_id IN ({reminded}) AND date IN ({names})"
            found = self._db.sql(statement, [day.isoformat() for day in asked])
            habits = {habit.id: habit for habit in self._habits.list()} if reminders else {}
        recorded = frozenset((habit_id, date.fromisoformat(day)) for habit_id, day in found)
        return ReminderLook(reminders, marks, habits, recorded)

    # Writing reminders

    def add(self, habit_id: int, minutes: int, weekdays: Iterable[int] = EVERY_DAY) -> tuple[Reminder, Changes]:
        """Add a reminder; it rings from now on. First refusal wins.

        Args:
            minutes: Minutes after midnight of the wall clock, 0–1439.
            weekdays: ISO weekdays, at least one.

        Raises:
            RuleViolation: `not_found`, `habit_inactive` (archived), `validation`, `reminder_limit`, `reminder_time`.
        """
        with self._db.write():
            habit = self._live(habit_id)
            days = _checked(minutes, weekdays)
            others = self.list(habit.id)
            if len(others) >= REMINDERS_MAX:
                raise RuleViolation("reminder_limit", n=REMINDERS_MAX)
            _check_free(others, minutes)
            now = self._now()
            columns: dict[str, object] = {
                "habit_id": habit.id,
                "minutes": minutes,
                "weekdays": weekday_digits(days),
                "since": now,
                "created_at": now,
                "updated_at": now,
            }
            reminder_id = self._db.run(REMINDER.insert(columns_of(REMINDER, columns)))
            return self.get(reminder_id), _changed(habit.id)

    def change(
        self,
        reminder_id: int,
        *,
        minutes: int | None = None,
        weekdays: Iterable[int] | None = None,
        is_on: bool | None = None,
    ) -> Changes:
        """Change what is given; None leaves it. What it asks for anew it asks for from now on.

        Raises:
            RuleViolation: `not_found`, `habit_inactive` (archived), `validation`, `reminder_time`.
        """
        with self._db.write():
            reminder = self.get(reminder_id)
            habit = self._live(reminder.habit_id)
            new_minutes = reminder.minutes if minutes is None else minutes
            days = _checked(new_minutes, reminder.weekdays if weekdays is None else weekdays)
            _check_free([each for each in self.list(habit.id) if each.id != reminder.id], new_minutes)
            on = reminder.is_on if is_on is None else is_on
            if (new_minutes, days, on) == (reminder.minutes, reminder.weekdays, reminder.is_on):
                return NOTHING
            columns: dict[str, object] = {
                "minutes": new_minutes,
                "weekdays": weekday_digits(days),
                "is_on": int(on),
                "updated_at": self._now(),
            }
            if on:
                columns["since"] = self._now()
            self._db.run(REMINDER.update(columns_of(REMINDER, columns)).where(REMINDER.c.id == reminder.id))
            return _changed(habit.id)

    def remove(self, reminder_id: int) -> Changes:
        """Remove a reminder; undo brings it back.

        Raises:
            RuleViolation: `not_found`.
        """
        with self._db.write():
            reminder = self.get(reminder_id)
            self._db.run(REMINDER.delete().where(REMINDER.c.id == reminder.id))
            return _changed(reminder.habit_id)

    # What became of them

    def keep(self, rings: Iterable[Ring]) -> None:
        """Remember that these were dealt with: shown, or passed in silence. What was put off no longer is."""
        self._mark(rings, None)

    def snooze(self, rings: Iterable[Ring], until: datetime) -> None:
        """Let these ring again at the aware moment `until`, for their own days."""
        self._mark(rings, until.isoformat(timespec="seconds"))

    def give_back(self, rings: Iterable[Ring]) -> None:
        """Forget that these were shown: the program ends and takes them off the screen before an answer came."""
        with self._db.write():
            for ring in rings:
                statement = (
                    "DELETE FROM reminder_mark WHERE reminder_id = ? AND day = ? AND snoozed_until IS NULL "
                    "AND minutes = (SELECT minutes FROM reminder WHERE id = reminder_id)"
                )
                self._db.sql(statement, (ring.reminder_id, ring.day.isoformat()))

    def _mark(self, rings: Iterable[Ring], until: str | None) -> None:
        now = self._now()
        statement = (
            "INSERT INTO reminder_mark (reminder_id, minutes, day, marked_at, snoozed_until) "
            "SELECT id, minutes, ?, ?, ? FROM reminder WHERE id = ? "
            "ON CONFLICT DO UPDATE SET marked_at = excluded.marked_at, snoozed_until = excluded.snoozed_until"
        )
        with self._db.write():
            for ring in rings:
                self._db.sql(statement, (ring.day.isoformat(), now, until, ring.reminder_id))
            oldest = self._today() - _KEEP_DAYS
            self._db.sql("DELETE FROM reminder_mark WHERE day < ?", (oldest.isoformat(),))

    # Inside a transaction

    def _load(self, condition: Any) -> Reminders:
        seen = REMINDER.c.habit_id.in_(HABIT.select(HABIT.c.id).where(NOT_DELETED))
        order = (REMINDER.c.habit_id, REMINDER.c.minutes)
        return [to_reminder(row) for row in self._db.fetch(REMINDER.select().where(condition & seen).order_by(*order))]

    def _live(self, habit_id: int) -> Habit:
        habit = self._habits.get(habit_id)
        if habit.status is HabitStatus.ARCHIVED:
            raise RuleViolation("habit_inactive_reminder")
        return habit

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="seconds")


def _checked(minutes: object, weekdays: Iterable[int]) -> frozenset[int]:
    """Return the weekdays as a set when they and the time are possible."""
    if type(minutes) is not int or not 0 <= minutes < DAY_MINUTES:
        raise RuleViolation("validation", field="minutes")
    days = frozenset(weekdays)
    if not days or not days <= EVERY_DAY:
        raise RuleViolation("validation", field="weekdays")
    return days


def _check_free(others: Iterable[Reminder], minutes: int) -> None:
    taken = next((each for each in others if each.minutes == minutes), None)
    if taken is not None:
        raise RuleViolation("reminder_time", time=f"{taken.time:%H:%M}")


def _changed(habit_id: int) -> Changes:
    return Changes(habits=frozenset({habit_id}))
