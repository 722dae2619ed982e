"""Make the starter coach's adapter from nothing but packages: base weights, data, training, GGUF, evaluation.

    python make.py WORK            the adapter that is shipped (some hours on two CPU cores, minutes on a GPU)
    python make.py WORK --smoke    the same steps, small: a quarter of an hour, and a coach that has learnt a little

Every step can be stopped and started again: training goes on from its last checkpoint in WORK. Needs the app and
`requirements.txt` in one environment. The adapter is copied to `resources/` only with `--install`.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SHIPPED = ROOT / "resources" / "models" / "starter" / "adapter.gguf"
VALIDATION = ROOT / "tests" / "data" / "starter_validation.jsonl"
DEVELOPMENT = ROOT / "tests" / "data" / "coach_dev.jsonl"


def run(*command: str | Path, quiet: bool = False) -> str:
    """Run a step in this environment and return what it printed; a step that fails ends the program."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_WAIT_POLICY": "PASSIVE"}
    print("$", " ".join(str(part) for part in command), flush=True)
    pipe = subprocess.PIPE if quiet else None
    done = subprocess.run(
        [sys.executable, *map(str, command)], cwd=ROOT, env=environment, stdout=pipe, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(done.returncode)
    return done.stdout or ""


def evaluate(model: Path | str, cases: Path, only: str = "") -> dict[str, Any]:
    """Return the totals of `lifehelper eval` for a model file."""
    with_ids = ("--only", only) if only else ()
    printed = run("-m", "lifehelper_desktop", "cli", "--json", "eval", cases, "--model", model, *with_ids, quiet=True)
    return dict(json.loads(printed.splitlines()[-1]))


def main() -> int:
    """Run the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", type=Path)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--install", action="store_true", help="put the adapter into resources/")
    options = parser.parse_args()
    work: Path = options.work.resolve()
    started = time.monotonic()
    run(HERE / "base.py", work, "--compare")
    size = ("--steps", "60", "--decay", "30", "--warmup", "10", "--examples", "1000", "--checks", "64", "--every", "30")
    full = ("--steps", str(options.steps), "--decay", str(options.steps // 3))
    run(HERE / "train.py", work, *(size if options.smoke else full))
    adapter, merged = work / "adapter.gguf", work / "merged.gguf"
    run(HERE / "convert.py", work / "adapter.pt", adapter)
    run("-m", "lifehelper_desktop.llm.starter_merge", work / "base.gguf", adapter, merged)
    report: dict[str, Any] = {}
    report["validation"] = evaluate(merged, VALIDATION, "ko-val-00" if options.smoke else "")
    if not options.smoke:
        report["development"] = evaluate(merged, DEVELOPMENT)
        report["development, base model with examples"] = evaluate(work / "base.gguf", DEVELOPMENT)
    (work / "report.json").write_text(json.dumps(report, ensure_ascii=False, indent=1), encoding="utf-8")
    for name, totals in report.items():
        print(f"{name}: {totals['passed']} of {totals['total']}, turn {totals['turn_s']['median']} s")
    if options.install:
        SHIPPED.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(adapter, SHIPPED)
    print(f"{time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
