"""`lifehelper reminders`."""

from __future__ import annotations

from typing import Any

import pytest

WALK = ("add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")


def test_add_list_switch_and_remove(cli: Any) -> None:
    assert cli("reminders") == (0, "아직 알림이 없어요.\n")
    cli(*WALK)
    assert cli("reminders", "add", "1", "22:00") == (0, "알림을 추가했어요: 22:00 매일\n")
    added = cli.json("reminders", "add", "1", "7:30", "--days", "weekdays")
    assert added == {
        "status": "ok",
        "reminder_id": 2,
        "habit_id": 1,
        "title": "하루 걷기",
        "time": "07:30",
        "weekdays": [1, 2, 3, 4, 5],
        "on": True,
    }
    assert cli("reminders", "off", "2") == (0, "알림을 껐어요: 07:30 평일\n")
    assert cli("reminders", "list")[1].splitlines() == [
        "2  07:30 평일 — 하루 걷기  (꺼짐)",
        "1  22:00 매일 — 하루 걷기",
    ]
    assert [row["on"] for row in cli.json("reminders", "list", "1")] == [False, True]
    assert cli("reminders", "on", "2") == (0, "알림을 켰어요: 07:30 평일\n")
    assert cli("reminders", "remove", "1") == (0, "알림을 지웠어요: 22:00 매일\n")
    assert [row["reminder_id"] for row in cli.json("reminders")] == [2]
    assert cli("undo") == (0, "되돌렸어요: ‘하루 걷기’ 알림 지우기 (22:00)\n")
    assert [row["source"] for row in cli.json("history", "--limit", "1")] == ["cli"]


def test_weekdays_as_digits(cli: Any) -> None:
    cli(*WALK)
    assert cli.json("reminders", "add", "1", "08:00", "--days", "1,3,5")["weekdays"] == [1, 3, 5]
    assert cli.json("reminders", "add", "1", "09:00", "--days", "67")["weekdays"] == [6, 7]


def test_refusals(cli: Any) -> None:
    cli(*WALK)
    cli("reminders", "add", "1", "22:00")
    assert cli("reminders", "add", "1", "22:00")[0] == 1
    assert "22:00 알림은 이미 있어요" in cli.err
    assert cli.json("reminders", "add", "9", "22:00")["code"] == "not_found"
    assert cli.json("reminders", "list", "9")["code"] == "not_found"
    assert cli.json("reminders", "remove", "9")["code"] == "not_found"


@pytest.mark.parametrize("wrong", [("24:00",), ("7",), ("07:60",), ("07:30", "--days", "8"), ("07:30", "--days", "")])
def test_wrong_usage(cli: Any, wrong: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    cli(*WALK)
    with pytest.raises(SystemExit) as caught:
        cli("reminders", "add", "1", *wrong)
    assert caught.value.code == 2
    told = capsys.readouterr().err
    assert "적어 주세요." in told
    assert "invalid _" not in told  # names of ours are no words for users
