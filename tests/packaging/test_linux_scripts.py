"""What the packages for Linux do with a system: the .run's own installer, and the script that dpkg runs before it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lifehelper_desktop.ui.login_start import XdgAutostart, exec_value
from release import linux
from release.project import COMMAND, WINDOW

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="these scripts are for Linux")
Home = tuple[Path, dict[str, str]]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A home with everything in its name that has to be quoted, and an environment without anything else."""
    folder = tmp_path / '홈 100% "$x` \\ 끝'
    folder.mkdir()
    return folder, {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}


@pytest.fixture
def unpacked(tmp_path: Path) -> Path:
    """What the .run unpacks, with `sleep` as the program: it knows --version, and can be kept running."""
    return lay_out(tmp_path / "unpacked", Path(str(shutil.which("sleep"))))


def lay_out(folder: Path, program: Path) -> Path:
    (folder / WINDOW / "_internal").mkdir(parents=True)
    shutil.copy(program, folder / WINDOW / WINDOW)
    (folder / WINDOW / COMMAND).symlink_to(WINDOW)
    linux.copy(linux.PARTS / "install.sh", folder / "install.sh")
    linux.copy(linux.PARTS / f"{WINDOW}.desktop", folder / "share" / "applications" / f"{WINDOW}.desktop")
    linux.copy(linux.PARTS / f"{WINDOW}.xml", folder / "share" / "mime" / "packages" / f"{WINDOW}.xml")
    return folder


def install(unpacked: Path, home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(unpacked / "install.sh"), *arguments]
    return subprocess.run(command, env=home[1], capture_output=True, text=True, timeout=60, check=False)


def target(home: Home) -> Path:
    return home[0] / ".local" / "opt" / WINDOW


def test_a_user_installs_upgrades_and_uninstalls(unpacked: Path, home: Home) -> None:
    data = home[0] / ".local" / "share" / "LifeHelper" / "lifehelper.db"
    data.parent.mkdir(parents=True)
    data.write_text("mine", encoding="utf-8")
    assert install(unpacked, home).returncode == 0
    entry = home[0] / ".local" / "share" / "applications" / f"{WINDOW}.desktop"
    program = target(home) / WINDOW
    assert f"Exec={exec_value((str(program),))} %F" in entry.read_text(encoding="utf-8").splitlines()
    assert (home[0] / ".local" / "bin" / COMMAND).resolve() == program
    (target(home) / "_internal" / "of-the-older").touch()
    assert install(unpacked, home).returncode == 0
    assert not (target(home) / "_internal" / "of-the-older").exists()
    assert [path.name for path in target(home).parent.iterdir()] == [WINDOW]
    command = ["sh", str(target(home) / "uninstall")]
    said = subprocess.run(command, env=home[1], check=True, capture_output=True, text=True).stdout
    assert str(data.parent) in said
    assert [path for path in home[0].rglob("*") if not path.is_dir()] == [data]
    assert install(unpacked, home, "--uninstall").returncode == 0, "a second time is no fault"


def test_what_runs_is_ended_first(unpacked: Path, home: Home) -> None:
    assert install(unpacked, home).returncode == 0
    with subprocess.Popen([target(home) / WINDOW, "60"]) as running:
        assert install(unpacked, home).returncode == 0
        assert running.wait(1) != 0
    with subprocess.Popen([target(home) / WINDOW, "60"]) as running, subprocess.Popen(["sleep", "60"]) as other:
        assert install(unpacked, home, "--uninstall").returncode == 0
        assert running.wait(1) != 0
        assert other.poll() is None, "another program was ended"
        other.kill()
    assert not target(home).exists()


def test_a_command_of_that_name_stays_what_it_is(unpacked: Path, home: Home) -> None:
    theirs = home[0] / ".local" / "bin" / COMMAND
    theirs.parent.mkdir(parents=True)
    theirs.symlink_to("/bin/true")
    done = install(unpacked, home)
    assert done.returncode == 0
    assert str(theirs) in done.stdout
    assert install(unpacked, home, "--uninstall").returncode == 0
    assert theirs.readlink() == Path("/bin/true")
    assert [path.name for path in theirs.parent.iterdir()] == [COMMAND]


def test_a_program_that_does_not_start_changes_nothing(unpacked: Path, home: Home, tmp_path: Path) -> None:
    assert install(unpacked, home).returncode == 0
    before = sorted(home[0].rglob("*"))
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho libGL.so.1 is missing\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    done = install(lay_out(tmp_path / "unpacked2", broken), home)
    assert done.returncode == 1
    assert "libGL.so.1 is missing" in done.stdout
    assert sorted(home[0].rglob("*")) == before
    assert subprocess.run([target(home) / WINDOW, "0"], check=False).returncode == 0


@pytest.mark.parametrize("is_ours", [True, False])
def test_only_our_own_start_at_login_goes(unpacked: Path, home: Home, is_ours: bool) -> None:
    assert install(unpacked, home).returncode == 0
    program = target(home) / WINDOW if is_ours else Path("/usr/lib") / WINDOW / WINDOW
    entry = XdgAutostart((str(program), "--hidden"), home[0] / ".config" / "autostart")
    entry.enable()
    assert install(unpacked, home).returncode == 0
    assert entry.path.exists(), "an upgrade takes nothing from the user"
    assert install(unpacked, home, "--uninstall").returncode == 0
    assert entry.path.exists() is not is_ours


# -- .deb


@pytest.fixture
def program(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[bytes]]]:
    """A program that runs, as the package would have installed it."""
    path = tmp_path / WINDOW
    shutil.copy(str(shutil.which("sleep")), path)
    with subprocess.Popen([path, "60"]) as running:
        yield path, running
        running.kill()


def before_removal(path: Path, *arguments: str) -> None:
    script = (linux.PARTS / "prerm").read_text(encoding="utf-8")
    assert f"program=/usr/lib/{WINDOW}/{WINDOW}\n" in script
    script = script.replace(f"program=/usr/lib/{WINDOW}/{WINDOW}\n", f"program='{path}'\n")
    subprocess.run(["sh", "-c", script, "prerm", *arguments], check=True, timeout=60)


@pytest.mark.parametrize("why", [("remove",), ("upgrade", "0.2.0")])
def test_dpkg_ends_the_program_before_its_files_go(
    program: tuple[Path, subprocess.Popen[bytes]], why: tuple[str, ...]
) -> None:
    path, running = program
    with subprocess.Popen(["sleep", "60"]) as other:
        before_removal(path, *why)
        assert running.wait(1) != 0
        assert other.poll() is None, "another program was ended"
        other.kill()
    before_removal(path, *why)  # with nothing running, and with nothing there
    path.unlink()
    before_removal(path, *why)


def test_dpkg_leaves_it_alone_otherwise(program: tuple[Path, subprocess.Popen[bytes]]) -> None:
    path, running = program
    before_removal(path, "failed-upgrade", "0.0.9")
    assert running.poll() is None


def test_everybody_may_read_what_was_packed(tmp_path: Path) -> None:
    files = {"usr/share/a": 0o600, "DEBIAN/prerm": 0o600, f"usr/lib/{WINDOW}/{WINDOW}": 0o711}
    for name, mode in files.items():
        path = tmp_path / name
        path.parent.mkdir(mode=0o700, parents=True)
        path.touch()
        path.chmod(mode)
    linux.set_modes(tmp_path, tmp_path / "usr" / "lib" / WINDOW, {"prerm"})
    assert [(tmp_path / name).stat().st_mode & 0o777 for name in files] == [0o644, 0o755, 0o711]
    assert (tmp_path / "usr" / "lib").stat().st_mode & 0o777 == 0o755
