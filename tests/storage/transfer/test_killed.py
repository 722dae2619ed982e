"""A program that is killed in the middle of an import leaves a sound database with nothing of it."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.store import open_store
from tests.storage.support import ROOT, add, day
from tests.storage.transfer.support import write_json


@pytest.mark.timeout(300)
@pytest.mark.parametrize("at", ["backup", "writing 0", "writing 4", "writing 8", "writing 11"])
def test_killed_while_writing(paths: AppPaths, clock: FixedClock, tmp_path: Path, at: str) -> None:
    records = [{"day": day(-place).isoformat(), "done": True} for place in range(4000)]
    habits = [{"name": f"습관 {number}", "id": str(number), "records": records} for number in range(3)]
    path = write_json(tmp_path / "long.json", {"user_email": "a", "habits": habits})
    store = open_store(paths, clock)
    add(store)
    store.close()
    arguments = [sys.executable, "-m", "tests.storage.transfer.child", str(paths.data), str(path)]
    process = subprocess.Popen(
        arguments, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdin is not None
    assert process.stdout is not None
    for line in process.stdout:
        if line == "ready\n":
            process.stdin.write("go\n")
            process.stdin.flush()
        if line.startswith(at):
            break
    process.kill()
    process.communicate()
    with closing(sqlite3.connect(paths.database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT COUNT(*) FROM entry").fetchone() == (0,)
        assert db.execute("SELECT COUNT(*) FROM habit").fetchone() == (1,)
        assert db.execute("SELECT COUNT(*) FROM import_run").fetchone() == (0,)
    store = open_store(paths, clock)
    assert store.transfers.run(store.transfers.preview(path)).entries == 12000
    store.close()
