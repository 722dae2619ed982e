"""A program killed at random moments of writing, importing, migrating, restoring, copying a backup, exporting: nothing
committed is ever lost, and no file is half there under its name.

A few moments here; `tests/benchmarks/kill.py` tries two hundred.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.helpers.killing import TASKS, Killing


@pytest.mark.timeout(300)
@pytest.mark.parametrize("task", TASKS)
def test_killed_at_a_random_moment(tmp_path: Path, task: str) -> None:
    killing = Killing(tmp_path, seed=20260812)
    for _number in range(2):
        killing.once(task)
