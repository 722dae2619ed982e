"""`lifehelper review`."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.storage.store import open_store
from tests.conftest import NOW
from tests.helpers.worlds import world_1


def _fill(cli: Any) -> None:
    store = open_store(cli.paths, FixedClock(NOW))
    world_1(store)
    store.close()


def test_the_last_closed_week_as_text(cli: Any) -> None:
    _fill(cli)
    code, out = cli("review")
    assert code == 0
    assert out.startswith("주간 돌아보기: 2026-08-03(월)부터 2026-08-09(일)까지\n")
    assert "월● 화● 수● 목● 금● 토● 일●  하루 걷기  7번 모두" in out
    assert "잘된 것\n- 모든 습관을 빠짐없이 이었어요." in out


def test_any_week_as_json(cli: Any) -> None:
    _fill(cli)
    found = cli.json("review", "--week", "오늘")
    assert (found["from"], found["to"], found["is_closed"]) == ("2026-08-10", "2026-08-16", False)
    assert [(each["title"], each["asked"], each["kept"], each["missed"]) for each in found["habits"]] == [
        ("하루 걷기", 2, 2, 0),
        ("잠들기 전 할 일 적기", 2, 1, 1),
        ("SNS 시간 정해 쓰기", 2, 2, 0),
    ]
    assert found["one_change"]["rule"] == "few_missed"
    assert found["one_change"]["habit_id"] == found["habits"][1]["id"]
    assert found["habits"][1]["days"]["2026-08-11"] == "missed"
    assert found["habits"][1]["days"]["2026-08-12"] == "open"


def test_the_week_begins_where_the_settings_say(cli: Any) -> None:
    store = open_store(cli.paths, FixedClock(NOW))
    store.settings.set(WEEK_START, "sunday")
    store.close()
    found = cli.json("review")
    assert (found["from"], found["to"]) == ("2026-08-02", "2026-08-08")
    assert found["one_change"]["rule"] == "no_habit"


def test_days_that_are_none_are_refused(cli: Any) -> None:
    assert cli("review", "--week", "언젠가")[0] == 1
    assert cli.json("review", "--week", "2026-08-13")["code"] == "future_date"
    assert cli.json("review", "--week", "0001-01-03")["code"] == "validation"
