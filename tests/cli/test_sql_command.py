"""`lifehelper sql`."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.storage.store import open_store
from tests.conftest import NOW
from tests.helpers.worlds import world_1


@pytest.fixture(autouse=True)
def filled(cli: Any) -> None:
    store = open_store(cli.paths, FixedClock(NOW))
    world_1(store)
    store.close()


def test_a_table_is_aligned_by_what_a_terminal_shows(cli: Any) -> None:
    code, out = cli("sql", "SELECT title, streak AS days FROM numbers ORDER BY habit_id")
    assert code == 0
    assert out.splitlines() == [
        "title                 days",
        "--------------------  ----",
        "하루 걷기             42",
        "잠들기 전 할 일 적기  0",
        "SNS 시간 정해 쓰기    7",
        "3줄",
    ]


def test_json_and_csv(cli: Any) -> None:
    sql = "SELECT title, NULL AS none, 1.5 AS n FROM habits WHERE habit_id = 1"
    assert cli.json("sql", sql) == {
        "columns": ["title", "none", "n"],
        "rows": [["하루 걷기", None, 1.5]],
        "more": False,
    }
    code, out = cli("sql", "SELECT 'a,\"b', title FROM habits ORDER BY habit_id", "--csv")
    assert code == 0
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[1:] == [['a,"b', title] for title in ("하루 걷기", "잠들기 전 할 일 적기", "SNS 시간 정해 쓰기")]


def test_the_rows_are_limited_and_that_is_said(cli: Any) -> None:
    _code, out = cli("sql", "SELECT day FROM days", "--rows", "2")
    assert out.splitlines()[-1] == "2줄, 더 있어요(--rows로 늘릴 수 있어요)"
    assert cli.json("sql", "SELECT day FROM days", "--rows", "2")["more"] is True
    with pytest.raises(SystemExit):
        cli("sql", "SELECT 1", "--rows", "0")


def test_what_can_be_asked(cli: Any) -> None:
    code, out = cli("sql", "--describe")
    assert code == 0
    assert "entries (59줄, 2026-07-01 ~ 2026-08-11): 기록한 날마다 한 줄" in out
    assert "    note: 메모, 없으면 빈 글" in out
    [habits, entries, *_others] = cli.json("sql", "--describe")
    assert (habits["table"], habits["rows"], entries["first"]) == ("habits", 3, "2026-07-01")


def test_a_refusal_ends_with_1_and_says_what_to_write(cli: Any) -> None:
    code, out = cli("sql", "SELECT titel FROM habits")
    assert code == 1
    assert out == ""
    assert "혹시 title인가요?" in cli.err
    assert cli.json("sql", "DROP TABLE habit")["code"] == "sql_not_select"
    assert cli("sql")[0] == 1
