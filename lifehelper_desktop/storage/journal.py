"""Undo and redo for every change, whichever surface made it, across restarts: the newest 100 are kept.

The outermost `Database.write()` ends with `Journal.record`, which keeps the rows that the transaction changed, in the
same transaction. Nothing else has to be done by who writes; who wants to be named uses `acting`. Undo puts the rows
back exactly, or, when they are no longer what the change left behind, refuses and leaves everything as it is.

A migration that changes what columns mean must empty the journal; columns that come in are fine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

import peewee

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.i18n import N_, _, current_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import HabitType
from lifehelper_desktop.domain.rules import RuleViolation, check_quota
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.journal_words import label_of, label_words
from lifehelper_desktop.storage.row_capture import JOURNALLED, RowCapture, TableShape

KEEP_CHANGES: Final = 100


class Source(StrEnum):
    """The surface that a change came from."""

    WINDOW = "window"
    TRAY = "tray"
    REMINDER = "reminder"
    COACH = "coach"
    CLI = "cli"
    MCP = "mcp"
    IMPORT = "import"


_SOURCES: Final[Mapping[str, str]] = {
    Source.WINDOW: N_("창"),
    Source.TRAY: N_("트레이"),
    Source.REMINDER: N_("알림"),
    Source.COACH: N_("코치"),
    Source.CLI: N_("명령줄"),
    Source.MCP: N_("다른 앱(MCP)"),
    Source.IMPORT: N_("가져오기"),
}

_acting: ContextVar[tuple[Source, Mapping[str, Any]] | None] = ContextVar("acting", default=None)


@contextmanager
def acting(source: Source, **label: Any) -> Iterator[None]:
    """Name the surface of the changes made inside, on this thread. Around the outermost `write()`, not within it.

    `label` replaces the words that are made from the rows: `action="import", name="loop.db"`; `storage.journal_words`
    lists the actions. Inside another `acting` the outer label stays, since the inner one is a part of that.
    """
    outer = _acting.get()
    kept = outer[1] if outer is not None and outer[1] else label
    token = _acting.set((source, kept))
    try:
        yield
    finally:
        _acting.reset(token)


class ChangeState(StrEnum):
    """Where a change stands. `stuck`: its rows were changed by something else since, so it stays as it is."""

    DONE = "done"
    UNDONE = "undone"
    STUCK = "stuck"

    @property
    def words(self) -> str:
        """What there is to say about it, in the language in force; empty for a change that simply stands."""
        match self:
            case ChangeState.DONE:
                return ""
            case ChangeState.UNDONE:
                return _("되돌림")
            case ChangeState.STUCK:
                return _("그 뒤에 달라짐")


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """One change of the history.

    Attributes:
        made_at: Wall-clock time of the change, aware.
        source: The surface; a name of a newer version is kept as it is.
        label: What was done, as data: `action` and the values of its words.
        rows: How many rows it changed.
    """

    id: int
    made_at: datetime
    source: str
    label: Mapping[str, Any]
    state: ChangeState
    rows: int

    @property
    def source_words(self) -> str:
        """The surface in the language in force."""
        return _(_SOURCES[self.source]) if self.source in _SOURCES else self.source

    def words(self, language: str) -> str:
        """Return what was done, in the language in force; titles of habits are those of `language`."""
        return label_words(self.label, language)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What `undo` or `redo` did: the change, the rows that screens must read anew."""

    change: RecordedChange
    changes: Changes
    again: bool = False

    def words(self, language: str) -> str:
        """Return the sentence that tells the user what was undone or redone."""
        template = _("다시 했어요: {what}") if self.again else _("되돌렸어요: {what}")
        return template.format(what=self.change.words(language))


class Journal:
    """Records, undoes and redoes changes. Any thread; each undo or redo is one transaction.

    Trouble with the disk is a `WorldError`, a refusal a `RuleViolation`; neither leaves anything behind.

    Attributes:
        source: The surface of this process, for changes that `acting` does not name.
    """

    def __init__(self, db: Database, clock: Clock) -> None:
        """Record the writes of `db` from now on."""
        self._db = db
        self._clock = clock
        self._capture = RowCapture(db)
        self.source = Source.WINDOW
        db.recorder = self

    # Recording: called by Database.write()

    def prepare(self) -> None:
        """Set up the thread's connection, before the transaction begins."""
        self._capture.prepare()

    def record(self) -> None:
        """Keep what the transaction changed, before it is committed. What was undone before is then gone for good."""
        if self._capture.is_empty():
            return
        source, given = _acting.get() or (self.source, {})
        now = self._clock.now().isoformat(timespec="seconds")
        insert = "INSERT INTO journal (made_at, source, label) VALUES (?, ?, '{}') RETURNING id"
        journal_id = int(self._db.sql(insert, (now, source.value))[0][0])
        if not self._capture.store(journal_id):
            self._db.sql("DELETE FROM journal WHERE id = ?", (journal_id,))
            return
        label = json.dumps(label_of(self._db, journal_id, given))
        self._db.sql("UPDATE journal SET label = ? WHERE id = ?", (label, journal_id))
        self._db.sql("DELETE FROM journal WHERE state = 'undone'")
        last = "SELECT id FROM journal ORDER BY id DESC LIMIT 1 OFFSET ?"
        self._db.sql(f"DELETE FROM journal WHERE id <= ({last})", (KEEP_CHANGES,))

    def leave_out(self) -> None:
        """Keep nothing of what the running transaction has changed so far. Inside `write()`."""
        self._capture.clear()

    # The history

    def history(self, limit: int = KEEP_CHANGES) -> list[RecordedChange]:
        """Return the newest changes, the newest first; those that were undone and can be redone too."""
        with self._db.read():
            return self._changes("1 = 1 ORDER BY id DESC LIMIT ?", (limit,))

    def next_undo(self) -> RecordedChange | None:
        """Return the change that `undo` would take back, or None."""
        with self._db.read():
            return self._first("state = 'done' ORDER BY id DESC LIMIT 1")

    def next_redo(self) -> RecordedChange | None:
        """Return the change that `redo` would do again, or None."""
        with self._db.read():
            return self._first("state = 'undone' ORDER BY id LIMIT 1")

    def undo(self, expected: int | None = None) -> TakenBack:
        """Take the newest change back, exactly.

        Args:
            expected: Id of the change that it has to be, for who has shown it to the user before.

        Raises:
            RuleViolation: `nothing_to_undo`; `undo_moved_on` when another change is the newest by now; `undo_conflict`
                when its rows are no longer what it left behind, such a change stays and is passed over from then on;
                `r3_quota` when that leaves no place for a habit.
        """
        return self._take_back(ChangeState.DONE, "nothing_to_undo", expected)

    def redo(self, expected: int | None = None) -> TakenBack:
        """Do the change again that was undone last.

        Args:
            expected: Id of the change that it has to be.

        Raises:
            RuleViolation: `nothing_to_redo`; `undo_moved_on`; `undo_conflict` as for `undo`.
        """
        return self._take_back(ChangeState.UNDONE, "nothing_to_redo", expected)

    def forget(self, habit_ids: list[int]) -> None:
        """Drop all rows of these habits from the history: they are gone for good. Inside the transaction of it."""
        marks = ", ".join("?" * len(habit_ids))
        owner = "CASE table_name WHEN 'habit' THEN '$.id' ELSE '$.habit_id' END"
        self._db.sql(
            f"DELETE FROM journal_row WHERE json_extract(COALESCE(after, before), {owner}) IN ({marks})", habit_ids
        )
        self._db.sql("DELETE FROM journal WHERE id NOT IN (SELECT journal_id FROM journal_row)")

    def _changes(self, condition: str, parameters: tuple[object, ...] = ()) -> list[RecordedChange]:
        count = "SELECT COUNT(*) FROM journal_row WHERE journal_id = journal.id"
        statement = f"SELECT id, made_at, source, label, state, ({count}) FROM journal WHERE {condition}"
        return [
            RecordedChange(number, datetime.fromisoformat(at), source, json.loads(label), ChangeState(state), rows)
            for number, at, source, label, state, rows in self._db.sql(statement, parameters)
        ]

    def _first(self, condition: str) -> RecordedChange | None:
        found = self._changes(condition)
        return found[0] if found else None

    # Undo and redo

    def _take_back(self, state: ChangeState, nothing: str, expected: int | None) -> TakenBack:
        if self._db.in_write:
            raise RuntimeError("undo and redo are transactions of their own")
        again = state is ChangeState.UNDONE
        change: RecordedChange | None = None
        try:
            with self._db.write():
                change = self.next_redo() if again else self.next_undo()
                if change is None:
                    raise RuleViolation(nothing)
                if expected is not None and change.id != expected:
                    raise RuleViolation("undo_moved_on")
                changes = self._changed_rows(change.id)
                self._put_back(change, again=again)
                self._capture.clear()
                after = ChangeState.DONE if again else ChangeState.UNDONE
                self._db.sql("UPDATE journal SET state = ? WHERE id = ?", (after.value, change.id))
        except _ConflictError as conflict:
            assert change is not None
            with self._db.write():
                self._db.sql("UPDATE journal SET state = 'stuck' WHERE id = ? AND state = ?", (change.id, state.value))
            raise RuleViolation("undo_conflict", what=change.words(current_language())) from conflict
        return TakenBack(change, changes, again)

    def _put_back(self, change: RecordedChange, *, again: bool) -> None:
        """Give every row of the change its other image.

        Raises:
            _ConflictError: A row is not what the change left behind, or more than its rows would change.
            RuleViolation: `r3_quota`.
        """
        now, then = ("before", "after") if again else ("after", "before")
        tables = [self._image(change.id, name) for name in JOURNALLED]
        known = [table for table in tables if table is not None]
        for table in known:
            self._check(change.id, table, now)
        places = self._active_counts()
        try:
            for table in reversed(known):
                self._delete(change.id, table, then)
            for table in known:
                self._update(change.id, table, now, then)
                self._insert(change.id, table, now, then)
        except peewee.IntegrityError as error:
            raise _ConflictError from error
        if self._capture.count() != change.rows:
            raise _ConflictError  # rows of another table hung on them, or a table that this version does not know
        # Where a change was passed over, the one before it may ask for a place that is taken.
        for habit_type, active in self._active_counts().items():
            if active > places[habit_type]:
                check_quota(habit_type, active - 1)

    def _active_counts(self) -> dict[HabitType, int]:
        statement = (
            "SELECT COALESCE(SUM(kind <> 'break'), 0), COALESCE(SUM(kind = 'break'), 0) FROM habit "
            "WHERE status = 'active' AND deleted_on IS NULL"
        )
        [(build, breaking)] = self._db.sql(statement)
        return {HabitType.BUILD: int(build), HabitType.BREAK: int(breaking)}

    def _image(self, journal_id: int, name: str) -> TableShape | None:
        """Return the shape of a table as the change's images know it, or None when it has none of its rows.

        Raises:
            _ConflictError: The table has lost a column since.
        """
        images = "SELECT COALESCE(after, before) AS image FROM journal_row WHERE journal_id = ? AND table_name = ?"
        first = f"SELECT key FROM ({images} LIMIT 1), json_each(image)"
        keys = [key for (key,) in self._db.sql(first, (journal_id, name))]
        if not keys:
            return None
        shape = TableShape.read(self._db, name)
        if not set(keys) <= shape.columns.keys():
            raise _ConflictError
        return TableShape(name, {key: shape.columns[key] for key in keys}, shape.key)

    def _check(self, journal_id: int, table: TableShape, now: str) -> None:
        exists = f"t.{table.key[0]} IS NOT NULL"
        same = " AND ".join(f"t.{column} IS {table.value_in(f'j.{now}', column)}" for column in table.columns)
        statement = (
            f"SELECT 1 FROM journal_row AS j LEFT JOIN {table.name} AS t ON {table.matches_key('t', 'j.row_key')} "
            f"WHERE j.journal_id = ? AND j.table_name = ? AND NOT (({exists}) = (j.{now} IS NOT NULL) "
            f"AND (j.{now} IS NULL OR ({same}))) LIMIT 1"
        )
        if self._db.sql(statement, (journal_id, table.name)):
            raise _ConflictError

    def _delete(self, journal_id: int, table: TableShape, then: str) -> None:
        places = ", ".join(f"json_extract(row_key, '$[{place}]')" for place in range(len(table.key)))
        self._db.sql(
            f"DELETE FROM {table.name} WHERE ({', '.join(table.key)}) IN "
            f"(SELECT {places} FROM journal_row WHERE journal_id = ? AND table_name = ? AND {then} IS NULL)",
            (journal_id, table.name),
        )

    def _update(self, journal_id: int, table: TableShape, now: str, then: str) -> None:
        values = ", ".join(f"{column} = {table.value_in(f'j.{then}', column)}" for column in table.columns)
        self._db.sql(
            f"UPDATE {table.name} SET {values} FROM journal_row AS j WHERE j.journal_id = ? AND j.table_name = ? "
            f"AND j.{now} IS NOT NULL AND j.{then} IS NOT NULL AND {table.matches_key(table.name, 'j.row_key')}",
            (journal_id, table.name),
        )

    def _insert(self, journal_id: int, table: TableShape, now: str, then: str) -> None:
        values = ", ".join(table.value_in(then, column) for column in table.columns)
        self._db.sql(
            f"INSERT INTO {table.name} ({', '.join(table.columns)}) SELECT {values} FROM journal_row "
            f"WHERE journal_id = ? AND table_name = ? AND {now} IS NULL",
            (journal_id, table.name),
        )

    def _changed_rows(self, journal_id: int) -> Changes:
        image = "COALESCE(after, before)"
        statement = (
            f"SELECT DISTINCT table_name, json_extract({image}, '$.habit_id'), json_extract({image}, '$.date'), "
            "json_extract(row_key, '$[0]') FROM journal_row WHERE journal_id = ?"
        )
        habits: set[int] = set()
        entries: set[tuple[int, str]] = set()
        settings: set[str] = set()
        for table, habit_id, day, first_key in self._db.sql(statement, (journal_id,)):
            if table == "setting":
                settings.add(first_key)
            elif table == "entry":
                entries.add((habit_id, day))
            elif table == "habit":
                habits.add(first_key)
            elif habit_id is not None:
                habits.add(habit_id)
        return Changes(frozenset(habits), frozenset(entries), frozenset(settings))


class _ConflictError(Exception):
    """The rows are no longer what the change left behind."""
