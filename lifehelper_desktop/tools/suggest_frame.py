"""`suggest_frame`: have the model write a habit's sentence, in a short session of its own beside the conversation."""

from __future__ import annotations

from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.tools.arguments import is_absent
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.frame_suggestion import FrameSubject, subject_of_entry, subject_of_habit, suggest_frame
from lifehelper_desktop.tools.references import check_habit, resolve_protocol, with_habit_id, with_protocol_id

_DEFAULT_LEVEL: Final = 2
_SUBJECTS: Final = ("protocol_id", "habit_id")


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Find the entry or the habit; without either the habit in view or last spoken of is meant."""
    result = {key: value for key, value in args.items() if not is_absent(value)}
    if not any(key in result for key in _SUBJECTS) and deps.run.habit_id is not None:
        result["habit_id"] = deps.run.habit_id
    result.setdefault("frame_level", _DEFAULT_LEVEL)
    return with_habit_id(with_protocol_id(result, deps, "protocol_id"), deps)


def _check(args: Args, deps: ToolDeps) -> str | None:
    given = [key for key in _SUBJECTS if key in args]
    if len(given) != 1:
        return _("protocol_id와 habit_id 가운데 하나만 필요해요")
    if given == ["habit_id"]:
        check_habit(args, deps)
    else:
        found = resolve_protocol(args["protocol_id"], deps)
        if isinstance(found, RuleViolation):
            raise found
    return None


def _subject(args: Args, deps: ToolDeps) -> FrameSubject:
    catalogue = deps.store.catalogue
    if "habit_id" in args:
        habit = deps.store.habits.get(args["habit_id"])
        return subject_of_habit(habit, catalogue.get(habit.catalogue_id), deps.run)
    entry = catalogue.get(args["protocol_id"])
    assert entry is not None, "checked before"
    return subject_of_entry(entry, deps.run)


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    assert deps.model is not None, "the dispatcher has looked"
    subject, level = _subject(args, deps), args["frame_level"]
    found = suggest_frame(deps.model, subject, level, deps.run, deps.store.catalogue)
    if found is None:
        return ToolErr(
            "no_suggestion", _("알맞은 문장을 짓지 못했어요. 다시 부르지 말고 사용자에게 어떤 말로 적을지 물어보세요.")
        )
    data = {"title": subject.title, "frame_level": level, "framed_text": found.text, "by_model": found.by_model}
    return ToolOk(data, words=f"{subject.title} · {found.text}")


DEFINITION = ToolDefinition(
    name="suggest_frame",
    label={"ko": "습관 문장 짓기", "en": "Suggest wording"},
    description=N_("카탈로그 항목이나 내 습관의 문장을 하려는 행동으로 하나 지어 본다. 저장하지 않는다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "protocol_id": {"type": "string", "description": "카탈로그 id나 이름 하나"},
            "habit_id": {
                "type": ["integer", "string"],
                "description": "내 습관의 번호나 이름; 둘 다 없으면 방금 말한 습관",
            },
            "frame_level": {"type": "integer", "enum": [1, 2, 3], "description": "1 결과, 2 과정, 3 정체성; 기본 2"},
        },
        "required": [],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.MODEL,
    short_name="문장",
    handler=_handle,
    normalise=_normalise,
    check=_check,
)
