"""The other trackers' formats: what each field means, and what is told about what cannot be taken over."""

from __future__ import annotations

import ast
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import DAILY, HabitStatus, HabitType, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.transfer import report
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit, ImportedReminder
from lifehelper_desktop.storage.transfer.reading import readers
from tests.storage.transfer.support import (
    HANDMADE,
    bad,
    remarks,
    write_json,
    write_sqlite,
    write_text,
    write_zip,
)

EPOCH = date(1970, 1, 1).toordinal()
HABITBULL = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"


def days(habit: ImportedHabit) -> list[tuple[str, str, float | None, str]]:
    return [(entry.day.isoformat(), entry.value.value, entry.amount, entry.note) for entry in habit.entries]


def per_week(times: int) -> Schedule:
    return Schedule(ScheduleKind.PER_WEEK, times=times)


def on(*weekdays: int) -> Schedule:
    return Schedule(ScheduleKind.WEEKDAYS, weekdays=frozenset(weekdays))


def epoch(day: str) -> int:
    return date.fromisoformat(day).toordinal() - EPOCH


def test_every_format_has_a_reader_and_a_name() -> None:
    assert list(readers()) == list(FileFormat)
    assert all(each.app and each.source for each in FileFormat)


# Table Habit (mhabit)


def mhabit(**given: Any) -> dict[str, Any]:
    habit = {"name": "물", "type": 1, "status": 1, "freq_type": 1, "freq_custom": "[7]", "daily_goal": 2, "records": []}
    return {"habits": [{**habit, **given}], "groups": []}


def done(day: str, value: object, kind: int = 1, **more: object) -> dict[str, object]:
    return {"record_date": epoch(day), "record_type": kind, "record_value": value, **more}


def test_mhabit_values(store: Store, tmp_path: Path) -> None:
    records = [
        done("2026-08-01", 2),
        done("2026-08-02", 1.5),
        done("2026-08-03", 0),
        done("2026-08-04", 0, 2, reason="감기"),
        done("2026-08-05", 0, 0, reason="메모만"),
        done("2026-08-06", 0, 0),
    ]
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(records=records, daily_goal_unit="잔")))
    assert days(preview.data.habits[0]) == [
        ("2026-08-01", "done", 2.0, ""),
        ("2026-08-02", "not_done", 1.5, ""),
        ("2026-08-03", "not_done", 0.0, ""),
        ("2026-08-04", "blank", None, "감기"),
        ("2026-08-05", "not_done", None, "메모만"),
    ]
    assert (preview.data.habits[0].unit, preview.data.habits[0].schedule) == ("잔", DAILY)


def test_mhabit_plain_habits_have_no_amounts(store: Store, tmp_path: Path) -> None:
    records = [done("2026-08-01", 1), done("2026-08-02", 0), done("2026-08-03", 1.5)]
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(daily_goal=1, records=records)))
    assert [entry.amount for entry in preview.data.habits[0].entries] == [None, None, 1.5]


def test_mhabit_negative_habits_are_kept_below_their_goal(store: Store, tmp_path: Path) -> None:
    records = [done("2026-08-01", 0), done("2026-08-02", 5), done("2026-08-03", 6)]
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(type=2, daily_goal=5, records=records)))
    [habit] = preview.data.habits
    assert habit.habit_type is HabitType.BREAK
    assert [entry.value.value for entry in habit.entries] == ["done", "done", "not_done"]


@pytest.mark.parametrize(
    ("kind", "custom", "schedule", "told"),
    [
        (1, "[3]", per_week(3), []),
        (1, [3], per_week(3), []),
        (2, "[4]", per_week(1), ["schedule_near"]),
        (3, "[3,14]", per_week(1), ["schedule_near"]),
        (3, "[6,14]", per_week(3), []),
        (3, "[1,1]", DAILY, []),
        (3, "[1]", DAILY, ["schedule_unknown"]),
        (9, "x", DAILY, ["schedule_unknown"]),
        (1, "[-3]", DAILY, ["schedule_unknown"]),
        (None, None, DAILY, []),
    ],
)
def test_mhabit_frequencies(
    store: Store, tmp_path: Path, kind: object, custom: object, schedule: Schedule, told: list[str]
) -> None:
    path = write_json(tmp_path / "m.json", mhabit(freq_type=kind, freq_custom=custom))
    preview = store.transfers.preview(path)
    assert preview.data.habits[0].schedule == schedule
    assert remarks(preview) == told


@pytest.mark.parametrize(
    ("reminder", "weekdays"),
    [
        ('{"type":2,"time":{"hour":7,"minute":5},"extra":[]}', {1, 2, 3, 4, 5, 6, 7}),
        ('{"type":3,"time":{"hour":7,"minute":5},"extra":[1,7]}', {1, 7}),
        ('{"type":4,"time":{"hour":7,"minute":5},"extra":[1,15]}', None),
        ('{"type":3,"time":{"hour":99,"minute":5},"extra":[1]}', None),
        ('{"type":3,"time":7,"extra":[1]}', None),
        ("not json", "none"),
    ],
)
def test_mhabit_reminders(store: Store, tmp_path: Path, reminder: str, weekdays: set[int] | str | None) -> None:
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(reminder=reminder)))
    found = preview.data.habits[0].reminders
    assert found == ((ImportedReminder(425, frozenset(weekdays)),) if isinstance(weekdays, set) else ())
    assert remarks(preview) == (["reminder_left_out"] if weekdays is None else [])


def test_mhabit_deleted_habits_are_left_out(store: Store, tmp_path: Path) -> None:
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(status=2)))
    assert (preview.data.habits, remarks(preview)) == ((), ["deleted"])


def test_mhabit_bad_rows(store: Store, tmp_path: Path) -> None:
    records = [5, done("2026-08-01", None), done("2026-08-02", 1, 7), {"record_type": 1, "record_value": 1}]
    value = mhabit(records=records)
    value["habits"].append("x")
    preview = store.transfers.preview(write_json(tmp_path / "m.json", value))
    assert [reason for _where, reason in bad(preview)] == [
        "bad_shape",
        "bad_value",
        "bad_value",
        "bad_day",
        "bad_shape",
    ]


# HabitTrove


def trove(*completions: object, **given: Any) -> dict[str, Any]:
    habit = {"id": "1", "name": "물", "frequency": "FREQ=DAILY", "coinReward": 1, "completions": list(completions)}
    return {"habits": [{**habit, **given}]}


SEOUL = {"system": {"timezone": "Asia/Seoul", "weekStartDay": 1}}


def test_habittrove_from_a_backup_zip_and_a_folder(store: Store, tmp_path: Path) -> None:
    import json

    members = {
        "data/habits.json": json.dumps(trove("2025-01-02T15:00:00.000Z")),
        "data/settings.json": json.dumps(SEOUL),
        "data/auth.json": "{not even json",
    }
    path = write_zip(tmp_path / "backup-1.zip", members)
    assert store.transfers.preview(path).first_day == date(2025, 1, 3)
    folder = tmp_path / "data"
    folder.mkdir()
    for name, text in members.items():
        (folder / name.removeprefix("data/")).write_text(text, encoding="utf-8")
    assert store.transfers.preview(folder).first_day == date(2025, 1, 3)


def test_habittrove_without_settings_says_which_zone_it_took(paths: AppPaths, tmp_path: Path) -> None:
    path = write_json(tmp_path / "habits.json", trove("2025-01-02T15:00:00.000Z", "2025-01-02T14:59:59.999Z"))
    store = open_store(paths, FixedClock(datetime(2026, 8, 12, 12, tzinfo=ZoneInfo("Asia/Seoul"))))
    preview = store.transfers.preview(path)
    assert [row.values["zone"] for row in preview.report.rows] == ["Asia/Seoul"]
    assert [entry.day.day for entry in preview.data.habits[0].entries] == [2, 3]
    chosen = store.transfers.preview(path, zone="America/New_York")
    assert [entry.day.day for entry in chosen.data.habits[0].entries] == [2]
    assert remarks(chosen) == []
    with pytest.raises(TransferError) as caught:
        store.transfers.preview(path, zone="Mars/Olympus")
    assert caught.value.code == "bad_choice"
    store.close()


def test_habittrove_with_a_zone_that_nobody_knows(store: Store, tmp_path: Path) -> None:
    write_json(tmp_path / "settings.json", {"system": {"timezone": "../../etc/passwd"}})
    with pytest.raises(TransferError):
        store.transfers.preview(write_json(tmp_path / "habits.json", trove()))


def test_habittrove_days_in_summer_time(store: Store, tmp_path: Path) -> None:
    write_json(tmp_path / "settings.json", {"system": {"timezone": "America/New_York"}})
    instants = ("2025-03-09T04:59:59Z", "2025-03-09T05:00:00Z", "2025-03-10T03:59:59Z", "2025-03-10T04:00:00Z")
    preview = store.transfers.preview(write_json(tmp_path / "habits.json", trove(*instants, targetCompletions=2)))
    assert days(preview.data.habits[0]) == [
        ("2025-03-08", "not_done", 1.0, ""),
        ("2025-03-09", "done", 2.0, ""),
        ("2025-03-10", "not_done", 1.0, ""),
    ]


def test_habittrove_older_files_hold_days(store: Store, tmp_path: Path) -> None:
    preview = store.transfers.preview(write_json(tmp_path / "habits.json", trove("2025-01-02", "oops", 7)))
    assert days(preview.data.habits[0]) == [("2025-01-02", "done", None, "")]
    assert [where for where, _reason in bad(preview)] == ["habits[0].completions[1]", "habits[0].completions[2]"]


@pytest.mark.parametrize(
    ("rule", "schedule", "told"),
    [
        ("RRULE:FREQ=DAILY", DAILY, 0),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", on(1, 3, 5), 0),
        ("FREQ=WEEKLY", per_week(1), 0),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", per_week(1), 1),
        ("FREQ=DAILY;INTERVAL=2", per_week(3), 1),
        ("FREQ=MONTHLY;BYMONTHDAY=1", per_week(1), 1),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", DAILY, 0),
        ("DTSTART:20250101T000000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU", on(2), 0),
        ("weekly", per_week(1), 0),
        ("daily", DAILY, 0),
        ("every full moon", DAILY, 1),
        ("FREQ=DAILY;INTERVAL=0", DAILY, 1),
    ],
)
def test_habittrove_rules(store: Store, tmp_path: Path, rule: str, schedule: Schedule, told: int) -> None:
    write_json(tmp_path / "settings.json", SEOUL)
    preview = store.transfers.preview(write_json(tmp_path / "habits.json", trove(frequency=rule)))
    assert preview.data.habits[0].schedule == schedule
    assert len(preview.report.rows) == told


# Beaver Habits


def test_beaver_habits_as_it_lies_on_the_disk(store: Store, tmp_path: Path) -> None:
    habits = [
        {"name": "둘째", "id": "b", "status": "archive", "records": []},
        {"name": "셋째", "id": "c", "status": "soft_delete", "records": []},
        {"name": "첫째", "id": "a", "records": [{"day": "2026-08-01", "done": True, "text": "<b>굵게</b>"}]},
    ]
    value = {"data": {"habits": habits, "order": ["a", "b"], "backup": {"telegram_bot_token": "secret"}}}
    preview = store.transfers.preview(write_json(tmp_path / "user.json", value))
    assert [(habit.title, habit.status) for habit in preview.data.habits] == [
        ("첫째", HabitStatus.ACTIVE),
        ("둘째", HabitStatus.ARCHIVED),
    ]
    assert remarks(preview) == ["deleted"]
    assert preview.data.habits[0].entries[0].note == "<b>굵게</b>"


@pytest.mark.parametrize(
    ("period", "schedule", "told"),
    [
        (None, DAILY, []),
        ({"period_type": "D", "period_count": 1, "target_count": 1}, DAILY, []),
        ({"period_type": "W", "period_count": 1, "target_count": 3}, per_week(3), []),
        ({"period_type": "W", "period_count": 2, "target_count": 4}, per_week(2), []),
        ({"period_type": "M", "period_count": 1, "target_count": 30}, DAILY, []),
        ({"period_type": "Y", "period_count": 1, "target_count": 12}, per_week(1), ["schedule_near"]),
        ({"period_type": "X"}, DAILY, ["schedule_unknown"]),
        ("weekly", DAILY, ["schedule_unknown"]),
    ],
)
def test_beaver_periods(store: Store, tmp_path: Path, period: object, schedule: Schedule, told: list[str]) -> None:
    value = {"user_email": "a", "habits": [{"name": "a", "period": period, "records": []}]}
    preview = store.transfers.preview(write_json(tmp_path / "b.json", value))
    assert (preview.data.habits[0].schedule, remarks(preview)) == (schedule, told)


def test_beaver_bad_rows(store: Store, tmp_path: Path) -> None:
    records = [{"day": "2026-02-30", "done": True}, {"day": "2026-08-01", "done": "yes"}, 7, {"done": True}]
    value = {"user_email": "a", "habits": [{"name": "a", "records": records}, 5]}
    preview = store.transfers.preview(write_json(tmp_path / "b.json", value))
    assert [reason for _where, reason in bad(preview)] == ["bad_day", "bad_value", "bad_shape", "bad_day", "bad_shape"]


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
    text = HABITBULL + "a,,,2016-13-01,1,\na,,,13/01/2016,1,\na,,,2016-03-01,viel,\na,,,2016-03-02,-5,\na,b\n"
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
    assert [habit.schedule for habit in habits] == [on(1, 3, 5), per_week(3), per_week(2), DAILY, on(6, 7)]
    assert days(habits[0]) == [
        ("2016-03-18", "done", None, "좋음"),
        ("2016-03-19", "done", None, ""),
        ("2016-03-21", "not_done", None, "메모"),
    ]
    assert habits[0].reminders == (ImportedReminder(450, frozenset({1, 2})),)
    assert remarks(preview) == [
        *("schedule_near", "schedule_unknown", "reminder_left_out", "mark_unknown", "note_only", "orphan"),
    ]
    assert bad(preview) == [("CHECKINS #5", "bad_day")]


# OpenHabitTracker


def open_tracker(**given: Any) -> dict[str, Any]:
    habit = {"Title": "물", "RepeatCount": 1, "RepeatInterval": 1, "RepeatPeriod": 0, "TimesDone": [], **given}
    return {"Settings": {"Culture": "ko"}, "Categories": [{"Title": "x", "Habits": [habit], "Notes": None}]}


def times(*moments: str, quantity: int = 1) -> list[dict[str, object]]:
    return [{"StartedAt": moment, "CompletedAt": moment, "Quantity": quantity} for moment in moments]


def test_open_habit_tracker_counts_by_the_wall_clock_of_the_file(store: Store, tmp_path: Path) -> None:
    moments = ("2026-02-23T23:59:59.7765948", "2026-02-24T00:00:00", "2026-02-24T12:00:00")
    value = open_tracker(RepeatCount=2, TimesDone=times(*moments), Items=[{"Title": "한 잔"}, {"Title": "두 잔"}])
    preview = store.transfers.preview(write_json(tmp_path / "o.json", value))
    [habit] = preview.data.habits
    assert days(habit) == [("2026-02-23", "not_done", 1.0, ""), ("2026-02-24", "done", 2.0, "")]
    assert (habit.description, habit.schedule) == ("한 잔\n두 잔", DAILY)


@pytest.mark.parametrize(
    ("count", "interval", "period", "schedule"),
    [(1, 1, 0, DAILY), (3, 1, 1, per_week(3)), (1, 2, 0, per_week(3)), (2, 1, 2, per_week(1)), (1, 1, 9, DAILY)],
)
def test_open_habit_tracker_intervals(
    store: Store, tmp_path: Path, count: int, interval: int, period: int, schedule: Schedule
) -> None:
    value = open_tracker(RepeatCount=count, RepeatInterval=interval, RepeatPeriod=period)
    assert store.transfers.preview(write_json(tmp_path / "o.json", value)).data.habits[0].schedule == schedule


def test_open_habit_tracker_leaves_deleted_habits_and_names_bad_rows(store: Store, tmp_path: Path) -> None:
    value = open_tracker(TimesDone=[5, {"StartedAt": "soon"}, {"StartedAt": "2026-02-24T00:00:00", "Quantity": -1}])
    value["Categories"][0]["Habits"] += [{"Title": "gone", "IsDeleted": True}, 7]
    value["Categories"].append("x")
    preview = store.transfers.preview(write_json(tmp_path / "o.json", value))
    assert remarks(preview) == ["deleted"]
    assert [reason for _where, reason in bad(preview)] == [
        *("bad_day", "bad_value", "bad_day", "bad_value", "bad_shape", "bad_shape"),
    ]


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


def test_remarks_are_told_in_the_language_of_their_showing(store: Store, tmp_path: Path) -> None:
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(status=2)))
    assert preview.report.rows[0].words.endswith("빼요.")
