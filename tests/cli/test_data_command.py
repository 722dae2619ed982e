"""`lifehelper search` and `lifehelper check`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lifehelper_desktop.base import old_processor
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.cli import doctor
from lifehelper_desktop.domain.habits import EntryValue
from tests.cli.conftest import Cli
from tests.helpers.worlds import world_1
from tests.storage.support import day


@pytest.fixture
def filled(cli: Cli) -> Cli:
    store = cli._open(cli.paths, None)
    walk = world_1(store)["walk"]
    store.entries.change(walk.id, day(-1), EntryValue.DONE, note="비가 와서 복도에서 걸었다")
    store.close()
    return cli


def test_search_in_words(filled: Cli) -> None:
    code, out = filled("search", "복도")
    assert code == 0
    assert out.splitlines() == ["2026-08-11 메모, 1번 하루 걷기: 비가 와서 복도에서 걸었다", "모두 1개예요."]


def test_search_as_json(filled: Cli) -> None:
    found = filled.json("search", "하루", "걷기")
    assert (found["count"], found["is_exact"]) == (1, True)
    assert found["counts"] == {"habit": 1, "note": 0, "message": 0}
    assert found["items"][0]["habit_id"] == 1
    assert found["items"][0]["score"] == 100


def test_search_that_finds_nothing(filled: Cli) -> None:
    code, out = filled("search", "고슴도치")
    assert (code, out) == (1, "‘고슴도치’를 찾지 못했어요. 더 짧은 낱말로 찾아 보세요.\n")


def test_search_for_what_begins_like_it(filled: Cli) -> None:
    code, out = filled("search", "복돗", "--limit", "1")
    assert (code, out.splitlines()[0]) == (1, "‘복돗’을 찾지 못했어요. 더 짧은 낱말로 찾아 보세요.")
    code, out = filled("search", "와섭", "--limit", "3")
    assert (code, out.splitlines()[0]) == (0, "‘와섭’ 그대로는 없어서, 비슷하게 시작하는 것을 찾았어요.")


def test_search_for_nothing_is_refused(filled: Cli) -> None:
    assert filled("search", " ")[0] == 1
    assert filled("search", "걷기", "--habit", "99")[0] == 1
    with pytest.raises(SystemExit):
        filled("search", "걷기", "--limit", "0")


def test_check_in_words(filled: Cli) -> None:
    code, out = filled("check")
    assert code == 0
    assert out.splitlines() == [
        "[참고] 최근 6주에 기록이 빈 날: 1",
        "  2  잠들기 전 할 일 적기 · 2026-08-11 · 1일 비어 있음",
        "  → 한 날이 있으면 달력에서 채우고, 쉰 날이면 쉬기로 적어 두세요. 비워 두어도 괜찮아요.",
        "살펴볼 것이 1가지 있어요.",
    ]


def test_check_as_json_and_of_one_habit(filled: Cli) -> None:
    found = filled.json("check", "--samples", "5")
    assert [item["check"] for item in found["items"]] == ["gaps"]
    assert found["items"][0]["samples"][0]["date"] == "2026-08-11"
    assert filled("check", "--habit", "1")[1] == "살펴본 것이 모두 좋아요. 그대로 이어 가면 돼요.\n"
    assert filled("check", "--habit", "99")[0] == 1


def test_doctor_says_how_it_searches_and_computes(filled: Cli, lend_coach: Callable[[AppPaths], None]) -> None:
    lend_coach(filled.paths)
    out = filled("doctor")[1]
    assert "FTS5" in out
    assert "  cpu_variant: " in out


def test_doctor_on_an_old_processor_says_it_once_and_goes_on(filled: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (old_processor, doctor):
        monkeypatch.setattr(module, "missing_features", lambda: ("SSE4.2",))
    report = filled.json("doctor")
    assert report["engine"]["cpu_missing"] == "SSE4.2"
    assert [problem for problem in report["problems"] if "SSE4.2" in problem] == report["problems"]
    assert len(report["problems"]) == 1
    assert report["database"]["ok"] is True
