"""SQLite's functions that questions get in another form: the logical day for `now`, and `printf` without its traps."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from datetime import date, datetime
from functools import lru_cache
from typing import Final

Plain = str | bytes | int | float | None  # what SQLite takes
#: Where the time stands among the arguments of each function.
_TIME_AT: Final = {"date": 0, "time": 0, "datetime": 0, "julianday": 0, "unixepoch": 0, "strftime": 1}
_CURRENT: Final = {"current_date": "date", "current_time": "time", "current_timestamp": "datetime"}
_ZONES: Final = frozenset({"localtime", "utc"})
# SQLite's own functions are ten times as fast: they stay where nothing is said about now. A miss costs no safety.
_SAYS_NOW: Final = re.compile(r"now|current_|localtime|utc|\(\s*\)|strftime\s*\([^,]*\)", re.IGNORECASE)
_WIDE: Final = re.compile(r"%[^a-zA-Z%]*?(?:\*|\d{4})")  # the flags and the width of a place in a format
_CACHED: Final = 8192


def add_functions(conn: sqlite3.Connection, sql: str, today: date, now: datetime) -> Callable[[], None]:
    """Put our functions in the place of SQLite's on `conn` for the question `sql`; return what ends them.

    `date('now')` is today as the app counts it, not the day of the wall clock in UTC. Days are civil here and have no
    time zone: `localtime` and `utc` change nothing.
    """
    helper = sqlite3.connect(":memory:", check_same_thread=False)
    for name in ("printf", "format"):
        conn.create_function(name, -1, _formatter(helper), deterministic=True)
    if _SAYS_NOW.search(sql) is not None:
        moment = f"{today.isoformat()} {now:%H:%M:%S}"
        for name, at in _TIME_AT.items():
            conn.create_function(name, -1, _function(helper, name, at, moment), deterministic=True)
        for name, plain in _CURRENT.items():
            conn.create_function(name, 0, _constant(helper, plain, moment), deterministic=True)
    return helper.close


def _formatter(helper: sqlite3.Connection) -> Callable[..., Plain]:
    """Return `printf` without widths that keep SQLite busy for minutes in one step, in which nothing can stop it."""

    def write(*args: object) -> Plain:
        if not args or not isinstance(args[0], str):
            return None
        if _WIDE.search(args[0].replace("%%", "")):
            raise ValueError(args[0])  # becomes an error of the statement
        text: Plain = helper.execute(f"SELECT printf({', '.join('?' * len(args))})", args).fetchone()[0]
        return text

    return write


def _constant(helper: sqlite3.Connection, name: str, moment: str) -> Callable[[], Plain]:
    value: Plain = helper.execute(f"SELECT {name}(?)", (moment,)).fetchone()[0]
    return lambda: value


def _function(helper: sqlite3.Connection, name: str, at: int, moment: str) -> Callable[..., Plain]:
    @lru_cache(maxsize=_CACHED, typed=True)
    def compute(*args: object) -> Plain:
        given = [*args, moment] if len(args) == at else list(args)
        if len(given) > at and isinstance(given[at], str) and str(given[at]).strip().lower() == "now":
            given[at] = moment
        kept = given[: at + 1] + [each for each in given[at + 1 :] if str(each).strip().lower() not in _ZONES]
        try:
            value: Plain = helper.execute(f"SELECT {name}({', '.join('?' * len(kept))})", kept).fetchone()[0]
        except sqlite3.Error:
            return None
        return value

    return compute
