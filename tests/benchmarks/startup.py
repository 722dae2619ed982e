"""Time from starting the process to a visible window (model not loaded): `python tests/benchmarks/startup.py [N]`.

Needs Xvfb and xdotool. The first run warms the page cache and is left out; prints the median of N runs (default 7).
Wall-clock seconds; the window is looked for every 20 ms or so, so each figure is up to that much too high.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time


def starts(folder: str, count: int) -> list[float]:
    """Start the program on the data of `folder` once and `count` times more, and return the seconds of each start."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        display = f":{pipe.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    times = []
    try:
        for _run in range(count + 1):
            begin = time.perf_counter()
            program = subprocess.Popen(
                [sys.executable, "-m", "lifehelper_desktop", "--data-dir", folder, "--lang", "en"], env=environment
            )
            window = _visible_window(environment, program)
            times.append(time.perf_counter() - begin)
            close = ["xdotool", "windowfocus", "--sync", window, "key", "ctrl+q"]
            subprocess.run(close, env=environment, check=True)
            program.wait(30)
    finally:
        server.terminate()
        server.wait(10)
    return times


def _visible_window(environment: dict[str, str], program: subprocess.Popen[bytes]) -> str:
    """Wait for the window and return its id. `xdotool search --sync` looks only twice a second."""
    search = ["xdotool", "search", "--onlyvisible", "--name", "^LifeHelper$"]
    while program.poll() is None:
        found = subprocess.run(search, env=environment, capture_output=True, text=True, check=False).stdout.split()
        if found:
            return found[0]
        time.sleep(0.01)
    raise RuntimeError(f"the program ended with {program.returncode} before its window came")


def main() -> None:
    """Run and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        first, *rest = starts(folder, count)
    print(f"first {first:.2f} s, then median {statistics.median(rest):.2f} s, worst {max(rest):.2f} s of {count}")


if __name__ == "__main__":
    main()
