"""The whole path with the real Gemma of the starter extra: message, call, question, database row, screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import open_store

pytestmark = pytest.mark.gguf
MESSAGE = "오늘 걷기 다 했어, 기록해 줘"


def _lifehelper(data: Path, *argv: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lifehelper_desktop", "cli", "--data-dir", str(data), "--lang", "ko", *argv]
    environment = {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=110, check=False)


@pytest.fixture
def data(tmp_path: Path, lend_coach: Callable[[AppPaths], None]) -> Path:
    """A data folder with a walking habit, and the model where the app looks for it."""
    folder = tmp_path / "자료"
    paths = resolve_paths(folder)
    lend_coach(paths)
    added = _lifehelper(folder, "add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")
    assert added.returncode == 0, added.stderr
    return folder


def test_a_message_becomes_a_row(data: Path) -> None:
    done = _lifehelper(data, "chat", MESSAGE, "--yes", "--json")
    assert done.returncode == 0, done.stderr
    events = [json.loads(line) for line in done.stdout.splitlines()]
    kinds = [event["type"] for event in events]
    assert kinds[0] == "user_message"
    assert kinds[-1] == "turn_finished"
    assert "model_loading" in kinds
    assert "text" in kinds
    calls = [event for event in events if event["type"] == "tool_call" and event["state"] == "done"]
    assert [call["name"] for call in calls if call["name"] == "log_tracker_entry"]
    listed = json.loads(_lifehelper(data, "habits", "--json").stdout)
    assert listed["data"]["items"][0]["today"] == "done"


def test_without_a_yes_the_call_is_cancelled_and_nothing_written(data: Path) -> None:
    done = _lifehelper(data, "chat", MESSAGE, "--json")
    events = [json.loads(line) for line in done.stdout.splitlines()]
    assert [event["state"] for event in events if event["type"] == "tool_call"][-1] == "cancelled"
    listed = json.loads(_lifehelper(data, "habits", "--json").stdout)
    assert listed["data"]["items"][0]["today"] is None


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.gguf", b""),
        ("random.gguf", bytes(range(256)) * 4096),
        ("text.gguf", b"GGUF" + b"\xff" * 4096),
    ],
)
def test_a_file_that_is_no_model_is_said_in_words(data: Path, tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    done = _lifehelper(data, "chat", "안녕", "--model", str(path), "--json")
    assert done.returncode == 3
    last = json.loads(done.stdout.splitlines()[-1])
    assert last["type"] == "turn_failed"
    assert name in last["error"]
    assert last["next_step"]
    assert "Traceback" not in done.stderr


def test_a_truncated_model_is_said_in_words(data: Path, tmp_path: Path, starter_model_path: Path) -> None:
    path = tmp_path / "cut.gguf"
    with starter_model_path.open("rb") as whole:
        path.write_bytes(whole.read(30_000_000))
    done = _lifehelper(data, "chat", "안녕", "--model", str(path), "--json")
    assert (done.returncode, json.loads(done.stdout.splitlines()[-1])["type"]) == (3, "turn_failed")


def test_doctor_finds_everything(data: Path) -> None:
    done = _lifehelper(data, "doctor", "--json")
    report = json.loads(done.stdout)
    assert (done.returncode, report["problems"]) == (0, [])
    assert report["model"]["ok"] is True
    assert report["versions"]["llama-cpp-python"] == "0.3.36"
    assert report["memory"]["total_bytes"] > 0
    assert report["engine"]["cpu_variant"]
    assert report["engine"]["cpu_features"]


def test_eval_runs_a_case_with_the_real_model(data: Path) -> None:
    case = {
        "id": "log",
        "lang": "ko",
        "now": "2026-08-12T21:30:00",
        "habits": [
            {"protocol_id": "daily-steps", "framed_text": "저녁에 걷는다", "frame_level": 2, "started": "2026-08-01"}
        ],
        "user": MESSAGE,
        "expect": {
            "calls": [{"name": "log_tracker_entry", "args": {"habit_id": 1}, "date": "2026-08-12"}],
            "result": "ok",
        },
        "tags": ["log"],
    }
    path = data / "cases.jsonl"
    path.write_text(json.dumps(case), encoding="utf-8")
    done = _lifehelper(data, "eval", str(path), "--json")
    totals = json.loads(done.stdout.splitlines()[-1])
    assert (totals["total"], totals["passed"]) == (1, 1), done.stdout
    assert totals["turn_s"]["median"] > 0


def test_the_row_is_there_for_another_process(data: Path) -> None:
    """Two front ends on one file: what one process writes, another sees."""
    store = open_store(resolve_paths(data))
    try:
        before = store.db.data_version()
        assert _lifehelper(data, "log", "1", "minimum").returncode == 0
        assert store.db.data_version() != before
        entry = store.entries.get(1, store.today())
        assert entry is not None
        assert entry.value is EntryValue.MINIMUM
    finally:
        store.close()
