"""m0005: the widened checks, on old databases and new ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import day
from tests.storage.transfer.support import HANDMADE, bring

BEFORE = Path(__file__).resolve().parents[2] / "data" / "db_0004.sql"


@pytest.fixture
def upgraded(paths: AppPaths, clock: FixedClock) -> Store:
    """A store whose database was of the schema before."""
    paths.data.mkdir(parents=True)
    with closing(sqlite3.connect(paths.database)) as db:
        db.executescript(BEFORE.read_text(encoding="utf-8"))
        db.commit()
    return open_store(paths, clock)


def test_the_database_is_sound_and_its_rows_are_there(upgraded: Store) -> None:
    with upgraded.db.read():
        assert upgraded.db.sql("PRAGMA integrity_check") == [("ok",)]
        assert upgraded.db.sql("PRAGMA foreign_key_check") == []
        assert upgraded.db.sql("PRAGMA writable_schema") == [(0,)]
        assert upgraded.db.sql("SELECT COUNT(*) FROM entry") == [(3,)]
    bring(upgraded, HANDMADE / "loop_v25_korean.db")
    assert len(upgraded.transfers.history()) == 1
    upgraded.close()


def test_changes_from_before_are_still_undone(upgraded: Store) -> None:
    upgraded.journal.undo()
    assert day(-9) not in upgraded.entries.for_habit(1)
    upgraded.journal.redo()
    assert upgraded.entries.for_habit(1)[day(-9)].value is EntryValue.BLANK
    upgraded.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE habit SET protocol_id = 'a', break_protocol_id = 'b', source = 'loop' WHERE id = 1",
        "UPDATE habit SET protocol_id = NULL WHERE id = 1",
        "UPDATE habit SET kind = 'break' WHERE id = 1",
        "UPDATE habit SET kind = 'diet' WHERE id = 2",
        "UPDATE habit SET source = '' WHERE id = 1",
        "UPDATE entry SET value = 'maybe'",
        "UPDATE entry SET value = 'not_done', is_minimum = 1",
        "UPDATE entry SET amount = 'much'",
    ],
)
def test_what_must_not_be_is_still_refused(upgraded: Store, statement: str) -> None:
    with closing(sqlite3.connect(upgraded.paths.database)) as db, pytest.raises(sqlite3.IntegrityError):
        db.execute(statement)
    upgraded.close()


def test_what_imports_need_is_taken(upgraded: Store) -> None:
    with closing(sqlite3.connect(upgraded.paths.database)) as db:
        db.execute("UPDATE habit SET protocol_id = NULL, source = 'loop' WHERE id = 1")
        db.execute("UPDATE habit SET break_protocol_id = NULL, source = 'loop' WHERE id = 2")
        db.execute("UPDATE entry SET value = 'not_done', is_minimum = 0, amount = 1")
        assert db.execute("SELECT DISTINCT typeof(amount) FROM entry").fetchall() == [("real",)]
    upgraded.close()
