"""A second program on the same data. Waits for a line on stdin before it writes, so that tests start all at once."""

from __future__ import annotations

import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.domain.habits import EntryValue, NewHabit
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import Store, open_store


def main() -> None:
    """Open, say `ready`, wait, then do what the arguments ask and print the outcome."""
    set_language("ko")
    folder, task, *args = sys.argv[1:]
    clock = FixedClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC))
    if task == "create":  # opening itself is the race
        say("ready")
        sys.stdin.readline()
    store = open_store(resolve_paths(Path(folder)), clock)
    if task != "create":
        say("ready")
        sys.stdin.readline()
    try:
        say(act(store, task, args))
    except RuleViolation as error:
        say(error.code)
    store.close()


def act(store: Store, task: str, args: list[str]) -> str:
    """Carry out one task and return what to print."""
    match task:
        case "create":
            return "opened"
        case "add":
            return f"added {store.habits.add(NewHabit(args[0], 2, '저녁을 먹은 뒤 20분 걷는다'))[0].id}"
        case "log":
            return f"logged {store.entries.log(int(args[0]), EntryValue.DONE)[0].id}"
        case "write-until-killed":
            day = date(2026, 8, 12)
            while True:
                store.entries.change(int(args[0]), day, EntryValue.DONE, note="적은 날 " * 20)
                say(day.isoformat())
                day -= timedelta(days=1)
        case _:
            raise SystemExit(f"unknown task {task}")


def say(text: str) -> None:
    """Print one line at once."""
    print(text, flush=True)


if __name__ == "__main__":
    main()
