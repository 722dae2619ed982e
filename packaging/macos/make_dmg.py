#!/usr/bin/env python3
"""Make the disk image of a frozen program: `make_dmg.py --app LifeHelper.app --version V --out FILE.dmg`.

On macOS `hdiutil` makes a compressed image with a link to the Applications folder. With the variable
LIFEHELPER_CODESIGN_IDENTITY the app and the image are signed. Nothing else is needed than what macOS brings.
"""

from __future__ import annotations

import argparse
import os
import plistlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

HERE = Path(__file__).resolve().parent
ENTITLEMENTS: Final = HERE / "entitlements.plist"
IDENTITY: Final = "LIFEHELPER_CODESIGN_IDENTITY"


class ImageError(Exception):
    """Why no image could be made."""


def check_app(app: Path, version: str) -> None:
    """See that `app` is the program in this version.

    Raises:
        ImageError: It is not.
    """
    try:
        values = plistlib.loads((app / "Contents" / "Info.plist").read_bytes())
    except (OSError, plistlib.InvalidFileException) as error:
        raise ImageError(f"{app} is no program: {error}") from error
    if values.get("CFBundleShortVersionString") != version:
        raise ImageError(f"{app} is version {values.get('CFBundleShortVersionString')}, not {version}")
    if not (app / "Contents" / "MacOS" / str(values.get("CFBundleExecutable"))).is_file():
        raise ImageError(f"{app} has no program in it")


def commands(app: Path, staging: Path, version: str, out: Path, identity: str) -> list[list[str]]:
    """Return what is run, in order; `staging` becomes the image."""
    sign = ["codesign", "--force", "--timestamp", "--sign", identity]
    steps = [["ditto", str(app), str(staging / app.name)]]
    if identity:
        hardened = ["--options", "runtime", "--entitlements", str(ENTITLEMENTS), "--deep"]
        steps.append([*sign, *hardened, str(staging / app.name)])
    steps.append(["codesign", "--verify", "--deep", "--strict", str(staging / app.name)])
    image = ["hdiutil", "create", "-ov", "-format", "ULFO", "-fs", "APFS", "-volname", f"LifeHelper {version}"]
    steps.append([*image, "-srcfolder", str(staging), str(out)])
    if identity:
        steps.append([*sign, str(out)])
    steps.append(["hdiutil", "verify", str(out)])
    return steps


def make(app: Path, version: str, out: Path) -> Path:
    """Make the image and return it.

    Raises:
        ImageError: This is no Mac, the app is not the program, or a step failed.
    """
    check_app(app, version)
    if shutil.which("hdiutil") is None:
        raise ImageError("hdiutil is missing: a disk image is made on macOS")
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        staging = Path(name)
        (staging / "Applications").symlink_to("/Applications")
        for command in commands(app, staging, version, out, os.environ.get(IDENTITY, "")):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ImageError(f"{command[0]} {command[1]}: {(done.stdout + done.stderr).strip()[-2000:]}")
    return out


def main(arguments: Sequence[str]) -> int:
    """Carry out the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--app", type=Path, required=True)
    parser.add_argument("--version", required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args(arguments)
    try:
        made = make(options.app, options.version, options.out)
    except (ImageError, OSError) as error:
        print(f"make_dmg.py: {error}", file=sys.stderr)
        return 1
    print(f"{made} ({made.stat().st_size / 1e6:.1f} MB)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
