"""Questions in SQL about the user's own data: only reading, only over the documented views, bounded, stoppable."""

from __future__ import annotations

import secrets
import sqlite3
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from lifehelper_desktop.storage.asking.expansion import is_too_complex
from lifehelper_desktop.storage.asking.filling import Known, fill
from lifehelper_desktop.storage.asking.functions import add_functions
from lifehelper_desktop.storage.asking.guard import SQL_MAX, Authorizer, Watch, guarded
from lifehelper_desktop.storage.asking.refusals import (
    SqlRefused,
    from_message,
    no_column,
    no_function,
    no_table,
    refused,
)
from lifehelper_desktop.storage.asking.views import BY_NAME, VIEWS, View, statements
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.errors import DatabaseReadOnly

if TYPE_CHECKING:
    from lifehelper_desktop.storage.store import Store

__all__ = ["Asking", "SqlAnswer", "SqlRefused", "TableDescription", "Value"]

SECONDS: Final = 2.0
DESCRIBE_SECONDS: Final = 10.0
_TEXT_MAX: Final = 4000  # characters of one value in an answer
_BLANK_MARK: Final = "\ufeff"  # some programs begin their texts with it
_SAFE_INTEGER: Final = 2**53 - 1  # beyond it JSON readers round
# What SQLite says about the statement, not about the disk or the file.
_STATEMENT_ERRORS: Final = frozenset(
    {
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_INTERRUPT,
        sqlite3.SQLITE_TOOBIG,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_RANGE,
        sqlite3.SQLITE_MISUSE,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CONSTRAINT,
    }
)
Value = str | int | float | None
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class SqlAnswer:
    """What a question came to.

    Attributes:
        columns: Names of the columns, at least one; a name may occur twice.
        rows: As many as were asked for at most; values are JSON's.
        more: Whether there were more rows.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    more: bool


@dataclass(frozen=True, slots=True)
class TableDescription:
    """One table with what is in it now; `first` and `last` are the days of its oldest and newest row, or None."""

    view: View
    rows: int
    first: str | None
    last: str | None


class Asking:
    """Answers questions. Any thread; each question has a connection of its own that cannot write."""

    def __init__(self, store: Store) -> None:
        """Answer from the data of `store`."""
        self._store = store

    def run(self, sql: str, *, max_rows: int, seconds: float = SECONDS, stop: Stop | None = None) -> SqlAnswer:
        """Return the answer to one SELECT.

        Args:
            sql: The question.
            max_rows: Rows to return at most.
            seconds: How long it may take.
            stop: Asked again and again while it runs; True ends it at once.

        Raises:
            SqlRefused: It may not be answered, is wrong, takes too long or was stopped.
            WorldError: The file could not be read.
        """
        with self._session(sql, seconds, stop) as session:
            session.prepare()
            return session.fetch(max_rows)

    def validate(self, sql: str, *, seconds: float = SECONDS) -> tuple[str, ...]:
        """Return the names of the tables that a question names, without answering it.

        Raises:
            SqlRefused, WorldError: As `run`; what only running shows is not found.
        """
        with self._session(sql, seconds, None) as session:
            session.prepare()
            return tuple(name for name in BY_NAME if name in session.named)

    def describe(self, name: str | None = None) -> tuple[TableDescription, ...]:
        """Return the table of this name, or all of them, with the number and the days of its rows.

        Raises:
            KeyError: There is no such table.
            SqlRefused: It took too long.
            WorldError: The file could not be read.
        """
        views = VIEWS if name is None else (BY_NAME[name],)
        with self._session("SELECT 1", DESCRIBE_SECONDS, None) as session:
            return tuple(session.describe(view) for view in views)

    @contextmanager
    def _session(self, sql: str, seconds: float, stop: Stop | None) -> Iterator[_Session]:
        sql = unicodedata.normalize("NFC", sql).removeprefix(_BLANK_MARK)  # as all text is stored
        _check_text(sql)
        watch = Watch(seconds, stop)
        # The store's own `read` keeps it from being closed meanwhile.
        with self._store.db.read(), _reader(self._store.db) as db:
            yield _Session(self._store, db, sql, watch)


def _check_text(sql: str) -> None:
    if not sql.strip():
        raise refused("sql_empty")
    # SQLite takes the mark for a blank in front of a word and for a letter inside of it.
    if "\x00" in sql or _BLANK_MARK in sql:
        raise refused("sql_nul")
    try:
        length = len(sql.encode())
    except UnicodeEncodeError:
        raise refused("sql_nul") from None
    if length > SQL_MAX:
        raise refused("sql_too_long")
    if is_too_complex(sql):
        raise refused("sql_too_complex")


@contextmanager
def _reader(db: Database) -> Iterator[Database]:
    """Lend a connection to the same file that cannot write it."""
    uri = db.uri or f"{db.paths.database.absolute().as_uri()}?mode=ro"
    with closing(Database(db.paths, uri=uri, refusal=partial(DatabaseReadOnly, db.paths.data))) as reader:
        with reader.read():
            reader.sql("PRAGMA temp_store = MEMORY")
        with reader.snapshot():
            yield reader


class _Session:
    """One question on its connection, in one transaction: all that it reads fits together."""

    def __init__(self, store: Store, db: Database, sql: str, watch: Watch) -> None:
        self._store = store
        self._db = db
        self._sql = sql
        self._watch = watch
        # 128 bits that differ every time: see `Authorizer`.
        self._secret = f"s{secrets.token_hex(16)}_"
        self._conn = db.connection()
        self._conn.text_factory = _text
        for statement in statements(self._secret):
            self._conn.execute(statement)
        self._known: Known | None = None
        self.named: Mapping[str, frozenset[str]] = {}

    def prepare(self) -> None:
        """Make sure that the question may be asked, and note what it names.

        Raises:
            SqlRefused: It may not.
        """
        authorizer = Authorizer(self._secret)
        # Only compiled: EXPLAIN tells the steps and takes none. It takes no second EXPLAIN in front, either.
        with guarded(self._conn, authorizer), self._statement_errors(authorizer):
            steps = self._conn.execute(f"EXPLAIN {self._sql}").description
        if not authorizer.selects:
            raise refused("sql_not_select")
        if steps[0][0] != "addr":  # `QUERY PLAN SELECT …` fits after EXPLAIN and nowhere else
            raise refused("sql_not_select")
        self._check_unclear(authorizer.unclear)
        self.named = {name: frozenset(columns) for name, columns in authorizer.named.items()}

    def fetch(self, max_rows: int) -> SqlAnswer:
        """Return the rows of the question, which has been prepared."""
        self._fill(self.named)
        self._conn.execute("PRAGMA query_only = ON")
        end = add_functions(self._conn, self._sql, self._store.today(), self._store.clock.now())
        authorizer = Authorizer(self._secret)
        self._watch.watch(self._conn, self._sql)
        try:
            with guarded(self._conn, authorizer), self._statement_errors(authorizer):
                return _answer(self._conn.execute(self._sql), max_rows)
        finally:
            self._conn.set_progress_handler(None, 0)
            end()

    def describe(self, view: View) -> TableDescription:
        """Return what is in a table now."""
        self._fill({view.name: frozenset()})
        days = f"min({view.day}), max({view.day})" if view.day else "NULL, NULL"
        count, first, last = self._conn.execute(f"SELECT count(*), {days} FROM {view.name}").fetchone()
        return TableDescription(view, count, first, last)

    def _fill(self, named: Mapping[str, frozenset[str]]) -> None:
        if all(BY_NAME[name].body and name != "days" for name in named):
            return
        if self._known is None:
            self._known = Known(
                lines=tuple(self._store.lines(self._db)),
                tally=self._store.tally,
                entries_today=self._entries_today(),
                catalogue=self._store.catalogue,
                today=self._store.today(),
                week_start=self._store.week_start(),
                stopped=self._watch,
            )
        fill(self._conn, self._secret, self._known, named)
        if self._watch():
            raise refused(self._watch.why or "sql_stopped")

    def _entries_today(self) -> dict[int, str]:
        value = "CASE WHEN is_minimum THEN 'minimum' ELSE value END"
        today = self._store.today().isoformat()
        return dict(self._db.sql(f"SELECT habit_id, {value} FROM entry WHERE date = ?", (today,)))

    def _check_unclear(self, names: set[str]) -> None:
        """Refuse names that are tables of the file or of SQLite; WITH queries are none outside of their statement."""
        for name in names - BY_NAME.keys():
            quoted = name.replace('"', '""')
            try:
                self._conn.execute(f'EXPLAIN SELECT 1 FROM "{quoted}"')
            except sqlite3.Error:
                continue
            raise no_table(name)

    @contextmanager
    def _statement_errors(self, authorizer: Authorizer) -> Iterator[None]:
        try:
            yield
        except MemoryError as error:
            raise refused("sql_memory") from error
        except (sqlite3.Error, sqlite3.Warning) as error:
            refusal = self._refusal(error, authorizer)
            if refusal is None:
                raise
            raise refusal from error

    def _refusal(self, error: Exception, authorizer: Authorizer) -> SqlRefused | None:
        """Return what an error of SQLite's comes to; None for those of the disk and the file."""
        code = getattr(error, "sqlite_errorcode", None)
        if code is not None and code & 0xFF not in _STATEMENT_ERRORS:
            return None
        if code is not None and code & 0xFF == sqlite3.SQLITE_INTERRUPT:
            return refused(self._watch.why or "sql_stopped")
        kind, _colon, what = (authorizer.denied or "").partition(":")
        if kind == "table":
            return no_table(what.removeprefix(self._secret))
        if kind == "column":
            return no_column("rowid", [what])
        if kind == "function":
            return no_function(what)
        if kind == "statement":
            return refused("sql_not_select")
        return from_message(str(error), authorizer.named or _mentioned(self._sql), self._secret)


def _answer(cursor: sqlite3.Cursor, max_rows: int) -> SqlAnswer:
    if cursor.description is None:
        raise refused("sql_not_select")
    columns = tuple(str(each[0]) for each in cursor.description)
    rows: list[tuple[Value, ...]] = []
    for row in cursor:
        if len(rows) == max_rows:
            return SqlAnswer(columns, tuple(rows), more=True)
        rows.append(tuple(map(_value, row)))
    return SqlAnswer(columns, tuple(rows), more=False)


def _mentioned(sql: str) -> list[str]:
    """Return the tables whose names occur in the text: SQLite stops before it says which ones a statement reads."""
    text = sql.lower()
    return [name for name in BY_NAME if name in text]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _value(value: object) -> Value:
    """Return a value of SQLite's as JSON can hold it."""
    if isinstance(value, str):
        return value if len(value) <= _TEXT_MAX else value[: _TEXT_MAX - 1] + "…"
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if isinstance(value, float):
        return value if abs(value) < float("inf") else str(value)
    if isinstance(value, int):
        return value if abs(value) <= _SAFE_INTEGER else str(value)
    return None
