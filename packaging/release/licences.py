"""Collect what is inside and under which terms: `third-party.json`, for About and for the bill of materials.

Runs inside PyInstaller, in the build's environment. The libraries are those that the program depends on, with what
their wheels carry along; on Debian and its kin the package manager is asked for the system libraries frozen in.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import subprocess
import sys
import sysconfig
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

_NAMES: Final = re.compile(r"(?i)(^|[./-])(licen[cs]es?|copying|notice)([.-][^/]*)?$")
_LGPL_PACKAGES: Final = ("pyside6", "shiboken6")  # their wheels carry no text; `resources/licences/qt.txt` is theirs
_OWN_TEXT: Final = "qt.txt"
_FROM_CLASSIFIER: Final = "License :: OSI Approved :: "
_COMMON: Final = Path("/usr/share/common-licenses")
_NAMED_COMMON: Final = re.compile(r"/usr/share/common-licenses/([A-Za-z]+(?:-[0-9]+(?:\.[0-9]+)*)?)")
_DIGEST: Final = re.compile(r"-[0-9a-f]{8}(?=[-.])")
_WORDS: Final = 120  # characters of a licence in short
_LONGEST: Final = 150  # where the licence in short should be, some have its whole text in one line


@dataclass(frozen=True, slots=True)
class Component:
    """One library: what it is called, its version, its licence in short, and the texts that come with it."""

    name: str
    version: str
    licence: str
    text: str
    home: str = ""
    kind: str = "python"
    """`python` for a wheel, `carried` for a library inside one, `system` for a library of the build machine, `runtime`
    for Python itself, `text` for a licence that others only name."""


def collect(distributions: Iterable[str], libraries: Iterable[Path] = ()) -> list[Component]:
    """Return every component, by name; raises ValueError for one that says nothing of its licence."""
    out = [of_distribution(importlib.metadata.distribution(name)) for name in sorted(distributions)]
    files = list(libraries)
    out += [of_python(), *carried(files), *of_system(files)]
    silent = [each.name for each in out if not each.licence and not each.text]
    if silent:
        raise ValueError(f"no licence found for {', '.join(silent)}")
    return [*sorted(out, key=lambda each: (each.name.lower(), each.version)), *common_texts(out)]


def common_texts(components: Iterable[Component]) -> list[Component]:
    """Return the licences that Debian's texts name by the place where Debian keeps them; other systems have no such."""
    named = {name for each in components for name in _NAMED_COMMON.findall(each.text)}
    files = {(_COMMON / name).resolve() for name in named}  # GPL is a link to the newest
    texts = {path.name: path.read_text(encoding="utf-8").strip() for path in sorted(files) if path.is_file()}
    ours = {path.read_text(encoding="utf-8").strip() for path in _own_folder().glob("*.txt")}
    return [Component(name, "", "", text, kind="text") for name, text in texts.items() if text not in ours]


def _own_folder() -> Path:
    from lifehelper_desktop.base.paths import resources_dir

    return resources_dir() / "licences"


# -- wheels


def of_distribution(distribution: importlib.metadata.Distribution) -> Component:
    """Return the component that a distribution is."""
    meta = distribution.metadata
    name = meta["Name"]
    texts = list(_texts_of(distribution))
    if not texts and name.lower().replace("_", "-").startswith(_LGPL_PACKAGES):
        texts = [(_own_folder() / _OWN_TEXT).read_text(encoding="utf-8")]
    return Component(name, distribution.version, licence_words(meta), "\n\n".join(texts), _home(meta))


def licence_words(meta: importlib.metadata.PackageMetadata) -> str:
    """Return the licence in one line: the expression, else the field of old, else the classifiers."""
    expression = _field(meta, "License-Expression")
    old = _field(meta, "License").strip().splitlines()
    classifiers = [
        each.removeprefix(_FROM_CLASSIFIER)
        for each in meta.get_all("Classifier") or ()
        if each.startswith(_FROM_CLASSIFIER)
    ]
    first = old[0] if old and old[0] != "UNKNOWN" and len(old[0]) < _LONGEST else ""
    return expression or first or ", ".join(classifiers)


def _field(meta: importlib.metadata.PackageMetadata, name: str) -> str:
    return next(iter(meta.get_all(name) or ()), "")


def _home(meta: importlib.metadata.PackageMetadata) -> str:
    urls = dict(each.split(", ", 1) for each in meta.get_all("Project-URL") or () if ", " in each)
    lowered = {key.lower(): value for key, value in urls.items()}
    return (
        _field(meta, "Home-page") or lowered.get("homepage") or lowered.get("source") or lowered.get("repository") or ""
    )


def _texts_of(distribution: importlib.metadata.Distribution) -> Iterator[str]:
    """Give the licence files that lie with the metadata, each text once."""
    seen: set[str] = set()
    for path in sorted(distribution.files or (), key=str):
        if ".dist-info" not in path.parts[0] or not (_NAMES.search(path.name) or "licenses" in path.parts):
            continue
        text = Path(str(path.locate())).read_text(encoding="utf-8", errors="replace").strip()
        if text and text not in seen:
            seen.add(text)
            yield text


def carried(libraries: Iterable[Path]) -> list[Component]:
    """Return the libraries that wheels bring from elsewhere: in a folder `NAME.libs`, and beside Qt's own."""
    found: dict[str, Component] = {}
    for path in sorted(libraries):
        is_beside_qt = path.parts[-4:-1] == ("PySide6", "Qt", "lib") and not path.name.startswith("libQt")
        if not is_beside_qt and path.parent.suffix != ".libs":
            continue
        wheel = "PySide6" if is_beside_qt else path.parent.stem
        name, _so, version = _DIGEST.sub("", path.name).partition(".so")
        text = f"It comes with {wheel}, whose entry holds its terms or names them."
        found[name] = Component(name.rstrip("_"), version.lstrip("."), "", text, kind="carried")
    return list(found.values())


# -- Python and the system


def of_python() -> Component:
    """Return Python itself."""
    places = [
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        Path(sys.base_prefix) / "LICENSE.txt",
        Path(f"/usr/share/doc/python{sys.version_info.major}.{sys.version_info.minor}/copyright"),
    ]
    text = next((path.read_text(encoding="utf-8", errors="replace") for path in places if path.is_file()), "")
    return Component("Python", sys.version.split()[0], "PSF-2.0", text.strip(), "https://www.python.org", "runtime")


def of_system(libraries: Iterable[Path]) -> list[Component]:
    """Return the Debian packages that own `libraries`; those of a wheel or of nobody are left out."""
    owners: dict[str, str] = {}
    for path in sorted({each for library in libraries for each in (library, library.resolve())}):
        if (owner := _owner(path)) is not None:
            owners.setdefault(owner[0], owner[1])
    return [_of_package(name, version) for name, version in sorted(owners.items())]


def _owner(path: Path) -> tuple[str, str] | None:
    # Debian merged /lib into /usr/lib: a file is known by one of its two names.
    for name in (str(path), str(path).removeprefix("/usr")):
        try:
            asked = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True, check=False)
        except FileNotFoundError:
            return None
        if asked.returncode == 0:
            package = asked.stdout.split(": ")[0].split(",")[0]
            return package.split(":")[0], _package_field(package, "Version")
    return None


def _package_field(package: str, name: str) -> str:
    command = ["dpkg-query", "-W", "-f", f"${{{name}}}", package]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _of_package(package: str, version: str) -> Component:
    path = Path("/usr/share/doc") / package / "copyright"
    text = path.read_text(encoding="utf-8", errors="replace").strip() if path.is_file() else ""
    return Component(package, version, debian_words(text), text, _package_field(package, "Homepage"), "system")


def debian_words(text: str) -> str:
    """Return the licences that a copyright file in Debian's machine-readable form names, that of the whole first.

    Empty for a file of free text, which has to be read.
    """
    if not text.startswith("Format:"):
        return ""
    parts = [part for part in re.split(r"\n\s*\n", text) if re.match(r"Files:(?!\s*debian/)", part)]
    parts.sort(key=lambda part: re.match(r"Files:\s*\*\s", part) is None)  # the whole first
    found = (re.search(r"^License: *(\S.*)$", part, re.MULTILINE) for part in parts)
    names = dict.fromkeys(each[1].strip() for each in found if each is not None)
    return textwrap.shorten(", ".join(names), _WORDS, placeholder=" …")


# -- what is written


def write(components: list[Component], folder: Path) -> None:
    """Write `third-party.json` for the window into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{key: value for key, value in asdict(each).items() if value} for each in components]
    text = json.dumps(rows, ensure_ascii=False, indent=1, sort_keys=True)
    (folder / "third-party.json").write_text(text + "\n", encoding="utf-8")


def read(path: Path) -> list[Component]:
    """Return what `write` wrote."""
    defaults = {"name": "", "version": "", "licence": "", "text": "", "home": "", "kind": "python"}
    return [Component(**{**defaults, **row}) for row in json.loads(path.read_text(encoding="utf-8"))]
