"""What this processor lacks of x86-64-v2, the least that NumPy and Qt run on. Standard library only, nothing of ours.

`run.py` loads this file before anything is installed, the program before anything is imported that would die of it.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from pathlib import Path
from typing import Any, Final

# name -> (index of the leaf in glibc's table, bit of ECX, flag in /proc/cpuinfo, number of the question to Windows)
_V2: Final[dict[str, tuple[int, int, str, int | None]]] = {
    "CMPXCHG16B": (0, 13, "cx16", 14),
    "LAHF": (2, 0, "lahf_lm", None),
    "POPCNT": (0, 23, "popcnt", None),
    "SSE3": (0, 0, "pni", 13),
    "SSSE3": (0, 9, "ssse3", 36),
    "SSE4.1": (0, 19, "sse4_1", 37),
    "SSE4.2": (0, 20, "sse4_2", 38),
}
_ECX: Final = 2
_WINDOWS_ANSWERS_ALL_FROM: Final = 19041
"""Builds of Windows before say no to the last three questions whatever the processor."""
_ALWAYS_ANSWERED: Final = 14


def missing_features(cpuinfo: Path = Path("/proc/cpuinfo")) -> tuple[str, ...]:
    """Return the instruction sets of x86-64-v2 that are missing here.

    Empty where nothing is missing, on other architectures, on macOS (every Mac that Qt supports has them all), and
    where the processor cannot be asked: then the program is tried.
    """
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return ()
    if sys.platform == "win32":
        return _missing_windows()
    if sys.platform == "darwin":
        return ()
    asked = _missing_glibc()
    return asked if asked is not None else _missing_cpuinfo(cpuinfo)


def _missing_glibc(library: Any = None) -> tuple[str, ...] | None:
    """Ask glibc (2.33 and newer), which asked the processor itself: emulators show the host's /proc/cpuinfo."""
    library = library if library is not None else ctypes.CDLL(None)
    get: Any = getattr(library, "__x86_get_cpuid_feature_leaf", None)
    if get is None:
        return None
    get.argtypes, get.restype = [ctypes.c_uint32], ctypes.POINTER(ctypes.c_uint32 * 8)
    words = {leaf: int(get(leaf)[0][_ECX]) for leaf in (0, 2)}
    return tuple(name for name, (leaf, bit, _flag, _number) in _V2.items() if not words[leaf] >> bit & 1)


def _missing_cpuinfo(path: Path) -> tuple[str, ...]:
    try:
        lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    flags = next((set(line.partition(":")[2].split()) for line in lines if line.startswith("flags")), None)
    if flags is None:
        return ()
    return tuple(name for name, (_leaf, _bit, flag, _number) in _V2.items() if flag not in flags)


def _missing_windows(kernel: Any = None, build: int | None = None) -> tuple[str, ...]:
    if kernel is None:
        kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - exists on Windows only
    if build is None:
        build = int(getattr(sys, "getwindowsversion")().build)  # noqa: B009
    most = _WINDOWS_ANSWERS_ALL_FROM
    return tuple(
        name
        for name, (_leaf, _bit, _flag, number) in _V2.items()
        if number is not None
        and (number <= _ALWAYS_ANSWERED or build >= most)
        and not kernel.IsProcessorFeaturePresent(number)
    )
