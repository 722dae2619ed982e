"""Titles in place of ids: found exactly or closely, asked for when several fit, never guessed."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.references import (
    check_habit,
    names_several_protocols,
    resolve_habit,
    resolve_protocol,
    with_habit_id,
    with_protocol_id,
)
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import RecordingGate, add_habit, world_1
from tests.tools.conftest import Call

TODAY = date(2026, 8, 12)
ADD = {"frame_level": 2, "framed_text": "저녁에 20분 걷는다"}
HOSTILE = ["", " ", "\0", "\ud800", "\u200b", "null", "None", "·", "x" * 5000, "하루 걷기 " * 900, "걷" * 121]


@pytest.fixture
def walks(store: Store) -> Store:
    """The three habits of the first world, and walking after meals as number 4."""
    world_1(store)
    add_habit(store, "post-meal-walk")
    return store


def _reason(found: object) -> str:
    assert isinstance(found, RuleViolation), found
    assert found.code == "not_found"
    return found.reason


def _refused(result: ToolResult, code: str = "not_found") -> str:
    assert isinstance(result, ToolErr), result
    assert result.code == code
    return result.reason


def _rename(store: Store, habit_id: int, title: str) -> None:
    with store.db.write():
        store.db.sql("UPDATE habit SET title_ko = ?, title_en = ? WHERE id = ?", (title, title, habit_id))


# Habits


@pytest.mark.parametrize("value", [4, "4", " 4 ", "4번", "4 번", 4.0, "4.0", "４"])
def test_a_number_is_the_habits_number(walks: Store, deps: ToolDeps, value: object) -> None:
    assert resolve_habit(value, deps) == 4


@pytest.mark.parametrize("value", [99, "99", -1, 2**70])
def test_a_number_stays_even_when_no_habit_has_it(deps: ToolDeps, value: object) -> None:
    assert resolve_habit(value, deps) == int(str(value))


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("하루 걷기", 1),
        ("하루걷기", 1),
        (" ‘하루  걷기’. ", 1),
        ("Daily steps", 1),
        ("DAILY STEPS", 1),
        ("Ｄａｉｌｙ－ｓｔｅｐｓ", 1),
        (unicodedata.normalize("NFD", "하루 걷기"), 1),
        ("daily-steps", 1),
        ("하루\0 걷\u200b기\n", 1),
        ("식후 10분 걷기", 4),
        ("post-meal walk", 4),
    ],
)
def test_exact_titles_of_a_habit_in_both_languages(walks: Store, deps: ToolDeps, value: str, number: int) -> None:
    assert resolve_habit(value, deps) == number
    assert resolve_habit(value, ToolDeps(walks, "en")) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("하루 걷기 습관", 1),
        ("하루 걷끼", 1),
        ("1 하루 걷기", 1),
        ("식후", 4),
        ("식후 10분 걷기 기록", 4),
        ("할일 적기", 2),
        ("잠들기 전 할 일", 2),
        ("SNS", 3),
        ("social media", 3),
        ("daily step", 1),
    ],
)
def test_a_close_title_of_a_habit(walks: Store, deps: ToolDeps, value: str, number: int) -> None:
    assert resolve_habit(value, deps) == number


@pytest.mark.parametrize(
    ("value", "titles"),
    [
        ("걷기", "하루 걷기, 식후 10분 걷기"),
        ("식후 걷기", "하루 걷기, 식후 10분 걷기"),
        ("하루 걷기와 식후 10분 걷기", "하루 걷기, 식후 10분 걷기"),
        ("4 하루 걷기", "하루 걷기, 식후 10분 걷기"),
    ],
)
def test_of_several_close_habits_none_is_picked(walks: Store, deps: ToolDeps, value: str, titles: str) -> None:
    assert _reason(resolve_habit(value, deps)) == f"어느 습관인지 알려 주세요: {titles}"


@pytest.mark.parametrize("value", ["수영", "셋", "하", "at", "하루 걷기 말고 다른 것", "하루 걷기와 요가"])
def test_an_unknown_habit_is_refused_with_all_titles(walks: Store, deps: ToolDeps, value: str) -> None:
    reason = _reason(resolve_habit(value, deps))
    assert reason.startswith(f"‘{value}’ 습관을 찾지 못했어요.")
    assert reason.endswith("하루 걷기, 잠들기 전 할 일 적기, SNS 시간 정해 쓰기, 식후 10분 걷기")
    assert "Daily steps" in _reason(resolve_habit(value, ToolDeps(walks, "en")))


def test_without_habits_the_refusal_names_none(deps: ToolDeps) -> None:
    for value in ("하루 걷기", "", None):
        assert _reason(resolve_habit(value, deps)) == "그런 습관을 찾지 못했어요. 내 습관 목록에서 다시 골라 주세요."


def test_two_habits_with_one_title_are_told_apart_by_number(walks: Store, deps: ToolDeps) -> None:
    _rename(walks, 4, "하루 걷기")
    for value in ("하루 걷기", "하루 걷기 습관"):
        assert _reason(resolve_habit(value, deps)).endswith(": 하루 걷기(1번), 하루 걷기(4번)")


def test_paused_habits_come_after_active_ones(walks: Store, deps: ToolDeps) -> None:
    walks.habits.pause(1)
    assert resolve_habit("하루 걷기", deps) == 1
    assert resolve_habit("걷기", deps) == 4
    walks.habits.pause(4)
    assert _reason(resolve_habit("걷기", deps)).endswith(": 하루 걷기, 식후 10분 걷기")
    _rename(walks, 4, "하루 걷기")
    walks.habits.resume(4)
    assert resolve_habit("하루 걷기", deps) == 4


def test_archived_habits_are_found_by_number_only(walks: Store, deps: ToolDeps) -> None:
    walks.habits.archive(1)
    assert resolve_habit("걷기", deps) == 4
    reason = _reason(resolve_habit("하루 걷기", deps))
    assert reason.startswith("‘하루 걷기’ 습관을 찾지 못했어요.")
    assert reason.endswith(": 잠들기 전 할 일 적기, SNS 시간 정해 쓰기, 식후 10분 걷기")
    assert resolve_habit("1", deps) == 1


def test_long_lists_are_cut(walks: Store, deps: ToolDeps) -> None:
    for entry, title in (("micro-break", "가" * 200), ("stair-snack", "나" * 200), ("nature-dose", "다" * 200)):
        walks.habits.pause(4)
        habit = add_habit(walks, entry)
        _rename(walks, habit.id, title)
        walks.habits.pause(habit.id)
    reason = _reason(resolve_habit("수영", deps))
    assert reason.endswith(", …")
    assert len(reason) < 200


# Catalogue entries


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_id_and_title_of_the_catalogue_names_its_entry(store: Store, language: str) -> None:
    deps = ToolDeps(store, language)
    for entry in store.catalogue.all():
        titles = (entry.text("title", "ko"), entry.text("title", "en"))
        for value in (entry.id, entry.id.upper(), *titles, *(title.replace(" ", "") for title in titles)):
            assert resolve_protocol(value, deps) == entry.id, value
        assert resolve_protocol(f"{titles[0]} 습관", deps) == entry.id


@pytest.mark.parametrize(
    ("value", "protocol"),
    [
        (" daily_steps\n", "daily-steps"),
        ("daily step", "daily-steps"),
        ("명상", "mindfulness-meditation"),
        ("meditation", "mindfulness-meditation"),
        ("치실", "floss-after-brushing"),
        ("고마운 일 3가지", "three-good-things"),
        ("에너지 음료", "break-energy-drinks"),
        ("if-then", "if-then-planning"),
    ],
)
def test_a_close_title_of_an_entry(deps: ToolDeps, value: str, protocol: str) -> None:
    assert resolve_protocol(value, deps) == protocol


@pytest.mark.parametrize(
    ("value", "titles"),
    [
        ("걷기", ["하루 걷기", "식후 10분 걷기"]),
        ("식후 걷기", ["하루 걷기", "식후 10분 걷기"]),
        ("산책", ["저녁 산책과 무알코올", "하루 걷기"]),  # stands in one title, and in the keywords of others
        ("하루 걷기와 마음챙김 명상", ["하루 걷기", "마음챙김 명상"]),
    ],
)
def test_of_several_close_entries_none_is_picked(deps: ToolDeps, value: str, titles: list[str]) -> None:
    reason = _reason(resolve_protocol(value, deps))
    assert reason.startswith("어느 항목인지 알려 주세요: ")
    assert all(title in reason for title in titles)


def test_an_unknown_entry_is_refused_with_what_is_near(deps: ToolDeps) -> None:
    assert _reason(resolve_protocol("날기", deps)) == "‘날기’ 항목을 찾지 못했어요. 카탈로그에서 다시 골라 주세요."
    assert _reason(resolve_protocol("감사일기", deps)).endswith(" 가까운 항목: 고마운 일 세 가지")
    for value in ("daily-steps·running", "daily-steps와 running", "하루 걷기 말고 수영"):
        assert _reason(resolve_protocol(value, deps)).endswith(" 가까운 항목: 하루 걷기")


@pytest.mark.parametrize(
    ("value", "several"),
    [
        ("daily-steps와micro-break", True),
        ("하루 걷기와 명상", True),
        ("식후 10분 걷기, 치실", True),
        ("daily-steps·running", False),
        ("채소·과일 다섯 접시", False),
        ("저녁 산책과 무알코올", False),
        ("걷기", False),
        ("x" * 5000, False),
    ],
)
def test_texts_that_name_several_entries(deps: ToolDeps, value: str, several: bool) -> None:
    assert names_several_protocols(value, deps) is several


# Hostile values


@pytest.mark.parametrize("value", [*HOSTILE, None, True, False, 1.5, float("nan"), float("inf"), [], ["하루 걷기"], {}])
def test_what_is_no_name_leads_nowhere(walks: Store, deps: ToolDeps, value: object) -> None:
    assert len(_reason(resolve_habit(value, deps))) < 200
    assert len(_reason(resolve_protocol(value, deps))) < 200
    assert with_habit_id({"habit_id": value}, deps)["habit_id"] is value
    assert with_protocol_id({"id": value}, deps, "id")["id"] is value
    with pytest.raises(RuleViolation):
        check_habit({"habit_id": value}, deps)


def test_an_argument_that_is_missing_stays_missing(deps: ToolDeps) -> None:
    assert with_habit_id({"x": 1}, deps) == {"x": 1}
    assert with_protocol_id({"x": 1}, deps, "id") == {"x": 1}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(value=st.text(max_size=20) | st.text(alphabet="하루걷기식후10분 와,·daily-steps", max_size=20))
def test_any_text_is_an_id_or_a_refusal(deps: ToolDeps, value: str) -> None:
    store = deps.store
    if not store.habits.list():
        world_1(store)
    found = resolve_habit(value, deps)
    assert isinstance(found, int) or found.code == "not_found"
    entry = resolve_protocol(value, deps)
    assert store.catalogue.get(entry) is not None if isinstance(entry, str) else entry.code == "not_found"


# Through the dispatcher


def test_get_streak_takes_a_title(walks: Store, call: Call) -> None:
    assert call("get_streak", habit_id="하루 걷기") == call("get_streak", habit_id=1)
    assert _refused(call("get_streak", habit_id="걷기")) == "어느 습관인지 알려 주세요: 하루 걷기, 식후 10분 걷기"
    assert "수영" in _refused(call("get_streak", habit_id="수영"))
    for value in (True, 1.5, ["하루 걷기"], {}, None):
        assert _refused(call("get_streak", habit_id=value), "validation")
    assert _refused(call("get_streak"), "validation")
    for text in HOSTILE:
        assert len(_refused(call("get_streak", habit_id=text))) < 200


def test_an_entry_is_logged_by_title_and_the_question_shows_the_habit(walks: Store, deps: ToolDeps) -> None:
    dispatcher, gate = ToolDispatcher(ToolRegistry.defaults(), deps), RecordingGate()
    result = dispatcher.dispatch("log_tracker_entry", {"habit_id": "post meal walk", "value": "완료"}, gate)
    assert isinstance(result, ToolOk)
    assert result.data["habit_id"] == 4
    [request] = gate.requests
    assert request.args == {"habit_id": 4, "value": "done", "date": "2026-08-12"}
    assert "습관: 식후 10분 걷기" in request.summary
    assert walks.entries.get(4, TODAY) is not None
    assert walks.entries.get(1, TODAY) is None


@pytest.mark.parametrize("value", ["done", "blank"])
@pytest.mark.parametrize("habit", ["걷기", "수영", *HOSTILE])
def test_an_unclear_habit_is_refused_before_the_question(walks: Store, deps: ToolDeps, habit: str, value: str) -> None:
    dispatcher, gate = ToolDispatcher(ToolRegistry.defaults(), deps), RecordingGate()
    result = dispatcher.dispatch("log_tracker_entry", {"habit_id": habit, "value": value}, gate)
    assert "하루 걷기" in _refused(result)
    assert gate.requests == []
    assert all(walks.entries.get(number, TODAY) is None for number in (1, 2, 3, 4))


def test_a_paused_habit_named_by_title_is_inactive(walks: Store, call: Call) -> None:
    walks.habits.pause(1)
    assert _refused(call("log_tracker_entry", habit_id="하루 걷기", value="done"), "habit_inactive")


def test_query_protocol_takes_a_title(call: Call) -> None:
    for value in ("하루 걷기", "Daily steps", "하루걷기 습관"):
        assert call("query_protocol", id=value) == call("query_protocol", id="daily-steps")
    assert "식후 10분 걷기" in _refused(call("query_protocol", id="걷기"))
    assert "날기" in _refused(call("query_protocol", id="날기"))
    for wrong in (True, 3, ["daily-steps"], None):
        assert _refused(call("query_protocol", id=wrong), "validation")
    for text in HOSTILE:
        assert len(_refused(call("query_protocol", id=text))) < 200


def test_add_habit_takes_a_title_and_the_question_shows_the_entry(store: Store, deps: ToolDeps) -> None:
    dispatcher, gate = ToolDispatcher(ToolRegistry.defaults(), deps), RecordingGate()
    args = {**ADD, "protocol_id": "하루걷기", "dose_text": "집 둘레 5분 걷기"}
    assert isinstance(dispatcher.dispatch("add_habit", args, gate), ToolOk)
    [request] = gate.requests
    # The catalogue's minimum as dose falls away, as it does with the id (R9).
    assert request.args == {**ADD, "protocol_id": "daily-steps"}
    assert "습관: 하루 걷기" in request.summary
    assert store.habits.get(1).catalogue_id == "daily-steps"


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("걷기", "not_found"),
        ("하늘 날기", "not_found"),
        ("하루 걷기 말고 수영", "not_found"),
        ("하루 걷기와 마음챙김 명상", "r8_xor"),
        ("하루 걷기와 명상", "r8_xor"),
        ("하루 걷기, 수영", "r8_xor"),
        ("", "r8_xor"),
        (3, "validation"),
        (True, "validation"),
        (["daily-steps"], "validation"),
    ],
)
def test_an_unclear_entry_is_refused_before_the_question(
    store: Store, deps: ToolDeps, value: object, code: str
) -> None:
    dispatcher, gate = ToolDispatcher(ToolRegistry.defaults(), deps), RecordingGate()
    assert _refused(dispatcher.dispatch("add_habit", {**ADD, "protocol_id": value}, gate), code)
    assert gate.requests == []
    assert store.habits.list() == []


def test_the_schemas_name_both_ways() -> None:
    rows = {
        (tool.name, key): row
        for tool in ToolRegistry.defaults().all()
        for key, row in tool.parameters_schema["properties"].items()
    }
    for name in ("get_streak", "log_tracker_entry"):
        assert rows[name, "habit_id"] == {"type": ["integer", "string"], "description": "내 습관의 번호나 이름"}
    for place in (("add_habit", "protocol_id"), ("query_protocol", "id")):
        assert rows[place] == {"type": "string", "description": "카탈로그 id나 이름 하나"}
