"""Keeps the index of the search in step with what was written."""

from __future__ import annotations

import json
import logging
import threading
from typing import Final

from peewee import PeeweeException

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.searching import search_form
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.search.schema import CREATE_INDEX, has_trigram
from lifehelper_desktop.storage.search.sources import LIVE_TEXTS

_WITH_WRITE: Final = 200  # texts brought up to date at the end of the transaction that wrote them
_BATCH: Final = 2000  # in one transaction otherwise: others who write wait for so long
_STALE: Final = "(SELECT kind, ref FROM search_stale WHERE kind <> 'index' ORDER BY kind, ref LIMIT {limit})"
_log = logging.getLogger(__name__)


def message_text(body: str) -> str:
    """Return what the event of a conversation says, without the lone surrogates that its JSON may hold."""
    text = json.loads(body).get("text")
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""


class SearchIndex:
    """The index in the database. Any thread.

    The end of every transaction of this program brings its own texts up to date; what others have written, or an
    import of many, follows in the background or before the next search.
    """

    def __init__(self, db: Database) -> None:
        """Follow the writes of `db` from now on."""
        self._db = db
        db.add_function("search_spaced", lambda text: search_form(text).spaced)
        db.add_function("search_keys", lambda text: search_form(text).keys)
        db.add_function("message_text", message_text)
        self._trigram: bool | None = None
        self._here = threading.local()  # `is_catching_up`, on the threads that are
        db.before_commit = self._follow

    @property
    def has_trigram(self) -> bool:
        """Whether words are found through the trigram index; otherwise every text is looked at. Inside `read()`."""
        if self._trigram is None:
            self._trigram = has_trigram(self._db.sql)
        return self._trigram

    def is_built(self) -> bool:
        """Return whether the trigram index stands; texts may still be missing in it. Inside `read()`."""
        return self.has_trigram and not self._db.sql("SELECT 1 FROM search_stale WHERE kind = 'index'")

    def stale(self) -> bool:
        """Return whether the index lacks something that was written. Inside `read()`."""
        if not self.has_trigram:
            return bool(self._db.sql("SELECT 1 FROM search_stale WHERE kind <> 'index' LIMIT 1"))
        return bool(self._db.sql("SELECT 1 FROM search_stale LIMIT 1"))

    def catch_up(self) -> None:
        """Bring everything up to date; at once when nothing has changed. Not inside `write()`.

        Raises:
            WorldError: The file cannot be written.
        """
        self._here.is_catching_up = True
        try:
            while True:
                with self._db.read():
                    if not self.stale():
                        return
                with self._db.write():
                    self._bring_up_to_date(_BATCH)
        finally:
            self._here.is_catching_up = False

    def catch_up_in_background(self) -> None:
        """Do `catch_up` on a thread of its own, when there is anything to do; trouble is only logged."""
        if self._db.is_read_only:
            return
        with self._db.read():
            if self.stale():
                self._db.run_in_background(self._catch_up_quietly, "search index")

    def catch_up_soon(self) -> None:
        """Do `catch_up` now when there is little to do, else in the background.

        Raises:
            WorldError: The file cannot be written.
        """
        with self._db.read():
            count = self._db.sql("SELECT COUNT(*) FROM (SELECT 1 FROM search_stale LIMIT ?)", (_WITH_WRITE + 1,))[0][0]
        if count > _WITH_WRITE:
            self.catch_up_in_background()
        else:
            self.catch_up()

    def _catch_up_quietly(self) -> None:
        try:
            self.catch_up()
        except (WorldError, PeeweeException) as error:  # the next search tries again, or tells what is wrong
            _log.warning("the index of the search: %s", error)

    def _follow(self) -> None:
        """Bring what the transaction has written up to date, as a part of it; of very much, the rest comes later."""
        if getattr(self._here, "is_catching_up", False):
            return
        self._bring_up_to_date(_WITH_WRITE)
        if self.stale():
            self._db.run_in_background(self._catch_up_quietly, "search index")

    def _bring_up_to_date(self, limit: int) -> None:
        db = self._db
        if not self.stale():
            return
        if self.has_trigram:
            if not self.is_built():
                db.sql(CREATE_INDEX)
                db.sql("INSERT INTO search_index (search_index) VALUES ('rebuild')")
                db.sql("DELETE FROM search_stale WHERE kind = 'index'")
        else:
            db.sql("INSERT INTO search_stale VALUES ('index', 0) ON CONFLICT DO NOTHING")
        chosen = _STALE.format(limit=limit)
        old = f"FROM search_text WHERE (kind, ref) IN {chosen}"
        if self.has_trigram:
            db.sql(f"INSERT INTO search_index (search_index, rowid, keys) SELECT 'delete', id, keys {old}")
        db.sql(f"DELETE {old}")
        last = db.sql("SELECT COALESCE(MAX(id), 0) FROM search_text")[0][0]
        for kind, texts in LIVE_TEXTS.items():
            db.sql(
                "INSERT INTO search_text (kind, ref, spaced, keys) "
                f"SELECT kind, ref, search_spaced(text), search_keys(text) FROM ({texts}) "
                f"WHERE ref IN (SELECT ref FROM {chosen} WHERE kind = '{kind}')"
            )
        if self.has_trigram:
            db.sql("INSERT INTO search_index (rowid, keys) SELECT id, keys FROM search_text WHERE id > ?", (last,))
        db.sql(f"DELETE FROM search_stale WHERE (kind, ref) IN {chosen}")
