"""From the window's answer to a tool's result: the same for every tool that the main thread carries out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.tools.definition import UiAnswer, UiOutcome
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult


def no_window() -> ToolErr:
    """Return the refusal where there is no window to act on."""
    return ToolErr(
        "no_window", _("열린 창이 없어서 하지 못했어요. 다시 부르지 말고 창을 열어 달라고 사용자에게 알려 주세요.")
    )


def window_result(answer: UiAnswer, data: Mapping[str, Any], words: str, unknown: ToolErr) -> ToolResult:
    """Return what the model is told.

    Args:
        answer: What became of the wish.
        data: The result when it was done.
        words: What the card says then.
        unknown: The refusal when there is no such thing.
    """
    match answer.outcome:
        case UiOutcome.DONE:
            return ToolOk(data, words=words)
        case UiOutcome.UNKNOWN:
            return unknown
        case UiOutcome.NO_WINDOW:
            return no_window()
        case UiOutcome.STOPPED:
            return ToolCancelled(declined=False)
        case _:
            reason = answer.words or _("창에서 하지 못했어요.")
            return ToolErr("window_error", _("{reason} 다시 부르지 말고 사용자에게 알려 주세요.").format(reason=reason))
