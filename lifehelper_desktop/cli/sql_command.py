"""`lifehelper sql`: one SELECT over one's own data, as a table, JSON or CSV; and what can be asked."""

from __future__ import annotations

import argparse
import csv
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any, Final

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.cli.context import CliContext, count_to
from lifehelper_desktop.storage.asking.asking import SqlAnswer, SqlRefused, TableDescription, Value
from lifehelper_desktop.storage.text import clean_text

OK: Final = 0
REFUSED: Final = 1
_SECONDS: Final = 10.0
_ROWS_MAX: Final = 100_000
_ROWS: Final = 200
_WIDTH_MAX: Final = 60  # of a column in a table, in half widths
_WIDE: Final = frozenset("WF")


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    sql = subs.add_parser("sql", parents=[common], help=_("내 기록에 SQL로 묻기(읽기만)"))
    sql.add_argument("sql", nargs="?", help=_("SELECT 문 하나"))
    sql.add_argument("--describe", action="store_true", help=_("물을 수 있는 표와 열 보기"))
    sql.add_argument("--csv", action="store_true", help=_("CSV로 출력"))
    sql.add_argument(
        "--rows", type=count_to(_ROWS_MAX), default=_ROWS, metavar="N", help=_("많아야 N줄(기본 {n})").format(n=_ROWS)
    )
    sql.set_defaults(run=_run)


def _run(context: CliContext, args: argparse.Namespace) -> int:
    try:
        if args.describe:
            _describe(context)
        else:
            answer = context.store.asking.run(args.sql or "", max_rows=args.rows, seconds=_SECONDS)
            _show(context, answer, as_csv=args.csv)
    except SqlRefused as refusal:
        if context.as_json:
            context.print_json({"status": "error", "code": refusal.code, "reason": refusal.reason})
        else:
            print(refusal.reason, file=sys.stderr)
        return REFUSED
    return OK


def _show(context: CliContext, answer: SqlAnswer, *, as_csv: bool) -> None:
    if context.as_json:
        rows = [list(row) for row in answer.rows]
        context.print_json({"columns": list(answer.columns), "rows": rows, "more": answer.more})
        return
    if as_csv:
        writer = csv.writer(context.out, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows(["" if value is None else value for value in row] for row in answer.rows)
        return
    for line in _table([answer.columns, *answer.rows]):
        context.print(line)
    count = len(answer.rows)
    words = ngettext("{n}줄", "{n}줄", count).format(n=count)
    context.print(_("{rows}, 더 있어요(--rows로 늘릴 수 있어요)").format(rows=words) if answer.more else words)


def _table(rows: Sequence[Sequence[Value]]) -> list[str]:
    cells = [[_cell(value) for value in row] for row in rows]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    lines = ["  ".join(map(_pad, row, widths)).rstrip() for row in cells]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def _cell(value: Value) -> str:
    text = "" if value is None else clean_text(str(value))
    while _width(text) > _WIDTH_MAX:
        text = text[: max(0, len(text) - 1 - (_width(text) - _WIDTH_MAX) // 2)].rstrip("…") + "…"
    return text


def _width(text: str) -> int:
    """Return how many half-width places a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in _WIDE else 1 for char in text
    )


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))


def _describe(context: CliContext) -> None:
    tables = context.store.asking.describe()
    if context.as_json:
        context.print_json([_as_json(table) for table in tables])
        return
    for table in tables:
        days = "" if table.first is None else f", {table.first} ~ {table.last}"
        rows = ngettext("{n}줄", "{n}줄", table.rows).format(n=table.rows)
        context.print(f"{table.view.name} ({rows}{days}): {_(table.view.meaning)}")
        for name, meaning in table.view.columns.items():
            context.print(f"    {name}: {_(meaning)}")


def _as_json(table: TableDescription) -> dict[str, Any]:
    return {
        "table": table.view.name,
        "meaning": _(table.view.meaning),
        "rows": table.rows,
        "first": table.first,
        "last": table.last,
        "columns": {name: _(meaning) for name, meaning in table.view.columns.items()},
    }
