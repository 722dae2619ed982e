"""What several storage tests need."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import Habit, NewHabit
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.row_capture import JOURNALLED
from lifehelper_desktop.storage.store import Store

TODAY = date(2026, 8, 12)
FRAME = "저녁을 먹은 뒤 20분 걷는다"
ROOT = Path(__file__).resolve().parents[2]

Rows = dict[str, list[tuple[object, ...]]]


class MovingClock:
    """A clock that tests push on by whole days."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def pass_days(self, days: int) -> None:
        self.moment += timedelta(days=days)


def day(offset: int) -> date:
    """Today plus `offset` days."""
    return TODAY + timedelta(days=offset)


def add(store: Store, protocol_id: str = "daily-steps", **more: object) -> Habit:
    """Add a habit as chat does."""
    return store.habits.add(NewHabit(protocol_id, 2, FRAME, **more))[0]  # type: ignore[arg-type]


@contextmanager
def refused(code: str) -> Iterator[pytest.ExceptionInfo[RuleViolation]]:
    """Expect a refusal with `code`."""
    with pytest.raises(RuleViolation) as caught:
        yield caught
    assert caught.value.code == code


def child(paths: AppPaths, *args: str) -> subprocess.Popen[str]:
    """Start `tests.storage.child` on the data of `paths`."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.storage.child", str(paths.data), *args],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def dump(store: Store) -> list[str]:
    """Every row of the database as SQL text, to show that nothing changed."""
    with closing(sqlite3.connect(store.paths.database)) as db:
        return list(db.iterdump())


def journalled_rows(store: Store) -> Rows:
    """Every row that undo answers for."""
    with store.db.read():
        return {table: sorted(store.db.sql(f"SELECT * FROM {table}"), key=repr) for table in JOURNALLED}


def outside(store: Store, *statements: str) -> None:
    """Change the file as a program that knows nothing of the journal."""
    with closing(sqlite3.connect(store.paths.database, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)
