"""`add_habit`: start a habit from a catalogue entry. Asks first."""

from __future__ import annotations

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import NewHabit
from lifehelper_desktop.domain.rules import ANCHOR_MAX, DOSE_MAX
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult


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
    entry = deps.store.catalogue.get(str(args.get("protocol_id", "")).strip())
    title = entry.text("title", deps.language) if entry is not None else str(args.get("protocol_id", ""))
    lines = [
        _("습관: {title}").format(title=title),
        _("문장: {text}").format(text=args.get("framed_text", "")),
        _("수준: {level}").format(level=levels.get(args.get("frame_level", 0), "?")),
    ]
    when, after = args.get("anchor_when"), args.get("anchor_after_what")
    if not when and not after and entry is not None:
        when = entry.text("anchor_when", deps.language)
        after = entry.text("anchor_after_what", deps.language)
    if when:
        lines.append(_("언제: {when}").format(when=when))
    if after:
        lines.append(_("무엇을 한 뒤: {after}").format(after=after))
    dose = args.get("dose_text") or (entry.text("standard_dose", deps.language) if entry is not None else "")
    if dose:
        lines.append(_("표준 용량: {dose}").format(dose=dose))
    if entry is not None:
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
            "protocol_id": {"type": "string", "description": "카탈로그 id 하나"},
            "frame_level": {"type": "integer", "enum": [1, 2, 3], "description": "1 결과, 2 과정, 3 정체성"},
            "framed_text": {"type": "string", "description": "하려는 행동으로 쓴 문장, 2~80자"},
            "anchor_when": {"type": "string", "maxLength": ANCHOR_MAX, "description": "언제"},
            "anchor_after_what": {"type": "string", "maxLength": ANCHOR_MAX, "description": "무엇을 한 뒤"},
            "dose_text": {"type": "string", "maxLength": DOSE_MAX, "description": "표준 용량"},
        },
        "required": ["protocol_id", "frame_level", "framed_text"],
    },
    effect=ToolEffect.WRITE,
    handler=_handle,
    summarize=_summarize,
)
