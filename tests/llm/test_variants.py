"""The library that llama.cpp computes with: the real one here, and portable builds that are pretended."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.llm.llama_native import SPIN_COUNT, native
from lifehelper_desktop.llm.variants import NATIVE, cpu_backend, ggml_library, load_backends, variant_name

ROOT = Path(__file__).resolve().parent.parent.parent


class _Call:
    """A C function of a pretended library: takes the attributes that ctypes sets."""

    def __init__(self, run: Any) -> None:
        self._run = run

    def __call__(self, *args: Any) -> Any:
        return self._run(*args)


class _Library:
    """libllama with a registry of these names, to which looking into a folder adds `found`."""

    _name = "/앱 폴더/llama_cpp/lib/libllama.so"

    def __init__(self, registered: Sequence[bytes] = (), found: Sequence[bytes] = ()) -> None:
        self.folders: list[str] = []
        self.registered = list(registered)

        def look(folder: bytes) -> None:
            self.folders.append(os.fsdecode(folder))
            self.registered += found

        self.ggml_backend_reg_count = _Call(lambda: len(self.registered))
        self.ggml_backend_reg_get = _Call(lambda index: index + 1000)  # an address
        self.ggml_backend_reg_name = _Call(lambda address: self.registered[address - 1000])
        self.ggml_backend_load_all_from_path = _Call(look)


class _Build:
    def __init__(self, library: _Library) -> None:
        self._lib = library


def test_a_portable_build_is_told_where_its_variants_lie() -> None:
    library = _Library(found=[b"BLAS", b"CPU"])
    load_backends(_Build(library))
    assert library.folders == [str(Path("/앱 폴더/llama_cpp/lib"))]
    load_backends(_Build(library))
    assert len(library.folders) == 1


def test_a_build_for_one_machine_needs_nothing() -> None:
    library = _Library([b"CPU"])
    load_backends(_Build(library))
    assert library.folders == []


@pytest.mark.parametrize("found", [[], [b"MTL"]])
def test_a_folder_without_a_fitting_variant_is_an_error(found: list[bytes]) -> None:
    with pytest.raises(OSError, match="no CPU variant"):
        load_backends(_Build(_Library(found=found)))


def test_a_graphics_card_that_is_there_already_does_not_hide_the_processor() -> None:
    library = _Library([b"MTL"], found=[b"CPU"])
    load_backends(_Build(library))
    assert library.registered == [b"MTL", b"CPU"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows looks into the library beside it")
def test_a_library_is_asked_itself() -> None:
    library = _Library([b"CPU"])
    assert ggml_library(_Build(library), "ggml_backend_reg_count") is library
    assert ggml_library(_Build(library), "something else") is library  # whoever asks then, learns that it is missing


@pytest.mark.parametrize(
    ("file", "variant"),
    [
        ("/opt/lifehelper/llama_cpp/lib/libggml-cpu-sse42.so", "sse42"),
        ("C:\\프로그램\\llama_cpp\\lib\\ggml-cpu-haswell.dll", "haswell"),
        ("/Applications/앱.app/libggml-cpu-apple_m1.so", "apple_m1"),
        ("libggml-cpu-armv8.2_1.so.0", "armv8.2_1"),
        ("/venv/llama_cpp/lib/libggml-cpu.so.0", NATIVE),
        ("", NATIVE),
    ],
)
def test_the_variant_is_in_the_file_name(file: str, variant: str) -> None:
    assert variant_name(file) == variant


def test_what_this_build_computes_with() -> None:
    found = cpu_backend(native())
    assert found is not None
    assert found.variant
    assert Path(found.library).is_file()
    assert "ggml-cpu" in Path(found.library).name
    assert found.features


def test_openmp_hears_how_to_wait_before_llama_cpp_is_imported() -> None:
    program = """
import importlib.abc, os, sys

class Watcher(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name == "llama_cpp":
            print(os.environ.get("OMP_WAIT_POLICY"), os.environ.get("GOMP_SPINCOUNT"))
        return None

sys.meta_path.insert(0, Watcher())
from lifehelper_desktop.llm.llama_native import native
assert not [name for name in sys.modules if name.startswith(("llama_cpp", "numpy"))]
native()
"""
    unset = {name: value for name, value in os.environ.items() if not name.startswith(("OMP_", "GOMP_"))}
    told = []
    for environment in (unset, {**unset, "OMP_WAIT_POLICY": "ACTIVE"}):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={**environment, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.append(done.stdout.split())
    assert told == [["PASSIVE", SPIN_COUNT], ["ACTIVE", "None"]]


def test_a_library_that_cannot_be_loaded_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "libllama.so").write_bytes(b"not a library")
    program = """
from lifehelper_desktop.llm.llama_native import native
try:
    native()
except OSError as error:
    print("said:", error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT), "LLAMA_CPP_LIB_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("said: "), done.stderr
