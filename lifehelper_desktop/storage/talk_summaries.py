"""What stands for the beginning of a long conversation: stored with it, deleted with it, never part of undo."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.tables import is_row_id
from lifehelper_desktop.storage.text import clean_text

SUMMARY_MAX: Final = 4000
"""Characters that the table takes."""


class SummaryMaker(StrEnum):
    """Who put a summary into words."""

    MODEL = "model"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class TalkSummary:
    """What stands for the first messages of a conversation and their answers.

    Attributes:
        text: The summary; empty once the user deleted it.
        maker: Who put it into words.
        covers: How many messages of the user it stands for, from the first one on.
        forgotten: Of how many of these nothing is told any more, since the user deleted their summary.
    """

    text: str
    maker: SummaryMaker
    covers: int
    forgotten: int = 0


class SummaryRepository:
    """Reads and writes summaries. Any thread; each write is one transaction.

    Trouble with the disk is a `WorldError` and leaves nothing behind.
    """

    def __init__(self, db: Database, clock: Clock) -> None:
        """Work on `db`; `clock` gives the wall clock for the time of writing."""
        self._db = db
        self._clock = clock

    def get(self, conversation_id: int) -> TalkSummary | None:
        """Return the summary of a conversation, also an emptied one; None when it has none or is unknown."""
        if not is_row_id(conversation_id):
            return None
        statement = "SELECT body, made_by, covers, forgotten FROM conversation_summary WHERE conversation_id = ?"
        with self._db.read():
            rows = self._db.sql(statement, (conversation_id,))
        return TalkSummary(rows[0][0], SummaryMaker(rows[0][1]), *rows[0][2:]) if rows else None

    def save(self, conversation_id: int, summary: TalkSummary) -> TalkSummary | None:
        """Store `summary` and return what is stored now.

        One that knows less of what the user deleted than the stored one is not stored: another program deleted it in
        the meantime. Of a conversation that was deleted nothing is stored, and None is returned.
        """
        text = clean_text(summary.text, keep_lines=True)[:SUMMARY_MAX]
        with self._db.write():
            if not self._db.sql("SELECT 1 FROM conversation WHERE id = ?", (conversation_id,)):
                return None
            stored = self.get(conversation_id)
            if stored is not None and stored.forgotten > summary.forgotten:
                return stored
            values = (conversation_id, text, summary.maker.value, summary.covers, summary.forgotten)
            self._db.sql(
                "INSERT OR REPLACE INTO conversation_summary "
                "(conversation_id, body, made_by, covers, forgotten, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
                (*values, self._clock.now().isoformat(timespec="seconds")),
            )
        return TalkSummary(text, summary.maker, summary.covers, summary.forgotten)

    def delete(self, conversation_id: int) -> bool:
        """Empty the summary of a conversation, so that none is made of the same messages; return whether it had one."""
        statement = (
            "UPDATE conversation_summary SET body = '', forgotten = covers, updated_at = ? "
            "WHERE conversation_id = ? AND body <> '' RETURNING covers"
        )
        if not is_row_id(conversation_id):
            return False
        with self._db.write():
            return bool(self._db.sql(statement, (self._clock.now().isoformat(timespec="seconds"), conversation_id)))
