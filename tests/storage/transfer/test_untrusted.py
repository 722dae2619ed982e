"""Files from anywhere: nothing in them is run, followed or believed, and a damaged one changes nothing."""

from __future__ import annotations

import json
import os
import random
import sqlite3
import sys
import zipfile
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer import building, source_file
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.report import KEEP_ROWS, Severity
from tests.storage.transfer.support import (
    HANDMADE,
    bad,
    rows,
    write_json,
    write_loop,
    write_sqlite,
    write_text,
    write_zip,
)

HABITS_CSV = "Position,Name,FrequencyNumerator,FrequencyDenominator\n001,운동,1,1\n"


def refuse(store: Store, path: Path, code: str = "unreadable") -> None:
    """Expect that the file is refused as a whole and that nothing has changed."""
    before = rows(store)
    listed = sorted(path.parent.iterdir())
    with pytest.raises(TransferError) as caught:
        store.transfers.preview(path)
    assert caught.value.code == code
    assert caught.value.message
    assert caught.value.next_step
    assert rows(store) == before
    assert sorted(path.parent.iterdir()) == listed


# Sizes


def test_a_file_beyond_the_limit_is_not_even_opened(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_file, "MAX_BYTES", 1000)
    refuse(store, write_text(tmp_path / "large.json", " " * 1001), "too_large")


def test_a_zip_that_unpacks_to_too_much_is_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_file, "MAX_BYTES", 100_000)
    members = {"Habits.csv": HABITS_CSV, "001/Checkmarks.csv": "0" * 1_000_000}
    path = write_zip(tmp_path / "bomb.zip", members)
    assert path.stat().st_size < 100_000
    refuse(store, path, "too_large")


def test_the_size_that_a_zip_claims_is_not_believed(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_zip(tmp_path / "lie.zip", {"Habits.csv": HABITS_CSV, "001/Checkmarks.csv": "0" * 1_000_000})
    content = bytearray(path.read_bytes())
    real = (1_000_000).to_bytes(4, "little")
    assert content.count(real) == 2
    path.write_bytes(bytes(content).replace(real, (10).to_bytes(4, "little")))
    monkeypatch.setattr(source_file, "MAX_BYTES", 100_000)
    with pytest.raises(TransferError) as caught:
        store.transfers.preview(path)
    assert caught.value.code in ("too_large", "unreadable")


def test_too_many_members_habits_and_days_are_refused(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_file, "MAX_MEMBERS", 5)
    refuse(store, write_zip(tmp_path / "many.zip", {f"{number}.csv": "" for number in range(6)}), "too_large")
    monkeypatch.setattr(building, "MAX_HABITS", 2)
    habits = [{"name": str(number), "records": [{"day": "2026-08-01", "done": True}]} for number in range(3)]
    path = write_json(tmp_path / "habits.json", {"user_email": "a", "habits": habits})
    refuse(store, path, "too_large")
    monkeypatch.setattr(building, "MAX_HABITS", 10)
    monkeypatch.setattr(building, "MAX_ENTRIES", 2)
    refuse(store, path, "too_large")


def test_a_million_remarks_do_not_fill_the_memory(store: Store, tmp_path: Path) -> None:
    records = [{"day": "x", "done": True} for _ in range(KEEP_ROWS + 500)]
    value = {"user_email": "a", "habits": [{"name": "a", "records": records}]}
    preview = store.transfers.preview(write_json(tmp_path / "b.json", value))
    assert len(preview.report.rows) == KEEP_ROWS
    assert (preview.bad_rows, preview.report.counts[Severity.NOTE]) == (KEEP_ROWS + 500, 0)


def test_the_first_bad_row_is_named_after_a_thousand_remarks(store: Store, tmp_path: Path) -> None:
    records: list[object] = [{"day": "2026-08-01", "done": True}] * (KEEP_ROWS + 10)
    value = {"user_email": "a", "habits": [{"name": "a", "records": [*records, {"day": "2026-08-02", "done": 7}]}]}
    preview = store.transfers.preview(write_json(tmp_path / "b.json", value))
    assert bad(preview) == [(f"habits[0].records[{KEEP_ROWS + 10}]", "bad_value")]


# Paths


@pytest.mark.parametrize("name", ["../001/Checkmarks.csv", "/001/Checkmarks.csv", "..\\001\\Checkmarks.csv"])
def test_member_names_are_only_names(store: Store, tmp_path: Path, name: str) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    path = write_zip(inside / "loop.zip", {"Habits.csv": HABITS_CSV, name: "2026-08-01,2\n"})
    store.transfers.preview(path)
    assert sorted(found.name for found in tmp_path.rglob("*") if found.is_file() and found.suffix == ".csv") == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no links and pipes without rights")
def test_links_in_a_folder_are_not_followed(store: Store, tmp_path: Path) -> None:
    secret = write_text(tmp_path / "secret.csv", "2026-08-01,2\n")
    folder = tmp_path / "loop"
    (folder / "001").mkdir(parents=True)
    write_text(folder / "Habits.csv", HABITS_CSV)
    (folder / "001" / "Checkmarks.csv").symlink_to(secret)
    (folder / "002").symlink_to(tmp_path)
    preview = store.transfers.preview(folder)
    assert [row.reason for row in preview.report.rows] == ["no_rows"]
    assert preview.entries == 0


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no links and pipes without rights")
def test_a_pipe_is_refused_instead_of_waiting_for_ever(store: Store, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    refuse(store, pipe)


def test_a_missing_file_and_an_empty_folder(store: Store, tmp_path: Path) -> None:
    refuse(store, tmp_path / "none.json")
    folder = tmp_path / "empty"
    folder.mkdir()
    refuse(store, folder, "unknown_format")


def test_a_locked_zip_is_refused(store: Store, tmp_path: Path) -> None:
    path = write_zip(tmp_path / "locked.zip", {"Habits.csv": HABITS_CSV})
    content = bytearray(path.read_bytes())
    for magic, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(magic) + flags] |= 1
    path.write_bytes(content)
    refuse(store, path)


def test_a_member_that_does_not_match_its_checksum_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "flipped.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("Habits.csv", HABITS_CSV)
    path.write_bytes(path.read_bytes().replace(b"001,", b"002,"))
    refuse(store, path)


# JSON


@pytest.mark.parametrize(
    "text",
    [
        '{"habits": [',
        '{"habits": []} trailing',
        '{"user_email": "a", "habits": [NaN]}',
        "[" * 100_000,
        '{"user_email": ' + "9" * 10_000 + ', "habits": []}',
    ],
    ids=["cut", "trailing", "nan", "deep", "digits"],
)
def test_damaged_json_is_refused(store: Store, tmp_path: Path, text: str) -> None:
    refuse(store, write_text(tmp_path / "x.json", text))


def test_values_of_the_wrong_kind_are_remarks_and_never_a_crash(store: Store, tmp_path: Path) -> None:
    """Every value of every sample is replaced by others; whatever comes of it, it is told in words or taken."""
    odd: list[object] = [None, True, -1, 2**80, 1.5e300, "", "\u202e" * 9, [], {}, [[]], "2026-08-01"]
    dice = random.Random(5)
    names = ["mhabit_export.json", "beaverhabits_export.json", "habittrove_habits.json"]
    for number in range(60):
        value = json.loads((HANDMADE / names[number % 3]).read_text(encoding="utf-8"))
        holder, key = dice.choice(_places(value["habits"]))
        holder[key] = dice.choice(odd)
        try:
            preview = store.transfers.preview(write_json(tmp_path / "habits.json", value))
        except TransferError:
            continue
        assert all(row.words for row in preview.report.rows)


def _places(value: object) -> list[tuple[object, object]]:
    found: list[tuple[object, object]] = []
    if isinstance(value, dict):
        found += [(value, key) for key in value]
        for each in value.values():
            found += _places(each)
    elif isinstance(value, list):
        found += [(value, key) for key in range(len(value))]
        for each in value:
            found += _places(each)
    return found  # type: ignore[return-value]


# SQLite


def test_a_cut_database_is_refused_whole(store: Store, tmp_path: Path) -> None:
    content = (HANDMADE / "loop_v25_korean.db").read_bytes()
    for length in (16, 100, 5000, len(content) - 4096):
        path = tmp_path / "cut.db"
        path.write_bytes(content[:length])
        refuse(store, path)


def test_flipped_bytes_never_crash_or_half_import(store: Store, tmp_path: Path) -> None:
    content = (HANDMADE / "loop_v25_korean.db").read_bytes()
    dice = random.Random(7)
    before = rows(store)
    for _ in range(25):
        changed = bytearray(content)
        for _ in range(20):
            changed[dice.randrange(100, len(changed))] = dice.randrange(256)
        path = tmp_path / "flipped.db"
        path.write_bytes(changed)
        with suppress(TransferError):
            store.transfers.preview(path)
    assert rows(store) == before


def test_views_and_virtual_tables_are_not_taken_for_tables(store: Store, tmp_path: Path) -> None:
    views = "CREATE VIEW Habits AS SELECT 1 AS id; CREATE VIEW Repetitions AS SELECT 1 AS id;"
    refuse(store, write_sqlite(tmp_path / "views.db", views, 25), "unknown_format")
    virtual = "CREATE VIRTUAL TABLE Habits USING fts5(name); CREATE VIRTUAL TABLE Repetitions USING fts5(habit);"
    try:
        path = write_sqlite(tmp_path / "virtual.db", virtual, 25)
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no FTS5 to make such a file with")
    refuse(store, path, "unknown_format")


def test_triggers_and_names_in_the_file_are_not_run(store: Store, tmp_path: Path) -> None:
    path = write_loop(tmp_path / "loop.db", [{"name": "'; DROP TABLE habit; --"}], [(1, "2026-08-01", 2, "")])
    with closing(sqlite3.connect(path)) as db:
        db.execute('ALTER TABLE Habits ADD COLUMN """; DROP TABLE habit; --" TEXT')
        db.execute("CREATE TRIGGER t AFTER INSERT ON Habits BEGIN DELETE FROM Habits; END")
        db.commit()
    content = path.read_bytes()
    preview = store.transfers.preview(path)
    assert store.transfers.run(preview).habits == 1
    assert store.habits.list()[0].title_ko == "'; DROP TABLE habit; --"
    assert path.read_bytes() == content
    assert [found.name for found in tmp_path.glob("loop.db*")] == ["loop.db"]


def test_text_that_is_no_utf8_is_shown_as_such(store: Store, tmp_path: Path) -> None:
    path = write_loop(tmp_path / "loop.db", [{}], [(1, "2026-08-01", 2, "")])
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE Habits SET name = CAST(x'ec9ab4ff' AS TEXT)")
        db.commit()
    assert store.transfers.preview(path).data.habits[0].title == "운\ufffd"


def test_an_empty_file_and_a_folder_named_like_a_file(store: Store, tmp_path: Path) -> None:
    refuse(store, write_text(tmp_path / "empty.db", ""), "unknown_format")
    folder = tmp_path / "x.json"
    folder.mkdir()
    refuse(store, folder, "unknown_format")


def test_binary_rubbish_is_refused(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "photo.csv"
    path.write_bytes(bytes(range(256)) * 40)
    refuse(store, path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_flipped_bytes_in_an_archive_of_any_kind(store: Store, tmp_path: Path, method: int) -> None:
    path = tmp_path / "loop.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("Habits.csv", HABITS_CSV)
        archive.writestr("001/Checkmarks.csv", "".join(f"2024-01-{day:02},2\n" for day in range(1, 32)))
    whole, generator, before = path.read_bytes(), random.Random(5), rows(store)
    for _try in range(150):
        content = bytearray(whole)
        for _flip in range(3):
            content[generator.randrange(len(content))] ^= 1 << generator.randrange(8)
        path.write_bytes(bytes(content))
        with suppress(TransferError):
            store.transfers.preview(path)
    assert rows(store) == before


def test_a_folder_that_cannot_be_looked_through_is_told(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(*_given: object) -> None:
        raise PermissionError

    monkeypatch.setattr(source_file, "_walk", locked)
    refuse(store, tmp_path)


def test_a_folder_of_too_many_files_is_refused(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_file, "MAX_MEMBERS", 3)
    for at in range(4):
        (tmp_path / "x" / str(at)).mkdir(parents=True)
        write_text(tmp_path / "x" / str(at) / "a.txt", "a")
    refuse(store, tmp_path / "x", "too_large")
