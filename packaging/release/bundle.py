"""What goes into the frozen program, found by looking: no list here names a module or a file of ours or of a library.

Runs inside PyInstaller, in the build's environment.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any, Final

import _pyinstaller_hooks_contrib
import PyInstaller.hooks
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from PyInstaller.utils.hooks import collect_data_files, collect_dynamic_libs, collect_submodules, copy_metadata

import lifehelper_desktop
from lifehelper_desktop.base.discovery import module_names
from release.project import PACKAGING, ROOT
from release.trim import LEFT_OUT

#: Parts of what we depend on that we never use: the Hub's own way of downloading (ours can be taken up again).
UNUSED: Final = ("hf-xet",)
_FOR_BUILDING: Final = [
    "**/*.pyi", "**/*.pyx", "**/*.pxd", "**/*.c", "**/*.cpp", "**/*.h", "**/*.cmake", "**/py.typed", "**/tests/**",
    "**/benchmarks/**",
]  # fmt: skip
INSIDE: Final = f"{lifehelper_desktop.__name__}/resources"
_SYSTEMS: Final = {"win32": "windows", "darwin": "macos"}
_MODULES: Final = (".py", ".so", ".pyd")
_TRY_PLUGIN: Final = """
import sys
from PySide6 import QtCore, QtDBus, QtGui
loader = QtCore.QPluginLoader(sys.argv[1])
sys.exit(0 if loader.load() else loader.errorString())
"""
Files = list[tuple[str, str]]


@dataclass(slots=True)
class Found:
    """What PyInstaller is told beside what it sees itself."""

    distributions: list[str]
    modules: list[str]
    excluded: list[str]
    binaries: Files = field(default_factory=list)
    datas: Files = field(default_factory=list)


def find() -> Found:
    """Return our own modules, and what the libraries need that no hook of PyInstaller knows about."""
    inside = closure(direct_dependencies()) - set(UNUSED)
    found = Found(sorted(inside), module_names(lifehelper_desktop), [*LEFT_OUT, *strangers(inside)])
    hooked = hooked_packages()
    for name in found.distributions:
        distribution = importlib.metadata.distribution(name)
        found.datas += copy_metadata(name)  # its version, and the entry points below, are asked for at run time
        found.modules += [each.module for each in distribution.entry_points if is_plugin(each)]
        for package in packages_of(distribution):
            if package in hooked or not is_folder(package):
                continue
            found.binaries += collect_dynamic_libs(package)
            found.datas += collect_data_files(package, excludes=_FOR_BUILDING)
            if has_compiled_modules(package):  # what those import cannot be seen from outside
                found.modules += collect_submodules(package, filter=lambda module: ".tests" not in module)
    found.binaries += input_plugins()
    return found


def input_plugins() -> Files:
    """Return the fcitx5 plugin of this machine, when it has one that works with our Qt; the wheels have only ibus.

    Such a plugin uses Qt's private parts, which change between versions: only trying tells.
    """
    if not sys.platform.startswith("linux"):
        return []
    found = []
    for plugin in sorted(Path("/usr/lib").glob("*/qt6/plugins/platforminputcontexts/libfcitx5*plugin.so")):
        tried = subprocess.run(
            [sys.executable, "-c", _TRY_PLUGIN, str(plugin)], capture_output=True, text=True, check=False
        )
        if tried.returncode == 0:
            found.append((str(plugin), "PySide6/Qt/plugins/platforminputcontexts"))
        else:
            print(f"bundle: {plugin} is for another Qt and left out: {tried.stderr.strip()}")
    return found


def resources(model: Path) -> Files:
    """Return our data files: all of `resources`, and the starter model in place of the adapter folded into it."""
    folder = ROOT / "resources"
    starter = folder / "models" / "starter"
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path != starter / "adapter.gguf"]
    out = [(str(path), f"{INSIDE}/{path.parent.relative_to(folder).as_posix()}") for path in files]
    return [*out, (str(model), f"{INSIDE}/{starter.relative_to(folder).as_posix()}")]


def licence_files(folder: Path) -> list[tuple[str, str, str]]:
    """Return what `licences.write` wrote, as entries of the folder to be collected."""
    return [(f"{INSIDE}/licences/{path.name}", str(path), "DATA") for path in sorted(folder.iterdir())]


# -- the libraries


def direct_dependencies() -> list[str]:
    """Return the requirements of the program itself."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return list(tomllib.load(file)["project"]["dependencies"])


def closure(requirements: list[str]) -> set[str]:
    """Return the names of all installed distributions that `requirements` lead to on this system."""
    names: set[str] = set()
    seen: set[tuple[str, str]] = set()
    waiting = [(requirement, "") for requirement in requirements]
    while waiting:
        text, extra = waiting.pop()
        wish = Requirement(text)
        if wish.marker is not None and not wish.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(wish.name)
        for each in {"", *wish.extras}:
            if (name, each) not in seen:
                seen.add((name, each))
                distribution = importlib.metadata.distribution(name)  # the lock file installed it
                names.add(name)
                waiting += [(more, each) for more in distribution.requires or []]
    return names


def strangers(inside: set[str]) -> list[str]:
    """Return the packages installed here that nothing in `inside` asks for: tools of the build, and what those need.

    Libraries try to import many a thing and use it when it is there; here it is there by chance.
    """
    out: set[str] = set()
    ours: set[str] = set()
    for distribution in importlib.metadata.distributions():
        name = canonicalize_name(distribution.metadata["Name"])
        (ours if name in inside else out).update(packages_of(distribution))
    return sorted(out - ours)


def is_plugin(entry: importlib.metadata.EntryPoint) -> bool:
    """Return whether a library may load this entry point while it runs."""
    if entry.group in ("console_scripts", "gui_scripts", "pyinstaller40"):
        return False
    try:
        return importlib.util.find_spec(entry.module) is not None
    except ImportError:
        return False


def packages_of(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    """Give the importable packages and modules that a distribution installs; folders without a module are none."""
    for top in sorted({path.parts[0].split(".")[0] for path in distribution.files or () if path.suffix in _MODULES}):
        spec = importlib.util.find_spec(top) if top.isidentifier() and top != "__pycache__" else None
        folders = list(spec.submodule_search_locations or ()) if spec is not None else []
        is_namespace = spec is not None and spec.origin is None
        if spec is not None and not (is_namespace and not any(any(Path(each).rglob("*.py")) for each in folders)):
            yield top


def is_folder(package: str) -> bool:
    """Return whether a module has others, or files, in it."""
    spec = importlib.util.find_spec(package)
    return spec is not None and spec.submodule_search_locations is not None


def has_compiled_modules(package: str) -> bool:
    """Return whether a package has extension modules."""
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    suffixes = [each for each in EXTENSION_SUFFIXES if each != ".so"]  # that alone is any shared library
    return any(any(Path(each).rglob(f"*{suffix}")) for each in folders for suffix in suffixes)


def hooked_packages() -> set[str]:
    """Return the packages that PyInstaller, its collection of hooks, or the packages themselves bring a hook for."""
    folders = [Path(PyInstaller.hooks.__path__[0]), Path(_pyinstaller_hooks_contrib.__path__[0]) / "stdhooks"]
    for entry in importlib.metadata.entry_points(group="pyinstaller40", name="hook-dirs"):
        folders += [Path(each) for each in entry.load()()]
    return {path.stem.removeprefix("hook-") for each in folders for path in each.glob("hook-*.py")}


# -- what only one system has


def exe_options(version: str, work: Path, *, console: bool) -> dict[str, Any]:
    """Return the icon, version resource, signature and the like of a program file."""
    return _of_this_system("exe_options", version, work, console=console)


def bundle_options(version: str, work: Path) -> dict[str, Any]:
    """Return the settings of the bundle on macOS."""
    return _of_this_system("bundle_options", version, work)


def _of_this_system(function: str, *arguments: Any, **more: Any) -> dict[str, Any]:
    folder = _SYSTEMS.get(sys.platform)
    if folder is None:
        return {}
    made: dict[str, Any] = runpy.run_path(str(PACKAGING / folder / "spec_part.py"))[function](*arguments, **more)
    return made
