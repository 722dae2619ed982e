"""Put the binding's Python files and the built libraries into one wheel, the same bytes for the same input."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import sys
import time
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

OLDEST_MACOS = "13.0"
"""What Qt of the locked version asks for."""
_SUFFIXES = (".so", ".dll", ".dylib")
_CORE = ("llama", "ggml", "ggml-base")
_OLDEST_ZIP_TIME = 315532800  # 1980-01-01: a zip file knows no earlier


class PackError(Exception):
    """The wheel cannot be made; its text says why."""


def epoch(environment: Mapping[str, str] = os.environ) -> int:
    """Return the one time that everything in the wheel gets: SOURCE_DATE_EPOCH, else the oldest that a zip knows."""
    return max(_OLDEST_ZIP_TIME, int(environment.get("SOURCE_DATE_EPOCH") or _OLDEST_ZIP_TIME))


def find_libraries(folder: Path) -> dict[str, Path]:
    """Return the built libraries by file name: llama, ggml, ggml-base, and every backend.

    Raises:
        PackError: One of the first three is missing, or there are no CPU variants to choose from.
    """
    found: dict[str, Path] = {}
    for path in sorted(folder.rglob("*")):
        stem = path.stem.removeprefix("lib")
        if path.suffix in _SUFFIXES and path.is_file() and (stem in _CORE or stem.startswith("ggml-")):
            found[path.name] = path
    stems = {Path(name).stem.removeprefix("lib") for name in found}
    missing = [name for name in _CORE if name not in stems]
    if missing:
        raise PackError(f"not built: {', '.join(missing)} (looked in {folder})")
    if len(variants(found)) < 2:
        raise PackError(f"there are no CPU variants in {folder}; was it configured with GGML_CPU_ALL_VARIANTS?")
    return found


def variants(names: Iterable[str]) -> list[str]:
    """Return the CPU variants among file names."""
    return sorted(found[1] for name in names if (found := re.match(r"(?:lib)?ggml-cpu-(.+)\.\w+$", name)))


def require_no_path_of(folder: Path, libraries: Iterable[Path]) -> None:
    """Make sure that no library tells where it was built.

    Raises:
        PackError: One does.
    """
    for path in libraries:
        if os.fsencode(folder) in path.read_bytes():
            raise PackError(f"{path.name} has the folder of this machine in it: {folder}")


def platform_tag(libraries: Iterable[Path]) -> str:
    """Return the wheel's platform: on Linux by the newest glibc that a library asks for."""
    machine = platform.machine().lower()
    if sys.platform == "win32":
        return {"amd64": "win_amd64", "arm64": "win_arm64"}[machine]
    if sys.platform == "darwin":
        return f"macosx_{OLDEST_MACOS.replace('.', '_')}_{machine}"
    major, minor = newest_glibc(path.read_bytes() for path in libraries)
    return f"manylinux_{major}_{minor}_{machine}"


def newest_glibc(contents: Iterable[bytes]) -> tuple[int, int]:
    """Return the newest version of glibc's symbols that is named in the libraries, at least that of manylinux2014."""
    versions = {(2, 17)}
    for content in contents:
        versions |= {(int(a), int(b)) for a, b in re.findall(rb"GLIBC_(\d+)\.(\d+)", content)}
    return max(versions)


def write_wheel(
    target_folder: Path, source: Path, libraries: Mapping[str, Path], version: str, tag: str, time_s: int
) -> Path:
    """Write the wheel and return its path.

    Args:
        target_folder: Where it goes; its name follows from version and tag.
        source: The unpacked source package of llama-cpp-python.
        libraries: Files for `llama_cpp/lib` by name.
        version: Of llama-cpp-python.
        tag: The platform.
        time_s: Modification time of every file in it.
    """
    info = f"llama_cpp_python-{version}.dist-info"
    files: dict[str, bytes] = {}
    for path in sorted((source / "llama_cpp").rglob("*")):
        if path.suffix == ".py" or path.name == "py.typed":
            files[path.relative_to(source).as_posix()] = path.read_bytes()
    for name, path in libraries.items():
        files[f"llama_cpp/lib/{name}"] = path.read_bytes()
    files[f"{info}/METADATA"] = (source / "PKG-INFO").read_bytes()
    files[f"{info}/licenses/LICENSE.md"] = (source / "LICENSE.md").read_bytes()
    files[f"{info}/licenses/llama.cpp/LICENSE"] = (source / "vendor" / "llama.cpp" / "LICENSE").read_bytes()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: lifehelper packaging/llama\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n"
    ).encode()
    record = f"{info}/RECORD"
    rows = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in sorted(files.items())]
    files[record] = "".join(f"{row}\n" for row in [*rows, f"{record},,"]).encode()
    target_folder.mkdir(parents=True, exist_ok=True)
    target = target_folder / f"llama_cpp_python-{version}-py3-none-{tag}.whl"
    part = target.with_name(f"{target.name}.part")
    moment = time.gmtime(time_s)[:6]
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        # pip wants the metadata last, so that a reader finds it near the end.
        for name in sorted(files, key=lambda name: (name.startswith(info), name)):
            entry = zipfile.ZipInfo(name, moment)
            entry.create_system = 3  # Unix, whatever this runs on: the same bytes, and modes that unpack
            entry.external_attr = (0o755 if "/lib/" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])
    part.replace(target)
    return target


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
