"""`lifehelper habit`: states, places, doses and past days, under the same rules as everywhere."""

from __future__ import annotations

from tests.cli.conftest import Cli

WALK = ("add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")
TODO = ("add", "bedtime-todo-list", "--text", "자기 전에 내일 할 일을 적는다")


def statuses(cli: Cli) -> dict[int, str]:
    return {row["habit_id"]: row["status"] for row in cli.json("habit", "list")}


def test_an_empty_list_says_what_to_do(cli: Cli) -> None:
    assert "lifehelper catalog" in cli("habit", "list")[1]


def test_pause_resume_and_archive(cli: Cli) -> None:
    cli(*WALK)
    for command, status in (("pause", "paused"), ("resume", "active"), ("archive", "archived")):
        answer = cli.json("habit", command, "1")
        assert (answer["status"], answer["changed"]) == ("ok", True)
        assert statuses(cli) == {1: status}
    assert cli.json("habit", "pause", "1")["code"] == "habit_inactive"


def test_unarchive_asks_for_a_place(cli: Cli) -> None:
    cli(*WALK)
    cli("habit", "archive", "1")
    for protocol in ("bedtime-todo-list", "morning-sunlight", "three-good-things"):
        assert cli("add", protocol, "--text", "자기 전에 내일 할 일을 적는다")[0] == 0
    assert cli.json("habit", "unarchive", "1")["code"] == "r3_quota"
    cli("habit", "pause", "2")
    assert cli.json("habit", "unarchive", "1")["changed"] is True
    assert statuses(cli)[1] == "active"
    assert cli.json("habit", "unarchive", "1")["changed"] is False
    cli("undo")
    assert statuses(cli)[1] == "archived"


def test_the_schedule_is_shown_and_changed(cli: Cli) -> None:
    cli(*WALK)
    assert cli("habit", "schedule", "1")[1].strip() == "2026-08-12부터 매일"
    for options, words, kind in (
        (("--weekdays", "5, 1,3"), "월·수·금", "weekdays"),
        (("--per-week", "3"), "일주일에 3번", "per_week"),
        (("--per-month", "2"), "한 달에 2번", "per_month"),
        (("--every", "10"), "10일마다", "every_days"),
        (("--daily",), "매일", "daily"),
    ):
        answer = cli.json("habit", "schedule", "1", *options)
        assert (answer["status"], answer["changed"], answer["schedule"]["kind"]) == ("ok", True, kind)
        assert cli("habit", "schedule", "1")[1].strip() == f"2026-08-12부터 {words}"
        assert cli.json("habit", "list")[0]["schedule"]["kind"] == kind
    assert cli.json("habit", "schedule", "1") == [
        {"from": "2026-08-12", "kind": "daily", "weekdays": [], "times": 0, "days": 0}
    ]
    for options in (("--weekdays", "1,x"), ("--weekdays", "8"), ("--per-week", "8"), ("--every", "1")):
        assert cli.json("habit", "schedule", "1", *options)["code"] == "validation"
    assert cli.json("habit", "schedule", "7")["code"] == "not_found"


def test_the_streak_is_told_in_its_own_unit(cli: Cli) -> None:
    cli(*WALK)
    cli("log", "1")
    assert cli("streak", "1")[1].startswith("연속 1일 · 최장 1일")
    cli("habit", "schedule", "1", "--every", "3")
    assert cli("streak", "1")[1].startswith("연속 1번 · 최장 1번")


def test_a_repeated_step_says_that_nothing_changed(cli: Cli) -> None:
    cli(*WALK)
    cli("habit", "pause", "1")
    assert cli("habit", "pause", "1")[1].strip() == "이미 그래서 바뀐 것은 없어요."


def test_move(cli: Cli) -> None:
    cli(*WALK)
    cli(*TODO)
    assert list(statuses(cli)) == [1, 2]
    cli("habit", "move", "2", "1")
    assert list(statuses(cli)) == [2, 1]
    cli("habit", "move", "2", "99")
    assert list(statuses(cli)) == [1, 2]


def test_doses_hold_to_r6_and_r9(cli: Cli) -> None:
    cli(*WALK, "--dose", "20분")
    assert cli.json("habit", "dose", "1", "--standard", "40분")["code"] == "r6_phase"
    assert cli.json("habit", "dose", "1", "--minimum", " ")["code"] == "r9_minimum"
    assert cli.json("habit", "dose", "1", "--standard", "10분", "--minimum", "3분")["status"] == "ok"
    (row,) = cli.json("habit", "list")
    assert (row["standard_dose"], row["minimum_dose"]) == ("10분", "3분")


def test_past_days_are_changed_and_cleared(cli: Cli) -> None:
    cli(*WALK)
    code, out = cli("habit", "change", "1", "2026-07-01", "minimum", "--note", "비 오는 날")
    assert (code, out.strip()) == (0, "하루 걷기 · 2026-07-01(수) · 최소 · 비 오는 날")
    assert cli.json("habit", "change", "1", "어제", "done")["date"] == "2026-08-11"
    assert cli("habit", "days", "1")[1].splitlines() == ["2026-07-01  최소  비 오는 날", "2026-08-11  완료"]
    assert cli.json("habit", "change", "1", "2026-07-01", "none")["changed"] is True
    assert [row["date"] for row in cli.json("habit", "days", "1")] == ["2026-08-11"]


def test_impossible_days_are_refused(cli: Cli) -> None:
    cli(*WALK)
    assert cli.json("habit", "change", "1", "2026-02-30", "done")["code"] == "validation"
    assert cli.json("habit", "change", "1", "2026-08-13", "done")["code"] == "future_date"
    assert cli.json("habit", "days", "9")["code"] == "not_found"


def test_the_strongest_first(cli: Cli) -> None:
    cli(*WALK)
    cli(*TODO)
    cli("log", "2")
    rows = cli.json("habit", "list", "--sort", "strength")
    assert [row["habit_id"] for row in rows] == [2, 1]
    assert rows[0]["strength"] > rows[1]["strength"] == 0
    assert [row["habit_id"] for row in cli.json("habit", "list")] == [1, 2]
    lines = cli("habit", "list", "--sort", "strength")[1].splitlines()
    assert lines[0].endswith("강도 5%")
    assert lines[1].endswith("강도 0%")
