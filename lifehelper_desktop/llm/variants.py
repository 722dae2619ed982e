"""Loads the part of llama.cpp that computes, in the build that fits this processor, and tells which one that is.

A portable llama.cpp carries one library per generation of processors (`ggml-cpu-haswell` and the like) and has none of
them until it is told in which folder to look. A llama.cpp built for one machine has its one linked in, and nothing is
loaded. `api` is the module `llama_cpp.llama_cpp`.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

NATIVE: Final = "native"
"""What a build for one machine is called where a variant is named."""
_CPU: Final = b"CPU"
_FILE_NAME: Final = re.compile(r"ggml-cpu-(?P<variant>[\w.-]+?)\.(?:so|dll|dylib)")


@dataclass(frozen=True, slots=True)
class CpuBackend:
    """What llama.cpp computes with.

    Attributes:
        variant: The generation of processors it was built for, such as `haswell`; `native` for a build for one machine.
        library: The file.
        features: The instruction sets and other traits that it was built with.
    """

    variant: str
    library: str
    features: tuple[str, ...]


class _Feature(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("value", ctypes.c_char_p))


class _Symbol(ctypes.Structure):
    """Dl_info of dlfcn.h."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def ggml_library(api: Any, function: str) -> Any:
    """Return the loaded library that has `function` of ggml-backend.h, the one whose registry llama.cpp itself uses.

    libllama's own handle finds it; a second `libggml` may be another copy with an empty registry. Windows looks into
    the named library alone, hence the one beside it, which is loaded already.
    """
    library = api._lib
    if sys.platform == "win32" and not hasattr(library, function):
        return ctypes.CDLL(str(_folder(api) / "ggml.dll"))
    return library


def load_backends(api: Any) -> None:
    """Let llama.cpp choose among the variants beside it, once; do nothing where it has what it computes with.

    Raises:
        OSError: No variant fits, or none is there.
    """
    library = ggml_library(api, "ggml_backend_reg_count")
    if _cpu(library):
        return
    load = library.ggml_backend_load_all_from_path
    load.argtypes, load.restype = [ctypes.c_char_p], None
    load(os.fsencode(_folder(api)))
    if not _cpu(library):  # a graphics card alone is not enough: llama.cpp takes no model without a processor
        raise OSError(f"no CPU variant of llama.cpp in {_folder(api)} runs on this processor")


def cpu_backend(api: Any) -> CpuBackend | None:
    """Return what llama.cpp computes with on the CPU, or None where it has nothing there. After `load_backends`."""
    library = ggml_library(api, "ggml_backend_reg_count")
    registered = _cpu(library)
    if not registered:
        return None
    file = _file_of(registered)
    return CpuBackend(variant_name(file), file, _features(library, registered))


def _cpu(library: Any) -> int:
    """Return the address of the processor in llama.cpp's registry; 0 where it is not there."""
    count, get, name = library.ggml_backend_reg_count, library.ggml_backend_reg_get, library.ggml_backend_reg_name
    count.argtypes, count.restype = [], ctypes.c_size_t
    get.argtypes, get.restype = [ctypes.c_size_t], ctypes.c_void_p
    name.argtypes, name.restype = [ctypes.c_void_p], ctypes.c_char_p
    for index in range(count()):
        registered = get(index)
        if (name(registered) or b"") == _CPU:
            return int(registered)
    return 0


def variant_name(file: str) -> str:
    """Return the variant that a library's file name tells."""
    found = _FILE_NAME.search(os.path.basename(file.replace("\\", "/")))  # noqa: PTH119 - Windows paths anywhere
    return found["variant"] if found is not None else NATIVE


def _folder(api: Any) -> Path:
    """Return where llama.cpp's libraries lie: beside the one that the binding has opened."""
    return Path(api._lib._name).parent


def _features(library: Any, registered: int) -> tuple[str, ...]:
    find = library.ggml_backend_reg_get_proc_address
    find.argtypes, find.restype = [ctypes.c_void_p, ctypes.c_char_p], ctypes.c_void_p
    address = find(registered, b"ggml_backend_get_features")
    if not address:
        return ()
    get = ctypes.CFUNCTYPE(ctypes.POINTER(_Feature), ctypes.c_void_p)(address)
    table = get(registered)
    names: list[str] = []
    while table[len(names)].name:  # the table ends with an empty row
        names.append(table[len(names)].name.decode("utf-8", "replace"))
    return tuple(names)


def _file_of(address: int) -> str:
    """Return the library file in which an address lies; empty where the system does not tell."""
    if sys.platform == "win32":
        kernel = ctypes.windll.kernel32
        module = ctypes.c_void_p()
        from_address_unchanged = 4 | 2
        if not kernel.GetModuleHandleExW(from_address_unchanged, ctypes.c_void_p(address), ctypes.byref(module)):
            return ""
        buffer = ctypes.create_unicode_buffer(32768)
        kernel.GetModuleFileNameW(module, buffer, len(buffer))
        return buffer.value
    dladdr = ctypes.CDLL(None).dladdr
    dladdr.argtypes, dladdr.restype = [ctypes.c_void_p, ctypes.POINTER(_Symbol)], ctypes.c_int
    found = _Symbol()
    return os.fsdecode(found.file) if dladdr(address, ctypes.byref(found)) and found.file else ""
