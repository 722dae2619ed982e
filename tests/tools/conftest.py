"""A dispatcher over a fresh store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.helpers.worlds import RecordingGate

Call = Callable[..., ToolResult]


@pytest.fixture
def deps(store: Store) -> ToolDeps:
    """What handlers work with, in Korean."""
    return ToolDeps(store, "ko")


@pytest.fixture
def call(deps: ToolDeps) -> Call:
    """Dispatch one call, saying yes to every question."""
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), deps)

    def run(name: str, **args: Any) -> ToolResult:
        return dispatcher.dispatch(name, args, RecordingGate())

    return run
