"""Fixtures of the import and export tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.store import Store, open_store


@pytest.fixture
def other_store(tmp_path: Path, clock: FixedClock) -> Iterator[Callable[[], Store]]:
    """Opens further empty profiles."""
    opened: list[Store] = []

    def make() -> Store:
        folder = tmp_path / f"other-{len(opened)}"
        opened.append(open_store(AppPaths(folder, folder / "cache", folder / "logs"), clock))
        return opened[-1]

    yield make
    for store in opened:
        store.close()
