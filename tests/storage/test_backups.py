"""The rotation of backups, looking into one, and going back to one in one step."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import THEME
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage import backups, database, opening
from lifehelper_desktop.storage.database import DatabaseBusy, DatabaseCorrupt, DatabaseTooNew, StorageFull
from lifehelper_desktop.storage.opening import daily_backup
from lifehelper_desktop.storage.restoring import (
    BackupUnreadable,
    Contents,
    backup_infos,
    find_backup,
    preview_restore,
    restore,
)
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import ROOT, TODAY, add, day, dump

NOON = datetime(2026, 8, 12, 12, tzinfo=UTC)


def name(moment: datetime, reason: str = "daily") -> Path:
    return Path(f"lifehelper-{moment:%Y%m%dT%H%M%S.%fZ}-{reason}.db")


def entries_of(path: Path) -> int:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        return int(db.execute("SELECT COUNT(*) FROM entry").fetchone()[0])


# ---- rotation ---------------------------------------------------------------------------------------------------


def test_seven_days_and_four_weeks_are_kept() -> None:
    made = [name(NOON - timedelta(days=days)) for days in range(60, -1, -1)]
    spare = set(backups.spare_backups(made))
    kept = [path for path in made if path not in spare]
    days = [(NOON - backups.backup_time(path)).days for path in kept]
    # The last seven days; then the last day of each of the last four weeks (the 12th is a Wednesday).
    assert days == [17, 10, 6, 5, 4, 3, 2, 1, 0]


def test_the_latest_of_a_day_is_kept() -> None:
    made = [name(NOON + timedelta(minutes=minute)) for minute in range(5)]
    assert backups.spare_backups(made) == made[:-1]


def test_rare_use_keeps_as_many_days() -> None:
    """Seven days on which something was saved, not seven days of the calendar: a long rest loses nothing."""
    made = [name(NOON - timedelta(days=90 * number)) for number in range(9, -1, -1)]
    assert backups.spare_backups(made) == made[:3]


def test_every_reason_has_its_own_number() -> None:
    made = [
        name(NOON + timedelta(seconds=number), reason)
        for reason in ("migration", "import", "restore", "manual")
        for number in range(12)
    ]
    spare = set(backups.spare_backups(sorted(made)))
    for reason, kept in (("migration", 3), ("import", 3), ("restore", 3), ("manual", 10)):
        group = [path for path in made if backups.backup_reason(path) == reason]
        assert [path for path in group if path not in spare] == group[-kept:]


def test_a_backup_dated_by_a_wrong_clock_is_still_there_when_it_is_made(store: Store) -> None:
    add(store)
    for number in range(10):
        (store.paths.backups / name(datetime(2099, 1, 1, number, tzinfo=UTC), "manual")).parent.mkdir(exist_ok=True)
        (store.paths.backups / name(datetime(2099, 1, 1, number, tzinfo=UTC), "manual")).write_bytes(b"x")
    made = store.db.backup("manual")
    assert made.exists()


def test_a_daily_backup_is_due_once_a_day(store: Store) -> None:
    daily_backup(store.db)
    assert backup_infos(store.paths) == []  # no habit to lose yet
    add(store)
    store.db.backup("manual")
    daily_backup(store.db)
    daily_backup(store.db)
    assert [info.reason for info in backup_infos(store.paths)] == ["daily", "manual"]
    # One that a wrong clock dated years ahead is not taken for today's.
    [made] = [info.path for info in backup_infos(store.paths) if info.reason == "daily"]
    made.rename(made.with_name(name(datetime(2099, 1, 1, tzinfo=UTC)).name))
    assert backups.is_backup_due(store.paths)


def test_a_large_file_is_backed_up_while_the_program_goes_on(
    paths: AppPaths, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(paths, clock)
    add(store)
    store.close()
    monkeypatch.setattr(opening, "BACKGROUND_BYTES", 1)
    store = open_store(paths, clock)
    store.close()  # waits
    [made] = backup_infos(paths)
    assert made.reason == "daily"


def test_a_backup_that_is_damaged_is_never_kept(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    add(store)
    monkeypatch.setattr(backups, "is_readable", lambda path: False)
    with pytest.raises(WorldError):
        store.db.backup("manual")
    assert list(store.paths.backups.iterdir()) == []


def test_every_page_is_checked(store: Store) -> None:
    """`quick_check` does not see an index that says something else than its table."""
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    made = store.db.backup("manual")
    with closing(sqlite3.connect(made, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute(
            "UPDATE sqlite_master SET sql = 'CREATE INDEX habit_pause_of_habit ON habit_pause (first_day)' "
            "WHERE name = 'habit_pause_of_habit'"
        )
        db.execute("INSERT INTO habit_pause (habit_id, first_day, last_day) VALUES (1, '2026-08-01', '2026-08-02')")
    with closing(sqlite3.connect(made)) as db:
        assert db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    assert not backups.is_readable(made)


def test_what_a_killed_program_left_half_made_is_cleared_away(store: Store) -> None:
    add(store)
    made = store.db.backup("manual")
    old, fresh = made.with_suffix(".1.partial"), made.with_suffix(".2.partial")
    scratch = store.paths.data / "restore-xyz"
    scratch.mkdir()
    for path in (old, fresh, scratch / "lifehelper.db"):
        path.write_bytes(b"half")
    for path in (old, scratch):
        os.utime(path, (1, 1))
    restore(store.db, find_backup(store.paths, str(made)))
    assert not old.exists()
    assert fresh.exists()
    assert not scratch.exists()


# ---- the list ---------------------------------------------------------------------------------------------------


def test_a_backup_is_found_by_what_names_it(store: Store, tmp_path: Path) -> None:
    add(store)
    first, second = store.db.backup("manual"), store.db.backup("import")
    infos = backup_infos(store.paths)
    assert [info.path for info in infos] == [second, first]
    assert [info.reason for info in infos] == ["import", "manual"]
    assert infos[0].made_at.tzinfo is not None
    assert infos[0].size_bytes == second.stat().st_size
    for info in infos:
        assert find_backup(store.paths, info.id) == info
        assert find_backup(store.paths, str(info.path)).path == info.path
    assert find_backup(store.paths, "newest") == infos[0]
    assert find_backup(store.paths, infos[1].id[:-3]) == infos[1]
    elsewhere = tmp_path / "usb.db"
    shutil.copyfile(first, elsewhere)
    assert find_backup(store.paths, str(elsewhere)).reason == ""
    for wrong in ("", "2", "nothing", str(tmp_path)):
        with pytest.raises(WorldError):
            find_backup(store.paths, wrong)


# ---- the preview ------------------------------------------------------------------------------------------------


@pytest.fixture
def changed(store: Store) -> Path:
    """Three days in a backup; since then one more, one less, one changed. Returns the backup."""
    walk = add(store).id
    for offset in (-2, -1, 0):
        store.entries.change(walk, day(offset), EntryValue.DONE)
    made = store.db.backup("manual")
    store.entries.change(walk, day(-2), None)
    store.entries.change(walk, day(-1), EntryValue.MINIMUM)
    store.entries.change(walk, day(-9), EntryValue.DONE)
    sun = add(store, "morning-sunlight").id
    store.entries.log(sun, EntryValue.DONE)
    return made


def test_a_preview_counts_and_compares(store: Store, changed: Path) -> None:
    before = dump(store)
    preview = preview_restore(store.paths, find_backup(store.paths, str(changed)))
    assert preview.contents == Contents(1, 3, day(-2), TODAY)
    assert preview.now == Contents(2, 4, day(-9), TODAY)
    assert (preview.entries_back, preview.entries_gone, preview.entries_changed) == (1, 2, 1)
    assert dump(store) == before


def test_what_lies_in_the_trash_does_not_count(store: Store, changed: Path) -> None:
    store.trash.delete(2)
    preview = preview_restore(store.paths, find_backup(store.paths, str(changed)))
    assert preview.now == Contents(1, 3, day(-9), TODAY)
    assert preview.entries_gone == 1


def test_a_preview_of_an_old_schema_and_of_a_damaged_present(paths: AppPaths, tmp_path: Path) -> None:
    old = tmp_path / "alt.db"
    with closing(sqlite3.connect(old)) as db:
        db.executescript((ROOT / "tests/data/db_0001.sql").read_text(encoding="utf-8"))
    preview = preview_restore(paths, find_backup(paths, str(old)))
    assert preview.contents == Contents(2, 3, day(-11), day(-9))
    assert preview.now is None
    paths.data.mkdir(parents=True)
    paths.database.write_bytes(b"broken" * 1000)
    assert preview_restore(paths, find_backup(paths, str(old))).now is None


def test_an_empty_profile_has_no_days(store: Store) -> None:
    made = store.db.backup("manual")
    preview = preview_restore(store.paths, find_backup(store.paths, str(made)))
    assert preview.contents == preview.now == Contents(0, 0, None, None)


# ---- going back -------------------------------------------------------------------------------------------------


def test_going_back_is_exact_and_can_itself_be_taken_back(store: Store, changed: Path) -> None:
    present = dump(store)
    safe, changes = restore(store.db, find_backup(store.paths, str(changed)))
    assert changes.habits == frozenset({1, 2})
    assert THEME.key in changes.settings
    assert list(store.entries.for_habit(1)) == [day(-2), day(-1), TODAY]
    assert [habit.id for habit in store.habits.list()] == [1]
    with store.db.read():
        assert store.db.sql("PRAGMA journal_mode") == [("wal",)]
        assert store.db.sql("PRAGMA integrity_check") == [("ok",)]
    store.journal.undo()  # the history is the backup's
    assert list(store.entries.for_habit(1)) == [day(-2), day(-1)]
    assert backups.backup_reason(safe) == "restore"
    restore(store.db, find_backup(store.paths, str(safe)))
    assert dump(store) == present
    assert not list(store.paths.data.glob("restore-*"))


def test_an_open_window_goes_on_in_the_restored_data(
    store: Store, changed: Path, paths: AppPaths, clock: FixedClock
) -> None:
    window = open_store(paths, clock)
    version = window.db.data_version()
    assert len(window.habits.list()) == 2
    restore(store.db, find_backup(paths, str(changed)))
    assert window.db.data_version() != version
    assert len(window.habits.list()) == 1
    window.entries.change(1, day(-3), EntryValue.DONE)
    assert len(store.entries.for_habit(1)) == 4
    window.journal.undo()
    assert len(store.entries.for_habit(1)) == 3
    window.close()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_backup_of_an_old_schema_is_brought_up_to_date(store: Store, tmp_path: Path, number: int) -> None:
    old = tmp_path / "alt.db"
    with closing(sqlite3.connect(old)) as db:
        db.executescript((ROOT / f"tests/data/db_000{number}.sql").read_text(encoding="utf-8"))
    content = old.read_bytes()
    restore(store.db, find_backup(store.paths, str(old)))
    assert len(store.entries.for_habit(1)) == 3
    store.entries.log(1, EntryValue.DONE)
    store.journal.undo()
    assert old.read_bytes() == content
    assert [info.reason for info in backup_infos(store.paths)] == ["restore"]


def test_what_cannot_be_gone_back_to_changes_nothing(store: Store, changed: Path, tmp_path: Path) -> None:
    before = dump(store)
    damaged, newer = tmp_path / "damaged.db", tmp_path / "newer.db"
    damaged.write_bytes(changed.read_bytes()[:-5000])
    shutil.copyfile(changed, newer)
    with closing(sqlite3.connect(newer)) as db:
        db.execute("PRAGMA user_version = 999")
    with pytest.raises(BackupUnreadable) as caught:
        restore(store.db, find_backup(store.paths, str(damaged)))
    assert str(damaged) in caught.value.message
    with pytest.raises(BackupUnreadable):
        preview_restore(store.paths, find_backup(store.paths, str(damaged)))
    with pytest.raises(DatabaseTooNew):
        restore(store.db, find_backup(store.paths, str(newer)))
    assert dump(store) == before
    assert [info.reason for info in backup_infos(store.paths)] == ["manual"]


def test_a_foreign_file_never_takes_the_place_of_the_present(store: Store, changed: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.db"
    shutil.copyfile(changed, foreign)
    with closing(sqlite3.connect(foreign, isolation_level=None)) as db:
        db.execute("DELETE FROM migration")
    assert backups.is_readable(foreign)
    with pytest.raises(BackupUnreadable):
        restore(store.db, find_backup(store.paths, str(foreign)))
    assert [info.reason for info in backup_infos(store.paths)] == ["manual"]


def lose_rows_behind_an_index(database: Path) -> None:
    """Delete all entries from the table of entries, and none from its index: `quick_check` sees nothing."""
    index = ("name = 'sqlite_autoindex_entry_1'", "name = 'entry'")
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        [[sql]] = db.execute(f"SELECT sql FROM sqlite_master WHERE {index[1]}")
        [[page]] = db.execute(f"SELECT rootpage FROM sqlite_master WHERE {index[0]}")
        db.execute(f"DELETE FROM sqlite_master WHERE {index[0]}")
        db.execute(f"UPDATE sqlite_master SET sql = ? WHERE {index[1]}", (sql.replace("UNIQUE (habit_id, date),", ""),))
    with closing(sqlite3.connect(database, isolation_level=None)) as db:
        db.execute("DELETE FROM entry")
        db.execute("PRAGMA writable_schema = ON")
        db.execute(f"UPDATE sqlite_master SET sql = ? WHERE {index[1]}", (sql,))
        db.execute(
            "INSERT INTO sqlite_master (type, name, tbl_name, rootpage) VALUES ('index', ?, 'entry', ?)",
            ("sqlite_autoindex_entry_1", page),
        )


def test_damage_that_no_start_sees_does_not_stand_in_the_way(store: Store, clock: FixedClock, changed: Path) -> None:
    paths, good = store.paths, len(store.entries.for_habit(1))
    safe = store.db.backup("manual")
    store.close()
    lose_rows_behind_an_index(paths.database)
    again = open_store(paths, clock)
    trouble = again.db.take_trouble()  # of the daily backup
    assert isinstance(trouble, DatabaseCorrupt)
    assert trouble.newest_backup == safe
    with pytest.raises(DatabaseCorrupt):
        again.db.backup("manual")
    info = find_backup(paths, str(safe))
    assert preview_restore(paths, info).now is None
    kept, _changes = restore(again.db, info)
    assert kept.name.startswith("lifehelper.db.broken-")
    assert not backups.is_readable(kept)
    assert len(again.entries.for_habit(1)) == good > 0
    assert backups.is_readable(again.db.backup("manual"))
    again.close()


def test_another_program_that_writes_for_too_long_is_told(
    store: Store, changed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = dump(store)
    monkeypatch.setattr(database, "BUSY_TIMEOUT_SECONDS", 0.05)
    with store.db.read():
        store.db.sql("PRAGMA busy_timeout = 1")
    with closing(sqlite3.connect(store.paths.database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy):
            restore(store.db, find_backup(store.paths, str(changed)))
        other.execute("ROLLBACK")
    assert dump(store) == before


def test_a_full_disk_keeps_the_present(store: Store, changed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = dump(store)

    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfile", full)
    with pytest.raises(StorageFull):
        restore(store.db, find_backup(store.paths, str(changed)))
    assert dump(store) == before
