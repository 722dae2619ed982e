"""`copy_text`: put plain text on the clipboard. The main thread carries it out."""

from __future__ import annotations

from typing import Final

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope, UiOutcome
from lifehelper_desktop.tools.envelope import ToolErr, ToolResult
from lifehelper_desktop.tools.window import no_window, window_result

CLIPBOARD_MAX: Final = 4000
"""Characters that the coach may put on the clipboard at once."""


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    if deps.ui is None:
        return no_window()
    answer = deps.ui.copy_text(args.get("text", ""))
    count = len(answer.words) if answer.outcome is UiOutcome.DONE else 0
    words = ngettext("{count}자를 복사했어요.", "{count}자를 복사했어요.", count).format(count=count)
    nothing = ToolErr("nothing_to_copy", _("복사할 답이 아직 없어요. 다시 부르지 말고 무엇을 복사할지 물어보세요."))
    return window_result(answer, {"copied_characters": count}, words, nothing)


DEFINITION = ToolDefinition(
    name="copy_text",
    label={"ko": "글 복사", "en": "Copy text"},
    description=N_("글을 클립보드에 복사한다. text가 없으면 바로 앞의 답을 복사한다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "text": {
                "type": "string",
                "maxLength": CLIPBOARD_MAX,
                "x-lines": True,
                "description": "복사할 글; 바로 앞의 답이면 비워 둔다",
            }
        },
        "required": [],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.UI,
    short_name="복사",
    handler=_handle,
)
