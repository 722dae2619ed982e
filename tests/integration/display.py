"""An X server of our own for programs that are started as a user starts them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def x_server(screen: str = "1280x800x24") -> Iterator[str]:
    """Run Xvfb and give its display's name; `-displayfd` tells when it is ready.

    `-noreset`: else it begins anew, and throws everybody out, whenever its only client at that moment goes.
    """
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        number = pipe.readline().strip()
    assert number, "Xvfb did not start"
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(10)


def environment_of(display: str, home: Path) -> dict[str, str]:
    """Return the environment of a Korean user with an empty home on `display`."""
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "LD_LIBRARY_PATH", "TMPDIR")}
    return {**kept, "HOME": str(home), "DISPLAY": display, "LC_ALL": "C.UTF-8", "LANG": "ko_KR.UTF-8"}
