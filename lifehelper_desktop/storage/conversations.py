"""Conversations as they happened, and which invocation of a tool has written what.

The bodies of events and results are JSON texts that the chat package reads and writes; here they only have a place.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.tables import is_row_id
from lifehelper_desktop.storage.text import shorten

TITLE_MAX: Final = 60
_UNTITLED: Final = N_("제목 없는 대화")


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One conversation of the list; times are aware wall-clock times."""

    id: int
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """One event of a conversation.

    Attributes:
        kind: `user`, `model`, `call`, `result` or `system`.
        body: What happened, as JSON.
        invocation: Key of the call that a `call` or `result` belongs to, else None.
        text: What searching finds the event by; empty for what nobody searches.
    """

    kind: str
    body: Mapping[str, Any]
    invocation: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Invocation:
    """A write that is to be done at most once: the app's own key of the call, and the conversation it is kept in."""

    key: str
    conversation_id: int


def fold(text: str) -> str:
    """Return `text` as searching compares it: composed, without case, runs of blanks as one space."""
    composed = unicodedata.normalize("NFC", text.replace("\0", "").encode("utf-8", "replace").decode())
    return " ".join(unicodedata.normalize("NFC", composed.casefold()).split())


Events = list[StoredEvent]  # inside the class, `list` is the method


class ConversationRepository:
    """Reads and writes conversations. Any thread; each write is one transaction.

    Trouble with the disk is a `WorldError` and leaves nothing behind.
    """

    def __init__(self, db: Database, clock: Clock) -> None:
        """Work on `db`; `clock` gives the wall clock for created and updated."""
        self._db = db
        self._clock = clock

    # Reading

    def list(self, search: str = "") -> list[ConversationRow]:
        """Return the conversations, the newest first; with `search` those that hold it in the title or a message."""
        wanted = fold(search)
        columns = "SELECT id, title, created_at, updated_at FROM conversation AS c"
        order = "ORDER BY updated_at DESC, id DESC"
        with self._db.read():
            if not wanted:
                rows = self._db.sql(f"{columns} {order}")
            else:
                inside = (
                    "SELECT 1 FROM conversation_event AS e WHERE e.conversation_id = c.id AND instr(e.folded, ?) > 0"
                )
                where = f"WHERE instr(folded_title, ?) > 0 OR EXISTS ({inside})"
                rows = self._db.sql(f"{columns} {where} {order}", (wanted, wanted))
        return [_to_row(row) for row in rows]

    def get(self, conversation_id: int) -> ConversationRow:
        """Return one conversation.

        Raises:
            RuleViolation: `not_found_conversation`.
        """
        statement = "SELECT id, title, created_at, updated_at FROM conversation WHERE id = ?"
        if is_row_id(conversation_id):
            with self._db.read():
                rows = self._db.sql(statement, (conversation_id,))
            if rows:
                return _to_row(rows[0])
        raise _not_found(conversation_id)

    def events(self, conversation_id: int) -> Events:
        """Return the events of a conversation in the order they happened; an unknown one has none."""
        statement = "SELECT kind, body, invocation FROM conversation_event WHERE conversation_id = ? ORDER BY id"
        if not is_row_id(conversation_id):
            return []
        with self._db.read():
            rows = self._db.sql(statement, (conversation_id,))
        return [StoredEvent(kind, json.loads(body), invocation) for kind, body, invocation in rows]

    def results(self, conversation_id: int) -> dict[str, dict[str, Any]]:
        """Return what the invocations of a conversation have written: the stored result by the call's key."""
        statement = "SELECT id, result FROM invocation WHERE conversation_id = ?"
        with self._db.read():
            rows = self._db.sql(statement, (conversation_id,))
        return {key: json.loads(result) for key, result in rows}

    # Writing

    def start(self, first_message: str) -> int:
        """Begin a conversation that is called after its first message; return its id."""
        title = shorten(first_message, TITLE_MAX) or _(_UNTITLED)
        now = self._now()
        statement = (
            "INSERT INTO conversation (title, folded_title, created_at, updated_at) VALUES (?, ?, ?, ?) RETURNING id"
        )
        with self._db.write():
            return int(self._db.sql(statement, (title, fold(title), now, now))[0][0])

    def append(self, conversation_id: int, event: StoredEvent) -> bool:
        """Store one event; return False when the conversation has been deleted: it stays so."""
        with self._db.write():
            if not self._touch(conversation_id):
                return False
            self._insert(conversation_id, event)
        return True

    def rewrite_last(self, conversation_id: int, event: StoredEvent, keep: Collection[str]) -> bool:
        """Put `event` in the place of the last message of the user and drop what came after it.

        The calls in `keep` and their results stay. Returns False when the conversation has been deleted.
        """
        find = "SELECT MAX(id) FROM conversation_event WHERE conversation_id = ? AND kind = 'user'"
        with self._db.write():
            if not self._touch(conversation_id):
                return False
            last = self._db.sql(find, (conversation_id,))[0][0]
            if last is None:
                self._insert(conversation_id, event)
                return True
            body = json.dumps(event.body)
            self._db.sql(
                "UPDATE conversation_event SET body = ?, folded = ? WHERE id = ?", (body, fold(event.text), last)
            )
            later = "SELECT id, invocation FROM conversation_event WHERE conversation_id = ? AND id > ?"
            for row_id, invocation in self._db.sql(later, (conversation_id, last)):
                if invocation is None or invocation not in keep:
                    self._db.sql("DELETE FROM conversation_event WHERE id = ?", (row_id,))
        return True

    def rename(self, conversation_id: int, title: str) -> str:
        """Give the conversation another title and return it as stored.

        Raises:
            RuleViolation: `not_found_conversation`; `validation` for a blank title.
        """
        cleaned = shorten(title, TITLE_MAX)
        if not cleaned:
            raise RuleViolation("validation", field="title")
        with self._db.write():
            self.get(conversation_id)
            self._db.sql(
                "UPDATE conversation SET title = ?, folded_title = ? WHERE id = ?",
                (cleaned, fold(cleaned), conversation_id),
            )
        return cleaned

    def delete(self, conversation_id: int) -> None:
        """Delete the conversation with all it holds; what its calls have written stays.

        Raises:
            RuleViolation: `not_found_conversation`.
        """
        with self._db.write():
            self.get(conversation_id)
            self._db.sql("DELETE FROM conversation WHERE id = ?", (conversation_id,))

    # Inside the transaction of a tool's write

    def done(self, invocation: Invocation) -> dict[str, Any] | None:
        """Return the result that this invocation has stored, or None when it has not run to its end."""
        with self._db.read():
            rows = self._db.sql("SELECT result FROM invocation WHERE id = ?", (invocation.key,))
        return json.loads(rows[0][0]) if rows else None

    def record(self, invocation: Invocation, tool: str, result: Mapping[str, Any]) -> None:
        """Note that the invocation has run, in the transaction of its write; its key can never run again.

        Nothing is noted for a conversation that has been deleted.
        """
        exists = "SELECT 1 FROM conversation WHERE id = ?"
        insert = "INSERT INTO invocation (id, conversation_id, tool, result, created_at) VALUES (?, ?, ?, ?, ?)"
        with self._db.write():
            if self._db.sql(exists, (invocation.conversation_id,)):
                text = json.dumps(result)
                values = (invocation.key, invocation.conversation_id, tool, text, self._now())
                self._db.sql(insert, values)

    def _insert(self, conversation_id: int, event: StoredEvent) -> None:
        insert = (
            "INSERT INTO conversation_event (conversation_id, kind, invocation, body, folded, created_at) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )
        # ASCII: what a model or a keyboard produced may hold lone surrogates, which SQLite cannot store.
        values = (conversation_id, event.kind, event.invocation, json.dumps(event.body), fold(event.text), self._now())
        self._db.sql(insert, values)

    def _touch(self, conversation_id: int) -> bool:
        update = "UPDATE conversation SET updated_at = ? WHERE id = ? RETURNING id"
        return bool(self._db.sql(update, (self._now(), conversation_id)))

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="seconds")


def _to_row(row: tuple[Any, ...]) -> ConversationRow:
    found, title, created, updated = row
    return ConversationRow(found, title, datetime.fromisoformat(created), datetime.fromisoformat(updated))


def _not_found(conversation_id: object) -> RuleViolation:
    return RuleViolation("not_found_conversation", id=shorten(conversation_id))
