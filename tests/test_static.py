"""The project's static checks are tests: import directions, lint, format, types, and what must not be committed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = Path(sys.executable).parent


def _check(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_imports_go_one_way() -> None:
    _check(str(SCRIPTS / "lint-imports"))


def test_ruff_check() -> None:
    _check(str(SCRIPTS / "ruff"), "check", ".")


def test_ruff_format() -> None:
    _check(str(SCRIPTS / "ruff"), "format", "--check", ".")


@pytest.mark.timeout(300)
def test_mypy() -> None:
    _check(str(SCRIPTS / "mypy"))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_mypy_for_the_systems_that_this_is_not(platform: str) -> None:
    """What only Linux has (`os.fork`, `fcntl`, a signal) is an error there; what another system skips is none."""
    cache = str(ROOT / ".mypy_cache" / platform)
    options = ("--platform", platform, "--no-warn-unreachable", "--cache-dir", cache)
    _check(str(SCRIPTS / "mypy"), *options)


def test_no_python_file_is_over_400_lines() -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for folder in ("lifehelper_desktop", "packaging")
        for path in (ROOT / folder).rglob("*.py")
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}


def test_lock_files_name_no_index_and_have_hashes() -> None:
    for path in (ROOT / "packaging" / "lock").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text
        assert "index" not in text
        for block in text.split("\n"):
            if "==" in block:
                assert block.endswith("\\"), f"{path.name}: {block} has no hash"


def test_package_holds_no_scripted_model() -> None:
    for path in (ROOT / "lifehelper_desktop").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert "Scripted" not in text, path
        assert "from tests" not in text, path
