"""The reference's seven cases of the catalogue tools, with its limitation (exact category) closed."""

from __future__ import annotations

import pytest

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import TOOL_RESULT_MAX_BYTES, ToolErr, ToolOk, encode_tool_result
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.tools.conftest import Call


def test_search_by_category_returns_only_that_category(call: Call) -> None:
    result = call("search_catalog", category="sleep", limit=10)
    assert isinstance(result, ToolOk)
    assert result.data["count"] == 8
    assert {item["category"] for item in result.data["items"]} == {"sleep"}
    assert set(result.data["items"][0]) == {"id", "title", "category", "summary"}


def test_search_by_keyword_finds_title_and_keywords(call: Call) -> None:
    result = call("search_catalog", keyword="햇빛")
    assert isinstance(result, ToolOk)
    assert [item["id"] for item in result.data["items"]] == ["morning-sunlight"]


def test_search_limit_defaults_to_five_and_is_clamped_to_one_and_ten(call: Call) -> None:
    counts = [call("search_catalog", **args).data["count"] for args in ({}, {"limit": 0}, {"limit": 99})]  # type: ignore[union-attr]
    assert counts == [5, 1, 10]


def test_search_without_a_match_returns_count_zero(call: Call) -> None:
    result = call("search_catalog", keyword="zzzzqqqq")
    assert result == ToolOk({"count": 0, "items": []})


def test_query_protocol_returns_build_fields(call: Call) -> None:
    result = call("query_protocol", id="daily-steps")
    assert isinstance(result, ToolOk)
    assert result.data["kind"] == "protocol"
    assert set(result.data["frames"]) == {"1", "2", "3"}
    assert set(result.data["evidence"]) == {"citation", "doi", "grade", "limit"}
    assert result.data["requires_ack"] is False


def test_query_protocol_returns_break_and_diet_fields(call: Call) -> None:
    broken = call("query_protocol", id="break-smoking")
    assert isinstance(broken, ToolOk)
    assert broken.data["kind"] == "break"
    assert broken.data["target_behavior"]
    assert broken.data["replacement"]
    assert broken.data["requires_ack"] is True
    diet = call("query_protocol", id="fruit-veg-five")
    assert isinstance(diet, ToolOk)
    assert diet.data["kind"] == "diet"
    assert diet.data["portion"]


def test_query_protocol_unknown_id_is_not_found(call: Call) -> None:
    result = call("query_protocol", id="no-such-entry")
    assert isinstance(result, ToolErr)
    assert result.code == "not_found"
    assert "no-such-entry" in result.reason


@pytest.mark.parametrize("category", ["Sleep", "SLEEP", "수면", "sleep "])
def test_category_takes_name_and_labels_in_any_case(call: Call, category: str) -> None:
    result = call("search_catalog", category=category, limit=10)
    assert isinstance(result, ToolOk)
    assert result.data["count"] == 8


def test_unknown_category_answers_with_the_valid_ones(call: Call) -> None:
    result = call("search_catalog", category="요리")
    assert isinstance(result, ToolOk)
    assert result.data["count"] == 0
    assert "bodycare" in result.data["valid_categories"]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_entry_and_the_longest_search_fit_the_cap(store: Store, language: str) -> None:
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, language))
    for entry in store.catalogue.all():
        text = encode_tool_result(dispatcher.dispatch("query_protocol", {"id": entry.id}))
        assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES
        assert "_truncated" not in text, entry.id
    text = encode_tool_result(dispatcher.dispatch("search_catalog", {"limit": 10}))
    assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES


@pytest.mark.parametrize("category", ["Sleep", "수면", " sleep\n", "SLEEP"])
def test_the_category_label_becomes_its_name(deps: ToolDeps, category: str) -> None:
    tool = ToolRegistry.defaults().by_name("search_catalog")
    assert tool is not None
    assert tool.normalise is not None
    assert tool.normalise({"category": category, "limit": 3}, deps) == {"category": "sleep", "limit": 3}
    assert tool.normalise({"category": "요리"}, deps) == {"category": "요리"}
    assert tool.normalise({"category": "null", "keyword": None}, deps) == {}
    assert tool.normalise({"category": 3}, deps) == {"category": 3}
