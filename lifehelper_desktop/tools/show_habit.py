"""`show_habit`: show the page of one habit. The main thread carries it out."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.tools.arguments import is_absent
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolErr, ToolResult
from lifehelper_desktop.tools.references import check_habit, with_habit_id
from lifehelper_desktop.tools.window import no_window, window_result


def open_habit(habit_id: int, deps: ToolDeps) -> ToolResult:
    """Have the page of a habit shown and return what the model is told.

    Raises:
        RuleViolation: `not_found`, there is no such habit.
    """
    if deps.ui is None:
        return no_window()
    title = deps.store.habits.get(habit_id).title(deps.language)
    answer = deps.ui.show_habit(habit_id)
    gone = ToolErr("not_found", _("그 습관은 이제 없어요. list_active_habits로 지금 있는 습관을 보세요."))
    words = with_particles(_("‘{name}’을(를) 열었어요.").format(name=title))
    return window_result(answer, {"opened": title, "habit_id": habit_id}, words, gone)


def _normalise(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Find the habit; without one the habit in view or last spoken of is meant."""
    result = dict(args)
    if is_absent(result.get("habit_id")):
        result.pop("habit_id", None)
        if deps.run.habit_id is not None:
            result["habit_id"] = deps.run.habit_id
    return with_habit_id(result, deps)


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    return open_habit(args["habit_id"], deps)


DEFINITION = ToolDefinition(
    name="show_habit",
    label={"ko": "습관 화면 열기", "en": "Show habit"},
    description=N_("내 습관 하나의 화면(달력, 통계, 기록)을 연다."),
    parameters_schema={
        "type": "object",
        "properties": {"habit_id": {"type": ["integer", "string"], "description": "내 습관의 번호나 이름"}},
        "required": ["habit_id"],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.UI,
    short_name="보기",
    handler=_handle,
    normalise=_normalise,
    check=check_habit,
)
