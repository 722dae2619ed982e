"""What belongs to a profile: the columns and tables that LifeHelper's own file holds, and how a habit is known again.

New columns of `habit` and new tables that refer to it go into the file by themselves; a new column of `entry` has to
be added to `ENTRY_COLUMNS` (a test fails when it is forgotten).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from lifehelper_desktop.base.settings import (
    ACCEPTED_TERMS,
    ADDED_MODELS,
    BACKUP_COPY_FOLDER,
    MCP_SERVERS,
    MODEL_FAMILY,
    MODEL_PATH,
    SETTINGS,
    Setting,
)
from lifehelper_desktop.storage.database import Database

FORMAT_NAME: Final = "lifehelper"
VERSION: Final = 1

#: What a row of `entry` holds beside its ids.
ENTRY_COLUMNS: Final = ("date", "value", "is_minimum", "note", "amount", "created_at", "updated_at")
#: Columns of `habit` that are about this database and not about the habit.
LOCAL_COLUMNS: Final = frozenset({"id", "import_id"})
#: Tables that refer to `habit` and have a place of their own in the file.
_NAMED_TABLES: Final = frozenset({"habit_variant", "entry", "habit_source"})
#: Settings that speak of files or programs on this computer, or of what was agreed to on it. A file that is imported
#: must never bring a program with it that is then started.
_LOCAL_SETTINGS: Final = frozenset(
    row.key for row in (MODEL_PATH, MODEL_FAMILY, ADDED_MODELS, ACCEPTED_TERMS, BACKUP_COPY_FOLDER, MCP_SERVERS)
)


def portable_setting(key: str) -> Setting | None:
    """Return the setting when it is the user's and means the same on every computer, or None."""
    return None if key in _LOCAL_SETTINGS else SETTINGS.get(key)


def habit_columns(db: Database) -> tuple[str, ...]:
    """Return the columns of `habit` that go into the file."""
    return tuple(row[1] for row in db.sql("PRAGMA table_info(habit)") if row[1] not in LOCAL_COLUMNS)


def child_tables(db: Database) -> dict[str, tuple[str, ...]]:
    """Return the other tables that hold rows of a habit, with the columns that go into the file."""
    names = [name for (name,) in db.sql("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found: dict[str, tuple[str, ...]] = {}
    for name in names:
        if name in _NAMED_TABLES or not any(row[2] == "habit" for row in db.sql(f"PRAGMA foreign_key_list({name})")):
            continue
        columns = [row[1] for row in db.sql(f"PRAGMA table_info({name})")]
        found[name] = tuple(column for column in columns if column not in ("id", "habit_id"))
    return found


def uid_of(row: Mapping[str, Any]) -> str:
    """Return the name under which a habit of this profile is known in other profiles.

    It is made from what never changes in its row, so nothing has to be stored for it.
    """
    parts = (row["id"], row["created_at"], row["created_on"], row["protocol_id"], row["break_protocol_id"])
    return hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).hexdigest()[:32]


def uids(db: Database) -> dict[str, int]:
    """Return all habits by their uid. A habit that came with one from another profile keeps it."""
    columns = ("id", "created_at", "created_on", "protocol_id", "break_protocol_id")
    rows = [dict(zip(columns, row, strict=True)) for row in db.sql(f"SELECT {', '.join(columns)} FROM habit")]
    came = {habit_id: key for key, habit_id in _came_with(db)}
    return {came.get(row["id"]) or uid_of(row): row["id"] for row in rows}


def _came_with(db: Database) -> list[tuple[str, int]]:
    statement = "SELECT external_id, habit_id FROM habit_source WHERE source = ? ORDER BY import_id DESC"
    return [(key.removeprefix("uid:"), habit_id) for key, habit_id in db.sql(statement, (FORMAT_NAME,))]
