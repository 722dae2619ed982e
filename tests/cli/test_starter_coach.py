"""The coach that is shipped: what its adapter was trained for, and twenty messages that it never saw."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import pytest

from lifehelper_desktop.__main__ import make_llm, open_app_store
from lifehelper_desktop.chat.starter.contract import contract, contract_of_this_app
from lifehelper_desktop.cli.main import run
from lifehelper_desktop.llm.families import CONTRACT_KEY, STARTER
from lifehelper_desktop.llm.gguf_header import read_header
from lifehelper_desktop.llm.llama_service import LlamaService
from lifehelper_desktop.llm.model_store import adapter_path
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.tools.registry import ToolRegistry

VALIDATION = Path(__file__).parent.parent / "data" / "starter_validation.jsonl"
ADAPTER_MAX_BYTES = 30 * 2**20
PASSED_AT_LEAST = 17
"""Of twenty. The coach passes about nine in ten, and close choices may fall otherwise on another processor."""


def test_the_adapter_fits_this_program() -> None:
    path = adapter_path()
    assert path is not None
    assert path.stat().st_size <= ADAPTER_MAX_BYTES
    field = gguf.GGUFReader(path).get_field(CONTRACT_KEY)
    assert field is not None
    # Tools, parameters or the catalogue have changed: train the adapter anew (packaging/starter_model/make.py).
    assert field.contents() == contract_of_this_app()


def test_the_contract_changes_with_what_it_names() -> None:
    registry, catalogue = ToolRegistry.defaults(), Catalogue.load()
    whole = contract(registry, catalogue)
    fewer = ToolRegistry(tool for tool in registry.all() if tool.name != "get_streak")
    assert contract(fewer, catalogue) != whole
    assert contract(registry, Catalogue(catalogue.categories, catalogue.all()[1:])) != whole


@pytest.mark.gguf
def test_the_model_is_known_for_what_it_is(coach_model_path: Path) -> None:
    assert read_header(coach_model_path).values[CONTRACT_KEY] == contract_of_this_app()
    service = LlamaService(lambda: coach_model_path, probe=False, n_ctx=1024)
    try:
        info = service.load()
        assert (info.family, info.chat_tuned) == (STARTER, False)
    finally:
        service.close()


@pytest.mark.gguf
@pytest.mark.timeout(300)
def test_twenty_messages_that_it_never_saw(
    coach_model_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [line for line in VALIDATION.read_text(encoding="utf-8").splitlines() if line.strip()]
    some = tmp_path / "some.jsonl"
    some.write_text("\n".join(rows[::10]) + "\n", encoding="utf-8")
    command = ["--data-dir", str(tmp_path / "data"), "--json", "eval", str(some), "--model", str(coach_model_path)]
    assert run(command, open_app_store, make_llm) == 0
    *cases, totals = map(json.loads, capsys.readouterr().out.splitlines())
    assert totals["total"] == 20
    assert totals["passed"] >= PASSED_AT_LEAST, [row["id"] for row in cases if not row["passed"]]
    assert totals["valid_first_try"] >= 0.95
    assert totals["false_claims"] == 0
    assert totals["capped"] == 0


def test_no_message_of_the_evaluations_is_trained_on() -> None:
    phrases = Path(__file__).parent.parent.parent / "packaging" / "starter_model" / "phrases"
    trained = {
        squeeze(line.partition(":")[2].partition(" => ")[0])
        for path in phrases.glob("*.txt")
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    assert len(trained) > 5000
    for name in ("coach_dev.jsonl", "starter_validation.jsonl"):
        for line in (VALIDATION.parent / name).read_text(encoding="utf-8").splitlines():
            if line.strip():
                message = squeeze(json.loads(line)["user"])
                assert len(message) < 12 or message not in trained, message


def squeeze(text: str) -> str:
    """Return the letters only."""
    return "".join(char for char in text.casefold() if char.isalnum())
