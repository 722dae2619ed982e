"""LifeHelper's own file after somebody changed it: what cannot be is a bad row, and the rules still hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.base.settings import AI_ENABLED, LANGUAGE, MODEL_PATH, THEME
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.plan import Fate
from tests.storage.support import TODAY, add, day, refused
from tests.storage.transfer.support import (
    HANDMADE,
    all_habits,
    bad,
    bring,
    export,
    remarks,
    rows,
    write_json,
)


@pytest.fixture
def exported(store: Store, tmp_path: Path) -> dict[str, Any]:
    """The file of a profile with one habit and two days."""
    walk = add(store, "daily-steps")
    store.entries.log(walk.id, EntryValue.DONE)
    store.entries.change(walk.id, day(-1), EntryValue.MINIMUM)
    return export(store, tmp_path / "a.json")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title_ko", ""),
        ("title_ko", "가" * 201),
        ("title_ko", 5),
        ("framed_text", None),
        ("frame_level", 4),
        ("frame_level", "2"),
        ("frame_level", 2.5),
        ("status", "flying"),
        ("status", "paused"),
        ("kind", "break"),
        ("kind", "x"),
        ("start", "2026-02-30"),
        ("start", "1999-01-01"),
        ("start", None),
        ("archived_on", "2026-08-01"),
        ("deleted_on", "soon"),
        ("protocol_id", "a, b"),
        ("protocol_id", None),
        ("break_protocol_id", "break-smoking"),
        ("schedule_kind", "weekdays"),
        ("schedule_weekdays", "9"),
        ("schedule_times", 8),
        ("created_at", "yesterday"),
        ("position", "first"),
        ("anchor_source", "nobody"),
        ("anchor_when", "x" * 61),
        ("source", ""),
        ("unit", ["L"]),
        ("description", True),
    ],
)
def test_impossible_values_are_bad_rows(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path, name: str, value: object
) -> None:
    other = other_store()
    exported["habits"][0]["habit"][name] = value
    preview = other.transfers.preview(write_json(tmp_path / "x.json", exported))
    assert [reason for _where, reason in bad(preview)] == ["bad_field"]
    with pytest.raises(TransferError) as caught:
        other.transfers.run(preview)
    assert caught.value.code == "bad_rows"
    assert other.transfers.run(preview, skip_bad=True).import_id is None


PER_WEEK_2 = {"kind": "per_week", "weekdays": "", "times": 2, "days": 0}
DAILY_ROW = {"from_day": "2026-08-12", "kind": "daily", "weekdays": "", "times": 0, "days": 0}


@pytest.mark.parametrize(
    "history",
    [
        [{**DAILY_ROW, "kind": "hourly"}],
        [{**DAILY_ROW, "kind": "weekdays"}],
        [{**DAILY_ROW, "times": 3}],
        [{**DAILY_ROW, "from_day": "2026-02-30"}],
        [{**DAILY_ROW, "from_day": "1999-01-01"}],
        [{**DAILY_ROW, "from_day": "20260812"}],
        [DAILY_ROW, DAILY_ROW],
        [{"from_day": "2026-08-12"}],
        [DAILY_ROW, {"from_day": "2026-08-13", **PER_WEEK_2}],  # the last one is not the habit's
        [{**DAILY_ROW, "kind": "every_days", "days": 400}],
        [{**DAILY_ROW, "days": "7"}],
    ],
)
def test_impossible_schedules_are_bad_rows(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path, history: list[dict[str, Any]]
) -> None:
    exported["habits"][0]["children"]["habit_schedule"] = history
    preview = other_store().transfers.preview(write_json(tmp_path / "x.json", exported))
    assert [row.values["name"] for row in preview.report.rows] == ["habit_schedule"]


def test_a_file_of_before_the_history_gets_one(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    habit = exported["habits"][0]
    del habit["children"]["habit_schedule"]
    del habit["habit"]["schedule_days"]
    habit["habit"] |= {"schedule_kind": "per_week", "schedule_times": 2}
    other = other_store()
    bring(other, write_json(tmp_path / "x.json", exported))
    [found] = all_habits(other)
    twice = Schedule(ScheduleKind.PER_WEEK, times=2)
    assert (found.schedule, found.schedules) == (twice, ((found.start, twice),))


def test_a_missing_column_is_named(exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path) -> None:
    del exported["habits"][0]["habit"]["kind"]
    preview = other_store().transfers.preview(write_json(tmp_path / "x.json", exported))
    assert [row.values["name"] for row in preview.report.rows] == ["kind"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"date": "2026-02-30"}, "bad_day"),
        ({"value": "great"}, "bad_value"),
        ({"amount": "much"}, "bad_value"),
        ({"value": ["done"]}, "bad_value"),
        ({"date": "2031-01-01"}, "day_to_come"),
    ],
)
def test_impossible_days_are_bad_rows(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    exported["habits"][0]["entries"][0] |= change
    preview = other_store().transfers.preview(write_json(tmp_path / "x.json", exported))
    assert bad(preview) == [("habits[0].entries[0]", reason)]


def test_a_minimum_day_needs_a_minimum_dose(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    del exported["habits"][0]["doses"]["minimum"]
    preview = other_store().transfers.preview(write_json(tmp_path / "x.json", exported))
    assert [reason for _where, reason in bad(preview)] == ["minimum_without_dose"]


def test_a_sentence_that_avoids_is_worded_anew(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    other = other_store()
    exported["habits"][0]["habit"]["framed_text"] = "야식 안 먹기"
    preview = other.transfers.preview(write_json(tmp_path / "x.json", exported))
    assert remarks(preview) == ["frame_replaced"]
    other.transfers.run(preview)
    assert all_habits(other)[0].framed_text == "하루 걷기"


def test_more_active_habits_than_places_are_archived(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    [habit] = exported["habits"]
    many = []
    for number, protocol in enumerate(("daily-steps", "stair-snack", "micro-break", "fruit-veg-five", "daily-steps")):
        copy = json.loads(json.dumps(habit))
        copy["uid"] = f"{number:032}"
        copy["habit"]["protocol_id"] = protocol
        many.append(copy)
    other = other_store()
    result = bring(other, write_json(tmp_path / "x.json", {**exported, "habits": many}))
    assert [each.fate for each in result.plan.habits] == [*[Fate.ACTIVE] * 3, Fate.NO_PLACE, Fate.RUNNING]
    assert len(other.habits.list(HabitStatus.ACTIVE)) == 3
    assert [habit.archived_on for habit in all_habits(other)][3:] == [TODAY, TODAY]


def test_a_pause_that_runs_ends_when_the_habit_is_chosen_to_go_on(
    store: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    walk = add(store, "daily-steps")
    store.entries.change(walk.id, day(-5), EntryValue.DONE)
    with store.db.write():
        store.db.sql("INSERT INTO habit_pause (habit_id, first_day) VALUES (?, ?)", (walk.id, day(-3).isoformat()))
        store.db.sql("UPDATE habit SET status = 'paused'")
    export(store, tmp_path / "a.json")
    other = other_store()
    assert bring(other, tmp_path / "a.json", keep=()).plan.habits[0].fate is Fate.PAUSED
    third = other_store()
    bring(third, tmp_path / "a.json", keep={1})
    [habit] = third.habits.list()
    assert (habit.status, habit.paused_ranges) == (HabitStatus.ACTIVE, ((day(-3), day(-1)),))


def test_unknown_columns_tables_and_settings_are_told_and_left_out(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    habit = exported["habits"][0]
    habit["habit"]["colour"] = "green"
    habit["children"]["habit_alarm"] = [{"at": "07:30"}]
    habit["children"]["habit_pause"] = [{"first_day": "2026-08-01", "last_day": "2026-08-02", "why": "x"}]
    exported["settings"] = {"moon": "full", "model_path": "/etc/passwd", "theme": "dark"}
    other = other_store()
    preview = other.transfers.preview(write_json(tmp_path / "x.json", exported))
    assert remarks(preview) == ["column_left_out"] * 3 + ["setting_left_out"] * 2
    other.transfers.run(preview)
    assert (other.settings.get_str(THEME), other.settings.get_str(MODEL_PATH)) == ("dark", "")


def test_bad_settings_are_bad_rows(exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path) -> None:
    exported["settings"] = {LANGUAGE.key: "tlh", AI_ENABLED.key: 1}
    preview = other_store().transfers.preview(write_json(tmp_path / "x.json", exported))
    assert [row.values["name"] for row in preview.report.rows] == ["language", "ai_enabled"]


@pytest.mark.parametrize("version", [2, 0, "1", None])
def test_other_versions_are_refused(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path, version: object
) -> None:
    with pytest.raises(TransferError) as caught:
        other_store().transfers.preview(write_json(tmp_path / "x.json", {**exported, "version": version}))
    assert caught.value.code == "too_new"


@pytest.mark.parametrize(
    ("table", "name", "value"),
    [
        ("reminder", "weekdays", 1),
        ("reminder", "is_on", 2),
        ("reminder", "updated_at", None),
        ("habit", "source", "\ud800"),
        ("habit", "created_at", "2026-08-01\ud80010:00:00+09:00"),
    ],
)
def test_what_the_database_would_not_take_is_a_bad_row(
    store: Store, other_store: Callable[[], Store], tmp_path: Path, table: str, name: str, value: object
) -> None:
    bring(store, HANDMADE / "loop_v25_korean.db")
    value_of = export(store, tmp_path / "a.json")
    habit = next(each for each in value_of["habits"] if each["children"]["reminder"])
    (habit["habit"] if table == "habit" else habit["children"][table][0])[name] = value
    path = tmp_path / "x.json"
    path.write_text(json.dumps(value_of), encoding="utf-8")
    other = other_store()
    assert [reason for _where, reason in bad(other.transfers.preview(path))] == ["bad_field"]
    assert bring(other, path, skip_bad=True).habits == 3


def test_halves_of_utf16_signs_in_foreign_ids_are_stored_as_question_marks(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    exported["habits"][0]["sources"] = [{"source": "loop", "external_id": "uuid:\ud800"}]
    (tmp_path / "x.json").write_text(json.dumps(exported), encoding="utf-8")
    other = other_store()
    bring(other, tmp_path / "x.json")
    assert ("loop", "uuid:?") in [row[:2] for row in rows(other)["habit_source"]]


def test_a_habit_that_is_there_twice_comes_in_once(
    exported: dict[str, Any], other_store: Callable[[], Store], tmp_path: Path
) -> None:
    exported["habits"].append(exported["habits"][0])
    path = write_json(tmp_path / "x.json", exported)
    other = other_store()
    preview = other.transfers.preview(path)
    assert [row.values["name"] for row in preview.report.rows] == ["uid"]
    assert bring(other, path, skip_bad=True).habits == len(exported["habits"]) - 1
    assert bring(other, path, skip_bad=True).import_id is None


def test_one_protocol_is_never_chosen_to_run_twice(
    store: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    store.habits.archive(add(store, "daily-steps").id)
    add(store, "daily-steps")
    export(store, tmp_path / "a.json")
    other = other_store()
    preview = other.transfers.preview(tmp_path / "a.json")
    assert [each.fate for each in preview.plan.habits] == [Fate.ARCHIVED, Fate.ACTIVE]
    with refused("already_active"):
        other.transfers.choose(preview, {1, 2})
    with refused("already_active"):
        other.transfers.run(preview, keep={1, 2})
    assert all_habits(other) == []
    other.transfers.run(other.transfers.choose(preview, {1}), keep={1})  # the other one goes into the archive
    assert [habit.status for habit in all_habits(other)] == [HabitStatus.ACTIVE, HabitStatus.ARCHIVED]
    third = other_store()
    add(third, "morning-sunlight")
    add(third, "daily-steps")  # began anew there as well
    with refused("already_active"):
        third.transfers.preview(tmp_path / "a.json", keep={1})
