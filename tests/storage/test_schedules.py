"""Another schedule from today on: the past stays, undo brings the old one back, and nothing of it gets lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import DAILY, EntryValue, Schedule, ScheduleKind
from lifehelper_desktop.domain.runs import Run
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import TODAY, MovingClock, add, day, dump, refused

DONE = EntryValue.DONE
TWICE = Schedule(ScheduleKind.PER_WEEK, times=2)
MON_WED = Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3}))
EVERY_10 = Schedule(ScheduleKind.EVERY_DAYS, days=10)
MONTHLY = Schedule(ScheduleKind.PER_MONTH, times=31)


@pytest.fixture
def moving(paths: AppPaths) -> Iterator[tuple[Store, MovingClock]]:
    clock = MovingClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC))
    store = open_store(paths, clock)
    yield store, clock
    store.close()


@pytest.mark.parametrize("schedule", [DAILY, MON_WED, TWICE, EVERY_10, MONTHLY])
def test_every_kind_is_stored_and_read(store: Store, schedule: Schedule) -> None:
    habit = add(store, schedule=schedule)
    assert (habit.schedule, habit.schedules) == (schedule, ((TODAY, schedule),))
    assert store.habits.get(habit.id) == store.habits.list()[0] == habit
    other = add(store, "morning-sunlight")
    expected = NOTHING if schedule == DAILY else Changes(frozenset({other.id}))
    assert store.habits.set_schedule(other.id, schedule) == expected
    assert store.habits.get(other.id).schedule == schedule


def test_x2_a_change_holds_from_today_on(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    for offset in range(-29, 1):
        store.entries.change(habit.id, day(offset), DONE)
    before = store.record(habit.id)
    clock.pass_days(1)
    store.habits.set_schedule(habit.id, TWICE)
    after = store.record(habit.id)
    assert after.strength[:30] == before.strength
    assert after.months[:1] == before.months[:1]
    assert after.runs[-1] == Run(day(-29), TODAY, 30, "day")
    assert after.schedules == ((habit.start, DAILY), (day(1), TWICE))
    assert [after.schedule_on(day(n)).kind for n in (-40, 0, 1, 2)] == [*[ScheduleKind.DAILY] * 2, *[TWICE.kind] * 2]
    assert store.habits.get(habit.id).schedule_on(TODAY) == DAILY
    clock.pass_days(60)
    later = store.record(habit.id)
    assert later.strength[:30] == before.strength
    assert later.runs[-1] == Run(day(-29), TODAY, 30, "day")


def test_a_second_change_on_the_same_day_takes_the_place_of_the_first(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    clock.pass_days(3)
    store.habits.set_schedule(habit.id, TWICE)
    store.habits.set_schedule(habit.id, EVERY_10)
    assert store.habits.get(habit.id).schedules == ((TODAY, DAILY), (day(3), EVERY_10))
    store.habits.set_schedule(habit.id, DAILY)  # and back: as if nothing had been
    assert store.habits.get(habit.id).schedules == ((TODAY, DAILY),)
    assert store.habits.set_schedule(habit.id, DAILY) == NOTHING
    # On its very first day there is nothing before.
    fresh = add(store, "morning-sunlight", schedule=MON_WED)
    store.habits.set_schedule(fresh.id, TWICE)
    assert store.habits.get(fresh.id).schedules == ((day(3), TWICE),)


def test_a_clock_that_was_set_back_leaves_no_schedule_of_tomorrow(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    clock.pass_days(5)
    store.habits.set_schedule(habit.id, TWICE)
    clock.pass_days(-3)
    store.habits.set_schedule(habit.id, MON_WED)
    assert store.habits.get(habit.id).schedules == ((TODAY, DAILY), (day(2), MON_WED))
    assert store.habits.get(habit.id).schedule == MON_WED


def test_a_habit_without_a_history_gets_one_with_its_first_change(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store, schedule=MON_WED)
    with store.db.write():
        store.db.sql("DELETE FROM habit_schedule")
    assert store.habits.get(habit.id).schedules == ()
    assert store.habits.get(habit.id).history == ((TODAY, MON_WED),)
    clock.pass_days(4)
    store.habits.set_schedule(habit.id, TWICE)
    assert store.habits.get(habit.id).schedules == ((TODAY, MON_WED), (day(4), TWICE))


def test_undo_and_redo(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    clock.pass_days(7)
    before = store.habits.get(habit.id)
    store.habits.update(habit.id, schedule=EVERY_10)
    after = store.habits.get(habit.id)
    change = store.journal.next_undo()
    assert change is not None
    assert change.words("ko") == "‘하루 걷기’ 습관 일정 바꾸기"
    assert store.journal.undo().changes == Changes(frozenset({habit.id}))
    assert store.habits.get(habit.id) == before
    store.journal.redo()
    assert store.habits.get(habit.id) == after
    store.journal.undo()
    store.journal.undo()  # the habit itself
    assert store.habits.list() == []
    with store.db.read():
        assert store.db.sql("SELECT * FROM habit_schedule") == []
    store.journal.redo()
    assert store.habits.get(habit.id) == before


def test_the_trash_keeps_the_history(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    clock.pass_days(2)
    store.habits.set_schedule(habit.id, TWICE)
    schedules = store.habits.get(habit.id).schedules
    store.trash.delete(habit.id)
    store.trash.restore(habit.id)
    assert store.habits.get(habit.id).schedules == schedules
    store.trash.delete(habit.id)
    store.trash.remove(habit.id)
    with store.db.read():
        assert store.db.sql("SELECT * FROM habit_schedule") == []


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(ScheduleKind.WEEKDAYS),
        Schedule(ScheduleKind.PER_WEEK, times=8),
        Schedule(ScheduleKind.PER_MONTH, times=32),
        Schedule(ScheduleKind.EVERY_DAYS, days=1),
        Schedule(ScheduleKind.EVERY_DAYS, days=366),
        Schedule(ScheduleKind.DAILY, times=1),
    ],
)
def test_impossible_schedules_are_refused(store: Store, schedule: Schedule) -> None:
    habit = add(store)
    before = dump(store)
    with refused("validation"):
        store.habits.set_schedule(habit.id, schedule)
    with refused("validation"):
        store.habits.update(habit.id, frame=(1, "튼튼한 다리를 만든다"), schedule=schedule)
    assert dump(store) == before


def test_only_a_habit_that_goes_on_changes_its_schedule(store: Store) -> None:
    habit = add(store)
    store.habits.archive(habit.id)
    with refused("habit_inactive"):
        store.habits.set_schedule(habit.id, TWICE)
    with refused("not_found"):
        store.habits.set_schedule(99, TWICE)


def test_a_start_that_moves_back_takes_the_first_schedule_along(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store, schedule=MON_WED)
    clock.pass_days(7)
    store.habits.set_schedule(habit.id, DAILY)
    store.entries.change(habit.id, day(-9), DONE)  # a Monday
    record = store.record(habit.id)
    assert record.overview.habit.start == day(-9)
    assert [record.is_due_on(day(n)) for n in (-9, -8, -7, -6, 7, 8)] == [True, False, True, False, True, False]


def test_t8_the_start_of_the_week_changes_no_entry(store: Store) -> None:
    with store.db.write():
        habit = add(store, schedule=Schedule(ScheduleKind.PER_WEEK, times=3))
        store.db.sql("UPDATE habit SET start = '2025-03-03'")
        for number in (3, 4, 5, 14, 15, 16):
            store.entries.change(habit.id, date(2025, 3, number), DONE)
        store.db.sql("UPDATE habit SET status = 'archived', archived_on = '2025-03-16'")
    habit = store.habits.get(habit.id)

    def streaks() -> tuple[int, int]:
        found = store.overview(habit).streaks
        return found.current_streak, found.longest_streak

    assert (store.week_start(), streaks()) == (1, (2, 2))
    entries = store.entries.for_habit(habit.id)
    store.settings.set(WEEK_START, "sunday")
    assert (store.week_start(), streaks()) == (7, (0, 1))
    assert store.entries.for_habit(habit.id) == entries
    store.settings.set(WEEK_START, "monday")
    assert streaks() == (2, 2)
