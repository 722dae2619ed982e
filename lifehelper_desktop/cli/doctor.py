"""`lifehelper doctor`: versions, paths, model and memory, for people and for reports."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import shutil
import sqlite3
import sys
from pathlib import Path
from typing import Any

import psutil

from lifehelper_desktop import __version__
from lifehelper_desktop.base import settings
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.processor import missing_features
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.llm import model_store
from lifehelper_desktop.llm.gpu import gpu_status
from lifehelper_desktop.llm.llama_native import engine_trouble, native
from lifehelper_desktop.llm.machine import plan_for_this_machine
from lifehelper_desktop.llm.probe import probe_model
from lifehelper_desktop.llm.variants import cpu_backend

OK, WORLD = 0, 3
_PACKAGES = ("PySide6-Essentials", "llama-cpp-python", "peewee", "jsonschema", "platformdirs", "rapidfuzz", "numpy")


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    doctor = subs.add_parser("doctor", parents=[common], help=_("설치와 모델 상태 살펴보기"))
    doctor.set_defaults(run=_run)


def _run(context: CliContext, args: argparse.Namespace) -> int:
    report: dict[str, Any] = {
        "versions": _versions(),
        "system": _system(),
        "paths": {
            "data": str(context.paths.data),
            "database": str(context.paths.database),
            "models": str(context.paths.models),
            "cache": str(context.paths.cache),
            "logs": str(context.paths.logs),
        },
        "memory": _memory(context.paths.data),
    }
    problems: list[str] = []
    report["database"] = _database(context, problems)
    report["model"] = _model(context, problems)
    report["engine"] = _engine(problems)
    report["problems"] = problems
    if context.as_json:
        context.print_json(report)
    else:
        _print_words(context, report)
    return WORLD if problems else OK


def _versions() -> dict[str, str]:
    versions = {
        "lifehelper-desktop": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
    }
    for name in _PACKAGES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "-"
    return versions


def _system() -> dict[str, Any]:
    return {
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cpu_count": os.cpu_count(),
        "cpu_physical": psutil.cpu_count(logical=False),
        "executable": sys.executable,
        "display": os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "",
    }


def _engine(problems: list[str]) -> dict[str, Any]:
    plan = plan_for_this_machine()
    report: dict[str, Any] = {
        "threads": plan.threads,
        "batch": plan.batch,
        "usable_cores": plan.usable_cores,
    }
    if missing := missing_features():
        report["cpu_missing"] = " ".join(missing)
    if str(engine_trouble()) in problems:  # the model was tried in a process of its own, which may have died of it
        report["problem"] = str(engine_trouble())
        return report
    try:
        cpu = cpu_backend(native())
        gpu = gpu_status()
    except (ImportError, OSError) as error:
        report["problem"], report["cause"] = str(engine_trouble()), str(error)
    except WorldError as error:
        report["problem"] = str(error)
    if "problem" in report:
        if report["problem"] not in problems:  # an old processor is the model's trouble too, and said once
            problems.append(report["problem"])
        return report
    if cpu is not None:
        report["cpu_variant"], report["cpu_features"] = cpu.variant, " ".join(cpu.features)
    report["gpu_used"], report["gpu"] = gpu.used, ", ".join(gpu.devices) or gpu.reason
    return report


def _memory(folder: Path) -> dict[str, int]:
    memory = psutil.virtual_memory()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return {
        "total_bytes": memory.total,
        "available_bytes": memory.available,
        "disk_free_bytes": shutil.disk_usage(existing).free,
    }


def _database(context: CliContext, problems: list[str]) -> dict[str, Any]:
    try:
        store = context.store
        with store.db.read():
            search = "FTS5 trigram" if store.search.index.has_trigram else _("색인 없이 찾기(느려요)")
        habits, today = len(store.habits.list()), store.today().isoformat()
        return {"ok": True, "habits": habits, "today": today, "search": search}
    except WorldError as error:
        problems.append(str(error))
        return {"ok": False, "problem": str(error)}


def _model(context: CliContext, problems: list[str]) -> dict[str, Any]:
    configured = ""
    if not problems:
        configured = context.store.settings.get_str(settings.MODEL_PATH)
    report: dict[str, Any] = {
        "configured": configured or "starter",
        "starter_installed": model_store.starter_available(),
    }
    try:
        path = model_store.resolve_model(context.paths, configured)
        report["path"], report["bytes"] = str(path), path.stat().st_size
        probe_model(path, cache_dir=context.paths.cache)
        report["ok"] = True
    except WorldError as error:
        problems.append(str(error))
        report["ok"], report["problem"] = False, str(error)
    return report


def _print_words(context: CliContext, report: dict[str, Any]) -> None:
    for section, rows in report.items():
        if section == "problems":
            continue
        context.print(f"[{section}]")
        for key, value in rows.items():
            shown = f"{value / 2**30:.1f} GiB" if key.endswith("_bytes") else value
            context.print(f"  {key.removesuffix('_bytes')}: {shown}")
    for problem in report["problems"]:
        context.print(f"! {problem}")
    if not report["problems"]:
        context.print(_("모두 준비됐어요."))
