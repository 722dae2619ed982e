"""The command line run in this process, with a scripted model."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest

from lifehelper_desktop.base.clock import Clock, FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.cli.main import run
from lifehelper_desktop.storage.store import Store, open_store
from tests.helpers.scripted_llm import ScriptedLlmService

NOW = datetime(2026, 8, 12, 21, 30, tzinfo=UTC)


@dataclass
class Cli:
    """Runs command lines on one data folder.

    Attributes:
        llm: The model that `chat` and `eval` get.
    """

    paths: AppPaths
    capsys: pytest.CaptureFixture[str]
    llm: ScriptedLlmService = field(default_factory=ScriptedLlmService)
    err: str = ""

    def __call__(self, *argv: str) -> tuple[int, str]:
        """Run one command line; return its exit code and what it printed."""
        code = run(["--data-dir", str(self.paths.data), *argv], self._open, lambda paths, model, family: self.llm)
        captured = self.capsys.readouterr()
        self.err = captured.err
        return code, captured.out

    def json(self, *argv: str) -> Any:
        """Run with `--json`; return the one value, or the list of lines."""
        _code, out = self(*argv, "--json")
        rows = [json.loads(line) for line in out.splitlines()]
        return rows[0] if len(rows) == 1 else rows

    @staticmethod
    def _open(paths: AppPaths, clock: Clock | None) -> Store:
        return open_store(paths, clock or FixedClock(NOW))


@pytest.fixture
def cli(paths: AppPaths, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A command line in Korean on an empty folder."""
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    return Cli(paths, capsys)
