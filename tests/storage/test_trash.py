"""Order and trash: nobody but the trash sees a deleted habit, and it comes back as it was."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, HabitType
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.trash import TRASH_DAYS
from tests.storage.support import TODAY, MovingClock, add, day, refused


@pytest.fixture
def moving(paths: AppPaths) -> Iterator[tuple[Store, MovingClock]]:
    """A store whose days can pass."""
    clock = MovingClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC))
    store = open_store(paths, clock)
    yield store, clock
    store.close()


# ---- order ------------------------------------------------------------------------------------------------------


def ids(store: Store) -> list[int]:
    return [habit.id for habit in store.habits.list()]


def test_reorder_moves_only_what_is_named(store: Store) -> None:
    first, second, third = (add(store, name).id for name in ("daily-steps", "morning-sunlight", "vegetables-first"))
    assert store.habits.reorder([third, first, second]).habits == frozenset({first, second, third})
    assert ids(store) == [third, first, second]
    assert store.habits.reorder([second, third]) == Changes(frozenset({second, third}))
    assert ids(store) == [second, first, third]
    assert not store.habits.reorder([second, first, third])
    assert [habit.position for habit in store.habits.list()] == [0, 1, 2]
    newest = add(store, "break-doomscrolling")
    assert ids(store)[-1] == newest.id


def test_reorder_refuses_what_it_does_not_know(store: Store) -> None:
    walk, sun = add(store).id, add(store, "morning-sunlight").id
    store.trash.delete(sun)
    for wrong in ([walk, 99], [walk, sun], [True], [2**70]):
        with refused("not_found"):
            store.habits.reorder(wrong)
    with refused("validation"):
        store.habits.reorder([walk, walk])


# ---- trash ------------------------------------------------------------------------------------------------------


def test_nobody_sees_a_habit_in_the_trash(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    store.entries.change(walk, day(-1), EntryValue.MINIMUM)
    assert store.trash.delete(walk) == Changes(frozenset({walk}))
    assert store.habits.list(*HabitStatus) == []
    assert store.overviews() == []
    assert store.habits.active_counts() == {HabitType.BUILD: 0, HabitType.BREAK: 0}
    assert store.habits.remaining() == {HabitType.BUILD: 3, HabitType.BREAK: 1}
    assert store.entries.for_habit(walk) == {}
    assert store.entries.get(walk, TODAY) is None
    assert store.entries.on_day(TODAY) == {}
    assert store.entries.recent(TODAY) == {}
    for write in (
        lambda: store.habits.get(walk),
        lambda: store.habits.pause(walk),
        lambda: store.habits.archive(walk),
        lambda: store.entries.log(walk, EntryValue.DONE),
        lambda: store.entries.change(walk, TODAY, None),
        lambda: store.trash.delete(walk),
    ):
        with refused("not_found"):
            write()
    [found] = store.trash.list()
    assert (found.id, found.title("ko"), found.entries) == (walk, "하루 걷기", 2)
    assert (found.deleted_on, found.last_day, found.status) == (TODAY, day(TRASH_DAYS - 1), HabitStatus.ACTIVE)


def test_it_comes_back_as_it_was(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    for offset in range(-5, 1):
        store.entries.change(habit.id, day(offset), EntryValue.DONE)
    before = store.overview(store.habits.get(habit.id))
    store.trash.delete(habit.id)
    store.trash.restore(habit.id)
    assert store.overview(store.habits.get(habit.id)) == before
    store.trash.delete(habit.id)
    clock.pass_days(4)
    assert store.trash.restore(habit.id) == Changes(frozenset({habit.id}))
    back = store.overview(store.habits.get(habit.id))
    assert back.habit.paused_ranges == ((day(1), day(3)),)  # today was recorded before it went
    assert (back.streaks.current_streak, back.open_gap) == (before.streaks.current_streak, 0)
    with refused("not_found"):
        store.trash.restore(habit.id)


def test_the_day_of_the_deletion_counts_as_a_pause_when_it_was_open(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    walk = add(store).id
    store.trash.delete(walk)
    clock.pass_days(1)
    store.trash.restore(walk)
    assert store.habits.get(walk).paused_ranges == ((TODAY, TODAY),)


@pytest.mark.parametrize("end", ["pause", "archive"])
def test_paused_and_archived_ones_come_back_so(moving: tuple[Store, MovingClock], end: str) -> None:
    store, clock = moving
    walk = add(store).id
    getattr(store.habits, end)(walk)
    before = store.habits.get(walk)
    store.trash.delete(walk)
    clock.pass_days(3)
    for name in ("morning-sunlight", "three-good-things", "vegetables-first"):
        add(store, name)
    store.trash.restore(walk)  # takes no place
    assert store.habits.get(walk) == before


def test_coming_back_needs_a_place(store: Store) -> None:
    walk = add(store).id
    store.trash.delete(walk)
    for name in ("morning-sunlight", "three-good-things", "vegetables-first"):
        sun = add(store, name).id
    with refused("r3_quota"):
        store.trash.restore(walk)
    store.habits.pause(sun)
    store.trash.restore(walk)
    assert store.habits.remaining()[HabitType.BUILD] == 0


def test_one_that_was_begun_anew_stays_in_the_trash(store: Store) -> None:
    walk = add(store).id
    store.trash.delete(walk)
    again = add(store).id  # its protocol is free
    with refused("already_active"):
        store.trash.restore(walk)
    store.habits.archive(again)
    store.trash.restore(walk)
    assert ids(store) == [walk]


def test_after_thirty_days_it_is_gone_for_good(paths: AppPaths) -> None:
    clock = MovingClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC))
    store = open_store(paths, clock)
    walk, sun = add(store).id, add(store, "morning-sunlight").id
    store.entries.log(walk, EntryValue.DONE)
    store.trash.delete(walk)
    store.close()
    clock.pass_days(TRASH_DAYS - 1)
    store = open_store(paths, clock)
    assert [habit.id for habit in store.trash.list()] == [walk]
    store.close()
    clock.pass_days(1)
    store = open_store(paths, clock)
    assert store.trash.list() == []
    assert ids(store) == [sun]
    with store.db.read():
        for table in ("entry", "habit_variant"):
            assert store.db.sql(f"SELECT COUNT(*) FROM {table} WHERE habit_id = ?", (walk,)) == [(0,)]
    store.close()


def test_removing_and_emptying(store: Store) -> None:
    walk, sun, food = (add(store, name).id for name in ("daily-steps", "morning-sunlight", "vegetables-first"))
    with refused("not_found"):
        store.trash.remove(walk)
    for each in (walk, sun):
        store.trash.delete(each)
    assert store.trash.remove(walk) == Changes(frozenset({walk}))
    assert store.trash.empty() == Changes(frozenset({sun}))
    assert not store.trash.empty()
    assert store.trash.list() == []
    assert ids(store) == [food]


def test_the_last_deleted_comes_first(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    walk, sun = add(store).id, add(store, "morning-sunlight").id
    store.trash.delete(sun)
    clock.moment += timedelta(minutes=1)
    store.trash.delete(walk)
    assert [habit.id for habit in store.trash.list()] == [walk, sun]
