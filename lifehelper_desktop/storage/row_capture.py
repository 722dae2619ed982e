"""Catches what a transaction does to which rows, whoever writes and by whatever statement.

SQLite itself reports every row: temporary triggers on each connection put its image before and after into a
temporary table. So a bulk insert, a cascade and a statement in SQL are seen like a repository's update, nothing of
it lies in the file, and another program that writes to the file needs to know nothing of it.

An image is a JSON object, column by column. JSON has no BLOB: a journalled table must not hold any. Numbers of REAL
columns stand in it as Python writes them, since SQLite's own way to text and back may change the last digit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lifehelper_desktop.base.settings import SETTINGS
from lifehelper_desktop.storage.database import Database

#: The tables whose rows undo brings back, those that others refer to first. A new table goes here or below.
JOURNALLED: Final = (
    *("habit", "habit_source", "habit_variant", "habit_pause", "habit_schedule", "reminder", "entry", "setting"),
)
#: What is no change of the user's to take back. The test of the journal fails when a table stands in neither.
NOT_JOURNALLED: Final = frozenset(
    {
        *("migration", "journal", "journal_row", "conversation", "conversation_event", "invocation", "import_run"),
        *("reminder_mark", "entry_state", "conversation_summary"),
        *("search_text", "search_stale", "search_index", "search_index_data", "search_index_idx"),
        *("search_index_docsize", "search_index_config"),
    }
)

_CATCH: Final = (
    "CREATE TEMP TABLE journal_catch "
    "(number INTEGER PRIMARY KEY, table_name TEXT NOT NULL, row_key TEXT NOT NULL, before TEXT, after TEXT)"
)
#: One row per row that differs at the end of the transaction from its beginning.
_NET: Final = (
    "SELECT span.table_name, span.row_key, first.before, last.after FROM ("
    "SELECT table_name, row_key, MIN(number) AS low, MAX(number) AS high FROM temp.journal_catch GROUP BY 1, 2"
    ") AS span JOIN temp.journal_catch AS first ON first.number = span.low "
    "JOIN temp.journal_catch AS last ON last.number = span.high WHERE first.before IS NOT last.after"
)


@dataclass(frozen=True)
class TableShape:
    """A table as it is now: its columns with their declared types, and those of its primary key."""

    name: str
    columns: dict[str, str]
    key: tuple[str, ...]

    @classmethod
    def read(cls, db: Database, name: str) -> TableShape:
        """Read the shape of a table from the database."""
        rows = db.sql(f"PRAGMA main.table_info({name})")
        key = sorted((place, column) for _number, column, _type, _null, _default, place in rows if place)
        return cls(name, {row[1]: row[2] for row in rows}, tuple(column for _place, column in key))

    def is_watched(self, row: str) -> str:
        """Return the condition under which `row` is of interest."""
        if self.name != "setting":
            return "1"
        keys = ", ".join(f"'{key}'" for key, setting in SETTINGS.items() if setting.undoable)
        return f"{row}.key IN ({keys})"

    def key_of(self, row: str) -> str:
        """Return the expression for the key of `row` (NEW, OLD or an alias)."""
        return f"json_array({', '.join(f'{row}.{column}' for column in self.key)})"

    def image_of(self, row: str) -> str:
        """Return the expression for the image of `row`."""
        parts = (
            f"'{column}', {'real_text' if kind.upper() == 'REAL' else ''}({row}.{column})"
            for column, kind in self.columns.items()
        )
        return f"json_object({', '.join(parts)})"

    def value_in(self, image: str, column: str) -> str:
        """Return the expression for the value of a column in the image `image`."""
        value = f"json_extract({image}, '$.{column}')"
        return f"text_real({value})" if self.columns[column].upper() == "REAL" else value

    def matches_key(self, row: str, key: str) -> str:
        """Return the condition that `row` is the one of the JSON expression `key`."""
        parts = (f"{row}.{column} = json_extract({key}, '$[{place}]')" for place, column in enumerate(self.key))
        return " AND ".join(parts)


class RowCapture:
    """The catch of the running transaction on the calling thread's connection."""

    def __init__(self, db: Database) -> None:
        """Watch the journalled tables of `db`; before another thread uses it."""
        self._db = db
        db.add_function("real_text", lambda value: None if value is None else repr(value))
        db.add_function("text_real", lambda text: None if text is None else float(text))

    def prepare(self) -> None:
        """Set up the connection when this is its first write. Not inside a transaction, which might end undone."""
        if self._db.sql("SELECT 1 FROM temp.sqlite_master WHERE name = 'journal_catch'"):
            return
        # INSERT OR REPLACE deletes rows, and says so only then.
        self._db.sql("PRAGMA recursive_triggers = ON")
        for table in JOURNALLED:
            for statement in _triggers(TableShape.read(self._db, table)):
                self._db.sql(statement)
        self._db.sql(_CATCH)  # last: it stands for all

    def is_empty(self) -> bool:
        """Return whether the transaction has touched no journalled row so far."""
        return not self._db.sql("SELECT 1 FROM temp.journal_catch LIMIT 1")

    def count(self) -> int:
        """Return how many rows differ from the beginning of the transaction."""
        return int(self._db.sql(f"SELECT COUNT(*) FROM ({_NET})")[0][0])

    def store(self, journal_id: int) -> int:
        """Keep the catch as the rows of a journal entry, empty it, and return how many rows differ."""
        self._db.sql(f"INSERT INTO journal_row SELECT ?, * FROM ({_NET})", (journal_id,))
        self.clear()
        return int(self._db.sql("SELECT COUNT(*) FROM journal_row WHERE journal_id = ?", (journal_id,))[0][0])

    def clear(self) -> None:
        """Forget what was caught."""
        self._db.sql("DELETE FROM temp.journal_catch")


def _triggers(table: TableShape) -> list[str]:
    """Return the statements that watch one table."""
    made = []
    for event, row, before, after in (
        ("INSERT", "NEW", "NULL", table.image_of("NEW")),
        ("UPDATE", "OLD", table.image_of("OLD"), table.image_of("NEW")),
        ("DELETE", "OLD", table.image_of("OLD"), "NULL"),
    ):
        made.append(
            f"CREATE TEMP TRIGGER IF NOT EXISTS journal_{table.name}_{event} AFTER {event} ON main.{table.name} "
            f"WHEN {table.is_watched(row)} BEGIN "
            "INSERT INTO journal_catch (table_name, row_key, before, after) "
            f"VALUES ('{table.name}', {table.key_of(row)}, {before}, {after}); END"
        )
    return made
