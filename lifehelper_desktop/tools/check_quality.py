"""`check_quality`: what in the user's data is off, and what to do next: failed checks only."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_, _, ngettext
from lifehelper_desktop.domain.quality import FailedCheck, QualityRow
from lifehelper_desktop.domain.quality_checks import CHECKS
from lifehelper_desktop.storage.quality import check_quality
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.references import check_habit, with_habit_id

_ROW_MAX = 50  # characters


def _check(args: Args, deps: ToolDeps) -> None:
    if "habit_id" in args:
        check_habit(args, deps)


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    habit_id = args.get("habit_id")
    if habit_id is not None:
        deps.store.habits.get(habit_id)
    failed = check_quality(deps.store, habit_id)
    wanted = args.get("check")
    if wanted is not None:
        failed = [each for each in failed if each.check.name == wanted]
    n = len(failed)
    data: dict[str, Any] = {"checked": len(CHECKS) if wanted is None else 1, "failed": n}
    if n > 1:
        data["names"] = " ".join(each.check.name for each in failed)
    if n == 0:
        data["hint"] = _("살펴본 것이 모두 좋아요. 그대로 이어 가면 돼요.")
    data["items"] = [_item(each, deps.language) for each in failed]
    words = ngettext("살펴볼 것이 {n}가지 있어요.", "살펴볼 것이 {n}가지 있어요.", n).format(n=n)
    return ToolOk(data, words=words if n else data["hint"])


def _item(failed: FailedCheck, language: str) -> dict[str, Any]:
    return {
        "check": failed.check.name,
        "severity": failed.check.severity.value,
        "what": _(failed.check.title),
        "count": failed.count,
        "samples": [_row(row, language) for row in failed.samples],
        "next": _(failed.check.advice),
    }


def _row(row: QualityRow, language: str) -> str:
    return f"{row.habit.id} {shorten(row.words(language), _ROW_MAX)}"


DEFINITION = ToolDefinition(
    name="check_quality",
    label={"ko": "기록 살펴보기", "en": "Check my data"},
    description=N_("내 기록에서 비었거나 어긋난 곳을 살피고 다음에 할 일을 알려 준다. 통과한 것은 빼고 보여 준다."),
    parameters_schema={
        "type": "object",
        "properties": {
            "habit_id": {"type": ["integer", "string"], "description": N_("이 습관만: 번호나 이름")},
            "check": {
                "type": "string",
                "enum": [each.name for each in CHECKS],
                "description": N_("이것만 살피기"),
            },
        },
        "required": [],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="점검",
    handler=_handle,
    normalise=with_habit_id,
    check=_check,
)
