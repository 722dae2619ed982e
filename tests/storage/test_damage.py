"""Damaged files, full disks, read-only files: told in words with the next step, nothing half-written or lost."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.domain.habits import EntryValue, NewHabit
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.storage.database import (
    Database,
    DatabaseCorrupt,
    DatabaseReadOnly,
    StorageFailed,
    StorageFull,
    world_errors,
)
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.opening import restore_backup
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import FRAME, ROOT, TODAY, add, day, dump


@pytest.fixture
def filled(paths: AppPaths, clock: FixedClock) -> Path:
    """A closed database with a habit, 400 entries and one backup; returns the backup."""
    store = open_store(paths, clock)
    habit = add(store)
    with store.db.write():
        for offset in range(-399, 1):
            store.entries.change(habit.id, day(offset), EntryValue.DONE, note="가나다라 " * 10)
    backup = store.db.backup("manual")
    store.close()
    return backup


def damage(path: Path, how: str) -> None:
    content = bytearray(path.read_bytes())
    if how == "text":
        content = bytearray("이건 데이터베이스가 아니에요. ".encode() * 500)
    elif how == "random":
        content = bytearray(bytes((number * 167 + 13) % 256 for number in range(50_000)))
    elif how == "half":
        del content[len(content) // 2 :]
    elif how == "one page":
        del content[4096:]
    elif how == "header only":
        del content[100:]
    elif how == "empty":
        content.clear()
    elif how == "pages overwritten":
        content[4096 : 4096 * 6] = b"\xa5" * (4096 * 5)
    path.write_bytes(content)


@pytest.mark.parametrize("how", ["text", "random", "half", "one page", "header only", "empty", "pages overwritten"])
def test_a_damaged_file_is_refused_and_can_be_restored(
    paths: AppPaths, clock: FixedClock, filled: Path, how: str
) -> None:
    damage(paths.database, how)
    broken = paths.database.read_bytes()
    with pytest.raises(DatabaseCorrupt) as caught:
        open_store(paths, clock)
    assert caught.value.newest_backup == filled
    assert str(filled) in caught.value.next_step
    assert paths.database.read_bytes() == broken  # refused, not replaced

    aside = restore_backup(paths, filled)
    assert aside.read_bytes() == broken
    assert filled.exists()
    store = open_store(paths, clock)
    assert len(store.entries.for_habit(1)) == 400
    store.entries.change(1, TODAY, None)
    store.close()
    assert not list(paths.data.glob("*.restored-*"))


def test_without_a_backup_the_message_says_so(paths: AppPaths, clock: FixedClock) -> None:
    paths.data.mkdir(parents=True)
    paths.database.write_text("쓰레기" * 1000, encoding="utf-8")
    with pytest.raises(DatabaseCorrupt) as caught:
        open_store(paths, clock)
    assert caught.value.newest_backup is None
    assert str(paths.database) in caught.value.next_step


def test_the_newest_backup_that_can_be_read_is_named(paths: AppPaths, clock: FixedClock, filled: Path) -> None:
    (paths.backups / "lifehelper-99991231T235959.000000Z-daily.db").write_bytes(filled.read_bytes()[:5000])
    (paths.backups / "lifehelper-99991231T235958.000000Z-daily.db").write_bytes(b"")
    (paths.backups / "notes.txt").write_text("x", encoding="utf-8")
    damage(paths.database, "text")
    with pytest.raises(DatabaseCorrupt) as caught:
        open_store(paths, clock)
    assert caught.value.newest_backup == filled


def test_another_programs_database_is_refused(paths: AppPaths, clock: FixedClock) -> None:
    paths.data.mkdir(parents=True)
    with closing(sqlite3.connect(paths.database)) as db:
        db.execute("CREATE TABLE Habits (Id INTEGER)")
        db.commit()
    with pytest.raises(DatabaseCorrupt):
        open_store(paths, clock)
    with closing(sqlite3.connect(paths.database)) as db:
        assert db.execute("SELECT name FROM sqlite_master").fetchall() == [("Habits",)]


@pytest.mark.parametrize("lost", ["habit", "habit_variant", "habit_pause", "entry", "setting"])
def test_a_file_that_lacks_a_table_is_damaged(paths: AppPaths, clock: FixedClock, filled: Path, lost: str) -> None:
    with closing(sqlite3.connect(paths.database)) as db:
        db.execute(f"DROP TABLE {lost}")
        db.commit()
    with pytest.raises(DatabaseCorrupt) as caught:
        open_store(paths, clock)
    assert caught.value.newest_backup == filled
    broken = paths.backups / "lifehelper-99991231T235959.000000Z-daily.db"
    broken.write_bytes(paths.database.read_bytes())
    assert backups.newest_readable_backup(paths) == filled


def test_a_file_that_forgot_its_migrations_is_damaged(paths: AppPaths, clock: FixedClock, filled: Path) -> None:
    with closing(sqlite3.connect(paths.database)) as db:
        db.execute("DELETE FROM migration")
        db.commit()
    with pytest.raises(DatabaseCorrupt):
        open_store(paths, clock)


def test_a_zero_length_file_without_backups_is_a_beginning(paths: AppPaths, clock: FixedClock) -> None:
    paths.data.mkdir(parents=True)
    paths.database.touch()
    store = open_store(paths, clock)
    add(store)
    store.close()


def test_a_damaged_backup_is_not_put_in_place(paths: AppPaths, clock: FixedClock, filled: Path) -> None:
    content = paths.database.read_bytes()
    filled.write_bytes(b"broken")
    with pytest.raises(DatabaseCorrupt):
        restore_backup(paths, filled)
    assert paths.database.read_bytes() == content


def test_restoring_takes_the_wal_aside(paths: AppPaths, clock: FixedClock, filled: Path) -> None:
    wal = paths.database.with_name("lifehelper.db-wal")
    wal.write_bytes(b"rows of the broken file")
    aside = restore_backup(paths, filled)
    assert not wal.exists()
    assert aside.with_name(f"{aside.name}-wal").read_bytes() == b"rows of the broken file"
    open_store(paths, clock).close()


def test_restoring_works_without_hard_links_and_without_a_file(
    paths: AppPaths, clock: FixedClock, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(source: Path, target: Path) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "link", no_links)
    content = paths.database.read_bytes()
    assert restore_backup(paths, filled).read_bytes() == content
    paths.database.unlink()
    assert not restore_backup(paths, filled).exists()
    open_store(paths, clock).close()


def test_damage_that_shows_while_running_is_told(paths: AppPaths, clock: FixedClock, filled: Path) -> None:
    store = open_store(paths, clock)
    damage(paths.database, "pages overwritten")
    with store.db.read():
        store.db.sql("PRAGMA shrink_memory")  # SQLite would go on with what it remembers
    with pytest.raises(DatabaseCorrupt) as caught:
        store.overviews()
    assert caught.value.newest_backup == backups.newest_readable_backup(paths)
    store.close()


def fill_disk(store: Store) -> None:
    """Let SQLite believe that the disk is full: the file may not grow by a single page."""
    with store.db.read():
        pages = store.db.sql("PRAGMA page_count")[0][0]
        store.db.sql(f"PRAGMA max_page_count = {pages}")


def test_a_full_disk_refuses_the_write_and_keeps_every_earlier_one(store: Store) -> None:
    habit = add(store)
    fill_disk(store)
    kept = 0

    def write_on() -> None:
        nonlocal kept
        for offset in range(0, -2000, -1):
            store.entries.change(habit.id, day(offset), EntryValue.DONE, note="가득 " * 60)
            kept += 1

    with pytest.raises(StorageFull) as caught:
        write_on()
    assert "공간" in caught.value.message
    assert caught.value.next_step
    assert 0 < kept < 2000
    assert len(store.entries.for_habit(habit.id)) == kept
    assert store.habits.get(habit.id).start == day(1 - kept)  # not moved by the write that failed
    with store.db.read():
        assert store.db.sql("PRAGMA integrity_check") == [("ok",)]
        store.db.sql("PRAGMA max_page_count = 1000000")
    store.entries.change(habit.id, day(-kept), EntryValue.DONE)
    assert len(store.entries.for_habit(habit.id)) == kept + 1


def test_a_full_disk_leaves_no_half_habit(store: Store) -> None:
    add(store)
    with store.db.write():
        for number in range(500):
            store.db.sql("INSERT INTO setting VALUES (?, ?)", (f"filler {number}", "가" * 300))
    fill_disk(store)

    def add_much() -> None:
        with store.db.write():
            store.habits.add(NewHabit("morning-sunlight", 2, FRAME))
            for number in range(500):
                store.db.sql("INSERT INTO setting VALUES (?, ?)", (f"more {number}", "가" * 300))

    with pytest.raises(StorageFull):
        add_much()
    assert [habit.catalogue_id for habit in store.habits.list()] == ["daily-steps"]
    with store.db.read():
        assert store.db.sql("SELECT COUNT(*) FROM habit_variant") == [(2,)]


def test_a_read_only_file_can_be_read_and_refuses_writes(store: Store, clock: FixedClock) -> None:
    habit = add(store)
    before = dump(store)
    db = Database(store.paths, uri=f"{store.paths.database.as_uri()}?mode=ro")
    habits = HabitRepository(db, Catalogue.load(), clock, lambda: TODAY)
    assert habits.list() == [habit]
    for write in (
        lambda: habits.pause(habit.id),
        lambda: habits.archive(habit.id),
        lambda: habits.add(NewHabit("morning-sunlight", 2, FRAME)),
    ):
        with pytest.raises(DatabaseReadOnly) as caught:
            write()
        assert str(store.paths.data) in caught.value.next_step
    assert habits.list() == [habit]
    db.close()
    assert dump(store) == before


def block_writing_beside(paths: AppPaths) -> Path:
    """Take away what WAL needs even for reading, as a read-only folder or a full disk does."""
    shm = paths.database.with_name(f"{paths.database.name}-shm")
    if os.name == "nt":
        shm.mkdir()
    else:  # SQLite follows no link here; a folder it would open for reading
        shm.symlink_to(paths.data / "nowhere")
    return shm


@pytest.mark.parametrize(("full", "expected"), [(False, DatabaseReadOnly), (True, StorageFull)])
def test_where_nothing_can_be_written_the_data_can_still_be_read(
    store: Store, clock: FixedClock, monkeypatch: pytest.MonkeyPatch, full: bool, expected: type[WorldError]
) -> None:
    habit = add(store)
    store.entries.log(habit.id, EntryValue.DONE)
    store.close()
    shm = block_writing_beside(store.paths)
    monkeypatch.setattr("lifehelper_desktop.storage.errors._nearly_full", lambda folder: full)
    content = store.paths.database.read_bytes()
    reading = open_store(store.paths, clock)
    assert reading.db.is_read_only
    assert [overview.habit for overview in reading.overviews()] == [habit]
    assert reading.settings.get_int(DAY_START_MINUTES) == DAY_START_MINUTES.default
    for write in (
        lambda: reading.entries.change(habit.id, TODAY, None),
        lambda: reading.habits.archive(habit.id),
        lambda: reading.settings.set(DAY_START_MINUTES, 0),
    ):
        with pytest.raises(expected):
            write()
    reading.close()
    assert store.paths.database.read_bytes() == content
    shm.rmdir() if os.name == "nt" else shm.unlink()
    again = open_store(store.paths, clock)
    assert not again.db.is_read_only
    assert again.entries.change(habit.id, TODAY, None)
    again.close()


def test_rows_that_only_the_wal_holds_are_never_left_out(store: Store, clock: FixedClock, paths: AppPaths) -> None:
    add(store)
    content, wal = store.paths.database.read_bytes(), Path(f"{store.paths.database}-wal").read_bytes()
    assert wal
    other = resolve_paths(paths.data.with_name("copy"))
    other.data.mkdir()
    other.database.write_bytes(content)
    Path(f"{other.database}-wal").write_bytes(wal)
    block_writing_beside(other)
    with pytest.raises(StorageFailed):
        open_store(other, clock)


def test_an_old_schema_is_not_read_without_its_migration(paths: AppPaths, clock: FixedClock) -> None:
    paths.data.mkdir(parents=True)
    with closing(sqlite3.connect(paths.database)) as db:
        db.executescript((ROOT / "tests" / "data" / "db_0001.sql").read_text(encoding="utf-8"))
        db.execute("PRAGMA journal_mode=wal")
    block_writing_beside(paths)
    with pytest.raises(StorageFailed):
        open_store(paths, clock)


def test_a_connection_that_became_read_only(store: Store) -> None:
    habit = add(store)
    with store.db.read():
        store.db.sql("PRAGMA query_only = 1")
    with pytest.raises(DatabaseReadOnly):
        store.entries.log(habit.id, EntryValue.DONE)
    assert store.overviews()[0].today_entry is None
    with store.db.read():
        store.db.sql("PRAGMA query_only = 0")
    store.entries.log(habit.id, EntryValue.DONE)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(WorldError) as caught:
        open_store(resolve_paths(tmp_path / "file" / "data"))
    assert caught.value.next_step


def test_a_folder_in_the_files_place_is_told(paths: AppPaths) -> None:
    paths.database.mkdir(parents=True)
    with pytest.raises(StorageFailed):
        open_store(paths)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.ENOSPC, StorageFull),
        (errno.EDQUOT, StorageFull),
        (errno.EROFS, DatabaseReadOnly),
        (errno.EACCES, DatabaseReadOnly),
        (errno.EIO, StorageFailed),
    ],
)
def test_errors_of_the_system(paths: AppPaths, code: int, expected: type[WorldError]) -> None:
    with pytest.raises(expected), world_errors(paths):
        raise OSError(code, os.strerror(code))


def test_our_own_mistakes_pass_unchanged(store: Store) -> None:
    with pytest.raises(Exception, match="syntax error") as caught, store.db.write():
        store.db.sql("SELEC 1")
    assert not isinstance(caught.value, WorldError)
    with pytest.raises(OSError, match="no number"), world_errors():
        raise OSError("no number")
    with pytest.raises(sqlite3.ProgrammingError), world_errors():
        raise sqlite3.ProgrammingError("ours")


def test_no_backup_is_left_half_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add(store)

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(StorageFull):
        store.db.backup("manual")
    assert list(store.paths.backups.iterdir()) == []
    assert backups.list_backups(store.paths) == []
