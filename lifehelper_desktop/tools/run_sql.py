"""`run_sql`: one SELECT over the user's own data."""

from __future__ import annotations

from lifehelper_desktop.base.i18n import N_, ngettext
from lifehelper_desktop.storage.asking.asking import SqlRefused
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope, ToolStopped
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.sql_rows import ROWS_MAX, SQL_PROPERTY, refusal, rows_for_model, without_fence


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    try:
        answer = deps.store.asking.run(args["sql"], max_rows=ROWS_MAX, stop=deps.run.stop.is_set)
    except SqlRefused as error:
        if error.code == "sql_stopped":
            raise ToolStopped from error
        return refusal(error)
    count = len(answer.rows)
    words = ngettext("{n}줄을 읽었어요.", "{n}줄을 읽었어요.", count).format(n=count)
    return ToolOk(rows_for_model(answer), words=words)


DEFINITION = ToolDefinition(
    name="run_sql",
    label={"ko": "내 기록에 묻기", "en": "Ask my data"},
    description=N_(
        "내 기록을 SELECT 하나로 읽는다. 표: habits, entries(기록한 날), days(모든 날), months(달마다 센 것), "
        "numbers(연속·강도), today(오늘·지난달). 열은 describe_data로 본다."
    ),
    parameters_schema={"type": "object", "properties": {"sql": SQL_PROPERTY}, "required": ["sql"]},
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="질의",
    handler=_handle,
    normalise=without_fence,
)
