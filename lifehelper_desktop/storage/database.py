"""The SQLite file: connections (one per thread), transactions, copies of the whole. `opening` is the way to it.

WAL with `synchronous=FULL`: a commit is on the disk when the write returns, so neither `kill -9` nor a power cut
loses a committed entry; a write takes a few milliseconds and there are few. Every write begins with
`BEGIN IMMEDIATE`, so what a rule check read cannot change before its write, whichever process asks.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, Protocol

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
    world_errors,
)

__all__ = [
    "Database",
    "DatabaseBusy",
    "DatabaseClosed",
    "DatabaseCorrupt",
    "DatabaseReadOnly",
    "DatabaseTooNew",
    "StorageFailed",
    "StorageFull",
    "world_errors",
]

BUSY_TIMEOUT_SECONDS: Final = 8.0
_CLOSE_WAIT_SECONDS: Final = 10.0
_log = logging.getLogger(__name__)
Row = dict[str, Any]


class Recorder(Protocol):
    """Is told of every transaction, on the thread that writes."""

    def prepare(self) -> None:
        """Get ready; the transaction has not begun."""

    def record(self) -> None:
        """Keep what it has changed, as its last part."""


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
        """Prepare connections to `paths.database`; `opening.open_database` is the checked way.

        Args:
            uri: Opens the file in another way, for example `mode=ro`.
            refusal: Makes the error that every write raises: the file can only be read.
        """
        self.paths = paths
        self.uri = uri
        self._refusal = refusal
        self.recorder: Recorder | None = None
        self.before_commit: Callable[[], None] | None = None
        self._sqlite = _Sqlite(uri or str(paths.database))
        self._gate = threading.Condition()
        self._background: list[threading.Thread] = []
        self._trouble: WorldError | None = None
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
    def snapshot(self) -> Iterator[None]:
        """Guard many reads that must fit together: they all see the file as it is at the first of them.

        Raises:
            DatabaseClosed, WorldError: As `read()`.
        """
        with self.read(), self._sqlite.atomic():
            yield

    @contextmanager
    def write(self) -> Iterator[None]:
        """Run the block in one transaction that holds the write lock from its start; any error undoes all of it.

        Inside another `write()` it is a part of that one. What the outermost one has changed goes to the recorder;
        `before_commit` then does its last part.

        Raises:
            DatabaseClosed: The store has been closed.
            WorldError: Disk full, read-only, another process too slow, file damaged; nothing was written.
        """
        if self._refusal is not None:
            raise self._refusal()
        with self.read():
            outermost = not self.in_write
            recorder = self.recorder if outermost else None
            if recorder is not None:
                recorder.prepare()
            with self._sqlite.atomic("IMMEDIATE"):
                yield
                if recorder is not None:
                    recorder.record()
                if outermost and self.before_commit is not None:
                    self.before_commit()

    @property
    def in_write(self) -> bool:
        """Whether the calling thread is inside a `write()`."""
        return bool(self._sqlite.in_transaction())

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

    def connection(self) -> sqlite3.Connection:
        """Return the driver's own connection of this thread, inside `read()`."""
        conn: sqlite3.Connection = self._sqlite.connection()  # type: ignore[no-untyped-call]
        return conn

    def add_function(self, name: str, function: Callable[[Any], Any]) -> None:
        """Let SQL call `function`, of one argument, by `name`, on this thread's connection and all made after it."""
        self._sqlite.register_function(function, name, 1, deterministic=True)

    def data_version(self) -> int:
        """Return a number that differs from the last one of this thread when any other connection has committed."""
        with self.read():
            return int(self.sql("PRAGMA data_version")[0][0])

    def backup(self, reason: str) -> Path:
        """Write a checked backup into `paths.backups` and return it; `backups` says which are kept.

        Not inside `write()`.

        Raises:
            DatabaseCorrupt: The database itself does not pass the check of a backup.
            WorldError: The disk did not take it.
        """
        with self.read():
            return backups.write_backup(self.connection(), self.paths, reason)

    def copy_aside(self) -> Path:
        """Copy a damaged database beside itself, as it is, and return the copy. Not inside `write()`.

        Raises:
            WorldError: The disk did not take it.
        """
        with self.read():
            return backups.copy_aside(self.connection(), self.paths)

    def replace_contents(self, source: Path) -> None:
        """Put all that the sound database `source` holds in the place of what is here, in one transaction.

        Other connections and programs see either all of it or nothing. Not inside `write()`.

        Raises:
            WorldError: The disk did not take it, or another program wrote for too long; nothing has changed.
        """
        if self._refusal is not None:
            raise self._refusal()
        give_up = time.monotonic() + BUSY_TIMEOUT_SECONDS

        def progress(_status: int, remaining: int, total: int) -> None:
            # Called again and again while another connection writes: sqlite3 itself would wait for ever.
            if remaining == total and time.monotonic() > give_up:
                raise DatabaseBusy

        with self.read(), closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as other:
            other.backup(self.connection(), progress=progress, sleep=0.02)

    def run_in_background(self, work: Callable[[], None], name: str) -> None:
        """Run `work`, which must not raise, on a thread of its own; `close` gives it time to end."""
        thread = threading.Thread(target=work, name=name, daemon=True)
        self._background = [each for each in self._background if each.is_alive()] + [thread]
        thread.start()

    def tell_later(self, error: WorldError) -> None:
        """Keep what work in the background could not do until somebody can tell it to the user. Any thread."""
        self._trouble = error

    def take_trouble(self) -> WorldError | None:
        """Return what was kept last, once."""
        error, self._trouble = self._trouble, None
        return error

    def close(self) -> None:
        """Wait for what runs on other threads, then close the connections of all threads. May be called again."""
        for thread in self._background:
            thread.join(_CLOSE_WAIT_SECONDS)
        with self._gate:
            self._closed = True
            finished = self._gate.wait_for(lambda: self._users == 0, _CLOSE_WAIT_SECONDS)
        if not finished:
            # Closing a connection that another thread is using would crash; the operating system cleans up.
            _log.warning("the database is still in use; its connections stay open")
            return
        self._sqlite.close_all()
