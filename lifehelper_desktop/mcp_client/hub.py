"""All servers of the user: one thread for their connections, started when the coach is first used.

`McpHub` may be used from any thread. Nothing here blocks but `call`, which the user's Stop ends, and `settle` and
`close`, which take no longer than they are told.
"""

from __future__ import annotations

import atexit
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeout
from typing import TYPE_CHECKING, Any, Final

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.mcp_servers import ServerSpec, read_servers
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus
from lifehelper_desktop.mcp_client.trouble import ServerTrouble, Trouble
from lifehelper_desktop.storage.store import Store

if TYPE_CHECKING:
    import asyncio

    import mcp_types as types

    from lifehelper_desktop.mcp_client.connection import Connection

_LOOK: Final = 0.05  # seconds between two looks at the user's Stop
_BUSY: Final = frozenset({ServerState.STARTING})
_log = logging.getLogger(__name__)

ReadSpecs = Callable[[], tuple[ServerSpec, ...]]


class CallStopped(Exception):  # noqa: N818 - the user's wish
    """The user stopped a call; the server was told, and may have done its work or a part of it."""


class McpHub:
    """Keeps the servers that are switched on running, and knows how each stands."""

    def __init__(self, read_specs: ReadSpecs, limits: Limits | None = None) -> None:
        """Take the servers from `read_specs`, which is called on the thread that asks; nothing is started yet."""
        self._read_specs = read_specs
        self.limits = limits or Limits()
        self._lock = threading.Lock()
        self._specs: tuple[ServerSpec, ...] = ()
        self._statuses: dict[str, ServerStatus] = {}
        self._listeners: list[Callable[[], None]] = []
        self._moved = threading.Condition()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begun = threading.Event()
        self._end: asyncio.Event | None = None
        self._connections: dict[str, tuple[Connection, asyncio.Task[None]]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._ending: set[asyncio.Task[None]] = set()  # of those, the ones that were cancelled
        self._closed = False

    @classmethod
    def of(cls, store: Store, limits: Limits | None = None) -> McpHub:
        """Return the hub of the servers that the settings of `store` name; none while the coach is switched off."""

        def read() -> tuple[ServerSpec, ...]:
            is_wanted = store.settings.get_bool(settings.AI_ENABLED)
            return read_servers(store.settings.get_str(settings.MCP_SERVERS)) if is_wanted else ()

        return cls(read, limits)

    # ---- any thread -------------------------------------------------------------------------------------------

    @property
    def specs(self) -> tuple[ServerSpec, ...]:
        """The servers as they were read last."""
        return self._specs

    def wanted_now(self, name: str) -> ServerSpec | None:
        """Return a server as the setting has it at this moment, whoever changed it; None when it is gone or off.

        Raises:
            WorldError: The setting could not be read.
        """
        return next((spec for spec in self._read_specs() if spec.name == name and spec.is_on), None)

    @property
    def is_awake(self) -> bool:
        """Whether servers have been started."""
        return self._thread is not None

    @property
    def is_running(self) -> bool:
        """Whether the thread of the connections lives."""
        return self._thread is not None and self._thread.is_alive()

    def wake(self) -> None:
        """Start the servers that are switched on, in the background; at once where there are none.

        Raises:
            WorldError: The setting could not be read.
        """
        self._specs = self._read_specs()
        with self._lock:
            if self._closed or (self._thread is None and not any(spec.is_on for spec in self._specs)):
                return
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="mcp servers", daemon=True)
                self._thread.start()
                atexit.register(self.close)  # whatever ends the program, no server outlives it
        self._reconcile()

    def apply(self) -> None:
        """The setting changed: start what is new, end what is gone; only where `wake` was called before.

        Raises:
            WorldError: The setting could not be read.
        """
        if self.is_awake:
            self.wake()
        else:
            self._specs = self._read_specs()
        self._tell()

    def restart(self, name: str) -> None:
        """Start a server anew, also one that has ended too often."""
        self._send(lambda: self._begin(name, anew=True))

    def statuses(self) -> tuple[ServerStatus, ...]:
        """Return how each server of the setting stands, in its order."""
        found = []
        with self._lock:
            for spec in self._specs:
                resting = ServerState.ASLEEP if spec.is_on else ServerState.OFF
                known = self._statuses.get(spec.name)
                if not spec.is_on and known is not None:
                    known = ServerStatus(spec.name, resting, listing=known.listing)
                found.append(known or ServerStatus(spec.name, resting))
        return tuple(found)

    def settle(self, seconds: float, stopped: Callable[[], bool] = lambda: False) -> None:
        """Wait until no server is just starting, at most so long, and no longer than the user wants."""
        deadline = time.monotonic() + seconds
        with self._moved:
            while (left := deadline - time.monotonic()) > 0 and not stopped() and self._is_starting():
                self._moved.wait(min(left, _LOOK))

    def call(
        self, server: str, tool: str, arguments: dict[str, Any], stop: threading.Event | None = None
    ) -> types.CallToolResult:
        """Call a tool of a server and return its answer; blocks, not longer than `limits.call`.

        Raises:
            ServerTrouble: The server is down, does not answer, or answers nonsense.
            CallStopped: The user stopped it.
            MCPError: The server refused.
        """
        loop = self._loop
        if loop is None or self._closed:
            raise ServerTrouble(Trouble.ENDED)
        import asyncio

        work = self._call(server, tool, arguments)
        try:
            future = asyncio.run_coroutine_threadsafe(work, loop)
        except RuntimeError:  # the program ends at this moment
            work.close()
            raise ServerTrouble(Trouble.ENDED) from None
        deadline = time.monotonic() + self.limits.call
        while True:
            try:
                return future.result(_LOOK)
            except CancelledError:
                raise ServerTrouble(Trouble.ENDED) from None
            except FutureTimeout:
                if future.done():
                    continue  # the answer came at the same moment
            if stop is not None and stop.is_set():
                future.cancel()
                raise CallStopped
            if time.monotonic() >= deadline:
                future.cancel()
                raise ServerTrouble(Trouble.SLOW)

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener`, on any thread, whenever `statuses` may be others; return what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def leave() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return leave

    def close(self) -> None:
        """End all servers with their children and the thread; takes at most `limits.closing` seconds."""
        with self._lock:
            self._closed = True
            thread = self._thread
        if thread is None:
            return
        atexit.unregister(self.close)
        deadline = time.monotonic() + self.limits.closing
        self._begun.wait(self.limits.closing)
        loop, end = self._loop, self._end
        if loop is not None and end is not None:
            self._post(loop, end.set)
        thread.join(max(0.0, deadline - time.monotonic()))
        if thread.is_alive():
            from lifehelper_desktop.mcp_client.process import kill_now

            _log.warning("the MCP servers did not end in time")
            kill_now([pid for connection, _task in list(self._connections.values()) if (pid := connection.pid)])

    # ---- the thread of the connections ------------------------------------------------------------------------

    def _run(self) -> None:
        import asyncio

        try:
            asyncio.run(self._main())
        except Exception:  # noqa: BLE001 - servers are then down, and the program goes on
            _log.exception("the thread of the MCP servers ended")
        finally:
            self._loop = None
            self._begun.set()

    async def _main(self) -> None:
        import asyncio

        # The library and its models take a moment to import: here nobody waits for it.
        from lifehelper_desktop.mcp_client import connection as _heavy  # noqa: F401

        self._end = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._begun.set()
        if self._closed:  # while the library was imported
            return
        self._settle_specs()
        await self._end.wait()
        for task in self._tasks:
            self._end_task(task)
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _settle_specs(self) -> None:
        """Bring what runs in line with the setting."""
        wanted = {spec.name: spec for spec in self._specs if spec.is_on}
        for name, (connection, task) in list(self._connections.items()):
            spec = wanted.get(name)
            if spec is None or spec.program != connection.spec.program:
                del self._connections[name]
                self._end_task(task)
                with self._lock:
                    self._statuses.pop(name, None)
        for name in wanted:
            self._begin(name)
        self._tell()

    def _begin(self, name: str, *, anew: bool = False) -> None:
        from lifehelper_desktop.mcp_client.connection import Connection

        spec = next((each for each in self._specs if each.name == name and each.is_on), None)
        there = self._connections.get(name)
        if spec is None or self._end is None or self._end.is_set() or (there is not None and not anew):
            return
        if there is not None:
            self._end_task(there[1])
        connection = Connection(spec, self.limits, lambda: self._note(connection))
        loop = self._loop
        assert loop is not None, "runs on it"
        task = loop.create_task(connection.run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(self._ending.discard)
        self._connections[name] = (connection, task)
        self._note(connection)

    def _end_task(self, task: asyncio.Task[None]) -> None:
        """Cancel the task of a connection, once: a second time would break off its ending.

        `task.cancelling()` does not tell whether that was done: it also counts what anyio cancels inside the task.
        """
        if task not in self._ending:
            self._ending.add(task)
            task.cancel()

    def _note(self, connection: Connection) -> None:
        there = self._connections.get(connection.spec.name)
        if there is not None and there[0] is connection:
            with self._lock:
                self._statuses[connection.spec.name] = connection.status
            self._tell()

    async def _call(self, server: str, tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
        there = self._connections.get(server)
        if there is None:
            raise ServerTrouble(Trouble.ENDED)
        return await there[0].call(tool, arguments)

    # ---- small things -----------------------------------------------------------------------------------------

    def _reconcile(self) -> None:
        self._send(self._settle_specs)

    def _send(self, work: Callable[[], None]) -> None:
        loop = self._loop
        if loop is not None and not self._closed:
            self._post(loop, work)

    def _post(self, loop: asyncio.AbstractEventLoop, work: Callable[[], None]) -> None:
        try:
            loop.call_soon_threadsafe(work)
        except RuntimeError:
            _log.info("the thread of the MCP servers has ended already")

    def _is_starting(self) -> bool:
        if not self.is_awake:
            return False
        on = {spec.name for spec in self._specs if spec.is_on}
        with self._lock:
            return any(name not in self._statuses or self._statuses[name].state in _BUSY for name in on)

    def _tell(self) -> None:
        with self._moved:
            self._moved.notify_all()
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener()
