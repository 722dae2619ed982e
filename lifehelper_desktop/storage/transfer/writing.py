"""Puts the habits and days of a plan into the database, inside the caller's one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

from lifehelper_desktop.domain.habits import HabitKind, HabitStatus, HabitType
from lifehelper_desktop.domain.rules import ANCHOR_MAX
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.habit_rows import end_pause, pause_between
from lifehelper_desktop.storage.schedules import add_schedule
from lifehelper_desktop.storage.tables import schedule_columns, weekday_digits
from lifehelper_desktop.storage.transfer.frames import frame_for
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedData, ImportedEntry, ImportedHabit, OwnRows
from lifehelper_desktop.storage.transfer.plan import HabitPlan, ImportPlan, StoredDay, merged_reminders, stored_form
from lifehelper_desktop.storage.transfer.profile import child_tables, habit_columns
from lifehelper_desktop.storage.transfer.watch import Watch

#: Rows of one statement; SQLite takes 32,766 values at once, and few large statements are quicker than many.
_BATCH: Final = 400
_ENTRY_COLUMNS: Final = (
    *("habit_id", "date", "value", "is_minimum", "note", "amount", "created_at", "updated_at", "import_id"),
)
Settings = Mapping[str, Mapping[str, str | None]]
_DAY: Final = timedelta(days=1)


class ImportWriter:
    """Writes one plan."""

    def __init__(self, db: Database, data: ImportedData, *, now: str, today: date, watch: Watch) -> None:
        """Write to `db`; `now` is the stored moment of the import, `today` its logical day."""
        self._db = db
        self._data = data
        self._now = now
        self._today = today
        self._watch = watch
        self._columns = habit_columns(db)
        self._children = child_tables(db)
        self._import_id = 0
        self._replaced: list[dict[str, Any]] = []

    def write(self, plan: ImportPlan, settings_before: Settings) -> tuple[int, frozenset[int]]:
        """Write everything; return the number of the import and the habits that it touched.

        Args:
            settings_before: What was stored before and after for each setting that the caller has set.

        Raises:
            TransferError: `stopped`; the caller's transaction undoes what was written.
        """
        self._import_id = self._begin()
        position, keeps_places = self._first_position()
        touched: set[int] = set()
        for each in plan.habits:
            if each.habit_id is None:
                own = each.habit.own
                place = own.columns["position"] if own is not None and keeps_places else position
                position += 1
                habit_id = self._add_habit(each, place)
            elif each.new or each.newer:
                habit_id = each.habit_id
                self._move_start(habit_id, each)
            else:
                habit_id = each.habit_id
                self._add_sources(habit_id, each.habit)  # from now on it is known by this file's keys too
                continue
            touched.add(habit_id)
            self._add_sources(habit_id, each.habit)
            self._add_entries(habit_id, each.new)
            if each.habit_id is None and each.status is HabitStatus.ACTIVE:
                self._take_up(habit_id, each)
            self._replace_entries(habit_id, each.newer)
        kept = json.dumps({"entries": self._replaced, "settings": settings_before})
        self._db.sql("UPDATE import_run SET replaced = ? WHERE id = ?", (kept, self._import_id))
        return self._import_id, frozenset(touched)

    def _begin(self) -> int:
        statement = "INSERT INTO import_run (format, file_name, made_at, replaced) VALUES (?, ?, ?, '{}') RETURNING id"
        return int(self._db.sql(statement, (self._data.format.value, self._data.file_name, self._now))[0][0])

    def _first_position(self) -> tuple[int, bool]:
        """Return where new habits begin in the list, and whether LifeHelper's own may keep their places."""
        [(count, free)] = self._db.sql("SELECT COUNT(*), COALESCE(MAX(position) + 1, 0) FROM habit")
        return int(free), count == 0

    # Habits

    def _add_habit(self, plan: HabitPlan, position: int) -> int:
        habit = plan.habit
        columns = self._own_columns(plan, habit.own) if habit.own is not None else self._foreign_columns(plan)
        columns |= {"position": position, "status": plan.status.value, "import_id": self._import_id}
        own_id = habit.own.id if habit.own is not None else 0
        if own_id and not self._db.sql("SELECT 1 FROM habit WHERE id = ?", (own_id,)):
            columns["id"] = own_id
        habit_id = int(self._insert("habit", columns, "RETURNING id")[0][0])
        doses = habit.own.doses if habit.own is not None else {0: habit.standard_dose} if habit.standard_dose else {}
        for is_minimum, dose in doses.items():
            self._insert("habit_variant", {"habit_id": habit_id, "is_minimum": is_minimum, "dose": dose})
        if habit.own is not None:
            self._add_children(habit_id, plan, habit.own)
        else:
            self._add_reminders(habit_id, habit)
        if habit.own is None or not habit.own.children.get("habit_schedule"):
            # Other trackers say only what holds now; so did LifeHelper itself before it kept the history.
            add_schedule(self._db, habit_id, date.fromisoformat(str(columns["start"])), habit.schedule)
        return habit_id

    def _add_reminders(self, habit_id: int, habit: ImportedHabit) -> None:
        for reminder in merged_reminders(habit.reminders):
            columns = {
                "habit_id": habit_id,
                "minutes": reminder.minutes,
                "weekdays": weekday_digits(reminder.weekdays),
                "since": self._now,
                "created_at": self._now,
                "updated_at": self._now,
            }
            self._insert("reminder", columns)

    def _own_columns(self, plan: HabitPlan, own: OwnRows) -> dict[str, Any]:
        columns = {name: own.columns[name] for name in self._columns if name in own.columns}
        if plan.status is HabitStatus.ARCHIVED and plan.habit.status is not HabitStatus.ARCHIVED:
            columns["archived_on"] = self._today.isoformat()
        elif plan.status is not HabitStatus.ARCHIVED:
            columns["archived_on"] = None
        return columns

    def _foreign_columns(self, plan: HabitPlan) -> dict[str, Any]:
        habit = plan.habit
        days = [entry.day for entry in habit.entries]
        begun = min([*days, *([habit.start] if habit.start else [])], default=self._today)
        start = min(begun, self._today)
        kind = HabitKind.BREAK if habit.habit_type is HabitType.BREAK else HabitKind.PROTOCOL
        return {
            "kind": kind.value,
            "title_ko": habit.title,
            "title_en": habit.title,
            "frame_level": 2,
            "framed_text": frame_for(habit.title),
            "anchor_when": _reminder_words(habit),
            "anchor_source": "user",
            "start": start.isoformat(),
            "created_on": min(habit.start or self._today, self._today).isoformat(),
            "archived_on": self._archived_on(plan, start, days),
            "created_at": self._now,
            "updated_at": self._now,
            "source": self._data.format.source,
            "description": habit.description,
            "unit": habit.unit,
            **schedule_columns(habit.schedule),
        }

    def _take_up(self, habit_id: int, plan: HabitPlan) -> None:
        """Make a pause of the days since a habit was archived there, as when an archived one is resumed here."""
        habit = plan.habit
        if habit.status is not HabitStatus.ARCHIVED:
            return
        if habit.own is not None:
            ended = date.fromisoformat(str(habit.own.columns["archived_on"]))
        else:
            ended = max((entry.day for entry in habit.entries), default=self._today)
        pause_between(self._db, habit_id, ended, self._today - _DAY)
        end_pause(self._db, habit_id, self._today - _DAY)

    def _archived_on(self, plan: HabitPlan, start: date, days: Sequence[date]) -> str | None:
        """Return the last day of an archived habit: where it was archived there, its numbers end with its last entry.

        One that goes on there and has no place here ends today.
        """
        if plan.status is not HabitStatus.ARCHIVED:
            return None
        was_archived = plan.habit.status is HabitStatus.ARCHIVED
        last = max([start, *days]) if was_archived else self._today
        return min(last, self._today).isoformat()

    def _add_children(self, habit_id: int, plan: HabitPlan, own: OwnRows) -> None:
        for table, known in self._children.items():
            for row in own.children.get(table, ()):
                columns = {name: row[name] for name in known if name in row}
                if table == "habit_pause" and columns.get("last_day") is None and plan.status is not plan.habit.status:
                    # The pause ends with the habit's becoming active, or archived, by this import.
                    last = self._today - _DAY if plan.status is HabitStatus.ACTIVE else self._today
                    if str(columns["first_day"]) > last.isoformat():
                        continue
                    columns["last_day"] = last.isoformat()
                self._insert(table, {"habit_id": habit_id, **columns})

    def _add_sources(self, habit_id: int, habit: ImportedHabit) -> None:
        own = FileFormat.LIFEHELPER.source
        names = [(self._data.format.source, key) for key in habit.keys]
        # LifeHelper's own file says who else knows the habit; that it is ours is what the keys say.
        names += [name for name in (habit.own.sources if habit.own is not None else ()) if name[0] != own]
        for source, key in names:
            statement = (
                "INSERT OR IGNORE INTO habit_source (source, external_id, habit_id, import_id) VALUES (?, ?, ?, ?)"
            )
            self._db.sql(statement, (source, key, habit_id, self._import_id))

    def _move_start(self, habit_id: int, plan: HabitPlan) -> None:
        first = min((entry.day for entry in plan.new), default=None)
        if first is not None:
            statement = "UPDATE habit SET start = ?, updated_at = ? WHERE id = ? AND start > ?"
            self._db.sql(statement, (first.isoformat(), self._now, habit_id, first.isoformat()))

    # Days

    def _add_entries(self, habit_id: int, entries: Sequence[ImportedEntry]) -> None:
        names = ", ".join(_ENTRY_COLUMNS)
        places = f"({', '.join('?' * len(_ENTRY_COLUMNS))})"
        for batch in _batches(entries):
            values = [value for entry in batch for value in self._values(habit_id, entry)]
            self._db.sql(f"INSERT INTO entry ({names}) VALUES {', '.join([places] * len(batch))}", values)
            self._watch.step(len(batch))

    def _replace_entries(self, habit_id: int, newer: Iterable[tuple[ImportedEntry, StoredDay]]) -> None:
        for entry, before in newer:
            self._replaced.append({"habit_id": habit_id, "date": entry.day.isoformat(), **before._asdict()})
            _habit, day, *values = self._values(habit_id, entry)
            statement = (
                "UPDATE entry SET value = ?, is_minimum = ?, note = ?, amount = ?, updated_at = ?, import_id = ? "
                "WHERE habit_id = ? AND date = ?"
            )
            value, is_minimum, note, amount, _created, _updated, import_id = values
            self._db.sql(statement, (value, is_minimum, note, amount, self._now, import_id, habit_id, day))
            self._watch.step()

    def _values(self, habit_id: int, entry: ImportedEntry) -> tuple[Any, ...]:
        made = entry.created_at or self._now
        changed = entry.updated_at or made
        return habit_id, entry.day.isoformat(), *stored_form(entry), made, changed, self._import_id

    def _insert(self, table: str, columns: dict[str, Any], answer: str = "") -> list[tuple[Any, ...]]:
        """Insert one row; the names come from the schema or from this module."""
        names = ", ".join(columns)
        marks = ", ".join("?" * len(columns))
        return self._db.sql(f"INSERT INTO {table} ({names}) VALUES ({marks}) {answer}", tuple(columns.values()))


def _reminder_words(habit: ImportedHabit) -> str | None:
    """Return the time of the first reminder as the habit's anchor, or None."""
    if not habit.reminders:
        return None
    hours, minutes = divmod(habit.reminders[0].minutes, 60)
    return f"{hours:02}:{minutes:02}"[:ANCHOR_MAX]


def _batches(entries: Sequence[ImportedEntry]) -> Iterable[Sequence[ImportedEntry]]:
    return (entries[begin : begin + _BATCH] for begin in range(0, len(entries), _BATCH))
