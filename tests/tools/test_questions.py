"""Fifty questions about a year of data (`tests/data/questions.json`): each is answered by a tool with exactly the rows
that are computed here from the generator's own records, never from the database.

To add one: a row in the file, and a function with its id as its name in `answers_ko.py` or `answers_en.py`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import TOOL_RESULT_MAX_BYTES, encode_tool_result
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.conftest import NOW
from tests.helpers.year_of_data import Year, make_year
from tests.tools import answers_en, answers_ko
from tests.tools.answers import EXPECTED, Rows

__all__ = ["answers_en", "answers_ko"]  # which gather the answers

QUESTIONS: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "questions.json").read_text(encoding="utf-8")
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Year]]:
    store = open_store(resolve_paths(tmp_path_factory.mktemp("year")), FixedClock(NOW))
    yield store, make_year(store)
    store.close()


def as_lists(data: dict[str, Any]) -> Rows:
    rows = data["rows"]
    return [list(row.values()) if isinstance(row, dict) else row for row in rows]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_the_tool_answers_with_the_right_rows(question: dict[str, Any], filled: tuple[Store, Year]) -> None:
    store, year = filled
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, question["language"]))
    text = encode_tool_result(dispatcher.dispatch(question["tool"], question["args"]))
    assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES
    result = json.loads(text)
    assert result["status"] == "ok", result
    expected = EXPECTED[question["id"]](year)
    if isinstance(expected, dict):
        assert {key: result["data"][key] for key in expected} == expected
    else:
        assert as_lists(result["data"]) == expected
        assert result["data"]["count"] == len(expected)
        assert "_omitted" not in result["data"]
        assert "more" not in result["data"]


def test_there_are_fifty_questions_in_two_languages() -> None:
    assert Counter(question["language"] for question in QUESTIONS) == {"ko": 25, "en": 25}
    assert {question["id"] for question in QUESTIONS} == EXPECTED.keys()
    assert len({question["question"] for question in QUESTIONS}) == 50
