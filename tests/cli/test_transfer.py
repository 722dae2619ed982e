"""`import`, `imports` and `export` in words and in JSON."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.storage.transfer.support import HANDMADE, write_json, write_loop

LOOP = str(HANDMADE / "loop_v25_korean.db")


def test_a_dry_run_shows_and_changes_nothing(cli: Cli) -> None:
    code, out = cli("import", LOOP, "--dry-run")
    assert code == 0
    assert "Loop Habit Tracker · 습관 4개 · 기록 14개 · 2024-01-15 – 2024-03-05" in out
    assert "  1  운동 — 새로 들어와 이어 가요 · 새 기록 6개" in out
    assert "  4  커피 줄이기 — 보관한 그대로 들어와요 · 새 기록 1개" in out
    assert "· Repetitions #6: 표시 없이 메모만 있던 날이라" in out
    assert out.rstrip().endswith("새로 들어올 것: 습관 4개, 기록 14개, 알림 2개")
    value = cli.json("import", LOOP, "--dry-run")
    assert (value["status"], value["dry_run"], value["format"]) == ("ok", True, "loop-db")
    assert (len(value["habits"]), value["entries"], value["new_entries"], value["bad_rows"]) == (4, 14, 14, 0)
    assert value["habits"][0]["reminders"] == [{"time": "07:30", "weekdays": [1, 2, 3, 4, 5]}]
    assert value["places"] == {"build": 3, "break": 1}
    assert value["report"][0]["code"] == "note_only"
    assert cli.json("habits")["data"]["count"] == 0


def test_without_a_yes_nothing_is_imported(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, out = cli("import", LOOP)
    assert (code, out) == (1, "")
    assert "--yes" in cli.err
    value = cli.json("import", LOOP)
    assert (value["status"], value["code"]) == ("error", "not_confirmed")
    assert cli.json("habits")["data"]["count"] == 0


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "code", "habits"), [("y\n", 0, 3), ("\n", 1, 0)])
def test_a_person_at_the_terminal_is_asked(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, habits: int
) -> None:
    monkeypatch.setattr(sys, "stdin", _Terminal(answer))
    assert cli("import", LOOP)[0] == code
    assert "  1  운동 — 새로 들어와 이어 가요" in cli.err
    assert cli.json("habits")["data"]["count"] == habits


def test_import_twice_list_and_undo(cli: Cli) -> None:
    code, out = cli("import", LOOP, "--yes")
    assert code == 0
    assert "습관 4개와 기록 14개를 가져왔어요. 되돌리려면: lifehelper imports --undo 1" in out
    code, out = cli("import", LOOP)
    assert code == 0
    assert "새로 가져온 것은 0개예요" in out
    again = cli.json("import", LOOP, "--yes")
    assert (again["import_id"], again["imported_habits"], again["imported_entries"]) == (None, 0, 0)
    assert (again["new_habits"], again["new_entries"], again["habits"][0]["same"]) == (0, 0, 6)
    assert "1  2026-08-12 21:30  loop_v25_korean.db — 습관 4개, 기록 14개" in cli("imports")[1]
    assert cli.json("log", "1")["status"] == "ok"
    code, out = cli("imports", "--undo", "1")
    assert code == 0
    assert "가져오기를 되돌렸어요: 습관 3개, 기록 14개" in out
    assert "직접 기록한 날이 있어 남겨 둔 습관: 운동" in out
    assert cli.json("imports", "--undo", "1")["code"] == "not_found"
    assert cli.json("imports") == {
        "id": 1,
        "format": "loop-db",
        "file": "loop_v25_korean.db",
        "made_at": "2026-08-12T21:30:00+00:00",
        "habits": 0,
        "entries": 0,
    } or isinstance(cli.json("imports"), list)


def test_which_habits_stay_active(cli: Cli, tmp_path: Path) -> None:
    habits = [{"name": f"습관 {number}"} for number in range(1, 6)]
    path = str(write_loop(tmp_path / "loop.db", habits, []))
    assert cli.json("import", path, "--yes", "--keep", "1,2,3,4")["code"] == "r3_quota"
    assert cli.json("import", path, "--yes", "--keep", "1,9")["code"] == "bad_choice"
    assert cli.json("import", path, "--yes", "--keep", "one")["code"] == "bad_choice"
    assert cli("import", path, "--yes", "--keep", "2, 5")[0] == 0
    assert [item["title"] for item in cli.json("habits")["data"]["items"]] == ["습관 2", "습관 5"]


def test_bad_rows_are_named_and_may_be_left_out(cli: Cli, tmp_path: Path) -> None:
    path = str(write_loop(tmp_path / "loop.db", [{}], [(1, "2026-08-01", 2, ""), (1, "2026-08-02", 77, "")]))
    code, out = cli("import", path, "--dry-run")
    assert code == 0
    assert "! Repetitions #2: 값을 읽을 수 없어요: 77" in out
    code, out = cli("import", path, "--yes")
    assert (code, out) == (1, "")
    assert "Repetitions #2" in cli.err
    assert cli.json("import", path, "--yes")["code"] == "bad_rows"
    assert cli("import", path)[0] == 1
    assert "Repetitions #2" in cli.err
    assert cli.json("import", path, "--yes", "--skip-bad")["imported_entries"] == 1


def test_refusals_name_the_reason(cli: Cli, tmp_path: Path) -> None:
    new = str(write_loop(tmp_path / "new.db", [{}], [], version=26))
    code, out = cli("import", new)
    assert (code, out) == (3, "")
    assert "26" in cli.err
    assert cli.json("import", new)["code"] == "too_new"
    assert cli.json("import", str(tmp_path / "none.zip"))["code"] == "unreadable"
    assert cli.json("import", LOOP, "--format", "mhabit")["code"] == "unknown_format"
    assert cli.json("import", LOOP, "--format", "x")["code"] == "unknown_format"
    assert cli.json("import", LOOP, "--zone", "Mars/Olympus")["code"] == "bad_choice"


def test_the_zone_of_instants(cli: Cli, tmp_path: Path) -> None:
    habit = {"id": "1", "name": "물", "frequency": "FREQ=DAILY", "completions": ["2025-01-02T15:00:00Z"]}
    path = str(write_json(tmp_path / "habits.json", {"habits": [habit]}))
    assert cli.json("import", path, "--dry-run", "--zone", "Asia/Seoul")["first_day"] == "2025-01-03"
    assert cli.json("import", path, "--dry-run", "--zone", "UTC")["first_day"] == "2025-01-02"


def test_export_and_import_again(cli: Cli, tmp_path: Path) -> None:
    cli("import", LOOP, "--yes")
    file = tmp_path / "내 기록.json"
    code, out = cli("export", str(file))
    assert (code, out.strip()) == (0, f"내보냈어요: {file}")
    assert len(json.loads(file.read_text(encoding="utf-8"))["habits"]) == 4
    assert cli.json("export", str(file)) == {"status": "ok", "file": str(file), "entries": 14}
    assert cli.json("import", str(file), "--yes")["import_id"] is None
    table = tmp_path / "a.csv"
    assert cli("export", str(table))[0] == 0
    assert table.read_bytes().startswith(b"\xef\xbb\xbf")
    assert cli("export", str(table), "--no-bom")[0] == 0
    assert table.read_bytes().startswith("습관".encode())


def test_export_refuses_other_names_and_places(cli: Cli, tmp_path: Path) -> None:
    assert cli.json("export", str(tmp_path / "a.xlsx"))["code"] == "bad_choice"
    assert cli("export", str(tmp_path / "none" / "a.json"))[0] == 3
    assert not (tmp_path / "a.xlsx").exists()


def test_imported_habits_in_english(cli: Cli) -> None:
    cli("import", LOOP, "--yes")
    assert "운동" in cli("habits", "--lang", "en")[1]
