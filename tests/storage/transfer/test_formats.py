"""The trackers that write tables and databases, and what holds for the files of all of them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lifehelper_desktop.domain.habits import DAILY, HabitStatus
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer import report
from lifehelper_desktop.storage.transfer.building import as_int
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedReminder
from lifehelper_desktop.storage.transfer.reading import readers
from tests.helpers.schedules import every, per_week, weekdays
from tests.storage.transfer.support import (
    HANDMADE,
    bad,
    days,
    remarks,
    write_json,
    write_sqlite,
    write_text,
)

HABITBULL = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"


def test_every_format_has_a_reader_and_a_name() -> None:
    assert list(readers()) == list(FileFormat)
    assert all(each.app and each.source for each in FileFormat)


# HabitBull


def test_habitbull_values_and_dates(store: Store, tmp_path: Path) -> None:
    text = (
        HABITBULL + "운동,매일,Fitness,2016-03-18,1,좋았음\n운동,매일,Fitness,3/19/2016,0,\n"
        "운동,매일,Fitness,2016-03-20,-2150000000,\n운동,매일,Fitness,2016-03-21,-2150000000,메모\n"
        '"물, 2잔",,,2016-03-18,1,\n"물, 2잔",,,2016-03-19,3.5,\n"물, 2잔",,,2016-03-20,0,\n'
    )
    preview = store.transfers.preview(write_text(tmp_path / "hb.csv", text))
    sport, water = preview.data.habits
    assert days(sport) == [
        ("2016-03-18", "done", None, "좋았음"),
        ("2016-03-19", "not_done", None, ""),
        ("2016-03-21", "not_done", None, "메모"),
    ]
    assert (sport.description, water.title) == ("매일", "물, 2잔")
    assert days(water) == [
        ("2016-03-18", "done", 1.0, ""),
        ("2016-03-19", "done", 3.5, ""),
        ("2016-03-20", "not_done", 0.0, ""),
    ]


def test_habitbull_bad_rows(store: Store, tmp_path: Path) -> None:
    text = HABITBULL + "a,,,2016-13-01,1,\na,,,13/32/2016,1,\na,,,2016-03-01,viel,\na,,,2016-03-02,-5,\na,b\n"
    preview = store.transfers.preview(write_text(tmp_path / "hb.csv", text))
    assert bad(preview) == [
        ("hb.csv:2", "bad_day"),
        ("hb.csv:3", "bad_day"),
        ("hb.csv:4", "bad_value"),
        ("hb.csv:5", "bad_value"),
        ("hb.csv:6", "bad_shape"),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_habitbull_in_every_encoding_that_spreadsheets_write(store: Store, tmp_path: Path, encoding: str) -> None:
    path = write_text(tmp_path / "hb.csv", HABITBULL + "운동,,,2016-03-18,1,좋았음\r\n", encoding)
    preview = store.transfers.preview(path)
    assert (preview.data.habits[0].title, preview.data.habits[0].entries[0].note) == ("운동", "좋았음")


# Tickmate and Rewire


def test_tickmate_counts_ticks_of_one_day(store: Store, tmp_path: Path) -> None:
    script = (
        "CREATE TABLE tracks(_id INTEGER PRIMARY KEY, name TEXT, description TEXT, icon TEXT, enabled INTEGER, "
        'multiple_entries_per_day INTEGER, "order" INTEGER);'
        "CREATE TABLE ticks(_id INTEGER PRIMARY KEY, _track_id INTEGER, year INTEGER, month INTEGER, day INTEGER);"
        "INSERT INTO tracks VALUES (1, '물', '', 'x', 1, 1, 20), (2, '운동', '걷기', 'x', 0, 0, 10);"
        "INSERT INTO ticks (_track_id, year, month, day) VALUES (1, 2016, 1, 29), (1, 2016, 1, 29), (2, 2016, 0, 1), "
        "(2, 2016, 0, 1), (2, 2015, 1, 29), (2, 2016, 12, 1), (9, 2016, 0, 1), (2, NULL, 0, 1);"
    )
    preview = store.transfers.preview(write_sqlite(tmp_path / "tick.db", script))
    sport, water = preview.data.habits
    assert (sport.title, sport.status, sport.description) == ("운동", HabitStatus.ARCHIVED, "걷기")
    assert days(water) == [("2016-02-29", "done", 2.0, "")]
    assert days(sport) == [("2016-01-01", "done", None, "")]
    assert [row.reason for row in preview.report.rows] == ["bad_day", "bad_day", "orphan", "bad_day"]


def test_rewire(store: Store, tmp_path: Path) -> None:
    script = (
        "CREATE TABLE HABITS(_id INTEGER PRIMARY KEY, name TEXT, description TEXT, schedule INTEGER, active_days TEXT, "
        "repeating_count INTEGER, days INTEGER, period INTEGER);"
        "CREATE TABLE CHECKINS(_id INTEGER PRIMARY KEY, habit_id INTEGER, date TEXT, type INTEGER, note TEXT);"
        "CREATE TABLE REMINDERS(_id INTEGER PRIMARY KEY, habit_id INTEGER, time INTEGER, active_days TEXT);"
        "CREATE TABLE UNIT(_id INTEGER PRIMARY KEY);"
        "INSERT INTO HABITS VALUES (1, '운동', '걷기', 0, '1,3,5', 0, 0, 0), (2, '독서', NULL, 1, '', 0, 3, 0), "
        "(3, '청소', '', 2, '', 3, 0, 0), (4, '이상', '', 8, '', 0, 0, 0), (5, '주말', '', 0, '0,6', 0, 0, 0);"
        "INSERT INTO CHECKINS (habit_id, date, type, note) VALUES (1, '20160318', 2, '좋음'), (1, 20160319, 2, NULL), "
        "(1, '20160320', 1, ''), (1, '20160321', 3, '메모'), (1, '20160232', 2, ''), (9, '20160318', 2, '');"
        "INSERT INTO REMINDERS (habit_id, time, active_days) VALUES (1, 450, '1,2'), (2, 0, '1'), (9, 450, '1');"
    )
    preview = store.transfers.preview(write_sqlite(tmp_path / "rewire.db", script))
    habits = preview.data.habits
    assert [habit.schedule for habit in habits] == [weekdays(1, 3, 5), per_week(3), every(3), DAILY, weekdays(6, 7)]
    assert days(habits[0]) == [
        ("2016-03-18", "done", None, "좋음"),
        ("2016-03-19", "done", None, ""),
        ("2016-03-21", "not_done", None, "메모"),
    ]
    assert habits[0].reminders == (ImportedReminder(450, frozenset({1, 2})),)
    assert remarks(preview) == [
        *("schedule_unknown", "reminder_left_out", "mark_unknown", "note_only", "orphan"),
    ]
    assert bad(preview) == [("CHECKINS #5", "bad_day")]


# All of them


def test_long_texts_are_cut_and_told(store: Store, tmp_path: Path) -> None:
    records = [{"day": "2026-08-01", "done": True, "text": "긴 메모 " * 100}]
    value = {"user_email": "a", "habits": [{"name": "이름" * 200, "records": records}]}
    preview = store.transfers.preview(write_json(tmp_path / "b.json", value))
    [habit] = preview.data.habits
    assert (len(habit.title), len(habit.entries[0].note)) == (200, 200)
    assert habit.title.endswith("…")
    assert remarks(preview) == ["title_cut", "note_cut"]
    assert store.transfers.run(preview).entries == 1


def test_invisible_and_turning_characters_are_cleaned(store: Store, tmp_path: Path) -> None:
    records = [{"day": "2026-08-01", "done": True, "text": "\x00안\u202e녕\x1b[31m"}]
    value = {"user_email": "a", "habits": [{"name": "운동\u202etxt.exe\ud800", "records": records}]}
    preview = store.transfers.preview(write_json_escaped(tmp_path / "b.json", value))
    assert preview.data.habits[0].title == "운동txt.exe\ufffd"
    assert preview.data.habits[0].entries[0].note == "안녕[31m"
    assert store.transfers.run(preview).habits == 1


def write_json_escaped(path: Path, value: object) -> Path:
    import json

    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", '{"hello": 1}'),
        ("a.json", "[1, 2]"),
        ("a.json", '{"habits": 5}'),
        ("a.csv", "name,age\nx,1\n"),
        ("a.csv", ""),
        ("a.txt", "안녕"),
        ("Checkmarks.csv", "Date,Value,Notes\n2026-08-01,YES_MANUAL,\n"),
    ],
)
def test_files_of_nobody_are_refused_with_the_names_of_those_that_can_be_read(
    store: Store, tmp_path: Path, name: str, text: str
) -> None:
    with pytest.raises(TransferError) as caught:
        store.transfers.preview(write_text(tmp_path / name, text))
    assert caught.value.code == "unknown_format"
    assert "Loop Habit Tracker" in caught.value.next_step


def test_a_format_can_be_named_but_must_fit(store: Store) -> None:
    path = HANDMADE / "loop_v25_korean.db"
    assert store.transfers.preview(path, file_format="loop-db").data.format is FileFormat.LOOP_DB
    for name in ("mhabit", "nonsense"):
        with pytest.raises(TransferError) as caught:
            store.transfers.preview(path, file_format=name)
        assert caught.value.code == "unknown_format"


def test_our_own_database_is_sent_to_the_backups(store: Store, tmp_path: Path) -> None:
    backup = store.db.backup("manual")
    with pytest.raises(TransferError) as caught:
        store.transfers.preview(backup)
    assert caught.value.code == "unknown_format"
    assert "백업" in caught.value.message


def test_every_remark_has_words_and_every_word_is_used() -> None:
    folder = Path(report.__file__).parent
    used = {"note_cut", "text_cut"}  # passed on by `ReadContext.cut`
    for path in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func.attr if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else ""
            if called in ("note", "bad") and isinstance(node, ast.Call) and len(node.args) == 2:
                [_where, reason] = node.args
                if isinstance(reason, ast.Constant):
                    used.add(reason.value)
    assert used == set(report._REASONS)


@pytest.mark.parametrize(
    ("written", "day", "told"),
    [
        (("25/03/2016", "03/04/2016"), "2016-04-03", ["day_first"]),
        (("03/25/2016", "03/04/2016"), "2016-03-04", []),
        (("01/02/2016", "03/04/2016"), "2016-03-04", ["month_first"]),
        (("1.2.2016", "3.4.2016"), "2016-04-03", ["day_first"]),
        (("2016. 2. 1.", "2016. 4. 3."), "2016-04-03", []),
        (("2016/02/01", "2016/04/03 00:00"), "2016-04-03", []),
    ],
)
def test_habitbull_dates_in_the_order_of_the_file(
    store: Store, tmp_path: Path, written: tuple[str, str], day: str, told: list[str]
) -> None:
    text = HABITBULL + "".join(f"a,,,{each},1,\n" for each in written)
    preview = store.transfers.preview(write_text(tmp_path / "hb.csv", text))
    assert bad(preview) == []
    assert day in [each[0] for each in days(preview.data.habits[0])]
    assert remarks(preview) == told


def test_rows_in_a_log_beside_any_database_are_told(store: Store, tmp_path: Path) -> None:
    script = "CREATE TABLE tracks (_id INTEGER, name TEXT); CREATE TABLE ticks (_id INTEGER, _track_id INTEGER);"
    path = write_sqlite(tmp_path / "tickmate.db", script)
    (tmp_path / "tickmate.db-wal").write_bytes(b"x")
    assert remarks(store.transfers.preview(path)) == ["newest_rows_elsewhere"]


def test_blanks_that_python_trims_only_sometimes_are_no_crash() -> None:
    assert (as_int("\x1e1"), as_int(" 1 "), as_int("1 1")) == (1, 1, None)
