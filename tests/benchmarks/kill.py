"""kill -9 at random moments: `python tests/benchmarks/kill.py [KILLS] [SEED]` (200 kills by default).

A second program writes, imports, migrates and restores in turn, and is killed at a random moment of its work. After
each kill the file must pass `integrity_check`, hold everything that was committed, and open. Prints a line of JSON; the
first loss ends it with the seed and the moment.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lifehelper_desktop.base.i18n import set_language
from tests.helpers.killing import TASKS, Killing


def main() -> int:
    """Kill, look, print."""
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int(time.time())
    set_language("ko")
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        killing = Killing(Path(folder), seed)
        for number in range(kills):
            killing.once(TASKS[number % len(TASKS)])
            if number % 20 == 19:
                print(f"{number + 1}/{kills}", file=sys.stderr, flush=True)
    report = {"kills": kills, "seed": seed, "through_before": killing.ended, "lost": 0}
    print(json.dumps({**report, "seconds": round(time.perf_counter() - began, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
