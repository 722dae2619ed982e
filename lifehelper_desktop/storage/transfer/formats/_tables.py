"""Reading tables of SQLite files whose columns differ from version to version."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from lifehelper_desktop.storage.text import shorten


def columns_of(db: sqlite3.Connection, table: str) -> frozenset[str]:
    """Return the names of a table's columns in lower case."""
    return frozenset(row[1].casefold() for row in db.execute(f'PRAGMA table_info("{table}")'))


def row_name(number: object) -> str:
    """Return the id of a row for people; that it need not be a number is what makes cleaning necessary."""
    return str(number) if type(number) is int else shorten(number, 20)


def rows_of(
    db: sqlite3.Connection, table: str, columns: Sequence[str], order: Sequence[str] = ()
) -> Iterator[dict[str, Any]]:
    """Return the rows of a table with these columns; a column that it lacks is None in every row.

    `table`, `columns` and `order` are names of the code, never of the file.
    """
    known = columns_of(db, table)
    chosen = ", ".join(f'"{name}"' if name in known else "NULL" for name in columns)
    by = ", ".join(f'"{name}"' for name in order if name in known) or "rowid"
    for row in db.execute(f'SELECT {chosen} FROM "{table}" ORDER BY {by}'):
        yield dict(zip(columns, row, strict=True))
