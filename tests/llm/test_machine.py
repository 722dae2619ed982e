"""Threads and batch sizes for machines of every kind."""

from __future__ import annotations

import pytest

from lifehelper_desktop.llm.machine import choose_plan, plan_for_this_machine

GIB = 2**30


@pytest.mark.parametrize(
    ("physical", "usable", "memory", "threads", "batch"),
    [
        (1, 1, 2 * GIB, 1, 64),
        (2, 4, 4 * GIB, 2, 64),  # a second thread of a core brings nothing
        (4, 8, 8 * GIB - 600_000_000, 3, 128),  # one core for the window
        (4, 8, 4 * GIB, 3, 64),
        (8, 16, 16 * GIB, 7, 128),
        (8, 2, 16 * GIB, 2, 64),  # a container of two processors on a large machine
        (None, 4, 8 * GIB, 3, 128),  # the system does not tell
        (0, 0, 0, 1, 64),
    ],
)
def test_plan(physical: int | None, usable: int, memory: int, threads: int, batch: int) -> None:
    plan = choose_plan(physical, usable, memory)
    assert (plan.threads, plan.batch) == (threads, batch)


def test_this_machine_has_a_plan() -> None:
    plan = plan_for_this_machine()
    assert 1 <= plan.threads <= plan.usable_cores
