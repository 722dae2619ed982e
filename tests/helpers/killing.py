"""A second program that writes, imports, migrates, restores, copies or exports, killed in the middle; and what must
hold afterwards.

`python -m tests.helpers.killing FOLDER TASK SEED` is the program: it says `ready`, waits for a line, works, prints one
line after every commit, and `end`. `Killing` starts it, ends it with SIGKILL (TerminateProcess on Windows) and looks.
"""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.domain.habits import EntryValue, NewHabit
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.backup_copies import copy_newest
from lifehelper_desktop.storage.restoring import find_backup, restore
from lifehelper_desktop.storage.store import Store, open_store
from tests.helpers.steps import next_change

ROOT = Path(__file__).resolve().parents[2]
TASKS = ("write", "import", "migrate", "restore", "copy", "export")
STEPS = 120  # of the task `write`
_DAYS = 1500  # entries of an import and of the old database
_STICK, _EXPORTED, _OLD_EXPORT = "stick", "out.json", "what was exported before"
_TABLES = (
    *("habit", "habit_variant", "habit_pause", "habit_schedule", "entry", "setting", "import_run", "habit_source"),
    *("reminder", "journal", "journal_row"),
)
_NOW = datetime(2026, 8, 12, 21, 30, tzinfo=UTC)


# ---- the program ------------------------------------------------------------------------------------------------


def main() -> None:
    """Do one task."""
    set_language("ko")
    folder, task, seed = sys.argv[1:]
    paths = resolve_paths(Path(folder))
    store = None if task == "migrate" else open_store(paths, FixedClock(_NOW))
    _say("ready")
    sys.stdin.readline()
    if store is None:
        store = open_store(paths, FixedClock(_NOW))
    elif task == "write":
        for number in write_steps(store, int(seed)):
            _say(str(number))
    elif task == "import":
        store.transfers.run(store.transfers.preview(paths.data / "file.csv"))
    elif task == "copy":
        copy_newest(paths, paths.data / _STICK)
    elif task == "export":
        store.transfers.export_json(paths.data / _EXPORTED)
    else:
        restore(store.db, find_backup(paths, "newest"))
    _say("end")
    store.close()


def write_steps(store: Store, seed: int) -> Iterator[int]:
    """Make `STEPS` changes, some of them undone and redone; give the number of each after its commit."""
    chance = random.Random(seed)
    done = 0
    while done < STEPS:
        steps: list[Callable[[], object]] = [store.journal.undo, store.journal.redo]
        step = chance.choice(steps) if chance.random() < 0.25 else next_change(store, chance)
        try:
            step()
        except RuleViolation:
            continue
        done += 1
        yield done


def _say(text: str) -> None:
    print(text, flush=True)


# ---- the one who kills ------------------------------------------------------------------------------------------


class Killing:
    """Prepares a folder per task once; `once` copies it, kills the program there and checks what is left."""

    def __init__(self, folder: Path, seed: int) -> None:
        """Work in `folder`; `seed` chooses the changes and the moments."""
        self._folder = folder
        self._seed = seed
        self._chance = random.Random(seed)
        self._seconds: dict[str, float] = {}
        self._states: dict[str, list[str]] = {}
        self.ended = 0  # programs that were through before they were killed

    def once(self, task: str) -> None:
        """Kill the program at a random moment of `task` and check; an assertion fails where something was lost."""
        if task not in self._states:
            self._prepare(task)
        paths = self._copy(task, "killed")
        moment = self._chance.uniform(0, self._seconds[task])
        printed = self._run(paths, task, moment)
        where = f"{task}, seed {self._seed}, {moment:.4f} s, printed {printed[-1:]}"
        with closing(sqlite3.connect(paths.database)) as db:
            assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)], where
            assert db.execute("PRAGMA foreign_key_check").fetchall() == [], where
        assert all(backups.is_readable(path) for path in backups.list_backups(paths)), where
        store = open_store(paths, FixedClock(_NOW))
        found = state_of(store)
        store.close()
        states = self._states[task]
        if task == "write":
            committed = int(printed[-1]) if printed and printed[-1] != "end" else (STEPS if printed else 0)
            # What was printed is there; at most one more was committed and not printed any more.
            assert found in states[committed : committed + 2], where
        elif task == "migrate":
            assert found == states[-1], where
        else:
            assert found in (states[-1:] if "end" in printed else states), where
        _check_files(paths, ended="end" in printed, where=where)
        self.ended += "end" in printed
        shutil.rmtree(paths.data)

    def _prepare(self, task: str) -> None:
        """Make the folder that the program finds, let it run through, and learn how long that takes."""
        paths = resolve_paths(self._folder / task)
        paths.data.mkdir(parents=True)
        if task == "migrate":
            _old_database(paths)
        else:
            _filled(paths, task)
        undisturbed = self._copy(task, "undisturbed")
        assert self._run(undisturbed, task, None)[-1] == "end"
        self._states[task] = self._expected(task, undisturbed)

    def _expected(self, task: str, undisturbed: AppPaths) -> list[str]:
        """Return the states that may be found: for `write` one for each number of changes, else before and after."""
        start = self._copy(task, "expected")
        store = open_store(start, FixedClock(_NOW))
        states = [state_of(store)]
        if task == "write":
            states += [state_of(store) for _number in write_steps(store, self._seed)]
        store.close()
        store = open_store(undisturbed, FixedClock(_NOW))
        end = state_of(store)
        store.close()
        if task == "write":
            assert states[-1] == end
            return states
        return [*states, end]

    def _copy(self, task: str, name: str) -> AppPaths:
        target = self._folder / f"{task}-{name}"
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(self._folder / task, target)
        return resolve_paths(target)

    def _run(self, paths: AppPaths, task: str, moment: float | None) -> list[str]:
        """Run the program, killed after `moment` seconds of work; return the whole lines that it printed.

        With None it runs through, and how long its work takes is remembered.
        """
        program = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.killing", str(paths.data), task, str(self._seed)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        assert program.stdin is not None
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        program.stdin.write("go\n")
        program.stdin.flush()
        began = time.perf_counter()
        rest = ""
        if moment is None:
            while not rest.endswith("end\n") and (line := program.stdout.readline()):
                rest += line
            self._seconds[task] = time.perf_counter() - began
        else:
            try:
                program.wait(moment)
            except subprocess.TimeoutExpired:
                program.kill()
            rest = program.stdout.read()
        program.wait(60)
        program.stdin.close()
        program.stdout.close()
        return rest[: rest.rfind("\n") + 1].split()


def _check_files(paths: AppPaths, *, ended: bool, where: str) -> None:
    """What lies under a finished name is whole: the copies of the backups, and the exported file or the one before."""
    stick, exported = paths.data / _STICK, paths.data / _EXPORTED
    if not stick.is_dir():
        return
    copies = [path for folder in stick.iterdir() for path in backups.backups_in(folder)]
    assert all(backups.is_readable(path) for path in copies), where
    text = exported.read_text(encoding="utf-8")
    written = text != _OLD_EXPORT
    if written:
        assert sum(len(habit["entries"]) for habit in json.loads(text)["habits"]) >= _DAYS, where
    if ended:
        assert len(copies) + written == 1, where


def state_of(store: Store) -> str:
    """Return a digest of every row that is the user's."""
    digest = hashlib.sha256()
    with store.db.read():
        for table in _TABLES:
            digest.update(repr(sorted(store.db.sql(f"SELECT * FROM {table}"), key=repr)).encode())
    return digest.hexdigest()


def _filled(paths: AppPaths, task: str) -> None:
    store = open_store(paths, FixedClock(_NOW))
    store.habits.add(NewHabit("daily-steps", 2, "저녁을 먹은 뒤 20분 걷는다"))
    if task == "import":
        days = (date(2020, 1, 1) + timedelta(days=number) for number in range(_DAYS))
        lines = [f"운동,,,{day.isoformat()},1," for day in days]
        head = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText"
        (paths.data / "file.csv").write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    elif task in ("copy", "export"):
        _many_entries(store)
        store.db.backup("daily")
        (paths.data / _STICK).mkdir()
        (paths.data / _EXPORTED).write_text(_OLD_EXPORT, encoding="utf-8")
    elif task == "restore":
        _many_entries(store)
        store.db.backup("manual")
        for _number in write_steps(store, 2):
            pass
    store.close()


def _many_entries(store: Store) -> None:
    habit = store.habits.list()[0].id
    with store.db.write():
        for number in range(_DAYS):
            day = date(2026, 8, 12) - timedelta(days=number)
            store.entries.change(habit, day, EntryValue.DONE, note="적은 날 " * 20)


def _old_database(paths: AppPaths) -> None:
    with closing(sqlite3.connect(paths.database)) as db:
        db.executescript((ROOT / "tests/data/db_0001.sql").read_text(encoding="utf-8"))
        for number in range(_DAYS):
            day = (date(2020, 1, 1) + timedelta(days=number)).isoformat()
            db.execute(
                "INSERT INTO entry (habit_id, date, value, note, created_at, updated_at) "
                "VALUES (1, ?, 'done', ?, 'x', 'x')",
                (day, "적은 날 " * 20),
            )
        db.commit()


if __name__ == "__main__":
    main()
