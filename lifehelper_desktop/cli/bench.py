"""`lifehelper bench`: how fast the model is here, against llama.cpp itself. A measurement, not a test.

Each measure runs in a fresh process, one after another: state, memory and page cache of one do not flatter the next.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import psutil

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.chat.prompts import chat_prompt, turn_context
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.llm import model_store
from lifehelper_desktop.llm.llama_native import engine_version, prepare_environment
from lifehelper_desktop.llm.machine import plan_for_this_machine
from lifehelper_desktop.llm.measures import MEASURES, BenchInput
from lifehelper_desktop.llm.probe import probe_model
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.visibility import Place

OK = 0
_TIMEOUT_S: Final = 1800
_MESSAGE: Final = "오늘 걷기 다 했어, 기록해 줘"
_RESULTS: Final = (
    {"status": "ok", "data": {"items": [{"habit_id": 1, "title": "하루 걷기", "today": None}]}},
    {"status": "ok", "data": {"habit_id": 1, "date": "2026-08-12", "value": "done"}},
    {"status": "ok", "data": {"habit_id": 1, "current_streak": 12, "longest_streak": 20, "tier": "새싹"}},
)
_GOALS: Final[tuple[tuple[str, Callable[[dict[str, Any]], bool]], ...]] = (
    ("decode >= 95 % of a bare llama_decode loop", lambda report: report["decode"]["share_of_bare"] >= 0.95),
    ("warm first token <= 10 % of cold", lambda report: report["first_token"]["warm_share"] <= 0.10),
    (
        "a tool round reads only its new tokens",
        lambda report: all(row["reread_tokens"] == 0 for row in report["conversation"]["rounds"]),
    ),
    (
        "stop < 0.3 s",
        lambda report: max(report["stop"]["reading_s"]["max"], report["stop"]["writing_s"]["max"]) < 0.3,
    ),
)


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    bench = subs.add_parser("bench", parents=[common], help=_("모델의 빠르기 재기"))
    bench.add_argument("--model", default=None, help=_("모델 파일(GGUF)"))
    bench.add_argument("--quick", action="store_true", help=_("적게 반복하기"))
    bench.add_argument("--measure", choices=tuple(MEASURES), help=argparse.SUPPRESS)  # inside a child
    bench.add_argument("--cache", type=Path, help=argparse.SUPPRESS)
    bench.set_defaults(run=_run)


def _run(context: CliContext, args: argparse.Namespace) -> int:
    if args.measure:
        return _child(context, args)
    configured = args.model if args.model is not None else context.store.settings.get_str(settings.MODEL_PATH)
    path = model_store.resolve_model(context.paths, configured)
    probe_model(path, cache_dir=context.paths.cache)
    repeats = 1 if args.quick else 5
    prepare_environment()
    plan = plan_for_this_machine()
    report: dict[str, Any] = {
        "model": {"path": str(path), "bytes": path.stat().st_size},
        "machine": {
            "threads": plan.threads,
            "batch": plan.batch,
            "cores": plan.usable_cores,
            "engine": engine_version(),
            "omp_wait_policy": os.environ["OMP_WAIT_POLICY"],
            "gomp_spincount": os.environ.get("GOMP_SPINCOUNT", ""),
            "load_before": _load(),
        },
    }
    with tempfile.TemporaryDirectory(prefix="lifehelper-bench-") as folder:
        runner = _Runner(context, path, Path(folder), quick=args.quick)
        report["first_token"] = _first_tokens(runner, repeats)
        for name in ("decode", "plain_llama", "conversation", "stop", "turn"):
            report[name] = runner(name)
    report["machine"]["load_after"] = _load()
    report["goals"] = {name: check(report) for name, check in _GOALS}
    report = _rounded(report)
    if context.as_json:
        context.print_json(report)
    else:
        _print_words(context, report)
    return OK


class _Runner:
    """Runs measures in fresh processes, and says on the terminal which one runs."""

    def __init__(self, context: CliContext, model: Path, folder: Path, *, quick: bool) -> None:
        self._context = context
        self._model = model
        self._folder = folder
        self._quick = quick

    def __call__(self, measure: str, cache: str = "shared") -> dict[str, Any]:
        """Return what the child reports.

        Raises:
            WorldError: It failed.
        """
        if not self._context.as_json:
            self._context.print(f"… {measure}")
        done = subprocess.run(  # noqa: S603 - our own program
            [*_program(), "bench", *self._arguments(measure, cache)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_environment(),
            timeout=_TIMEOUT_S,
            check=False,
        )
        try:
            value: dict[str, Any] = json.loads(done.stdout.decode("utf-8").splitlines()[-1])
        except (ValueError, IndexError):
            value = {"status": "error"}
        if done.returncode != 0 or value.get("status") == "error":
            words = value.get("reason") or done.stderr.decode("utf-8", "replace").strip()[-2000:]
            raise WorldError(_("{name} 재기에 실패했어요: {reason}").format(name=measure, reason=words))
        return value

    def _arguments(self, measure: str, cache: str) -> list[str]:
        data, cached = self._folder / "data", self._folder / cache
        words = ["--data-dir", str(data), "--json", "--model", str(self._model)]
        words += ["--measure", measure, "--cache", str(cached)]
        return [*words, "--quick"] if self._quick else words


def _program() -> list[str]:
    frozen = getattr(sys, "frozen", False)
    return [sys.executable, "cli"] if frozen else [sys.executable, "-m", "lifehelper_desktop", "cli"]


def _environment() -> dict[str, str]:
    root = Path(__file__).resolve().parent.parent.parent
    found = os.environ.get("PYTHONPATH")
    path = os.pathsep.join(filter(None, (str(root), found)))
    return {**os.environ, "PYTHONPATH": path, "PYTHONUTF8": "1"}


def _first_tokens(runner: _Runner, repeats: int) -> dict[str, Any]:
    """Measure new chats in pairs: with an empty cache, then in another process with what the first one left."""
    cold, warm = [], []
    for number in range(repeats):
        cold.append(runner("first_token", f"cache-{number}"))
        warm.append(runner("first_token", f"cache-{number}"))
    cold_s, warm_s = (statistics.median(row["first_token_s"] for row in rows) for rows in (cold, warm))
    return {
        "cold_s": cold_s,
        "warm_s": warm_s,
        "warm_share": warm_s / cold_s,
        "cold_read_tokens": cold[-1]["read_tokens"],
        "warm_read_tokens": warm[-1]["read_tokens"],
        "prompt_tokens": cold[-1]["prompt_tokens"],
        "load_s": statistics.median(row["load_s"] for row in (*cold, *warm)),
        "runs": repeats,
    }


def _child(context: CliContext, args: argparse.Namespace) -> int:
    """Run one measure in this process and print what it found."""
    with tempfile.TemporaryDirectory(prefix="lifehelper-bench-") as folder:
        root = Path(folder)
        store = context.open_store(AppPaths(root, root / "cache", root / "logs"), None)
        try:
            given = BenchInput(
                path=Path(args.model),
                prompt=chat_prompt(ToolRegistry.defaults().narrowed(Place.CLI), store, "ko"),
                context=turn_context(store, "ko"),
                message=_MESSAGE,
                results=_RESULTS,
                cache_dir=args.cache,
                tokens=12 if args.quick else 48,
                repeats=1 if args.quick else 7,
            )
        finally:
            store.close()
    context.print_json(MEASURES[args.measure](given))
    return OK


def _load() -> float:
    """Return how busy the machine is, in cores: a figure measured beside other work says little."""
    psutil.cpu_percent()
    time.sleep(0.5)
    return psutil.cpu_percent() / 100 * (psutil.cpu_count() or 1)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    return [_rounded(item) for item in value] if isinstance(value, list) else value


def _print_words(context: CliContext, report: dict[str, Any]) -> None:
    for section, rows in report.items():
        if section == "goals":
            continue
        context.print(f"[{section}]")
        for key, value in rows.items():
            for line in _lines(key, value):
                context.print(f"  {line}")
    for name, reached in report["goals"].items():
        context.print(f"{'o' if reached else 'x'} {name}")


def _lines(key: str, value: Any) -> Sequence[str]:
    if isinstance(value, list):
        return [f"{key}: " + ", ".join(f"{name}={item}" for name, item in row.items()) for row in value]
    if isinstance(value, dict):
        return [f"{key}: " + ", ".join(f"{name}={item}" for name, item in value.items())]
    return [f"{key}: {value / 2**20:.0f} MiB" if key.endswith("bytes") else f"{key}: {value}"]
