"""The imports that were made, and taking one back: exactly its rows, and never what was recorded by hand since."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.tables import is_row_id
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.watch import Watch

_Settings = Mapping[str, Mapping[str, str | None]]


@dataclass(frozen=True, slots=True)
class ImportRun:
    """One import of the past.

    Attributes:
        format: Name of the format; a name of a newer version is kept as it is.
        made_at: Wall-clock time, aware.
        habits, entries: How many rows it brought are still as it wrote them; both 0 once it was taken back.
        settings: How many settings are still what it made them.
    """

    id: int
    format: str
    file_name: str
    made_at: datetime
    habits: int
    entries: int
    settings: int

    @property
    def is_gone(self) -> bool:
        """Whether nothing of it is left, so that there is nothing to take back."""
        return not (self.habits or self.entries or self.settings)


@dataclass(frozen=True, slots=True)
class ImportTakenBack:
    """What `undo_import` did.

    Attributes:
        habits, entries: How many it removed; entries that it put back to what they were count as well.
        kept_habits: Titles of habits that stay, since days were recorded in them by hand.
    """

    run: ImportRun
    changes: Changes
    habits: int
    entries: int
    kept_habits: tuple[str, ...]


def list_runs(db: Database) -> list[ImportRun]:
    """Return the imports, the newest first. Inside `read()`."""
    habits = dict(db.sql("SELECT import_id, COUNT(*) FROM habit WHERE import_id IS NOT NULL GROUP BY 1"))
    entries = dict(db.sql("SELECT import_id, COUNT(*) FROM entry WHERE import_id IS NOT NULL GROUP BY 1"))
    rows = db.sql(
        "SELECT id, format, file_name, made_at, json_extract(replaced, '$.settings') FROM import_run ORDER BY id DESC"
    )
    return [
        ImportRun(
            number,
            name,
            file,
            datetime.fromisoformat(at),
            habits.get(number, 0),
            entries.get(number, 0),
            len(_settings_left(db, json.loads(settings or "{}"))),
        )
        for number, name, file, at, settings in rows
    ]


def undo_import(db: Database, habits: HabitRepository, import_id: int, now: str, watch: Watch) -> ImportTakenBack:
    """Take an import back. Inside `write()`.

    Its entries go, unless they were changed by hand since; entries that it brought up to date are as before; habits
    that it made go, unless days were recorded in them by hand; settings that it set are as before, unless changed.

    Raises:
        TransferError: `not_found`: no such import, or it was taken back already; `stopped`.
    """
    run = next((each for each in list_runs(db) if each.id == import_id), None) if is_row_id(import_id) else None
    if run is None:
        raise TransferError("not_found", _("{id}번 가져오기를 찾지 못했어요.").format(id=shorten(import_id)))
    kept: dict[str, Any] = json.loads(db.sql("SELECT replaced FROM import_run WHERE id = ?", (import_id,))[0][0])
    settings = _restore_settings(db, kept.get("settings", {}))
    if not (run.habits or run.entries or settings):
        raise TransferError("not_found", _("이미 되돌린 가져오기예요: {name}").format(name=run.file_name))
    touched = {row[0] for row in db.sql("SELECT DISTINCT habit_id FROM entry WHERE import_id = ?", (import_id,))}
    made = [row[0] for row in db.sql("SELECT id FROM habit WHERE import_id = ?", (import_id,))]
    entries = sum(_put_back(db, import_id, before, now) for before in kept.get("entries", ()))
    watch.step(entries)
    entries += int(db.sql("SELECT COUNT(*) FROM entry WHERE import_id = ?", (import_id,))[0][0])
    db.sql("DELETE FROM entry WHERE import_id = ?", (import_id,))
    titles, removed = _remove_habits(db, made)
    # A habit that stays is still known by what the file calls it, so that importing again finds it.
    stays = "SELECT id FROM habit WHERE import_id = ?"
    db.sql(f"DELETE FROM habit_source WHERE import_id = ? AND habit_id NOT IN ({stays})", (import_id, import_id))
    db.sql("UPDATE habit SET import_id = NULL WHERE import_id = ?", (import_id,))
    for habit in habits.list(*HabitStatus):
        if habit.id in touched:
            habits.restore_start(habit)
    watch.end()
    changes = Changes(frozenset(touched | set(made)), settings=frozenset(settings))
    return ImportTakenBack(run, changes, removed, entries, tuple(titles))


def _put_back(db: Database, import_id: int, before: Mapping[str, Any], now: str) -> int:
    """Give one day what it held before the import, when it still holds what the import wrote; return 1 or 0."""
    columns = ("value", "is_minimum", "note", "amount", "import_id")
    statement = (
        f"UPDATE entry SET {', '.join(f'{name} = ?' for name in columns)}, updated_at = ? "
        "WHERE habit_id = ? AND date = ? AND import_id = ? RETURNING 1"
    )
    key = (before["habit_id"], before["date"], import_id)
    return len(db.sql(statement, (*(before[name] for name in columns), now, *key)))


def _remove_habits(db: Database, made: Iterable[int]) -> tuple[list[str], int]:
    """Remove the habits that hold no day any more; return the titles of those that stay, and how many went."""
    titles: list[str] = []
    removed = 0
    column = "title_en" if current_language() == "en" else "title_ko"
    for habit_id in made:
        if db.sql("SELECT 1 FROM entry WHERE habit_id = ? LIMIT 1", (habit_id,)):
            titles.append(db.sql(f"SELECT {column} FROM habit WHERE id = ?", (habit_id,))[0][0])
        else:
            db.sql("DELETE FROM habit WHERE id = ?", (habit_id,))
            removed += 1
    return titles, removed


def _settings_left(db: Database, kept: _Settings) -> set[str]:
    """Return the keys of the settings that still are what the import made them."""
    if not kept:
        return set()
    stored = dict(db.sql("SELECT key, value FROM setting"))
    return {key for key, values in kept.items() if key in stored and stored[key] == values["after"]}


def _restore_settings(db: Database, kept: _Settings) -> set[str]:
    """Put settings back that still are what the import made them; return their keys."""
    restored = _settings_left(db, kept)
    for key in restored:
        before = kept[key]["before"]
        if before is None:
            db.sql("DELETE FROM setting WHERE key = ?", (key,))
        else:
            db.sql("UPDATE setting SET value = ? WHERE key = ?", (before, key))
    return restored
