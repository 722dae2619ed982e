"""Results on their way into the database and back: unlike the envelope, whole, and with the rows that changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult


def changes_to_json(changes: Changes) -> dict[str, Any]:
    """Return `changes` as JSON."""
    return {
        "habits": sorted(changes.habits),
        "entries": [list(entry) for entry in sorted(changes.entries)],
        "settings": sorted(changes.settings),
    }


def changes_from_json(value: Mapping[str, Any]) -> Changes:
    """Return what `changes_to_json` was given."""
    return Changes(
        habits=frozenset(value["habits"]),
        entries=frozenset((habit_id, day) for habit_id, day in value["entries"]),
        settings=frozenset(value["settings"]),
    )


def result_to_json(result: ToolResult) -> dict[str, Any]:
    """Return a result as JSON that nothing is lost in."""
    stored = result.to_json()
    if isinstance(result, ToolOk):
        stored["changes"] = changes_to_json(result.changes)
    elif isinstance(result, ToolCancelled):
        stored["declined"] = result.declined
    return stored


def result_from_json(stored: Mapping[str, Any]) -> ToolResult:
    """Return what `result_to_json` was given.

    Raises:
        KeyError, ValueError: It is no stored result.
    """
    match stored["status"]:
        case "ok":
            return ToolOk(dict(stored["data"]), changes_from_json(stored["changes"]))
        case "error":
            return ToolErr(stored["code"], stored["reason"])
        case "cancelled":
            return ToolCancelled(stored["declined"])
        case other:
            raise ValueError(f"not the status of a result: {other!r}")
