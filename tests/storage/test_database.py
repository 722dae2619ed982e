"""The schema's own checks, connections, transactions, threads and backups."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta

import peewee
import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.database import DatabaseBusy, DatabaseClosed
from lifehelper_desktop.storage.opening import open_database
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import add, day, dump

HABIT = {
    "protocol_id": "daily-steps",
    "break_protocol_id": None,
    "kind": "protocol",
    "title_ko": "하루 걷기",
    "title_en": "Daily steps",
    "frame_level": 2,
    "framed_text": "걷는다",
    "anchor_when": None,
    "anchor_after_what": "점심 뒤",
    "anchor_source": "user",
    "status": "active",
    "start": "2026-08-01",
    "archived_on": None,
    "position": 0,
    "schedule_kind": "daily",
    "schedule_weekdays": "",
    "schedule_times": 0,
    "created_at": "x",
    "updated_at": "x",
}
ENTRY = {
    "habit_id": 1,
    "date": "2026-08-01",
    "value": "done",
    "is_minimum": 0,
    "note": "",
    "created_at": "x",
    "updated_at": "x",
}


def insert(store: Store, table: str, row: dict[str, object]) -> None:
    with store.db.write():
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        store.db.sql(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))


@pytest.mark.parametrize(
    "change",
    [
        {"frame_level": 0},
        {"frame_level": 4},
        {"frame_level": 1.5},
        {"frame_level": "과정"},
        {"frame_level": None},
        {"protocol_id": None},
        {"break_protocol_id": "break-smoking"},
        {"protocol_id": None, "break_protocol_id": "break-smoking"},  # kind says protocol
        {"kind": "break"},
        {"kind": "other"},
        {"framed_text": "걷"},
        {"framed_text": "가" * 81},
        {"anchor_when": ""},
        {"anchor_when": "가" * 61},
        {"anchor_source": "model"},
        {"status": "deleted"},
        {"status": "archived"},
        {"archived_on": "2026-08-02"},
        {"start": "2026-8-1"},
        {"start": "2026-02-30"},
        {"start": "2026-13-01"},
        {"start": "오늘"},
        {"position": "first"},
        {"schedule_kind": "weekdays"},
        {"schedule_kind": "weekdays", "schedule_weekdays": "18"},
        {"schedule_kind": "per_week"},
        {"schedule_kind": "per_week", "schedule_times": 8},
        {"schedule_times": 2},
    ],
    ids=str,
)
def test_habit_rows_are_checked(store: Store, change: dict[str, object]) -> None:
    with pytest.raises(peewee.IntegrityError):
        insert(store, "habit", HABIT | change)


@pytest.mark.parametrize(
    "change",
    [
        {"value": "minimum"},
        {"value": "missed"},
        {"value": "blank", "is_minimum": 1},
        {"is_minimum": 2},
        {"is_minimum": None},
        {"date": "2026-08-32"},
        {"date": "20260801"},
        {"date": "2026-02-29"},
        {"note": "가" * 201},
        {"habit_id": 99},
        {},  # the same day twice
    ],
    ids=str,
)
def test_entry_rows_are_checked(store: Store, change: dict[str, object]) -> None:
    insert(store, "habit", HABIT)
    if not change:
        insert(store, "entry", ENTRY)
    with pytest.raises(peewee.IntegrityError):
        insert(store, "entry", ENTRY | change)


def test_other_rows_are_checked(store: Store) -> None:
    insert(store, "habit", HABIT)
    with pytest.raises(peewee.IntegrityError):  # the same entry of the catalogue twice at a time
        insert(store, "habit", HABIT | {"position": 1})
    insert(store, "habit", HABIT | {"status": "archived", "archived_on": "2026-08-02"})
    insert(store, "habit_variant", {"habit_id": 1, "is_minimum": 0, "dose": "20분"})
    for change in ({"is_minimum": 2}, {"dose": ""}, {"habit_id": 9}, {"dose": "다시"}):
        with pytest.raises(peewee.IntegrityError):
            insert(store, "habit_variant", {"habit_id": 1, "is_minimum": 0, "dose": "20분"} | change)
    insert(store, "habit_pause", {"habit_id": 1, "first_day": "2026-08-05", "last_day": None})
    for first, last in (("2026-08-09", None), ("2026-08-09", "2026-08-08"), ("어제", "2026-08-08")):
        with pytest.raises(peewee.IntegrityError):
            insert(store, "habit_pause", {"habit_id": 1, "first_day": first, "last_day": last})


def test_connection_settings(store: Store) -> None:
    with store.db.read():
        values = {
            name: store.db.sql(f"PRAGMA {name}")[0][0] for name in ("journal_mode", "foreign_keys", "synchronous")
        }
        assert store.db.sql("PRAGMA busy_timeout")[0][0] >= 5000
    assert values == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2}


def test_an_error_undoes_the_whole_transaction(store: Store) -> None:
    add(store)
    before = dump(store)

    def write_and_fail() -> None:
        with store.db.write():
            store.db.sql("UPDATE habit SET position = 7")
            with store.db.write():
                store.db.sql("DELETE FROM habit_variant")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert dump(store) == before


def test_a_write_that_waits_too_long_is_told(store: Store) -> None:
    habit = add(store)
    with closing(sqlite3.connect(store.paths.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with store.db.read():
            store.db.sql("PRAGMA busy_timeout = 1")
        with pytest.raises(DatabaseBusy) as caught:
            store.entries.log(habit.id, EntryValue.DONE)
        assert caught.value.message
        assert caught.value.next_step
        assert store.overviews()[0].today_entry is None  # reading goes on
        other.execute("ROLLBACK")
    store.entries.log(habit.id, EntryValue.DONE)


def test_data_version_shows_writes_of_others(store: Store, clock: FixedClock) -> None:
    before = store.db.data_version()
    add(store)
    assert store.db.data_version() == before  # our own
    other = open_store(store.paths, clock)
    add(other, "morning-sunlight")
    other.close()
    assert store.db.data_version() != before


def test_threads_have_their_own_connections_and_close_closes_all(store: Store) -> None:
    add(store)
    opened, go_on, seen = threading.Event(), threading.Event(), []

    def other() -> None:
        seen.append(len(store.habits.list()))
        opened.set()
        go_on.wait(10)
        try:
            store.habits.list()
        except DatabaseClosed as error:
            seen.append(error)

    thread = threading.Thread(target=other)
    thread.start()
    assert opened.wait(10)
    store.close()
    go_on.set()
    thread.join(10)
    assert seen[0] == 1
    assert isinstance(seen[1], DatabaseClosed)
    assert not store.paths.database.with_name("lifehelper.db-wal").exists()  # all connections are closed
    store.close()
    with pytest.raises(DatabaseClosed):
        store.habits.list()


def test_closing_waits_for_a_running_write(store: Store) -> None:
    habit = add(store)
    inside, go_on = threading.Event(), threading.Event()

    def writer() -> None:
        with store.db.write():
            store.entries.log(habit.id, EntryValue.DONE)
            inside.set()
            go_on.wait(10)

    thread = threading.Thread(target=writer)
    thread.start()
    assert inside.wait(10)
    closer = threading.Thread(target=store.close)
    closer.start()
    go_on.set()
    thread.join(10)
    closer.join(10)
    with closing(sqlite3.connect(store.paths.database)) as db:
        assert db.execute("SELECT COUNT(*) FROM entry").fetchone() == (1,)


def test_connections_of_ended_threads_are_given_back(store: Store) -> None:
    for _round in range(5):
        thread = threading.Thread(target=store.habits.list)
        thread.start()
        thread.join(10)
    assert len(store.db._sqlite._known) <= 2


def test_backup_holds_rows_that_lie_in_the_wal(store: Store) -> None:
    habit = add(store)
    for offset in range(-5, 1):
        store.entries.change(habit.id, day(offset), EntryValue.DONE)
    backup = store.db.backup("Before Import!")
    assert backup.name.endswith("-before-import.db")
    assert backups.is_readable(backup)
    with closing(sqlite3.connect(f"{backup.as_uri()}?mode=ro", uri=True)) as db:
        assert db.execute("SELECT COUNT(*) FROM entry").fetchone() == (6,)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    assert [path.name for path in store.paths.backups.iterdir()] == [backup.name]  # nothing half-done beside it


def test_the_newest_ten_backups_are_kept(store: Store) -> None:
    add(store)
    made = [store.db.backup("manual") for _ in range(12)]
    assert backups.list_backups(store.paths) == made[2:]
    assert backups.newest_readable_backup(store.paths) == made[-1]
    made[-1].write_bytes(b"broken")
    assert backups.newest_readable_backup(store.paths) == made[-2]


def test_a_daily_backup_is_made_at_opening(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    store.close()
    open_store(paths, clock).close()
    assert backups.list_backups(paths) == []  # no habit to lose yet
    store = open_store(paths, clock)
    add(store)
    store.close()
    for _round in range(3):
        open_store(paths, clock).close()
    (only,) = backups.list_backups(paths)
    assert only.name.endswith("-daily.db")
    now = datetime.now(UTC)
    assert not backups.is_backup_due(paths, now)
    assert backups.is_backup_due(paths, now + timedelta(days=1, minutes=1))
    with pytest.raises(ValueError):
        backups.backup_time(paths.database)


def test_a_daily_backup_that_fails_does_not_keep_the_program_shut(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    add(store)
    store.close()
    paths.backups.write_text("a file where the folder should be", encoding="utf-8")
    store = open_store(paths, clock)
    assert len(store.habits.list()) == 1
    store.close()


def test_opening_again_finds_everything(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    habit = add(store)
    store.entries.log(habit.id, EntryValue.MINIMUM, note="두 줄\n🙂")
    before = dump(store)
    store.close()
    again = open_store(paths, clock)
    assert dump(again) == before
    assert again.habits.get(habit.id) == habit
    again.close()


def test_constraints_hold_after_the_check_at_opening(paths: AppPaths, clock: FixedClock) -> None:
    open_store(paths, clock).close()
    store = open_store(paths, clock)
    with pytest.raises(peewee.IntegrityError):
        insert(store, "habit", HABIT | {"frame_level": 4})
    store.close()


def test_open_database_is_enough_for_tools(paths: AppPaths) -> None:
    db = open_database(paths)
    assert db.data_version() > 0
    db.close()
