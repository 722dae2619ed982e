"""The checks of the data: each fails on what it names, and on nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import EntryValue, Habit, Schedule, ScheduleKind
from lifehelper_desktop.domain.quality import FailedCheck, Severity
from lifehelper_desktop.domain.quality_checks import CHECKS, SILENT_DAYS
from lifehelper_desktop.storage.quality import check_quality
from lifehelper_desktop.storage.store import Store
from tests.helpers.worlds import add_habit, fill
from tests.storage.support import TODAY, add, day

RAW = (
    "INSERT INTO entry (habit_id, date, value, is_minimum, note, created_at, updated_at) VALUES (?, ?, ?, ?, ?, '', '')"
)


def write(store: Store, statement: str, *values: object) -> None:
    """Write past the repositories, as an import or another program may have."""
    with store.db.write():
        store.db.sql(statement, values)


def entry(store: Store, habit: Habit, offset: int, value: str = "done", least: int = 0, note: str = "") -> None:
    write(store, RAW, habit.id, day(offset).isoformat(), value, least, note)


@pytest.fixture
def walk(store: Store) -> Habit:
    """A habit in which everything is right: ten days, all done."""
    habit = add_habit(store, "daily-steps", started=day(-9))
    fill(store, habit, day(-9), day(-1))
    return habit


def failed(store: Store, habit_id: int | None = None) -> dict[str, FailedCheck]:
    return {each.check.name: each for each in check_quality(store, habit_id)}


def future(store: Store, walk: Habit) -> None:
    entry(store, walk, 3)


def before_start(store: Store, walk: Habit) -> None:
    entry(store, walk, -20)


def after_archive(store: Store, walk: Habit) -> None:
    store.habits.archive(walk.id)
    write(store, "UPDATE habit SET archived_on = ? WHERE id = ?", day(-2).isoformat(), walk.id)


def in_pause(store: Store, walk: Habit) -> None:
    write(
        store,
        "INSERT INTO habit_pause (habit_id, first_day, last_day) VALUES (?, ?, ?)",
        *(walk.id, day(-5).isoformat(), day(-5).isoformat()),
    )


def minimum_without_dose(store: Store, walk: Habit) -> None:
    store.entries.change(walk.id, day(-1), EntryValue.MINIMUM)
    write(store, "DELETE FROM habit_variant WHERE habit_id = ? AND is_minimum = 1", walk.id)


def over_quota(store: Store, walk: Habit) -> None:
    for protocol in ("bedtime-todo-list", "morning-sunlight", "floss-after-brushing"):
        if store.habits.remaining()[walk.habit_type]:
            add_habit(store, protocol)
        else:
            write(store, "UPDATE habit SET status = 'paused' WHERE id = ?", walk.id)
            add_habit(store, protocol)
            write(store, "UPDATE habit SET status = 'active' WHERE id = ?", walk.id)


def avoidance(store: Store, walk: Habit) -> None:
    write(store, "UPDATE habit SET framed_text = '야식 끊기' WHERE id = ?", walk.id)


def no_anchor(store: Store, walk: Habit) -> None:
    write(store, "UPDATE habit SET anchor_when = NULL, anchor_after_what = NULL WHERE id = ?", walk.id)


def no_minimum_dose(store: Store, walk: Habit) -> None:
    write(store, "DELETE FROM habit_variant WHERE habit_id = ? AND is_minimum = 1", walk.id)


def missed_twice(store: Store, walk: Habit) -> None:
    for offset in (-4, -5, -6):
        store.entries.change(walk.id, day(offset), None)


def gap(store: Store, walk: Habit) -> None:
    store.entries.change(walk.id, day(-4), None)


def same_title(store: Store, walk: Habit) -> None:
    other = add_habit(store, "bedtime-todo-list")
    write(
        store, "UPDATE habit SET title_ko = ?, title_en = ? WHERE id = ?", "하루  걷기", walk.title_en.upper(), other.id
    )


def resting_reminder(store: Store, walk: Habit) -> None:
    store.reminders.add(walk.id, 9 * 60)
    store.habits.pause(walk.id)


def blank_note(store: Store, walk: Habit) -> None:
    store.entries.change(walk.id, day(-1), EntryValue.BLANK, note="그래도\n조금 걸었다")


CASES: dict[str, tuple[Callable[[Store, Habit], None], set[str]]] = {
    "over_quota": (over_quota, set()),
    "future_entries": (future, set()),
    "before_start": (before_start, set()),
    "after_archive": (after_archive, set()),
    "in_pause": (in_pause, set()),
    "minimum_without_dose": (minimum_without_dose, {"no_minimum_dose"}),
    "avoidance_words": (avoidance, set()),
    "no_anchor": (no_anchor, set()),
    "missed_twice": (missed_twice, {"gaps"}),
    "same_title": (same_title, set()),
    "no_minimum_dose": (no_minimum_dose, set()),
    "gaps": (gap, set()),
    "resting_reminders": (resting_reminder, set()),
    "blank_notes": (blank_note, set()),
}


def test_every_check_has_a_case_here() -> None:
    assert {check.name for check in CHECKS} == {*CASES, "silent"}
    order = [Severity.HIGH, Severity.MEDIUM, Severity.LOW]
    ranks = [order.index(check.severity) for check in CHECKS]
    assert ranks == sorted(ranks), "what matters most comes first"


def test_nothing_is_off_with_good_data(store: Store, walk: Habit) -> None:
    assert failed(store) == {}


def test_nothing_is_off_with_no_data(store: Store) -> None:
    assert failed(store) == {}


@pytest.mark.parametrize("name", CASES)
def test_a_check_fails_alone(store: Store, walk: Habit, name: str) -> None:
    spoil, others = CASES[name]
    spoil(store, walk)
    found = failed(store)
    assert set(found) == {name, *others}
    assert 1 <= len(found[name].samples) <= 2 <= max(2, found[name].count)
    assert failed(store) == found, "the same data gives the same answer"
    assert failed(store, 999) == {}


def test_the_rows_say_which_day(store: Store, walk: Habit) -> None:
    missed_twice(store, walk)
    found = failed(store)
    [row] = found["missed_twice"].samples
    assert row.day == day(-4), "the last of three in a row"
    [row] = found["gaps"].samples
    assert (row.day, row.detail) == (day(-4), "3일 비어 있음")
    assert row.words("ko") == f"{walk.title_ko} · 2026-08-08 · 3일 비어 있음"


def test_two_samples_and_the_count_of_all(store: Store, walk: Habit) -> None:
    for offset in (-20, -30, -40):
        entry(store, walk, offset)
    found = failed(store)["before_start"]
    assert (found.count, [row.day for row in found.samples]) == (3, [day(-20), day(-30)])


@pytest.mark.parametrize(("days", "is_silent"), [(SILENT_DAYS - 1, False), (SILENT_DAYS, True)])
def test_a_habit_without_entry_for_long(store: Store, days: int, is_silent: bool) -> None:
    habit = add_habit(store, "daily-steps", started=day(-60))
    fill(store, habit, day(-60), day(-days))
    assert ("silent" in failed(store)) is is_silent
    if is_silent:
        [row] = failed(store)["silent"].samples
        assert (row.day, row.detail) == (day(-days), f"{days}일째 기록 없음")
    store.habits.pause(habit.id)
    assert "silent" not in failed(store), "a habit that rests is silent on purpose"


def test_days_just_resumed_are_not_silent(store: Store, clock: FixedClock) -> None:
    habit = add_habit(store, "daily-steps", started=day(-60))
    fill(store, habit, day(-60), day(-50))
    clock.set(datetime(2026, 6, 24, 12, tzinfo=UTC))
    store.habits.pause(habit.id)
    clock.set(datetime(2026, 8, 10, 12, tzinfo=UTC))
    store.habits.resume(habit.id)
    clock.set(datetime(2026, 8, 12, 12, tzinfo=UTC))
    assert "silent" not in failed(store)


@pytest.mark.parametrize(
    ("schedule", "last", "is_silent"),
    [
        (Schedule(ScheduleKind.PER_MONTH, times=1), -20, False),  # done this month or the last
        (Schedule(ScheduleKind.PER_MONTH, times=1), -60, True),
        (Schedule(ScheduleKind.EVERY_DAYS, days=30), -29, False),
        (Schedule(ScheduleKind.EVERY_DAYS, days=30), -40, True),
        (Schedule(ScheduleKind.EVERY_DAYS, days=10), -20, True),
        (Schedule(ScheduleKind.PER_WEEK, times=1), -20, True),
    ],
)
def test_a_habit_that_rests_as_planned_is_not_silent(
    store: Store, clock: FixedClock, schedule: Schedule, last: int, is_silent: bool
) -> None:
    clock.set(datetime(2026, 6, 1, 12, tzinfo=UTC))
    habit = add(store, schedule=schedule)
    clock.set(datetime(2026, 8, 12, 12, tzinfo=UTC))
    for offset in range(last, -72, -10):
        store.entries.log(habit.id, EntryValue.DONE, day(offset), any_past_day=True)
    assert ("silent" in failed(store)) is is_silent


def test_a_habit_in_the_trash_is_not_looked_at(store: Store, walk: Habit) -> None:
    for spoil in (future, blank_note, avoidance):
        spoil(store, walk)
    store.trash.delete(walk.id)
    assert failed(store) == {}


def test_what_the_advice_says_helps(store: Store, walk: Habit) -> None:
    before_start(store, walk)
    assert "before_start" in failed(store)
    store.entries.change(walk.id, day(-20), None)
    store.entries.change(walk.id, day(-20), EntryValue.DONE)
    assert store.habits.get(walk.id).start == TODAY - timedelta(days=20)
    assert "before_start" not in failed(store)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_words_are_kind(store: Store, walk: Habit, language: str) -> None:
    set_language(language)
    for check in CHECKS:
        assert check.title
        assert check.advice.endswith("요.")
        assert not re.search(r"실패|잘못했|위반|금지", check.title + check.advice)
