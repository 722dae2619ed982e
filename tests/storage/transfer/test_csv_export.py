"""CSV for spreadsheets: Korean Excel opens it, nothing in it is computed, every day is there."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.exporting import safe_cell
from tests.storage.support import TODAY, add, day
from tests.storage.transfer.support import HANDMADE, bring, count


def table(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))


def test_one_line_for_each_day_and_one_for_a_habit_without(store: Store, tmp_path: Path) -> None:
    walk = add(store, "daily-steps")
    add(store, "stair-snack")
    store.entries.change(walk.id, day(-1), EntryValue.MINIMUM, '첫 줄, "따옴표"\n둘째 줄')
    store.entries.log(walk.id, EntryValue.DONE)
    path = tmp_path / "기록.csv"
    assert store.transfers.export_csv(path) == 2
    header, first, second, empty = table(path)
    assert header == ["습관", "종류", "상태", "날짜", "요일", "기록", "양", "단위", "메모"]
    assert first[:6] == ["하루 걷기", "세우기", "하는 중", "2026-08-11", "화", "최소"]
    assert first[8] == '첫 줄, "따옴표"\n둘째 줄'
    assert second[3:6] == [TODAY.isoformat(), "수", "완료"]
    assert empty[:3] == ["계단 간식", "세우기", "하는 중"] or empty[3:] == [""] * 6
    assert {len(row) for row in (header, first, second, empty)} == {9}


def test_the_mark_by_which_excel_knows_utf8(store: Store, tmp_path: Path) -> None:
    add(store, "daily-steps")
    path = tmp_path / "a.csv"
    store.transfers.export_csv(path)
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert path.read_bytes().count(b"\r\n") == 2
    store.transfers.export_csv(path, bom=False)
    assert path.read_bytes().startswith("습관".encode())


def test_amounts_and_states_of_imported_habits(store: Store, tmp_path: Path) -> None:
    bring(store, HANDMADE / "loop_v25_korean.db")
    store.trash.delete(store.habits.list()[0].id)
    path = tmp_path / "a.csv"
    assert store.transfers.export_csv(path) == count(store, "entry") == 14
    rows = table(path)[1:]
    water = [row[3:8] for row in rows if row[0] == "물 마시기 (2L)"]
    assert ["2024-03-02", "토", "안 함", "1.5", "L"] in water
    assert ["2024-03-04", "월", "안 함", "0", "L"] in water
    assert {row[2] for row in rows if row[0] == "운동"} == {"휴지통"}
    assert {row[1:3] == ["깨기", "보관함"] for row in rows if row[0] == "커피 줄이기"} == {True}


def test_in_english(store: Store, tmp_path: Path) -> None:
    add(store, "daily-steps")
    store.entries.log(1, EntryValue.DONE)
    set_language("en")
    path = tmp_path / "a.csv"
    store.transfers.export_csv(path)
    assert table(path)[1][0] == "Daily steps"


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "=cmd|' /C calc'!A0",
        "+1",
        "-1",
        "@SUM(A1)",
        "\t=1",
        "  =1",
        "＝1＋1",
        "－1",
        "|x",
        "%0A=1",
    ],
)
def test_no_cell_is_a_formula(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", " ", "운동", "1+1=2", "2 L", "'='", "a\n=1"])
def test_other_cells_are_as_they_are(text: str) -> None:
    assert safe_cell(text) == text


def test_formulas_in_titles_units_and_notes_are_made_harmless(store: Store, tmp_path: Path) -> None:
    from tests.storage.transfer.support import write_loop

    habit = {"name": "=HYPERLINK(1)", "type": 1, "unit": "=A1", "target_value": 1.0}
    bring(store, write_loop(tmp_path / "loop.db", [habit], [(1, "2026-08-01", 1000, "@note")]))
    path = tmp_path / "a.csv"
    store.transfers.export_csv(path)
    row = table(path)[1]
    assert (row[0], row[7], row[8]) == ("'=HYPERLINK(1)", "'=A1", "'@note")
