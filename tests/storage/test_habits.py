"""Habits: the rules on every write, in their order, and what each write changes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import (
    EntryValue,
    HabitKind,
    HabitStatus,
    HabitType,
    NewHabit,
    Schedule,
    ScheduleKind,
)
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import FRAME, TODAY, MovingClock, add, day, dump, refused

BUILD = ("daily-steps", "morning-sunlight", "vegetables-first", "three-good-things")


@pytest.fixture
def moving(paths: AppPaths) -> Iterator[tuple[Store, MovingClock]]:
    """A store whose days can pass."""
    clock = MovingClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC))
    store = open_store(paths, clock)
    yield store, clock
    store.close()


def test_add_as_chat_does(store: Store) -> None:
    habit, changes = store.habits.add(NewHabit("daily-steps", 2, f"  {FRAME} "))
    assert changes == Changes(habits=frozenset({habit.id}))
    assert store.habits.get(habit.id) == habit
    assert (habit.protocol_id, habit.break_protocol_id, habit.kind) == ("daily-steps", None, HabitKind.PROTOCOL)
    assert (habit.title("ko"), habit.title("en")) == ("하루 걷기", "Daily steps")
    assert (habit.frame_level, habit.framed_text) == (2, FRAME)
    assert (habit.anchor_when, habit.anchor_after_what, habit.anchor_source) == (None, "저녁을 먹은 뒤", "suggested")
    assert (habit.standard_dose, habit.minimum_dose) == ("하루 7,000보", "집 둘레 5분 걷기")
    assert (habit.status, habit.start, habit.archived_on) == (HabitStatus.ACTIVE, TODAY, None)
    assert habit.paused_ranges == ()


def test_add_in_english_stores_english_texts(store: Store) -> None:
    set_language("en")
    habit = add(store)
    assert habit.standard_dose == "7,000 steps a day"
    assert habit.anchor_after_what == "After dinner"


def test_kinds_go_to_their_column(store: Store) -> None:
    broken = add(store, "break-doomscrolling")
    assert (broken.protocol_id, broken.break_protocol_id) == (None, "break-doomscrolling")
    assert broken.habit_type is HabitType.BREAK
    diet = add(store, "vegetables-first")
    assert (diet.protocol_id, diet.kind, diet.habit_type) == ("vegetables-first", HabitKind.DIET, HabitType.BUILD)
    assert store.habits.remaining() == {HabitType.BUILD: 2, HabitType.BREAK: 0}


def test_what_the_user_gives_is_stored(store: Store) -> None:
    habit = add(
        store,
        anchor_when=" 07:00 ",
        standard_dose="하루 5,000보",
        minimum_dose="한 정거장 걷기",
        schedule=Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5})),
    )
    assert (habit.anchor_when, habit.anchor_after_what, habit.anchor_source) == ("07:00", None, "user")
    assert (habit.standard_dose, habit.minimum_dose) == ("하루 5,000보", "한 정거장 걷기")
    assert habit.schedule == Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5}))
    weekly = add(store, "moderate-cardio", schedule=Schedule(ScheduleKind.PER_WEEK, times=3))
    assert store.habits.get(weekly.id).schedule == Schedule(ScheduleKind.PER_WEEK, times=3)


@pytest.mark.parametrize("level", [0, 4, -1, True, "2", "과정", None, 2.5])
def test_r1(store: Store, level: object) -> None:
    with refused("r1_frame_level"):
        store.habits.add(NewHabit("daily-steps", level, FRAME))  # type: ignore[arg-type]
    habit = add(store)
    with refused("r1_frame_level"):
        store.habits.set_frame(habit.id, level, FRAME)  # type: ignore[arg-type]


def test_r2_for_the_form(store: Store) -> None:
    with refused("r2_anchor"):
        store.habits.add(NewHabit("daily-steps", 2, FRAME, " ", "\n", is_complete=True))
    habit, _ = store.habits.add(NewHabit("daily-steps", 2, FRAME, "", "양치한 뒤", is_complete=True))
    assert (habit.anchor_when, habit.anchor_after_what) == (None, "양치한 뒤")
    with refused("r2_anchor"):
        store.habits.set_anchors(habit.id, "", None)


def test_r3(store: Store) -> None:
    for protocol_id in BUILD[:3]:
        add(store, protocol_id)
    with refused("r3_quota") as caught:
        add(store, BUILD[3])
    assert "3개" in caught.value.reason
    add(store, "break-smoking")
    with refused("r3_quota"):
        add(store, "break-alcohol")
    assert store.habits.active_counts() == {HabitType.BUILD: 3, HabitType.BREAK: 1}
    assert store.habits.remaining() == {HabitType.BUILD: 0, HabitType.BREAK: 0}


def test_paused_and_archived_habits_are_outside_r3(store: Store) -> None:
    habits = [add(store, protocol_id) for protocol_id in BUILD[:3]]
    store.habits.pause(habits[0].id)
    add(store, BUILD[3])
    with refused("r3_quota"):
        store.habits.resume(habits[0].id)
    assert store.habits.get(habits[0].id).status is HabitStatus.PAUSED
    store.habits.archive(habits[1].id)
    store.habits.resume(habits[0].id)
    assert store.habits.active_counts()[HabitType.BUILD] == 3


@pytest.mark.parametrize("text", ["담배 끊기", "야식 금지", "술을 마시지 않기", "담배 끊\x00기"])
def test_r7(store: Store, text: str) -> None:
    with refused("r7_avoidance") as caught:
        store.habits.add(NewHabit("break-smoking", 2, text))
    assert "담배 생각이 나면 물 한 잔과 숨 열 번으로 5분 보낸다" in caught.value.reason  # the catalogue's level 2
    habit = add(store, "break-smoking")
    with refused("r7_avoidance"):
        store.habits.set_frame(habit.id, 2, text)
    assert store.habits.get(habit.id) == habit


@pytest.mark.parametrize("text", ["", " ", "걷", "가" * 81, "가" * 100_000, "\x00\x00\x00"])
def test_frame_length(store: Store, text: str) -> None:
    with refused("validation"):
        store.habits.add(NewHabit("daily-steps", 2, text))


@pytest.mark.parametrize(
    "protocol_id",
    ["", " ", "\x00", "strength-training, break-late-night-eating", "daily-steps morning-sunlight", "a\nb"],
)
def test_r8(store: Store, protocol_id: str) -> None:
    with refused("r8_xor"):
        add(store, protocol_id)


@pytest.mark.parametrize("protocol_id", ["걷기", "no-such-entry", "x" * 100_000, "\ud800"])
def test_unknown_protocol(store: Store, protocol_id: str) -> None:
    with refused("not_found") as caught:
        add(store, protocol_id)
    assert len(caught.value.reason) < 200


def test_r9(store: Store) -> None:
    with refused("r9_minimum"):  # the form sends both doses
        add(store, standard_dose="20분", minimum_dose=" ")
    with refused("r9_minimum"):
        add(store, standard_dose="20분", minimum_dose="20분")
    with refused("r9_minimum"):  # the form's dose equals the catalogue's minimum
        store.habits.add(NewHabit("daily-steps", 2, FRAME, "07:00", None, "집 둘레 5분 걷기", is_complete=True))
    with refused("validation"):
        store.habits.add(NewHabit("daily-steps", 2, FRAME, "07:00", None, " ", "5분", is_complete=True))
    with refused("validation"):
        add(store, standard_dose="가" * 121)
    for dose in ("", "\u200b", "집 둘레 5분 걷기", "집 둘레  5분\u200b 걷기"):  # chat: the catalogue's (R9 cannot fail)
        habit = add(store, standard_dose=dose)
        assert (habit.standard_dose, habit.minimum_dose) == ("하루 7,000보", "집 둘레 5분 걷기")
        store.habits.archive(habit.id)
    habit = add(store)
    with refused("r9_minimum"):
        store.habits.set_doses(habit.id, "하루 5,000보", "")


def test_anchors_have_a_length(store: Store) -> None:
    with refused("validation"):
        add(store, anchor_when="가" * 61)


def test_impossible_schedules_are_refused(store: Store) -> None:
    for schedule in (
        Schedule(ScheduleKind.WEEKDAYS),
        Schedule(ScheduleKind.WEEKDAYS, frozenset({8})),
        Schedule(ScheduleKind.PER_WEEK),
        Schedule(ScheduleKind.PER_WEEK, times=8),
        Schedule(times=2),
    ):
        with refused("validation"):
            add(store, schedule=schedule)


def test_the_first_refusal_in_order_wins(store: Store) -> None:
    """domain.md 0.2: each step removes the first fault and meets the next."""
    for protocol_id in BUILD[:3]:
        add(store, protocol_id)

    def attempt(protocol_id: str, level: int, text: str, minimum: str) -> None:
        store.habits.add(NewHabit(protocol_id, level, text, minimum_dose=minimum, is_complete=True))

    bad = ("담배 끊기", "")
    with refused("r8_xor"):
        attempt(" ", 9, *bad)
    with refused("not_found"):
        attempt("nothing", 9, *bad)
    with refused("already_active"):
        attempt("daily-steps", 9, *bad)
    with refused("r1_frame_level"):
        attempt(BUILD[3], 9, *bad)
    with refused("r3_quota"):
        attempt(BUILD[3], 2, *bad)
    store.habits.archive(store.habits.list()[0].id)
    with refused("r7_avoidance"):
        attempt(BUILD[3], 2, *bad)
    with refused("r2_anchor"):
        attempt(BUILD[3], 2, FRAME, "")


def test_a_refused_habit_leaves_nothing(store: Store) -> None:
    add(store)
    before = dump(store)
    for new in (
        NewHabit("daily-steps", 2, FRAME),
        NewHabit("morning-sunlight", 2, "담배 끊기"),
        NewHabit("morning-sunlight", 2, FRAME, minimum_dose=""),
    ):
        with pytest.raises(Exception, match=r".+"):
            store.habits.add(new)
    assert dump(store) == before


def test_the_same_entry_once_at_a_time(store: Store) -> None:
    habit = add(store)
    with refused("already_active") as caught:
        add(store, " Daily-Steps ")
    assert "하루 걷기" in caught.value.reason
    store.habits.pause(habit.id)
    with refused("already_active"):
        add(store)
    store.habits.archive(habit.id)
    again = add(store)  # un-archiving is a new habit
    assert again.id != habit.id
    assert store.habits.list(HabitStatus.ARCHIVED)[0].id == habit.id


def test_list_order_and_statuses(store: Store) -> None:
    first, second, third = (add(store, protocol_id) for protocol_id in BUILD[:3])
    store.habits.pause(second.id)
    store.habits.archive(third.id)
    assert [habit.id for habit in store.habits.list()] == [first.id, second.id]
    assert [habit.id for habit in store.habits.list(HabitStatus.ACTIVE)] == [first.id]
    assert [habit.id for habit in store.habits.list(*HabitStatus)] == [first.id, second.id, third.id]


@pytest.mark.parametrize(
    "habit_id", [0, -1, 99, 2**63, 2**70, -(2**70), pytest.param(10**5000, id="huge"), True, "1", 1.0, None]
)
def test_ids_that_no_row_has(store: Store, habit_id: object) -> None:
    add(store)
    bad: int = habit_id  # type: ignore[assignment]
    for call in (
        lambda: store.habits.get(bad),
        lambda: store.habits.pause(bad),
        lambda: store.habits.resume(bad),
        lambda: store.habits.archive(bad),
        lambda: store.habits.set_doses(bad, "1분", "30초"),
        lambda: store.habits.set_frame(bad, 2, FRAME),
        lambda: store.habits.set_anchors(bad, "07:00", None),
        lambda: store.entries.log(bad, EntryValue.DONE),
        lambda: store.entries.change(bad, TODAY, None),
    ):
        with refused("not_found"):
            call()
    assert store.entries.get(bad, TODAY) is None
    assert store.entries.for_habit(bad) == {}


def test_pause_begins_today_and_ends_yesterday(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    changes = Changes(habits=frozenset({habit.id}))
    assert store.habits.pause(habit.id) == changes
    assert store.habits.pause(habit.id) == NOTHING
    assert store.habits.get(habit.id).paused_ranges == ((TODAY, None),)
    clock.pass_days(3)
    assert store.habits.resume(habit.id) == changes
    assert store.habits.resume(habit.id) == NOTHING
    assert store.habits.get(habit.id).paused_ranges == ((TODAY, day(2)),)
    clock.pass_days(2)
    store.habits.pause(habit.id)
    assert store.habits.get(habit.id).paused_ranges == ((TODAY, day(2)), (day(5), None))


def test_pause_begins_tomorrow_when_today_is_logged(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    store.entries.log(habit.id, EntryValue.BLANK)
    store.habits.pause(habit.id)
    assert store.habits.get(habit.id).paused_ranges == ((day(1), None),)
    clock.pass_days(1)
    store.habits.resume(habit.id)
    assert store.habits.get(habit.id).paused_ranges == ()  # no day was paused


def test_pause_and_resume_on_one_day_leave_no_trace(store: Store) -> None:
    habit = add(store)
    store.habits.pause(habit.id)
    store.habits.resume(habit.id)
    assert store.habits.get(habit.id) == habit


def test_archive_ends_a_pause(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store)
    store.habits.pause(habit.id)
    clock.pass_days(4)
    assert store.habits.archive(habit.id) == Changes(habits=frozenset({habit.id}))
    assert store.habits.archive(habit.id) == NOTHING
    archived = store.habits.get(habit.id)
    assert (archived.status, archived.archived_on) == (HabitStatus.ARCHIVED, day(4))
    assert archived.paused_ranges == ((TODAY, day(4)),)


def test_archived_habits_are_left_alone(store: Store) -> None:
    habit = add(store)
    store.habits.archive(habit.id)
    for call in (
        lambda: store.habits.pause(habit.id),
        lambda: store.habits.resume(habit.id),
        lambda: store.habits.set_doses(habit.id, "20분", "5분"),
        lambda: store.habits.set_frame(habit.id, 3, FRAME),
        lambda: store.habits.set_anchors(habit.id, "07:00", None),
        lambda: store.entries.log(habit.id, EntryValue.DONE),
        lambda: store.entries.change(habit.id, TODAY, EntryValue.DONE),
    ):
        with refused("habit_inactive"):
            call()


def test_r6_phase(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store, standard_dose="10분 걷기", minimum_dose="2분 걷기")
    clock.pass_days(19)
    with refused("r6_phase") as caught:
        store.habits.set_doses(habit.id, "15분 걷기", "2분 걷기")
    assert "20일째" in caught.value.reason
    assert day(42).isoformat() in caught.value.reason
    assert store.habits.set_doses(habit.id, "8분 걷기", "1분 걷기") == Changes(habits=frozenset({habit.id}))
    assert store.habits.set_doses(habit.id, "8분 걷기", "1분 걷기") == NOTHING
    clock.pass_days(22)  # day 42
    with refused("r6_phase"):
        store.habits.set_doses(habit.id, "10분 걷기", "1분 걷기")
    clock.pass_days(1)  # day 43
    store.habits.set_doses(habit.id, "15분 걷기", "3분 걷기")
    changed = store.habits.get(habit.id)
    assert (changed.standard_dose, changed.minimum_dose) == ("15분 걷기", "3분 걷기")


def test_paused_days_hold_the_phase(moving: tuple[Store, MovingClock]) -> None:
    store, clock = moving
    habit = add(store, standard_dose="10분 걷기", minimum_dose="2분 걷기")
    store.habits.pause(habit.id)
    clock.pass_days(50)
    with refused("r6_phase"):
        store.habits.set_doses(habit.id, "15분 걷기", "2분 걷기")
    store.habits.resume(habit.id)
    with refused("r6_phase"):
        store.habits.set_doses(habit.id, "15분 걷기", "2분 걷기")


def test_set_frame_and_anchors(store: Store) -> None:
    habit = add(store)
    changes = Changes(habits=frozenset({habit.id}))
    assert store.habits.set_frame(habit.id, 3, " 나는 매일 걷는 사람이다 ") == changes
    assert store.habits.set_anchors(habit.id, "07:00", "") == changes
    changed = store.habits.get(habit.id)
    assert (changed.frame_level, changed.framed_text) == (3, "나는 매일 걷는 사람이다")
    assert (changed.anchor_when, changed.anchor_after_what, changed.anchor_source) == ("07:00", None, "user")
    store.habits.set_anchors(habit.id, None, None, require=False)
    assert store.habits.get(habit.id).anchor_source == "suggested"
