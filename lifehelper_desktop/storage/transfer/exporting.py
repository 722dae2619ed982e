"""The user's data as a file: lossless JSON, which LifeHelper reads back, and CSV for spreadsheets."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date
from pathlib import Path
from typing import IO, Any, Final

from lifehelper_desktop import __version__
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import EntryValue, HabitKind, HabitStatus, HabitType
from lifehelper_desktop.domain.labels import value_label, weekday_label
from lifehelper_desktop.storage.backups import clear_stale
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.transfer.building import number_words
from lifehelper_desktop.storage.transfer.profile import (
    FORMAT_NAME,
    VERSION,
    child_tables,
    habit_columns,
    portable_setting,
    uids,
)
from lifehelper_desktop.storage.transfer.watch import Stage, Watch

_PARTIAL: Final = ".lifehelper-"
_DOSES: Final = ("standard", "minimum")
_HEADER: Final = (
    N_("습관"),
    N_("종류"),
    N_("상태"),
    N_("날짜"),
    N_("요일"),
    N_("기록"),
    N_("양"),
    N_("단위"),
    N_("메모"),
)
_STATUS: Final = {
    HabitStatus.ACTIVE: N_("하는 중"),
    HabitStatus.PAUSED: N_("쉬는 중"),
    HabitStatus.ARCHIVED: N_("보관함"),
}
#: What makes a spreadsheet take a cell for a formula, wide forms included.
_FORMULA_SIGNS: Final = frozenset("=+-@＝＋－＠\t\r\n|%")
_Write = Callable[[str], object]


def export_json(db: Database, path: Path, now: str, watch: Watch) -> int:
    """Write the whole profile; return how many entries. Inside `read()`, better in one transaction.

    Raises:
        WorldError: The file cannot be written; what was there before is still there.
        TransferError: `stopped`.
    """
    with _new_file(path) as file:
        return _write_json(db, file.write, now, watch)


def export_csv(db: Database, path: Path, language: str, watch: Watch, *, bom: bool = True) -> int:
    """Write one line for each day of each habit, oldest first; return how many. Inside `read()`.

    Habits without a day have one line without a date. No cell can be taken for a formula.

    Args:
        bom: Begin with the mark by which Excel knows UTF-8; without it Korean Excel shows Hangul as nonsense.

    Raises:
        WorldError: The file cannot be written; what was there before is still there.
        TransferError: `stopped`.
    """
    with _new_file(path, "utf-8-sig" if bom else "utf-8") as file:
        return _write_csv(db, file, language, watch)


@contextmanager
def _new_file(path: Path, encoding: str = "utf-8") -> Iterator[IO[str]]:
    """Give a file that takes its place at `path` only when it is complete and on the disk."""
    partial: Path | None = None
    try:
        clear_stale(path.parent, f"{_PARTIAL}*.partial")
        with tempfile.NamedTemporaryFile(
            "w", encoding=encoding, newline="", dir=path.parent, prefix=_PARTIAL, suffix=".partial", delete=False
        ) as file:
            partial = Path(file.name)
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
        partial = None
    except OSError as error:
        raise WorldError(_("파일을 쓰지 못했어요."), _("다른 폴더나 이름을 골라 주세요.")) from error
    finally:
        if partial is not None:
            with suppress(OSError):
                partial.unlink(missing_ok=True)


# JSON


def _write_json(db: Database, write: _Write, now: str, watch: Watch) -> int:
    watch.begin(Stage.WRITING, int(db.sql("SELECT COUNT(*) FROM entry")[0][0]))
    head = {
        "format": FORMAT_NAME,
        "version": VERSION,
        "app": __version__,
        "exported_at": now,
        "settings": _settings(db),
    }
    write(json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}") + ',\n "habits": [')
    columns, children = habit_columns(db), child_tables(db)
    known = {habit_id: uid for uid, habit_id in uids(db).items()}
    total = 0
    rows = db.sql(f"SELECT id, {', '.join(columns)} FROM habit ORDER BY position, id")
    for number, (habit_id, *values) in enumerate(rows):
        habit = {
            "uid": known[habit_id],
            "id": habit_id,
            "habit": dict(zip(columns, values, strict=True)),
            "doses": _doses(db, habit_id),
            "children": {table: _rows(db, table, names, habit_id) for table, names in children.items()},
            "sources": _sources(db, habit_id),
        }
        write(",\n" if number else "\n")
        write(json.dumps(habit, ensure_ascii=False).removesuffix("}") + ', "entries": [')
        for place, entry in enumerate(_entries(db, habit_id)):
            write(",\n  " if place else "\n  ")
            write(json.dumps(entry, ensure_ascii=False))
            watch.step()
            total += 1
        write("]}")
    write("\n ]\n}\n")
    watch.end()
    return total


def _settings(db: Database) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, text in db.sql("SELECT key, value FROM setting ORDER BY key"):
        row = portable_setting(key)
        if row is not None:
            # A value that no longer fits its row counts as the default, and is not carried on.
            with suppress(ValueError):
                found[key] = row.check(json.loads(text))
    return found


def _doses(db: Database, habit_id: int) -> dict[str, str]:
    rows = db.sql("SELECT is_minimum, dose FROM habit_variant WHERE habit_id = ? ORDER BY is_minimum", (habit_id,))
    return {_DOSES[is_minimum]: dose for is_minimum, dose in rows}


def _rows(db: Database, table: str, columns: tuple[str, ...], habit_id: int) -> list[dict[str, Any]]:
    names = ", ".join(columns)
    rows = db.sql(f"SELECT {names} FROM {table} WHERE habit_id = ? ORDER BY {names}", (habit_id,))
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _sources(db: Database, habit_id: int) -> list[dict[str, str]]:
    statement = (
        "SELECT source, external_id FROM habit_source WHERE habit_id = ? AND source <> ? ORDER BY source, external_id"
    )
    rows = db.sql(statement, (habit_id, FORMAT_NAME))
    return [{"source": source, "external_id": key} for source, key in rows]


def _entries(db: Database, habit_id: int) -> Iterator[dict[str, Any]]:
    statement = (
        "SELECT date, CASE WHEN is_minimum THEN 'minimum' ELSE value END, note, amount, created_at, updated_at "
        "FROM entry WHERE habit_id = ? ORDER BY date"
    )
    for day, value, note, amount, made, changed in db.sql(statement, (habit_id,)):
        entry = {"date": day, "value": value}
        if note:
            entry["note"] = note
        if amount is not None:
            entry["amount"] = amount
        entry["created_at"] = made
        if changed != made:
            entry["updated_at"] = changed
        yield entry


# CSV


def _write_csv(db: Database, file: IO[str], language: str, watch: Watch) -> int:
    watch.begin(Stage.WRITING, int(db.sql("SELECT COUNT(*) FROM entry")[0][0]))
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([_(name) for name in _HEADER])
    types = {HabitType.BUILD: _("세우기"), HabitType.BREAK: _("깨기")}
    title = "title_en" if language == "en" else "title_ko"
    habits = db.sql(f"SELECT id, {title}, kind, status, unit, deleted_on FROM habit ORDER BY position, id")
    total = 0
    for habit_id, name, kind, status, unit, deleted_on in habits:
        state = _("휴지통") if deleted_on is not None else _(_STATUS[HabitStatus(status)])
        head = [safe_cell(name), types[HabitKind(kind).habit_type], state]
        empty = True
        for entry in _entries(db, habit_id):
            empty = False
            writer.writerow([*head, *_day_cells(entry, unit)])
            watch.step()
            total += 1
        if empty:
            writer.writerow([*head, *[""] * (len(_HEADER) - len(head))])
    watch.end()
    return total


def _day_cells(entry: dict[str, Any], unit: str) -> list[str]:
    day = date.fromisoformat(entry["date"])
    amount = entry.get("amount")
    return [
        day.isoformat(),
        weekday_label(day),
        value_label(EntryValue(entry["value"])),
        "" if amount is None else number_words(amount),
        "" if amount is None else safe_cell(unit),
        safe_cell(entry.get("note", "")),
    ]


def safe_cell(text: str) -> str:
    """Return the text of a cell such that no spreadsheet computes it: an apostrophe stands before a formula's sign."""
    return f"'{text}" if text.lstrip(" ")[:1] in _FORMULA_SIGNS and text else text
