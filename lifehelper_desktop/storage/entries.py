"""What was recorded on which day: one entry for each habit and civil day (R5)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Final

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import Entry, EntryValue, Habit, HabitStatus
from lifehelper_desktop.domain.labels import value_label
from lifehelper_desktop.domain.rules import RuleViolation, check_entry_date, check_minimum_allowed
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.tables import ENTRY, HABIT, NOT_DELETED, columns_of, is_row_id, to_entry, value_columns
from lifehelper_desktop.storage.text import clean_note

# The calendar edits any past day; a mistyped year would move the start back by centuries.
EARLIEST_DAY: Final = date(2000, 1, 1)
# What a habit in the trash has recorded stays, unseen.
_VISIBLE: Final = ENTRY.c.habit_id.in_(HABIT.select(HABIT.c.id).where(NOT_DELETED))


class EntryRepository:
    """Reads and writes entries. Any thread; each write is one transaction and answers what it changed.

    A refused write raises `RuleViolation`, trouble with the disk a `WorldError`; neither leaves anything behind.
    """

    def __init__(self, db: Database, habits: HabitRepository, clock: Clock, today: Callable[[], date]) -> None:
        """Work on `db`; `today` gives the logical day, `clock` the wall clock for created and updated."""
        self._db = db
        self._habits = habits
        self._clock = clock
        self._today = today

    def get(self, habit_id: int, day: date) -> Entry | None:
        """Return the entry of one day, or None; unknown habits have none."""
        if not is_row_id(habit_id):
            return None
        with self._db.read():
            rows = self._db.fetch(ENTRY.select().where(_on(habit_id, day) & _VISIBLE))
        return to_entry(rows[0]) if rows else None

    def for_habit(self, habit_id: int) -> dict[date, Entry]:
        """Return all entries of a habit by day, oldest first; unknown habits have none."""
        if not is_row_id(habit_id):
            return {}
        query = ENTRY.select().where((ENTRY.c.habit_id == habit_id) & _VISIBLE).order_by(ENTRY.c.date)
        with self._db.read():
            return {entry.date: entry for entry in map(to_entry, self._db.fetch(query))}

    def on_day(self, day: date) -> dict[int, Entry]:
        """Return the entries of one day by habit id."""
        # By ids: a few look-ups in the index of (habit, date), never all entries of all years.
        habits = HABIT.select(HABIT.c.id).where(NOT_DELETED)
        with self._db.read():
            ids = [row["id"] for row in self._db.fetch(habits)]
            rows = self._db.fetch(ENTRY.select().where((ENTRY.c.date == day.isoformat()) & ENTRY.c.habit_id.in_(ids)))
        return {row["habit_id"]: to_entry(row) for row in rows}

    def values_between(self, first: date, last: date) -> dict[int, dict[date, str]]:
        """Return what was recorded from `first` to `last`, both included, by habit id; archived habits too."""
        statement = (
            "SELECT e.habit_id, e.date, CASE WHEN e.is_minimum THEN 'minimum' ELSE e.value END "
            "FROM habit AS h CROSS JOIN entry AS e ON e.habit_id = h.id AND e.date BETWEEN ? AND ? "
            "WHERE h.deleted_on IS NULL"
        )
        found: dict[int, dict[date, str]] = {}
        with self._db.read():
            for habit_id, day, value in self._db.sql(statement, (first.isoformat(), last.isoformat())):
                found.setdefault(habit_id, {})[date.fromisoformat(day)] = value
        return found

    def recent(self, first: date) -> dict[int, dict[date, EntryValue]]:
        """Return what was recorded from `first` on for each habit that is not archived, by habit id; all are in it."""
        statement = (
            "SELECT h.id, e.date, CASE WHEN e.is_minimum THEN 'minimum' ELSE e.value END "
            "FROM habit AS h LEFT JOIN entry AS e ON e.habit_id = h.id AND e.date >= ? "
            "WHERE h.status <> 'archived' AND h.deleted_on IS NULL"
        )
        found: dict[int, dict[date, EntryValue]] = {}
        with self._db.read():
            for habit_id, day, value in self._db.sql(statement, (first.isoformat(),)):
                days = found.setdefault(habit_id, {})
                if day is not None:
                    days[date.fromisoformat(day)] = EntryValue(value)
        return found

    def log(
        self,
        habit_id: int,
        value: EntryValue,
        day: date | None = None,
        note: str = "",
        *,
        any_past_day: bool = False,
    ) -> tuple[Entry, Changes]:
        """Record one day, by default today. First refusal wins, in the order of domain.md 0.2.

        Args:
            any_past_day: Lifts the seven-day window (the calendar); a day before the start moves the start back.

        Raises:
            RuleViolation: `validation` (note), `not_found`, `habit_inactive`, `future_date`,
                `date_out_of_range`, `r10_minimum`, `duplicate`.
        """
        text = clean_note(note)
        with self._db.write():
            target = day if day is not None else self._today()
            habit = self._loggable(habit_id, target, any_past_day=any_past_day)
            check_minimum_allowed(value, habit.minimum_dose)
            existing = self.get(habit.id, target)
            if existing is not None:
                name = value_label(existing.value)
                raise RuleViolation("duplicate", date=target.isoformat(), value=name)
            return self._insert(habit, target, value, text)

    def change(self, habit_id: int, day: date, value: EntryValue | None, note: str | None = None) -> Changes:
        """Set, replace or (None) delete the entry of any past day or today: the edit in the window, and undo.

        `note` None keeps the note that is there. A new entry before the start moves the start back; without it the
        start returns, at most to the day on which the habit was added.

        Raises:
            RuleViolation: `validation` (note), `not_found`, `habit_inactive`, `future_date`,
                `date_out_of_range` (before the year 2000), `r10_minimum`.
        """
        text = None if note is None else clean_note(note)
        with self._db.write():
            habit = self._loggable(habit_id, day, any_past_day=True, deleting=value is None)
            existing = self.get(habit.id, day)
            if value is None:
                if existing is None:
                    return NOTHING
                self._db.run(ENTRY.delete().where(_on(habit.id, day)))
                moved = self._habits.restore_start(habit)
                return _changed(habit.id, day) | Changes(frozenset({habit.id} if moved else ()))
            check_minimum_allowed(value, habit.minimum_dose)
            if existing is None:
                return self._insert(habit, day, value, text or "")[1]
            kept = existing.note if text is None else text
            if (existing.value, existing.note) == (value, kept):
                return NOTHING
            # From here on the row is the user's own: a later import of the same file leaves it as it is.
            columns = {**value_columns(value), "note": kept, "updated_at": self._now(), "import_id": None}
            if value is not existing.value:
                columns["amount"] = None  # it was what the other value was judged by
            self._db.run(ENTRY.update(columns_of(ENTRY, columns)).where(_on(habit.id, day)))
            return _changed(habit.id, day)

    def _loggable(self, habit_id: int, day: date, *, any_past_day: bool, deleting: bool = False) -> Habit:
        """Return the habit when `day` may be written."""
        habit = self._habits.get(habit_id)
        if habit.status is HabitStatus.ARCHIVED:
            raise RuleViolation("habit_inactive")
        check_entry_date(day, habit.start, self._today(), any_past_day=any_past_day)
        if day < EARLIEST_DAY:
            raise RuleViolation("date_out_of_range", from_date=EARLIEST_DAY.isoformat())
        if not deleting and habit.is_paused_on(day):
            raise RuleViolation("habit_inactive")
        return habit

    def _insert(self, habit: Habit, day: date, value: EntryValue, note: str) -> tuple[Entry, Changes]:
        now = self._now()
        columns: dict[str, object] = {
            "habit_id": habit.id,
            "date": day.isoformat(),
            "note": note,
            "created_at": now,
            "updated_at": now,
            **value_columns(value),
        }
        entry_id = self._db.run(ENTRY.insert(columns_of(ENTRY, columns)))
        self._habits.move_start(habit, day)
        changes = _changed(habit.id, day)
        if day < habit.start:
            changes |= Changes(habits=frozenset({habit.id}))
        return Entry(entry_id, habit.id, day, value, note), changes

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="seconds")


def _on(habit_id: int, day: date) -> Any:
    return (ENTRY.c.habit_id == habit_id) & (ENTRY.c.date == day.isoformat())


def _changed(habit_id: int, day: date) -> Changes:
    return Changes(entries=frozenset({(habit_id, day.isoformat())}))
