"""Facts about the program that every package needs, each read from its one place."""

from __future__ import annotations

import ast
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGING: Final = ROOT / "packaging"
ICON: Final = ROOT / "resources" / "icons" / "app.svg"
WINDOW: Final = "lifehelper-desktop"
"""The program with the window; also the name of the package, of the desktop entry and of its icons."""
COMMAND: Final = "lifehelper"
"""The command line."""
TITLE: Final = "LifeHelper"
APP_ID: Final = "app.lifehelper.LifeHelper"
"""The name for catalogues of programs (AppStream, Flatpak) and for macOS; some of them cut `.desktop` off an end."""
SITE: Final = os.environ.get("LIFEHELPER_SITE", "https://lifehelper.example")
"""Where whoever publishes the packages puts `packaging/screenshots`; the default is nobody's address."""


def version() -> str:
    """Return the version, which is written in the package and nowhere else.

    Raises:
        ValueError: It is not there.
    """
    tree = ast.parse((ROOT / "lifehelper_desktop" / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(getattr(each, "id", "") == "__version__" for each in node.targets):
            return str(ast.literal_eval(node.value))
    raise ValueError("lifehelper_desktop/__init__.py has no __version__")


def source_date() -> int:
    """Return SOURCE_DATE_EPOCH: the one given, else the time of the last commit, else of the newest source file.

    Raises:
        ValueError: The one given is no number of seconds.
    """
    if given := os.environ.get("SOURCE_DATE_EPOCH", ""):
        if not given.isdecimal():
            raise ValueError(f"SOURCE_DATE_EPOCH is {given!r}, seconds since 1970 are wanted")
        return int(given)
    try:
        command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return max(int(path.stat().st_mtime) for path in (ROOT / "lifehelper_desktop").rglob("*.py"))


def release_day() -> str:
    """Return the day of the source as ISO 8601."""
    return datetime.fromtimestamp(source_date(), UTC).date().isoformat()
