#!/usr/bin/env python3
"""Make the installers: `python packaging/build.py deb|run|nsis|dmg|all` (also `app`, `smoke`); `--help` tells the rest.

Needs only Python's standard library: the environment that the program is frozen from is made below `--out`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from release import freeze, linux
from release.project import PACKAGING, ROOT, source_date, version
from release.steps import BuildError, Workplace

OF_SYSTEM: Final = {"linux": ("deb", "run"), "win32": ("nsis",), "darwin": ("dmg",)}
MINIMUM_PYTHON: Final = (3, 11)


def smoke(place: Workplace) -> None:
    """Start the frozen program as a stranger would, and use it."""
    print(place.run("smoke", [sys.executable, PACKAGING / "smoke.py", place.app]), end="")


def nsis(place: Workplace) -> Path:
    """Make the installer for Windows."""
    target = place.dist / f"LifeHelper-{version()}-setup.exe"
    script = PACKAGING / "windows" / "make_installer.py"
    place.run("nsis", [place.venv_python, script, "--app", place.app, "--version", version(), "--out", target])
    return target


def dmg(place: Workplace) -> Path:
    """Make the disk image for macOS."""
    target = place.dist / f"LifeHelper-{version()}.dmg"
    script = PACKAGING / "macos" / "make_dmg.py"
    place.run("dmg", [place.venv_python, script, "--app", place.app, "--version", version(), "--out", target])
    return target


MAKERS: Final[dict[str, Callable[[Workplace], Path]]] = {"deb": linux.deb, "run": linux.run, "nsis": nsis, "dmg": dmg}
TARGETS: Final = ("app", "smoke", *MAKERS, "all")


def target(text: str) -> str:
    """Return a target of the command line."""
    if text not in TARGETS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(TARGETS)}")
    return text


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the arguments; usage errors end the program with 2."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", type=target, metavar="TARGET", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--out", type=Path, default=ROOT / "build", help="where everything is written (build/)")
    wheel_help = "the llama_cpp_python wheel or its folder (OUT/wheels, where it is made when there is none)"
    parser.add_argument("--llama-wheel", type=Path, help=wheel_help)
    parser.add_argument("--python", type=Path, default=None, help="the interpreter that is frozen in")
    parser.add_argument("--keep-app", action="store_true", help="take the frozen program that OUT/app holds")
    parser.add_argument("--no-smoke", action="store_true", help="`all` without starting the program")
    parser.add_argument("--print-version", action="store_true", help="print the version and end")
    options = parser.parse_args(arguments)
    if not options.targets and not options.print_version:
        parser.error("say what to make")
    return options


def wanted(targets: Sequence[str], platform: str) -> list[str]:
    """Return what to make, each once.

    Raises:
        BuildError: This system cannot make it.
    """
    mine = OF_SYSTEM.get(platform, ())
    out = [each for target in targets for each in (mine if target == "all" else (target,)) if each in MAKERS]
    foreign = [each for each in out if each not in mine]
    if foreign:
        systems = {name: system for system, names in OF_SYSTEM.items() for name in names}
        raise BuildError(
            f"{foreign[0]} is made on {systems[foreign[0]]}: a program cannot be frozen for another system"
        )
    return list(dict.fromkeys(out))


def frozen_python() -> Path:
    """Return the interpreter to freeze: on Debian its own, since another one names folders of this machine."""
    debian = Path("/usr/bin/python3")
    return debian if sys.platform.startswith("linux") and debian.exists() else Path(sys.executable)


def write_sums(folder: Path) -> None:
    """Write SHA256SUMS of what is given away."""
    lines = []
    for path in sorted(folder.iterdir()):
        if path.name != "SHA256SUMS":
            with path.open("rb") as file:
                lines.append(f"{hashlib.file_digest(file, 'sha256').hexdigest()}  {path.name}\n")
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def make(options: argparse.Namespace) -> None:
    """Make everything that is asked for.

    Raises:
        BuildError: What stopped it.
    """
    os.umask(0o022)  # what is packed must be readable for everyone who installs it, whoever builds
    out = options.out.absolute()
    makers = wanted(options.targets, sys.platform)
    wheel = (options.llama_wheel or out / "wheels").absolute()
    try:
        epoch = source_date()
    except ValueError as error:
        raise BuildError(str(error)) from error
    place = Workplace(out, wheel, options.python or frozen_python(), epoch)
    place.dist.mkdir(parents=True, exist_ok=True)
    print(f"LifeHelper {version()}, SOURCE_DATE_EPOCH {place.epoch}")
    if not options.keep_app:
        freeze.build(place)
    elif not place.app.exists():
        raise BuildError(f"there is no frozen program in {place.app}")
    if "smoke" in options.targets or ("all" in options.targets and not options.no_smoke):
        smoke(place)
    for name in makers:
        made = MAKERS[name](place)
        print(f"  {made}: {made.stat().st_size / 1e6:.1f} MB")
    write_sums(place.dist)


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line."""
    options = parse(arguments)
    if options.print_version:
        print(version())
        return 0
    if sys.version_info < MINIMUM_PYTHON:
        print("Python 3.11 or newer is needed.", file=sys.stderr)
        return 1
    try:
        make(options)
    except (BuildError, OSError, subprocess.CalledProcessError) as error:  # also a full disk, or a missing tool
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
