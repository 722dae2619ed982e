#!/usr/bin/env python3
"""Make the Windows installer of a frozen program: `make_installer.py --app FOLDER --version V --out FILE.exe`.

Needs NSIS 3 (`makensis`); it also runs on Linux. The same folder gives the same installer, byte for byte.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Final

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from release.project import WINDOW  # noqa: E402 - found through the line above
from windows.spec_part import APP_SVG, write_icon  # noqa: E402
from windows.version_resource import four_numbers  # noqa: E402

#: Pixels of the picture beside the first and the last page at 100 %: then Windows does not have to resize it, which it
#: does badly.
_PICTURE: Final = (164, 314)
_USUAL: Final = (r"C:\Program Files (x86)\NSIS\makensis.exe", r"C:\Program Files\NSIS\makensis.exe")


class InstallerError(Exception):
    """Why no installer could be made."""


def find_makensis() -> str:
    """Return NSIS's compiler.

    Raises:
        InstallerError: There is none.
    """
    found = shutil.which("makensis") or next((each for each in _USUAL if Path(each).is_file()), None)
    if found is None:
        raise InstallerError("makensis is missing: install NSIS 3 (Debian: nsis, Windows: choco install nsis)")
    return found


def files_of(app: Path) -> list[PurePosixPath]:
    """Return every file of the program, in one order on every machine.

    Raises:
        InstallerError: It is no frozen program.
    """
    files = sorted(PurePosixPath(each.relative_to(app).as_posix()) for each in app.rglob("*") if each.is_file())
    if not any(each.name == f"{WINDOW}.exe" for each in files):
        raise InstallerError(f"{app} has no {WINDOW}.exe")
    odd = [each for each in files if each.parts[0] != "_internal" and each.suffix != ".exe"]
    if odd:  # an older version is put aside by these names, so nothing else may lie beside them
        raise InstallerError(f"{odd[0]} lies beside the program; only programs and _internal may")
    return files


def install_lines(app: Path, files: Iterable[PurePosixPath]) -> str:
    """Return the instructions that write `files`."""
    lines, folder = [], None
    for each in files:
        if each.parent != folder:
            folder = each.parent
            lines.append(f"SetOutPath {_target(folder)}")
        lines.append(f'File "{app / each}"')  # read when it is compiled: a $ in it is only a sign
    return "\n".join(lines) + "\n"


def uninstall_lines(files: Sequence[PurePosixPath]) -> str:
    """Return the instructions that remove `files` and the folders that are empty then."""
    lines = [f"Delete {_target(each)}" for each in files]
    folders = {parent for each in files for parent in each.parents if str(parent) != "."}
    lines += [f"RMDir {_target(each)}" for each in sorted(folders, reverse=True)]
    return "\n".join(lines) + "\n"


def _target(path: PurePosixPath) -> str:
    inside = "" if str(path) == "." else "\\" + str(path).replace("/", "\\").replace("$", "$$")
    return f'"$INSTDIR{inside}"'


def write_picture(target: Path) -> Path:
    """Draw the picture beside the first and the last page, in the colours of the icon."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication(["picture"])
    width, height = _PICTURE
    image = QImage(width, height, QImage.Format.Format_RGB888)
    image.fill(QColor("#EAF4EE"))
    painter = QPainter(image)
    side = width * 0.6
    QSvgRenderer(str(APP_SVG)).render(painter, QRectF((width - side) / 2, height * 0.2, side, side))
    painter.end()
    if not image.save(str(target)):
        raise InstallerError(f"{target} could not be written")
    del application
    return target


def make(app: Path, version: str, out: Path, compressor: str = "lzma") -> Path:
    """Compile the installer and return it.

    Raises:
        InstallerError: NSIS is missing or refused, or the folder is no frozen program.
    """
    makensis, app, out = find_makensis(), app.resolve(), out.absolute()
    files = files_of(app)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        # NSIS takes the encoding from the mark at the beginning.
        (work / "files.nsh").write_text(install_lines(app, files), encoding="utf-8-sig")
        (work / "unfiles.nsh").write_text(uninstall_lines(files), encoding="utf-8-sig")
        for each in sorted(HERE.glob("terms-*.txt")):
            text = each.read_text(encoding="utf-8")
            (work / each.name).write_text(text, encoding="utf-8-sig", newline="\r\n")
        definitions = {
            "VERSION": version,
            "VERSION4": ".".join(map(str, four_numbers(version))),
            "OUT": out,
            "ICON": write_icon(work),
            "PICTURE": write_picture(work / "picture.bmp"),
            "WORK": work,
            "SIZE_KB": sum((app / each).stat().st_size for each in files) // 1024 + 1,
            # Counted as Windows does, in UTF-16.
            "LONGEST": max(len(str(each).encode("utf-16-le")) // 2 for each in files),
            "FILES": work / "files.nsh",
            "UNFILES": work / "unfiles.nsh",
            "COMPRESSOR": compressor,
        }
        command = [makensis, "-V2", "-WX", "-INPUTCHARSET", "UTF8"]
        command += [f"-D{key}={value}" for key, value in definitions.items()]
        done = subprocess.run(
            [*command, str(HERE / "lifehelper.nsi")], capture_output=True, text=True, errors="replace", check=False
        )
    if done.returncode != 0:
        raise InstallerError(f"makensis: {(done.stdout + done.stderr).strip()[-2000:]}")
    return out


def main(arguments: Sequence[str]) -> int:
    """Carry out the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--app", type=Path, required=True, help="the frozen program's folder")
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--compressor", choices=("lzma", "zlib"), default="lzma", help="zlib: larger, made at once")
    options = parser.parse_args(arguments)
    try:
        made = make(options.app, options.version, options.out, options.compressor)
    except (InstallerError, OSError, ValueError) as error:
        print(f"{os.path.basename(__file__)}: {error}", file=sys.stderr)  # noqa: PTH119
        return 1
    print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
