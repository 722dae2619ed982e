"""Starting in the tray when the user logs in: XDG autostart, the Run key of Windows, a LaunchAgent on macOS.

What is written there starts the program as it was started now, with `--hidden`. Any thread; the files and the
registry key are the only state.
"""

from __future__ import annotations

import argparse
import configparser
import os
import plistlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Protocol
from xml.parsers.expat import ExpatError

import platformdirs

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import APP_NAME

Command = tuple[str, ...]

ENTRY_NAME: Final = "lifehelper-desktop"  # of the file or label that the system knows
RUN_KEY: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
# Where the task manager keeps what the user switched off: an odd first byte.
APPROVED_KEY: Final = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
_SECTION: Final = "Desktop Entry"
_RESERVED: Final = frozenset(" \t\n\"'\\><~|&;$*?#()`")  # characters for which Exec wants quotes


class LoginStart(Protocol):
    """One system's way."""

    def is_enabled(self) -> bool:
        """Return whether the program starts at login."""
        ...

    def enable(self) -> None:
        """Let it start at login; an older entry is replaced."""
        ...

    def disable(self) -> None:
        """Let it not start at login; nothing happens when it does not."""
        ...


def is_enabled() -> bool:
    """Return whether the program starts when the user logs in.

    Raises:
        WorldError: The system does not let us look.
    """
    return this_system().is_enabled()


def enable() -> None:
    """Start the program in the tray when the user logs in.

    Raises:
        WorldError: The system did not take it.
    """
    this_system().enable()


def disable() -> None:
    """Start the program no more when the user logs in.

    Raises:
        WorldError: The system did not take it.
    """
    this_system().disable()


def this_system() -> LoginStart:
    """Return the way of the system that we run on."""
    command = start_command(sys.argv[1:])
    if sys.platform == "win32":
        return RunKey(command, WindowsRegistry())
    elif sys.platform == "darwin":  # noqa: RET505 - what mypy checks for one system only
        return LaunchAgent(command, Path.home() / "Library" / "LaunchAgents")
    else:
        return XdgAutostart(command, platformdirs.user_config_path() / "autostart")


def start_command(arguments: Sequence[str]) -> Command:
    """Return what starts the program as it was started now, hidden; of `arguments` the data folder is kept."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    parser.add_argument("--data-dir", default="")
    try:
        folder = parser.parse_known_args(list(arguments))[0].data_dir
    except argparse.ArgumentError:
        folder = ""  # not our command line, so nothing to keep
    kept = ("--data-dir", str(Path(folder).expanduser().absolute())) if folder else ()
    return (*_program(), "--hidden", *kept)


def _program() -> Command:
    if getattr(sys, "frozen", False):
        # The file inside a mounted AppImage is gone after this run; the image itself stays.
        return (os.environ.get("APPIMAGE") or sys.executable,)
    # Entry scripts and run.py lead here too: they run this interpreter, with the same package.
    interpreter = Path(sys.executable)
    windowless = interpreter.with_name("pythonw.exe")
    if sys.platform == "win32" and windowless.exists():
        interpreter = windowless  # no console beside the window
    return (str(interpreter), "-m", "lifehelper_desktop")


# ---- XDG desktops -------------------------------------------------------------------------------------------------


class XdgAutostart:
    """A desktop entry in the user's autostart folder (Linux and the BSDs)."""

    def __init__(self, command: Command, folder: Path) -> None:
        """Write entries for `command` into `folder`."""
        self._command = command
        self.path = folder / f"{ENTRY_NAME}.desktop"

    def is_enabled(self) -> bool:
        """Return whether there is an entry that the desktop follows."""
        entry = configparser.RawConfigParser(delimiters=("=",), strict=False)
        with _told():
            if not self.path.exists():
                return False
            text = self.path.read_text(encoding="utf-8", errors="replace")
        try:
            entry.read_string(text)
        except configparser.Error:
            return False
        hidden = entry.get(_SECTION, "Hidden", fallback="false")
        wanted = entry.get(_SECTION, "X-GNOME-Autostart-enabled", fallback="true")  # what a desktop's own list sets
        has_command = bool(entry.get(_SECTION, "Exec", fallback=""))
        return has_command and hidden.lower() != "true" and wanted.lower() != "false"

    def enable(self) -> None:
        """Write the entry."""
        lines = (
            f"[{_SECTION}]",
            "Type=Application",
            "Name=LifeHelper",
            "Name[ko]=라이프 헬퍼",
            f"TryExec={_string(self._command[0])}",  # when the program is gone, the desktop passes over the entry
            f"Exec={exec_value(self._command)}",
            f"Icon={ENTRY_NAME}",
            "Terminal=false",
            "StartupNotify=false",
            "X-GNOME-Autostart-enabled=true",
        )
        with _told():
            _write(self.path, "\n".join((*lines, "")).encode("utf-8", "surrogateescape"))

    def disable(self) -> None:
        """Remove the entry."""
        with _told():
            self.path.unlink(missing_ok=True)


def exec_value(command: Command) -> str:
    """Return `command` as the value of Exec: quoted for the program line, then escaped as a string of the file."""
    return _string(" ".join(map(_quote, command)))


def _string(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t")


def _quote(argument: str) -> str:
    plain = argument.replace("%", "%%")  # a lone percent sign begins a field code
    if argument and not _RESERVED & set(argument):
        return plain
    for sign in ("\\", '"', "`", "$"):
        plain = plain.replace(sign, f"\\{sign}")
    return f'"{plain}"'


# ---- macOS --------------------------------------------------------------------------------------------------------


class LaunchAgent:
    """A property list in the user's LaunchAgents folder."""

    def __init__(self, command: Command, folder: Path) -> None:
        """Write lists for `command` into `folder`."""
        self._command = command
        self.path = folder / f"{ENTRY_NAME}.plist"

    def is_enabled(self) -> bool:
        """Return whether there is a list that launchd follows."""
        with _told():
            if not self.path.exists():
                return False
            content = self.path.read_bytes()
        try:
            values = plistlib.loads(content)
        except (plistlib.InvalidFileException, ExpatError, ValueError, TypeError):
            return False
        return isinstance(values, dict) and bool(values.get("RunAtLoad")) and not values.get("Disabled")

    def enable(self) -> None:
        """Write the list; launchd reads it at the next login."""
        values = {
            "Label": ENTRY_NAME,
            "ProgramArguments": list(self._command),
            "RunAtLoad": True,
            "LimitLoadToSessionType": "Aqua",  # with a desktop only, not for remote logins
            "ProcessType": "Interactive",
        }
        with _told():
            _write(self.path, plistlib.dumps(values))

    def disable(self) -> None:
        """Remove the list."""
        with _told():
            self.path.unlink(missing_ok=True)


# ---- Windows ------------------------------------------------------------------------------------------------------


class Registry(Protocol):
    """The user's part of the registry; raises OSError."""

    def read(self, key: str, name: str) -> object:
        """Return a value, None when there is none."""
        ...

    def write(self, key: str, name: str, value: str) -> None:
        """Store a text."""
        ...

    def delete(self, key: str, name: str) -> None:
        """Remove a value; nothing happens when there is none."""
        ...


class RunKey:
    """A value of the Run key."""

    def __init__(self, command: Command, registry: Registry) -> None:
        """Write values for `command`."""
        self._command = command
        self._registry = registry

    def is_enabled(self) -> bool:
        """Return whether there is a value that was not switched off in the task manager."""
        with _told():
            if not self._registry.read(RUN_KEY, APP_NAME):
                return False
            approved = self._registry.read(APPROVED_KEY, APP_NAME)
        return not (isinstance(approved, bytes) and approved and approved[0] % 2 == 1)

    def enable(self) -> None:
        """Write the value."""
        with _told():
            self._registry.write(RUN_KEY, APP_NAME, subprocess.list2cmdline(self._command))
            self._registry.delete(APPROVED_KEY, APP_NAME)

    def disable(self) -> None:
        """Remove the value."""
        with _told():
            self._registry.delete(RUN_KEY, APP_NAME)


if sys.platform == "win32":
    import winreg

    class WindowsRegistry:
        """HKEY_CURRENT_USER."""

        def read(self, key: str, name: str) -> object:
            """Return a value, None when there is none."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key) as opened:
                    return winreg.QueryValueEx(opened, name)[0]
            except FileNotFoundError:
                return None

        def write(self, key: str, name: str, value: str) -> None:
            """Store a text."""
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, key) as opened:
                winreg.SetValueEx(opened, name, 0, winreg.REG_SZ, value)

        def delete(self, key: str, name: str) -> None:
            """Remove a value; nothing happens when there is none."""
            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, key, 0, winreg.KEY_SET_VALUE) as opened:
                    winreg.DeleteValue(opened, name)
            except FileNotFoundError:
                return


# ---- what all of them need ----------------------------------------------------------------------------------------


def _write(path: Path, content: bytes) -> None:
    """Put `content` in place whole: a desktop may read at any moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise WorldError(
            _("로그인할 때 시작하는 설정을 다루지 못했어요: {reason}").format(reason=error.strerror or str(error)),
            _("홈 폴더의 권한과 남은 공간을 살펴봐 주세요. 시스템 설정의 시작 프로그램에서 정할 수도 있어요."),
        ) from error
