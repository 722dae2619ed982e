"""Migrations: once each, in one transaction, after a backup; newer files are refused; old ones upgrade."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.database import DatabaseTooNew
from lifehelper_desktop.storage.migrations import MIGRATIONS, Execute, m0001_initial, migration_names
from lifehelper_desktop.storage.opening import open_database
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import add, day

OLD_DATABASES = sorted((Path(__file__).parents[1] / "data").glob("db_*.sql"))


def make(paths: AppPaths, script: Path) -> None:
    paths.data.mkdir(parents=True)
    with closing(sqlite3.connect(paths.database)) as db:
        db.executescript(script.read_text(encoding="utf-8"))
        db.commit()


def schema(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    tight = {name: "".join(sql.split()).replace("IFNOTEXISTS", "") for name, sql in rows}
    tight.pop("sqlite_sequence", None)
    return tight


def m0099_colour(execute: Execute) -> None:
    execute("ALTER TABLE habit ADD COLUMN colour TEXT")


def m0099_broken(execute: Execute) -> None:
    execute("ALTER TABLE habit ADD COLUMN colour TEXT")
    execute("INSERT INTO no_such_table VALUES (1)")


def test_names_are_in_order_and_unique() -> None:
    names = migration_names()
    assert list(names) == sorted(set(names))
    assert all(name.startswith(f"m{number:04}_") for number, name in enumerate(names, 1))
    assert all(migration.__doc__ for migration in MIGRATIONS)


def test_there_is_an_old_database_for_every_schema() -> None:
    assert [path.stem for path in OLD_DATABASES] == [f"db_{number:04}" for number in range(1, len(MIGRATIONS) + 1)]


@pytest.mark.parametrize("script", OLD_DATABASES, ids=lambda path: path.stem)
def test_every_old_database_upgrades(paths: AppPaths, clock: FixedClock, tmp_path: Path, script: Path) -> None:
    make(paths, script)
    store = open_store(paths, clock)
    habit = store.habits.get(1)
    assert habit.protocol_id == "daily-steps"
    assert habit.paused_ranges == ((day(-7), day(-6)),)
    assert (habit.standard_dose, habit.minimum_dose) == ("하루 7,000보", "집 둘레 5분 걷기")
    assert [entry.value for entry in store.entries.for_habit(1).values()] == [
        EntryValue.DONE,
        EntryValue.MINIMUM,
        EntryValue.BLANK,
    ]
    assert store.entries.for_habit(1)[day(-10)].note == "집 앞만 🙂"
    archived = store.habits.get(2)
    assert archived.status is HabitStatus.ARCHIVED
    assert archived.minimum_dose is None
    assert archived.schedule == Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5}))
    assert store.settings.get_int(DAY_START_MINUTES) == 300
    assert len(store.overviews()) == 1
    store.close()
    fresh = AppPaths(tmp_path / "fresh", tmp_path / "cache", tmp_path / "logs")
    open_store(fresh, clock).close()
    assert schema(paths.database) == schema(fresh.database)


def test_a_new_migration_runs_once_after_a_backup(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    add(store)
    store.close()
    steps = (*MIGRATIONS, m0099_colour)
    for _round in range(2):
        db = open_database(paths, steps)
        with db.read():
            assert db.sql("SELECT colour FROM habit") == [(None,)]
            assert [name for (name,) in db.sql("SELECT name FROM migration")] == [*migration_names(), "m0099_colour"]
            assert db.sql("PRAGMA user_version") == [(len(MIGRATIONS) + 1,)]
        db.close()
    made = [path for path in backups.list_backups(paths) if "-migration" in path.name]
    assert len(made) == 1
    with closing(sqlite3.connect(f"{made[0].as_uri()}?mode=ro", uri=True)) as old:
        assert "colour" not in [row[1] for row in old.execute("PRAGMA table_info(habit)")]
        assert old.execute("SELECT COUNT(*) FROM habit").fetchone() == (1,)


def test_a_fresh_file_needs_no_backup(paths: AppPaths) -> None:
    open_database(paths, (*MIGRATIONS, m0099_colour)).close()
    assert backups.list_backups(paths) == []


def test_a_migration_that_fails_leaves_the_old_schema(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    add(store)
    store.close()
    before = schema(paths.database)
    with pytest.raises(Exception, match="no_such_table"):
        open_database(paths, (*MIGRATIONS, m0099_broken))
    assert schema(paths.database) == before
    store = open_store(paths, clock)
    assert len(store.habits.list()) == 1
    store.close()


def test_without_a_backup_nothing_is_migrated(paths: AppPaths, clock: FixedClock) -> None:
    open_store(paths, clock).close()
    before = schema(paths.database)
    paths.backups.write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(WorldError):
        open_database(paths, (*MIGRATIONS, m0099_colour))
    assert schema(paths.database) == before


@pytest.mark.parametrize(
    "sign",
    ["INSERT INTO migration VALUES ('m9999_future', 'x')", "PRAGMA user_version = 9999"],
    ids=["name", "version"],
)
def test_a_newer_file_is_refused_and_left_alone(store: Store, clock: FixedClock, sign: str) -> None:
    add(store)
    with store.db.write():
        store.db.sql(sign)
    store.close()
    content = store.paths.database.read_bytes()
    with pytest.raises(DatabaseTooNew) as caught:
        open_store(store.paths, clock)
    assert "버전" in caught.value.message
    assert caught.value.next_step
    assert store.paths.database.read_bytes() == content


def test_the_initial_schema_is_what_it_was(paths: AppPaths, tmp_path: Path) -> None:
    """Editing an old migration instead of appending one fails here."""
    make(paths, OLD_DATABASES[0])
    fresh = AppPaths(tmp_path / "fresh", tmp_path, tmp_path)
    open_database(fresh, (m0001_initial,)).close()
    assert schema(paths.database) == schema(fresh.database)


def test_0002_finds_the_day_on_which_each_habit_was_added(paths: AppPaths, clock: FixedClock) -> None:
    make(paths, OLD_DATABASES[0])
    with closing(sqlite3.connect(paths.database)) as db:
        # Added on the 10th; an entry of June moved the start back. The other one was added at two in the night.
        db.execute("UPDATE habit SET start = '2026-06-01', created_at = '2026-08-10T09:00:00+09:00' WHERE id = 1")
        db.execute("UPDATE entry SET date = '2026-06-01' WHERE id = 1")
        db.execute("UPDATE habit SET created_at = '2026-07-02T02:00:00+09:00' WHERE id = 2")
        db.commit()
    store = open_store(paths, clock)
    with store.db.read():
        assert store.db.sql("SELECT id, created_on FROM habit") == [(1, "2026-08-10"), (2, "2026-07-01")]
    store.entries.change(1, date(2026, 6, 1), None)
    assert store.habits.get(1).start == day(-10)  # the next entry
    store.close()
    [made] = [path for path in backups.list_backups(paths) if "-migration" in path.name]
    with closing(sqlite3.connect(f"{made.as_uri()}?mode=ro", uri=True)) as old:
        assert "created_on" not in [row[1] for row in old.execute("PRAGMA table_info(habit)")]
        assert old.execute("SELECT COUNT(*) FROM entry").fetchone() == (3,)


def test_0006_keeps_each_schedule_from_the_start_of_the_habit(paths: AppPaths, clock: FixedClock) -> None:
    make(paths, OLD_DATABASES[4])
    store = open_store(paths, clock)
    with store.db.read():
        assert store.db.sql("SELECT habit_id, from_day, kind, weekdays, times, days FROM habit_schedule") == [
            (1, "2026-08-01", "daily", "", 0, 0),
            (2, "2026-07-01", "weekdays", "135", 0, 0),
            (3, "2026-08-01", "daily", "", 0, 0),
            (4, "2024-03-01", "daily", "", 0, 0),
        ]
        tokens = dict(store.db.sql("SELECT habit_id, token FROM entry_state"))
    assert set(tokens) == {1, 4}  # those that have entries
    mon_wed_fri = Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5}))
    assert store.habits.get(2).schedules == ((date(2026, 7, 1), mon_wed_fri),)
    store.habits.set_schedule(1, Schedule(ScheduleKind.EVERY_DAYS, days=365))
    assert store.habits.get(1).schedules[-1] == (day(0), Schedule(ScheduleKind.EVERY_DAYS, days=365))
    store.close()


def test_0006_lets_undo_take_back_a_habit_that_was_added_before(paths: AppPaths, clock: FixedClock) -> None:
    make(paths, OLD_DATABASES[4])
    with closing(sqlite3.connect(paths.database)) as db:
        columns = [row[1] for row in db.execute("PRAGMA table_info(habit)")]
        values = {"id": "9", "protocol_id": "'three-good-things'", "position": "9", "deleted_on": "NULL"}
        chosen = ", ".join(values.get(name, name) for name in columns)
        db.execute(f"INSERT INTO habit SELECT {chosen} FROM habit WHERE id = 3")
        db.execute("INSERT INTO journal VALUES (9, '2026-08-11T09:00:00+09:00', 'window', '{}', 'done')")
        image = ", ".join(f"'{name}', {name}" for name in columns)
        db.execute(
            "INSERT INTO journal_row SELECT 9, 'habit', json_array(id), NULL, "
            f"json_object({image}) FROM habit WHERE id = 9"
        )
        db.commit()
    store = open_store(paths, clock)
    assert store.habits.get(9).schedules == ((date(2026, 8, 1), DAILY),)
    store.journal.undo()
    assert [habit.id for habit in store.habits.list()] == [1]
    store.journal.redo()
    assert store.habits.get(9).schedules == ((date(2026, 8, 1), DAILY),)
    store.close()
