"""What a question may do and how long: an authorizer that allows what is listed, and limits of time and memory."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psutil

from lifehelper_desktop.storage.asking.views import BY_NAME

#: Bytes that one value, or one row inside SQLite, may have. It bounds what a single step can cost (trim, replace).
VALUE_MAX: Final = 32_000
SQL_MAX: Final = 8_000  # bytes of UTF-8
MEMORY_MAX: Final = 192 << 20  # bytes by which the process may grow while a question runs
COLUMNS_MAX: Final = 40
_STEPS: Final = 200  # of SQLite's machine between two looks at the clock
_TRIM_STEPS: Final = 10  # one `trim` with thousands of characters to cut off takes a tenth of a second
_MEMORY_EVERY: Final = 0.005  # seconds

_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: VALUE_MAX,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 2 * SQL_MAX,
    sqlite3.SQLITE_LIMIT_COLUMN: COLUMNS_MAX,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 30,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 0,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 0,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

#: Left out on purpose: load_extension, randomblob and zeroblob, what tells about the library or other rows (changes,
#: sqlite_version), and JSON, whose tables are no tables of ours.
FUNCTIONS: Final = frozenset(
    (
        *("abs", "acos", "asin", "atan", "avg", "ceil", "ceiling", "char", "coalesce", "concat", "concat_ws", "count"),
        *("cume_dist", "current_date", "current_time", "current_timestamp", "date", "datetime", "dense_rank", "exp"),
        *("first_value", "floor", "format", "glob", "group_concat", "hex", "ifnull", "iif", "instr", "julianday"),
        *("lag", "last_value", "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower"),
        *("ltrim", "max", "min", "mod", "nth_value", "ntile", "nullif", "octet_length", "percent_rank", "pow", "power"),
        *("printf", "quote", "random", "rank", "replace", "round", "row_number", "rtrim", "sign", "sqrt", "strftime"),
        *("string_agg", "substr", "substring", "sum", "time", "timediff", "total", "trim", "trunc", "typeof"),
        *("unicode", "unixepoch", "unlikely", "upper"),
    )
)


class Authorizer:
    """Asked by SQLite about everything that a statement would do, while it is compiled. Denies what is not listed.

    SQLite says through which view a table is read, and takes the name of a WITH query for that of a view. So the
    tables of the file may be read only through the inner views, whose names no question can know.

    Attributes:
        selects: Whether a SELECT was among it.
        named: The tables of ours that are named, and the columns of each.
        unclear: Names of which only rows are counted: SQLite does not say whether they are tables or WITH queries.
        denied: What was denied first, or None: a table (`table:…`, the name may be unknown), the row number of a table
            (`column:…`), a function (`function:…`) or `statement`.
    """

    def __init__(self, secret: str) -> None:
        """Allow what reads through views that begin with `secret`."""
        self._secret = secret
        self.selects = False
        self.named: dict[str, set[str]] = {}
        self.unclear: set[str] = set()
        self.denied: str | None = None

    def __call__(self, action: int, first: str | None, second: str | None, db: str | None, view: str | None) -> int:
        """Return SQLite's verdict."""
        if action == sqlite3.SQLITE_SELECT:
            self.selects = True
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_RECURSIVE:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            return self._verdict((second or "").lower() in FUNCTIONS, f"function:{second}")
        if action == sqlite3.SQLITE_READ:
            if (second or "").lower() == "rowid" and first in BY_NAME:  # NULL in a view, or an error: it says nothing
                return self._verdict(False, f"column:{first}")
            return self._verdict(self._may_read(first or "", second or "", db, view), f"table:{first}")
        # Tables that SQLite makes up when they are named (json_each, pragma_…) begin with this.
        is_made_up = self.selects and action == sqlite3.SQLITE_UPDATE and first == "sqlite_master"
        return self._verdict(False, "table:" if is_made_up else "statement")

    def _verdict(self, is_allowed: bool, what: str) -> int:
        if is_allowed:
            return sqlite3.SQLITE_OK
        self.denied = self.denied or what
        return sqlite3.SQLITE_DENY

    def _may_read(self, table: str, column: str, db: str | None, view: str | None) -> bool:
        if table.startswith(self._secret):
            # All that is said of a table of ours of which no column is named: `SELECT count(*) FROM days`.
            inner = table.removeprefix(self._secret)
            if inner in BY_NAME:
                self.named.setdefault(inner, set())
            return True
        if view is not None and view.startswith(self._secret):
            return db == "main" and table in BY_NAME[view.removeprefix(self._secret)].tables
        if db == "temp" and table in BY_NAME:
            self.named.setdefault(table, set()).add(column.lower())
            return True
        if db is None and not column:
            self.unclear.add(table)
            return True
        return False


class Watch:
    """Ends a question that runs too long, takes too much memory, or is stopped. SQLite asks it again and again.

    Attributes:
        why: The code of the refusal, once it has said stop.
    """

    def __init__(self, seconds: float, stop: Callable[[], bool] | None) -> None:
        """Begin to count."""
        self._deadline = time.monotonic() + seconds
        self._stop = stop
        self._process = psutil.Process()
        self._memory = self._process.memory_info().rss + MEMORY_MAX
        self._look_again = 0.0
        self.why: str | None = None

    def __call__(self) -> bool:
        """Return whether to stop."""
        now = time.monotonic()
        if self._stop is not None and self._stop():
            self.why = "sql_stopped"
        elif now > self._deadline:
            self.why = "sql_time"
        elif now > self._look_again:
            self._look_again = now + _MEMORY_EVERY
            if self._process.memory_info().rss > self._memory:
                self.why = "sql_memory"
        return self.why is not None

    def watch(self, conn: sqlite3.Connection, sql: str) -> None:
        """Be asked by `conn` from now on, while it answers `sql`."""
        conn.set_progress_handler(self, _TRIM_STEPS if "trim" in sql.lower() else _STEPS)


@contextmanager
def guarded(conn: sqlite3.Connection, authorizer: Authorizer) -> Iterator[None]:
    """Let `conn` carry out, inside the block, only what the authorizer allows and within the limits."""
    before = {limit: conn.setlimit(limit, value) for limit, value in _LIMITS.items()}
    conn.set_authorizer(authorizer)
    try:
        yield
    finally:
        conn.set_authorizer(None)
        for limit, value in before.items():
            conn.setlimit(limit, value)
