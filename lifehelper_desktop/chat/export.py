"""A conversation as a file for people (Markdown) or programs (JSON)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.messages import (
    ChatMessage,
    ModelChatMessage,
    SystemChatMessage,
    ToolCallChatMessage,
    UserChatMessage,
)
from lifehelper_desktop.chat.summary import maker_words
from lifehelper_desktop.storage.conversations import ConversationRow
from lifehelper_desktop.storage.talk_summaries import TalkSummary
from lifehelper_desktop.tools.envelope import ToolOk
from lifehelper_desktop.tools.stored_result import result_to_json

EXPORT_VERSION: Final = 1


def message_json(message: ChatMessage) -> dict[str, Any]:
    """Return one message as JSON with a `type`."""
    match message:
        case UserChatMessage(text=text):
            return {"type": "user", "text": text}
        case ModelChatMessage(text=text, stopped=stopped):
            return {"type": "coach", "text": text, "stopped": stopped}
        case SystemChatMessage(text=text, kind=kind):
            return {"type": "note", "kind": kind.value, "text": text}
        case ToolCallChatMessage() as card:
            return {
                "type": "tool_call",
                "name": card.name,
                "label": card.label,
                "args": dict(card.args),
                "state": card.state.value,
                "result": None if card.result is None else result_to_json(card.result),
                "stored": card.stored,
            }


def summary_json(summary: TalkSummary) -> dict[str, Any]:
    """Return what stands for the beginning of a conversation as JSON."""
    return {"text": summary.text, "made_by": summary.maker.value, "covers": summary.covers}


def to_json(
    row: ConversationRow, messages: Sequence[ChatMessage], summary: TalkSummary | None = None
) -> dict[str, Any]:
    """Return a whole conversation as JSON; `summary` is what stands for its beginning."""
    return {
        "version": EXPORT_VERSION,
        "id": row.id,
        "title": row.title,
        "created_at": row.created_at.isoformat(),
        "updated_at": row.updated_at.isoformat(),
        "summary": summary_json(summary) if summary is not None and summary.text else None,
        "messages": [message_json(message) for message in messages],
    }


def to_markdown(row: ConversationRow, messages: Sequence[ChatMessage], summary: TalkSummary | None = None) -> str:
    """Return a whole conversation as Markdown in the language in force; what was said stands in quotes."""
    parts = [f"# {row.title}", f"{row.created_at:%Y-%m-%d %H:%M}"]
    if summary is not None and summary.text:
        parts.append(f"**{_('앞부분 요약')}**\n\n{_quoted(summary.text)}\n\n*{maker_words(summary.maker)}*")
    for message in messages:
        match message:
            case UserChatMessage(text=text):
                parts.append(f"**{_('나')}**\n\n{_quoted(text)}")
            case ModelChatMessage(text=text):
                parts.append(f"**{_('코치')}**\n\n{_quoted(text)}")
            case SystemChatMessage(text=text):
                parts.append(f"*{text}*")
            case ToolCallChatMessage() as card:
                words = card.stored or getattr(card.result, "reason", "")
                state = _("마침") if isinstance(card.result, ToolOk) else _("바뀐 것은 없어요.")
                parts.append("\n\n".join(part for part in (f"`{card.label}` · {state}", _quoted(words)) if part))
    return "\n\n".join(parts) + "\n"


def to_text(
    row: ConversationRow, messages: Sequence[ChatMessage], summary: TalkSummary | None = None, *, as_json: bool
) -> str:
    """Return the content of the file: JSON, or Markdown."""
    if as_json:
        return json.dumps(to_json(row, messages, summary), ensure_ascii=False, indent=2) + "\n"
    return to_markdown(row, messages, summary)


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())
