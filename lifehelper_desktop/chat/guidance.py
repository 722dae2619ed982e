"""What a pretrained model is given beside the tools: worked exchanges and hints for choosing arguments.

The exchanges lie in `resources/prompts/examples.json`. The pool is large on purpose: only the few most alike a message
are shown to the model. Answers are prepared words; `{fields}` come from a tool's result, so they say only what
happened. Models that were trained to call tools see neither.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from lifehelper_desktop.base.paths import resources_dir
from lifehelper_desktop.llm.protocol import LlmExample, LlmTool
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.tools.definition import ToolDefinition

HINTED_TOOLS: Final = ("query_protocol", "add_habit", "get_streak", "log_tracker_entry")
"""The tools whose arguments have hints here."""
_DATES: Final = (
    r"\d{4}-\d{1,2}-\d{1,2}",
    r"\d{1,2}월 ?\d{1,2}일",
    r"(?<![\d/])\d{1,2}/\d{1,2}(?![\d/])",
    r"(?:지난 ?(?:주 ?)?)?[월화수목금토일]요일",
    r"그저께|그제|엊그제|어제|내일|모레|[사나]흘 전|\d+일 전",
    (
        r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?"
        r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.? \d{1,2}\b"
    ),
    r"\b(?:last )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    r"\bthe day before yesterday\b|\byesterday\b|\btomorrow\b|\b(?:\d+|two|three|four|five|six) days ago\b",
)
_QUOTED: Final = r"[‘“\"「']([^’”\"」']{2,80})[’”\"」']"
_CLOCK: Final = (
    r"(?:오전|오후|새벽|아침|점심|저녁|밤) ?\d{1,2}시(?: ?(?:반|\d{1,2}분))?",
    r"\d{1,2}시(?: ?(?:반|\d{1,2}분))?",
    r"\b\d{1,2}:\d{2}\b",
    r"\b(?:at )?(\d{1,2}(?::\d{2})? ?[ap]m)\b",
)
_AFTER: Final = (
    r"([가-힣]+(?:을|를)? ?(?:먹고|하고|마시고|닦고|씻고|끝내고)) ?(?:나서|난 뒤|나면)",
    r"([가-힣]+(?:을|를)? ?[가-힣]+(?:한|은|ㄴ)) (?:뒤|후|다음)",
    r"(?:right )?after (?:i )?([^,.]{3,40}?)(?=[,.]|$)",
)


@lru_cache(maxsize=1)
def worked_examples() -> tuple[LlmExample, ...]:
    """Return the worked exchanges, read once."""
    path = resources_dir() / "prompts" / "examples.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    return tuple(
        LlmExample(
            row["user"],
            calls=tuple((call["name"], call["args"]) for call in row.get("calls", ())),
            answer=row.get("answer", ""),
        )
        for row in rows
    )


def guided_tools(tools: Sequence[ToolDefinition], catalogue: Catalogue, language: str) -> tuple[LlmTool, ...]:
    """Return `tools` as models are told of them, with the hints that guided decoding reads and no other sees."""
    entries = catalogue.all()
    labels = {entry.id: f"{entry.text('title', 'ko')} / {entry.text('title', 'en')}" for entry in entries}
    words = {entry.id: " ".join([*entry.keywords, entry.text("summary", "ko")]) for entry in entries}
    frames = {f"{entry.id}|{level}": entry.frame(level, language) for entry in entries for level in (1, 2, 3)}
    hints: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
        "query_protocol": {"id": {"x-label": "습관", "x-labels": labels, "x-search": words}},
        "add_habit": {
            "protocol_id": {"x-label": "습관", "x-labels": labels, "x-search": words},
            "frame_level": {"default": 2},
            "framed_text": {
                "x-copy": [_QUOTED],
                "x-lookup": {"from": ["protocol_id", "frame_level"], "values": frames},
            },
            "anchor_when": {"x-copy": list(_CLOCK)},
            "anchor_after_what": {"x-copy": list(_AFTER)},
        },
        "get_streak": {"habit_id": {"x-label": "습관"}},
        "log_tracker_entry": {"habit_id": {"x-label": "습관"}, "date": {"x-copy": list(_DATES)}},
    }
    assert tuple(hints) == HINTED_TOOLS, "what is looked at when the program starts"
    return tuple(_with_hints(tool, hints.get(tool.name, {})) for tool in tools)


def _with_hints(tool: ToolDefinition, hints: Mapping[str, Mapping[str, Any]]) -> LlmTool:
    schema = copy.deepcopy(dict(tool.parameters_schema))
    schema["x-label"] = tool.short_name
    for key, extra in hints.items():
        schema["properties"][key].update(extra)
    return LlmTool(tool.name, tool.description, schema)
