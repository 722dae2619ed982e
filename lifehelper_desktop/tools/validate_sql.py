"""`validate_sql`: whether a SELECT over the user's own data would run, without running it."""

from __future__ import annotations

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.asking.asking import SqlRefused
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.sql_rows import SQL_PROPERTY, refusal, without_fence


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    try:
        tables = deps.store.asking.validate(args["sql"])
    except SqlRefused as error:
        return refusal(error)
    return ToolOk({"valid": True, "tables": list(tables)}, words=_("SQL이 맞아요."))


DEFINITION = ToolDefinition(
    name="validate_sql",
    label={"ko": "SQL 확인하기", "en": "Check SQL"},
    description=N_("SELECT 문이 맞는지 읽지 않고 확인한다. 틀리면 고칠 곳을 알려 준다."),
    parameters_schema={"type": "object", "properties": {"sql": SQL_PROPERTY}, "required": ["sql"]},
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="문법",
    handler=_handle,
    normalise=without_fence,
)
