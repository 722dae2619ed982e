"""The build's own virtual environment, made from the lock file and the portable llama.cpp wheel."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path

from release.project import PACKAGING, ROOT
from release.steps import BuildError, Workplace

LOCK = PACKAGING / "lock" / "bundle.txt"
_LLAMA = "llama-cpp-python=="
_WHEELS = "llama_cpp_python-*.whl"


def prepare(place: Workplace) -> None:
    """Have `out/venv` complete; nothing happens when it already is. Makes the llama.cpp wheel where there is none.

    Raises:
        BuildError: The interpreter, a tool for llama.cpp or a package is missing.
    """
    if place.wheel == place.own_wheels and not any(place.wheel.glob(_WHEELS)):
        make_wheel(place)
    wheel = find_wheel(place.wheel)
    stamp = place.out / "venv" / "ready"
    wanted = fingerprint(place.python, wheel)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    place.run("environment", [place.python, "-m", "venv", "--clear", place.out / "venv"])
    requirements = place.work / "requirements.txt"
    requirements.parent.mkdir(parents=True, exist_ok=True)
    requirements.write_text(without_llama(LOCK.read_text(encoding="utf-8")), encoding="utf-8")
    pip: list[str | Path] = [place.venv_python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    place.run("pip", [*pip, "--require-hashes", "-r", PACKAGING / "lock" / "pip.txt"])
    place.run("libraries", [*pip, "--require-hashes", "-r", requirements])
    # The lock names llama.cpp's source, which a build here would tie to this processor: the portable wheel instead.
    place.run("llama.cpp wheel", [*pip, "--no-deps", wheel])
    stamp.write_text(wanted, encoding="utf-8")


def make_wheel(place: Workplace) -> None:
    """Build llama.cpp for every processor into `out/wheels`; takes about 26 minutes of one core.

    Raises:
        BuildError: A tool is missing or a step of it failed.
    """
    script = PACKAGING / "llama" / "build.py"
    command = [sys.executable, script, "--out", place.own_wheels, "--work", place.out / "llama"]
    print("• no llama.cpp wheel yet: building it, a quarter of an hour on two cores", flush=True)
    place.run("llama.cpp", command)


def find_wheel(where: Path) -> Path:
    """Return the one llama-cpp-python wheel that `where` is or holds.

    Raises:
        BuildError: None, several, or another version than the lock's.
    """
    found = [where] if where.is_file() else sorted(where.glob(_WHEELS))
    if len(found) != 1:
        raise BuildError(
            f"{len(found)} llama_cpp_python wheels in {where}, one is needed. "
            "packaging/llama makes it; name it or its folder with --llama-wheel."
        )
    version = found[0].name.split("-")[1].partition("+")[0]
    if locked_llama() != version:
        raise BuildError(f"{found[0].name}: the lock wants llama-cpp-python {locked_llama()}")
    return found[0]


def locked_llama() -> str:
    """Return the version of llama-cpp-python in the lock."""
    found = re.search(rf"^{_LLAMA}(\S+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise BuildError(f"{LOCK.relative_to(ROOT)} does not name llama-cpp-python")
    return found[1]


def without_llama(lock: str) -> str:
    """Return the text of a lock file without llama-cpp-python and its hashes."""
    entries = re.split(r"\n(?=\S)", lock)
    return "\n".join(entry for entry in entries if not entry.startswith(_LLAMA)) + "\n"


def fingerprint(python: Path, wheel: Path) -> str:
    """Return what the environment is made from.

    Raises:
        BuildError: The interpreter does not run.
    """
    try:
        version = subprocess.run(
            [str(python), "-c", "import sys; print(sys.version, sys.base_prefix)"],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"the interpreter {python} does not run; name another with --python") from error
    digest = hashlib.sha256(version.encode())
    for path in (LOCK, PACKAGING / "lock" / "pip.txt", wheel):
        digest.update(path.read_bytes())
    return digest.hexdigest()
