"""What migrations write their tables with: checks, and SQLite's own way to widen one. Part of history: never edit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

Execute = Callable[[str], Iterable[Any]]


def is_day(column: str) -> str:
    """A civil day as YYYY-MM-DD that exists in the calendar (NULL passes, as in every CHECK)."""
    shape = "[0-9][0-9][0-9][0-9]-[0-1][0-9]-[0-3][0-9]"
    # The modifier makes SQLite compute: date('2026-02-30') alone is given back as it is. IS, because an
    # impossible month gives NULL, and a CHECK that is NULL passes.
    return f"CHECK ({column} IS NULL OR ({column} GLOB '{shape}' AND date({column}, '+0 days') IS {column}))"


def length(column: str, least: int, most: int) -> str:
    """A text of `least` to `most` characters."""
    return f"CHECK (length({column}) BETWEEN {least} AND {most})"


def rewrite_schema(execute: Execute, table: str, *changes: tuple[str, str]) -> None:
    """Change checks in the text of a table's definition: SQLite's own way to widen one without touching a row.

    Rebuilding the table would need `foreign_keys` off, since dropping the old one deletes what refers to its rows.
    """
    [[sql]] = execute(f"SELECT sql FROM sqlite_master WHERE type = 'table' AND name = '{table}'")
    for old, new in changes:
        # White space does not count: a file may have been made from a dump.
        pattern = r"\s*".join(re.escape(part) for part in re.findall(r"\w+|[^\w\s]", old))
        sql, found = re.subn(pattern, new.replace("\\", r"\\"), sql)
        if found != 1:
            raise RuntimeError(f"table {table}: expected {old!r} once, found it {found} times")
    quoted = sql.replace("'", "''")
    [[version]] = execute("PRAGMA schema_version")
    execute("PRAGMA writable_schema = ON")
    execute(f"UPDATE sqlite_master SET sql = '{quoted}' WHERE type = 'table' AND name = '{table}'")
    execute(f"PRAGMA schema_version = {version + 1}")
    execute("PRAGMA writable_schema = RESET")
