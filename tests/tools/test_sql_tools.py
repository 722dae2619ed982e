"""`describe_data`, `validate_sql` and `run_sql` as the model calls them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.storage.asking.asking import SqlAnswer
from lifehelper_desktop.storage.asking.views import VIEWS
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import (
    TOOL_RESULT_MAX_BYTES,
    ToolCancelled,
    ToolErr,
    ToolOk,
    ToolResult,
    cap_result,
    encode_tool_result,
)
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.run_state import RunState
from lifehelper_desktop.tools.sql_rows import rows_for_model
from tests.helpers.worlds import world_1
from tests.tools.conftest import Call


def data_of(result: ToolResult) -> dict[str, Any]:
    assert isinstance(result, ToolOk), result
    return dict(result.data)


@pytest.mark.parametrize("name", ["describe_data", "validate_sql", "run_sql"])
def test_they_only_read_the_data(name: str) -> None:
    tool = ToolRegistry.defaults().by_name(name)
    assert tool is not None
    assert (tool.effect, tool.scope) == (ToolEffect.READ, ToolScope.DATA)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_all_tables_fit_into_one_answer(store: Store, call: Call, language: str) -> None:
    set_language(language)
    world_1(store)
    text = encode_tool_result(call("describe_data"))
    assert "_omitted" not in text
    lines = json.loads(text)["data"]["tables"]
    assert [line.partition("(")[0] for line in lines] == [view.name for view in VIEWS]
    assert lines[1].startswith("entries(habit_id,title,title_en,day,")
    assert " 59 2026-07-01~2026-08-11: " in lines[1]


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_one_table_says_what_its_columns_mean(call: Call, view: Any, language: str) -> None:
    set_language(language)
    result = call("describe_data", table=f" {view.name.upper()} ")
    assert list(data_of(result)["columns"]) == list(view.columns)
    assert all(data_of(result)["columns"].values())
    assert "_truncated" not in encode_tool_result(result)


def test_an_unknown_table_is_answered_with_the_known_ones(call: Call) -> None:
    result = call("describe_data", table="habit")
    assert isinstance(result, ToolErr)
    assert result.code == "sql_no_table"
    assert "혹시 habits인가요?" in result.reason


def test_rows_come_in_the_shorter_shape(store: Store, call: Call) -> None:
    world_1(store)
    assert data_of(call("run_sql", sql="SELECT count(*) AS n FROM entries")) == {"count": 1, "rows": [{"n": 59}]}
    many = data_of(call("run_sql", sql="SELECT title, streak FROM numbers ORDER BY habit_id"))
    assert many == {
        "count": 3,
        "columns": ["title", "streak"],
        "rows": [["하루 걷기", 42], ["잠들기 전 할 일 적기", 0], ["SNS 시간 정해 쓰기", 7]],
    }
    twice = data_of(call("run_sql", sql="SELECT 1 AS n, 2 AS n"))
    assert twice == {"count": 1, "columns": ["n", "n"], "rows": [[1, 2]]}
    assert data_of(call("run_sql", sql="SELECT 1 AS n WHERE 0")) == {"count": 0, "columns": ["n"], "rows": []}


def test_line_breaks_end_comments(call: Call) -> None:
    assert data_of(call("run_sql", sql="SELECT 1 -- 하나\n + 1 AS n"))["rows"] == [{"n": 2}]


def test_what_does_not_fit_is_left_out_by_whole_rows(store: Store, call: Call) -> None:
    result = call("run_sql", sql="SELECT * FROM catalogue, catalogue AS other")
    assert data_of(result)["more"] is True
    data = cap_result(result)["data"]
    assert len(encode_tool_result(result).encode()) <= TOOL_RESULT_MAX_BYTES
    assert data["count"] == 100
    assert data["_omitted"] == 100 - len(data["rows"])
    assert data["rows"]
    assert all(len(row) == len(data["columns"]) == 18 for row in data["rows"])


def test_even_the_widest_row_fits(call: Call) -> None:
    columns = ", ".join(f"printf('%900d', 1) || '가나다' AS column_with_a_rather_long_name_{n}" for n in range(30))
    result = call("run_sql", sql=f"SELECT {columns}")
    data = cap_result(result)["data"]
    assert len(data["rows"]) == 1
    assert "_truncated" not in data


def test_values_are_short_and_harmless() -> None:
    answer = SqlAnswer(("a",), (("x" * 500,), ("가\x00\x1b[31m나",), (1 / 3,), (None,)), more=False)
    rows = [row["a"] if isinstance(row, dict) else row[0] for row in rows_for_model(answer)["rows"]]
    assert rows == ["x" * 199 + "…", "가[31m나", 0.3333, None]


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("DELETE FROM entries", "sql_not_select"),
        ("SELECT\x00 1", "sql_nul"),
        ("SELECT 1; SELECT 2", "sql_many"),
        ("SELECT titel FROM habits", "sql_no_column"),
        ("", "sql_empty"),
        ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r", "sql_time"),
    ],
)
def test_refusals_are_results_that_say_what_to_do(call: Call, sql: str, code: str) -> None:
    result = call("run_sql", sql=sql)
    assert isinstance(result, ToolErr)
    assert result.code == code
    if code != "sql_time":
        assert call("validate_sql", sql=sql) == result


def test_checking_runs_nothing(call: Call) -> None:
    endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r, today"
    assert data_of(call("validate_sql", sql=endless)) == {"valid": True, "tables": ["today"]}


def test_stop_cancels_the_call(store: Store) -> None:
    run = RunState("ko")
    run.stop.set()
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, run=run))
    result = dispatcher.dispatch("run_sql", {"sql": "SELECT count(*) FROM days"})
    assert isinstance(result, ToolCancelled)


@pytest.mark.parametrize(
    "sql", ["```sql\nSELECT 1 AS one\n```", "```\nSELECT 1 AS one;\n```\n", " ```SQL\r\nSELECT\n1 AS one```"]
)
def test_sql_in_a_markdown_fence_is_read(call: Call, sql: str) -> None:
    for name in ("run_sql", "validate_sql"):
        assert isinstance(call(name, sql=sql), ToolOk), name
    assert isinstance(call("run_sql", sql="SELECT '```sql\n' AS fence"), ToolOk)
    assert isinstance(call("run_sql", sql="```sql\nSELECT 1; SELECT 2\n```"), ToolErr)
