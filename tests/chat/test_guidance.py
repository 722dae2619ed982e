"""The worked exchanges and hints for pretrained models: valid calls, both languages, kept apart from the eval cases."""

from __future__ import annotations

import json
import re
from pathlib import Path

from lifehelper_desktop.chat.claims import claims_a_write
from lifehelper_desktop.chat.guidance import worked_examples
from lifehelper_desktop.chat.prompts import chat_prompt
from lifehelper_desktop.chat.starter.contract import TRAINED_TOOLS
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.registry import ToolRegistry

DATA = Path(__file__).parent.parent / "data"


def _squeezed(text: str) -> str:
    return re.sub(r"\W", "", text).casefold()


def test_every_example_calls_known_tools_with_known_arguments() -> None:
    registry = ToolRegistry.defaults()
    seen = set()
    for example in worked_examples():
        for name, args in example.calls:
            tool = registry.by_name(name)
            assert tool is not None, example
            assert set(args) <= set(tool.parameters_schema["properties"]), example
            assert set(tool.parameters_schema["required"]) <= set(args), example
            seen.add(name)
        assert example.calls or example.answer, example
    assert seen == set(TRAINED_TOOLS), "a pretrained model is shown the tools that the starter knows"


def test_examples_hold_no_evaluation_message() -> None:
    """A figure of the evaluation must not be learnt by heart."""
    rows = (DATA / "coach_dev.jsonl").read_text(encoding="utf-8").splitlines()
    cases = {_squeezed(json.loads(row)["user"]) for row in rows}
    assert not cases & {_squeezed(example.user) for example in worked_examples()}


def test_answers_without_a_call_claim_nothing() -> None:
    for example in worked_examples():
        if not example.calls:
            assert not claims_a_write(example.answer), example


def test_both_languages_have_every_kind_of_example() -> None:
    kinds: dict[bool, set[tuple[str, ...]]] = {True: set(), False: set()}
    for example in worked_examples():
        korean = bool(re.search("[가-힣]", example.user))
        kinds[korean].add(tuple(name for name, _args in example.calls))
    assert kinds[True] == kinds[False]


def test_hints_name_every_catalogue_entry(store: Store) -> None:
    prompt = chat_prompt(ToolRegistry.defaults(), store, "ko")
    tools = {tool.name: tool.parameters for tool in prompt.tools}
    ids = {entry.id for entry in store.catalogue.all()}
    assert set(tools["query_protocol"]["properties"]["id"]["x-labels"]) == ids
    assert set(tools["add_habit"]["properties"]["protocol_id"]["x-labels"]) == ids
    # The registry's own schemas stay as they are.
    assert "x-label" not in str(ToolRegistry.defaults().by_name("add_habit"))
