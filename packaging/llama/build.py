#!/usr/bin/env python3
"""Build llama.cpp for every processor of this architecture and pack it into a wheel of llama-cpp-python.

    python packaging/llama/build.py                       the wheel in build/wheels, its path on the last line
    python packaging/llama/build.py --out DIR --jobs 4

The ordinary `pip install llama-cpp-python` computes with what the building machine has and dies elsewhere with
"Illegal instruction". This one holds a library for each generation of processors (sse42, haswell, zen4, …); the app
lets llama.cpp choose at run time (`lifehelper_desktop/llm/variants.py`).

Version and checksum of the sources come from `packaging/lock/app.txt`. Needed: CMake and a C++ compiler (GCC 12 or
newer, Clang, Visual Studio 2022), better with Ninja; no network when the sources are there (`--sdist`). About 15
minutes of one core on x86-64; an interrupted build goes on where it was. The same input makes the same file: times come
from SOURCE_DATE_EPOCH, paths of this machine are kept out. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LOCK = ROOT / "packaging" / "lock" / "app.txt"
PACKAGE = "llama-cpp-python"

sys.path.insert(0, str(HERE))
from llama_wheel import (  # noqa: E402 - a script's neighbour
    OLDEST_MACOS,
    PackError,
    epoch,
    find_libraries,
    platform_tag,
    require_no_path_of,
    variants,
    write_wheel,
)

_TAIL = 30
_TOOLS = {
    "linux": "sudo apt-get install -y cmake ninja-build g++",
    "darwin": "xcode-select --install; brew install cmake ninja",
    "win32": "winget install Kitware.CMake, and the C++ workload of Visual Studio 2022",
}


class BuildError(Exception):
    """Something that a person has to see to; its text is the whole message."""


@dataclass(frozen=True, slots=True)
class Pin:
    """What the lock says about the sources."""

    version: str
    sha256: frozenset[str]


def read_pin(lock: str) -> Pin:
    """Return version and checksums of llama-cpp-python from the text of a lock file."""
    hashes = r"((?:\s+--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)"
    found = re.search(rf"^{re.escape(PACKAGE)}==(\S+) \\\n{hashes}", lock, re.MULTILINE)
    if found is None:
        raise BuildError(f"{PACKAGE} is not in {LOCK.name} with its checksum")
    return Pin(found[1], frozenset(re.findall(r"sha256:([0-9a-f]{64})", found[2])))


def say(text: str) -> None:
    """Tell what is being done."""
    print(f"• {text}", flush=True)


def check_sdist(path: Path, pin: Pin) -> Path:
    """Return `path` when it is what the lock means."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest not in pin.sha256:
        raise BuildError(f"{path} is not what {LOCK.name} names: its SHA-256 is {digest}")
    return path


def get_sdist(work: Path, pin: Pin) -> Path:
    """Return the source package, by pip where it is not there yet."""
    folder = work / "sdist"
    name = f"{PACKAGE.replace('-', '_')}-{pin.version}.tar.gz"
    if (folder / name).is_file():
        return check_sdist(folder / name, pin)
    say(f"getting the sources of {PACKAGE} {pin.version}")
    folder.mkdir(parents=True, exist_ok=True)
    wanted = folder / "wanted.txt"
    hashes = " ".join(f"--hash=sha256:{each}" for each in sorted(pin.sha256))
    wanted.write_text(f"{PACKAGE}=={pin.version} {hashes}\n", encoding="utf-8")
    command = [
        sys.executable, "-m", "pip", "download", "--disable-pip-version-check", "--no-input", "--no-deps",
        "--no-binary", PACKAGE, "--require-hashes", "-r", str(wanted), "-d", str(folder),
    ]  # fmt: skip
    run_logged(command, work / "sdist.log", "pip download")
    if not (folder / name).is_file():
        raise BuildError(f"pip did not leave {name} in {folder}")
    return check_sdist(folder / name, pin)


def unpack(sdist: Path, work: Path) -> Path:
    """Unpack the sources once and return their folder."""
    target, stamp = work / "source", work / "source.sha256"
    digest = hashlib.sha256(sdist.read_bytes()).hexdigest()
    if target.is_dir() and stamp.is_file() and stamp.read_text(encoding="ascii") == digest:
        return target
    say("unpacking")
    shutil.rmtree(target, ignore_errors=True)
    part = work / "source.part"
    shutil.rmtree(part, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        if hasattr(tarfile, "data_filter"):
            archive.extractall(part, filter="data")
        else:  # Debian 12; what is inside is known by its checksum
            archive.extractall(part)  # noqa: S202
    (inside,) = part.iterdir()
    inside.rename(target)
    part.rmdir()
    stamp.write_text(digest, encoding="ascii")
    return target


def configure_command(source: Path, build: Path, pin: Pin, system: str = sys.platform) -> list[str]:
    """Return the CMake command; everything that a chat with text needs, and nothing else."""
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "BUILD_SHARED_LIBS": "ON",
        "GGML_NATIVE": "OFF",
        "GGML_BACKEND_DL": "ON",
        "GGML_CPU_ALL_VARIANTS": "ON",
        "GGML_CCACHE": "OFF",
        "LLAMA_BUILD_COMMON": "OFF",
        "LLAMA_BUILD_TOOLS": "OFF",
        "LLAMA_BUILD_EXAMPLES": "OFF",
        "LLAMA_BUILD_TESTS": "OFF",
        "LLAMA_BUILD_SERVER": "OFF",
        "LLAMA_CURL": "OFF",
        "LLAMA_OPENSSL": "OFF",
        # Whatever git knows of the folder around would end up in the library.
        "GIT_EXE": "",
        "LLAMA_BUILD_NUMBER": "0",
        "LLAMA_BUILD_COMMIT": f"python-{pin.version}",
        # A wheel has no links: with versions in their names every library would be there twice.
        "CMAKE_PLATFORM_NO_VERSIONED_SONAME": "ON",
        "CMAKE_INSTALL_RPATH": "@loader_path" if system == "darwin" else "$ORIGIN",
        "CMAKE_BUILD_WITH_INSTALL_RPATH": "ON",
    }
    if system == "darwin":
        options["CMAKE_OSX_DEPLOYMENT_TARGET"] = OLDEST_MACOS
        options["GGML_METAL_EMBED_LIBRARY"] = "ON"
    if system == "win32":
        options["CMAKE_WINDOWS_EXPORT_ALL_SYMBOLS"] = "ON"  # as llama-cpp-python's own build does
    else:
        plain = f"-ffile-prefix-map={source / 'vendor' / 'llama.cpp'}=llama.cpp"
        options["CMAKE_C_FLAGS"] = options["CMAKE_CXX_FLAGS"] = _quoted(plain)
    command = ["cmake", "-S", str(source / "vendor" / "llama.cpp"), "-B", str(build)]
    if system != "win32" and shutil.which("ninja"):  # Visual Studio's own generator finds its compiler by itself
        command += ["-G", "Ninja"]
    return [*command, *(f"-D{name}={value}" for name, value in options.items())]


def _quoted(flag: str) -> str:
    return f'"{flag}"' if " " in flag else flag


def run_logged(command: Sequence[str], log_path: Path, title: str) -> None:
    """Run a command with its output in a log, and its steps (`[n/m]`, `n%`) and the time on the screen.

    Raises:
        BuildError: It failed; shows the end of its output.
    """
    log_path.parent.mkdir(parents=True, exist_ok=True)
    begin, told = time.monotonic(), 0.0
    at_terminal = sys.stdout.isatty()
    lines: list[str] = []
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}
    with (
        log_path.open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment,
            text=True, encoding="utf-8", errors="replace",
        ) as process,
    ):  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            log.write(line)
            lines = [*lines[-_TAIL:], line.rstrip()]
            now = time.monotonic()
            if now - told >= (1 if at_terminal else 60):
                told = now
                text = f"  {title} {_step(line)} {_clock(now - begin)}"
                print(f"\r\033[K{text}" if at_terminal else text, end="" if at_terminal else "\n", flush=True)
    if at_terminal:
        print("\r\033[K", end="", flush=True)
    if process.returncode != 0:
        end = "\n".join(lines[-_TAIL:])
        raise BuildError(f"{title} failed. The end of {log_path}:\n\n{end}")
    say(f"{title}: {_clock(time.monotonic() - begin)}")


def _step(line: str) -> str:
    found = re.match(r"\[\s*(\d+/\d+|\d+%)\]", line)
    return found[1] if found is not None else "…"


def _clock(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02d}"


def strip(libraries: dict[str, Path], folder: Path) -> dict[str, Path]:
    """Return copies of the libraries without what only a debugger or a linker needs."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    copies = {name: Path(shutil.copy2(path, folder / name)) for name, path in libraries.items()}
    if sys.platform != "win32":
        option = "-x" if sys.platform == "darwin" else "--strip-unneeded"
        subprocess.run(["strip", option, *map(str, copies.values())], check=True)
    return copies


def require_tools() -> None:
    """Make sure that there is something to build with.

    Raises:
        BuildError: Names what is missing and the command that brings it.
    """
    missing = [name for name in ("cmake",) if shutil.which(name) is None]
    if sys.platform != "win32":
        if not any(shutil.which(name) for name in (os.environ.get("CXX") or "c++", "g++", "clang++")):
            missing.append("a C++ compiler")
        if shutil.which("strip") is None:
            missing.append("strip")
    if missing:
        raise BuildError(f"Missing: {', '.join(missing)}. Try:\n\n    {_TOOLS.get(sys.platform, _TOOLS['linux'])}\n")


def make(work: Path, out: Path, sdist: Path | None, jobs: int) -> Path:
    """Do everything and return the wheel."""
    require_tools()
    pin = read_pin(LOCK.read_text(encoding="utf-8"))
    source = unpack(check_sdist(sdist, pin) if sdist is not None else get_sdist(work, pin), work)
    build = work / "build"
    run_logged(configure_command(source, build, pin), work / "configure.log", "cmake")
    command = ["cmake", "--build", str(build), "--config", "Release", "--target", "llama", "--parallel", str(jobs)]
    run_logged(command, work / "build.log", "llama.cpp")
    built = find_libraries(build / "bin")
    libraries = strip(built, work / "lib")
    require_no_path_of(work, libraries.values())
    wheel = write_wheel(out, source, libraries, pin.version, platform_tag(libraries.values()), epoch())
    size = sum(path.stat().st_size for path in libraries.values())
    say(f"{len(libraries)} libraries, {size / 1e6:.1f} MB; CPU variants: {', '.join(variants(libraries))}")
    say(f"{wheel.stat().st_size / 1e6:.1f} MB, SHA-256 {hashlib.sha256(wheel.read_bytes()).hexdigest()}")
    return wheel


def main(argv: Sequence[str] | None = None) -> int:
    """Carry out one command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "wheels", help="where the wheel goes")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "llama", help="where it is built; kept")
    parser.add_argument("--sdist", type=Path, help="the source package, where it lies here already")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 2, help="compilers at a time")
    args = parser.parse_args(argv)
    try:
        wheel = make(args.work.resolve(), args.out.resolve(), args.sdist, args.jobs)
    except (BuildError, PackError) as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("stopped; run it again to go on")
        return 130
    print(wheel)
    return 0


if __name__ == "__main__":
    sys.exit(main())
