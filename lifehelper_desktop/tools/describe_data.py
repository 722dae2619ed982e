"""`describe_data`: the tables that `run_sql` may read, their columns, what they mean, and what is in them."""

from __future__ import annotations

from typing import Any

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.asking.asking import SqlRefused, TableDescription
from lifehelper_desktop.storage.asking.refusals import no_table
from lifehelper_desktop.storage.asking.views import BY_NAME
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolOk, ToolResult
from lifehelper_desktop.tools.sql_rows import refusal


def _normalise(args: Args, _deps: ToolDeps) -> dict[str, Any]:
    table = args.get("table")
    return {**args, "table": table.strip().lower()} if isinstance(table, str) else dict(args)


def _handle(args: Args, deps: ToolDeps) -> ToolResult:
    wanted = args.get("table")
    if wanted is not None and wanted not in BY_NAME:
        return refusal(no_table(wanted))
    try:
        tables = deps.store.asking.describe(wanted)
    except SqlRefused as error:
        return refusal(error)
    today = deps.today.isoformat()
    if wanted is None:
        return ToolOk({"today": today, "tables": [_line(table) for table in tables]}, words=_("자료를 살펴봤어요."))
    [table] = tables
    found: dict[str, Any] = {"table": table.view.name, "what": _(table.view.meaning), "rows": table.rows}
    if table.first is not None:
        found |= {"first": table.first, "last": table.last}
    columns = {name: _(meaning) for name, meaning in table.view.columns.items()}
    return ToolOk({"today": today, **found, "columns": columns}, words=_("자료를 살펴봤어요."))


def _line(table: TableDescription) -> str:
    """Return a table in one line: all of them must fit into one answer."""
    days = f" {table.first}~{table.last}" if table.first is not None and table.view.name != "today" else ""
    what = _(table.view.meaning).partition(";")[0]
    return f"{table.view.name}({','.join(table.view.columns)}) {table.rows}{days}: {what}"


DEFINITION = ToolDefinition(
    name="describe_data",
    label={"ko": "자료 살펴보기", "en": "Describe my data"},
    description=N_("run_sql로 읽을 수 있는 표와 열, 줄 수, 기간을 본다. 표 하나를 말하면 열마다 뜻을 본다."),
    parameters_schema={
        "type": "object",
        "properties": {"table": {"type": "string", "description": "표 이름, 없으면 모두"}},
        "required": [],
    },
    effect=ToolEffect.READ,
    scope=ToolScope.DATA,
    short_name="자료",
    handler=_handle,
    normalise=_normalise,
)
