"""The lines between the program and a server: read no faster than is good for us, however much the server sends.

What is not needed never gets further than here: all notifications but one are dropped, lines that are no messages are
counted. Memory is bounded by one line, and what waits is left in the operating system's pipe.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final

import anyio
import mcp_types as types
from mcp.os.win32.utilities import ServerProcess
from mcp.shared.message import SessionMessage

from lifehelper_desktop.base.mcp_lines import mended
from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client import process as processes
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.listing import drop_odd_rows
from lifehelper_desktop.mcp_client.trouble import ServerTrouble, Trouble

_TAIL: Final = 4096  # bytes kept of what a server writes to its standard error
_WATCH: Final = 0.1  # seconds between two looks at the process
_LIST_CHANGED: Final = "notifications/tools/list_changed"
_log = logging.getLogger(__name__)

Incoming = SessionMessage | Exception


class Pace:
    """How much may be read: `burst` at once, `rate` a second in the long run."""

    def __init__(self, rate: float, burst: float, now: float) -> None:
        """Begin with a full burst at the moment `now` (seconds)."""
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, now

    def wait_for(self, amount: float, now: float) -> float:
        """Take `amount` and return for how many seconds nothing may be read after it."""
        self._left = min(self._burst, self._left + (now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._left / self._rate)


class Pipe:
    """One running server. Used on the thread of the connections.

    Attributes:
        incoming, outgoing: The streams for the protocol's session.
        ended: Set when nothing will come any more.
        trouble: Why it was cut off, or None.
        changed: Set when the server says that its tools are others.
        pid: The number of its process.
    """

    def __init__(self, process: ServerProcess, limits: Limits) -> None:
        """Stand between `process` and the session."""
        self._process, self._limits = process, limits
        self._to_session, self.incoming = anyio.create_memory_object_stream[Incoming](0)
        self.outgoing, self._from_session = anyio.create_memory_object_stream[SessionMessage](0)
        self._tail: deque[int] = deque(maxlen=_TAIL)
        self._garbage = 0
        self._asked = 0
        self.ended = anyio.Event()
        self.changed = anyio.Event()
        self.trouble: Trouble | None = None
        self._odd_tools: list[str] = []
        self.pid = process.pid

    @property
    def last_words(self) -> str:
        """The last line that the server wrote to its standard error."""
        lines = bytes(self._tail).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else ""

    def why(self) -> ServerTrouble:
        """Return why the connection is over."""
        return ServerTrouble(self.trouble or Trouble.ENDED, self.last_words)

    async def read(self) -> None:
        """Hand over message by message until the server ends or is cut off."""
        assert self._process.stdout is not None
        now = anyio.current_time()
        messages = Pace(self._limits.rate, self._limits.burst, now)
        size = Pace(self._limits.byte_rate, self._limits.byte_burst, now)
        kept = bytearray()
        try:
            async for chunk in self._process.stdout:
                *ends, rest = chunk.split(b"\n")
                for end in ends:
                    kept += end
                    if not await self._take(bytes(kept)):
                        return
                    kept.clear()
                    if pause := messages.wait_for(1, anyio.current_time()):
                        await anyio.sleep(pause)
                kept += rest
                if len(kept) > self._limits.line:
                    self.trouble = Trouble.FLOOD
                    return
                if pause := size.wait_for(len(chunk), anyio.current_time()):
                    await anyio.sleep(pause)
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            pass
        finally:
            self.ended.set()
            self._to_session.close()

    async def _take(self, line: bytes) -> bool:
        """Pass a line on, or drop it; return whether the server may go on."""
        if not line.strip():
            return True
        try:
            message = _message(line)
        except (ValueError, RecursionError):
            self._garbage += 1
            if self._garbage >= self._limits.garbage:
                self.trouble = Trouble.GARBAGE
            return self.trouble is None
        self._garbage = 0
        if isinstance(message, types.JSONRPCResponse):
            self._odd_tools += drop_odd_rows(message.result)
        if isinstance(message, types.JSONRPCNotification):
            if message.method == _LIST_CHANGED:
                self.changed.set()
            return True
        if isinstance(message, types.JSONRPCRequest):
            self._asked += 1
            if self._asked > self._limits.asking:
                self.trouble = Trouble.FLOOD
                return False
        try:
            await self._to_session.send(SessionMessage(message))
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            return False
        return True

    def take_odd_tools(self) -> list[str]:
        """Return, once, the names of the rows that were taken out of lists of tools."""
        names, self._odd_tools = self._odd_tools, []
        return names

    async def read_errors(self) -> None:
        """Keep the end of what the server writes to its standard error."""
        errors = getattr(self._process, "stderr", None)
        if errors is None:
            return
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
            pace = Pace(self._limits.byte_rate, self._limits.byte_burst, anyio.current_time())
            async for chunk in errors:
                self._tail.extend(chunk[-_TAIL:])
                if pause := pace.wait_for(len(chunk), anyio.current_time()):
                    await anyio.sleep(pause)

    async def write(self) -> None:
        """Write message by message; a server that does not read makes the session's sends wait."""
        assert self._process.stdin is not None
        try:
            async for item in self._from_session:
                if isinstance(item.message, types.JSONRPCResponse | types.JSONRPCError):
                    self._asked -= 1
                text = item.message.model_dump_json(by_alias=True, exclude_unset=True)
                await self._process.stdin.send(text.encode() + b"\n")
        except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError, ValueError) as error:
            _log.info("an MCP server is told no more: %s", type(error).__name__)
        finally:
            self._from_session.close()

    async def watch(self) -> None:
        """Notice the end of the process also where a child of it holds the pipe open."""
        while self._process.returncode is None:
            await anyio.sleep(_WATCH)
        await anyio.sleep(_WATCH)  # for what it wrote last
        self.ended.set()

    def close(self) -> None:
        """Close the session's streams."""
        for stream in (self._to_session, self.incoming, self.outgoing, self._from_session):
            stream.close()


def _message(line: bytes) -> types.JSONRPCMessage:
    """Read a message; of texts in another encoding, or with halves of characters, what can be read.

    Raises:
        ValueError, RecursionError: It is none.
    """
    try:
        return types.jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValueError:
        return types.jsonrpc_message_adapter.validate_json(mended(line.decode("utf-8", "replace")), by_name=False)


@asynccontextmanager
async def connected(spec: ServerSpec, limits: Limits, note: Callable[[int | None], None]) -> AsyncIterator[Pipe]:
    """Start the server, and end it with all its children when the block ends, whatever happens.

    `note` is told the number of its process, and None when that is gone. The block must not raise.

    Raises:
        ServerTrouble: It could not be started.
    """
    process = await processes.start(spec)
    note(process.pid)
    pipe = Pipe(process, limits)
    try:
        async with anyio.create_task_group() as tasks:
            for work in (pipe.read, pipe.read_errors, pipe.write, pipe.watch):
                tasks.start_soon(work)
            try:
                yield pipe
            finally:
                with anyio.CancelScope(shield=True):
                    pipe.close()
                    await processes.end(process, limits.grace)
                tasks.cancel_scope.cancel()
    finally:
        note(None)
