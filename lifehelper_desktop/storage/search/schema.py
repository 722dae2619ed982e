"""What the index of the search consists of. `create_search` is a part of the schema's history: never edit it.

`search_text` holds each searched text in the forms of `domain.searching`; `search_index` is FTS5's trigram index over
their keys. Triggers in plain SQL note in `search_stale` which texts have changed, so that every writer is seen: this
program, another one, an undo, a cascade, an import; whoever searches brings these up to date first. The row
('index', 0) says that the trigram index itself must be built: it was not there when texts were written.
"""

from __future__ import annotations

from typing import Final

from lifehelper_desktop.storage.schema_parts import Execute

_TRIGRAM_SINCE: Final = (3, 34)
HABIT_TEXTS: Final = (*("title_ko", "title_en", "framed_text", "anchor_when", "anchor_after_what", "description"),)
CREATE_INDEX: Final = (
    "CREATE VIRTUAL TABLE IF NOT EXISTS search_index USING fts5("
    "keys, content = 'search_text', content_rowid = 'id', tokenize = 'trigram case_sensitive 1')"
)


def has_trigram(execute: Execute) -> bool:
    """Return whether the SQLite that runs has FTS5 with trigrams."""
    [[version]] = execute("SELECT sqlite_version()")
    if tuple(map(int, version.split(".")[:2])) < _TRIGRAM_SINCE:
        return False
    return bool(list(execute("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'")))


def create_search(execute: Execute) -> None:
    """Make the tables and triggers, and note everything that is there as changed."""
    execute(
        """
        CREATE TABLE search_text (
            id INTEGER PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('habit', 'note', 'message', 'topic')),
            ref INTEGER NOT NULL,
            spaced TEXT NOT NULL,
            keys TEXT NOT NULL,
            UNIQUE (kind, ref)
        )
        """
    )
    execute(
        "CREATE TABLE search_stale (kind TEXT NOT NULL, ref INTEGER NOT NULL, PRIMARY KEY (kind, ref)) WITHOUT ROWID"
    )
    if has_trigram(execute):
        execute(CREATE_INDEX)
    else:
        execute("INSERT INTO search_stale VALUES ('index', 0)")
    _watch(execute, "habit", "habit", "id", HABIT_TEXTS)
    _watch(execute, "habit_variant", "habit", "habit_id", ("dose",))
    _watch(execute, "entry", "note", "id", ("note",), "note")
    _watch(execute, "conversation_event", "message", "id", ("folded", "body"), "folded")
    _watch(execute, "conversation", "topic", "id", ("title",))
    for kind, table, condition in (
        ("habit", "habit", "1"),
        ("note", "entry", "note <> ''"),
        ("message", "conversation_event", "folded <> ''"),
        ("topic", "conversation", "1"),
    ):
        execute(f"INSERT INTO search_stale SELECT '{kind}', id FROM {table} WHERE {condition}")


def _watch(execute: Execute, table: str, kind: str, key: str, texts: tuple[str, ...], filled: str = "") -> None:
    """Note the rows of `table` whose texts are written; those whose column `filled` is empty are of no interest."""
    changed = " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in (key, *texts))
    for event, rows in (("INSERT", ("NEW",)), ("UPDATE", ("OLD", "NEW")), ("DELETE", ("OLD",))):
        conditions = [" OR ".join(f"{row}.{filled} <> ''" for row in rows)] if filled else []
        if event == "UPDATE":
            conditions.append(changed)
        when = f"WHEN {' AND '.join(f'({each})' for each in conditions)} " if conditions else ""
        # The clause is part of the insert: OR IGNORE would give way to what the outer statement says.
        notes = " ".join(
            f"INSERT INTO search_stale VALUES ('{kind}', {row}.{key}) ON CONFLICT DO NOTHING;" for row in rows
        )
        execute(f"CREATE TRIGGER search_{table}_{event.lower()} AFTER {event} ON {table} {when}BEGIN {notes} END")
