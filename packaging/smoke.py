#!/usr/bin/env python3
"""Use the frozen program as a stranger would: `python packaging/smoke.py FOLDER [--json FILE]`.

It is started from a folder with a space and Hangul in its name, with an empty environment and home: the window comes
up, a habit is made, the coach answers for real and records it, other programs reach the data by MCP, the window is
asked to end. Whatever is printed that nobody asked for fails it, and so do a warning in the log, the size, and a slow
start.

Standard library only. On Linux it brings its own screen (Xvfb) and measures the first paint on it; elsewhere the window
uses the real desktop and is only known to run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import locale
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

from release.project import COMMAND, WINDOW, version
from release.screen import PAINTED, Screen
from release.tidy import LIMIT

PAINT_LIMIT_S: Final = 1.5
END_LIMIT_S: Final = 3.0
STARTS: Final = 5
SAID: Final = "오늘 만보 걸었어, 기록해 줘"
_IS_LINUX: Final = sys.platform.startswith("linux")
_PATIENCE_S: Final = 120


class SmokeError(Exception):
    """What is wrong with the program."""


class Stranger:
    """Someone with this program, an empty home and nothing else."""

    def __init__(self, folder: Path, home: Path, display: str) -> None:
        """Use the program in `folder`."""
        self.folder, self.home = folder, home
        home.mkdir(parents=True)
        self.environment = {"HOME": str(home)}
        if display:
            self.environment["DISPLAY"] = display
        if sys.platform == "win32":  # without these no program starts there
            kept = ("SYSTEMROOT", "TEMP", "TMP")
            self.environment = {key: value for key, value in os.environ.items() if key.upper() in kept}
            self.environment |= {key: str(home / key) for key in ("APPDATA", "LOCALAPPDATA")} | {
                "USERPROFILE": str(home)
            }
            # Windows tells where the folder of the account is, whatever the variables say; this one is asked before.
            self.environment["WIN_PD_OVERRIDE_LOCAL_APPDATA"] = self.environment["LOCALAPPDATA"]

    def program(self, name: str) -> str:
        """Return the file of a program."""
        inside = self.folder / "Contents" / "MacOS" if self.folder.suffix == ".app" else self.folder
        if sys.platform == "darwin":
            name = WINDOW  # a bundle has one program; the command line is behind `cli`
        return str(inside / (f"{name}.exe" if sys.platform == "win32" else name))

    def command(self, *arguments: str, typed: str = "") -> str:
        """Run the command line and return what it prints."""
        before = ["cli"] if sys.platform == "darwin" else []
        return self.run([self.program(COMMAND), *before, *arguments], typed)

    def run(self, command: Sequence[str], typed: str = "") -> str:
        """Run a program to its end; raises SmokeError for stray words or a code that is not 0."""
        done = subprocess.run(
            command, env=self.environment, cwd=self.home, input=typed.encode(), capture_output=True,
            timeout=_PATIENCE_S, check=False,
        )  # fmt: skip
        shown = " ".join([Path(command[0]).name, *command[1:]])
        said = text_of(done.stdout)
        errors = text_of(done.stderr).strip()
        if done.returncode != 0 or errors:
            words = errors or said
            raise SmokeError(f"`{shown}` ended with {done.returncode} and said:\n{words}")
        return said

    def seconds_of(self, option: str) -> float:
        """Return the seconds that a start of the window's program with `option` takes."""
        begin = time.monotonic()
        self.run([self.program(WINDOW), option])
        return time.monotonic() - begin

    @contextlib.contextmanager
    def window(self) -> Iterator[subprocess.Popen[bytes]]:
        """Have the window open; at the end it is asked to go."""
        with tempfile.TemporaryFile() as said:
            program = subprocess.Popen(
                [self.program(WINDOW)], env=self.environment, cwd=self.home, stdin=subprocess.DEVNULL, stdout=said,
                stderr=subprocess.STDOUT,
            )  # fmt: skip
            try:
                yield program
                asking = self.seconds_of("--version")  # what it takes to start the one that asks
                seconds = self.seconds_of("--quit") - asking
                code = program.wait(_PATIENCE_S)
            finally:
                if program.poll() is None:
                    program.kill()
                    program.wait()
            said.seek(0)
            words = said.read().decode("utf-8", "replace").strip()
            if code != 0 or words:
                raise SmokeError(f"the window ended with {code} and said:\n{words}")
            if seconds > END_LIMIT_S:
                raise SmokeError(f"the window took {seconds:.1f} s to end")

    def check_logs(self) -> None:
        """Raise SmokeError for a crash report or a warning in the log."""
        if crashes := sorted(self.home.rglob("crash-*.txt")):
            raise SmokeError(crashes[0].read_text(encoding="utf-8"))
        for log in self.home.rglob("lifehelper.log"):
            lines = log.read_text(encoding="utf-8").splitlines()
            bad = [line for line in lines if any(f" {level} " in line for level in ("WARNING", "ERROR", "CRITICAL"))]
            if bad:
                raise SmokeError("in the log:\n" + "\n".join(bad))


def text_of(printed: bytes) -> str:
    """Return what a program printed: UTF-8, or on Windows, where it is a pipe, the encoding of the machine."""
    try:
        return printed.decode("utf-8")
    except UnicodeDecodeError:
        return printed.decode(locale.getencoding(), "replace")


def first_paint(user: Stranger, screen: Screen | None) -> tuple[float, float] | None:
    """Open the window and end it again.

    Returns:
        The seconds to its first picture, and the processor's seconds it took for it; None where it cannot be seen.
    """
    begin = time.monotonic()
    with user.window() as program:
        if screen is None:
            time.sleep(8)
            if program.poll() is not None:
                raise SmokeError(f"the window ended by itself with {program.returncode}")
            return None
        screen.wait_for(lambda: screen.colours() >= PAINTED, _PATIENCE_S)
        painted = time.monotonic() - begin, cpu_seconds(program.pid)
        wait_until_it_listens(user)
    screen.wait_for(lambda: screen.colours() < PAINTED, _PATIENCE_S)
    return painted


def cpu_seconds(pid: int) -> float:
    """Return the processor's seconds that a process has used (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_paints(paints: list[tuple[float, float]]) -> dict[str, float]:
    """Return the figures of the starts; raises SmokeError when the program is slow to show itself.

    On a machine with more to do than processors the clock tells of the others: there the program's own time counts.
    """
    walls, processors = zip(*paints, strict=True)
    busy = os.getloadavg()[0] > (os.cpu_count() or 1)
    figures = {"first_paint_s": round(min(walls), 2), "first_paint_slowest_s": round(max(walls), 2)}
    figures["first_paint_cpu_s"] = round(min(processors), 2)
    counted = figures["first_paint_cpu_s" if busy else "first_paint_s"]
    if counted > PAINT_LIMIT_S:
        raise SmokeError(f"first paint after {paints} (clock, processor), the limit is {PAINT_LIMIT_S} s")
    return figures


def wait_until_it_listens(user: Stranger) -> None:
    """A window that was painted a moment ago may not take wishes yet."""
    deadline = time.monotonic() + _PATIENCE_S
    while not list(user.home.rglob("window.lock")) or list(user.home.rglob("window.starting.lock")):
        if time.monotonic() > deadline:
            raise SmokeError("the window never finished its start")
        time.sleep(0.02)


def coach_turn(user: Stranger) -> float:
    """Make a habit, tell the coach that it was done, and look whether it is recorded; return the seconds it took."""
    user.command("add", "daily-steps", "--text", "저녁 먹고 20분 걸어요")
    begin = time.monotonic()
    events = [json.loads(line) for line in user.command("--json", "chat", SAID, "--yes").splitlines()]
    seconds = time.monotonic() - begin
    answers = [each["text"] for each in events if each["type"] == "model_message"]
    if not answers or events[-1]["error"]:
        raise SmokeError(f"the coach did not answer: {events[-3:]}")
    item = json.loads(user.command("--json", "habits"))["data"]["items"][0]
    if item["today"] != "done":
        raise SmokeError(f"the coach said {answers[-1]!r} but today is {item['today']}")
    return seconds


def other_ways(user: Stranger) -> None:
    """Reach the data as other programs do: MCP, and AG-UI."""
    client = {"name": "smoke", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    typed = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
    ]
    said = user.command("mcp", typed="".join(json.dumps(each) + "\n" for each in typed))
    answers: dict[int, Any] = {each["id"]: each for each in map(json.loads, said.splitlines()) if "id" in each}
    if not answers.get(2, {}).get("result", {}).get("tools"):
        raise SmokeError(f"the MCP server lists no tools: {said[:500]}")
    kinds = {json.loads(line)["type"] for line in user.command("chat", "안녕", "--events", "agui").splitlines()}
    if not {"RUN_STARTED", "RUN_FINISHED"} <= kinds:
        raise SmokeError(f"the AG-UI stream has only {sorted(kinds)}")


def smoke(app: Path, folder: Path, screen: Screen | None) -> dict[str, float]:
    """Try everything in a copy of `app` below `folder` and return the figures; raises SmokeError."""
    size = sum(path.lstat().st_size for path in app.rglob("*") if path.is_symlink() or path.is_file())
    if size > LIMIT:
        raise SmokeError(f"{size / 1e6:.0f} MB unpacked, the limit is {LIMIT / 1e6:.0f}")
    copy = folder / "설치 폴더" / app.name
    shutil.copytree(app, copy, symlinks=True)
    user = Stranger(copy, folder / "홈 폴더", screen.display if screen is not None else "")
    if (said := user.command("--version").split()[-1]) != version():
        raise SmokeError(f"it is version {said}, not {version()}")
    report = json.loads(user.command("--json", "doctor"))
    if report.get("problems"):
        raise SmokeError(f"doctor: {report['problems']}")
    paints = [found for _n in range(STARTS) if (found := first_paint(user, screen)) is not None]
    with user.window():
        wait_until_it_listens(user)
        turn = coach_turn(user)  # while the window is open, as it would be
    other_ways(user)
    user.check_logs()
    figures = {"unpacked_mb": round(size / 1e6, 1), "coach_turn_s": round(turn, 2)}
    if paints:
        figures |= check_paints(paints)
    return figures


def main(arguments: Sequence[str]) -> int:
    """Try the program that is named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("app", type=Path, help="the frozen folder, or the bundle on macOS")
    parser.add_argument("--json", type=Path, help="write the figures there too")
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        screen = stack.enter_context(Screen()) if _IS_LINUX else None
        try:
            figures = smoke(options.app.absolute(), folder, screen)
        except (SmokeError, TimeoutError, subprocess.TimeoutExpired) as error:
            print(f"smoke: {error}", file=sys.stderr)
            return 1
    print("smoke: " + ", ".join(f"{key} {value}" for key, value in figures.items()))
    if options.json is not None:
        options.json.write_text(json.dumps(figures) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
