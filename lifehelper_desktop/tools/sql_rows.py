"""Rows of an answer in the shape that costs a model the least: short values, and names said once or beside each."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from lifehelper_desktop.storage.asking.asking import SqlAnswer, SqlRefused, Value
from lifehelper_desktop.storage.text import clean_text
from lifehelper_desktop.tools.definition import Args, ToolDeps
from lifehelper_desktop.tools.envelope import ToolErr

ROWS_MAX: Final = 100
SQL_PROPERTY: Final = {
    "type": "string",
    "x-as-is": True,  # line breaks end comments, and a NUL is refused instead of dropped
    "description": "SQLite의 SELECT 문 하나",
}
_FENCE: Final = re.compile(r"\s*```(?:sql|sqlite)?[ \t]*\r?\n(.*?)\r?\n?[ \t]*```\s*", re.DOTALL | re.IGNORECASE)
_ROW_BYTES: Final = 1000  # of one row; `cap_result` leaves out whole rows, so each must fit
_NAME_BYTES: Final = 500  # of all names of columns
_LENGTHS: Final = (200, 100, 60, 40, 25, 15, 10, 6)  # characters of a text, longest first


def rows_for_model(answer: SqlAnswer) -> dict[str, Any]:
    """Return the rows as objects, or as lists under one line of names, whichever is shorter."""
    length = next((each for each in _LENGTHS if _widest(answer, each) <= _ROW_BYTES), _LENGTHS[-1])
    rows = [[_short(value, length) for value in row] for row in answer.rows]
    names = _names(answer.columns)
    found: dict[str, Any] = {"columns": names, "rows": rows}
    if len(set(names)) == len(names):
        objects = {"rows": [dict(zip(names, row, strict=True)) for row in rows]}
        if rows and _size(objects) <= _size(found):
            found = objects
    found = {"count": len(rows), **found}
    if answer.more:
        found["more"] = True
    return found


def without_fence(args: Args, _deps: ToolDeps) -> dict[str, Any]:
    """Return the arguments with the SQL out of the Markdown fence that models like to put around it."""
    known = dict(args)
    sql = known.get("sql")
    if isinstance(sql, str) and (fenced := _FENCE.fullmatch(sql)) is not None:
        known["sql"] = fenced[1]
    return known


def refusal(error: SqlRefused) -> ToolErr:
    """Return the tool's answer for a question that was refused."""
    return ToolErr(error.code, error.reason)


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace"))


def _widest(answer: SqlAnswer, length: int) -> int:
    return max((_size([_short(value, length) for value in row]) for row in answer.rows), default=0)


def _names(columns: tuple[str, ...]) -> list[str]:
    for length in _LENGTHS:
        names = [str(_short(name, length)) for name in columns]
        if _size(names) <= _NAME_BYTES:
            break
    return names


def _short(value: Value, length: int) -> Value:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, str):
        text = clean_text(value, keep_lines=True)
        return text if len(text) <= length else text[: length - 1] + "…"
    return value
