#!/usr/bin/env python3
"""Start LifeHelper Desktop from a source checkout, or test it, with nothing prepared beforehand.

    python run.py                 make .venv, install the app with the starter model, open the window
    python run.py cli habits      the same, then the command line `lifehelper habits`
    python run.py setup           only make .venv
    python run.py test [ARGS]     make what the tests need and run them all (with ARGS: pytest ARGS)

Standard library only. A second run does nothing that is already done.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import importlib.util
import locale
import os
import platform
import runpy
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
LOCKS = ROOT / "packaging" / "lock"
LOG = VENV / "setup.log"
MINIMUM_PYTHON = (3, 11)
PROCESSOR = ROOT / "lifehelper_desktop" / "base" / "processor.py"

# soname -> Debian package: what PySide6 and llama.cpp need beside their wheels.
LIBRARIES = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libgomp.so.1": "libgomp1",
}
FONTS = {
    ("Nanum", "NotoSansCJK", "NotoSansKR", "UnDotum", "Pretendard"): "fonts-nanum",
    ("NotoColorEmoji", "Twemoji", "EmojiOne"): "fonts-noto-color-emoji",
}
TEST_PROGRAMS = {"Xvfb": "xvfb", "xdotool": "xdotool", "trayer": "trayer", "dbus-daemon": "dbus"}


#: The whole suite on all processors; the tests of a file stay together, since they share what they prepared.
IN_PARALLEL = ("-n", "auto", "--dist", "loadfile")


class SetupError(Exception):
    """Something a person must do first; its text is the whole message."""


def is_korean() -> bool:
    """Return whether messages are in Korean."""
    value = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    if not value:
        value = locale.getlocale()[0] or ""
    return value.lower().startswith("ko")


def words(korean: str, english: str) -> str:
    """Choose the language of a message."""
    return korean if is_korean() else english


def say(korean: str, english: str) -> None:
    """Tell what is being done."""
    print(f"• {words(korean, english)}", flush=True)


# -- the processor ------------------------------------------------------------------------------------------------


def check_processor(*, window: bool) -> None:
    """Say what does not work on a processor below x86-64-v2, by the app's own check; nothing where everything does.

    Raises:
        SetupError: The window is wanted, which cannot open there.
    """
    missing = ", ".join(runpy.run_path(str(PROCESSOR))["missing_features"]())
    if not missing:
        return
    text = words(
        f"이 컴퓨터의 CPU가 모르는 명령어({missing})가 있어서 창과 코치는 움직이지 않아요. "
        "2013년 이후에 나온 컴퓨터라면 거의 모두에서 움직여요.\n"
        "여기서는 명령줄로 기록할 수 있어요: python run.py cli habits",
        f"This computer's CPU lacks {missing}, so the window and the coach do not work here. "
        "Nearly every computer made since 2013 has them.\n"
        "Here you can keep your habits on the command line: python run.py cli habits",
    )
    if window:
        raise SetupError(text)
    print(text, flush=True)


# -- the system ---------------------------------------------------------------------------------------------------


def has_library(soname: str) -> bool:
    """Return whether the dynamic linker finds a library."""
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def has_font(name_parts: Sequence[str]) -> bool:
    """Return whether a font file with one of these names lies in a usual folder."""
    folders = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".local/share/fonts",
               Path.home() / ".fonts"]  # fmt: skip
    for folder in folders:
        for _root, _dirs, files in os.walk(folder):
            if any(part in name for name in files for part in name_parts):
                return True
    return False


def missing_packages(*, testing: bool) -> tuple[list[str], list[str]]:
    """Return the Debian packages without which the app cannot start, and those it only looks wrong without."""
    needed = [package for soname, package in LIBRARIES.items() if not has_library(soname)]
    wished = [package for parts, package in FONTS.items() if not has_font(parts)]
    if testing:
        needed += [package for program, package in TEST_PROGRAMS.items() if shutil.which(program) is None]
        needed, wished = needed + wished, []  # pictures of Korean text are part of the tests
    return needed, wished


def find_compiler() -> str | None:
    """Return the C++ compiler that llama.cpp will be built with, or None."""
    for name in (os.environ.get("CXX", ""), "c++", "g++", "clang++"):
        if name and (path := shutil.which(name)):
            return path
    return None


def needs_compiler() -> bool:
    """Return whether llama.cpp still has to be built: not in .venv, no built wheel kept by pip."""
    if sys.platform == "win32" or llama_is_installed():
        return False  # Windows: CMake finds Visual Studio by itself and says so when it is missing
    listing = subprocess.run(
        [str(venv_python()), "-m", "pip", "cache", "list", "llama_cpp_python", "--format=abspath"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ".whl" not in listing.stdout


def llama_is_installed() -> bool:
    """Return whether .venv holds llama-cpp-python in the version that the lock names."""
    version = next(
        line.split("==")[1].split()[0]
        for line in (LOCKS / "app.txt").read_text(encoding="utf-8").splitlines()
        if line.startswith("llama-cpp-python==")
    )
    return any(VENV.glob(f"**/llama_cpp_python-{version}.dist-info"))


def prepare_system(*, testing: bool) -> None:
    """Install missing system packages as root, or say the one command that does.

    Raises:
        SetupError: Something needed is missing and only a person can install it.
    """
    if not sys.platform.startswith("linux"):
        return
    needed, wished = missing_packages(testing=testing)
    if not needed and not wished:
        return
    packages = needed + wished
    if shutil.which("apt-get") is None:
        text = words(
            "이 시스템의 꾸러미 관리자로 다음에 해당하는 것을 설치해 주세요(데비안 이름): ",
            "Please install the equivalents of these Debian packages with your system's package manager: ",
        ) + " ".join(packages)
    elif os.geteuid() == 0:
        say("시스템 라이브러리를 설치해요: " + " ".join(packages), "Installing system libraries: " + " ".join(packages))
        apt_install(packages)
        return
    else:
        text = words("다음 명령을 한 번 실행해 주세요:", "Please run this command once:") + (
            f"\n\n    sudo apt-get install -y --no-install-recommends {' '.join(packages)}\n"
        )
    if needed:
        raise SetupError(text)
    print(text, flush=True)


def apt_install(packages: Sequence[str]) -> None:
    """Install Debian packages; root only."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run_logged(["apt-get", "update", "-q"], environment, "apt-get update")
    command = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *packages]
    run_logged(command, environment, "apt-get install")


def prepare_compiler() -> None:
    """Make sure that llama.cpp can be built, where it still has to be.

    Raises:
        SetupError: No compiler.
    """
    if not needs_compiler():
        return
    if find_compiler() is None:
        # gcc without its C++ half is the usual bare Debian; root may complete it. No compiler at all is a choice
        # that we leave to the person.
        if shutil.which("gcc") and shutil.which("apt-get") and os.geteuid() == 0:
            say("gcc에 C++ 부분(g++)을 더해요.", "Adding the C++ half of gcc (g++).")
            apt_install(["g++"])
        else:
            raise SetupError(
                words(
                    "C++ 컴파일러가 없어서 llama.cpp를 만들 수 없어요. 설치한 뒤 다시 실행해 주세요:",
                    "There is no C++ compiler, so llama.cpp cannot be built. Install one and run this again:",
                )
                + (
                    "\n\n    xcode-select --install\n"
                    if sys.platform == "darwin"
                    else "\n\n    sudo apt-get install -y build-essential\n"
                )
            )
    say(
        "llama.cpp를 만들어요. 처음 한 번만, 10분쯤 걸려요.",
        "Building llama.cpp. This takes about ten minutes and happens only once.",
    )


# -- the virtual environment --------------------------------------------------------------------------------------


def venv_python() -> Path:
    """Return the interpreter of .venv."""
    return VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def fingerprint(kind: str) -> str:
    """Return what the environment was made from: interpreter, locks and project file."""
    digest = hashlib.sha256(f"{kind} {sys.version} {platform.machine()} {ROOT}".encode())
    for path in (LOCKS / f"{kind}.txt", LOCKS / "pip.txt", ROOT / "pyproject.toml"):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def is_ready(kind: str) -> bool:
    """Return whether .venv is complete for `kind` (`dev` includes `app`)."""
    if not venv_python().exists():
        return False
    for candidate in ("dev",) if kind == "dev" else ("app", "dev"):
        stamp = VENV / f"ready-{candidate}"
        if stamp.exists() and stamp.read_text(encoding="utf-8") == fingerprint(candidate):
            return True
    return False


def make_environment(kind: str) -> None:
    """Make or complete .venv from the lock file of `kind`; an interrupted run is taken up again."""
    if not venv_works():
        say("가상 환경 .venv를 만들어요.", "Making the virtual environment .venv.")
        create_venv()
    pip("install", "--require-hashes", "-r", str(LOCKS / "pip.txt"), title="pip")
    prepare_compiler()
    say("라이브러리와 시작 모델을 설치해요(모델 240 MB).", "Installing the libraries and the starter model (240 MB).")
    environment = dict(os.environ)
    # The image half of llama.cpp is not used: leaving it out saves a minute.
    environment.setdefault("CMAKE_ARGS", "-DLLAVA_BUILD=OFF")
    environment.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 2))
    pip("install", "--require-hashes", "-r", str(LOCKS / f"{kind}.txt"), title="pip install", environment=environment)
    pip("install", "--no-deps", "--no-build-isolation", "-e", str(ROOT), title="lifehelper-desktop")
    (VENV / f"ready-{kind}").write_text(fingerprint(kind), encoding="utf-8")
    say("준비가 끝났어요.", "Everything is ready.")


def venv_works() -> bool:
    """Return whether .venv has an interpreter that runs and has pip."""
    if not venv_python().exists():
        return False
    check = [str(venv_python()), "-c", "import pip"]
    return subprocess.run(check, capture_output=True, check=False).returncode == 0


def create_venv() -> None:
    """Create .venv with pip in it, also where Debian left out `ensurepip`.

    Raises:
        SetupError: Neither ensurepip nor pip is there.
    """
    if VENV.exists():
        shutil.rmtree(VENV)
    if importlib.util.find_spec("ensurepip"):
        subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=True)
        return
    if importlib.util.find_spec("pip") is None:
        raise SetupError(
            words("pip이 없어요. 다음을 실행해 주세요:", "pip is missing. Please run:")
            + "\n\n    sudo apt-get install -y python3-pip python3-venv\n"
        )
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(VENV)], check=True)
    install = ["--python", str(venv_python()), "install", "--require-hashes", "-r", str(LOCKS / "pip.txt")]
    run_logged([sys.executable, "-m", "pip", *install], dict(os.environ), "pip")


def pip(*arguments: str, title: str, environment: dict[str, str] | None = None) -> None:
    """Run pip of .venv with progress."""
    command = [str(venv_python()), "-m", "pip", "--disable-pip-version-check", "--no-input", *arguments]
    run_logged(command, environment or dict(os.environ), title)


def run_logged(command: Sequence[str], environment: dict[str, str], title: str) -> None:
    """Run a command with its output in the log and the time it takes on screen.

    Raises:
        SetupError: It failed; shows the end of its output.
    """
    VENV.mkdir(exist_ok=True)
    with LOG.open("ab") as log:
        log.write(f"\n$ {' '.join(command)}\n".encode())
        log.flush()
        start = log.tell()
        with elapsed(title):
            code = subprocess.run(
                command, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False
            ).returncode
    if code != 0:
        with LOG.open("rb") as log:
            log.seek(start)
            tail = log.read().decode("utf-8", "replace").splitlines()[-30:]
        raise SetupError(
            words(f"{title}: 실패했어요. 끝부분은 이래요 (전체: {LOG}):", f"{title} failed. The end of {LOG}:")
            + "\n\n" + "\n".join(tail)
        )  # fmt: skip


@contextlib.contextmanager
def elapsed(title: str) -> Iterator[None]:
    """Show that something is happening: the time on one line at a terminal, a line a minute elsewhere."""
    done = threading.Event()
    begin = time.monotonic()
    at_terminal = sys.stdout.isatty()

    def tick() -> None:
        while not done.wait(1 if at_terminal else 60):
            minutes, seconds = divmod(int(time.monotonic() - begin), 60)
            text = f"  {title} … {minutes}:{seconds:02d}"
            print(f"\r{text}" if at_terminal else text, end="" if at_terminal else "\n", flush=True)

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        if at_terminal:
            print("\r\033[K", end="", flush=True)


# -- commands -----------------------------------------------------------------------------------------------------


def ensure(kind: str) -> None:
    """Have everything ready for `kind`; quick when it already is."""
    prepare_system(testing=kind == "dev")
    if not is_ready(kind):
        make_environment(kind)


def become(module: str, arguments: Sequence[str]) -> int:
    """Run a module of .venv in place of this process (Windows: beside it) and return its exit code."""
    command = [str(venv_python()), "-m", module, *arguments]
    if sys.platform == "win32":
        return subprocess.run(command, check=False).returncode
    sys.stdout.flush()
    os.execv(command[0], command)
    return 0  # not reached: execv does not come back


def main(arguments: Sequence[str]) -> int:
    """Carry out one command line."""
    if sys.version_info < MINIMUM_PYTHON:
        print(words("Python 3.11 이상이 필요해요.", "Python 3.11 or newer is needed."), file=sys.stderr)
        return 1
    command, rest = (arguments[0], list(arguments[1:])) if arguments else ("window", [])
    try:
        match command:
            case "window":
                check_processor(window=True)
                ensure("app")
                return become("lifehelper_desktop", rest)
            case "cli":
                ensure("app")
                return become("lifehelper_desktop", ["cli", *rest])
            case "setup":
                check_processor(window=False)
                ensure("app")
                return 0
            case "test":
                ensure("dev")
                os.chdir(ROOT)
                return become("pytest", rest or IN_PARALLEL)
            case "-h" | "--help":
                print(__doc__)
                return 0
            case _ if command.startswith("-"):
                check_processor(window=True)
                ensure("app")
                return become("lifehelper_desktop", list(arguments))
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except SetupError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        say("멈췄어요. 다시 실행하면 이어서 해요.", "Stopped. Run it again to go on.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
