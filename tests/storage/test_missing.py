"""A database file that is gone beside its backups: nothing starts empty unless the user says so."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.errors import DatabaseCorrupt, DatabaseMissing
from lifehelper_desktop.storage.opening import begin_anew, restore_backup
from lifehelper_desktop.storage.restoring import Contents, backup_infos, find_backup, look_into, remove_manual
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import add


@pytest.fixture
def gone(paths: AppPaths, clock: FixedClock) -> Path:
    """A folder with a backup of one habit and without the database; returns the backup."""
    store = open_store(paths, clock)
    add(store)
    made = store.db.backup("manual")
    store.close()
    for path in paths.data.glob("lifehelper.db*"):
        path.unlink()
    return made


def test_it_is_told_and_nothing_is_made(paths: AppPaths, clock: FixedClock, gone: Path) -> None:
    with pytest.raises(DatabaseMissing) as caught:
        open_store(paths, clock)
    assert str(paths.database) in caught.value.message
    assert caught.value.newest_backup == gone
    assert str(gone) in caught.value.next_step
    assert not paths.database.exists()
    assert str(caught.value) == f"{caught.value.message} {caught.value.next_step}"


def test_the_backup_takes_its_place(paths: AppPaths, clock: FixedClock, gone: Path) -> None:
    restore_backup(paths, gone)
    store = open_store(paths, clock)
    assert len(store.habits.list()) == 1
    store.close()


def test_it_starts_empty_on_the_users_word(paths: AppPaths, clock: FixedClock, gone: Path) -> None:
    wal = Path(f"{paths.database}-wal")
    wal.write_bytes(b"rows of a file that is gone")
    assert begin_anew(paths) is None
    assert gone.exists()
    store = open_store(paths, clock)
    assert store.habits.list() == []
    with store.db.read():
        assert store.db.sql("PRAGMA journal_mode") == [("wal",)]
    add(store)
    store.close()
    assert not list(paths.data.glob("restore-*"))


def test_backups_that_are_all_damaged_are_no_reason_to_start_empty(
    paths: AppPaths, clock: FixedClock, gone: Path
) -> None:
    gone.write_bytes(b"x" * 5000)
    with pytest.raises(DatabaseMissing) as caught:
        open_store(paths, clock)
    assert caught.value.newest_backup is None
    assert "백업도 읽을 수 없어요" in caught.value.next_step


def test_a_damaged_file_goes_aside_when_the_user_begins_anew(paths: AppPaths, clock: FixedClock) -> None:
    paths.data.mkdir(parents=True)
    paths.database.write_bytes(b"broken " * 1000)
    with pytest.raises(DatabaseCorrupt):
        open_store(paths, clock)
    aside = begin_anew(paths)
    assert aside is not None
    assert aside.read_bytes() == b"broken " * 1000
    open_store(paths, clock).close()


def test_without_backups_a_missing_file_is_a_beginning(paths: AppPaths, clock: FixedClock) -> None:
    open_store(paths, clock).close()
    assert paths.database.exists()


def test_a_backup_of_a_newer_version_is_no_way_back(paths: AppPaths, clock: FixedClock, gone: Path) -> None:
    newer = paths.backups / "lifehelper-99990101T000000.000000Z-daily.db"
    newer.write_bytes(gone.read_bytes())
    with closing(sqlite3.connect(newer)) as db:
        db.execute("PRAGMA user_version = 999")
    with pytest.raises(DatabaseMissing) as caught:
        open_store(paths, clock)
    assert caught.value.newest_backup == gone


def test_newest_is_the_newest_that_can_be_read(paths: AppPaths, gone: Path) -> None:
    broken = paths.backups / "lifehelper-99990101T000000.000000Z-daily.db"
    broken.write_bytes(b"x" * 5000)
    assert find_backup(paths, "newest").path == gone
    gone.unlink()
    assert find_backup(paths, "newest").path == broken


def test_looking_into_a_backup(paths: AppPaths, gone: Path) -> None:
    assert look_into(gone) == Contents(1, 0, None, None)
    gone.write_bytes(gone.read_bytes()[:-5000])
    assert look_into(gone) is None
    assert look_into(gone.with_name("nothing.db")) is None


def test_only_what_the_user_made_can_be_removed(store: Store) -> None:
    store.db.backup("manual")
    store.db.backup("import")
    of_import, manual = backup_infos(store.paths)
    with pytest.raises(ValueError, match="not made by the user"):
        remove_manual(of_import)
    remove_manual(manual)
    remove_manual(manual)
    assert backups.list_backups(store.paths) == [of_import.path]
