"""A Hub on 127.0.0.1 that misbehaves on demand: each download is answered by the next step of a script."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMIT = "c0ffee" * 6 + "c0ff"


@dataclass
class Step:
    """How one GET is answered.

    Attributes:
        status: 0 answers as asked (206 to a range, else 200).
        cut: Bytes after which the line is cut, None for none.
        hold: Bytes after which the server waits until the client goes away or the test ends.
        ignore_range: Answer 200 with the whole file to a range.
        extra: Bytes sent after the file, with no length told.
        length: Tell this length instead of the true one.
        content_range: Tell this instead of the true one.
        redirect: Send the client to the other address first.
    """

    status: int = 0
    cut: int | None = None
    hold: int | None = None
    ignore_range: bool = False
    extra: int = 0
    length: int | None = None
    content_range: str | None = None
    redirect: bool = False


@dataclass
class Hub:
    """What the server serves and what it saw.

    Attributes:
        head_status, error_code: Answer of the question for size and checksum.
        told_size, told_hash: What it tells, None for the truth; an empty hash tells none.
        ranges: The Range header of each GET, in order.
        held: Set when a `hold` was reached.
        released: Ends every hold.
    """

    body: bytes
    script: list[Step] = field(default_factory=list)
    head_status: int = 200
    error_code: str = ""
    told_size: int | None = None
    told_hash: str | None = None
    ranges: list[str] = field(default_factory=list)
    heads: int = 0
    held: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    url: str = ""
    cdn: str = ""
    tokens: list[str] = field(default_factory=list)

    @property
    def sha256(self) -> str:
        """The true checksum."""
        return hashlib.sha256(self.body).hexdigest()


def _handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

        def do_HEAD(self) -> None:
            hub.heads += 1
            if hub.head_status != 200:
                self._fail(hub.head_status)
                return
            elsewhere = bool(hub.script) and hub.script[0].redirect
            self.send_response(302 if elsewhere else 200)
            if elsewhere:
                self.send_header("Location", f"{hub.cdn}/cdn/file?signed=1")
            checksum = hub.sha256 if hub.told_hash is None else hub.told_hash
            self.send_header("X-Repo-Commit", COMMIT)
            if checksum:
                self.send_header("X-Linked-ETag", f'"{checksum}"')
            self.send_header("X-Linked-Size", str(len(hub.body) if hub.told_size is None else hub.told_size))
            self.send_header("Content-Length", "0" if elsewhere else str(len(hub.body)))
            self.end_headers()

        def _fail(self, status: int) -> None:
            self.send_response(status)
            if hub.error_code:
                self.send_header("X-Error-Code", hub.error_code)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def do_GET(self) -> None:
            on_cdn = self.path.startswith("/cdn/")
            if not on_cdn:
                assert f"/resolve/{COMMIT}/" in self.path
            step = hub.script[0] if hub.script else Step()
            if step.redirect and not on_cdn:
                self.send_response(302)
                self.send_header("Location", f"{hub.cdn}/cdn/file?signed=1")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            if hub.script:
                hub.script.pop(0)
            asked = self.headers.get("Range", "")
            hub.ranges.append(asked)
            hub.tokens.append(self.headers.get("Authorization", ""))
            if step.status:
                self._fail(step.status)
                return
            self._send(step, asked)

        def _send(self, step: Step, asked: str) -> None:
            found = re.fullmatch(r"bytes=(\d+)-", asked)
            start = int(found[1]) if found and not step.ignore_range else 0
            body = hub.body[start:]
            self.send_response(206 if start else 200)
            if start:
                truth = f"bytes {start}-{len(hub.body) - 1}/{len(hub.body)}"
                self.send_header("Content-Range", step.content_range or truth)
            if step.extra:
                self.send_header("Connection", "close")
                self.close_connection = True
                body += b"x" * step.extra
            else:
                self.send_header("Content-Length", str(len(body) if step.length is None else step.length))
            self.end_headers()
            end = step.cut if step.cut is not None else step.hold
            if end is not None:
                self._write(body[:end])
                if step.hold is not None:
                    hub.held.set()
                    hub.released.wait(60)
                self.close_connection = True
                return
            self._write(body)

        def _write(self, data: bytes) -> None:
            try:
                self.wfile.write(data)
                self.wfile.flush()
            except OSError:
                self.close_connection = True

    return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is part of the tests."""


@contextmanager
def serve(hub: Hub) -> Iterator[Hub]:
    """Serve `hub` on two free ports: its own and the one that redirects lead to."""
    servers = [_Server(("127.0.0.1", 0), _handler(hub)) for _index in range(2)]
    threads = [threading.Thread(target=each.serve_forever, args=(0.01,), daemon=True) for each in servers]
    for thread in threads:
        thread.start()
    hub.url, hub.cdn = (f"http://127.0.0.1:{each.server_address[1]}" for each in servers)
    hub.cdn = hub.cdn.replace("127.0.0.1", "localhost")  # another host, as the real one is
    try:
        yield hub
    finally:
        hub.released.set()
        for server in servers:
            server.shutdown()
            server.server_close()
        for thread in threads:
            thread.join()
