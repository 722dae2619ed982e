"""`get_streak`: the numbers of one habit."""

from __future__ import annotations

import dataclasses

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.references import check_habit, with_habit_id


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    habit = deps.store.habits.get(args["habit_id"])
    unit = unit_of(habit.schedule)
    # The six numbers of a habit whose streak is counted in days speak for themselves.
    named = {} if unit == "day" else {"streak_unit": unit}
    return ToolOk(dataclasses.asdict(deps.store.overview(habit).streaks) | named)


DEFINITION = ToolDefinition(
    name="get_streak",
    label={"ko": "연속 기록 보기", "en": "Check streak"},
    description=N_("습관 하나의 연속 일수와 단계를 본다."),
    parameters_schema={
        "type": "object",
        "properties": {"habit_id": {"type": ["integer", "string"], "description": "내 습관의 번호나 이름"}},
        "required": ["habit_id"],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="연속",
    handler=_handle,
    normalise=with_habit_id,
    check=check_habit,
)
