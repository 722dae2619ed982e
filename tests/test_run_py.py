"""`run.py`: what it finds missing, what it says, and that a finished environment is not touched again."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def run_py(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script as a module that keeps its environment in a throw-away folder, in English."""
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    spec = importlib.util.spec_from_file_location("run_py", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "LOG", tmp_path / ".venv" / "setup.log")
    return module


def test_only_the_standard_library_is_imported() -> None:
    names = set()
    for node in ast.walk(ast.parse((ROOT / "run.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    assert names <= sys.stdlib_module_names


def test_nothing_is_missing_here(run_py: ModuleType) -> None:
    assert run_py.missing_packages(testing=True) == ([], [])


def test_missing_libraries_are_named_by_package(run_py: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_py, "has_library", lambda soname: soname != "libxcb-icccm.so.4")
    monkeypatch.setattr(run_py, "has_font", lambda parts: "Nanum" not in parts)
    assert run_py.missing_packages(testing=False) == (["libxcb-icccm4"], ["fonts-nanum"])
    assert run_py.missing_packages(testing=True) == (["libxcb-icccm4", "fonts-nanum"], [])


def test_without_root_the_one_command_is_said(run_py: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_py, "missing_packages", lambda testing: (["libegl1", "libgl1"], ["fonts-nanum"]))
    monkeypatch.setattr(run_py.os, "geteuid", lambda: 1000)
    with pytest.raises(run_py.SetupError) as said:
        run_py.prepare_system(testing=False)
    assert "sudo apt-get install -y --no-install-recommends libegl1 libgl1 fonts-nanum" in str(said.value)


def test_missing_fonts_alone_are_no_reason_to_stop(
    run_py: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run_py, "missing_packages", lambda testing: ([], ["fonts-nanum"]))
    monkeypatch.setattr(run_py.os, "geteuid", lambda: 1000)
    run_py.prepare_system(testing=False)
    assert "apt-get install" in capsys.readouterr().out


def test_root_installs_what_is_missing(run_py: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(run_py, "missing_packages", lambda testing: (["libegl1"], []))
    monkeypatch.setattr(run_py.os, "geteuid", lambda: 0)
    monkeypatch.setattr(run_py, "run_logged", lambda command, environment, title: commands.append(list(command)))
    run_py.prepare_system(testing=False)
    assert commands[0][:2] == ["apt-get", "update"]
    assert commands[1][-1] == "libegl1"


def test_no_compiler_stops_with_a_clear_message(run_py: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_py, "needs_compiler", lambda: True)
    monkeypatch.setattr(run_py.shutil, "which", lambda name: None)
    with pytest.raises(run_py.SetupError, match="no C\\+\\+ compiler"):
        run_py.prepare_compiler()


def test_a_failing_command_shows_the_end_of_its_output(run_py: ModuleType) -> None:
    with pytest.raises(run_py.SetupError, match="the last words"):
        run_py.run_logged([sys.executable, "-c", "print('the last words'); raise SystemExit(3)"], {}, "pip")


def test_an_environment_is_ready_only_for_these_very_files(run_py: ModuleType) -> None:
    assert not run_py.is_ready("app")
    python = run_py.venv_python()
    python.parent.mkdir(parents=True)
    python.write_text("")
    (run_py.VENV / "ready-dev").write_text(run_py.fingerprint("dev"), encoding="utf-8")
    assert run_py.is_ready("dev")
    assert run_py.is_ready("app")  # the developers' environment holds the app's
    (run_py.VENV / "ready-dev").write_text("something else", encoding="utf-8")
    assert not run_py.is_ready("app")


def test_help_and_unknown_commands() -> None:
    done = subprocess.run([sys.executable, ROOT / "run.py", "--help"], capture_output=True, text=True, check=False)
    assert (done.returncode, "python run.py test" in done.stdout) == (0, True)
    done = subprocess.run([sys.executable, ROOT / "run.py", "dance"], capture_output=True, text=True, check=False)
    assert (done.returncode, "python run.py test" in done.stderr) == (2, True)
