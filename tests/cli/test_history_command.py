"""`lifehelper undo`, `redo`, `history` and `trash`."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.storage.store import open_store
from tests.conftest import NOW
from tests.helpers.scripted_llm import ScriptedLlmService

WALK = ("add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")


def test_undo_and_redo(cli: Any) -> None:
    assert cli("undo")[0] == 1
    assert "되돌릴 것이 아직 없어요" in cli.err
    cli(*WALK)
    cli("log", "1")
    assert cli("undo") == (0, "되돌렸어요: 하루 걷기 · 2026-08-12(수) ‘완료’ 기록\n")
    assert cli.json("habits")["data"]["items"][0]["today"] is None
    assert cli("redo") == (0, "다시 했어요: 하루 걷기 · 2026-08-12(수) ‘완료’ 기록\n")
    assert cli.json("habits")["data"]["items"][0]["today"] == "done"
    assert cli("redo")[0] == 1
    done = cli.json("undo")
    assert (done["status"], done["again"], done["change"]["label"]["action"]) == ("ok", False, "entry_add")
    assert cli.json("undo")["change"]["what"] == "‘하루 걷기’ 습관 추가"
    assert cli.json("undo")["code"] == "nothing_to_undo"


def test_what_other_surfaces_did_can_be_undone_here(cli: Any) -> None:
    cli(*WALK)
    store = open_store(cli.paths, FixedClock(NOW))
    with acting(Source.COACH):
        store.habits.pause(1)
    store.close()
    rows = cli.json("history")
    assert [(row["source"], row["state"], row["what"]) for row in rows] == [
        ("coach", "done", "‘하루 걷기’ 습관 쉬게 하기"),
        ("cli", "done", "‘하루 걷기’ 습관 추가"),
    ]
    cli("undo")
    out = cli("history")[1].splitlines()
    assert out[0].endswith("코치  ‘하루 걷기’ 습관 쉬게 하기  (되돌림)")
    assert out[1].endswith("명령줄  ‘하루 걷기’ 습관 추가")
    assert len(cli.json("history", "--limit", "1")) == 1


def test_what_the_coach_did_in_a_chat_is_the_coachs(cli: Any) -> None:
    cli(*WALK)
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"})
    cli.llm = ScriptedLlmService([[call], [LlmTextChunk("잘했어요.")]])
    cli("chat", "오늘 걷기 다 했어, 기록해 줘", "--yes")
    assert [row["source"] for row in cli.json("history")] == ["coach", "cli"]
    assert cli("undo")[0] == 0
    assert cli.json("habits")["data"]["items"][0]["today"] is None


def test_an_empty_history(cli: Any) -> None:
    assert cli("history") == (0, "되돌릴 것이 아직 없어요.\n")
    assert cli.json("history") == []


def test_trash(cli: Any) -> None:
    cli(*WALK)
    cli("log", "1")
    assert cli("trash", "list") == (0, "휴지통이 비어 있어요.\n")
    assert "하루 걷기" in cli("trash", "put", "1")[1]
    assert cli.json("habits")["data"]["items"] == []
    [row] = cli.json("trash", "list")
    assert (row["habit_id"], row["title"], row["entries"]) == (1, "하루 걷기", 1)
    assert (row["deleted_on"], row["last_day"]) == ("2026-08-12", "2026-09-10")
    assert "2026-09-10" in cli("trash", "list")[1]
    assert "하루 걷기" in cli("trash", "restore", "1")[1]
    assert cli.json("habits")["data"]["items"][0]["today"] == "done"
    assert cli("trash", "restore", "1")[0] == 1


def test_what_is_gone_for_good_must_be_confirmed(cli: Any) -> None:
    cli(*WALK)
    cli("add", "morning-sunlight", "--text", "아침에 바깥 빛을 본다")
    for number in ("1", "2"):
        cli("trash", "put", number)
    assert cli("trash", "remove", "1")[0] == 1
    assert cli.json("trash", "empty")["code"] == "not_confirmed"
    assert len(cli.json("trash", "list")) == 2
    assert cli.json("trash", "remove", "1", "--yes") == {"status": "ok", "habit_id": 1}
    assert cli.json("trash", "empty", "--yes") == {"status": "ok", "habit_ids": [2]}
    assert cli.json("trash", "list") == []
    assert cli("undo")[0] == 1
