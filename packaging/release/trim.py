"""What is left out of the frozen program: parts of Qt that it does not use, and whatever only they needed.

The Qt hook of PyInstaller takes every plugin of a Qt module, and every library those want from the build machine. So
the kept plugins are chosen here, and of the libraries only those stay that something kept leads to: the result does not
depend on what else the build machine has installed. Runs inside PyInstaller.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from lifehelper_desktop.base.i18n import LANGUAGES

Entry = tuple[str, str, str]
"""Name in the folder, file it comes from, kind."""

#: Kind of plugin -> the plugins that stay; a kind that is not here goes.
QT_PLUGINS: Final = {
    "platforms": r"q?(xcb|wayland.*|offscreen|windows|cocoa)",
    "platforminputcontexts": r"(compose|ibus|fcitx5?)platforminputcontextplugin",
    "platformthemes": r"q?xdgdesktopportal",
    "imageformats": r"q?(svg|ico|jpeg|gif)",
    "iconengines": r"q?svgicon",
    "styles": r"q?(modernwindowsstyle|windowsvistastyle|macstyle)",
    "wayland-shell-integration": r".*",
    "wayland-graphics-integration-client": r".*",
    "wayland-decoration-client": r".*",
    "xcbglintegrations": r".*",
}
#: Modules that nothing here uses at run time, and what is linked with them: `test_bundle.py` lives without them. The
#: libraries behind the first line are under the GPL alone (readline, gdbm), which would bind the whole program.
LEFT_OUT: Final = (
    "readline", "_gdbm", "_dbm",
    "tkinter", "_tkinter", "idlelib", "turtledemo", "lib2to3", "distutils", "pydoc_data",
    "numpy.f2py", "numpy.random", "numpy.fft", "numpy._core._multiarray_tests",
)  # fmt: skip
_METADATA_KEPT: Final = ("METADATA", "entry_points.txt")
_PLUGINS: Final = re.compile(r"(?:^|/)PySide6/(?:Qt/)?plugins/([^/]+)/(?:lib)?([^/]+?)\.(?:so|dll|dylib)$")
_TRANSLATION: Final = re.compile(r"(?:^|/)PySide6/(?:Qt/)?translations/([^/]+)\.qm$")


def _posix(name: str) -> str:
    return name.replace("\\", "/")


def is_wanted_data(name: str) -> bool:
    """Return whether a data file stays."""
    name = _posix(name)
    if (translation := _TRANSLATION.search(name)) is not None:
        return translation[1] in {f"qtbase_{language}" for language in LANGUAGES}
    path = PurePosixPath(name)
    if any(part.endswith(".dist-info") for part in path.parts):
        # A record of an installation names the machine it was made on; licences are collected apart.
        return path.name in _METADATA_KEPT
    if path.suffix in (".po", ".pot"):
        return False  # what translators work on; the program reads the .mo beside it
    return not re.search(r"(?:^|/)PySide6/(?:Qt/)?(qml|metatypes|modules|resources|libexec|lib/cmake)/", name)


def is_wanted_binary(name: str, kind: str = "BINARY") -> bool:
    """Return whether a library or plugin stays, were it not for what it belongs to."""
    if re.fullmatch(r"libQt6\w+\.so[.\d]*", name) and kind == "BINARY":
        return False  # the system's Qt, which only its own input plugin is linked with: ours is under PySide6
    if re.search(r"(?:^|/)rapidfuzz/.*_avx2\.", _posix(name)):
        return False  # the same once more for newer processors: for some hundred short texts nobody feels it
    plugin = _PLUGINS.search(_posix(name))
    if plugin is None:
        return not re.search(r"(?:^|/)PySide6/(?:Qt/)?qml/", _posix(name))
    return re.fullmatch(QT_PLUGINS.get(plugin[1], r"(?!)"), plugin[2]) is not None


def trimmed(data: Iterable[Entry], binaries: Iterable[Entry]) -> tuple[list[Entry], list[Entry]]:
    """Return the data files that stay, and the libraries, plugins and extension modules; tell what is left out."""
    files = sorted(entry for entry in data if is_wanted_data(entry[0]))
    every = sorted(binaries)
    kept = reachable([entry for entry in every if is_wanted_binary(entry[0], entry[2])], imports_of)
    names = {entry[0] for entry in (*files, *kept)}
    files, kept = without_loose_links(files, names), without_loose_links(kept, names)
    gone = sorted({entry[0] for entry in every} - {entry[0] for entry in kept})
    print(f"trim: {len(gone)} of {len(every)} libraries left out: {' '.join(gone)}")
    return files, kept


def without_loose_links(entries: list[Entry], everything: set[str]) -> list[Entry]:
    """Return the entries without links to something that is not in `everything`."""
    names = {_posix(name) for name in everything}

    def target(entry: Entry) -> str:
        return os.path.normpath(PurePosixPath(_posix(entry[0])).parent / _posix(entry[1])).replace("\\", "/")

    return [entry for entry in entries if entry[2] != "SYMLINK" or target(entry) in names]


def imports_of(path: str) -> set[str]:
    """Return the file names of the libraries that a library is linked with."""
    from PyInstaller.depend.bindepend import get_imports

    return {Path(_posix(name)).name for name, _found in get_imports(path)} if Path(path).is_file() else set()


def reachable(entries: list[Entry], imports: Callable[[str], set[str]]) -> list[Entry]:
    """Return the entries that something leads to: a module, a plugin, a library that a package loads itself.

    Only what lies at the top or in Qt's folder of libraries is there because another file is linked with it.
    """
    by_name: dict[str, list[Entry]] = {}  # in small letters: on Windows MSVCP140.dll is msvcp140.dll
    for entry in entries:
        by_name.setdefault(PurePosixPath(_posix(entry[0])).name.lower(), []).append(entry)
    waiting = [entry for entry in entries if not _is_linked_only(entry)]
    kept = set(waiting)
    while waiting:
        entry = waiting.pop()
        for name in imports(entry[1]):
            for each in by_name.get(name.lower(), ()):
                if each not in kept:
                    kept.add(each)
                    waiting.append(each)
    return sorted(kept)


def _is_linked_only(entry: Entry) -> bool:
    path = PurePosixPath(_posix(entry[0]))
    if entry[2] == "EXTENSION" or path.name.startswith(("libpython", "python3")):
        return False
    return len(path.parts) == 1 or path.parts[:-1] in (("PySide6", "Qt", "lib"), ("PySide6",), ("shiboken6",))
