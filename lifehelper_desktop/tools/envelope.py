"""What a tool answers, and the cap that keeps an answer small enough for a small model.

A result is `ToolOk`, `ToolErr` or `ToolCancelled`; `to_json()` is what the model reads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lifehelper_desktop.domain.changes import NOTHING, Changes

TOOL_RESULT_MAX_BYTES: Final = 2048
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_TO_THE_MODEL: Final = re.compile(
    r"부르지 말고|부르거나|사용자에게|\bcall (?:it|this|again|with)\b|\b(?:tell|ask) the user\b", re.IGNORECASE
)
_HINT: Final = "결과가 길어 일부만 담았어요. query_protocol 같은 단건 조회 도구를 쓰거나 조건을 좁혀 주세요."


@dataclass(frozen=True, slots=True)
class ToolOk:
    """The tool did its work.

    Attributes:
        data: What the model reads.
        changes: The rows that were written; never shown to the model.
        words: What the card says of a call that wrote nothing, in the user's language; never shown to the model.
    """

    data: Mapping[str, Any]
    changes: Changes = field(default=NOTHING, compare=False)
    words: str = field(default="", compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the envelope."""
        return {"status": "ok", "data": dict(self.data)}


@dataclass(frozen=True, slots=True)
class ToolErr:
    """The tool refused or failed; `reason` is short and says what to do instead of calling again."""

    code: str
    reason: str

    def __post_init__(self) -> None:
        """Replace lone surrogates, which a model's arguments may have brought in: no encoder takes them."""
        object.__setattr__(self, "reason", _SURROGATE.sub("\ufffd", self.reason))

    def to_json(self) -> dict[str, Any]:
        """Return the envelope."""
        return {"status": "error", "code": self.code, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class ToolCancelled:
    """The user did not confirm: nothing ran.

    Attributes:
        declined: True when the user said no; False when no answer came (stop, closing, no one to ask).
    """

    declined: bool = field(default=True, compare=False)

    def to_json(self) -> dict[str, Any]:
        """Return the envelope."""
        return {"status": "cancelled", "reason": "user did not confirm"}


ToolResult = ToolOk | ToolErr | ToolCancelled


def _encode(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _size(value: Mapping[str, Any]) -> int:
    return len(_encode(value).encode("utf-8", "surrogatepass"))


def _drop_items(data: dict[str, Any], limit: int) -> dict[str, Any] | None:
    """Return the envelope with the longest list shortened by whole items until it fits, or None."""
    lists = [key for key, value in data.items() if isinstance(value, list) and value]
    if not lists:
        return None
    key = max(lists, key=lambda name: len(_encode({"": data[name]})))
    items = list(data[key])
    total = len(items)
    while items:
        items.pop()
        envelope = {
            "status": "ok",
            "data": {**data, key: items, "_omitted": total - len(items), "_hint": _HINT},
        }
        if _size(envelope) <= limit:
            return envelope
    return None


def cap_result(result: ToolResult, max_bytes: int = TOOL_RESULT_MAX_BYTES) -> dict[str, Any]:
    """Return the envelope of `result` in at most `max_bytes` UTF-8 bytes of JSON, always valid JSON.

    An answer that is too long loses whole items of its longest list (`_omitted`, `_hint` say so); one without a
    list becomes `{"_truncated": true, "_hint": …}`; an error's reason is shortened by whole characters.
    """
    envelope = result.to_json()
    if _size(envelope) <= max_bytes:
        return envelope
    if isinstance(result, ToolOk):
        shorter = _drop_items(dict(result.data), max_bytes)
        return shorter or {"status": "ok", "data": {"_truncated": True, "_hint": _HINT}}
    reason = str(envelope.get("reason", ""))
    while reason and _size(envelope) > max_bytes:
        reason = reason[: len(reason) // 2]
        envelope["reason"] = reason + "…"
    return envelope


def encode_tool_result(result: ToolResult, max_bytes: int = TOOL_RESULT_MAX_BYTES) -> str:
    """Return `cap_result` as JSON text."""
    return _encode(cap_result(result, max_bytes))


def words_for_people(reason: str) -> str:
    """Return a refusal without the sentences that tell the model what to do next; all of it where nothing is left."""
    said = [part for part in re.split(r"(?<=[.!?]) ", reason) if not _TO_THE_MODEL.search(part)]
    return " ".join(said) or reason
