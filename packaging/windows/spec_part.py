"""The Windows part of the PyInstaller recipe."""

from __future__ import annotations

import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent.parent
if str(PACKAGING) not in sys.path:
    sys.path.insert(0, str(PACKAGING))

from release.icons import write_pngs  # noqa: E402 - the recipe loads this file by its path
from release.project import COMMAND, WINDOW  # noqa: E402
from windows.ico import SIZES, write_ico  # noqa: E402
from windows.version_resource import version_text  # noqa: E402

APP_SVG = PACKAGING.parent / "resources" / "icons" / "app.svg"


def write_icon(work: Path) -> Path:
    """Draw the program's icon into the folder `work` and return the `.ico`."""
    return write_ico(write_pngs(APP_SVG, SIZES, work / "icon"), work / "lifehelper.ico")


def exe_options(version: str, work: Path, *, console: bool) -> dict[str, object]:
    """Return what `EXE(…)` gets beside what it gets on every system; files are made in `work`."""
    program = COMMAND if console else WINDOW
    resource = work / f"{program}-version.txt"
    resource.parent.mkdir(parents=True, exist_ok=True)
    resource.write_text(version_text(version, program), encoding="utf-8")
    return {"icon": str(write_icon(work)), "version": str(resource)}
