"""The packages for Linux: a .deb, and a file that installs itself for one user without root."""

from __future__ import annotations

import gzip
import hashlib
import platform
import re
import shutil
import subprocess
from email.utils import formatdate
from pathlib import Path
from typing import Final

from release import elf, tidy
from release.licences import read as read_components
from release.project import APP_ID, COMMAND, ICON, PACKAGING, SITE, TITLE, WINDOW, release_day, version
from release.steps import BuildError, Workplace

SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256, 512)
PARTS: Final = PACKAGING / "linux"
#: What the program reads of the system without being linked with it: fonts' rules and names of keys.
READS: Final = ("fontconfig-config", "xkb-data")
#: Without a Korean font every syllable is a box; reminders are shown through the session bus.
RECOMMENDS: Final = (
    "fonts-nanum | fonts-noto-cjk",
    "fonts-noto-color-emoji",
    "default-dbus-session-bus | dbus-session-bus",
)
MAINTAINER: Final = "LifeHelper <packages@lifehelper.example>"
_DEB: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_DESCRIPTION: Final = """habit coach that lives on your own computer
 Keep a few habits and talk them over with a coach. A small Gemma model runs
 on this computer: it answers in your language, looks things up and changes
 your data only after you say yes. No account, no cloud, no telemetry.
 .
 The model is inside; nothing is downloaded."""


# -- what both have


def lay_out(place: Workplace, root: Path) -> None:
    """Lay everything but the program itself below `root`, a folder like /usr/share: entry, icons, metadata, pages."""
    if root.exists():
        shutil.rmtree(root)
    copy(PARTS / f"{WINDOW}.desktop", root / "applications" / f"{WINDOW}.desktop")
    copy(PARTS / f"{WINDOW}.xml", root / "mime" / "packages" / f"{WINDOW}.xml")
    target = root / "metainfo" / f"{APP_ID}.metainfo.xml"
    target.parent.mkdir(parents=True)
    target.write_text(filled((PARTS / "metainfo.xml").read_text(encoding="utf-8")), encoding="utf-8")
    icons = root / "icons" / "hicolor"
    copy(ICON, icons / "scalable" / "apps" / f"{WINDOW}.svg")
    drawn = place.work / "icons"
    place.run("icons", [place.venv_python, PACKAGING / "release" / "icons.py", ICON, drawn, *map(str, SIZES)])
    for size in SIZES:
        copy(drawn / f"{size}.png", icons / f"{size}x{size}" / "apps" / f"{WINDOW}.png")
    pages = place.work / "man"
    shutil.rmtree(pages, ignore_errors=True)
    more = {"QT_QPA_PLATFORM": "offscreen"}
    place.run("manual pages", [place.venv_python, PACKAGING / "release" / "manpages.py", pages], more=more)
    for page in sorted(pages.rglob("*.1")):
        target = root / "man" / page.relative_to(pages)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.with_name(f"{page.name}.gz").write_bytes(packed(page.read_bytes()))


def filled(template: str) -> str:
    """Return a template with the program's names and version."""
    values = {"APP_ID": APP_ID, "SITE": SITE, "VERSION": version(), "DATE": release_day()}
    return re.sub(r"@([A-Z_]+)@", lambda found: values[found[1]], template)


def copy(source: Path, target: Path) -> None:
    """Copy a file, with the folders above it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def set_modes(root: Path, program: Path, scripts: set[str]) -> None:
    """Let everybody read what is in `root`, and start the `scripts`; the frozen `program` in it has its modes."""
    for path in (root, *sorted(root.rglob("*"))):
        if not (path.is_symlink() or path.is_relative_to(program)):
            path.chmod(0o755 if path.is_dir() or path.name in scripts else 0o644)


def packed(content: bytes) -> bytes:
    """Return `content` in gzip's format, without a time or name."""
    return gzip.compress(content, 9, mtime=0)


# -- .deb


def deb(place: Workplace) -> Path:
    """Make the package for Debian and its kin."""
    root = place.work / "deb"
    shutil.rmtree(root, ignore_errors=True)
    lay_out(place, root / "usr" / "share")
    shutil.copytree(place.app, root / "usr" / "lib" / WINDOW, symlinks=True)
    programs = root / "usr" / "bin"
    programs.mkdir()
    for name in (WINDOW, COMMAND):
        (programs / name).symlink_to(f"../lib/{WINDOW}/{name}")
    documents = root / "usr" / "share" / "doc" / WINDOW
    documents.mkdir(parents=True)
    (documents / "copyright").write_text(copyright_file(place), encoding="utf-8")
    (documents / "changelog.gz").write_bytes(packed(changelog(place.epoch).encode()))
    overrides = root / "usr" / "share" / "lintian" / "overrides" / WINDOW
    copy(PARTS / "lintian-overrides", overrides)
    _write_control(place, root)
    set_modes(root, root / "usr" / "lib" / WINDOW, {"prerm"})
    tidy.set_times(root, place.epoch)
    target = place.dist / f"{WINDOW}_{version()}_{_DEB[platform.machine()]}.deb"
    place.run("deb", ["dpkg-deb", "--root-owner-group", "-Zzstd", "-z9", "-b", root, target])
    place.run("desktop entry", ["desktop-file-validate", *root.glob("usr/share/applications/*.desktop")])
    place.run("metainfo", ["appstreamcli", "validate", "--no-net", *root.glob("usr/share/metainfo/*.xml")])
    return target


def _write_control(place: Workplace, root: Path) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    control = root / "DEBIAN"
    control.mkdir()
    copy(PARTS / "prerm", control / "prerm")
    sums = []
    for path in files:
        with path.open("rb") as file:
            sums.append(f"{hashlib.file_digest(file, 'md5').hexdigest()}  {path.relative_to(root)}\n")
    (control / "md5sums").write_text("".join(sums), encoding="utf-8")
    kilobytes = sum((path.stat().st_size + 1023) // 1024 for path in files)
    fields = {
        "Package": WINDOW,
        "Version": version(),
        "Architecture": _DEB[platform.machine()],
        "Maintainer": MAINTAINER,
        "Installed-Size": str(kilobytes),
        "Depends": ", ".join(depends(place.app)),
        "Recommends": ", ".join(RECOMMENDS),
        "Suggests": "xdg-utils",
        "Section": "utils",
        "Priority": "optional",
        "Homepage": SITE,
        "Description": _DESCRIPTION,
    }
    text = "".join(f"{key}: {value}\n" for key, value in fields.items())
    (control / "control").write_text(text, encoding="utf-8")


def depends(app: Path) -> list[str]:
    """Return what the program needs of the system: asked of its libraries and of the package manager.

    Raises:
        BuildError: A needed library belongs to no package here.
    """
    needed = elf.needed(app)
    packages = {owner(soname) for soname in needed}
    packages.discard("libc6")
    return [f"libc6 (>= {elf.newest_glibc(app)})", *sorted(packages | set(READS))]


def owner(soname: str) -> str:
    """Return the package that owns a library.

    Raises:
        BuildError: None does.
    """
    asked = subprocess.run(["dpkg-query", "-S", f"*/{soname}"], capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        raise BuildError(f"no package of this machine owns {soname}, which the program needs")
    return asked.stdout.splitlines()[0].split(":")[0]


def changelog(epoch: int) -> str:
    """Return Debian's changelog: one entry, since what changed is told elsewhere."""
    day = formatdate(epoch, usegmt=False)
    head = f"{WINDOW} ({version()}) stable; urgency=medium\n\n  * Release {version()}.\n\n"
    return f"{head} -- {MAINTAINER}  {day}\n"


def copyright_file(place: Workplace) -> str:
    """Return the terms of everything inside."""
    parts = [
        "LifeHelper Desktop\n\nThe program contains the components below, each under its own terms. The texts are",
        f"in /usr/lib/{WINDOW}/_internal/lifehelper_desktop/resources/licences and in the window's About.\n",
        (PACKAGING.parent / "resources" / "licences" / "gemma.txt").read_text(encoding="utf-8"),
        (PACKAGING.parent / "resources" / "licences" / "qt.txt").read_text(encoding="utf-8"),
        "The GNU licences: /usr/share/common-licenses/LGPL-3, /usr/share/common-licenses/GPL-3\n",
    ]
    listed = place.work / "frozen" / "licences" / "third-party.json"
    components = [each for each in read_components(listed) if each.kind != "text"]
    parts += [f"{each.name} {each.version}: {each.licence or 'see the full text'}" for each in components]
    return "\n".join(parts) + "\n"


# -- .run


def run(place: Workplace) -> Path:
    """Make the file that installs for one user."""
    root = place.work / "run"
    shutil.rmtree(root, ignore_errors=True)
    lay_out(place, root / "share")
    shutil.copytree(place.app, root / WINDOW, symlinks=True)
    copy(PARTS / "install.sh", root / "install.sh")
    (root / "VERSION").write_text(f"{version()}\n", encoding="utf-8")
    set_modes(root, root / WINDOW, {"install.sh"})
    tidy.set_times(root, place.epoch)
    name = f"LifeHelper-{version()}-{platform.machine()}.run"
    same = f"--sort=name --owner=0 --group=0 --numeric-owner --mtime=@{place.epoch} --format=gnu"
    place.run(
        "run",
        [
            "makeself", "--nox11", "--gzip", "--complevel", "6", "--sha256", "--tar-extra", same,
            "--packaging-date", formatdate(place.epoch, usegmt=True),
            root.name, name, f"{TITLE} {version()}", "sh", "./install.sh",
        ],
        cwd=place.work,  # makeself notes the names that it is called with: none may tell of this machine
        more={"GZIP": "-n"},
    )  # fmt: skip
    target = place.dist / name
    (place.work / name).replace(target)
    return target
