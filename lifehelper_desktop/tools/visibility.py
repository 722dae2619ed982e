"""Which tools are shown where: the one place that says so, for each front end and each kind of model.

A new tool is named here once for the places and once for the models; `start_check` stops the program when it is not,
and when a name here is no tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class Place(StrEnum):
    """A front end: the window, the command line, the MCP server."""

    WINDOW = "window"
    CLI = "cli"
    MCP = "mcp"


class ModelProfile(StrEnum):
    """How much a model can choose among.

    `starter`: the coach that comes with the app, trained on six tools; its guide calls those on the window by rule.
    `small`: up to about two billion parameters beside its vocabulary; a few tools. `full`: anything larger, or unknown.
    """

    STARTER = "starter"
    SMALL = "small"
    FULL = "full"


_READ: Final = ("search_catalog", "query_protocol", "list_active_habits", "get_streak")
_WRITE: Final = ("add_habit", "log_tracker_entry")
# Over the user's own data; in the order in which a question leads from one to the next.
_ASK: Final[tuple[str, ...]] = ("search_data", "describe_data", "check_quality", "validate_sql", "run_sql")
_WINDOW: Final = ("open_screen", "show_habit", "copy_text")
_MODEL: Final = ("suggest_frame",)

TOOLS_BY_PLACE: Final[Mapping[Place, tuple[str, ...]]] = {
    Place.WINDOW: (*_READ, *_ASK, *_WINDOW, *_MODEL, *_WRITE),
    Place.CLI: (*_READ, *_ASK, *_MODEL, *_WRITE),
    Place.MCP: (*_READ, *_ASK, *_WRITE),
}
TOOLS_BY_PROFILE: Final[Mapping[ModelProfile, tuple[str, ...]]] = {
    ModelProfile.STARTER: (*_READ, *_WINDOW, *_WRITE),
    ModelProfile.SMALL: (*_READ, "search_data", "open_screen", *_WRITE),
    ModelProfile.FULL: (*_READ, *_ASK, *_WINDOW, *_MODEL, *_WRITE),
}
PLACES_OF_SERVER_TOOLS: Final = frozenset({Place.WINDOW, Place.CLI})
"""Tools of MCP servers that the user added are not passed on to other programs."""
PROFILES_OF_SERVER_TOOLS: Final = frozenset({ModelProfile.FULL})
