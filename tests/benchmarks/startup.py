"""Time from starting the process to a visible window (model not loaded): `python tests/benchmarks/startup.py [N]`.

Needs Xvfb and xdotool. The first run warms the page cache and is left out; prints the median of N runs (default 7).
Wall-clock seconds; xdotool looks every 30 ms or so, so each figure is up to that much too high.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time


def main() -> None:
    """Run and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as pipe:
        display = f":{pipe.readline().strip()}"
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb"}
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _run in range(count + 1):
            begin = time.perf_counter()
            program = subprocess.Popen(
                [sys.executable, "-m", "lifehelper_desktop", "--data-dir", folder, "--lang", "en"], env=environment
            )
            search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^LifeHelper$"]
            window = subprocess.run(search, env=environment, capture_output=True, text=True, check=True).stdout.split()[
                0
            ]
            times.append(time.perf_counter() - begin)
            close = ["xdotool", "windowfocus", "--sync", window, "key", "ctrl+q"]
            subprocess.run(close, env=environment, check=True)
            program.wait(30)
    server.terminate()
    server.wait(10)
    rest = times[1:]
    print(f"first {times[0]:.2f} s, then median {statistics.median(rest):.2f} s, worst {max(rest):.2f} s of {count}")


if __name__ == "__main__":
    main()
