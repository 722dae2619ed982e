"""What the store keeps between two looks: whatever was written meanwhile, the numbers are those of a fresh look."""

from __future__ import annotations

import dataclasses
import tempfile
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.marks import MarksReader
from lifehelper_desktop.storage.overviews import HabitOverview
from lifehelper_desktop.storage.store import Store, open_store
from tests.helpers.schedules import EACH_KIND
from tests.storage.support import TODAY, MovingClock, add, day

PROTOCOLS = ("daily-steps", "morning-sunlight", "three-good-things")
VALUES = (*(value for value in EntryValue if value is not EntryValue.NOT_DONE), None)
ENTRY = st.tuples(st.just("entry"), st.integers(0, 2), st.integers(-20, 0), st.sampled_from(VALUES))
STEPS = st.lists(
    st.one_of(
        *[ENTRY] * 4,  # most of what people do
        st.tuples(st.just("schedule"), st.integers(0, 2), st.sampled_from(EACH_KIND)),
        st.tuples(st.sampled_from(["pause", "resume", "archive", "unarchive"]), st.integers(0, 2)),
        st.tuples(st.sampled_from(["delete", "restore"]), st.integers(0, 2)),
        st.tuples(st.sampled_from(["undo", "redo", "backup", "put_back", "rolled_back", "week", "next_day"])),
        st.tuples(st.sampled_from(["sql_update", "sql_delete", "sql_move"]), st.integers(0, 2)),
    ),
    min_size=8,
    max_size=14,
)


def numbers(store: Store) -> list[HabitOverview]:
    archived = [store.overview(habit) for habit in store.habits.list(HabitStatus.ARCHIVED)]
    return [*store.overviews(), *archived]


class World:
    """A store that looks, another one on the same file that writes too, and a clock."""

    def __init__(self, folder: Path) -> None:
        self.clock = MovingClock(datetime(2026, 8, 12, 21, 30, tzinfo=UTC))
        paths = resolve_paths(folder)
        self.store, self.other = open_store(paths, self.clock), open_store(paths, self.clock)
        self.ids = [add(self.store, name).id for name in PROTOCOLS]
        for place, habit_id in enumerate(self.ids):
            for offset in range(-12, 0, place + 1):
                self.store.entries.change(habit_id, day(offset), EntryValue.DONE)
        numbers(self.store)
        self.saved: Path | None = None

    def act(self, store: Store, step: tuple[Any, ...]) -> None:
        """Carry out one step; a refusal is one of the ways in which nothing changes."""
        name, *given = step
        habits = store.habits
        match name:
            case "entry":
                place, offset, value = given
                store.entries.change(self.ids[place], store.today() + timedelta(days=offset), value)
            case "schedule":
                habits.set_schedule(self.ids[given[0]], given[1])
            case "pause" | "resume" | "archive" | "unarchive":
                getattr(habits, name)(self.ids[given[0]])
            case "delete" | "restore":
                getattr(store.trash, name)(self.ids[given[0]])
            case "undo" | "redo":
                getattr(store.journal, name)()
            case "backup":
                self.saved = store.db.backup("test")
            case "put_back":
                if self.saved is not None:
                    store.db.replace_contents(self.saved)
            case "rolled_back":
                with suppress(ZeroDivisionError), store.db.write():
                    store.db.sql("UPDATE entry SET value = 'blank', is_minimum = 0")
                    numbers(store)  # a look in the middle of it
                    raise ZeroDivisionError
            case "week":
                store.settings.set(WEEK_START, "sunday" if store.week_start() == 1 else "monday")
            case "next_day":
                self.clock.pass_days(1)
            case "sql_update":
                with store.db.write():
                    store.db.sql("UPDATE entry SET value = 'done' WHERE habit_id = ?", (self.ids[given[0]],))
            case "sql_delete":
                with store.db.write():
                    store.db.sql("DELETE FROM entry WHERE habit_id = ?", (self.ids[given[0]],))
            case "sql_move":
                first, second = self.ids[given[0]], self.ids[(given[0] + 1) % 3]
                with store.db.write():
                    store.db.sql(
                        "UPDATE entry SET habit_id = ? WHERE id = (SELECT MAX(id) FROM entry WHERE habit_id = ? AND "
                        "date NOT IN (SELECT date FROM entry WHERE habit_id = ?))",
                        (second, first, second),
                    )

    def close(self) -> None:
        self.store.close()
        self.other.close()


@given(st.lists(st.booleans(), min_size=14, max_size=14), STEPS)
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_is_kept_is_what_a_fresh_look_finds(by_other: list[bool], steps: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        world = World(Path(folder))
        try:
            for other, step in zip(by_other, steps, strict=False):
                with suppress(RuleViolation):
                    world.act(world.other if other else world.store, step)
                fresh = dataclasses.replace(world.store)  # has read nothing yet
                assert numbers(world.store) == numbers(fresh), step
        finally:
            world.close()


def test_only_habits_that_were_written_are_read_again(store: Store) -> None:
    first, second = add(store), add(store, "morning-sunlight")
    for habit in (first, second):
        store.entries.change(habit.id, day(-1), EntryValue.DONE)
    reader = MarksReader(store.db)

    def read() -> dict[int, object]:
        with store.db.snapshot():
            return dict(reader.read([first.id, second.id]))

    before = read()
    assert {name: read()[name] is marks for name, marks in before.items()} == {first.id: True, second.id: True}
    store.entries.log(second.id, EntryValue.MINIMUM)
    after = read()
    assert after[first.id] is before[first.id]
    assert after[second.id] != before[second.id]


def test_marks_hold_gaps_and_every_value(store: Store) -> None:
    habit = add(store)
    for offset, value in ((-9, EntryValue.DONE), (-7, EntryValue.MINIMUM), (-6, EntryValue.BLANK)):
        store.entries.change(habit.id, day(offset), value)
    with store.db.write():
        store.db.sql(
            "INSERT INTO entry (habit_id, date, value, created_at, updated_at) VALUES (?, ?, 'not_done', '', '')",
            (habit.id, day(-2).isoformat()),
        )
    with store.db.snapshot():
        [marks] = MarksReader(store.db).read([habit.id]).values()
        assert MarksReader(store.db).read([77])[77].signs == b""
    assert (marks.first, marks.signs) == (day(-9).toordinal(), b"D.mb...n")
    assert TODAY.toordinal() - marks.first == 9
