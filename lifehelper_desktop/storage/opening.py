"""Opening the data: the file is created, or checked, backed up and migrated; putting a backup in a broken file's place.

A file that is damaged, foreign or newer than this program is refused as it is. Nothing ever starts empty instead.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import tempfile
import time
from datetime import datetime
from pathlib import Path
from typing import Final

import peewee

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import BACKUP_COPY_FOLDER, BACKUPS_ENABLED
from lifehelper_desktop.storage import backup_copies, backups
from lifehelper_desktop.storage.database import BUSY_TIMEOUT_SECONDS, Database
from lifehelper_desktop.storage.errors import (
    DatabaseCorrupt,
    DatabaseMissing,
    DatabaseReadOnly,
    DatabaseTooNew,
    StorageFailed,
    StorageFull,
    sqlite_code,
    world_errors,
)
from lifehelper_desktop.storage.migrations import MIGRATION_TABLE, MIGRATIONS, TABLES, Migration, migration_names
from lifehelper_desktop.storage.settings import SettingsRepository

BACKGROUND_BYTES: Final = 16 << 20  # copying and checking more than this takes longer than a start should
SCRATCH: Final = "restore-"  # folders of half-made work, cleared when they are old
_log = logging.getLogger(__name__)


def open_database(paths: AppPaths, migrations: tuple[Migration, ...] = MIGRATIONS) -> Database:
    """Open the database: create it, or check it, back it up and migrate it.

    A WAL database needs to write beside itself even to be read. On a read-only or full disk it is opened for reading
    only where that is possible: then every write raises what stood in the way.

    Raises:
        DatabaseCorrupt: Damaged, cut short, or no database of ours; `newest_backup` names the way out.
        DatabaseTooNew: Written by a newer version.
        WorldError: The folder or file cannot be created, read or migrated.
    """
    try:
        return _open_for_writing(paths, migrations)
    except (DatabaseReadOnly, StorageFailed, StorageFull) as error:
        db = _open_for_reading(paths, migrations, error)
        if db is None:
            raise
        _log.warning("the database is open for reading only: %s", error)
        return db


def _open_for_writing(paths: AppPaths, migrations: tuple[Migration, ...]) -> Database:
    with world_errors(paths):
        paths.data.mkdir(parents=True, exist_ok=True)
        existed = paths.database.exists()
        if not existed and backups.list_backups(paths):
            raise DatabaseMissing(paths)
        if existed and paths.database.stat().st_size == 0 and backups.list_backups(paths):
            raise DatabaseCorrupt(paths)  # emptied by someone: SQLite would take it for a new one
    db = Database(paths)
    try:
        with db.read():
            if existed:
                check(db, migrations)
            migrate(db, migrations)
        if paths.database.stat().st_size >= BACKGROUND_BYTES:
            daily_backup_in_background(db)
        elif daily_backup(db) is not None:
            copy_in_background(db, told=True)
    except BaseException:
        db.close()
        raise
    return db


def _open_for_reading(paths: AppPaths, migrations: tuple[Migration, ...], error: WorldError) -> Database | None:
    """Return a database that refuses writes, or None when its rows cannot all be read or it needs a migration."""

    def refusal() -> WorldError:
        is_full = isinstance(error, StorageFull) and os.access(paths.data, os.W_OK)
        return StorageFull() if is_full else DatabaseReadOnly(paths.data)

    if not paths.database.is_file():
        return None
    base = f"{paths.database.absolute().as_uri()}?mode=ro"
    wal = Path(f"{paths.database}-wal")
    # Without its -shm the -wal is left out, and with it the newest rows: only when it holds none.
    empty_wal = not wal.exists() or wal.stat().st_size == 0
    for uri in (base, f"{base}&immutable=1") if empty_wal else (base,):
        db = Database(paths, uri=uri, refusal=refusal)
        try:
            with db.read():
                check(db, migrations)
                if _applied(db) == set(migration_names(migrations)):
                    return db
        except (DatabaseReadOnly, StorageFailed, StorageFull):
            pass
        except BaseException:
            db.close()
            raise
        db.close()
    return None


def restore_backup(paths: AppPaths, backup: Path) -> Path:
    """Put a copy of `backup` in the place of the database and return where the broken file went.

    The database must be closed. -wal and -shm go aside with it.

    Raises:
        DatabaseCorrupt: The backup itself cannot be read.
        WorldError: The disk did not take it.
    """
    with world_errors(paths):
        if not backups.is_readable(backup):
            raise DatabaseCorrupt(paths)
        return backups.put_in_place(paths, backup)


def begin_anew(paths: AppPaths) -> Path | None:
    """Put an empty database in the place of a damaged or missing one, on the user's word; the backups stay.

    The database must be closed. Returns where the broken file went, or None when there was none.

    Raises:
        WorldError: The disk did not take it.
    """
    with world_errors(paths):
        paths.data.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=paths.data, ignore_cleanup_errors=True) as name:
            folder = Path(name)
            db = Database(AppPaths(folder, folder, folder))
            try:
                with db.read():
                    migrate(db)
            finally:
                db.close()  # which also empties the -wal into the file
            aside = backups.put_in_place(paths, db.paths.database)
    return aside if aside.exists() else None


def _tables(db: Database) -> set[str]:
    rows = db.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'")
    return {name for (name,) in rows}


def _applied(db: Database) -> set[str]:
    return {name for (name,) in db.sql("SELECT name FROM migration")} if "migration" in _tables(db) else set()


def check(db: Database, migrations: tuple[Migration, ...] = MIGRATIONS) -> None:
    """Refuse a file that is damaged, foreign or newer than this program. Inside `read()`.

    Raises:
        DatabaseCorrupt: Damaged, cut short, or no database of ours.
        DatabaseTooNew: Written by a newer version.
    """
    # Our own constraints held when each row was written; trying them on every row takes most of the time.
    db.sql("PRAGMA ignore_check_constraints = ON")
    try:
        if db.sql("PRAGMA quick_check(1)") != [("ok",)]:
            raise DatabaseCorrupt(db.paths)
    finally:
        db.sql("PRAGMA ignore_check_constraints = OFF")
    tables = _tables(db)
    if tables and "migration" not in tables:
        raise DatabaseCorrupt(db.paths)
    applied = _applied(db)
    newer = db.sql("PRAGMA user_version")[0][0] > len(migrations)
    if newer or applied - set(migration_names(migrations)):
        raise DatabaseTooNew  # whatever its tables are
    if tables and (not applied or not tables >= TABLES):
        raise DatabaseCorrupt(db.paths)


def _use_wal(db: Database) -> None:
    """Switch the file to WAL. Two programs that create it at once may see "locked" without SQLite's own waiting."""
    give_up = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while db.sql("PRAGMA journal_mode")[0][0] != "wal":
        try:
            db.sql("PRAGMA journal_mode = wal")
        except peewee.OperationalError as error:
            if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def migrate(db: Database, migrations: tuple[Migration, ...] = MIGRATIONS, *, keep_old: bool = True) -> None:
    """Run what has not run yet; an existing file is backed up first when `keep_old`. Inside `read()`."""
    missing = [step for step in migrations if step.__name__ not in _applied(db)]
    if not missing:
        return
    if keep_old and _applied(db):
        db.backup("migration")
    _use_wal(db)
    for step in missing:
        with db.write():
            db.sql(MIGRATION_TABLE)
            if step.__name__ in _applied(db):
                continue  # another program was faster
            step(db.sql)
            now = datetime.now().astimezone().isoformat(timespec="seconds")
            db.sql("INSERT INTO migration (name, applied_at) VALUES (?, ?)", (step.__name__, now))
            db.sql(f"PRAGMA user_version = {migrations.index(step) + 1}")
            _log.info("migration %s applied", step.__name__)


def daily_backup_in_background(db: Database) -> None:
    """Make today's backup and its copy, when they are due, on a thread of their own; closing waits for it."""

    def work() -> None:
        if daily_backup(db) is not None:
            _copy(db, told=True)

    db.run_in_background(work, "daily backup")


def daily_backup(db: Database) -> Path | None:
    """Make today's backup when there is none yet, once there is a habit to lose. Any thread.

    Nothing happens where the user wants no daily ones. Failing is no reason to stop: it is told, and tried again at
    the next start or day. Returns the new backup, or None.
    """
    try:
        with db.read():
            worth_it = bool(db.sql("SELECT 1 FROM habit LIMIT 1"))
        wanted = SettingsRepository(db).get_bool(BACKUPS_ENABLED)
        if wanted and worth_it and backups.is_backup_due(db.paths):
            return db.backup(backups.DAILY)
    except WorldError as error:
        _log.warning("daily backup failed: %s", error)
        words = _("오늘 백업을 만들지 못했어요. {reason}").format(reason=error.message)
        # Damage that shows first here is told as such: the window offers to go back.
        db.tell_later(error if isinstance(error, DatabaseCorrupt) else WorldError(words, error.next_step))
    return None


def copy_in_background(db: Database, *, told: bool) -> None:
    """Copy the newest daily backup to the second place, where the user chose one, on a thread of its own.

    `told` says whether trouble is told: once, when the backup was just made. A stick left at home is no reason to nag
    at every start, and a later try makes up for it.
    """
    if _copy_folder(db):
        db.run_in_background(lambda: _copy(db, told=told), "backup copy")


def _copy(db: Database, *, told: bool) -> None:
    chosen = _copy_folder(db)
    if not chosen:
        return
    try:
        backup_copies.copy_newest(db.paths, Path(chosen))
    except WorldError as error:
        _log.warning("backup copy failed: %s", error)
        if told:
            db.tell_later(error)


def _copy_folder(db: Database) -> str:
    """Return the folder that the user chose for copies, or nothing."""
    try:
        settings = SettingsRepository(db)
        return settings.get_str(BACKUP_COPY_FOLDER) if settings.get_bool(BACKUPS_ENABLED) else ""
    except WorldError as error:
        _log.warning("the folder of the backup copies: %s", error)
        return ""
