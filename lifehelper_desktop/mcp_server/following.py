"""Telling clients what has changed, whoever changed it: the window, the command line, or a call of theirs."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Final

import anyio
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.mcp_server.resources import Resources
from lifehelper_desktop.storage.store import Store

LOOK_SECONDS: Final = 1.0
_log = logging.getLogger(__name__)


class Following:
    """Looks at the data and tells the clients that asked. Lives on the event loop; looking is done in its own thread.

    Attributes:
        bus: Where `subscriptions/listen` (2026) hears of changes; older clients get notifications of their own.
    """

    def __init__(self, store: Store, resources: Resources) -> None:
        """Follow the documents of `resources`."""
        self.bus = InMemorySubscriptionBus()
        self._store = store
        self._resources = resources
        self._sessions: dict[str, ServerSession] = {}
        self._listing: ServerSession | None = None
        self._seen: tuple[int, date] | None = None
        self._known: Mapping[str, str] = {}

    def listed_by(self, session: ServerSession) -> None:
        """A client has read the list: it is told when the list changes."""
        self._listing = session

    def follow(self, uri: str, session: ServerSession) -> None:
        """A client wants to hear of changes of one document."""
        self._sessions[uri] = session

    def leave(self, uri: str) -> None:
        """And no longer."""
        self._sessions.pop(uri, None)

    async def run(self) -> None:
        """Look again and again until cancelled."""
        # SQLite counts the commits of others for each connection, and each thread has its own.
        pool = ThreadPoolExecutor(1, thread_name_prefix="mcp following")
        loop = asyncio.get_running_loop()
        try:
            while True:
                before = self._known
                if await loop.run_in_executor(pool, self._look) and before:
                    await self._tell(before, self._known)
                await anyio.sleep(LOOK_SECONDS)
        finally:
            pool.shutdown(cancel_futures=True)  # a look that runs ends in milliseconds, and the store may close then

    def _look(self) -> bool:
        """Read the documents anew when anything was written or a day began, and return whether."""
        try:
            now = self._store.db.data_version(), self._store.today()  # another day is another document too
            if now == self._seen:
                return False
            self._known = self._resources.fingerprints()
        except WorldError as error:
            _log.warning("looking for changes: %s", error)
            return False
        self._seen = now
        return True

    async def _tell(self, before: Mapping[str, str], now: Mapping[str, str]) -> None:
        if before.keys() != now.keys():
            await self.bus.publish(ResourcesListChanged())
            if self._listing is not None:
                await self._listing.send_resource_list_changed()
        for uri in before.keys() | now.keys():
            if before.get(uri) != now.get(uri):
                await self.bus.publish(ResourceUpdated(uri))
                if uri in self._sessions:
                    await self._sessions[uri].send_resource_updated(uri)
