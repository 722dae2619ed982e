"""What the libraries of the frozen program want from the system, read with readelf."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_NEEDED: Final = re.compile(r"\(NEEDED\).*\[(.+)\]")
_GLIBC: Final = re.compile(r"\bGLIBC_(\d+(?:\.\d+)+)\b")


def libraries(folder: Path) -> Iterator[Path]:
    """Give every ELF file of a folder, links left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == b"\x7fELF":
                    yield path


def shown(path: Path, *options: str) -> str:
    """Return what readelf shows of a file."""
    return subprocess.run(["readelf", "-W", *options, str(path)], capture_output=True, text=True, check=True).stdout


def needed(folder: Path) -> list[str]:
    """Return the names of the libraries that something in `folder` is linked with and that are not in it."""
    here = {path.name for path in folder.rglob("*.so*")}
    wanted = {name for path in libraries(folder) for name in _NEEDED.findall(shown(path, "-d"))}
    return sorted(wanted - here)


def newest_glibc(folder: Path) -> str:
    """Return the newest version of glibc that something in `folder` asks for."""
    versions = {found for path in libraries(folder) for found in _GLIBC.findall(shown(path, "-V"))}
    return ".".join(map(str, max(tuple(map(int, each.split("."))) for each in versions)))
