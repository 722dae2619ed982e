"""The reference's seven cases of `log_tracker_entry` and `get_streak`, with minimum, blank and date words."""

from __future__ import annotations

from datetime import date

import pytest

from lifehelper_desktop.domain.habits import EntryValue, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import RecordingGate, add_habit, world_1
from tests.tools.conftest import Call


def _code(result: object) -> str:
    assert isinstance(result, ToolErr), result
    return result.code


def test_log_done_without_date_is_today(call: Call, store: Store) -> None:
    world_1(store)
    result = call("log_tracker_entry", habit_id=1, value="done")
    assert isinstance(result, ToolOk)
    assert {key: result.data[key] for key in ("habit_id", "date", "value")} == {
        "habit_id": 1,
        "date": "2026-08-12",
        "value": "done",
    }
    entry = store.entries.get(1, date(2026, 8, 12))
    assert entry is not None
    assert result.data["entry_id"] == entry.id
    assert result.changes.entries == {(1, "2026-08-12")}


def test_log_blank_needs_no_confirmation(store: Store, deps: ToolDeps) -> None:
    world_1(store)
    gate = RecordingGate()
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), deps)
    result = dispatcher.dispatch("log_tracker_entry", {"habit_id": 2, "value": "blank", "note": "여행"}, gate)
    assert isinstance(result, ToolOk)
    assert gate.requests == []
    entry = store.entries.get(2, date(2026, 8, 12))
    assert entry is not None
    assert (entry.value, entry.note) == (EntryValue.BLANK, "여행")


def test_log_same_day_twice_is_duplicate_whatever_the_value(call: Call, store: Store) -> None:
    world_1(store)
    call("log_tracker_entry", habit_id=1, value="done")
    for value in ("done", "minimum", "blank"):
        assert _code(call("log_tracker_entry", habit_id=1, value=value)) == "duplicate"


def test_log_unknown_habit_is_not_found(call: Call) -> None:
    for habit_id in (99, -1, 2**62):
        assert _code(call("log_tracker_entry", habit_id=habit_id, value="done")) == "not_found"


def test_log_unknown_value_is_validation(call: Call, store: Store) -> None:
    world_1(store)
    for value in ("skipped", "", None, 1):
        assert _code(call("log_tracker_entry", habit_id=1, value=value)) == "validation"


def test_get_streak_has_the_six_fields(call: Call, store: Store) -> None:
    world_1(store)
    result = call("get_streak", habit_id=1)
    # The worked answer for KO-05 in the domain document.
    assert result == ToolOk(
        {
            "current_streak": 42,
            "longest_streak": 42,
            "done_count_30d": 29,
            "done_count_phase42": 41,
            "tier": "tree",
            "never_miss_twice_broken": False,
        }
    )


def test_a_streak_that_is_not_counted_in_days_names_its_unit(call: Call, store: Store) -> None:
    walk = world_1(store)["walk"]
    store.habits.set_schedule(walk.id, Schedule(ScheduleKind.PER_WEEK, times=3))
    assert call("get_streak", habit_id=walk.id).data["streak_unit"] == "week"  # type: ignore[union-attr]


def test_get_streak_unknown_habit_is_not_found(call: Call) -> None:
    assert _code(call("get_streak", habit_id=7)) == "not_found"


def test_minimum_is_stored_and_echoed_and_keeps_the_streak(call: Call, store: Store) -> None:
    world_1(store)
    result = call("log_tracker_entry", habit_id=1, value="minimum")
    assert isinstance(result, ToolOk)
    assert result.data["value"] == "minimum"
    assert call("get_streak", habit_id=1).data["current_streak"] == 43  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("word", "day"),
    [
        ("today", date(2026, 8, 12)),
        ("오늘", date(2026, 8, 12)),
        ("Yesterday", date(2026, 8, 11)),
        ("어제", date(2026, 8, 11)),
        ("그제", date(2026, 8, 10)),
        ("2026-08-09", date(2026, 8, 9)),
        ("2026. 8. 9.", date(2026, 8, 9)),
    ],
)
def test_dates_in_words(call: Call, store: Store, word: str, day: date) -> None:
    habit = add_habit(store, "daily-steps", started=date(2026, 8, 1))
    result = call("log_tracker_entry", habit_id=habit.id, value="done", date=word)
    assert isinstance(result, ToolOk)
    assert result.data["date"] == day.isoformat()


@pytest.mark.parametrize(
    ("day", "code"),
    [
        ("2026-08-13", "future_date"),
        ("내일", "future_date"),
        ("2026-08-04", "date_out_of_range"),
        ("2026-08-02", "date_out_of_range"),
        ("2026-02-30", "validation"),
        ("언젠가", "validation"),
    ],
)
def test_days_outside_the_window(call: Call, store: Store, day: str, code: str) -> None:
    habit = add_habit(store, "daily-steps", started=date(2026, 8, 3))
    assert _code(call("log_tracker_entry", habit_id=habit.id, value="done", date=day)) == code


def test_paused_and_archived_habits_are_inactive(call: Call, store: Store) -> None:
    habits = world_1(store)
    store.habits.pause(habits["walk"].id)
    store.habits.archive(habits["todo"].id)
    for habit in (habits["walk"], habits["todo"]):
        assert _code(call("log_tracker_entry", habit_id=habit.id, value="done")) == "habit_inactive"


def test_a_long_note_is_validation(call: Call, store: Store) -> None:
    world_1(store)
    assert _code(call("log_tracker_entry", habit_id=1, value="done", note="가" * 201)) == "validation"
