"""Five years of 200 habits: what the app does all the time stays quick (ten years: tests/benchmarks/years.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.storage.store import Store, open_store
from tests.benchmarks.years import QUESTIONS, fill


@pytest.fixture(scope="module")
def long_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Of 200 habits all but eight active ones are resting."""
    paths = resolve_paths(tmp_path_factory.mktemp("years"))
    assert fill(paths, 200, 5, (8, 192)) > 300_000
    store = open_store(paths)
    yield store
    store.close()


def seconds(work: Callable[[], object]) -> float:
    """Processor time of the best of three: other programs do not lengthen it."""
    times = []
    for _round in range(3):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def test_x4_the_list_is_there_within_a_second(long_store: Store) -> None:
    begin = time.process_time()
    first = long_store.overviews()
    assert time.process_time() - begin < 1
    assert len(first) == 200
    assert seconds(long_store.overviews) < 0.2


def test_x4_sorting_by_strength_takes_less_than_a_second(long_store: Store) -> None:
    strengths = long_store.strengths()
    assert len(strengths) == 200
    assert strengths[1] == long_store.record(1).strength[-1][1]
    assert seconds(lambda: sorted(long_store.strengths().items(), key=lambda each: each[1])) < 1


def test_x4_one_toggle_takes_less_than_50_ms(long_store: Store) -> None:
    habit = long_store.habits.list(HabitStatus.ACTIVE)[0]
    values = iter([EntryValue.DONE, EntryValue.BLANK, EntryValue.MINIMUM])

    def toggle() -> None:
        long_store.entries.change(habit.id, long_store.today(), next(values))

    assert seconds(toggle) < 0.05
    assert long_store.overview(habit).today_entry is not None


def test_the_detail_of_one_habit_is_read_within_200_ms(long_store: Store) -> None:
    assert seconds(lambda: long_store.record(1)) < 0.2
    assert len(long_store.record(1).strength) > 1800


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_in_sql_takes_less_than_a_second(long_store: Store, name: str) -> None:
    long_store.asking.run(QUESTIONS[name], max_rows=100, seconds=30.0)
    assert seconds(lambda: long_store.asking.run(QUESTIONS[name], max_rows=100, seconds=30.0)) < 1
