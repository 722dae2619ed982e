"""A small profile that can be counted by hand, for questions in SQL."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.domain.habits import EntryValue, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store, open_store
from tests.conftest import NOW
from tests.helpers.worlds import add_habit, fill

DONE, MINIMUM, BLANK = EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK


def make_small_profile(store: Store) -> None:
    """Fill an empty store that stands at Wednesday 2026-08-12.

    Habit 1, in the trash: one entry. 2, archived 07-31: all of July done but the 15th. 3, walking, daily from 08-01 to
    yesterday: minimum on the 5th, blank on the 7th, nothing on the 9th. 4, strength on Mondays, Wednesdays and Fridays
    from 08-03: done on the 3rd and 7th, minimum on the 10th, missed on the 5th. 5, to break, done from 08-10 to today.
    """
    trashed = add_habit(store, "break-smoking", started=date(2026, 8, 1))
    store.entries.log(trashed.id, DONE, date(2026, 8, 11), "비밀")
    store.trash.delete(trashed.id)
    sun = add_habit(store, "morning-sunlight", started=date(2026, 7, 1))
    fill(store, sun, date(2026, 7, 1), date(2026, 7, 14))
    fill(store, sun, date(2026, 7, 16), date(2026, 7, 31))
    clock = store.clock
    assert isinstance(clock, FixedClock)
    clock.set(NOW.replace(month=7, day=31))
    store.habits.archive(sun.id)
    clock.set(NOW)
    walk = add_habit(store, "daily-steps", started=date(2026, 8, 1))
    notes = {2: "drop table이 아님", 5: "100% 힘들었다", 10: "it's ok; --확인"}
    for day in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11):
        value = MINIMUM if day == 5 else BLANK if day == 7 else DONE
        store.entries.log(walk.id, value, date(2026, 8, day), notes.get(day, ""), any_past_day=True)
    clock.set(NOW.replace(day=3))
    entry = store.catalogue.get("strength-training")
    assert entry is not None
    plan = Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5}))
    strength, _changes = store.habits.add(NewHabit("strength-training", 2, entry.frame(2, "ko"), schedule=plan))
    clock.set(NOW)
    for day, value in ((3, DONE), (7, DONE), (10, MINIMUM)):
        store.entries.log(strength.id, value, date(2026, 8, day), any_past_day=True)
    social = add_habit(store, "break-doomscrolling", started=date(2026, 8, 10))
    fill(store, social, date(2026, 8, 10), date(2026, 8, 12))
    store.reminders.add(walk.id, 7 * 60, frozenset({6, 7}))


def hashes(store: Store) -> dict[str, str]:
    """Return every file of the data folder with its SHA-256, that of -shm left out: connections meet there."""
    files = sorted(path for path in store.paths.data.rglob("*") if path.is_file())
    return {
        str(path.relative_to(store.paths.data)): "" if path.name.endswith("-shm") else _hash(path) for path in files
    }


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.fixture(scope="package")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The small profile; questions change nothing, so that all tests share it."""
    # Signs that mean something in a URI must not lead to another file.
    folder = tmp_path_factory.mktemp("asking") / "자료 50%25?mode=rw#x"
    store = open_store(resolve_paths(folder), FixedClock(NOW))
    make_small_profile(store)
    yield store
    store.close()
