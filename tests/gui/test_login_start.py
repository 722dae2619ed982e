"""Starting at login: each system's own files and keys, in a home of our own."""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from pathlib import Path

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.ui import login_start
from lifehelper_desktop.ui.login_start import (
    APPROVED_KEY,
    RUN_KEY,
    LaunchAgent,
    LoginStart,
    RunKey,
    XdgAutostart,
    exec_value,
    start_command,
)

COMMAND = ("/opt/life helper/lifehelper", "--hidden", "--data-dir", "/home/사람/자료 100%")


class FakeRegistry:
    """A registry in memory; `refuses` makes every write fail."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], object] = {}
        self.refuses = False

    def read(self, key: str, name: str) -> object:
        return self.values.get((key, name))

    def write(self, key: str, name: str, value: str) -> None:
        self._check()
        self.values[key, name] = value

    def delete(self, key: str, name: str) -> None:
        self._check()
        self.values.pop((key, name), None)

    def _check(self) -> None:
        if self.refuses:
            raise PermissionError(5, "Access is denied")


@pytest.fixture(params=["xdg", "macos", "windows"])
def way(request: pytest.FixtureRequest, tmp_path: Path) -> LoginStart:
    ways: dict[str, LoginStart] = {
        "xdg": XdgAutostart(COMMAND, tmp_path / "설정" / "autostart"),
        "macos": LaunchAgent(COMMAND, tmp_path / "Library" / "LaunchAgents"),
        "windows": RunKey(COMMAND, FakeRegistry()),
    }
    return ways[request.param]


def test_it_is_switched_on_and_off(way: LoginStart) -> None:
    assert not way.is_enabled()
    way.disable()
    for _again in range(2):
        way.enable()
        assert way.is_enabled()
    way.disable()
    assert not way.is_enabled()


# ---- XDG ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def xdg(tmp_path: Path) -> XdgAutostart:
    return XdgAutostart(COMMAND, tmp_path / "autostart")


def test_the_desktop_entry(xdg: XdgAutostart) -> None:
    xdg.enable()
    lines = xdg.path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "[Desktop Entry]"
    assert "Type=Application" in lines
    assert "Name[ko]=라이프 헬퍼" in lines
    assert 'Exec="/opt/life helper/lifehelper" --hidden --data-dir "/home/사람/자료 100%%"' in lines
    assert "TryExec=/opt/life helper/lifehelper" in lines  # without quotes: it is no command line
    assert [path.name for path in xdg.path.parent.iterdir()] == [xdg.path.name]


@pytest.mark.parametrize(
    ("argument", "written"),
    [
        ("/usr/bin/lifehelper", "/usr/bin/lifehelper"),
        ("", '""'),
        ("두 낱말", '"두 낱말"'),
        ("50%", "50%%"),
        ("$HOME", r'"\\$HOME"'),
        ('a"b', r'"a\\"b"'),
        ("a`b", r'"a\\`b"'),
        (r"a\b", r'"a\\\\b"'),
        ("a\nb", r'"a\nb"'),
        ("~/x", '"~/x"'),
    ],
)
def test_exec_is_quoted_by_the_rules_of_desktop_entries(argument: str, written: str) -> None:
    assert exec_value((argument,)) == written


@pytest.mark.parametrize("line", ["Hidden=true", "X-GNOME-Autostart-enabled=false"])
def test_an_entry_that_was_switched_off_elsewhere_is_off(xdg: XdgAutostart, line: str) -> None:
    xdg.enable()
    with xdg.path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
    assert not xdg.is_enabled()
    xdg.enable()
    assert xdg.is_enabled()


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"no section", b"[Desktop Entry]\nType=Application\n"])
def test_what_is_no_desktop_entry_starts_nothing(xdg: XdgAutostart, content: bytes) -> None:
    xdg.path.parent.mkdir()
    xdg.path.write_bytes(content)
    assert not xdg.is_enabled()


def test_this_system_follows_the_config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "다른 설정"))
    monkeypatch.setattr(sys, "argv", ["lifehelper-desktop"])
    login_start.enable()
    assert login_start.is_enabled()
    entry = tmp_path / "다른 설정" / "autostart" / "lifehelper-desktop.desktop"
    assert f"Exec={sys.executable} -m lifehelper_desktop --hidden" in entry.read_text(encoding="utf-8")
    login_start.disable()
    assert not login_start.is_enabled()


def test_a_disk_that_refuses_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("in the way", encoding="utf-8")
    way = XdgAutostart(COMMAND, tmp_path / "autostart")
    with pytest.raises(WorldError) as caught:
        way.enable()
    assert "로그인할 때 시작하는 설정" in caught.value.message
    assert "권한" in caught.value.next_step


# ---- macOS and Windows --------------------------------------------------------------------------------------------


def test_the_launch_agent(tmp_path: Path) -> None:
    agent = LaunchAgent(COMMAND, tmp_path)
    agent.enable()
    values = plistlib.loads(agent.path.read_bytes())
    assert values["ProgramArguments"] == list(COMMAND)
    assert values["RunAtLoad"] is True
    agent.path.write_bytes(plistlib.dumps({**values, "Disabled": True}))
    assert not agent.is_enabled()


@pytest.mark.parametrize("content", [b"", b"<plist>", b"not a list", plistlib.dumps(["a"])])
def test_what_is_no_property_list_starts_nothing(tmp_path: Path, content: bytes) -> None:
    agent = LaunchAgent(COMMAND, tmp_path)
    agent.path.write_bytes(content)
    assert not agent.is_enabled()


def test_the_run_key() -> None:
    registry = FakeRegistry()
    key = RunKey((r"C:\Program Files\LifeHelper\lifehelper.exe", "--hidden"), registry)
    key.enable()
    assert registry.values == {(RUN_KEY, "LifeHelper"): r'"C:\Program Files\LifeHelper\lifehelper.exe" --hidden'}


@pytest.mark.parametrize(("flag", "on"), [(b"\x02" + bytes(11), True), (b"\x03" + bytes(11), False), (b"", True)])
def test_the_task_manager_may_have_switched_it_off(flag: bytes, on: bool) -> None:
    registry = FakeRegistry()
    key = RunKey(COMMAND, registry)
    key.enable()
    registry.values[APPROVED_KEY, "LifeHelper"] = flag
    assert key.is_enabled() is on
    key.enable()
    assert key.is_enabled()


def test_a_registry_that_refuses_is_told_in_words() -> None:
    registry = FakeRegistry()
    registry.refuses = True
    with pytest.raises(WorldError, match="Access is denied"):
        RunKey(COMMAND, registry).enable()


# ---- how the program was started ----------------------------------------------------------------------------------


def test_a_module_is_started_with_its_interpreter() -> None:
    assert start_command([]) == (sys.executable, "-m", "lifehelper_desktop", "--hidden")


def test_that_command_starts_the_program() -> None:
    version = subprocess.run([*start_command([]), "--version"], capture_output=True, text=True, timeout=60, check=True)
    assert version.stdout.startswith("lifehelper-desktop ")


@pytest.mark.parametrize("form", [["--data-dir", "내 자료"], ["--lang", "en", "--data-dir=내 자료", "--verbose"]])
def test_the_data_folder_is_kept(form: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert start_command(form)[-3:] == ("--hidden", "--data-dir", str(tmp_path / "내 자료"))


def test_a_command_line_of_another_program_is_no_trouble() -> None:
    assert start_command(["--data-dir"])[-1] == "--hidden"


def test_a_frozen_program_is_its_own_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.delenv("APPIMAGE", raising=False)
    assert start_command([]) == (sys.executable, "--hidden")
    monkeypatch.setenv("APPIMAGE", "/home/사람/LifeHelper.AppImage")
    assert start_command([]) == ("/home/사람/LifeHelper.AppImage", "--hidden")


def test_windows_gets_the_interpreter_without_a_console(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("python.exe", "pythonw.exe"):
        (tmp_path / name).touch()
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "executable", os.fspath(tmp_path / "python.exe"))
    assert start_command([])[0] == str(tmp_path / "pythonw.exe")
