"""`search_catalog`: find catalogue entries by category and keyword."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.storage.text import clean_text
from lifehelper_desktop.tools.arguments import is_absent
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult

DEFAULT_LIMIT = 5
MAX_LIMIT = 10


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Turn a category's label, in either language and any case, into its name; unknown ones stay."""
    result = {key: value for key, value in args.items() if key not in ("category", "keyword") or not is_absent(value)}
    if isinstance(result.get("category"), str):
        found = deps.store.catalogue.find_category(clean_text(result["category"]))
        if found is not None:
            result["category"] = found.name
    return result


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    catalogue = deps.store.catalogue
    wanted = args.get("category")
    category = None
    if wanted is not None:
        found = catalogue.find_category(wanted)
        if found is None:
            return ToolOk({"count": 0, "items": [], "valid_categories": [row.name for row in catalogue.categories]})
        category = found.name
    limit = min(MAX_LIMIT, max(1, int(args.get("limit", DEFAULT_LIMIT))))
    entries = catalogue.search(args.get("keyword"), category, limit)
    items: list[dict[str, Any]] = [
        {
            "id": entry.id,
            "title": entry.text("title", deps.language),
            "category": entry.category,
            "summary": entry.text("summary", deps.language),
        }
        for entry in entries
    ]
    return ToolOk({"count": len(items), "items": items})


DEFINITION = ToolDefinition(
    name="search_catalog",
    label={"ko": "카탈로그 찾기", "en": "Search catalogue"},
    description=N_("습관 카탈로그에서 분류나 낱말로 항목을 찾는다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "category": {
                "type": "string",
                "description": "sleep, movement, nutrition, mind, focus, digital, connection, bodycare, substance",
            },
            "keyword": {"type": "string", "description": "찾을 낱말"},
            "limit": {"type": "integer", "description": "1~10, 기본 5"},
        },
        "required": [],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="찾기",
    handler=_handle,
    normalise=_normalise,
)
