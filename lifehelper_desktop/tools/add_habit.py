"""`add_habit`: start a habit from a catalogue entry. Asks first."""

from __future__ import annotations

from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.domain.rules import (
    ANCHOR_MAX,
    DOSE_MAX,
    FRAME_TEXT_MAX,
    FRAME_TEXT_MIN,
    RuleViolation,
    check_single_protocol,
)
from lifehelper_desktop.domain.text import same_text
from lifehelper_desktop.tools.arguments import is_absent
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.references import names_several_protocols, resolve_protocol, with_protocol_id

_OPTIONAL: Final = ("anchor_when", "anchor_after_what", "dose_text")


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Find the entry and leave out what means "nothing given": null in words, and the catalogue's minimum dose (R9)."""
    named = with_protocol_id(args, deps, "protocol_id")
    result = {key: value for key, value in named.items() if key not in _OPTIONAL or not is_absent(value)}
    entry = deps.store.catalogue.get(str(result.get("protocol_id", "")))
    dose = result.get("dose_text")
    if entry is not None and isinstance(dose, str) and same_text(dose, entry.text("minimum_dose", deps.language)):
        del result["dose_text"]
    return result


def _check(args: Args, deps: ToolDeps) -> None:
    """Refuse what names no entry, or several (R8)."""
    wanted = args["protocol_id"]
    found = resolve_protocol(wanted, deps)
    if isinstance(found, RuleViolation):
        check_single_protocol("".join(wanted.split()))
        raise RuleViolation("r8_xor") if names_several_protocols(wanted, deps) else found


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    habit, changes = deps.store.habits.add(
        NewHabit(
            protocol_id=args["protocol_id"],
            frame_level=args["frame_level"],
            framed_text=args["framed_text"],
            anchor_when=args.get("anchor_when"),
            anchor_after_what=args.get("anchor_after_what"),
            standard_dose=args.get("dose_text"),
        )
    )
    return ToolOk(
        {
            "habit_id": habit.id,
            "title": habit.title(deps.language),
            "type": habit.habit_type.value,
            "frame_level": habit.frame_level,
        },
        changes,
    )


def _summarize(args: Args, deps: ToolDeps) -> str:
    levels = {1: _("결과"), 2: _("과정"), 3: _("정체성")}
    entry = deps.store.catalogue.get(args["protocol_id"])
    assert entry is not None, "checked before"
    lines = [
        _("습관: {title}").format(title=entry.text("title", deps.language)),
        _("문장: {text}").format(text=args["framed_text"]),
        _("수준: {level}").format(level=levels[args["frame_level"]]),
    ]
    when, after = args.get("anchor_when"), args.get("anchor_after_what")
    if not when and not after:
        when = entry.text("anchor_when", deps.language)
        after = entry.text("anchor_after_what", deps.language)
    if when:
        lines.append(_("언제: {when}").format(when=when))
    if after:
        lines.append(_("무엇을 한 뒤: {after}").format(after=after))
    dose = args.get("dose_text") or entry.text("standard_dose", deps.language)
    lines.append(_("표준 용량: {dose}").format(dose=dose))
    lines.append(_("최소 용량: {dose}").format(dose=entry.text("minimum_dose", deps.language)))
    if entry.requires_ack:
        lines.append(_("확인해 주세요: {safety}").format(safety=entry.text("safety", deps.language)))
    return "\n".join(lines)


DEFINITION = ToolDefinition(
    name="add_habit",
    label={"ko": "습관 추가", "en": "Add habit"},
    description=N_("카탈로그 항목 하나로 새 습관을 시작한다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "protocol_id": {"type": "string", "description": "카탈로그 id나 이름 하나"},
            "frame_level": {"type": "integer", "enum": [1, 2, 3], "description": "1 결과, 2 과정, 3 정체성"},
            "framed_text": {
                "type": "string",
                "minLength": FRAME_TEXT_MIN,
                "maxLength": FRAME_TEXT_MAX,
                "description": "하려는 행동으로 쓴 문장, 2~80자",
            },
            "anchor_when": {"type": "string", "maxLength": ANCHOR_MAX, "description": "언제"},
            "anchor_after_what": {"type": "string", "maxLength": ANCHOR_MAX, "description": "무엇을 한 뒤"},
            "dose_text": {"type": "string", "maxLength": DOSE_MAX, "description": "표준 용량"},
        },
        "required": ["protocol_id", "frame_level", "framed_text"],
    },
    effect=ToolEffect.WRITE,
    scope=ToolScope.DATA,
    short_name="추가",
    handler=_handle,
    normalise=_normalise,
    check=_check,
    summarize=_summarize,
    only_adds=True,
    is_idempotent=True,  # a habit that runs is not added again
)
