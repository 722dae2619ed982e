"""The last touches to the frozen folder, and what must be true of it."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from release import elf
from release.project import COMMAND, WINDOW
from release.steps import BuildError

_SMALL: Final = 16 * 1024  # bytes: a copy of less is not worth a link
LIMIT: Final = 450 * 1000 * 1000  # bytes unpacked, with the model


def finish(app: Path, epoch: int) -> None:
    """Set every time to `epoch`; on Linux also name the command line, set the modes, and make equal files links.

    On macOS the bundle is signed already, and on Windows links need rights that nobody has.
    """
    if sys.platform.startswith("linux"):
        link = app / COMMAND
        link.unlink(missing_ok=True)
        link.symlink_to(WINDOW)
        strip(app)
        link_copies(app)
        for path in (app, *sorted(app.rglob("*"))):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or is_program(path) else 0o644)
    set_times(app, epoch)


def strip(app: Path) -> None:
    """Take names out of the libraries that only a debugger reads; some wheels leave them in.

    Qt's stay as they were published: their licence lets people put their own in their place. So do those in `*.libs`
    folders, whose headers were moved when the wheel was made: strip would break them.
    """
    for path in elf.libraries(app):
        folders = path.relative_to(app).parts
        if is_program(path) or any(each in ("PySide6", "shiboken6") or each.endswith(".libs") for each in folders):
            continue
        if " .symtab" in elf.shown(path, "-S"):
            subprocess.run(["strip", "--strip-unneeded", str(path)], check=True)


def is_program(path: Path) -> bool:
    """Return whether a file of the folder is started, not loaded."""
    return path.parent.name != "_internal" and path.name.removesuffix(".exe") in (WINDOW, COMMAND)


def set_times(folder: Path, epoch: int) -> None:
    """Set the times of everything in `folder`, and its own."""
    follow = os.utime not in os.supports_follow_symlinks
    for path in (*sorted(folder.rglob("*"), reverse=True), folder):
        if not (follow and path.is_symlink()):
            os.utime(path, (epoch, epoch), follow_symlinks=follow)


def link_copies(app: Path) -> int:
    """Replace each file that is equal to another by a link to it; return the bytes that this saves."""
    seen: dict[tuple[int, str], Path] = {}
    saved = 0
    for path in sorted(app.rglob("*")):
        if path.is_symlink() or not path.is_file() or (size := path.stat().st_size) < _SMALL:
            continue
        with path.open("rb") as file:
            key = (size, hashlib.file_digest(file, "sha256").hexdigest())
        first = seen.setdefault(key, path)
        if first is not path:
            path.unlink()
            path.symlink_to(os.path.relpath(first, path.parent))
            saved += size
    return saved


def check(app: Path, secrets: Iterable[str]) -> int:
    """Return the bytes that the folder takes.

    Args:
        app: The frozen program.
        secrets: Folders of this machine that must not be named in it.

    Raises:
        BuildError: It is too large, names such a folder, or looks for libraries outside itself.
    """
    size = sum(path.lstat().st_size for path in app.rglob("*") if path.is_file())
    faults = [] if size <= LIMIT else [f"{size / 1e6:.0f} MB, the limit is {LIMIT / 1e6:.0f}"]
    faults += [
        f"{path.relative_to(app)} names {found}" for path, found in leaks(app, [each.encode() for each in secrets])
    ]
    if sys.platform.startswith("linux"):
        faults += [f"{path.relative_to(app)} has the run path {found}" for path, found in foreign_run_paths(app)]
        faults += [f"the link {path.relative_to(app)} leads out of the folder" for path in foreign_links(app)]
    if faults:
        raise BuildError("the frozen program is not as it should be:\n" + "\n".join(faults[:40]))
    return size


def leaks(app: Path, needles: Sequence[bytes]) -> Iterator[tuple[Path, str]]:
    """Give the files that contain one of `needles`, also compressed in a program's archive of modules."""
    for path in sorted(app.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        content = path.read_bytes()
        parts = [content, *_modules(content)] if is_program(path) else [content]
        for needle in needles:
            if any(needle in part for part in parts):
                yield path, needle.decode()


def _modules(content: bytes) -> Iterator[bytes]:
    """Give everything in `content` that is a zlib stream."""
    position = content.find(b"\x78\xda")
    while position >= 0:
        unpacker = zlib.decompressobj()
        try:
            yield unpacker.decompress(content[position:])
            position = len(content) - len(unpacker.unused_data) if unpacker.eof else position + 2
        except zlib.error:
            position += 2
        position = content.find(b"\x78\xda", position)


def foreign_run_paths(app: Path) -> Iterator[tuple[Path, str]]:
    """Give the libraries that have a run path which does not begin at their own place."""
    for path in elf.libraries(app):
        for value in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", elf.shown(path, "-d")):
            if any(not part.startswith("$ORIGIN") for part in value.split(":")):
                yield path, value


def foreign_links(app: Path) -> Iterator[Path]:
    """Give the links that lead nowhere or out of the folder."""
    root = app.resolve()
    for path in sorted(app.rglob("*")):
        if path.is_symlink() and not (path.exists() and path.resolve().is_relative_to(root)):
            yield path
