"""The starter model, loaded once for all tests that need a real one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lifehelper_desktop.llm.llama_engine import ASIDE, LlamaEngine
from tests.llm.support import StopAtAsk


@pytest.fixture(scope="package")
def idle_flag() -> StopAtAsk:
    """The flag of the shared engine; each test may put its own in its place."""
    return StopAtAsk(0)


@pytest.fixture(scope="package")
def loaded(starter_model_path: Path, idle_flag: StopAtAsk) -> Iterator[LlamaEngine]:
    """One engine for all: loading takes a second."""
    engine = LlamaEngine(starter_model_path, n_ctx=4096, stop=idle_flag)
    yield engine
    engine.close()


@pytest.fixture
def engine(loaded: LlamaEngine, idle_flag: StopAtAsk) -> Iterator[LlamaEngine]:
    """The engine with empty logs and a flag that nobody presses."""
    loaded._stop = idle_flag
    loaded.truncate(0)
    loaded.truncate(0, ASIDE)
    yield loaded
    loaded._stop = idle_flag
