"""A screen of our own (Xvfb) whose pixels can be read: `Screen` for scripts that start the program as a user does."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final, Self

PAINTED: Final = 12
"""Colours of a screen with a window on it: a frame and its text, not only a background."""
_SAMPLE: Final = 7  # every so many pixels are looked at


class Screen:
    """Xvfb for as long as it is entered; its picture lies in a file that is read at no cost to the program."""

    def __init__(self, size: str = "1280x800", *, number: int | None = None) -> None:
        """Prepare a screen; `number` is its display number, or the first one that is free."""
        self._size = size
        self._number = number
        self._folder = tempfile.TemporaryDirectory()
        self._server: subprocess.Popen[bytes] | None = None
        self.display = ""

    def __enter__(self) -> Self:
        """Start the server; raises OSError when it does not come up."""
        reading, writing = os.pipe()
        name = [f":{self._number}"] if self._number is not None else []
        self._server = subprocess.Popen(
            ["Xvfb", *name, "-displayfd", str(writing), "-screen", "0", f"{self._size}x24", "-fbdir", self._folder.name,
             "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as pipe:
            shown = pipe.readline().strip()
        if not shown:
            raise OSError("Xvfb did not start")
        self.display = f":{shown}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the server."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait(10)
        self._folder.cleanup()

    def rows(self) -> tuple[int, list[bytes]]:
        """Return the width and the rows of the picture, four bytes a pixel (blue, green, red, nothing)."""
        content = (Path(self._folder.name) / "Xvfb_screen0").read_bytes()
        head = struct.unpack(">25I", content[:100])
        start = head[0] + head[19] * 12
        width, height, line = head[4], head[5], head[12]
        return width, [content[start + y * line : start + y * line + width * 4] for y in range(height)]

    def colours(self) -> int:
        """Return how many different colours the screen shows, about: an empty one has one."""
        _width, rows = self.rows()
        return len({row[at : at + 3] for row in rows[::_SAMPLE] for at in range(0, len(row), 4 * _SAMPLE)})

    def wait_for(self, what: Callable[[], bool], seconds: float) -> float:
        """Return the seconds until `what` is true; raises TimeoutError."""
        begin = time.monotonic()
        while not what():
            if time.monotonic() - begin > seconds:
                raise TimeoutError(f"nothing came up within {seconds:.0f} s")
            time.sleep(0.005)
        return time.monotonic() - begin

    def save(self, path: Path) -> None:
        """Write the picture as PNG."""
        width, rows = self.rows()
        lines = []
        for row in rows:
            line = bytearray(width * 3)
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            lines.append(b"\0" + bytes(line))
        head = struct.pack(">IIBBBBB", width, len(rows), 8, 2, 0, 0, 0)
        parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(lines), 9)), (b"IEND", b""))
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n")
            for name, body in parts:
                file.write(struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body)))


def serve(size: str) -> int:
    """Have a screen for a shell script: prints its display, then answers `wait`, `empty` and `save FILE` on stdin.

    `wait` tells after how many seconds a window with text was there, `empty` waits until none is.
    """
    with Screen(size) as screen:
        print(screen.display, flush=True)
        for line in sys.stdin:
            word, _space, rest = line.strip().partition(" ")
            try:
                if word == "wait":
                    answer = f"{screen.wait_for(lambda: screen.colours() >= PAINTED, 120):.2f}"
                elif word == "empty":
                    answer = f"{screen.wait_for(lambda: screen.colours() < PAINTED, 120):.2f}"
                else:
                    screen.save(Path(rest))
                    answer = rest
                print("ok", answer, flush=True)
            except (TimeoutError, OSError) as error:
                print("error", error, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(serve(sys.argv[1]))
