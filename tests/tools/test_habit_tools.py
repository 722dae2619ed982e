"""The reference's eight cases of `add_habit` and `list_active_habits`, and R1, R2, R9 as decided for chat."""

from __future__ import annotations

from datetime import date

from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk
from tests.helpers.worlds import add_habit, world_1
from tests.tools.conftest import Call

WALK = {"protocol_id": "daily-steps", "frame_level": 2, "framed_text": "저녁을 먹은 뒤 20분 걷는다"}


def _code(result: object) -> str:
    assert isinstance(result, ToolErr), result
    return result.code


def test_add_build_habit_stores_it(call: Call, store: Store) -> None:
    result = call("add_habit", **WALK)
    assert isinstance(result, ToolOk)
    assert result.data == {"habit_id": 1, "title": "하루 걷기", "type": "build", "frame_level": 2}
    habit = store.habits.get(1)
    assert (habit.protocol_id, habit.break_protocol_id) == ("daily-steps", None)
    assert habit.framed_text == "저녁을 먹은 뒤 20분 걷는다"
    assert result.changes.habits == {1}


def test_add_break_habit_goes_to_the_break_column(call: Call, store: Store) -> None:
    text = "담배 생각이 나면 물 한 잔과 숨 열 번으로 5분 보낸다"
    result = call("add_habit", protocol_id="break-smoking", frame_level=2, framed_text=text)
    assert isinstance(result, ToolOk)
    assert result.data["type"] == "break"
    habit = store.habits.get(1)
    assert (habit.protocol_id, habit.break_protocol_id) == (None, "break-smoking")


def test_fourth_build_habit_is_r3_quota(call: Call, store: Store) -> None:
    for protocol in ("daily-steps", "bedtime-todo-list", "mindfulness-meditation"):
        add_habit(store, protocol)
    result = call("add_habit", protocol_id="fruit-veg-five", frame_level=2, framed_text="점심에 나물 한 접시를 먹는다")
    assert _code(result) == "r3_quota"
    assert len(store.habits.list()) == 3


def test_second_break_habit_is_r3_quota(call: Call, store: Store) -> None:
    add_habit(store, "break-doomscrolling")
    result = call("add_habit", protocol_id="break-alcohol", frame_level=2, framed_text="저녁에 탄산수를 들고 걷는다")
    assert _code(result) == "r3_quota"


def test_avoidance_wording_is_r7_and_names_the_word(call: Call, store: Store) -> None:
    result = call("add_habit", protocol_id="break-late-night-eating", frame_level=2, framed_text="야식 끊기")
    assert _code(result) == "r7_avoidance"
    assert isinstance(result, ToolErr)
    assert "끊기" in result.reason
    assert store.habits.list() == []


def test_two_protocols_in_one_are_r8_xor(call: Call) -> None:
    both = [
        f"strength-training{mark}break-late-night-eating" for mark in (", ", "·", "와", "과 ", "+", " and ", "・", "및")
    ]
    for wanted in (*both, " ", "\u200b"):
        result = call("add_habit", protocol_id=wanted, frame_level=2, framed_text="저녁에 20분 움직인다")
        assert _code(result) == "r8_xor"


def test_unknown_protocol_is_not_found(call: Call) -> None:
    for wanted in ("flying", "flying·running", "daily-steps·running", "걷기와"):
        assert _code(call("add_habit", protocol_id=wanted, frame_level=2, framed_text="저녁에 난다")) == "not_found"


def test_list_active_habits_counts_and_remaining_places(call: Call, store: Store) -> None:
    world_1(store)
    result = call("list_active_habits")
    assert isinstance(result, ToolOk)
    counts = {key: value for key, value in result.data.items() if key != "items"}
    assert counts == {
        "count": 3,
        "build_count": 2,
        "break_count": 1,
        "build_quota_remaining": 1,
        "break_quota_remaining": 0,
    }
    assert [item["habit_id"] for item in result.data["items"]] == [1, 2, 3]
    assert result.data["items"][0]["title"] == "하루 걷기"
    assert result.data["items"][0]["today"] is None


def test_the_same_protocol_twice_is_already_active(call: Call) -> None:
    call("add_habit", **WALK)
    assert _code(call("add_habit", **WALK)) == "already_active"


def test_frame_level_outside_one_to_three_is_validation(call: Call) -> None:
    for level in (0, 4, "과정", None, 2.5):
        assert _code(call("add_habit", **{**WALK, "frame_level": level})) == "validation"


def test_frame_text_length_is_validation(call: Call) -> None:
    for text in ("걷", " ", "걷" * 81):
        assert _code(call("add_habit", **{**WALK, "framed_text": text})) == "validation"


def test_absent_anchors_take_the_catalogue_suggestion(call: Call, store: Store) -> None:
    call("add_habit", **WALK)
    habit = store.habits.get(1)
    assert habit.anchor_after_what == "저녁을 먹은 뒤"
    assert habit.anchor_source == "suggested"


def test_own_anchor_and_dose_are_kept_and_the_minimum_comes_from_the_catalogue(call: Call, store: Store) -> None:
    call("add_habit", **WALK, anchor_when="07:00", dose_text="하루 5,000보")
    habit = store.habits.get(1)
    assert (habit.anchor_when, habit.anchor_source) == ("07:00", "user")
    assert (habit.standard_dose, habit.minimum_dose) == ("하루 5,000보", "집 둘레 5분 걷기")
    assert habit.start == date(2026, 8, 12)
    assert habit.status is HabitStatus.ACTIVE


def test_the_catalogues_minimum_as_dose_keeps_its_standard(call: Call, store: Store) -> None:
    """R9 cannot fail in chat."""
    assert isinstance(call("add_habit", **WALK, dose_text=" 집 둘레  5분\u200b 걷기"), ToolOk)
    habit = store.habits.get(1)
    assert (habit.standard_dose, habit.minimum_dose) == ("하루 7,000보", "집 둘레 5분 걷기")
