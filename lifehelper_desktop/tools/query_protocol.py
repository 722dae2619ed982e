"""`query_protocol`: everything the catalogue says about one entry."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.domain.habits import HabitKind, Protocol
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.references import resolve_protocol, with_protocol_id


def protocol_fields(entry: Protocol, language: str) -> dict[str, Any]:
    """Return the fields of one entry as the reference names them; break and diet entries have their own extras."""
    fields: dict[str, Any] = {
        "id": entry.id,
        "kind": entry.kind.value,
        "category": entry.category,
        "title": entry.text("title", language),
        "summary": entry.text("summary", language),
        "standard_dose": entry.text("standard_dose", language),
        "minimum_dose": entry.text("minimum_dose", language),
        "anchor_when": entry.text("anchor_when", language),
        "anchor_after_what": entry.text("anchor_after_what", language),
        "frames": {str(level): entry.frame(level, language) for level in (1, 2, 3)},
        "evidence": {
            "citation": entry.evidence.citation,
            "doi": entry.evidence.doi,
            "grade": entry.evidence.grade,
            "limit": entry.evidence.limit,
        },
        "safety": entry.text("safety", language),
        "requires_ack": entry.requires_ack,
    }
    if entry.kind is HabitKind.BREAK:
        fields["target_behavior"] = entry.text("target_behavior", language)
        fields["replacement"] = entry.text("replacement", language)
    if entry.kind is HabitKind.DIET:
        fields["portion"] = entry.text("portion", language)
    return fields


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    return with_protocol_id(args, deps, "id")


def _check(args: Args, deps: ToolDeps) -> None:
    found = resolve_protocol(args["id"], deps)
    if isinstance(found, RuleViolation):
        raise found


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    entry = deps.store.catalogue.get(args["id"])
    assert entry is not None, "checked before"
    return ToolOk(protocol_fields(entry, deps.language))


DEFINITION = ToolDefinition(
    name="query_protocol",
    label={"ko": "항목 자세히 보기", "en": "Look up entry"},
    description=N_("카탈로그 항목 하나의 용량, 앵커, 문장 예, 근거, 안전 안내를 본다."),
    parameters_schema={
        "type": "object",
        "properties": {"id": {"type": "string", "description": "카탈로그 id나 이름 하나"}},
        "required": ["id"],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="설명",
    handler=_handle,
    normalise=_normalise,
    check=_check,
)
