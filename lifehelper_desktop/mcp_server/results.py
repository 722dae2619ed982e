"""What a call answers over MCP: the tool's own envelope, as structured content and as the same in text.

An answer that did not come and one that was no are told apart here, for the program on the other side.
"""

from __future__ import annotations

import json
from typing import Any, Final

import mcp_types as types

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolResult, cap_result

#: The shape of every tool's structured content.
OUTPUT_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "status": {"type": "string", "enum": ["ok", "error", "declined", "cancelled"]},
        "data": {"type": "object"},
        "code": {"type": "string"},
        "reason": {"type": "string"},
    },
    "required": ["status"],
}
_DECLINED: Final = N_("사용자가 거절했어요. 바뀐 것은 없어요. 같은 일을 다시 부르지 마세요.")
_CANCELLED: Final = N_("사용자가 답하지 않고 물음을 닫았어요. 바뀐 것은 없어요. 필요하면 사용자에게 먼저 물어보세요.")


def call_result(result: ToolResult) -> types.CallToolResult:
    """Return the result of a call, capped as every tool result is."""
    envelope = _envelope(result)
    text = json.dumps(envelope, ensure_ascii=False, separators=(",", ":"))
    return types.CallToolResult(
        content=[types.TextContent(text=text)],
        structured_content=envelope,
        is_error=isinstance(result, ToolErr),
    )


def _envelope(result: ToolResult) -> dict[str, Any]:
    if isinstance(result, ToolCancelled):
        if result.declined:
            return {"status": "declined", "reason": _(_DECLINED)}
        return {"status": "cancelled", "reason": _(_CANCELLED)}
    return cap_result(result)


def cannot_ask() -> ToolErr:
    """Return the refusal of a write that nobody can be asked about."""
    return ToolErr(
        "cannot_ask",
        _(
            "이 앱은 사용자에게 물을 수 없어서 기록을 바꾸지 않았어요. 다시 부르지 말고, 라이프 헬퍼 창에서 하거나 "
            "서버를 --allow-writes로 켜라고 사용자에게 알려 주세요."
        ),
    )


def outdated() -> ToolErr:
    """Return the refusal of an answer whose question is over, or was another one."""
    return ToolErr(
        "outdated", _("이 답은 지금 묻는 것의 답이 아니에요. 바뀐 것은 없어요. 도구를 처음부터 다시 불러 주세요.")
    )


def too_long() -> ToolErr:
    """Return the refusal of arguments that no tool means to take."""
    return ToolErr("validation", _("인자가 너무 길어요. 짧게 줄여 주세요."))
