"""The life of one server: started, greeted, read, called, and started again a few times when it dies.

Lives on the thread of the connections. Nothing of a server's own wishes is granted: it gets no model (sampling), no
folders (roots) and no questions to the user (elicitation); the handshake says so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any, Final

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.client.session import ClientSession
from pydantic import ValidationError

from lifehelper_desktop import __version__
from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.listing import TOOLS_MAX, Listing, read_listing
from lifehelper_desktop.mcp_client.pipe import Pipe, connected
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus
from lifehelper_desktop.mcp_client.trouble import ServerTrouble, Trouble

_PAGES_MAX: Final = 16
_CLOSED: Final = "Connection closed"  # in the library's own words
_log = logging.getLogger(__name__)
# What the library has to say of a server would otherwise stand on standard error, amid a command's own words.
logging.getLogger("mcp").addHandler(logging.NullHandler())

# What a session may raise when the other side is gone, does not answer in time, or answers nonsense.
_FAILURES: Final = (
    MCPError,
    TimeoutError,
    ValidationError,
    RuntimeError,
    ValueError,
    OSError,
    anyio.ClosedResourceError,
)


class Connection:
    """One server while it is switched on.

    Attributes:
        spec: What is started.
        pid: The number of its process, or None.
    """

    def __init__(self, spec: ServerSpec, limits: Limits, told: Callable[[], None]) -> None:
        """Prepare; `run` does the work. `told` is called whenever `status` is another one."""
        self.spec = spec
        self.pid: int | None = None
        self._limits = limits
        self._told = told
        self._session: ClientSession | None = None
        self._changed = asyncio.Event()  # of the state
        self._is_over = False
        self.status = ServerStatus(spec.name, ServerState.STARTING)

    async def run(self) -> None:
        """Keep the server running until cancelled, or until it has ended too often."""
        try:
            await self._run()
        except Exception:  # noqa: BLE001 - no server may leave a state that is not true
            # Whatever a server brought about that nobody thought of: it is down, and shown to be.
            _log.exception("the connection to the MCP server %r failed", self.spec.name)
            self._tell(ServerState.FAILED, ServerTrouble(Trouble.UNKNOWN_PROTOCOL))
        finally:
            self._is_over = True
            self._changed.set()

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        ends = 0
        while True:
            began = loop.time()
            self._tell(ServerState.STARTING)
            trouble = await self._one_life()
            if loop.time() - began >= self._limits.steady:
                ends = 0
            _log.info("MCP server %r: %s", self.spec.name, trouble.kind)
            if ends >= len(self._limits.pauses) or trouble.kind in (Trouble.NOT_FOUND, Trouble.NOT_ALLOWED):
                self._tell(ServerState.FAILED, trouble)
                return
            self._tell(ServerState.WAITING, trouble)
            await asyncio.sleep(self._limits.pauses[ends])
            ends += 1

    async def call(self, tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
        """Call a tool, once the server is ready; cancelling this tells the server so.

        Raises:
            ServerTrouble: The server is down, or went down, or did not answer.
            MCPError: It refused.
        """
        session = await self._ready_session()
        params = types.CallToolRequestParams(name=tool, arguments=arguments)
        try:
            # The session's own `call_tool` would check the answer with the server's regular expressions.
            return await session.send_request(types.CallToolRequest(params=params), types.CallToolResult)
        except MCPError as error:
            # Servers use the same number for errors of their own.
            if error.code == types.CONNECTION_CLOSED and (session is not self._session or error.message == _CLOSED):
                raise self._down() from error
            raise
        except ValidationError as error:
            raise ServerTrouble(Trouble.UNKNOWN_PROTOCOL) from error
        except TimeoutError as error:
            raise ServerTrouble(Trouble.SLOW) from error
        except (RuntimeError, OSError, anyio.ClosedResourceError, anyio.BrokenResourceError) as error:
            raise self._down() from error

    async def _ready_session(self) -> ClientSession:
        while self._session is None:
            if self._is_over:
                raise self._down()
            self._changed.clear()
            await self._changed.wait()
        return self._session

    def _down(self) -> ServerTrouble:
        return ServerTrouble(self.status.trouble or Trouble.ENDED, self.status.detail)

    async def _one_life(self) -> ServerTrouble:
        """Start the server, serve until it ends, and return why it did."""
        try:
            async with connected(self.spec, self._limits, self._note_pid) as pipe:
                return await self._greeted(pipe)
        except ServerTrouble as trouble:
            return trouble

    def _note_pid(self, pid: int | None) -> None:
        self.pid = pid

    async def _greeted(self, pipe: Pipe) -> ServerTrouble:
        """Go through the handshake and serve; never raises but for cancellation, as `connected` wants it."""
        try:
            async with AsyncExitStack() as stack:
                session = await stack.enter_async_context(
                    ClientSession(pipe.incoming, pipe.outgoing, client_info=_client_info())
                )
                try:
                    with anyio.fail_after(self._limits.start):
                        await _shake_hands(session)
                    listing = await self._list(session, pipe)
                except _FAILURES as error:
                    return _why(pipe, error)
                self._session = session
                self._tell(ServerState.READY, listing=listing)
                try:
                    await self._serve(session, pipe)
                finally:
                    self._session = None
                return pipe.why()
        except* _FAILURES as group:
            # Its words may quote what the user sent or got, which is no business of a log.
            _log.warning("the session with an MCP server failed: %s", type(group.exceptions[0]).__name__)
        return pipe.why()

    async def _serve(self, session: ClientSession, pipe: Pipe) -> None:
        """Read the list anew whenever the server says that it changed, until the connection ends."""
        pause = self._limits.relist
        loop = asyncio.get_running_loop()
        while await _first_of(pipe):
            began = loop.time()
            pipe.changed = anyio.Event()
            try:
                self._tell(ServerState.READY, listing=await self._list(session, pipe))
            except _FAILURES as error:
                _log.info("MCP server %r: its list could not be read: %s", self.spec.name, type(error).__name__)
            with anyio.move_on_after(pause):
                await pipe.ended.wait()
            quiet = not pipe.changed.is_set() and loop.time() - began < 2 * pause
            pause = self._limits.relist if quiet else min(2 * pause, self._limits.relist_max)

    async def _list(self, session: ClientSession, pipe: Pipe) -> Listing:
        """Read all pages of the list, within limits.

        Raises:
            TimeoutError: It took too long.
            MCPError, ValidationError: The server refused, or answered nonsense.
        """
        capabilities = session.server_capabilities
        if capabilities is None or capabilities.tools is None:
            return Listing()
        tools: list[types.Tool] = []
        pipe.take_odd_tools()
        cursor: str | None = None
        with anyio.fail_after(self._limits.listing):
            for _page in range(_PAGES_MAX):
                params = types.PaginatedRequestParams(cursor=cursor) if cursor is not None else None
                page = await session.send_request(types.ListToolsRequest(params=params), types.ListToolsResult)
                tools += page.tools
                cursor = page.next_cursor
                if cursor is None or len(tools) > TOOLS_MAX:
                    break
        return read_listing(tools, pipe.take_odd_tools(), more=cursor is not None)

    def _tell(self, state: ServerState, trouble: ServerTrouble | None = None, listing: Listing | None = None) -> None:
        kind, detail = (trouble.kind, trouble.detail) if trouble is not None else (None, "")
        status = ServerStatus(self.spec.name, state, kind, detail, listing or self.status.listing)
        if status != self.status or state is ServerState.STARTING:
            self.status = status
            self._changed.set()
            self._told()


def _client_info() -> types.Implementation:
    return types.Implementation(name="lifehelper-desktop", version=__version__)


async def _shake_hands(session: ClientSession) -> None:
    """Agree on a version: every server of today knows `initialize`, those of a later day `server/discover`."""
    try:
        await session.initialize()
    except MCPError as error:
        if error.code not in (types.METHOD_NOT_FOUND, types.UNSUPPORTED_PROTOCOL_VERSION):
            raise
        await session.discover()


async def _first_of(pipe: Pipe) -> bool:
    """Wait until the list changes (True) or the connection ends (False)."""
    async with anyio.create_task_group() as tasks:

        async def until(event: anyio.Event) -> None:
            await event.wait()
            tasks.cancel_scope.cancel()

        tasks.start_soon(until, pipe.changed)
        tasks.start_soon(until, pipe.ended)
    return not pipe.ended.is_set()


def _why(pipe: Pipe, error: BaseException) -> ServerTrouble:
    if pipe.trouble is not None or pipe.ended.is_set():
        return pipe.why()
    if isinstance(error, TimeoutError):
        return ServerTrouble(Trouble.SLOW, pipe.last_words)
    if isinstance(error, MCPError):
        if error.code == types.CONNECTION_CLOSED:
            return pipe.why()
        return ServerTrouble(Trouble.UNKNOWN_PROTOCOL, error.message)
    return ServerTrouble(Trouble.UNKNOWN_PROTOCOL, pipe.last_words)
