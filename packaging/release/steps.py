"""Steps of a build: each runs with its output in a log, and shows that it goes on."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_TAIL = 25  # lines of a log that a failure shows


class BuildError(Exception):
    """What stopped the build, with what to do; its text is the whole message."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where a build works.

    Attributes:
        out: Everything is written below it.
        wheel: The llama-cpp-python wheel to put in, or a folder with one.
        python: The interpreter that the program is frozen with.
        epoch: SOURCE_DATE_EPOCH.
    """

    out: Path
    wheel: Path
    python: Path
    epoch: int

    @property
    def venv_python(self) -> Path:
        """The interpreter of the build's own environment."""
        return self.out / ("venv/Scripts/python.exe" if sys.platform == "win32" else "venv/bin/python")

    @property
    def app(self) -> Path:
        """The frozen program: a folder, on macOS a bundle."""
        return self.out / "app" / ("LifeHelper.app" if sys.platform == "darwin" else "lifehelper-desktop")

    @property
    def dist(self) -> Path:
        """The folder of what is given away."""
        return self.out / "dist"

    @property
    def own_wheels(self) -> Path:
        """Where the llama.cpp wheel lies unless another one is named."""
        return self.out / "wheels"

    @property
    def work(self) -> Path:
        """The folder of files made on the way."""
        return self.out / "work"

    def environment(self) -> dict[str, str]:
        """Return the environment of every step: one that makes the same of the same."""
        return {
            # What leads Python or words elsewhere is the builder's own matter.
            **{key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LC_"))},
            "LC_ALL": "C.UTF-8",
            "SOURCE_DATE_EPOCH": str(self.epoch),
            "PYTHONHASHSEED": "0",  # the order of sets reaches compiled modules
            "PYTHONUTF8": "1",
            "TZ": "UTC",
        }

    def run(
        self,
        title: str,
        command: Sequence[str | Path],
        *,
        cwd: Path | None = None,
        more: Mapping[str, str] | None = None,
    ) -> str:
        """Run a command with its output in `log/<title>.log` and return that output.

        Raises:
            BuildError: The program is missing or it failed; shows the end of the log.
        """
        log = self.out / "log" / f"{title.replace(' ', '-')}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        arguments = [str(part) for part in command]
        with log.open("wb") as output, progress(title):
            try:
                code = subprocess.run(
                    arguments, cwd=cwd, env={**self.environment(), **(more or {})}, stdin=subprocess.DEVNULL,
                    stdout=output, stderr=subprocess.STDOUT, check=False,
                ).returncode  # fmt: skip
            except FileNotFoundError as error:
                raise BuildError(f"{title}: the program {arguments[0]} is not installed") from error
        text = log.read_text(encoding="utf-8", errors="replace")
        if code != 0:
            tail = "\n".join(text.splitlines()[-_TAIL:])
            raise BuildError(f"{title} failed with {code}. The end of {log}:\n\n{tail}")
        return text


@contextlib.contextmanager
def progress(title: str) -> Iterator[None]:
    """Show a step's name and, at a terminal, the seconds it takes; a line a minute elsewhere."""
    done = threading.Event()
    begin = time.monotonic()
    at_terminal = sys.stdout.isatty()
    print(f"• {title} …", end="" if at_terminal else "\n", flush=True)

    def tick() -> None:
        while not done.wait(1 if at_terminal else 60):
            seconds = time.monotonic() - begin
            print(f"\r• {title} … {seconds:.0f} s" if at_terminal else f"  {title} … {seconds:.0f} s",
                  end="" if at_terminal else "\n", flush=True)  # fmt: skip

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        seconds = time.monotonic() - begin
        print(f"\r\033[K• {title}: {seconds:.1f} s" if at_terminal else f"  {title}: {seconds:.1f} s", flush=True)
