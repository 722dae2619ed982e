"""`tests/data/sql_cases.json`: questions that are answered, that are refused, and that never end; none changes a byte.

A case holds `sql` and either `rows`, counted by hand from the small profile (see conftest), or the code of the refusal.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from lifehelper_desktop.storage.asking.asking import SqlRefused
from lifehelper_desktop.storage.store import Store
from tests.storage.asking.conftest import hashes

CASES: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[2] / "data" / "sql_cases.json").read_text(encoding="utf-8")
)
SECONDS: Final = 0.3
#: Which of the two ends an endless question first depends on the machine.
LIMITS: Final = frozenset({"sql_time", "sql_memory"})


def test_there_are_over_a_hundred_cases_of_each_kind() -> None:
    kinds = Counter(case["kind"] for case in CASES)
    assert kinds.keys() == {"valid", "hostile", "endless"}
    assert kinds.total() >= 100
    assert len({case["sql"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["sql"])[:60])
def test_case(case: dict[str, Any], small: Store) -> None:
    before = hashes(small)
    assert before.keys() >= {"lifehelper.db", "lifehelper.db-wal"}
    seconds = SECONDS if case["kind"] == "endless" else 20.0
    begin = time.monotonic()
    try:
        answer = small.asking.run(case["sql"], max_rows=60, seconds=seconds)
    except SqlRefused as refusal:
        found: Any = refusal.code
    else:
        found = [list(row) for row in answer.rows]
        assert not answer.more
        assert answer.columns
    took = time.monotonic() - begin
    assert hashes(small) == before
    expected = case.get("rows", case.get("refused"))
    assert found == expected or {found, expected} <= LIMITS
    if case["kind"] == "endless":
        assert took < SECONDS + 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: ascii(case["sql"])[:60])
def test_checking_says_the_same_and_runs_nothing(case: dict[str, Any], small: Store) -> None:
    expected = case.get("refused")
    if expected in (*LIMITS, "sql_too_big", "sql_function_value"):
        expected = None  # only running shows it
    found = None
    begin = time.monotonic()
    try:
        small.asking.validate(case["sql"])
    except SqlRefused as refusal:
        found = refusal.code
    assert found == expected
    assert time.monotonic() - begin < 3
