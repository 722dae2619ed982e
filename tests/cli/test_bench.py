"""The shape of what `lifehelper bench` reports. Not its figures: a busy machine must not fail a test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Cli

ROOT = Path(__file__).parents[2]


def test_a_model_that_is_not_there_is_said_in_words(cli: Cli, tmp_path: Path) -> None:
    code, _out = cli("bench", "--model", str(tmp_path / "none.gguf"))
    assert code == 3
    assert "none.gguf" in cli.err


@pytest.mark.gguf
@pytest.mark.timeout(400)
def test_the_report_has_every_measure(starter_model_path: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lifehelper_desktop", "cli", "--data-dir", str(tmp_path / "자료")]
    command += ["bench", "--json", "--quick", "--model", str(starter_model_path)]
    environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    report: dict[str, Any] = json.loads(line)
    assert report["machine"]["threads"] >= 1
    first = report["first_token"]
    # The second process read the end of the message only; the opening came from the disk.
    assert 0 < first["warm_read_tokens"] < 100 < first["cold_read_tokens"] == first["prompt_tokens"]
    assert first["cold_s"] > 0
    assert first["warm_s"] > 0
    assert report["decode"]["tokens_per_s"] > 0
    assert report["decode"]["bare_tokens_per_s"] > 0
    assert report["plain_llama"]["tokens_per_s"] > 0
    rounds = report["conversation"]["rounds"]
    assert [row["round"] for row in rounds] == ["message", "call 1", "call 2", "call 3", "next message"]
    assert all(row["reread_tokens"] == 0 for row in rounds)
    assert report["conversation"]["peak_bytes"] > 100_000_000
    assert report["stop"]["prompt_tokens"] == 3000
    assert set(report["stop"]) == {"reading_s", "writing_s", "prompt_tokens"}
    assert report["turn"]["family"] == "gemma3-base"
    assert len(report["turn"]["turns"]) == 3
    assert len(report["goals"]) == 4
    assert all(isinstance(reached, bool) for reached in report["goals"].values())
