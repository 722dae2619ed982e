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
