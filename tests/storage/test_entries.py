"""Entries: which days may be written, by whom, and what each write changes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import TODAY, MovingClock, add, day, dump, refused

DONE, MINIMUM, BLANK = EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK


@pytest.fixture
def moving(paths: AppPaths) -> Iterator[tuple[Store, MovingClock, int]]:
    """A store with a habit that began ten days ago."""
    clock = MovingClock(datetime(2026, 8, 2, 21, 30, tzinfo=UTC))
    store = open_store(paths, clock)
    habit = add(store)
    clock.pass_days(10)
    yield store, clock, habit.id
    store.close()


@pytest.mark.parametrize(("value", "stored"), [(DONE, ("done", 0)), (MINIMUM, ("done", 1)), (BLANK, ("blank", 0))])
def test_values_as_stored(store: Store, value: EntryValue, stored: tuple[str, int]) -> None:
    habit = add(store)
    entry, changes = store.entries.log(habit.id, value, note=" 비 온 날 ")
    assert changes == Changes(entries=frozenset({(habit.id, "2026-08-12")}))
    assert (entry.habit_id, entry.date, entry.value, entry.note) == (habit.id, TODAY, value, "비 온 날")
    assert store.entries.get(habit.id, TODAY) == entry
    assert store.entries.for_habit(habit.id) == {TODAY: entry}
    assert store.entries.on_day(TODAY) == {habit.id: entry}
    with store.db.read():
        assert store.db.sql("SELECT value, is_minimum FROM entry") == [stored]


def test_r5_one_entry_a_day(store: Store) -> None:
    habit = add(store)
    store.entries.log(habit.id, MINIMUM)
    before = dump(store)
    for value in EntryValue:
        with refused("duplicate") as caught:
            store.entries.log(habit.id, value)
        assert "2026-08-12" in caught.value.reason
        assert "(최소)" in caught.value.reason
    assert dump(store) == before


def test_the_window_of_seven_days(moving: tuple[Store, MovingClock, int]) -> None:
    store, _clock, habit_id = moving
    for offset in (0, -1, -7):
        store.entries.log(habit_id, DONE, day(offset))
    with refused("future_date") as late:
        store.entries.log(habit_id, DONE, day(1))
    assert "2026-08-12" in late.value.reason
    with refused("date_out_of_range") as early:
        store.entries.log(habit_id, DONE, day(-8))
    assert "2026-08-05" in early.value.reason
    assert list(store.entries.for_habit(habit_id)) == [day(-7), day(-1), TODAY]


def test_the_window_begins_with_the_habit(store: Store) -> None:
    habit = add(store)
    with refused("date_out_of_range"):
        store.entries.log(habit.id, DONE, day(-1))


def test_the_calendar_may_edit_any_past_day_and_moves_the_start(store: Store) -> None:
    habit = add(store)
    entry, changes = store.entries.log(habit.id, DONE, day(-30), any_past_day=True)
    assert entry.date == day(-30)
    assert changes == Changes(frozenset({habit.id}), frozenset({(habit.id, day(-30).isoformat())}))
    assert store.habits.get(habit.id).start == day(-30)
    assert store.entries.change(habit.id, day(-40), BLANK).habits == {habit.id}
    assert store.habits.get(habit.id).start == day(-40)
    assert store.entries.change(habit.id, day(-35), DONE).habits == frozenset()
    assert store.entries.change(habit.id, day(-40), None).habits == {habit.id}
    assert store.habits.get(habit.id).start == day(-35)  # the earliest entry that is left
    with refused("future_date"):
        store.entries.log(habit.id, DONE, day(1), any_past_day=True)
    with refused("future_date"):
        store.entries.change(habit.id, day(1), DONE)


@pytest.mark.parametrize("early", [date(1, 1, 1), date(1999, 12, 31)])
def test_a_mistyped_year_is_refused(store: Store, early: date) -> None:
    habit = add(store)
    with refused("date_out_of_range"):
        store.entries.change(habit.id, early, DONE)
    assert store.habits.get(habit.id).start == TODAY


def test_paused_days_are_not_logged(moving: tuple[Store, MovingClock, int]) -> None:
    store, clock, habit_id = moving
    store.habits.pause(habit_id)
    with refused("habit_inactive"):
        store.entries.log(habit_id, DONE)
    store.entries.log(habit_id, DONE, day(-1))  # before the pause: still open
    clock.pass_days(2)
    with refused("habit_inactive"):
        store.entries.log(habit_id, DONE)
    store.habits.resume(habit_id)
    store.entries.log(habit_id, DONE)
    for paused in (TODAY, day(1)):
        with refused("habit_inactive"):
            store.entries.log(habit_id, DONE, paused)
        with refused("habit_inactive"):
            store.entries.change(habit_id, paused, DONE)


def test_a_pause_from_tomorrow_leaves_today_as_it_is(store: Store) -> None:
    habit = add(store)
    store.entries.log(habit.id, DONE)
    store.habits.pause(habit.id)
    with refused("duplicate"):
        store.entries.log(habit.id, DONE)
    assert store.entries.change(habit.id, TODAY, None)


def test_r10_needs_a_minimum_dose(store: Store) -> None:
    habit = add(store)
    with store.db.write():
        store.db.sql("DELETE FROM habit_variant WHERE is_minimum = 1")  # as an import may leave it
    assert store.habits.get(habit.id).minimum_dose is None
    with refused("r10_minimum"):
        store.entries.log(habit.id, MINIMUM)
    with refused("r10_minimum"):
        store.entries.change(habit.id, TODAY, MINIMUM)
    store.entries.log(habit.id, DONE)
    store.habits.set_doses(habit.id, habit.standard_dose, "5분 걷기")
    store.entries.change(habit.id, TODAY, MINIMUM)


def test_the_first_refusal_in_order_wins(moving: tuple[Store, MovingClock, int]) -> None:
    store, clock, habit_id = moving
    with refused("validation"):
        store.entries.log(99, DONE, note="가" * 201)
    with refused("not_found"):
        store.entries.log(99, DONE, day(1))
    store.entries.log(habit_id, DONE)
    store.habits.pause(habit_id)  # from tomorrow
    with store.db.write():
        store.db.sql("DELETE FROM habit_variant WHERE is_minimum = 1")
    with refused("future_date"):
        store.entries.log(habit_id, MINIMUM, day(1))
    clock.pass_days(1)
    with refused("date_out_of_range"):
        store.entries.log(habit_id, MINIMUM, day(-9))
    with refused("habit_inactive"):
        store.entries.log(habit_id, MINIMUM, day(1))
    with refused("r10_minimum"):
        store.entries.log(habit_id, MINIMUM, TODAY)
    with refused("duplicate"):
        store.entries.log(habit_id, DONE, TODAY)
    store.habits.archive(habit_id)
    with refused("habit_inactive"):
        store.entries.log(habit_id, MINIMUM, day(9))


def test_change_sets_replaces_and_deletes(store: Store) -> None:
    habit = add(store)
    changes = Changes(entries=frozenset({(habit.id, "2026-08-12")}))
    assert store.entries.change(habit.id, TODAY, DONE, "첫 줄\n둘째 줄") == changes
    assert store.entries.change(habit.id, TODAY, DONE) == NOTHING
    assert store.entries.change(habit.id, TODAY, BLANK) == changes
    entry = store.entries.get(habit.id, TODAY)
    assert entry is not None
    assert (entry.value, entry.note) == (BLANK, "첫 줄\n둘째 줄")
    assert store.entries.change(habit.id, TODAY, BLANK, "") == changes
    assert store.entries.change(habit.id, TODAY, None) == changes
    assert store.entries.change(habit.id, TODAY, None) == NOTHING
    assert store.entries.get(habit.id, TODAY) is None
    store.entries.log(habit.id, DONE)


@pytest.mark.parametrize("note", ["가" * 201, "가" * 100_000])
def test_long_notes_are_refused(store: Store, note: str) -> None:
    habit = add(store)
    with refused("validation"):
        store.entries.log(habit.id, DONE, note=note)
    with refused("validation"):
        store.entries.change(habit.id, TODAY, DONE, note)
    assert store.entries.for_habit(habit.id) == {}


def test_an_id_is_never_used_again(store: Store) -> None:
    """Undo must not hit a later entry."""
    habit = add(store)
    first, _ = store.entries.log(habit.id, DONE)
    store.entries.change(habit.id, TODAY, None)
    second, _ = store.entries.log(habit.id, DONE)
    assert second.id > first.id


def test_undoing_a_back_dated_entry_gives_the_start_back(moving: tuple[Store, MovingClock, int]) -> None:
    store, _clock, habit_id = moving
    habit = store.habits.get(habit_id)
    store.entries.log(habit_id, DONE, day(-5))
    store.entries.log(habit_id, DONE, day(-300), any_past_day=True)
    assert store.habits.get(habit_id).start == day(-300)
    assert store.entries.change(habit_id, day(-300), None) == Changes(
        frozenset({habit_id}), frozenset({(habit_id, day(-300).isoformat())})
    )
    assert store.habits.get(habit_id) == habit  # the day on which it was added, though the first entry is later
    assert store.entries.change(habit_id, day(-5), None).habits == frozenset()
    assert store.habits.get(habit_id) == habit
