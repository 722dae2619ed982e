"""The starter model, loaded once for all tests that need a real one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifehelper_desktop.llm.llama_engine import ASIDE, LlamaEngine
from lifehelper_desktop.llm.llama_native import native
from lifehelper_desktop.llm.vocabulary import Vocabulary
from tests.helpers.llama_sources import TEMPLATE, VOCABULARY, reference_files
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


@pytest.fixture(scope="session")
def gemma4_files(pytestconfig: pytest.Config) -> dict[str, Path]:
    """The template and the vocabulary of Gemma 4, from the source package of the engine."""
    assert pytestconfig.cache is not None
    return reference_files(pytestconfig.cache.mkdir("llama-sources"))


@pytest.fixture(scope="session")
def gemma4_template(gemma4_files: dict[str, Path]) -> str:
    """The real Jinja template."""
    return gemma4_files[TEMPLATE].read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def gemma4_vocabulary(gemma4_files: dict[str, Path]) -> Iterator[Vocabulary]:
    """The real vocabulary, without a model."""
    api = native()
    params = api.llama_model_default_params()
    params.vocab_only = True
    model = api.llama_model_load_from_file(os.fsencode(gemma4_files[VOCABULARY]), params)
    assert model
    yield Vocabulary(api, api.llama_model_get_vocab(model))
    api.llama_model_free(model)
