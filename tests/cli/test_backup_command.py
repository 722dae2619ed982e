"""`lifehelper backup`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.base.settings import BACKUP_COPY_FOLDER
from lifehelper_desktop.storage.store import open_store

WALK = ("add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")


@pytest.fixture
def saved(cli: Any) -> Any:
    """A command line with a habit in one backup, and an entry since."""
    cli(*WALK)
    assert cli.json("backup", "make")["backup"]["reason"] == "manual"
    cli("log", "1")
    return cli


def test_nothing_to_list_yet(cli: Any) -> None:
    assert cli("backup", "list")[0] == 0
    assert cli.json("backup", "list") == []
    assert cli("backup", "restore", "newest")[0] == 3
    assert "백업" in cli.err


def test_list_and_make(saved: Any) -> None:
    rows = saved.json("backup", "list")
    # The daily one was made when the data was opened again with a habit in it.
    assert sorted(row["reason"] for row in rows) == ["daily", "manual"]
    assert all(Path(row["path"]).stat().st_size == row["bytes"] for row in rows)
    out = saved("backup", "list")[1]
    assert "하루 한 번" in out
    assert "직접 만듦" in out
    assert "lifehelper-" in saved("backup", "make")[1]


def test_restore_shows_first_and_then_does(saved: Any) -> None:
    wanted = next(row["id"] for row in saved.json("backup", "list") if row["reason"] == "manual")
    code, out = saved("backup", "restore", wanted)
    assert code == 1
    assert "백업: 습관 1개, 기록 0개" in out
    assert "지금: 습관 1개, 기록 1개 (2026-08-12 ~ 2026-08-12)" in out
    assert "기록 0개가 돌아오고, 1개가 빠지고" in out
    preview = saved.json("backup", "restore", wanted)
    assert (preview["code"], preview["preview"]["entries_gone"]) == ("not_confirmed", 1)
    assert saved.json("habits")["data"]["items"][0]["today"] == "done"

    done = saved.json("backup", "restore", wanted, "--yes")
    assert done["status"] == "ok"
    assert saved.json("habits")["data"]["items"][0]["today"] is None
    assert saved("backup", "restore", done["kept"], "--yes")[0] == 0
    assert saved.json("habits")["data"]["items"][0]["today"] == "done"


def test_a_damaged_database_is_replaced_by_a_backup(saved: Any) -> None:
    broken = b"not a database at all " * 100
    saved.paths.database.write_bytes(broken)
    for suffix in ("-wal", "-shm"):
        Path(f"{saved.paths.database}{suffix}").unlink(missing_ok=True)
    assert saved("habits")[0] == 3
    assert "lifehelper backup restore newest" in saved.err
    assert len(saved.json("backup", "list")) == 2
    code, out = saved("backup", "restore", "newest")
    assert code == 1
    assert "지금: 기록 파일을 읽을 수 없어요." in out
    done = saved.json("backup", "restore", "newest", "--yes")
    assert Path(done["kept"]).read_bytes() == broken
    assert len(saved.json("habits")["data"]["items"]) == 1


def test_a_damaged_backup_is_refused(saved: Any) -> None:
    for row in saved.json("backup", "list"):
        Path(row["path"]).write_bytes(b"x" * 5000)
    assert saved("backup", "restore", "newest", "--yes")[0] == 3
    assert saved.json("habits")["data"]["items"][0]["today"] == "done"


def lose(cli: Any) -> None:
    for path in cli.paths.data.glob("lifehelper.db*"):
        path.unlink()


def test_a_missing_file_is_told_with_both_ways(saved: Any) -> None:
    lose(saved)
    assert saved("habits")[0] == 3
    assert "기록 파일이 제자리에 없어요" in saved.err
    assert "lifehelper backup restore newest" in saved.err
    assert "lifehelper backup start-empty" in saved.err
    assert not saved.paths.database.exists()
    code, out = saved("backup", "restore", "newest", "--yes")
    assert code == 0
    assert out.strip() == "되살렸어요."
    assert len(saved.json("habits")["data"]["items"]) == 1


def test_it_starts_empty_only_when_told_to(saved: Any) -> None:
    assert saved.json("backup", "start-empty", "--yes")["code"] == "not_needed"
    lose(saved)
    assert saved("backup", "start-empty")[0] == 1
    assert not saved.paths.database.exists()
    assert saved.json("backup", "start-empty", "--yes") == {"status": "ok", "kept": None}
    assert saved.json("habits")["data"]["items"] == []
    assert len(saved.json("backup", "list")) == 2


def test_a_damaged_file_is_kept_when_it_starts_empty(cli: Any) -> None:
    cli.paths.data.mkdir(parents=True)
    cli.paths.database.write_bytes(b"broken " * 1000)
    code, out = cli("backup", "start-empty", "--yes")
    assert code == 0
    assert "손상된 파일은 여기에 남아 있어요" in out
    assert cli.json("habits")["data"]["items"] == []


def test_a_backup_copy_that_failed_is_told(saved: Any, tmp_path: Path) -> None:
    store = open_store(saved.paths)
    store.settings.set(BACKUP_COPY_FOLDER, str(tmp_path / "USB"))
    store.close()
    for row in saved.json("backup", "list"):
        if row["reason"] == "daily":
            Path(row["path"]).unlink()
    assert saved("habits")[0] == 0
    assert "백업을 복사해 둘 폴더가 지금 보이지 않아요" in saved.err
