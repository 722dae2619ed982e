"""What an import has brought is a habit like any other: without a protocol, but with every rule."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.domain.framing import detect_avoidance_keywords
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, NewHabit
from lifehelper_desktop.storage.store import Store
from tests.storage.support import TODAY, add, day, refused
from tests.storage.transfer.support import (
    HANDMADE,
    all_habits,
    bad,
    bring,
    days_of,
    habit_named,
    remarks,
    write_loop,
)

LOOP = HANDMADE / "loop_v25_korean.db"


def record(store: Store, title: str, on: date) -> EntryValue | None:
    found = days_of(store, title).get(on)
    return None if found is None else found.value


@pytest.fixture
def imported(store: Store) -> Store:
    """A store with the Loop backup in it."""
    bring(store, LOOP)
    return store


@pytest.mark.parametrize(
    "title", ["야식 안 먹기", "담배 끊기", "No phone in bed", "물", "가" * 200, "🧘", "Read, 30 min 📚", "금연", "-1"]
)
def test_every_title_gets_a_sentence_that_r7_takes(store: Store, tmp_path: Path, title: str) -> None:
    bring(store, write_loop(tmp_path / "loop.db", [{"name": title}], []))
    [habit] = all_habits(store)
    assert habit.title("ko") == habit.title("en") == title
    assert detect_avoidance_keywords(habit.framed_text) == []
    assert 2 <= len(habit.framed_text) <= 80


def test_an_imported_habit_is_recorded_paused_edited_and_archived_like_any_other(imported: Store) -> None:
    store = imported
    sport = habit_named(store, "운동")
    assert (sport.catalogue_id, sport.source, sport.minimum_dose) == ("", "loop", None)
    with refused("r10_minimum"):
        store.entries.log(sport.id, EntryValue.MINIMUM)
    store.entries.log(sport.id, EntryValue.DONE)
    assert store.overview(sport).streaks.current_streak == 1
    store.habits.update(
        sport.id, frame=(3, "나는 아침에 몸을 움직인다"), anchors=("07:30", None), doses=("20분 걷기", "5분 걷기")
    )
    edited = store.habits.get(sport.id)
    assert (edited.framed_text, edited.minimum_dose) == ("나는 아침에 몸을 움직인다", "5분 걷기")
    store.entries.change(sport.id, TODAY, EntryValue.MINIMUM)
    store.habits.pause(sport.id)
    store.habits.resume(sport.id)
    store.habits.archive(sport.id)
    assert store.habits.get(sport.id).status is HabitStatus.ARCHIVED


def test_the_rules_for_new_habits_are_as_before(imported: Store) -> None:
    store = imported
    with refused("r3_quota"):
        store.habits.add(NewHabit("daily-steps", 2, "저녁을 먹은 뒤 20분 걷는다"))
    store.habits.archive(habit_named(store, "운동").id)
    assert add(store, "daily-steps").source is None
    with pytest.raises(sqlite3.IntegrityError), closing(sqlite3.connect(store.paths.database)) as db:
        db.execute("UPDATE habit SET source = NULL WHERE source IS NOT NULL")


def test_an_explicit_no_is_no_entry_for_the_numbers_and_can_be_changed(imported: Store) -> None:
    store = imported
    sport = habit_named(store, "운동")
    values = {entry.date: entry.value.value for entry in store.entries.for_habit(sport.id).values()}
    assert values[date(2024, 3, 3)] == "not_done"
    assert store.overview(sport).open_gap > 2
    store.entries.change(sport.id, date(2024, 3, 3), EntryValue.DONE)
    assert record(store, "운동", date(2024, 3, 3)) is EntryValue.DONE


def test_an_amount_goes_when_the_value_is_changed_and_stays_with_a_note(imported: Store) -> None:
    store = imported
    water, on = habit_named(store, "물 마시기 (2L)"), date(2024, 3, 2)
    store.entries.change(water.id, on, EntryValue.NOT_DONE, "조금 모자람")
    assert days_of(store, "물 마시기 (2L)")[on].amount == 1.5
    store.entries.change(water.id, on, EntryValue.DONE)
    assert days_of(store, "물 마시기 (2L)")[on].amount is None


def test_archived_habits_end_where_they_ended_there(store: Store, tmp_path: Path) -> None:
    habits = [{"archived": 1, "name": "옛 습관"}, {"archived": 1, "name": "빈 습관"}]
    bring(store, write_loop(tmp_path / "loop.db", habits, [(1, "2024-01-01", 2, ""), (1, "2024-01-02", 2, "")]))
    old, empty = all_habits(store)
    assert (old.start, old.archived_on) == (date(2024, 1, 1), date(2024, 1, 2))
    assert store.overview(old).streaks.current_streak == 2
    assert (empty.start, empty.archived_on) == (TODAY, TODAY)


def test_every_front_end_shows_imported_habits(imported: Store) -> None:
    from lifehelper_desktop.chat.prompts import turn_context
    from lifehelper_desktop.chat.stored_rows import describe_changes
    from lifehelper_desktop.domain.changes import Changes
    from lifehelper_desktop.tools.confirm_gate import FixedGate, Verdict
    from lifehelper_desktop.tools.definition import ToolDeps
    from lifehelper_desktop.tools.dispatcher import ToolDispatcher
    from lifehelper_desktop.tools.envelope import ToolOk
    from lifehelper_desktop.tools.registry import ToolRegistry

    store = imported
    sport = habit_named(store, "운동")
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, "ko"))
    listed = dispatcher.dispatch("list_active_habits", {})
    assert isinstance(listed, ToolOk)
    first = listed.data["items"][0]
    assert (first["title"], first["protocol_id"]) == ("운동", None)
    assert isinstance(dispatcher.dispatch("get_streak", {"habit_id": sport.id}), ToolOk)
    logged = dispatcher.dispatch(
        "log_tracker_entry", {"habit_id": sport.id, "value": "done"}, FixedGate(Verdict.CONFIRMED)
    )
    assert isinstance(logged, ToolOk)
    assert describe_changes(store, logged.changes, "en").startswith("운동 · ")
    no = Changes(entries=frozenset({(sport.id, "2024-03-03")}))
    assert "안 함" in describe_changes(store, no, "ko")
    assert f"{sport.id} 운동" in turn_context(store, "ko")


def test_settings_of_days_that_have_not_come_are_refused_but_tomorrow_is_taken(store: Store, tmp_path: Path) -> None:
    days: list[tuple[Any, ...]] = [(1, day(1).isoformat(), 2, ""), (1, day(2).isoformat(), 2, "")]
    preview = store.transfers.preview(write_loop(tmp_path / "loop.db", [{}], days))
    assert bad(preview) == [("Repetitions #2", "day_to_come")]
    assert preview.last_day == day(1)
    assert remarks(preview) == []
    store.transfers.run(preview, skip_bad=True)
    assert store.overview(all_habits(store)[0]).streaks.done_count_30d == 0  # its day has not come here


def test_a_second_profile_takes_the_same_file(store: Store, other_store: Callable[[], Store]) -> None:
    bring(store, LOOP)
    assert bring(other_store(), LOOP).entries == 14
