"""The wire: JSON-RPC lines over the program's own standard input and output, which nothing else can reach any more.

From then on descriptor 1 is standard error and descriptor 0 the null device, so what a library prints never
lands between two messages. Reading and writing block in daemon threads: neither a client that holds the pipe open
without sending nor one that does not read keeps the program from ending. What was asked before standard input ended
is still answered, unless it takes long.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import CancelledError
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

import anyio
import mcp_types as types
from anyio.from_thread import BlockingPortal
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.mcp_lines import mended

MAX_LINE: Final = 4 << 20  # bytes; a longer line is no message of a client that means well
_CHUNK: Final = 1 << 16
_FLUSH_SECONDS: Final = 0.5  # for the last answers, when the client still reads
_LAST_ANSWERS_SECONDS: Final = 1.0  # for what was asked before standard input ended
_STANDING: Final = frozenset({"subscriptions/listen"})  # is answered when the client is tired of it
_log = logging.getLogger(__name__)

Incoming = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]


@asynccontextmanager
async def standard_streams() -> AsyncIterator[Streams]:
    """Serve over standard input and output.

    Raises:
        WorldError: The program was started without them.
    """
    async with streams(*_take()) as pair:
        yield pair


@asynccontextmanager
async def streams(source: int, sink: int) -> AsyncIterator[Streams]:
    """Serve over two descriptors, which stay open. The read stream ends when the client has gone, either way."""
    to_server, from_client = anyio.create_memory_object_stream[Incoming](0)
    from_server, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    written, asked = anyio.Event(), _Asked()
    async with BlockingPortal() as portal:
        reading = partial(_read, source, portal, to_server, asked)
        writing = partial(_write, sink, portal, outgoing, to_server, asked, written)
        threading.Thread(target=reading, name="mcp reader", daemon=True).start()
        threading.Thread(target=writing, name="mcp writer", daemon=True).start()
        try:
            yield from_client, from_server
        finally:
            with anyio.CancelScope(shield=True):
                from_server.close()
                with anyio.move_on_after(_FLUSH_SECONDS):
                    await written.wait()
                for stream in (to_server, from_client, outgoing):
                    stream.close()
                await portal.stop(cancel_remaining=True)


def _take() -> tuple[int, int]:
    """Take standard input and output for the wire alone, until the program ends."""
    # Where a stream was missing at the start, its number may be that of any file by now, the database too.
    if sys.stdin is None or sys.stdout is None:
        raise WorldError(
            _("표준 입출력이 없어 서버를 켤 수 없어요."), _("다른 앱의 MCP 설정에 넣어 그 앱이 켜게 해 주세요.")
        )
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing if sys.stderr is None else 2, 1)
    os.close(nothing)
    return source, sink


class _Asked:
    """The requests that have no answer yet. Any thread."""

    def __init__(self) -> None:
        """Begin with none."""
        self._ids: set[types.RequestId] = set()
        self._changed = threading.Condition()

    def came(self, item: Incoming) -> None:
        """Note what the client sent."""
        message = item.message if isinstance(item, SessionMessage) else None
        with self._changed:
            if isinstance(message, types.JSONRPCRequest) and message.method not in _STANDING:
                self._ids.add(message.id)
            elif isinstance(message, types.JSONRPCNotification) and message.method == "notifications/cancelled":
                number = (message.params or {}).get("requestId")
                if isinstance(number, int | str):
                    self._ids.discard(number)  # is never answered

    def went(self, message: types.JSONRPCMessage) -> None:
        """Note what was sent to the client."""
        if isinstance(message, types.JSONRPCResponse | types.JSONRPCError) and message.id is not None:
            with self._changed:
                self._ids.discard(message.id)
                self._changed.notify_all()

    def wait(self, seconds: float) -> None:
        """Return when all are answered, or after `seconds`."""
        with self._changed:
            self._changed.wait_for(lambda: not self._ids, seconds)

    def give_up(self) -> None:
        """Wait for no answer any more."""
        with self._changed:
            self._ids.clear()
            self._changed.notify_all()


def _read(source: int, portal: BlockingPortal, to_server: MemoryObjectSendStream[Incoming], asked: _Asked) -> None:
    """Hand over line by line until the client closes its end. Daemon thread."""
    with suppress(RuntimeError, CancelledError, anyio.ClosedResourceError, anyio.BrokenResourceError):
        try:
            for line in _lines(source):
                item = _parse(line)
                asked.came(item)
                portal.call(to_server.send, item)
            asked.wait(_LAST_ANSWERS_SECONDS)
        finally:
            portal.call(to_server.close)


def _lines(source: int) -> Iterator[bytes]:
    """Yield the lines without their ends; of one that is too long only the first part, which is no message."""
    kept = bytearray()
    while True:
        try:
            chunk = os.read(source, _CHUNK)
        except OSError as error:  # on Windows a client that was killed
            _log.info("reading from the client ended: %s", error)
            return
        if not chunk:
            if kept:
                yield bytes(kept)
            return
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            yield bytes(kept + end)
            kept.clear()
        if len(kept) <= MAX_LINE:
            kept += rest


def _parse(line: bytes) -> Incoming:
    if len(line) > MAX_LINE:
        return ValueError("the line is too long")
    try:
        try:
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            return SessionMessage(types.jsonrpc_message_adapter.validate_json(mended(line), by_name=False))
    except (ValueError, RecursionError) as error:
        _log.info("a line of the client is no message (%d bytes)", len(line))
        return error


def _write(
    sink: int,
    portal: BlockingPortal,
    outgoing: MemoryObjectReceiveStream[SessionMessage],
    to_server: MemoryObjectSendStream[Incoming],
    asked: _Asked,
    written: anyio.Event,
) -> None:
    """Write line by line until the server closes its end or the client reads no more. Daemon thread."""
    with suppress(RuntimeError, CancelledError, anyio.ClosedResourceError):
        try:
            while True:
                message = portal.call(outgoing.receive).message
                _write_all(sink, message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
                asked.went(message)
        except anyio.EndOfStream:
            pass
        except OSError as error:
            _log.info("writing to the client ended: %s", error)
            # Nobody hears an answer any more: for the server the client has gone.
            asked.give_up()
            portal.call(outgoing.close)
            portal.call(to_server.close)
        finally:
            portal.call(written.set)


def _write_all(sink: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(sink, rest) :]
