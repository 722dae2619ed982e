"""Write the lock files anew from `pyproject.toml`: `python packaging/lock/lock.py` (needs `pip install uv`).

The files carry hashes and no index address, and hold for Linux, Windows and macOS at once.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HEADER = "# Written by packaging/lock/lock.py; change pyproject.toml and run it again.\n"


def compile_lock(name: str, *arguments: str, stdin: str | None = None) -> None:
    """Compile one lock file with uv and put our header on it."""
    uv = shutil.which("uv") or str(Path(sys.executable).parent / "uv")
    target = HERE / name
    source = "-" if stdin is not None else "pyproject.toml"
    subprocess.run(
        [
            uv, "pip", "compile", "--universal", "--generate-hashes", "--no-header", "--no-annotate", "--quiet",
            "--python-version", "3.11", *arguments, source, "-o", str(target),
        ],
        cwd=ROOT,
        input=stdin,
        text=True,
        check=True,
    )  # fmt: skip
    target.write_text(HEADER + target.read_text(encoding="utf-8"), encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {sum(1 for line in target.open() if '==' in line)} packages")


def main() -> None:
    """Write all four; the app's file and the installers' are held to the versions of the developers' one."""
    compile_lock("dev.txt", "--extra", "starter", "--extra", "build", "--extra", "dev")
    compile_lock("app.txt", "--extra", "starter", "--extra", "build", "-c", str(HERE / "dev.txt"))
    compile_lock(
        "bundle.txt", "--extra", "starter", "--extra", "build", "--extra", "bundle", "-c", str(HERE / "dev.txt")
    )
    compile_lock("pip.txt", stdin="pip>=25,<27\n")


if __name__ == "__main__":
    main()
