"""Writes from the window: main thread, one place that turns refusals and the world's errors into words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.ui.bus import Bus


@dataclass(frozen=True, slots=True)
class WriteOutcome:
    """How a write ended: `problem` is empty when it went through.

    `error` is set when the world refused it (disk, file), None when a rule did.
    """

    changes: Changes
    problem: str = ""
    error: WorldError | None = None

    @property
    def is_ok(self) -> bool:
        """Whether it went through."""
        return not self.problem


def attempt(bus: Bus, write: Callable[[], Changes]) -> WriteOutcome:
    """Run `write`, publish what it changed, and return the outcome. Our own bugs still raise."""
    try:
        changes = write()
    except RuleViolation as refusal:
        return WriteOutcome(NOTHING, refusal.reason)
    except WorldError as error:
        return WriteOutcome(NOTHING, str(error), error)
    if changes:
        bus.publish_data(changes)
    return WriteOutcome(changes)
