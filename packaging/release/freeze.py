"""The frozen program: environment, model, PyInstaller, and the checks of what came out."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from release import environment, tidy
from release.project import PACKAGING, ROOT, WINDOW, version
from release.steps import Workplace


def build(place: Workplace) -> Path:
    """Make the frozen program anew and return its folder (on macOS: its bundle).

    Raises:
        BuildError: A step failed.
    """
    environment.prepare(place)
    model = prepare_model(place)
    for folder in (place.work / "pyinstaller", place.work / "frozen", place.app.parent):
        shutil.rmtree(folder, ignore_errors=True)
    place.run(
        "pyinstaller",
        [
            place.venv_python, "-m", "PyInstaller", "--noconfirm", "--clean", "--log-level", "WARN",
            "--workpath", place.work / "pyinstaller", "--distpath", place.app.parent, PACKAGING / "lifehelper.spec",
            "--", "--model", model, "--work", place.work / "frozen",
        ],
        cwd=place.work,
    )  # fmt: skip
    if sys.platform == "darwin":
        shutil.rmtree(place.app.parent / WINDOW)  # the bundle holds it
    tidy.finish(place.app, place.epoch)
    size = tidy.check(place.app, machine_folders(place))
    print(f"  {place.app}: {size / 1e6:.0f} MB")
    script = PACKAGING / "release" / "sbom.py"
    place.run("sbom", [place.venv_python, script, components(place), model, bill(place), version()])
    return place.app


def prepare_model(place: Workplace) -> Path:
    """Return the starter model, adapter folded in; made once of the same."""
    output = place.run(
        "starter model", [place.venv_python, PACKAGING / "release" / "prepare_model.py", place.work / "model"]
    )
    return Path(output.strip().splitlines()[-1])


def components(place: Workplace) -> Path:
    """Return the list of what is inside, as the build wrote it."""
    return place.work / "frozen" / "licences" / "third-party.json"


def bill(place: Workplace) -> Path:
    """Return the file of the bill of materials."""
    return place.dist / f"{WINDOW}-{version()}.cdx.json"


def machine_folders(place: Workplace) -> list[str]:
    """Return the folders of this machine that no file of the program may name."""
    # Not the home itself: wheels come from build services, and name theirs, which may be called like ours.
    return sorted({str(ROOT), str(place.out), str(Path.home() / ".pyenv")})
