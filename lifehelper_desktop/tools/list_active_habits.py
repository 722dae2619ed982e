"""`list_active_habits`: the habits that run now and the places that are left."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_
from lifehelper_desktop.domain.habits import HabitStatus, HabitType
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    store = deps.store
    counts = store.habits.active_counts()
    remaining = store.habits.remaining()
    items: list[dict[str, Any]] = []
    for habit in store.habits.list(HabitStatus.ACTIVE):
        entry = store.entries.get(habit.id, deps.today)
        items.append(
            {
                "habit_id": habit.id,
                "protocol_id": habit.catalogue_id or None,
                "title": habit.title(deps.language),
                "type": habit.habit_type.value,
                "frame_level": habit.frame_level,
                "framed_text": habit.framed_text,
                "today": entry.value.value if entry is not None else None,
            }
        )
    return ToolOk(
        {
            "count": len(items),
            "build_count": counts[HabitType.BUILD],
            "break_count": counts[HabitType.BREAK],
            "build_quota_remaining": remaining[HabitType.BUILD],
            "break_quota_remaining": remaining[HabitType.BREAK],
            "items": items,
        }
    )


DEFINITION = ToolDefinition(
    name="list_active_habits",
    label={"ko": "내 습관 보기", "en": "List my habits"},
    description=N_("지금 하고 있는 습관과 남은 자리를 본다."),
    parameters_schema={"type": "object", "properties": {}, "required": []},
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="목록",
    handler=_handle,
)
