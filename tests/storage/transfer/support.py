"""What the tests of import and export need: the sample files, small files made on the spot, and short ways in."""

from __future__ import annotations

import json
import os
import sqlite3
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.domain.habits import Entry, Habit, HabitStatus
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.model import ImportedHabit
from lifehelper_desktop.storage.transfer.report import Severity
from lifehelper_desktop.storage.transfer.transfers import ImportPreview, ImportResult

HANDMADE = Path(__file__).resolve().parents[2] / "data" / "imports" / "handmade"
MADE = json.loads((HANDMADE / "expected.json").read_text(encoding="utf-8"))
DAY_MS = 86_400_000


def outside_sample(name: str) -> Path:
    """Return a sample that keeps the licence of its project and lies outside the repository, or skip the test."""
    folder = os.environ.get("LIFEHELPER_SAMPLE_IMPORTS")
    if not folder:
        pytest.skip("LIFEHELPER_SAMPLE_IMPORTS names no folder with the samples of other projects")
    path = Path(folder) / name
    assert path.exists(), path
    return path


def bring(store: Store, path: Path, **options: Any) -> ImportResult:
    """Preview and import a file."""
    choice = {name: options.pop(name) for name in ("keep", "skip_bad") if name in options}
    return store.transfers.run(store.transfers.preview(path, **options), **choice)


def all_habits(store: Store) -> list[Habit]:
    """Every habit in list order."""
    return store.habits.list(*HabitStatus)


def habit_named(store: Store, title: str) -> Habit:
    """The one habit of this title."""
    [found] = [habit for habit in all_habits(store) if habit.title_ko == title]
    return found


def days_of(store: Store, title: str) -> dict[date, Entry]:
    """The entries of the habit of this title."""
    return store.entries.for_habit(habit_named(store, title).id)


def count(store: Store, table: str) -> int:
    """Rows of a table."""
    with store.db.read():
        return int(store.db.sql(f"SELECT COUNT(*) FROM {table}")[0][0])


def rows(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """Everything of the user's that is stored."""
    tables = ("habit", "habit_variant", "habit_pause", "habit_source", "reminder", "entry", "setting", "import_run")
    with store.db.read():
        return {table: store.db.sql(f"SELECT * FROM {table} ORDER BY 1, 2") for table in tables}


def remarks(preview: ImportPreview, severity: Severity = Severity.NOTE) -> list[str]:
    """The reasons of one kind, in order."""
    return [row.reason for row in preview.report.rows if row.severity is severity]


def bad(preview: ImportPreview) -> list[tuple[str, str]]:
    """Place and reason of the rows that cannot be read."""
    return [(row.where, row.reason) for row in preview.report.rows if row.severity is Severity.BAD]


def write_json(path: Path, value: object) -> Path:
    """Write a JSON file and return its path."""
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def write_text(path: Path, text: str, encoding: str = "utf-8") -> Path:
    """Write a text file and return its path."""
    path.write_bytes(text.encode(encoding))
    return path


def write_zip(path: Path, members: Mapping[str, str]) -> Path:
    """Write a zip of texts and return its path."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


def write_sqlite(path: Path, script: str, version: int = 0) -> Path:
    """Write a SQLite file and return its path."""
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()
    return path


_LOOP_HABITS = (
    "CREATE TABLE Habits (id INTEGER PRIMARY KEY AUTOINCREMENT, archived INTEGER, color INTEGER, description TEXT, "
    "freq_den INTEGER, freq_num INTEGER, name TEXT, position INTEGER, reminder_hour INTEGER, reminder_min INTEGER, "
    "reminder_days INTEGER NOT NULL DEFAULT 127, type INTEGER NOT NULL DEFAULT 0, "
    "target_type INTEGER NOT NULL DEFAULT 0, target_value REAL NOT NULL DEFAULT 0, unit TEXT NOT NULL DEFAULT '', "
    "question TEXT, uuid TEXT);"
    "CREATE TABLE Repetitions (id INTEGER PRIMARY KEY AUTOINCREMENT, habit INTEGER, timestamp INTEGER, "
    "value INTEGER, notes TEXT);"
)


def write_loop(
    path: Path, habits: Sequence[Mapping[str, Any]], days: Sequence[tuple[Any, ...]], version: int = 25
) -> Path:
    """Write a Loop backup: habits by column, days as (habit, date, value, notes)."""
    write_sqlite(path, _LOOP_HABITS, version)
    with closing(sqlite3.connect(path)) as db:
        for position, given in enumerate(habits):
            row = {"archived": 0, "freq_num": 1, "freq_den": 1, "position": position, "name": "운동", **given}
            marks = ", ".join("?" * len(row))
            db.execute(f"INSERT INTO Habits ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))
        for habit, day, value, notes in days:
            moment = loop_time(day) if isinstance(day, str) else day
            statement = "INSERT INTO Repetitions (habit, timestamp, value, notes) VALUES (?, ?, ?, ?)"
            db.execute(statement, (habit, moment, value, notes))
        db.commit()
    return path


def loop_time(day: str) -> int:
    """Milliseconds at UTC midnight of a civil day, as Loop stores it."""
    return (date.fromisoformat(day).toordinal() - date(1970, 1, 1).toordinal()) * DAY_MS


def days(habit: ImportedHabit) -> list[tuple[str, str, float | None, str]]:
    """The days of a habit that was read: date, value, amount and note."""
    return [(entry.day.isoformat(), entry.value.value, entry.amount, entry.note) for entry in habit.entries]


def export(store: Store, path: Path) -> dict[str, Any]:
    """The profile as LifeHelper's own file holds it, written to `path`."""
    store.transfers.export_json(path)
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value
