"""The real program on a real X server: it comes up, is usable, saves nothing by itself, and ends cleanly."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import SystemClock
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.base.settings import FIRST_RUN_DONE
from lifehelper_desktop.storage.store import open_store
from tests.integration.display import environment_of, x_server

pytestmark = pytest.mark.display


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server of our own."""
    with x_server() as name:
        yield name


@pytest.mark.parametrize(("language", "title"), [("ko", "라이프 헬퍼"), ("en", "LifeHelper")])
def test_the_window_opens_and_closes(display: str, tmp_path: Path, language: str, title: str) -> None:
    environment = environment_of(display, tmp_path)
    with closing(open_store(resolve_paths(tmp_path / "자료"), SystemClock())) as store:
        store.settings.set(FIRST_RUN_DONE, True)
    command = [sys.executable, "-m", "lifehelper_desktop", "--data-dir", str(tmp_path / "자료"), "--lang", language]
    program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        # `--sync` waits until the window is there.
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", f"^{title}$"]
        found = subprocess.run(search, env=environment, capture_output=True, text=True, timeout=60, check=True)
        window = found.stdout.split()[0]
        close = ["xdotool", "windowfocus", "--sync", window, "key", "ctrl+q"]
        subprocess.run(close, env=environment, timeout=60, check=True)
        code = program.wait(30)
    finally:
        program.kill()
        _out, errors = program.communicate()
    assert "Traceback" not in errors
    assert code == 0, errors
    assert (tmp_path / "자료" / "lifehelper.db").exists()
    assert not list((tmp_path / "자료" / "logs").glob("crash-*"))


def test_the_first_start_leads_through_the_first_steps(display: str, tmp_path: Path) -> None:
    environment = environment_of(display, tmp_path)
    data = tmp_path / "data"
    command = [sys.executable, "-m", "lifehelper_desktop", "--data-dir", str(data), "--lang", "ko"]
    program = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    try:
        search = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "^처음 안내$"]
        found = subprocess.run(search, env=environment, capture_output=True, text=True, timeout=60, check=True)
        leave = ["xdotool", "windowfocus", "--sync", found.stdout.split()[0], "key", "Escape"]
        subprocess.run(leave, env=environment, timeout=60, check=True)
        search[-1] = "^라이프 헬퍼$"
        found = subprocess.run(search, env=environment, capture_output=True, text=True, timeout=60, check=True)
        close = ["xdotool", "windowfocus", "--sync", found.stdout.split()[0], "key", "ctrl+q"]
        subprocess.run(close, env=environment, timeout=60, check=True)
        code = program.wait(30)
    finally:
        program.kill()
        _out, errors = program.communicate()
    assert code == 0, errors
    with closing(open_store(resolve_paths(data), SystemClock())) as store:
        assert store.settings.get_bool(FIRST_RUN_DONE)


def test_without_a_display_it_says_so_and_ends(tmp_path: Path) -> None:
    environment = environment_of("", tmp_path)
    del environment["DISPLAY"]
    command = [sys.executable, "-m", "lifehelper_desktop", "--data-dir", str(tmp_path / "data"), "--lang", "en"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert "lifehelper" in done.stderr
    assert "Traceback" not in done.stderr
