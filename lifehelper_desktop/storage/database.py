"""The SQLite file: connections (one per thread), transactions, checks at opening, migrations, backups.

WAL with `synchronous=FULL`: a commit is on the disk when the write returns, so neither `kill -9` nor a power cut
loses a committed entry; a write takes a few milliseconds and there are few. Every write begins with
`BEGIN IMMEDIATE`, so what a rule check read cannot change before its write, whichever process asks.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import peewee

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.errors import (
    DatabaseBusy,
    DatabaseClosed,
    DatabaseCorrupt,
    DatabaseReadOnly,
    DatabaseTooNew,
    StorageFailed,
    StorageFull,
    sqlite_code,
    world_errors,
)
from lifehelper_desktop.storage.migrations import MIGRATION_TABLE, MIGRATIONS, TABLES, Migration, migration_names

__all__ = [
    "Database",
    "DatabaseBusy",
    "DatabaseClosed",
    "DatabaseCorrupt",
    "DatabaseReadOnly",
    "DatabaseTooNew",
    "StorageFailed",
    "StorageFull",
    "open_database",
    "restore_backup",
    "world_errors",
]

BUSY_TIMEOUT_SECONDS: Final = 8.0
_CLOSE_WAIT_SECONDS: Final = 10.0
_log = logging.getLogger(__name__)
Row = dict[str, Any]


class _Sqlite(peewee.SqliteDatabase):
    """peewee's database with two changes: all connections are known (so that closing closes those of other
    threads too), and rolling back what SQLite has already rolled back is no error.
    """

    def __init__(self, path: str) -> None:
        super().__init__(
            path,
            pragmas={"foreign_keys": 1, "synchronous": "FULL"},
            timeout=BUSY_TIMEOUT_SECONDS,
            check_same_thread=False,  # close_all runs in one thread, after the others have finished
            uri=path.startswith("file:"),
        )
        self._known: list[tuple[threading.Thread, sqlite3.Connection]] = []

    def _connect(self) -> sqlite3.Connection:
        # peewee holds its lock here, so the list has one writer.
        for thread, old in self._known:
            if not thread.is_alive():
                old.close()
        self._known = [(thread, old) for thread, old in self._known if thread.is_alive()]
        conn: sqlite3.Connection = super()._connect()  # type: ignore[misc]
        self._known.append((threading.current_thread(), conn))
        return conn

    def rollback(self) -> None:
        # SQLITE_FULL and SQLITE_IOERR may end the transaction by themselves.
        if self.connection().in_transaction:  # type: ignore[no-untyped-call]
            super().rollback()

    def close_all(self) -> None:
        for _thread, conn in self._known:
            conn.close()
        self._known = []
        self.dispose()


class Database:
    """The open database. Any thread may use it; each thread gets its own connection on first use.

    Reads and writes happen inside `read()` and `write()`. After `close()` every use raises `DatabaseClosed`.
    """

    def __init__(
        self, paths: AppPaths, *, uri: str | None = None, refusal: Callable[[], WorldError] | None = None
    ) -> None:
        """Prepare connections to `paths.database`; `open_database` is the checked way.

        Args:
            uri: Opens the file in another way, for example `mode=ro`.
            refusal: Makes the error that every write raises: the file can only be read.
        """
        self.paths = paths
        self._refusal = refusal
        self._sqlite = _Sqlite(uri or str(paths.database))
        self._gate = threading.Condition()
        self._users = 0
        self._closed = False

    @property
    def is_read_only(self) -> bool:
        """Whether the file could only be opened for reading: nothing is saved until the program starts anew."""
        return self._refusal is not None

    @contextmanager
    def read(self) -> Iterator[None]:
        """Guard a few reads; disk trouble becomes a `WorldError`.

        Raises:
            DatabaseClosed: The store has been closed.
            WorldError: The file could not be read.
        """
        with self._gate:
            if self._closed:
                raise DatabaseClosed
            self._users += 1
        try:
            with world_errors(self.paths):
                yield
        finally:
            with self._gate:
                self._users -= 1
                self._gate.notify_all()

    @contextmanager
    def write(self) -> Iterator[None]:
        """Run the block in one transaction that holds the write lock from its start; any error undoes all of it.

        Inside another `write()` it is a part of that one.

        Raises:
            DatabaseClosed: The store has been closed.
            WorldError: Disk full, read-only, another process too slow, file damaged; nothing was written.
        """
        if self._refusal is not None:
            raise self._refusal()
        with self.read(), self._sqlite.atomic("IMMEDIATE"):
            yield

    def fetch(self, query: peewee.BaseQuery) -> list[Row]:
        """Run a select of peewee's and return its rows."""
        return list(query.execute(self._sqlite))

    def run(self, query: peewee.BaseQuery) -> int:
        """Run an insert (returns the new id), update or delete (returns the number of rows)."""
        return int(query.execute(self._sqlite) or 0)

    def sql(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement in SQL and return its rows."""
        cursor = self._sqlite.execute_sql(statement, parameters)  # type: ignore[no-untyped-call]
        return list(cursor.fetchall())

    def data_version(self) -> int:
        """Return a number that differs from the last one of this thread when any other connection has committed."""
        with self.read():
            return int(self.sql("PRAGMA data_version")[0][0])

    def backup(self, reason: str) -> Path:
        """Write a checked backup into `paths.backups` and return it; the newest ten are kept. Not inside `write()`.

        Raises:
            WorldError: The disk did not take it.
        """
        with self.read():
            source: sqlite3.Connection = self._sqlite.connection()  # type: ignore[no-untyped-call]
            return backups.write_backup(source, self.paths, reason)

    def close(self) -> None:
        """Wait for running reads and writes, then close the connections of all threads. May be called again."""
        with self._gate:
            self._closed = True
            finished = self._gate.wait_for(lambda: self._users == 0, _CLOSE_WAIT_SECONDS)
        if not finished:
            # Closing a connection that another thread is using would crash; the operating system cleans up.
            _log.warning("the database is still in use; its connections stay open")
            return
        self._sqlite.close_all()


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
        if existed and paths.database.stat().st_size == 0 and backups.list_backups(paths):
            raise DatabaseCorrupt(paths)  # emptied by someone: SQLite would take it for a new one
    db = Database(paths)
    try:
        with db.read():
            if existed:
                _check(db, migrations)
            _migrate(db, migrations)
        _daily_backup(db)
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
                _check(db, migrations)
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


def _tables(db: Database) -> set[str]:
    rows = db.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite@_%' ESCAPE '@'")
    return {name for (name,) in rows}


def _applied(db: Database) -> set[str]:
    return {name for (name,) in db.sql("SELECT name FROM migration")} if "migration" in _tables(db) else set()


def _check(db: Database, migrations: tuple[Migration, ...]) -> None:
    """Refuse a file that is damaged, foreign or newer than this program."""
    if db.sql("PRAGMA quick_check(1)") != [("ok",)]:
        raise DatabaseCorrupt(db.paths)
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


def _migrate(db: Database, migrations: tuple[Migration, ...]) -> None:
    """Run what has not run yet; an existing file is backed up first."""
    missing = [step for step in migrations if step.__name__ not in _applied(db)]
    if not missing:
        return
    if _applied(db):
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


def _daily_backup(db: Database) -> None:
    """Keep a backup that is at most a day old, once there is a habit to lose. Failing is no reason not to start."""
    with db.read():
        worth_it = bool(db.sql("SELECT 1 FROM habit LIMIT 1"))
    if not worth_it or not backups.is_backup_due(db.paths):
        return
    try:
        db.backup("daily")
    except WorldError as error:
        _log.warning("daily backup failed: %s", error)
