"""Every command, in words and in JSON, over a real database; the rules through this front end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lifehelper_desktop.base import settings
from lifehelper_desktop.cli.main import run
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.store import open_store
from tests.cli.conftest import Cli
from tests.helpers.scripted_llm import ScriptedLlmService

WALK = ("add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")


def test_a_new_person_sees_what_to_do(cli: Cli) -> None:
    code, out = cli("habits")
    assert code == 0
    assert "lifehelper catalog" in out
    assert "세우기 3, 깨기 1" in out


def test_add_log_streak_and_habits(cli: Cli) -> None:
    code, out = cli(*WALK)
    assert (code, out.strip()) == (0, "하루 걷기 · 저녁을 먹은 뒤 20분 걷는다")
    code, out = cli("log", "1", "minimum", "--note", "짧게")
    assert (code, out.strip()) == (0, "하루 걷기 · 2026-08-12(수) · 최소 · 짧게")
    assert cli("streak", "1")[1].strip() == "연속 1일 · 최장 1일 · 30일 중 1일 · 단계 씨앗"
    assert "[최소]" in cli("habits")[1]
    assert cli.json("streak", "1")["data"]["current_streak"] == 1
    items = cli.json("habits")["data"]["items"]
    assert (items[0]["habit_id"], items[0]["today"]) == (1, "minimum")


def test_the_language_is_chosen_anywhere_on_the_line(cli: Cli) -> None:
    cli(*WALK)
    assert "Daily steps" in cli("habits", "--lang", "en")[1]
    assert "Daily steps" in cli("--lang=en", "habits")[1]


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (("add", "stair-snack", "--text", "야식 끊기"), "r7_avoidance"),
        (("add", "daily-steps", "--text", "저녁에 걷는다", "--level", "4"), "validation"),
        (("add", "daily-steps,stair-snack", "--text", "저녁에 걷는다"), "r8_xor"),
        (("add", "flying", "--text", "저녁에 난다"), "not_found"),
        (WALK, "already_active"),
        (("log", "1", "done", "--date", "내일"), "future_date"),
        (("log", "1", "done", "--date", "2026-08-01"), "date_out_of_range"),
        (("log", "9"), "not_found"),
        (("log", "1", "slept"), "validation"),
    ],
)
def test_rules_hold_on_the_command_line(cli: Cli, argv: tuple[str, ...], code: str) -> None:
    cli(*WALK)
    result = cli.json(*argv)
    assert (result["status"], result["code"]) == ("error", code)
    exit_code, out = cli(*argv)
    assert (exit_code, out) == (1, "")
    assert cli.err.strip() == result["reason"]


def test_quota_and_duplicate(cli: Cli) -> None:
    for protocol in ("daily-steps", "stair-snack", "micro-break"):
        assert cli("add", protocol, "--text", "점심을 먹은 뒤 움직인다")[0] == 0
    assert cli.json("add", "fruit-veg-five", "--text", "점심에 나물을 먹는다")["code"] == "r3_quota"
    assert cli("log", "1")[0] == 0
    assert cli.json("log", "1", "blank")["code"] == "duplicate"


def test_catalog_search_and_detail(cli: Cli) -> None:
    assert "mindfulness-meditation" in cli("catalog", "명상")[1]
    assert cli.json("catalog", "--category", "Sleep")["data"]["count"] == 8
    assert cli.json("catalog", "--id", "daily-steps")["data"]["evidence"]["grade"] == "B"
    assert "bodycare" in cli("catalog", "--category", "없는 분류")[1]


def test_tool_list_and_call(cli: Cli) -> None:
    assert [row["name"] for row in cli.json("tool", "list")][-1] == "log_tracker_entry"
    cli(*WALK)
    args = json.dumps({"habit_id": 1, "value": "done", "date": "어제"})
    # Nobody at a terminal and no --yes: nothing is written.
    assert cli.json("tool", "call", "log_tracker_entry", args)["status"] == "cancelled"
    assert cli.json("tool", "call", "log_tracker_entry", args, "--yes")["code"] == "date_out_of_range"
    today = json.dumps({"habit_id": 1, "value": "done"})
    assert cli.json("tool", "call", "log_tracker_entry", today, "--yes")["status"] == "ok"


@pytest.mark.parametrize("text", ["{", "[]", "1", "null", '"x"', "[" * 100_000])
def test_arguments_that_are_no_object_are_validation(cli: Cli, text: str) -> None:
    assert cli.json("tool", "call", "search_catalog", text)["code"] == "validation"


def test_frame_check(cli: Cli) -> None:
    assert cli("frame", "check", "저녁을 먹은 뒤 걷는다")[0] == 0
    result = cli.json("frame", "check", "야식 안 먹기")
    assert result["passes"] is False
    assert result["words"]


def test_chat_prints_its_events_as_json_lines(cli: Cli) -> None:
    cli(*WALK)
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"})
    cli.llm = ScriptedLlmService([[call], [LlmTextChunk("잘했어요.")]])
    rows = cli.json("chat", "오늘 걷기 다 했어, 기록해 줘", "--yes")
    kinds = [row["type"] for row in rows]
    assert kinds[0] == "user_message"
    assert kinds[-1] == "turn_finished"
    done = [row for row in rows if row["type"] == "tool_call" and row["state"] == "done"]
    assert done[0]["stored"] == "하루 걷기 · 2026-08-12(수) · 완료"
    assert cli.llm.close_count == 1
    assert cli.json("habits")["data"]["items"][0]["today"] == "done"


def test_chat_without_yes_and_without_a_terminal_writes_nothing(cli: Cli) -> None:
    cli(*WALK)
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"})
    cli.llm = ScriptedLlmService([[call], [LlmTextChunk("그대로 둘게요.")]])
    rows = cli.json("chat", "기록해 줘")
    assert [row["state"] for row in rows if row["type"] == "tool_call"][-1] == "cancelled"
    assert cli.json("habits")["data"]["items"][0]["today"] is None


def test_wrong_usage_is_exit_code_2(cli: Cli) -> None:
    with pytest.raises(SystemExit) as ended:
        cli("fly")
    assert ended.value.code == 2


def test_a_damaged_database_is_said_in_words(cli: Cli) -> None:
    cli(*WALK)
    cli.paths.database.write_bytes(b"not a database at all " * 100)
    code, out = cli("habits")
    assert (code, out) == (3, "")
    assert cli.err.strip()
    assert cli.json("habits")["code"] == "world"


def test_the_stored_language_holds_unless_the_line_names_one(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    store = open_store(cli.paths)
    store.settings.set(settings.LANGUAGE, "ko")
    store.close()
    cli("add", "three-good-things", "--text", "고마운 일 세 가지를 적는다")
    assert "고마운 일 세 가지" in cli("habits")[1]
    assert "Three good things" in cli("habits", "--lang", "en")[1]
    store = open_store(cli.paths)
    assert store.habits.get(1).minimum_dose == "고마운 일 한 줄 적기"
    store.close()


@pytest.mark.parametrize("encoding", ["cp949", "ascii", "utf-8"])
def test_output_survives_every_encoding(tmp_path: Path, encoding: str) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    base = [sys.executable, "-m", "lifehelper_desktop", "cli", "--data-dir", str(tmp_path / "d"), "--lang", "ko"]
    strange = ["tool", "call", "query_protocol", '{"id":"\\ud800😀"}', "--json"]
    for argv in (["catalog"], ["catalog", "--json"], strange):
        done = subprocess.run([*base, *argv], env=environment, capture_output=True, timeout=60, check=False)
        assert b"Traceback" not in done.stderr, done.stderr
        if "--json" in argv:
            assert json.loads(done.stdout.decode(encoding))["status"] in ("ok", "error")


def test_an_empty_folder_name_and_an_empty_message_are_wrong_usage(cli: Cli) -> None:
    assert cli("chat", " ")[0] == 2
    with pytest.raises(SystemExit) as ended:
        run(["--data-dir", "", "habits"], cli._open, lambda paths, model, family: cli.llm)
    assert ended.value.code == 2


def test_a_long_list_says_that_there_is_more(cli: Cli) -> None:
    assert "--category" in cli("catalog")[1]
    assert "--category" not in cli("catalog", "명상")[1]
