"""Processors below x86-64-v2: found out by three ways of asking, and told in words instead of a crash."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.__main__ import main_gui
from lifehelper_desktop.base import old_processor, processor
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.old_processor import box_command, require_for_coach, stops_window

ROOT = Path(__file__).resolve().parent.parent.parent
CORE_2 = ("POPCNT", "SSE4.1", "SSE4.2")


class _Leaf:
    """`__x86_get_cpuid_feature_leaf` of a pretended glibc."""

    def __init__(self, ecx: dict[int, int]) -> None:
        self._ecx = ecx

    def __call__(self, leaf: int) -> list[list[int]]:
        return [[0, 0, self._ecx[leaf], 0, 0, 0, 0, 0]]


class _Kernel:
    def __init__(self, present: set[int]) -> None:
        self._present = present

    def IsProcessorFeaturePresent(self, number: int) -> bool:
        return number in self._present


def _glibc(ecx_1: int, ecx_extended: int) -> Any:
    return type("Library", (), {"__x86_get_cpuid_feature_leaf": _Leaf({0: ecx_1, 2: ecx_extended})})()


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Core 2: everything that asks gets the same answer."""
    monkeypatch.setattr(old_processor, "missing_features", lambda: CORE_2)


def test_nothing_is_missing_where_the_tests_run() -> None:
    assert processor.missing_features() == ()


def test_other_architectures_are_not_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(processor.platform, "machine", lambda: "aarch64")
    assert processor.missing_features(tmp_path / "none") == ()


# The words that the processors themselves answered under an emulator.
@pytest.mark.parametrize(
    ("ecx_1", "ecx_extended", "missing"),
    [
        (0x80982201, 0x1, ()),  # Nehalem
        (0x80002001, 0x5, ("POPCNT", "SSSE3", "SSE4.1", "SSE4.2")),  # qemu64
        (0, 0, ("CMPXCHG16B", "LAHF", "POPCNT", "SSE3", "SSSE3", "SSE4.1", "SSE4.2")),
    ],
)
def test_glibc_is_asked(ecx_1: int, ecx_extended: int, missing: tuple[str, ...]) -> None:
    assert processor._missing_glibc(_glibc(ecx_1, ecx_extended)) == missing


def test_without_glibc_the_kernel_is_asked(tmp_path: Path) -> None:
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("model name\t: Core 2\nflags\t\t: fpu cx16 lahf_lm pni ssse3\n", encoding="ascii")
    assert processor._missing_glibc(object()) is None
    assert processor._missing_cpuinfo(cpuinfo) == CORE_2
    assert processor._missing_cpuinfo(tmp_path / "none") == ()
    cpuinfo.write_text("processor\t: 0\n", encoding="ascii")
    assert processor._missing_cpuinfo(cpuinfo) == ()


def test_windows_is_asked_only_what_it_can_answer() -> None:
    everything = {13, 14, 36, 37, 38}
    assert processor._missing_windows(_Kernel(everything), 22631) == ()
    assert processor._missing_windows(_Kernel({13, 14, 36}), 22631) == ("SSE4.1", "SSE4.2")
    assert processor._missing_windows(_Kernel({13, 14}), 17763) == ()  # it says no to the others whatever there is
    assert processor._missing_windows(_Kernel({13}), 17763) == ("CMPXCHG16B",)


def test_the_file_works_alone() -> None:
    assert runpy.run_path(str(ROOT / "lifehelper_desktop" / "base" / "processor.py"))["missing_features"]() == ()


@pytest.mark.usefixtures("old")
def test_the_coach_says_what_is_missing_and_what_still_works() -> None:
    with pytest.raises(WorldError) as said:
        require_for_coach()
    assert "POPCNT, SSE4.1, SSE4.2" in said.value.message
    assert "습관 기록은 그대로" in said.value.next_step


@pytest.mark.usefixtures("old")
def test_the_window_says_why_it_does_not_open(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")
    monkeypatch.setenv("PATH", str(tmp_path))  # no program that shows a box
    assert main_gui([]) == 3
    assert "창을 열 수 없어요" in capsys.readouterr().err


def test_a_fitting_processor_hears_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert not stops_window()
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has its own box")
@pytest.mark.usefixtures("old")
def test_without_a_terminal_the_desktop_shows_a_box(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    program = tmp_path / "kdialog"
    program.write_text(f'#!/bin/sh\nfor word in "$@"; do echo "$word"; done > "{shown}"\n', encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(sys, "stderr", None)  # a program with a window may have none
    assert stops_window()
    assert "SSE4.2" in shown.read_text(encoding="utf-8")


def test_a_box_needs_a_display_and_a_program(tmp_path: Path) -> None:
    assert box_command("말", {"PATH": str(tmp_path), "DISPLAY": ":0"}) is None
    program = tmp_path / "zenity"
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    assert box_command("말", {"PATH": str(tmp_path)}) is None
    command = box_command("말 <b>", {"PATH": str(tmp_path), "WAYLAND_DISPLAY": "wayland-0"})
    assert command is not None
    assert (command[0], command[-1]) == (str(program), "말 <b>")
    assert "--no-markup" in command


def test_neither_qt_nor_numpy_is_imported_before_the_answer(tmp_path: Path) -> None:
    program = f"""
import sys
import lifehelper_desktop.base.processor as processor
processor.missing_features = lambda: ("SSE4.2",)
from lifehelper_desktop.__main__ import main_cli, main_gui
data = {str(tmp_path / "자료")!r}
codes = [
    main_gui([]),
    main_cli(["--data-dir", data, "chat", "안녕"]),
    main_cli(["--data-dir", data, "habits"]),
]
print(codes, sorted({{"PySide6", "numpy", "llama_cpp"}} & set(sys.modules)))
"""
    environment = {**os.environ, "LC_ALL": "ko_KR.UTF-8", "PATH": str(tmp_path), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "[3, 3, 0] []", done.stderr
    assert "창을 열 수 없어요" in done.stderr
    assert "코치가 답할 수 없어요" in done.stdout
