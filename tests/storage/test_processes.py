"""Two programs on the same data, and one that is killed in the middle of writing."""

from __future__ import annotations

import sqlite3
import subprocess
from contextlib import closing

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import HabitType
from lifehelper_desktop.storage.store import open_store
from tests.storage.support import add, child


def race(processes: list[subprocess.Popen[str]]) -> list[str]:
    """Let all start at once and return what each printed last."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    outcomes = []
    for process in processes:
        out, _err = process.communicate(timeout=60)
        assert process.returncode == 0
        outcomes.append(out.strip())
    return outcomes


def test_four_programs_add_a_habit_and_three_get_a_place(paths: AppPaths, clock: FixedClock) -> None:
    open_store(paths, clock).close()
    wanted = ["daily-steps", "morning-sunlight", "three-good-things", "floss-after-brushing"]
    outcomes = race([child(paths, "add", protocol_id) for protocol_id in wanted])
    assert sorted(outcome.split()[0] for outcome in outcomes) == ["added", "added", "added", "r3_quota"]
    store = open_store(paths, clock)
    assert store.habits.active_counts() == {HabitType.BUILD: 3, HabitType.BREAK: 0}
    assert all(habit.standard_dose and habit.minimum_dose for habit in store.habits.list())
    assert sorted(habit.position for habit in store.habits.list()) == [0, 1, 2]
    store.close()


def test_two_programs_log_the_same_day_and_one_wins(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    habit = add(store)
    outcomes = race([child(paths, "log", str(habit.id)) for _ in range(2)])
    assert sorted(outcome.split()[0] for outcome in outcomes) == ["duplicate", "logged"]
    assert len(store.entries.for_habit(habit.id)) == 1
    store.close()


def test_two_programs_create_the_database_at_once(paths: AppPaths, clock: FixedClock) -> None:
    assert race([child(paths, "create") for _ in range(3)]) == ["opened"] * 3
    store = open_store(paths, clock)
    assert store.habits.list() == []
    store.close()


@pytest.mark.parametrize("lines", [1, 25])
def test_killed_while_writing_loses_no_committed_entry(paths: AppPaths, clock: FixedClock, lines: int) -> None:
    store = open_store(paths, clock)
    habit = add(store)
    store.close()
    writer = child(paths, "write-until-killed", str(habit.id))
    assert writer.stdout is not None
    assert writer.stdin is not None
    assert writer.stdout.readline() == "ready\n"
    writer.stdin.write("go\n")
    writer.stdin.flush()
    printed = [writer.stdout.readline().strip() for _ in range(lines)]
    writer.kill()
    rest = writer.stdout.read()
    # The last line may be cut off in the middle; a line that ended was committed before it was printed.
    printed += rest[: rest.rfind("\n") + 1].split()
    writer.wait(30)
    writer.stdin.close()
    writer.stdout.close()
    store = open_store(paths, clock)
    stored = [day.isoformat() for day in store.entries.for_habit(habit.id)]
    assert set(printed) <= set(stored)
    assert len(stored) - len(printed) in (0, 1)  # committed, not yet printed
    store.close()
    with closing(sqlite3.connect(paths.database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
