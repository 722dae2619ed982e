"""What the starter adapter was trained for: tools, their parameters, catalogue entries, and the form of its lines.

The adapter's file carries a hash of it. Where it no longer matches this program, the adapter would name tools or
entries that are gone: the app goes on with the untrained model's guided choices, and a test fails.
"""

from __future__ import annotations

import hashlib
import json
from typing import Final

from lifehelper_desktop.chat.starter import lines as spoken
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.tools.registry import ToolRegistry

TRAINED_TOOLS: Final = (
    "add_habit",
    "get_streak",
    "list_active_habits",
    "log_tracker_entry",
    "query_protocol",
    "search_catalog",
)
"""The tools that the adapter's lines can call; other tools may come and go."""


def contract(registry: ToolRegistry, catalogue: Catalogue) -> str:
    """Return the hash for a registry and a catalogue."""
    tools = {
        tool.name: {
            "parameters": {
                key: value.get("enum", value.get("type")) for key, value in tool.parameters_schema["properties"].items()
            },
            "required": sorted(tool.parameters_schema["required"]),
        }
        for tool in registry.all()
        if tool.name in TRAINED_TOOLS
    }
    body = {
        "tools": tools,
        "entries": {entry.id: [entry.text("title", "ko"), entry.text("title", "en")] for entry in catalogue.all()},
        "categories": [[category.name, category.ko, category.en] for category in catalogue.categories],
        "prompt": spoken.render_prompt(["하나", "둘"], "말", spoken.render_before("앞", [spoken.LIST])),
        "labels": [spoken.VALUES, spoken.LEVELS, spoken.SCREENS, spoken.SUGGESTED, spoken.LABELS, spoken.KINDS],
    }
    text = json.dumps(body, ensure_ascii=False, sort_keys=True, default=dict)
    return hashlib.sha256(text.encode()).hexdigest()


def contract_of_this_app() -> str:
    """Return the hash for the tools and the catalogue that this program ships."""
    return contract(ToolRegistry.defaults(), Catalogue.load())
