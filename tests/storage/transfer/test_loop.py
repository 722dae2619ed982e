"""Loop Habit Tracker: schemas 12 to 25, the CSV export old and new, and what the codes mean."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitStatus, HabitType, Schedule
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit, ImportedReminder
from lifehelper_desktop.storage.transfer.transfers import ImportPreview
from tests.helpers.schedules import every, per_month, per_week
from tests.storage.transfer.support import (
    HANDMADE,
    bad,
    loop_time,
    outside_sample,
    remarks,
    write_loop,
    write_sqlite,
    write_text,
    write_zip,
)

HABITS_HEADER = (
    "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,"
    "Target Value,Archived?\n"
)


def read(store: Store, path: Path) -> ImportPreview:
    return store.transfers.preview(path)


def days(habit: ImportedHabit) -> list[tuple[str, EntryValue, float | None, str]]:
    return [(entry.day.isoformat(), entry.value, entry.amount, entry.note) for entry in habit.entries]


# The backup


def test_schema_12_has_no_values_and_its_description_is_the_question(store: Store, tmp_path: Path) -> None:
    script = (
        "CREATE TABLE Habits (Id INTEGER PRIMARY KEY AUTOINCREMENT, archived INTEGER, color INTEGER, description TEXT, "
        "freq_den INTEGER, freq_num INTEGER, highlight INTEGER, name TEXT, position INTEGER, reminder_days INTEGER, "
        "reminder_hour INTEGER, reminder_min INTEGER);"
        "CREATE TABLE Repetitions (Id INTEGER PRIMARY KEY AUTOINCREMENT, habit INTEGER, timestamp INTEGER);"
        "CREATE TABLE Checkmarks (Id INTEGER PRIMARY KEY, habit INTEGER, timestamp INTEGER, value INTEGER);"
        "INSERT INTO Habits VALUES (15, 0, -16742021, '일찍 일어났나요?', 7, 3, 0, '기상', 0, 127, NULL, NULL);"
        f"INSERT INTO Repetitions (habit, timestamp) VALUES (15, {loop_time('2016-01-01')});"
        f"INSERT INTO Repetitions (habit, timestamp) VALUES (15, {loop_time('2016-01-01')});"
        f"INSERT INTO Repetitions (habit, timestamp) VALUES (99, {loop_time('2016-01-02')});"
        f"INSERT INTO Repetitions (habit, timestamp) VALUES (NULL, {loop_time('2016-01-03')});"
        f"INSERT INTO Checkmarks VALUES (1, 15, {loop_time('2016-01-05')}, 2);"
    )
    preview = read(store, write_sqlite(tmp_path / "old.db", script, 12))
    [habit] = preview.data.habits
    assert (habit.description, habit.schedule, habit.keys[0]) == ("일찍 일어났나요?", per_week(3), "id:15:기상")
    assert days(habit) == [("2016-01-01", EntryValue.DONE, None, "")]
    assert remarks(preview) == ["orphan", "duplicate", "orphan"]


@pytest.mark.parametrize(("version", "code"), [(11, "too_old"), (0, "too_old"), (26, "too_new"), (2_000, "too_new")])
def test_other_schemas_are_refused_by_name(store: Store, tmp_path: Path, version: int, code: str) -> None:
    path = write_loop(tmp_path / "loop.db", [{}], [(1, "2026-08-01", 2, "")], version=version)
    with pytest.raises(TransferError) as caught:
        read(store, path)
    assert caught.value.code == code
    assert str(version) in caught.value.message
    assert caught.value.next_step


@pytest.mark.parametrize("version", range(12, 26))
def test_every_schema_between_is_read(store: Store, tmp_path: Path, version: int) -> None:
    path = write_loop(tmp_path / "loop.db", [{}], [(1, "2026-08-01", 2, "")], version=version)
    assert read(store, path).entries == 1


def test_times_are_days_in_utc_wherever_one_is(store: Store, tmp_path: Path) -> None:
    preview = read(store, write_loop(tmp_path / "loop.db", [{}], [(1, 1_701_734_400_000, 2, "")]))
    assert preview.first_day == date(2023, 12, 5)


def test_yes_and_no_codes(store: Store, tmp_path: Path) -> None:
    codes = [2, 3, 0, -1, -1, 1]
    notes = ["", "감기", "", "메모만", "", ""]
    rows = [(1, f"2026-08-0{at}", code, notes[at - 1]) for at, code in enumerate(codes, 1)]
    preview = read(store, write_loop(tmp_path / "loop.db", [{}], rows))
    assert days(preview.data.habits[0]) == [
        ("2026-08-01", EntryValue.DONE, None, ""),
        ("2026-08-02", EntryValue.BLANK, None, "감기"),
        ("2026-08-03", EntryValue.NOT_DONE, None, ""),
        ("2026-08-04", EntryValue.NOT_DONE, None, "메모만"),
    ]
    assert remarks(preview) == ["note_only", "derived"]


@pytest.mark.parametrize(
    ("target_type", "target", "days_", "thousandths", "value"),
    [
        (0, 2.0, 1, 2000, EntryValue.DONE),
        (0, 2.0, 1, 1999, EntryValue.NOT_DONE),
        (0, 2.0, 1, 0, EntryValue.NOT_DONE),
        (0, 0.0, 1, 1, EntryValue.DONE),
        (0, 20.0, 7, 3000, EntryValue.DONE),
        (1, 2.0, 1, 2000, EntryValue.DONE),
        (1, 2.0, 1, 0, EntryValue.DONE),
        (1, 2.0, 1, 2500, EntryValue.NOT_DONE),
        (1, 10.0, 30, 3000, EntryValue.DONE),
    ],
)
def test_amounts_are_judged_by_the_target(
    store: Store, tmp_path: Path, target_type: int, target: float, days_: int, thousandths: int, value: EntryValue
) -> None:
    habit = {"type": 1, "target_type": target_type, "target_value": target, "unit": "km", "freq_den": days_}
    preview = read(store, write_loop(tmp_path / "loop.db", [habit], [(1, "2026-08-01", thousandths, "")]))
    [found] = preview.data.habits
    assert days(found) == [("2026-08-01", value, thousandths / 1000, "")]
    assert found.habit_type is (HabitType.BREAK if target_type else HabitType.BUILD)
    assert found.unit == "km"


def test_a_skipped_amount_is_a_rest_and_never_three_thousandths(store: Store, tmp_path: Path) -> None:
    habit = {"type": 1, "target_value": 2.0}
    preview = read(store, write_loop(tmp_path / "loop.db", [habit], [(1, "2026-08-01", 3, "")]))
    assert days(preview.data.habits[0]) == [("2026-08-01", EntryValue.BLANK, None, "")]


@pytest.mark.parametrize(
    ("times", "per_days", "schedule", "exact"),
    [
        (1, 1, DAILY, True),
        (7, 7, DAILY, True),
        (3, 7, per_week(3), True),
        (6, 14, per_week(3), True),
        (1, 7, every(7), True),
        (1, 2, every(2), True),
        (2, 14, every(7), True),
        (2, 3, per_week(4), False),
        (1, 30, per_month(1), True),
        (4, 31, per_month(4), True),
        (1, 400, every(365), False),
        (2, 25, every(13), False),
        (30, 31, per_month(30), True),
        (31, 30, DAILY, True),
    ],
)
def test_frequencies_come_in_as_near_as_can_be(
    store: Store, tmp_path: Path, times: int, per_days: int, schedule: Schedule, *, exact: bool
) -> None:
    path = write_loop(tmp_path / "loop.db", [{"freq_num": times, "freq_den": per_days}], [])
    preview = read(store, path)
    assert preview.data.habits[0].schedule == schedule
    assert remarks(preview) == ([] if exact else ["schedule_near"])


@pytest.mark.parametrize(
    ("mask", "weekdays"),
    [(127, {1, 2, 3, 4, 5, 6, 7}), (124, {1, 2, 3, 4, 5}), (1, {6}), (2, {7}), (3, {6, 7}), (4, {1})],
)
def test_reminders_begin_with_saturday(store: Store, tmp_path: Path, mask: int, weekdays: set[int]) -> None:
    habit = {"reminder_hour": 7, "reminder_min": 30, "reminder_days": mask}
    preview = read(store, write_loop(tmp_path / "loop.db", [habit], []))
    assert preview.data.habits[0].reminders == (ImportedReminder(450, frozenset(weekdays)),)


@pytest.mark.parametrize(
    "habit",
    [
        {"reminder_hour": None, "reminder_min": None, "reminder_days": 127},
        {"reminder_hour": 7, "reminder_min": None, "reminder_days": 127},
        {"reminder_hour": 7, "reminder_min": 0, "reminder_days": 0},
    ],
)
def test_without_a_reminder_there_is_none(store: Store, tmp_path: Path, habit: dict[str, object]) -> None:
    preview = read(store, write_loop(tmp_path / "loop.db", [habit], []))
    assert preview.data.habits[0].reminders == ()


def test_what_cannot_be_is_told_row_by_row(store: Store, tmp_path: Path) -> None:
    habits: list[dict[str, object]] = [
        {"type": 7},
        {"type": 1, "target_value": "viel"},
        {"freq_den": -3},
        {"name": None},
    ]
    path = write_loop(tmp_path / "loop.db", habits, [])
    with closing(sqlite3.connect(path)) as db:
        moments: list[object] = [None, "oops", loop_time("1999-12-31"), 10**17, loop_time("2026-08-01")]
        values: list[object] = [2, 2, 2, 2, "x"]
        for moment, value in zip(moments, values, strict=True):
            db.execute("INSERT INTO Repetitions (habit, timestamp, value) VALUES (4, ?, ?)", (moment, value))
        db.commit()
    preview = read(store, path)
    assert [reason for _where, reason in bad(preview)] == [
        *("bad_field", "bad_field", "bad_field"),
        *("bad_day", "day_too_early", "bad_value", "bad_day", "bad_day"),
    ]
    assert [habit.title for habit in preview.data.habits] == ["이름 없는 습관"]


def test_rows_in_a_log_beside_the_file_are_told(store: Store, tmp_path: Path) -> None:
    path = write_loop(tmp_path / "loop.db", [{}], [(1, "2026-08-01", 2, "")])
    Path(f"{path}-wal").write_bytes(b"rows that were not written back")
    assert "newest_rows_elsewhere" in remarks(read(store, path))
    assert sorted(found.name for found in tmp_path.glob("loop.db*")) == ["loop.db", "loop.db-wal"]


def test_a_loop_backup_of_2016(store: Store) -> None:
    preview = read(store, outside_sample("loop/loop.db"))
    assert preview.data.format is FileFormat.LOOP_DB
    assert len(set(preview.data.habits[3].keys) & set(preview.data.habits[6].keys)) == 0


# The CSV export


def test_names_outside_latin_keep_their_days(store: Store, tmp_path: Path) -> None:
    members = {
        "Habits.csv": HABITS_HEADER
        + '001,운동,YES_NO,,,1,1,#388E3C,,,,false\n002,"a, b",YES_NO,,,1,1,#388E3C,,,,true\n'
        + "003,운동,YES_NO,,,1,1,#1,,,,\n",
        "001/Checkmarks.csv": 'Date,Value,Notes\n2026-08-02,YES_MANUAL,"쉼표, ""따옴표""\n두 줄"\n2026-08-01,NO,\n',
        "002 a b/Checkmarks.csv": "Date,Value,Notes\n2026-08-01,SKIP,\n",
        "003/Checkmarks.csv": "Date,Value,Notes\n",
        "Checkmarks.csv": "Date,운동,a, b,운동,\n2026-08-02,YES_MANUAL,UNKNOWN,UNKNOWN,\n",
    }
    preview = read(store, write_zip(tmp_path / "loop.zip", members))
    one, two, three = preview.data.habits
    assert days(one) == [
        ("2026-08-01", EntryValue.NOT_DONE, None, ""),
        ("2026-08-02", EntryValue.DONE, None, '쉼표, "따옴표"\n두 줄'),
    ]
    assert days(two) == [("2026-08-01", EntryValue.BLANK, None, "")]
    assert (two.title, two.status) == ("a, b", HabitStatus.ARCHIVED)
    assert (days(three), three.keys) == ([], ("name:1:운동",))


@pytest.mark.parametrize("packed_again", ["", "Loop Habits CSV 2026-08-12/", "a/b/"])
def test_the_zip_may_have_been_packed_again_or_unpacked(store: Store, tmp_path: Path, packed_again: str) -> None:
    members = {
        f"{packed_again}Habits.csv": HABITS_HEADER + "001,운동,YES_NO,,,1,1,#388E3C,,,,false\n",
        f"{packed_again}001/Checkmarks.csv": "Date,Value,Notes\n2026-08-01,YES_MANUAL,\n",
        f"__MACOSX/{packed_again}001/Checkmarks.csv": "junk",
    }
    path = write_zip(tmp_path / "loop.zip", members)
    assert read(store, path).entries == 1
    folder = tmp_path / "풀어 놓은 폴더"
    for name, text in members.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    assert read(store, folder).entries == 1


def test_old_exports_without_header_types_and_notes(store: Store, tmp_path: Path) -> None:
    habits = "Name,Description,NumRepetitions,Interval,Color\n기상,일찍 일어났나요?,3,7,#00897B\n"
    old = "2016-03-03,2\n2016-03-02,1\n2016-03-01,0\n"
    preview = read(store, write_zip(tmp_path / "a.zip", {"Habits.csv": habits, "001 /Checkmarks.csv": old}))
    [habit] = preview.data.habits
    assert (habit.schedule, habit.description) == (per_week(3), "일찍 일어났나요?")
    # A 0 was written for every empty day then.
    assert days(habit) == [("2016-03-03", EntryValue.DONE, None, "")]
    newer = old.replace("2016-03-02,1", "2016-03-02,-1")
    [habit] = read(
        store, write_zip(tmp_path / "b.zip", {"Habits.csv": habits, "001 /Checkmarks.csv": newer})
    ).data.habits
    assert days(habit) == [
        ("2016-03-01", EntryValue.NOT_DONE, None, ""),
        ("2016-03-03", EntryValue.DONE, None, ""),
    ]


def test_amounts_in_csv_are_thousandths_and_words(store: Store, tmp_path: Path) -> None:
    members = {
        "Habits.csv": HABITS_HEADER + "001,물,NUMERICAL,,,1,1,#1976D2,L,AT_LEAST,2.0,false\n",
        "001/Checkmarks.csv": "Date,Value,Notes\n2026-08-05,YES_MANUAL,\n2026-08-04,NO,\n2026-08-03,SKIP,\n"
        "2026-08-02,1500,\n2026-08-01,2000,잘 마심\n",
    }
    [habit] = read(store, write_zip(tmp_path / "loop.zip", members)).data.habits
    assert days(habit) == [
        ("2026-08-01", EntryValue.DONE, 2.0, "잘 마심"),
        ("2026-08-02", EntryValue.NOT_DONE, 1.5, ""),
        ("2026-08-03", EntryValue.BLANK, None, ""),
        ("2026-08-04", EntryValue.NOT_DONE, 0.0, ""),
        ("2026-08-05", EntryValue.NOT_DONE, 0.002, ""),
    ]
    assert habit.standard_dose == "2 L"


def test_a_note_on_a_day_that_loop_filled_in_is_kept(store: Store, tmp_path: Path) -> None:
    members = {
        "Habits.csv": HABITS_HEADER + "001,운동,YES_NO,,,3,7,#388E3C,,,,false\n",
        "001/Checkmarks.csv": "Date,Value,Notes\n2026-08-02,YES_AUTO,비가 옴\n2026-08-01,YES_AUTO,\n",
    }
    preview = read(store, write_zip(tmp_path / "loop.zip", members))
    assert days(preview.data.habits[0]) == [("2026-08-02", EntryValue.NOT_DONE, None, "비가 옴")]
    assert [row.values.get("n") for row in preview.report.rows if row.reason == "derived"] == [1]


def test_habits_without_files_and_files_without_habits_are_told(store: Store, tmp_path: Path) -> None:
    members = {
        "Habits.csv": HABITS_HEADER + "001,운동,YES_NO,,,1,1,#388E3C,,,,false\n",
        "007 lost/Checkmarks.csv": "Date,Value,Notes\n2026-08-01,YES_MANUAL,\n",
    }
    preview = read(store, write_zip(tmp_path / "loop.zip", members))
    assert remarks(preview) == ["no_rows", "orphan"]


def test_bad_lines_in_csv_are_named(store: Store, tmp_path: Path) -> None:
    members = {
        "Habits.csv": HABITS_HEADER
        + "001,운동,YES_NO,,,1,1,#1,,,,false\n002,b,WEIRD,,,1,1,#1,,,,\n003,c,NUMERICAL,,,1,1,#1,L,AT_LEAST,viel,\n"
        + "004,d,YES_NO,,,0,x,#1,,,,\n",
        "001/Checkmarks.csv": "Date,Value,Notes\n2026-02-30,YES_MANUAL,\n2026-08-01,MAYBE,\nhello\n2026-08-02,9,\n",
    }
    preview = read(store, write_zip(tmp_path / "loop.zip", members))
    assert bad(preview) == [
        ("001/Checkmarks.csv:2", "bad_day"),
        ("001/Checkmarks.csv:3", "bad_value"),
        ("001/Checkmarks.csv:4", "bad_shape"),
        ("001/Checkmarks.csv:5", "bad_value"),
        ("Habits.csv 002", "bad_field"),
        ("Habits.csv 003", "bad_field"),
        ("Habits.csv 004", "bad_field"),
    ]


def test_a_truncated_zip_is_refused(store: Store, tmp_path: Path) -> None:
    content = (HANDMADE / "loop_csv_korean.zip").read_bytes()
    for length in (5, 100, len(content) // 2, len(content) - 10):
        path = tmp_path / "cut.zip"
        path.write_bytes(content[:length])
        with pytest.raises(TransferError) as caught:
            read(store, path)
        assert caught.value.code == "unreadable"
        assert "cut.zip" in caught.value.message


# One table of all habits


def test_a_table_of_words_and_amounts(store: Store, tmp_path: Path) -> None:
    table = "Date,운동,물,\n2026-08-02,YES_MANUAL,1500,\n2026-08-01,NO,UNKNOWN,\n"
    preview = read(store, write_text(tmp_path / "Checkmarks.csv", table))
    sport, water = preview.data.habits
    assert days(sport) == [("2026-08-01", EntryValue.NOT_DONE, None, ""), ("2026-08-02", EntryValue.DONE, None, "")]
    assert days(water) == [("2026-08-02", EntryValue.DONE, 1.5, "")]


def test_a_comma_in_a_name_is_noticed(store: Store, tmp_path: Path) -> None:
    table = "Date,Read, 30 min,운동,\n2026-08-01,YES_MANUAL,NO,\n"
    preview = read(store, write_text(tmp_path / "Checkmarks.csv", table))
    assert bad(preview) == [("Checkmarks.csv:2", "columns_differ")]


def test_a_table_saved_by_korean_excel(store: Store, tmp_path: Path) -> None:
    table = "Date,운동\r\n2026-08-01,2\r\n"
    preview = read(store, write_text(tmp_path / "Checkmarks.csv", table, "cp949"))
    assert preview.data.habits[0].title == "운동"
    assert preview.entries == 1
