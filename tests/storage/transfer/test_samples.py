"""T10: the sample files, with the counts that are written beside them; every one of them twice, and taken back."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, HabitType, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedReminder
from lifehelper_desktop.storage.transfer.plan import Fate
from tests.storage.transfer.support import (
    HANDMADE,
    MADE,
    all_habits,
    bring,
    count,
    days_of,
    habit_named,
    outside_sample,
    remarks,
    rows,
)

#: File → format, habits, entries. Those of other projects are read from outside the repository.
MADE_BY_HAND = {
    "loop_v25_korean.db": (FileFormat.LOOP_DB, 4, 14),
    "loop_csv_korean.zip": (FileFormat.LOOP_CSV, 4, 14),
    "mhabit_export.json": (FileFormat.MHABIT, 2, 3),
    "habittrove_habits.json": (FileFormat.HABITTROVE, 2, 3),
    "beaverhabits_export.json": (FileFormat.BEAVERHABITS, 2, 4),
    "beaverhabits_old_loop.csv": (FileFormat.LOOP_TABLE, 2, 2),
}
OF_OTHERS = {
    "loop/loop.db": (FileFormat.LOOP_DB, 9, 164),
    "loop/csv_export": (FileFormat.LOOP_CSV, 2, 9),
    "other/habitbull.csv": (FileFormat.HABITBULL, 4, 14),
    "other/tickmate.db": (FileFormat.TICKMATE, 3, 68),  # 82 ticks on 68 days
    "other/openhabittracker.json": (FileFormat.OPENHABITTRACKER, 3, 5),
}


def check_sample(store: Store, path: Path, expected: tuple[FileFormat, int, int]) -> None:
    before = rows(store)
    preview = store.transfers.preview(path)
    assert rows(store) == before
    assert (preview.data.format, len(preview.data.habits), preview.entries) == expected
    assert preview.bad_rows == 0
    assert (preview.plan.new_habits, preview.plan.new_entries) == expected[1:]
    result = store.transfers.run(preview)
    assert (result.habits, result.entries) == expected[1:]
    assert (count(store, "habit"), count(store, "entry")) == expected[1:]
    after = rows(store)
    again = bring(store, path)
    assert (again.import_id, again.habits, again.entries, again.backup) == (None, 0, 0, None)
    assert again.plan.new_entries == 0
    assert rows(store) == after
    assert len(store.habits.list(HabitStatus.ACTIVE)) <= 4
    assert len(store.overviews()) == len(store.habits.list())
    assert result.import_id is not None
    taken = store.transfers.undo_import(result.import_id)
    assert (taken.habits, taken.entries, taken.kept_habits) == (*expected[1:], ())
    assert {name: found for name, found in rows(store).items() if name != "import_run"} == {
        name: found for name, found in before.items() if name != "import_run"
    }


@pytest.mark.parametrize("name", MADE_BY_HAND)
def test_handmade_samples(store: Store, name: str) -> None:
    check_sample(store, HANDMADE / name, MADE_BY_HAND[name])


@pytest.mark.parametrize("name", OF_OTHERS)
def test_samples_of_other_projects(store: Store, name: str) -> None:
    check_sample(store, outside_sample(name), OF_OTHERS[name])


def test_the_loop_backup_comes_in_whole(store: Store) -> None:
    expected = MADE["loop_v25_korean.db"]
    result = bring(store, HANDMADE / "loop_v25_korean.db")
    habits = all_habits(store)
    assert [habit.title_ko for habit in habits] == ["운동", "물 마시기 (2L)", "Read, 30 min 📚", "커피 줄이기"]
    assert [habit.status for habit in habits].count(HabitStatus.ACTIVE) == expected["active"]
    assert [habit.status for habit in habits].count(HabitStatus.ARCHIVED) == expected["archived"]
    entries = [entry for habit in habits for entry in store.entries.for_habit(habit.id).values()]
    assert len(entries) == expected["entries"]
    assert sum(entry.value is EntryValue.BLANK for entry in entries) == expected["skip"]
    assert sum(bool(entry.note) for entry in entries) == expected["notes_nonempty"]
    plain = [entry for entry in entries if entry.amount is None and entry.value is EntryValue.DONE]
    assert len(plain) == expected["done_manual"]
    assert [min(entry.date for entry in entries).isoformat(), max(entry.date for entry in entries).isoformat()] == (
        expected["dates_min_max"]
    )
    sport = days_of(store, "운동")
    assert len(sport) == 6
    assert sport[date(2024, 2, 29)].note == "윤일에도 함"
    assert sport[date(2024, 3, 3)].value is EntryValue.NOT_DONE
    assert (sport[date(2024, 3, 4)].value, sport[date(2024, 3, 4)].note) == (EntryValue.NOT_DONE, "메모만 있음")
    water = days_of(store, "물 마시기 (2L)")
    assert (water[date(2024, 3, 2)].amount, water[date(2024, 3, 2)].value) == (1.5, EntryValue.NOT_DONE)
    assert (water[date(2024, 3, 4)].amount, water[date(2024, 3, 4)].value) == (0.0, EntryValue.NOT_DONE)
    assert (water[date(2024, 3, 1)].amount, water[date(2024, 3, 1)].value) == (2.0, EntryValue.DONE)
    assert days_of(store, "Read, 30 min 📚")[date(2024, 3, 1)].note == 'line1\nline2, with "quote"'
    read = habit_named(store, "Read, 30 min 📚")
    assert read.schedule == Schedule(ScheduleKind.PER_WEEK, times=3)
    assert (read.source, read.protocol_id, read.break_protocol_id) == ("loop", None, None)
    assert habit_named(store, "물 마시기 (2L)").unit == "L"
    coffee = habit_named(store, "커피 줄이기")
    assert (coffee.habit_type, coffee.archived_on) == (HabitType.BREAK, date(2024, 1, 15))
    assert result.plan.habits[0].habit.reminders == (ImportedReminder(450, frozenset({1, 2, 3, 4, 5})),)
    assert result.plan.habits[2].habit.reminders == (ImportedReminder(1260),)
    assert habits[0].anchor_when == "07:30"
    assert habits[0].description == "오늘 운동했나요?"


def test_the_loop_zip_says_the_same_as_the_backup(store: Store) -> None:
    preview = store.transfers.preview(HANDMADE / "loop_csv_korean.zip")
    assert (
        sum(row.values["n"] for row in preview.report.rows if row.reason == "derived")
        == (MADE["loop_csv_korean.zip"]["rows_to_drop"]["YES_AUTO"])
    )
    bring(store, HANDMADE / "loop_csv_korean.zip")
    stored = {habit.title_ko: store.entries.for_habit(habit.id) for habit in all_habits(store)}
    # The backup, which knows the habits better, finds those of the zip by their names.
    after = bring(store, HANDMADE / "loop_v25_korean.db")
    assert [each.fate for each in after.plan.habits] == [Fate.KNOWN] * 4
    assert (after.habits, after.entries) == (0, 0)
    assert {habit.title_ko: store.entries.for_habit(habit.id) for habit in all_habits(store)} == stored


def test_the_backup_and_then_the_zip_add_nothing(store: Store) -> None:
    bring(store, HANDMADE / "loop_v25_korean.db")
    again = bring(store, HANDMADE / "loop_csv_korean.zip")
    assert (again.import_id, count(store, "habit"), count(store, "entry")) == (None, 4, 14)


def test_table_habit(store: Store) -> None:
    result = bring(store, HANDMADE / "mhabit_export.json")
    habits = all_habits(store)
    assert len(habits) == MADE["mhabit_export.json"]["habits"]
    assert [habit.status for habit in habits].count(HabitStatus.ARCHIVED) == MADE["mhabit_export.json"]["archived"]
    stretch = days_of(store, "스트레칭 🧘")
    assert [entry.value for entry in stretch.values()] == [EntryValue.DONE, EntryValue.BLANK, EntryValue.NOT_DONE]
    assert stretch[date(2024, 3, 2)].note == "감기"
    assert habits[0].start == date(2024, 3, 1)
    assert habits[0].schedule == Schedule(ScheduleKind.PER_WEEK, times=3)
    assert habits[0].description == "했나요?\n**굵게** 메모"
    assert habits[1].habit_type is HabitType.BREAK
    assert result.plan.habits[0].habit.reminders == (ImportedReminder(425, frozenset({1, 3, 5})),)


def test_habittrove_counts_days_in_the_zone_of_its_settings(store: Store) -> None:
    preview = store.transfers.preview(HANDMADE / "habittrove_habits.json")
    assert remarks(preview).count("task") == MADE["habittrove_habits.json"]["task"]
    bring(store, HANDMADE / "habittrove_habits.json")
    water = days_of(store, "물 마시기")
    assert {day.isoformat(): entry.amount for day, entry in water.items()} == (
        MADE["habittrove_habits.json"]["물 마시기 local dates"]
    )
    assert [entry.value for entry in water.values()] == [EntryValue.NOT_DONE, EntryValue.DONE]


def test_beaver_habits(store: Store) -> None:
    expected = MADE["beaverhabits_export.json"]
    bring(store, HANDMADE / "beaverhabits_export.json")
    entries = [entry for habit in all_habits(store) for entry in store.entries.for_habit(habit.id).values()]
    assert sum(entry.value is EntryValue.DONE for entry in entries) == expected["done_days"]
    assert sum(entry.value is EntryValue.NOT_DONE for entry in entries) == expected["explicit_not_done"]
    assert sum(bool(entry.note) for entry in entries) == expected["texts"]
    assert len(days_of(store, "No period habit")) == expected["duplicate_day_collapses_to"]
    assert habit_named(store, "산책 🚶").schedule == Schedule(ScheduleKind.PER_WEEK, times=3)


def test_the_old_table(store: Store) -> None:
    bring(store, HANDMADE / "beaverhabits_old_loop.csv")
    assert {day: entry.value for day, entry in days_of(store, "a").items()} == {date(2024, 1, 21): EntryValue.DONE}
    assert {day: entry.value for day, entry in days_of(store, "b").items()} == {date(2024, 1, 22): EntryValue.NOT_DONE}


def test_loop_of_2016_keeps_habits_of_one_name_apart(store: Store) -> None:
    bring(store, outside_sample("loop/loop.db"))
    titles = [habit.title_ko for habit in all_habits(store)]
    assert {name: titles.count(name) for name in ("Vegan", "Sport", "I love you")} == dict.fromkeys(
        ("Vegan", "Sport", "I love you"), 2
    )
    wake = days_of(store, "Wake up early")
    march = {day: entry for day, entry in wake.items() if day.year == 2016}
    assert march[date(2016, 3, 14)].value is EntryValue.DONE
    assert date(2016, 3, 16) in march
    assert date(2016, 3, 17) not in march
