"""The judge and the worlds of `lifehelper eval`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.cli.evaluation.judge import JudgedCall, judge
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from tests.cli.conftest import Cli
from tests.helpers.scripted_llm import ScriptedLlmService

DEV = Path(__file__).parent.parent / "data" / "coach_dev.jsonl"


def _call(name: str, args: dict[str, Any], *, outcome: str = "ok", date: str | None = None, **data: Any) -> JudgedCall:
    result = {"status": "ok", "data": data} if outcome == "ok" else {"status": "error", "code": outcome}
    if outcome == "cancelled":
        result = {"status": "cancelled"}
    return JudgedCall(name, args, name in ("add_habit", "log_tracker_entry"), date, result)


LOG = {"name": "log_tracker_entry", "args": {"habit_id": 1, "value": "done"}, "date": "2026-08-12"}
EXPECT_LOG = {"calls": [LOG], "result": "ok", "no_tool": False}


@pytest.mark.parametrize(
    ("expect", "calls", "passes"),
    [
        (EXPECT_LOG, [_call("log_tracker_entry", {"habit_id": 1, "value": "done"}, date="2026-08-12")], True),
        (EXPECT_LOG, [_call("log_tracker_entry", {"habit_id": 1, "value": "done"}, date="2026-08-11")], False),
        (EXPECT_LOG, [_call("log_tracker_entry", {"habit_id": 2, "value": "done"}, date="2026-08-12")], False),
        (EXPECT_LOG, [_call("log_tracker_entry", {"habit_id": True, "value": "done"}, date="2026-08-12")], False),
        (EXPECT_LOG, [], False),
        (
            EXPECT_LOG,
            [
                _call("list_active_habits", {}),
                _call("log_tracker_entry", {"habit_id": 1, "value": "done"}, date="2026-08-12"),
            ],
            True,
        ),
        (
            EXPECT_LOG,
            [_call("log_tracker_entry", {"habit_id": 1, "value": "done"}, date="2026-08-12")] * 2,
            False,
        ),
        (
            {**EXPECT_LOG, "result": "duplicate"},
            [_call("log_tracker_entry", {"habit_id": 1, "value": "done"}, date="2026-08-12", outcome="duplicate")],
            True,
        ),
        ({"calls": [], "result": "none", "no_tool": True}, [_call("list_active_habits", {})], False),
        ({"calls": [], "result": "none", "no_tool": False}, [_call("list_active_habits", {})], True),
        ({"calls": [], "result": "none", "no_tool": False}, [_call("add_habit", {})], False),
        (
            {"any_of": [EXPECT_LOG, {"calls": [], "result": "none", "no_tool": True}]},
            [],
            True,
        ),
        (
            {"calls": [{"name": "search_catalog", "args": {"keyword": {"finds": "micro-break"}}}], "result": "none"},
            [_call("search_catalog", {"category": "focus"}, items=[{"id": "micro-break"}])],
            True,
        ),
        (
            {"calls": [{"name": "search_catalog", "args": {"keyword": {"finds": "micro-break"}}}], "result": "none"},
            [_call("search_catalog", {"keyword": "잠"}, items=[])],
            False,
        ),
        (
            {
                "calls": [{"name": "add_habit", "args": {"framed_text": {"frame": {"level": 2, "about": "걷|walk"}}}}],
                "result": "ok",
            },
            [_call("add_habit", {"framed_text": "저녁에 걷는다", "frame_level": 2})],
            True,
        ),
        (
            {
                "calls": [{"name": "add_habit", "args": {"framed_text": {"frame": {"level": 2, "about": "걷"}}}}],
                "result": "ok",
            },
            [_call("add_habit", {"framed_text": "소파에 눕는 것을 줄이고 걷는다", "frame_level": 2})],
            False,
        ),
    ],
)
def test_judge(expect: dict[str, Any], calls: list[JudgedCall], passes: bool) -> None:
    assert judge(expect, calls, false_claim=False).passed is passes


def test_a_false_claim_fails_whatever_else_is_right() -> None:
    assert not judge({"calls": [], "result": "none", "no_tool": True}, [], false_claim=True).passed


def test_a_right_model_passes_and_totals_add_up(cli: Cli) -> None:
    script: dict[str, list[list[object]]] = {
        "ko-dev-01": [[LlmFunctionCall("search_catalog", {"category": "수면"})], [LlmTextChunk("두 가지가 있어요.")]],
        "ko-dev-05": [[LlmFunctionCall("get_streak", {"habit_id": "1"})], [LlmTextChunk("42일째예요.")]],
        "ko-dev-20": [[LlmTextChunk("많이 힘드셨겠어요. 지금 안전한가요? 109에 전화해 주세요.")]],
    }
    cases = [json.loads(line) for line in DEV.read_text(encoding="utf-8").splitlines()]
    chosen = [case for case in cases if case["id"] in script]
    assert len(chosen) == 3
    path = cli.paths.data.parent / "cases.jsonl"
    path.write_text("\n".join(json.dumps(case) for case in chosen), encoding="utf-8")
    cli.llm = ScriptedLlmService([turn for case in chosen for turn in script[case["id"]]])  # type: ignore[arg-type,misc]
    *rows, totals = cli.json("eval", str(path))
    assert [row["why"] for row in rows] == ["", "", ""]
    assert (totals["total"], totals["passed"]) == (3, 3)
    assert totals["by_lang"] == {"ko": {"total": 3, "passed": 3}}
    assert totals["false_claims"] == totals["capped"] == 0
    assert totals["valid_first_try"] == 1.0


def test_every_dev_case_builds_its_world_and_a_silent_model_fails_the_writes(cli: Cli) -> None:
    count = len(DEV.read_text(encoding="utf-8").splitlines())
    cli.llm = ScriptedLlmService([[LlmTextChunk("네.")] for _number in range(count)])
    *rows, totals = cli.json("eval", str(DEV))
    assert len(rows) == totals["total"] == count == 60
    assert 0 < totals["passed"] < 25
    assert totals["errors"] == 0
    log_rows = [row for row in rows if "log_today" in row["tags"]]
    assert not any(row["passed"] for row in log_rows)


def test_a_broken_case_file_names_the_line(cli: Cli) -> None:
    path = cli.paths.data.parent / "cases.jsonl"
    path.write_text('{"id": 1}\n', encoding="utf-8")
    code, _out = cli("eval", str(path))
    assert code == 3
    assert "1번째 줄" in cli.err


@pytest.mark.parametrize(
    "change",
    [
        {"expect": {"calls": [{"name": "add_habit", "args": {"framed_text": {"like": "x"}}}]}},
        {"expect": {"calls": [{"args": {}}]}},
        {"expect": {"calls": [{"name": "add_habit", "args": {"framed_text": {"regex": "("}}}]}},
        {"before": [{"user": "?", "calls": [{"args": {}}]}]},
        {"now": "sometime"},
    ],
)
def test_a_case_that_cannot_be_judged_is_named_before_the_model_runs(cli: Cli, change: dict[str, Any]) -> None:
    good = {"id": "a", "now": "2026-08-12T21:30:00", "user": "안녕", "expect": {"calls": []}}
    path = cli.paths.data.parent / "cases.jsonl"
    path.write_text(f"{json.dumps(good)}\n{json.dumps({**good, **change})}\n", encoding="utf-8")
    code, out = cli("eval", str(path))
    assert (code, out) == (3, "")
    assert "2번째 줄" in cli.err
    assert cli.llm.load_count == 0


def test_earlier_turns_without_arguments_are_replayed(cli: Cli) -> None:
    case = {
        "id": "a",
        "now": "2026-08-12T21:30:00",
        "before": [{"user": "내 습관?", "calls": [{"name": "list_active_habits"}], "coach": "아직 없어요."}],
        "user": "고마워",
        "expect": {"no_tool": True},
    }
    path = cli.paths.data.parent / "cases.jsonl"
    path.write_text(json.dumps(case), encoding="utf-8")
    cli.llm = ScriptedLlmService([[LlmTextChunk("천만에요.")]])
    assert cli.json("eval", str(path))[-1]["passed"] == 1
    [turn] = cli.llm.prompts[0].history
    assert turn.results[0].result["data"]["count"] == 0
