"""The tools as every front end takes them at its start: checked against each other, the places, and the prompts."""

from __future__ import annotations

import logging

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.guidance import HINTED_TOOLS, worked_examples
from lifehelper_desktop.chat.starter.contract import TRAINED_TOOLS
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry
from lifehelper_desktop.tools.start_check import check_registry

_log = logging.getLogger(__name__)


def checked_registry(registry: ToolRegistry | None = None) -> ToolRegistry:
    """Return the program's own tools (or those of `registry`) when everything that names them fits together.

    Raises:
        ToolDefinitionError: Naming the tool that does not; the start must end there.
    """
    tools = ToolRegistry.defaults() if registry is None else registry
    mentioned = {
        "resources/prompts/examples.json": {name for example in worked_examples() for name, _args in example.calls},
        "the hints for guided choices": HINTED_TOOLS,
        "the lines of the starter coach": TRAINED_TOOLS,
    }
    check_registry(tools, mentioned=mentioned)
    return tools


def broken_tool_error(error: ToolDefinitionError) -> WorldError:
    """Return what the user is told instead of the start, with the tool's name; the log gets what is wrong with it."""
    _log.critical("the tools do not fit together: %s", error)
    words = _("코치의 도구 ‘{name}’이(가) 온전하지 않아서 시작하지 않았어요.").format(name=error.tool)
    return WorldError(with_particles(words), _("앱을 다시 설치해 주세요. 습관 기록은 그대로 있어요."))
