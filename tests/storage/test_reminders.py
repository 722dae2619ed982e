"""Reminders: refusals, undo, trash, and what is remembered of what rang."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import EntryValue, Schedule, ScheduleKind
from lifehelper_desktop.domain.reminders import EVERY_DAY, REMINDERS_MAX, Mark, Reminder, Ring
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import TODAY, add, day, dump, refused

EVENING = 22 * 60


@pytest.fixture
def reminder(store: Store) -> Reminder:
    """22:00 every day, of the habit 1."""
    return store.reminders.add(add(store).id, EVENING)[0]


def marks(store: Store) -> dict[tuple[int, object], Mark]:
    return dict(store.reminders.look().marks)


# ---- adding, changing, removing -----------------------------------------------------------------------------------


def test_add_and_list_by_time(store: Store) -> None:
    habit = add(store)
    late, changes = store.reminders.add(habit.id, EVENING)
    early, _changes = store.reminders.add(habit.id, 450, [5, 1, 1])
    assert changes == Changes(habits=frozenset({habit.id}))
    assert store.reminders.list(habit.id) == [early, late]
    assert (early.weekdays, late.weekdays, late.is_on, late.since) == (
        frozenset({1, 5}),
        EVERY_DAY,
        True,
        store.clock.now(),
    )
    assert f"{early.time:%H:%M}" == "07:30"
    assert store.reminders.get(late.id) == late


def test_the_first_and_the_last_minute(store: Store) -> None:
    habit = add(store)
    assert [store.reminders.add(habit.id, minutes)[0].minutes for minutes in (0, 1439)] == [0, 1439]


@pytest.mark.parametrize("minutes", [-1, 1440, 7.5, True, "07:30", None])
def test_impossible_times(store: Store, minutes: object) -> None:
    habit = add(store)
    with refused("validation"):
        store.reminders.add(habit.id, minutes)  # type: ignore[arg-type]
    assert store.reminders.list(habit.id) == []


@pytest.mark.parametrize("weekdays", [[], [0], [8], [1, 9]])
def test_impossible_weekdays(store: Store, reminder: Reminder, weekdays: list[int]) -> None:
    with refused("validation"):
        store.reminders.add(reminder.habit_id, 450, weekdays)
    with refused("validation"):
        store.reminders.change(reminder.id, weekdays=weekdays)


def test_refusals_leave_nothing(store: Store, reminder: Reminder) -> None:
    before = dump(store)
    with refused("not_found"):
        store.reminders.add(99, 450)
    for wrong in (0, -1, 99, 2**70):
        with refused("not_found"):
            store.reminders.get(wrong)
        with refused("not_found"):
            store.reminders.change(wrong, is_on=False)
        with refused("not_found"):
            store.reminders.remove(wrong)
        assert store.reminders.list(wrong) == []
    with refused("reminder_time") as caught:
        store.reminders.add(reminder.habit_id, EVENING, [1])
    assert "22:00" in caught.value.reason
    assert dump(store) == before


def test_a_time_is_taken_once_for_each_habit(store: Store, reminder: Reminder) -> None:
    other = store.reminders.add(reminder.habit_id, 450)[0]
    with refused("reminder_time"):
        store.reminders.change(other.id, minutes=EVENING)
    assert store.reminders.change(reminder.id, minutes=EVENING) == NOTHING
    assert store.reminders.add(add(store, "morning-sunlight").id, EVENING)


def test_at_most_ten(store: Store) -> None:
    habit = add(store)
    for number in range(REMINDERS_MAX):
        store.reminders.add(habit.id, 60 * number)
    with refused("reminder_limit") as caught:
        store.reminders.add(habit.id, EVENING)
    assert "10" in caught.value.reason


def test_paused_habits_take_reminders_and_archived_ones_do_not(store: Store, reminder: Reminder) -> None:
    store.habits.pause(reminder.habit_id)
    store.reminders.add(reminder.habit_id, 450)
    store.habits.archive(reminder.habit_id)
    with refused("habit_inactive") as caught:
        store.reminders.add(reminder.habit_id, 500)
    assert "알림" in caught.value.reason
    with refused("habit_inactive"):
        store.reminders.change(reminder.id, is_on=False)
    assert len(store.reminders.list(reminder.habit_id)) == 2
    assert store.reminders.all_live() == []
    store.reminders.remove(reminder.id)
    assert len(store.reminders.list(reminder.habit_id)) == 1


def test_change(store: Store, reminder: Reminder, clock: FixedClock) -> None:
    clock.set(clock.now() + timedelta(hours=1))
    assert store.reminders.change(reminder.id) == NOTHING
    assert store.reminders.change(reminder.id, weekdays=EVERY_DAY, is_on=True) == NOTHING
    assert store.reminders.change(reminder.id, is_on=False).habits == {reminder.habit_id}
    off = store.reminders.get(reminder.id)
    assert (off.is_on, off.since) == (False, reminder.since)
    store.reminders.change(reminder.id, minutes=450, weekdays=[6], is_on=True)
    changed = store.reminders.get(reminder.id)
    assert (changed.minutes, changed.weekdays, changed.is_on) == (450, frozenset({6}), True)
    assert changed.since == clock.now()


# ---- undo, trash, restart -----------------------------------------------------------------------------------------


def test_every_change_can_be_undone(store: Store, reminder: Reminder) -> None:
    store.reminders.change(reminder.id, minutes=450)
    store.reminders.change(reminder.id, is_on=False)
    store.reminders.change(reminder.id, is_on=True)
    before = store.reminders.list(reminder.habit_id)
    store.reminders.remove(reminder.id)
    assert [change.words("ko") for change in store.journal.history(5)] == [
        "‘하루 걷기’ 알림 지우기 (07:30)",
        "‘하루 걷기’ 알림 켜기 (07:30)",
        "‘하루 걷기’ 알림 끄기 (07:30)",
        "‘하루 걷기’ 알림 고치기 (07:30)",
        "‘하루 걷기’ 알림 추가 (22:00)",
    ]
    taken = store.journal.undo()
    assert taken.changes.habits == {reminder.habit_id}
    assert store.reminders.list(reminder.habit_id) == before
    for _time in range(4):
        store.journal.undo()
    assert store.reminders.list(reminder.habit_id) == []
    for _time in range(5):
        store.journal.redo()
    assert store.reminders.list(reminder.habit_id) == []


def test_the_trash_keeps_them_and_shows_none(store: Store, reminder: Reminder) -> None:
    store.trash.delete(reminder.habit_id)
    assert store.reminders.list(reminder.habit_id) == []
    assert store.reminders.all_live() == []
    with refused("not_found"):
        store.reminders.get(reminder.id)
    store.trash.restore(reminder.habit_id)
    assert store.reminders.list(reminder.habit_id) == [reminder]


def test_what_leaves_the_trash_for_good_takes_them_along(store: Store, reminder: Reminder) -> None:
    store.trash.delete(reminder.habit_id)
    store.trash.remove(reminder.habit_id)
    with store.db.read():
        assert store.db.sql("SELECT COUNT(*) FROM reminder") == [(0,)]
        assert store.db.sql("SELECT COUNT(*) FROM journal_row WHERE table_name = 'reminder'") == [(0,)]


def test_they_survive_a_restart(store: Store, reminder: Reminder, clock: FixedClock) -> None:
    store.reminders.keep([Ring(reminder.id, reminder.habit_id, TODAY)])
    store.close()
    again = open_store(store.paths, clock)
    assert again.reminders.all_live() == [reminder]
    assert marks(again) == {(reminder.id, TODAY): Mark()}
    again.close()


# ---- what became of them ------------------------------------------------------------------------------------------


def test_marks(store: Store, reminder: Reminder) -> None:
    ring = Ring(reminder.id, reminder.habit_id, TODAY)
    until = datetime(2026, 8, 12, 22, 30, tzinfo=UTC)
    steps = len(store.journal.history())
    store.reminders.keep([ring])
    assert marks(store) == {(reminder.id, TODAY): Mark()}
    store.reminders.snooze([ring], until)
    assert marks(store) == {(reminder.id, TODAY): Mark(until)}
    store.reminders.give_back([ring])  # put off: stays so
    assert marks(store) == {(reminder.id, TODAY): Mark(until)}
    store.reminders.keep([ring])
    store.reminders.give_back([ring])
    assert marks(store) == {}
    assert len(store.journal.history()) == steps  # bookkeeping is no change of the user's


def test_a_new_time_has_no_mark_and_its_undo_has_the_old_one(store: Store, reminder: Reminder) -> None:
    ring = Ring(reminder.id, reminder.habit_id, TODAY)
    store.reminders.keep([ring])
    store.reminders.change(reminder.id, minutes=EVENING + 60)
    assert marks(store) == {}
    store.reminders.keep([ring])
    assert marks(store) == {(reminder.id, TODAY): Mark()}
    store.journal.undo()
    assert marks(store) == {(reminder.id, TODAY): Mark()}
    store.reminders.remove(reminder.id)
    assert marks(store) == {}
    store.journal.undo()
    assert marks(store) == {(reminder.id, TODAY): Mark()}


def test_old_marks_are_dropped(store: Store, reminder: Reminder) -> None:
    store.reminders.keep([Ring(reminder.id, 1, day(-30)), Ring(reminder.id, 1, day(-8)), Ring(reminder.id, 1, TODAY)])
    assert {each for _id, each in marks(store)} == {day(-8), TODAY}


def test_what_a_look_says_of_a_habit(store: Store, reminder: Reminder) -> None:
    habit_id = reminder.habit_id
    assert store.reminders.look().asks(habit_id, TODAY)
    assert not store.reminders.look().asks(99, TODAY)
    store.entries.log(habit_id, EntryValue.BLANK)
    assert not store.reminders.look().asks(habit_id, TODAY)
    assert store.reminders.look([day(-1)]).asks(habit_id, day(-1))
    store.entries.change(habit_id, TODAY, None)
    store.habits.pause(habit_id)
    assert not store.reminders.look().asks(habit_id, TODAY)
    store.habits.resume(habit_id)
    assert store.reminders.look().asks(habit_id, TODAY)
    store.habits.archive(habit_id)
    assert not store.reminders.look().asks(habit_id, TODAY)
    assert store.reminders.look().reminders == (reminder,)  # so that it passes in silence


def test_a_look_knows_the_schedule(store: Store) -> None:
    habit = add(store, schedule=Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5})))
    store.reminders.add(habit.id, EVENING)
    look = store.reminders.look([day(-1)])
    assert look.asks(habit.id, TODAY)  # a Wednesday
    assert not look.asks(habit.id, day(-1))
