"""What `packaging/llama` decides before and after the compiler: sources, options, and the wheel itself."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.util
import io
import sys
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "packaging" / "llama"
CORE = ("libllama.so", "libggml.so", "libggml-base.so")


def _load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location(f"llama_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)  # dataclasses look there
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return _load("build", monkeypatch)


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return _load("llama_wheel", monkeypatch)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A source package with what the wheel takes, and what it leaves."""
    folder = tmp_path / "source"
    texts = {
        "llama_cpp/__init__.py": '__version__ = "9.9"\n',
        "llama_cpp/server/app.py": "",
        "llama_cpp/py.typed": "",
        "llama_cpp/notes.txt": "left out",
        "PKG-INFO": "Metadata-Version: 2.1\nName: llama_cpp_python\nVersion: 9.9\n",
        "LICENSE.md": "MIT",
        "vendor/llama.cpp/LICENSE": "MIT",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """What a build leaves, links of other systems included."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in (*CORE, "libggml-cpu-sse42.so", "libggml-cpu-haswell.so", "libllama-common.so", "notes.txt"):
        (folder / name).write_bytes(name.encode())
    return folder


def test_version_and_checksum_come_from_the_lock(build: ModuleType) -> None:
    pin = build.read_pin(build.LOCK.read_text(encoding="utf-8"))
    assert f"llama-cpp-python=={pin.version}" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert [len(each) for each in pin.sha256] == [64]


def test_a_lock_without_checksum_is_refused(build: ModuleType) -> None:
    for text in (
        "",
        "llama-cpp-python==0.3.36\n",
        "other-llama-cpp-python==1 \\\n    --hash=sha256:" + "0" * 64 + "\n",
    ):
        with pytest.raises(build.BuildError, match="with its checksum"):
            build.read_pin(text)


def test_other_sources_are_refused(build: ModuleType, tmp_path: Path) -> None:
    sdist = tmp_path / "llama_cpp_python-9.9.tar.gz"
    sdist.write_bytes(b"something else")
    digest = hashlib.sha256(b"something else").hexdigest()
    assert build.check_sdist(sdist, build.Pin("9.9", frozenset([digest]))) == sdist
    with pytest.raises(build.BuildError, match=digest):
        build.check_sdist(sdist, build.Pin("9.9", frozenset(["0" * 64])))
    kept = tmp_path / "sdist"
    kept.mkdir()
    sdist.rename(kept / sdist.name)
    assert build.get_sdist(tmp_path, build.Pin("9.9", frozenset([digest]))) == kept / sdist.name


@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_every_system_gets_all_variants_and_no_features_of_this_machine(build: ModuleType, system: str) -> None:
    source = Path("/ein Ordner/source")
    command = build.configure_command(source, Path("/b"), build.Pin("9.9", frozenset()), system)
    assert {"-DGGML_NATIVE=OFF", "-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON"} <= set(command)
    flags = [each for each in command if each.startswith("-DCMAKE_C_FLAGS=")]
    if system == "win32":
        assert flags == []
        assert "-G" not in command
    else:
        assert flags == ['-DCMAKE_C_FLAGS="-ffile-prefix-map=/ein Ordner/source/vendor/llama.cpp=llama.cpp"']
    assert ("-DCMAKE_INSTALL_RPATH=@loader_path" in command) is (system == "darwin")


def test_progress_is_read_from_what_the_build_says(build: ModuleType) -> None:
    assert build._step("[12/325] Building CXX object a.o\n") == "12/325"
    assert build._step("[ 41%] Building CXX object a.o\n") == "41%"
    assert build._step("warning: something\n") == "…"
    assert build._clock(3725) == "62:05"


def test_a_failing_command_shows_the_end_of_its_output(build: ModuleType, tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    with pytest.raises(build.BuildError, match="the last words"):
        build.run_logged([sys.executable, "-c", "print('the last words'); raise SystemExit(3)"], log, "step")
    assert log.read_text(encoding="utf-8") == "the last words\n"


def test_missing_tools_are_named_with_the_command(build: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build.shutil, "which", lambda name: None)
    with pytest.raises(build.BuildError, match="cmake, a C"):
        build.require_tools()


def test_only_what_a_chat_needs_is_taken(wheel: ModuleType, built: Path) -> None:
    found = wheel.find_libraries(built)
    assert sorted(found) == sorted([*CORE, "libggml-cpu-haswell.so", "libggml-cpu-sse42.so"])
    assert wheel.variants(found) == ["haswell", "sse42"]
    assert wheel.variants(["ggml-cpu-zen4.dll", "ggml-base.dll", "libggml-cpu.so"]) == ["zen4"]


def test_an_incomplete_build_is_refused(wheel: ModuleType, built: Path) -> None:
    (built / "libggml-cpu-sse42.so").unlink()
    with pytest.raises(wheel.PackError, match="no CPU variants"):
        wheel.find_libraries(built)
    (built / "libggml.so").unlink()
    with pytest.raises(wheel.PackError, match="not built: ggml "):
        wheel.find_libraries(built)


def test_paths_of_this_machine_are_refused(wheel: ModuleType, tmp_path: Path) -> None:
    library = tmp_path / "libllama.so"
    library.write_bytes(b"llama.cpp/src/llama.cpp")
    wheel.require_no_path_of(tmp_path, [library])
    library.write_bytes(str(tmp_path).encode() + b"/src/llama.cpp")
    with pytest.raises(wheel.PackError, match="has the folder of this machine"):
        wheel.require_no_path_of(tmp_path, [library])


def test_the_newest_glibc_names_the_wheel(wheel: ModuleType) -> None:
    assert wheel.newest_glibc([b"..GLIBC_2.2.5\0GLIBC_2.34\0GLIBCXX_3.4.30\0", b"GLIBC_2.9\0"]) == (2, 34)
    assert wheel.newest_glibc([b"GLIBC_2.2.5\0"]) == (2, 17)


def test_time_comes_from_the_environment(wheel: ModuleType) -> None:
    assert wheel.epoch({"SOURCE_DATE_EPOCH": "1700000000"}) == 1700000000
    assert wheel.epoch({}) == wheel.epoch({"SOURCE_DATE_EPOCH": "0"}) == 315532800


def test_the_same_input_makes_the_same_wheel(wheel: ModuleType, source: Path, built: Path, tmp_path: Path) -> None:
    libraries = wheel.find_libraries(built)
    made = [
        wheel.write_wheel(tmp_path / name, source, libraries, "9.9", "manylinux_2_34_x86_64", 1700000000)
        for name in ("one", "two")
    ]
    assert made[0].read_bytes() == made[1].read_bytes()
    assert made[0].name == "llama_cpp_python-9.9-py3-none-manylinux_2_34_x86_64.whl"
    with zipfile.ZipFile(made[0]) as archive:
        names = archive.namelist()
        assert names[-1].startswith("llama_cpp_python-9.9.dist-info/")
        assert "llama_cpp/server/app.py" in names
        assert "llama_cpp/notes.txt" not in names
        assert archive.read("llama_cpp/lib/libggml.so") == b"libggml.so"
        assert {entry.date_time for entry in archive.infolist()} == {(2023, 11, 14, 22, 13, 20)}
        rows = list(csv.reader(io.StringIO(archive.read("llama_cpp_python-9.9.dist-info/RECORD").decode())))
        assert sorted(row[0] for row in rows) == sorted(names)
        for name, digest, size in rows[:-1]:
            content = archive.read(name)
            hashed = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            assert (digest, size) == (f"sha256={hashed}", str(len(content)))
