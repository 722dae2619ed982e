"""`log_tracker_entry`: record one day of one habit. Asks first, except for an intended blank."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.labels import VALUE_LABELS, day_text, value_label
from lifehelper_desktop.domain.rules import NOTE_MAX, RuleViolation
from lifehelper_desktop.storage.text import clean_text
from lifehelper_desktop.tools.arguments import is_absent
from lifehelper_desktop.tools.dates import normalise_date, parse_iso_date
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.references import check_habit, with_habit_id

__all__ = ["DEFINITION", "VALUE_LABELS", "day_text"]

_VALUE_WORDS: Final = {
    "완료": "done",
    "했음": "done",
    "최소": "minimum",
    "min": "minimum",
    "쉬기": "blank",
    "쉼": "blank",
    "빈칸": "blank",
    "rest": "blank",
}


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Find the habit and fill in the date.

    The day that the user approves is the day that is stored, however long the question is open.
    """
    result = with_habit_id(args, deps)
    if is_absent(result.get("date")):
        result["date"] = deps.today.isoformat()
    elif isinstance(result["date"], str):
        result["date"] = normalise_date(clean_text(result["date"]), deps.today)
    if isinstance(result.get("value"), str):
        result["value"] = _VALUE_WORDS.get(clean_text(result["value"]).casefold(), result["value"])
    return result


def _check(args: Args, deps: ToolDeps) -> str | None:
    check_habit(args, deps)
    if parse_iso_date(args["date"]) is None:
        return _("date: 달력에 있는 날을 YYYY-MM-DD로 적어 주세요")
    return None


def _day(args: Args) -> date:
    day = parse_iso_date(args["date"])
    assert day is not None, "checked before"
    return day


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    entry, changes = deps.store.entries.log(
        args["habit_id"], EntryValue(args["value"]), _day(args), args.get("note", "")
    )
    return ToolOk(
        {
            "entry_id": entry.id,
            "habit_id": entry.habit_id,
            "date": entry.date.isoformat(),
            "value": entry.value.value,
        },
        changes,
    )


def _summarize(args: Args, deps: ToolDeps) -> str:
    try:
        title = deps.store.habits.get(args["habit_id"]).title(deps.language)
    except RuleViolation:
        title = _("{habit_id}번 습관").format(habit_id=args["habit_id"])
    lines = [
        _("습관: {title}").format(title=title),
        _("날짜: {day}").format(day=day_text(_day(args))),
        _("기록: {value}").format(value=value_label(EntryValue(args["value"]))),
    ]
    if args.get("note"):
        lines.append(_("메모: {note}").format(note=args["note"]))
    return "\n".join(lines)


DEFINITION = ToolDefinition(
    name="log_tracker_entry",
    label={"ko": "기록하기", "en": "Log entry"},
    description=N_("내 습관 하나의 하루를 기록한다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "habit_id": {"type": ["integer", "string"], "description": "내 습관의 번호나 이름"},
            "value": {
                "type": "string",
                "enum": ["done", "minimum", "blank"],
                "description": "done 완료, minimum 최소, blank 쉬기",
            },
            "date": {"type": "string", "description": "YYYY-MM-DD, 오늘, 어제, 그제; 없으면 오늘"},
            "note": {"type": "string", "maxLength": NOTE_MAX, "description": "메모"},
        },
        "required": ["habit_id", "value"],
    },
    effect=ToolEffect.WRITE,
    scope=ToolScope.DATA,
    short_name="기록",
    handler=_handle,
    normalise=_normalise,
    check=_check,
    summarize=_summarize,
    needs_confirmation=lambda args: args.get("value") != EntryValue.BLANK.value,
    only_adds=True,
    is_idempotent=True,  # a day that has an entry keeps it
)
