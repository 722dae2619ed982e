"""A second program that imports a file: says `ready`, waits for a line, imports, says `done`."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.storage.store import open_store
from lifehelper_desktop.storage.transfer.watch import Stage


def main() -> None:
    """Import `argv[2]` into the data of `argv[1]`."""
    store = open_store(resolve_paths(Path(sys.argv[1])), FixedClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC)))
    preview = store.transfers.preview(Path(sys.argv[2]))
    say("ready")
    sys.stdin.readline()

    def tell(stage: Stage, done: int, total: int) -> None:
        say(f"{stage.value} {done}")

    say(f"done {store.transfers.run(preview, progress=tell).entries}")
    store.close()


def say(text: str) -> None:
    """Print one line at once."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
