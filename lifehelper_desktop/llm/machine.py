"""How much of the machine the model may use: threads and batch sizes, chosen from cores and memory. Any thread."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

_WINDOW_CORE_FROM: Final = 4
"""From so many cores on, one is left to the window and the rest of the system."""
_SMALL_BATCH: Final = 64
_LARGE_BATCH: Final = 128
_LARGE_BATCH_CORES: Final = 4
_LARGE_BATCH_BYTES: Final = 7 * 2**30
"""Machines sold with 8 GB report a little less."""


@dataclass(frozen=True, slots=True)
class MachinePlan:
    """What the engine computes with.

    Attributes:
        threads: Threads for reading and for writing.
        batch: Most tokens per step while a prompt is read. The scores of a step take `batch` x vocabulary x 4 bytes
            (64 MiB at 64 for Gemma), so it stays small.
        usable_cores: Physical cores that this process may use.
    """

    threads: int
    batch: int
    usable_cores: int


def choose_plan(physical_cores: int | None, usable_threads: int, memory_bytes: int) -> MachinePlan:
    """Return the plan for a machine.

    Args:
        physical_cores: Cores without hyper-threads, None where the system does not tell. Two threads of one core
            share its arithmetic units: a second one slows decoding down.
        usable_threads: Logical processors that this process may run on (affinity, containers).
        memory_bytes: Memory of the whole machine.
    """
    cores = max(1, min(physical_cores or usable_threads, usable_threads))
    threads = cores - 1 if cores >= _WINDOW_CORE_FROM else cores
    large = cores >= _LARGE_BATCH_CORES and memory_bytes >= _LARGE_BATCH_BYTES
    return MachinePlan(threads, _LARGE_BATCH if large else _SMALL_BATCH, cores)


def plan_for_this_machine() -> MachinePlan:
    """Return the plan for the machine that this process runs on."""
    import psutil

    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    usable = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return choose_plan(psutil.cpu_count(logical=False), usable, psutil.virtual_memory().total)
