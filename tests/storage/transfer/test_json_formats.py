"""The trackers that write JSON: what each field means, and what is told about what cannot be taken over."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import DAILY, HabitStatus, HabitType, Schedule
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import ImportedReminder
from tests.helpers.schedules import every, per_month, per_week, weekdays
from tests.storage.transfer.support import (
    bad,
    days,
    remarks,
    write_json,
    write_zip,
)

EPOCH = date(1970, 1, 1).toordinal()


def epoch(day: str) -> int:
    return date.fromisoformat(day).toordinal() - EPOCH


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
        (2, "[4]", per_month(4), []),
        (3, "[3,14]", per_week(1), ["schedule_near"]),
        (3, "[6,14]", per_week(3), []),
        (3, "[1,10]", every(10), []),
        (3, "[2,15]", every(8), ["schedule_near"]),
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
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", weekdays(1, 3, 5), 0),
        ("FREQ=WEEKLY", per_week(1), 0),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO", every(14), 0),
        ("FREQ=DAILY;INTERVAL=2", every(2), 0),
        ("FREQ=MONTHLY;BYMONTHDAY=1", per_month(1), 0),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU", DAILY, 0),
        ("DTSTART:20250101T000000Z\nRRULE:FREQ=WEEKLY;BYDAY=TU", weekdays(2), 0),
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
        ({"period_type": "M", "period_count": 1, "target_count": 30}, per_month(30), []),
        ({"period_type": "M", "period_count": 1, "target_count": 31}, DAILY, []),
        ({"period_type": "D", "period_count": 3, "target_count": 1}, every(3), []),
        ({"period_type": "M", "period_count": 2, "target_count": 1}, every(60), []),
        ({"period_type": "Y", "period_count": 1, "target_count": 12}, per_month(1), []),
        ({"period_type": "Y", "period_count": 1, "target_count": 5}, every(73), []),
        ({"period_type": "Y", "period_count": 2, "target_count": 1}, every(365), ["schedule_near"]),
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
    [(1, 1, 0, DAILY), (3, 1, 1, per_week(3)), (1, 2, 0, every(2)), (2, 1, 2, per_month(2)), (1, 1, 9, DAILY)],
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


# In words


def test_remarks_are_told_in_the_language_of_their_showing(store: Store, tmp_path: Path) -> None:
    preview = store.transfers.preview(write_json(tmp_path / "m.json", mhabit(status=2)))
    assert preview.report.rows[0].words.endswith("빼요.")
