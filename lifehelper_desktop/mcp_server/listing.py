"""Our tools as other programs see them."""

from __future__ import annotations

import mcp_types as types

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.mcp_server.results import OUTPUT_SCHEMA
from lifehelper_desktop.tools.definition import ToolDefinition, ToolEffect


def tool_of(tool: ToolDefinition, language: str) -> types.Tool:
    """Return one tool with its title in `language` and hints that say what it really does."""
    title = tool.label[language]
    return types.Tool(
        name=tool.name,
        title=title,
        description=_(tool.description),
        input_schema=dict(tool.parameters_schema),
        output_schema=OUTPUT_SCHEMA,
        annotations=annotations_of(tool, title),
    )


def annotations_of(tool: ToolDefinition, title: str) -> types.ToolAnnotations:
    """Return what a tool may do. All of them work on this machine's data alone."""
    reads = tool.effect is ToolEffect.READ
    return types.ToolAnnotations(
        title=title,
        read_only_hint=reads,
        destructive_hint=not reads and not tool.only_adds,
        idempotent_hint=reads or tool.is_idempotent,
        open_world_hint=False,
    )
