"""An answer goes to the day that the reminder was for, however late; what cannot be kept is told (T3–T5)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest

from lifehelper_desktop.base.settings import DAY_START_MINUTES, SNOOZE_MINUTES
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.errors import StorageFull
from lifehelper_desktop.ui.bus import Notice as BusNotice
from lifehelper_desktop.ui.bus import Trouble
from lifehelper_desktop.ui.reminders.service import ReminderService
from tests.gui.ringing import (
    BUILD,
    EVENING,
    LOS_ANGELES,
    NEW_YORK,
    SEOUL,
    TODAY,
    World,
    archive,
    pause,
    seoul,
    trash,
    walk,
    world,
)
from tests.helpers.notices import RecordingNotifier
from tests.helpers.worlds import add_habit

__all__ = ["walk", "world"]

# ---- T5: late answers, late starts --------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK])
def test_t5_late_answer(world: World, walk: Habit, value: EntryValue) -> None:
    """U#969, U#374, U#123: rung on 5 June at 22:00, answered on the 6th at 07:10: the 5th, and the 6th stays blank."""
    fifth, sixth = date(2021, 6, 5), date(2021, 6, 6)
    _begin_on(world, fifth)
    world.at(datetime(2021, 6, 5, 22, tzinfo=SEOUL))
    world.at(datetime(2021, 6, 6, 7, 10, tzinfo=SEOUL))
    assert world.notifier.titles == ["하루 걷기"]
    world.answer(value.value)
    assert world.values(walk) == {fifth: value}
    assert world.store.entries.get(walk.id, sixth) is None
    [change] = world.store.journal.history(1)
    assert change.source == "reminder"
    assert change.label["date"] == fifth.isoformat()


def _begin_on(world: World, day: date) -> None:
    """Let the reminder have been made the day before `day`."""
    with world.store.db.write():
        world.store.db.sql("UPDATE reminder SET since = ?", (f"{day - timedelta(days=1)}T09:00:00+09:00",))
    world.clock.set(datetime(day.year, day.month, day.day, 12, tzinfo=SEOUL))
    world.service.check()


def test_t5_answer_after_five_days(world: World, walk: Habit) -> None:
    fifth = date(2021, 6, 5)
    _begin_on(world, fifth)
    world.at(datetime(2021, 6, 5, 22, tzinfo=SEOUL))
    # Asleep until the 10th: the notice still stands there.
    world.at(datetime(2021, 6, 10, 9, tzinfo=SEOUL))
    world.answer("done")
    assert world.values(walk) == {fifth: EntryValue.DONE}


def test_t5_after_more_than_a_week_nobody_is_asked_any_more(world: World, walk: Habit) -> None:
    _begin_on(world, date(2021, 6, 5))
    world.at(datetime(2021, 6, 5, 22, tzinfo=SEOUL))
    world.at(datetime(2021, 6, 12, 9, tzinfo=SEOUL))
    assert world.notifier.screen
    world.at(datetime(2021, 6, 13, 9, tzinfo=SEOUL))
    assert world.notifier.screen == {}


def test_t5_checking_a_past_day_leaves_todays_reminder_alone(world: World, walk: Habit) -> None:
    """U#1381."""
    world.at(seoul(22))
    changes = world.store.entries.change(walk.id, TODAY - timedelta(days=1), EntryValue.DONE)
    world.bus.publish_data(changes)
    world.settle()
    assert world.notifier.titles == ["하루 걷기"]


def test_t5_each_days_notice_answers_its_own_day(world: World, walk: Habit) -> None:
    tomorrow = TODAY + timedelta(days=1)
    world.at(seoul(22))
    world.at(seoul(22, 0, tomorrow))
    assert len(world.notifier.screen) == 2
    world.answer("blank", f"habit-{walk.id}-{TODAY}")
    assert world.values(walk) == {TODAY: EntryValue.BLANK}
    world.answer("done", f"habit-{walk.id}-{tomorrow}")
    assert world.values(walk) == {TODAY: EntryValue.BLANK, tomorrow: EntryValue.DONE}


def test_u1808_late_start_shows_it_once(world: World, walk: Habit) -> None:
    """The program was closed at 22:00 and starts at 22:40."""
    world.service.stop()
    world.clock.set(seoul(22, 40))
    world.restart()
    assert world.notifier.titles == ["하루 걷기"]
    world.service.check()
    assert len(world.notifier.shown_notices) == 1
    world.notifier.dismiss()
    world.settle()
    world.restart()
    assert world.notifier.shown_notices == []


def test_what_was_on_the_screen_at_the_end_comes_back_at_the_next_start(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    before = world.notifier
    world.clock.set(seoul(22, 40))
    world.restart()
    assert before.screen == {}  # nobody would hear its buttons
    assert world.notifier.titles == ["하루 걷기"]
    world.service.stop()
    world.clock.set(seoul(9, 0, TODAY + timedelta(days=1)))
    world.restart()
    assert world.notifier.shown_notices == []  # yesterday's is over


def test_after_a_crash_nothing_rings_twice(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    again = RecordingNotifier()
    service = ReminderService(world.store, world.bus, again)
    service.start()
    assert again.shown_notices == []
    service.stop()


def test_after_sleep_over_several_days_only_the_last_of_today(world: World, walk: Habit) -> None:
    world.store.reminders.add(walk.id, 8 * 60)
    world.store.reminders.add(walk.id, 9 * 60)
    world.at(seoul(9, 30, TODAY + timedelta(days=4)))
    [notice] = world.notifier.shown_notices
    assert notice.key.endswith("2026-08-16")
    world.service.check()
    assert len(world.notifier.shown_notices) == 1


@pytest.mark.parametrize(("first", "minutes"), [(date(2025, 3, 8), 150), (date(2025, 11, 1), 90)])
def test_t3_summer_time(world: World, first: date, minutes: int) -> None:
    """A time that does not exist rings at the first moment after it, one that comes twice rings once."""
    world.store.settings.set(DAY_START_MINUTES, 0)
    world.clock.set(datetime(first.year, first.month, first.day, tzinfo=NEW_YORK))
    habit = add_habit(world.store, "daily-steps")
    world.store.reminders.add(habit.id, minutes)
    moment = world.clock.now().astimezone(UTC)
    for _step in range(3 * 24 * 4):
        world.at(moment.astimezone(NEW_YORK))
        moment += timedelta(minutes=15)
    days = [first + timedelta(days=number) for number in range(3)]
    assert [notice.key for notice in world.notifier.shown_notices] == [f"habit-{habit.id}-{day}" for day in days]


def test_t4_travel_asks_no_day_twice(world: World, walk: Habit) -> None:
    _begin_on(world, date(2025, 4, 10))
    for day in (10, 11):
        world.at(datetime(2025, 4, day, 22, tzinfo=SEOUL))
        world.answer("done")
    world.at(datetime(2025, 4, 11, 22, 30, tzinfo=SEOUL).astimezone(LOS_ANGELES))
    world.at(datetime(2025, 4, 11, 22, tzinfo=LOS_ANGELES))
    assert world.notifier.screen == {}
    world.at(datetime(2025, 4, 12, 22, tzinfo=LOS_ANGELES))
    assert world.notifier.titles == ["하루 걷기"]


# ---- later, groups ------------------------------------------------------------------------------------------------


def test_later(world: World, walk: Habit) -> None:
    world.store.settings.set(SNOOZE_MINUTES, 20)
    world.at(seoul(22))
    world.answer("later")
    assert world.notifier.screen == {}
    assert world.service._next.interval() == 20 * 60 * 1000
    world.at(seoul(22, 19))
    assert world.notifier.screen == {}
    world.at(seoul(22, 20))
    world.answer("done")
    assert world.values(walk) == {TODAY: EntryValue.DONE}


def test_later_over_the_start_of_the_next_day_still_asks_for_its_own(world: World, walk: Habit) -> None:
    world.store.reminders.add(walk.id, 230)
    tomorrow = TODAY + timedelta(days=1)
    world.at(seoul(3, 50, tomorrow))
    world.answer("later", f"habit-{walk.id}-{TODAY}")
    world.at(seoul(4, 20, tomorrow))
    assert "8월 12일(수)" in world.notifier.screen[f"habit-{walk.id}-{TODAY}"].body
    world.answer("blank")
    assert world.values(walk) == {TODAY: EntryValue.BLANK}


def test_later_survives_a_restart_and_is_silent_when_the_day_is_recorded(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    world.answer("later")
    world.restart()
    assert world.notifier.shown_notices == []
    world.at(seoul(22, 30))
    assert world.notifier.titles == ["하루 걷기"]
    world.answer("later")
    world.store.entries.log(walk.id, EntryValue.DONE)
    world.at(seoul(23))
    assert world.notifier.screen == {}


@pytest.fixture
def four(world: World) -> list[Habit]:
    """All places taken, every habit with a reminder at 22:00."""
    habits = [add_habit(world.store, each) for each in (*BUILD, "break-smoking")]
    for habit in habits:
        world.store.reminders.add(habit.id, EVENING)
    return habits


def test_three_at_once_stand_alone(world: World, four: list[Habit]) -> None:
    world.store.habits.pause(four[0].id)
    world.at(seoul(22))
    assert len(world.notifier.screen) == 3


def test_more_than_three_at_once_come_together(world: World, four: list[Habit]) -> None:
    asked: list[str] = []
    world.service.today_asked.connect(lambda: asked.append("today"))
    world.at(seoul(22))
    [notice] = world.notifier.shown_notices
    assert notice.title == "습관 4개를 할 시간이에요"
    assert notice.body == " · ".join(habit.title_ko for habit in four)
    assert [each.key for each in notice.buttons] == ["open", "later"]
    world.answer("later")
    world.at(seoul(22, 30))
    assert len(world.notifier.shown_notices) == 2
    world.answer("open")
    assert asked == ["today"]


def test_a_group_closes_when_the_last_of_its_days_is_recorded(world: World, four: list[Habit]) -> None:
    world.at(seoul(22))
    for habit in four:
        assert world.notifier.screen
        world.store.entries.log(habit.id, EntryValue.DONE)
        world.service.check()
    assert world.notifier.screen == {}


# ---- answers that cannot be kept ----------------------------------------------------------------------------------


def test_an_answer_to_a_day_that_was_recorded_meanwhile_is_told(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    world.store.entries.log(walk.id, EntryValue.MINIMUM)  # by another program, not seen yet
    world.answer("done")
    assert world.values(walk) == {TODAY: EntryValue.MINIMUM}
    [told] = world.notifier.screen.values()
    assert (told.title, told.buttons) == ("하루 걷기", ())
    assert "기록이 이미 있어요(최소)" in told.body


def test_an_answer_that_crosses_the_withdrawal_is_told_too(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    [notice] = world.notifier.screen.values()
    world.store.entries.log(walk.id, EntryValue.MINIMUM)
    world.service.check()
    world.notifier.pressed.emit(notice.key, "done")
    world.settle()
    assert "기록이 이미 있어요" in world.notifier.shown_notices[-1].body


@pytest.mark.parametrize("silence", [pause, archive, trash], ids=lambda each: each.__name__)
def test_an_answer_to_a_habit_that_rests_or_is_gone_is_told(
    world: World, walk: Habit, silence: Callable[[World, Habit], None]
) -> None:
    world.at(seoul(22))
    silence(world, walk)
    world.answer("done")
    assert len(world.notifier.screen) == 1
    assert world.notifier.shown_notices[-1].buttons == ()
    assert world.notifier.shown_notices[-1].body


def test_when_the_disk_says_no_the_buttons_come_back(
    world: World, walk: Habit, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.at(seoul(22))

    def full(*_args: object, **_more: object) -> object:
        raise StorageFull

    with monkeypatch.context() as broken:
        broken.setattr(world.store.entries, "log", full)
        world.answer("done")
    [told] = world.notifier.screen.values()
    assert "저장 공간이 가득 차서" in told.body
    world.answer("done")
    assert world.values(walk) == {TODAY: EntryValue.DONE}


def test_when_the_file_cannot_be_read_it_is_told_and_tried_again(
    world: World, walk: Habit, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[BusNotice] = []
    world.bus.on_notice(told.append)  # type: ignore[arg-type]

    def full(*_args: object) -> object:
        raise StorageFull

    with monkeypatch.context() as broken:
        broken.setattr(world.store.reminders, "keep", full)
        world.at(seoul(22))
        world.at(seoul(22))
    world.settle()
    assert [type(each) for each in told] == [Trouble]  # once, not at every look
    assert world.notifier.shown_notices == []
    world.at(seoul(22, 1))
    assert world.notifier.titles == ["하루 걷기"]


def test_a_notice_that_could_not_be_shown_is_tried_again(world: World, walk: Habit) -> None:
    world.notifier.works = False
    world.at(seoul(22))
    world.settle()
    world.notifier.works = True
    world.at(seoul(22, 1))
    assert world.notifier.titles == ["하루 걷기"]


# ---- clicks, undo -------------------------------------------------------------------------------------------------


def test_a_click_asks_for_the_window_at_the_habit(world: World, walk: Habit) -> None:
    asked: list[int] = []
    world.service.habit_asked.connect(asked.append)
    world.at(seoul(22))
    world.notifier.click()
    world.settle()
    assert asked == [walk.id]
    assert world.values(walk) == {}


def test_dismissed_is_not_shown_again(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    world.notifier.dismiss()
    world.settle()
    world.at(seoul(23))
    assert world.notifier.screen == {}


def test_an_answer_can_be_undone(world: World, walk: Habit) -> None:
    world.at(seoul(22))
    world.answer("done")
    world.store.journal.undo()
    assert world.values(walk) == {}
    world.at(seoul(22, 1))
    assert world.notifier.screen == {}  # it has had its say


def test_another_notice_of_the_program_is_none_of_its_business(world: World, walk: Habit) -> None:
    world.notifier.pressed.emit("test", "seen")
    world.notifier.clicked.emit("test")
    world.settle()
    assert world.values(walk) == {}
