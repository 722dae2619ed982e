"""Reminders ring when they should and once (T1), and are silent where nothing is asked (X3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta, tzinfo

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.settings import DAY_START_MINUTES, REMINDERS_ENABLED
from lifehelper_desktop.domain.habits import EntryValue, Habit, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.ui.reminders.service import CHECK_MS
from tests.gui.ringing import (
    EVENING,
    NEW_YORK,
    SEOUL,
    TODAY,
    World,
    archive,
    pause,
    record,
    seoul,
    switch_all_off,
    switch_off,
    trash,
    walk,
    world,
)
from tests.helpers.worlds import add_habit

__all__ = ["walk", "world"]

# ---- ringing ------------------------------------------------------------------------------------------------------


def test_rings_once_with_the_buttons_and_the_users_own_words(world: World, walk: Habit) -> None:
    world.at(seoul(21, 59))
    assert world.notifier.shown_notices == []
    world.at(seoul(22))
    world.at(seoul(22, 1))
    [notice] = world.notifier.shown_notices
    assert notice.title == "하루 걷기"
    assert notice.body.splitlines() == [walk.framed_text, "8월 12일(수) · 저녁을 먹은 뒤"]
    assert [each.text for each in notice.buttons] == ["완료", "최소", "쉬기", "나중에"]
    world.at(seoul(22, 0, TODAY + timedelta(days=1)))
    assert len(world.notifier.shown_notices) == 2


def test_the_timer_waits_for_exactly_the_next_one(world: World, walk: Habit) -> None:
    assert world.service._next.isActive()
    assert world.service._next.interval() == 30 * 60 * 1000
    world.at(seoul(22))
    assert world.service._next.interval() == 24 * 60 * 60 * 1000
    for reminder in world.store.reminders.list(walk.id):
        world.store.reminders.remove(reminder.id)
    world.service.check()
    assert not world.service._next.isActive()


def test_the_timer_rings_by_itself(world: World, walk: Habit) -> None:
    world.clock.set(seoul(21, 59) + timedelta(seconds=59, milliseconds=980))
    world.service.check()
    world.clock.set(seoul(22))
    world.qtbot.waitUntil(lambda: bool(world.notifier.screen), timeout=2000)


@pytest.mark.parametrize("zone", [SEOUL, NEW_YORK])
def test_a_clock_that_is_set_or_a_zone_change_is_seen_within_a_minute(world: World, walk: Habit, zone: tzinfo) -> None:
    assert world.service._steady.isActive()
    assert world.service._steady.interval() == CHECK_MS <= 60_000
    world.clock.set(datetime(2026, 8, 12, 22, 15, tzinfo=zone))
    world.service._steady.timeout.emit()
    assert world.notifier.titles == ["하루 걷기"]


def test_nothing_rings_before_start_and_after_stop(world: World, walk: Habit) -> None:
    world.service.stop()
    world.at(seoul(22))
    assert world.notifier.shown_notices == []
    assert not world.service.is_running


def test_several_a_day(world: World, walk: Habit) -> None:
    world.store.reminders.add(walk.id, EVENING + 30)
    world.at(seoul(22))
    world.at(seoul(22, 30))
    assert len(world.notifier.shown_notices) == 2
    assert len(world.notifier.screen) == 1  # the later one takes the place of the earlier


def test_t1_wall_clock_whatever_the_day_start(world: World, walk: Habit) -> None:
    world.store.settings.set(DAY_START_MINUTES, 180)
    world.store.reminders.add(walk.id, 90)
    world.at(seoul(22))
    world.answer("done")
    world.at(seoul(1, 30, TODAY + timedelta(days=1)))
    assert world.notifier.screen == {}  # 01:30 belongs to the day that is recorded already
    world.store.entries.change(walk.id, TODAY, None)
    world.at(seoul(1, 30, TODAY + timedelta(days=2)))
    world.answer("done", f"habit-{walk.id}-2026-08-13")
    assert world.values(walk) == {date(2026, 8, 13): EntryValue.DONE}


def test_words_in_english(world: World, walk: Habit) -> None:
    set_language("en")
    world.at(seoul(22))
    [notice] = world.notifier.shown_notices
    assert notice.title == "Daily steps"
    assert notice.buttons[0].text == "Done"
    assert "Wed 12 Aug" in notice.body


def test_a_locked_screen_shows_no_more_than_the_title_of_what_is_being_broken(world: World) -> None:
    habit = add_habit(world.store, "break-smoking")
    world.store.reminders.add(habit.id, EVENING)
    world.store.entries.log(habit.id, EntryValue.DONE, note="비밀")
    world.store.entries.change(habit.id, TODAY, None)
    world.at(seoul(22))
    [notice] = world.notifier.shown_notices
    for private in (habit.framed_text, habit.standard_dose, habit.minimum_dose, habit.anchor_after_what, "비밀"):
        assert private
        assert private not in notice.body


def test_a_habit_without_a_minimum_has_no_button_for_it(world: World, walk: Habit) -> None:
    with world.store.db.write():
        world.store.db.sql("DELETE FROM habit_variant WHERE is_minimum = 1")
    world.at(seoul(22))
    [notice] = world.notifier.shown_notices
    assert [each.key for each in notice.buttons] == ["done", "blank", "later"]


# ---- silence ------------------------------------------------------------------------------------------------------


SILENCERS: list[Callable[[World, Habit], None]] = [record, pause, archive, trash, switch_off, switch_all_off]


@pytest.mark.parametrize("silence", SILENCERS, ids=lambda each: each.__name__)
def test_silent(world: World, walk: Habit, silence: Callable[[World, Habit], None]) -> None:
    silence(world, walk)
    world.at(seoul(22))
    assert world.notifier.shown_notices == []
    # What it was silent about does not ring later, when the reason is gone.
    while world.store.journal.next_undo() is not None and not _is_as_made(world, walk):
        world.store.journal.undo()
    world.at(seoul(22, 10))
    assert world.notifier.shown_notices == []
    world.at(seoul(22, 0, TODAY + timedelta(days=1)))
    assert world.notifier.titles == ["하루 걷기"]


def _is_as_made(world: World, habit: Habit) -> bool:
    return bool(
        habit.id in [each.id for each in world.store.habits.list() if each == habit]
        and [each for each in world.store.reminders.list(habit.id) if each.is_on]
        and world.store.settings.get_bool(REMINDERS_ENABLED)
        and not world.values(habit)
    )


@pytest.mark.parametrize("silence", SILENCERS[:4] + SILENCERS[5:], ids=lambda each: each.__name__)
def test_a_notice_closes_when_there_is_nothing_to_ask_any_more(
    world: World, walk: Habit, silence: Callable[[World, Habit], None]
) -> None:
    world.at(seoul(22))
    assert world.notifier.titles == ["하루 걷기"]
    silence(world, walk)
    world.at(seoul(22, 1))
    assert world.notifier.screen == {}


def test_it_closes_at_once_when_another_surface_records_the_day(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    _entry, changes = world.store.entries.log(walk.id, EntryValue.MINIMUM)
    world.bus.publish_data(changes)
    world.qtbot.waitUntil(lambda: not world.notifier.screen)


def test_no_ring_on_days_off_the_schedule(world: World) -> None:
    schedule = Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 2, 4}))
    habit, _changes = world.store.habits.add(NewHabit("daily-steps", 2, "저녁을 먹은 뒤 걷는다", schedule=schedule))
    world.store.reminders.add(habit.id, EVENING)
    world.at(seoul(22))  # a Wednesday
    assert world.notifier.shown_notices == []
    world.at(seoul(22, 0, TODAY + timedelta(days=1)))
    assert world.notifier.titles == ["하루 걷기"]


def test_no_ring_once_the_week_has_its_number(world: World) -> None:
    schedule = Schedule(ScheduleKind.PER_WEEK, times=2)
    world.clock.set(seoul(21, 0, date(2026, 8, 10)))
    habit, _changes = world.store.habits.add(NewHabit("daily-steps", 2, "저녁을 먹은 뒤 걷는다", schedule=schedule))
    world.store.reminders.add(habit.id, EVENING)
    world.store.entries.log(habit.id, EntryValue.DONE)
    world.at(seoul(22, 0, date(2026, 8, 11)))
    assert world.notifier.titles == ["하루 걷기"]
    world.answer("done")
    world.at(seoul(22, 0, TODAY))
    assert world.notifier.screen == {}
    world.at(seoul(22, 0, date(2026, 8, 17)))  # the next week
    assert world.notifier.titles == ["하루 걷기"]


def test_x3_after_three_days_of_rest_the_streak_is_nought_and_it_still_rings(world: World, walk: Habit) -> None:
    """U#1991, U#2044."""
    for number in range(3):
        world.clock.set(seoul(21, 0, TODAY + timedelta(days=number)))
        world.store.entries.log(walk.id, EntryValue.BLANK)
    world.at(seoul(22, 0, TODAY + timedelta(days=3)))
    assert world.store.overview(walk).streaks.current_streak == 0
    assert world.notifier.titles == ["하루 걷기"]
