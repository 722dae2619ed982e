"""LifeHelper's own JSON: export, an empty profile, import: identical. And what a changed file cannot do."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import ACCEPTED_TERMS, AI_ENABLED, DAY_START_MINUTES, LANGUAGE, MODEL_PATH, THEME
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer import exporting
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.plan import Fate
from lifehelper_desktop.storage.transfer.profile import ENTRY_COLUMNS, child_tables, habit_columns
from tests.storage.support import FRAME, TODAY, add, day
from tests.storage.transfer.support import (
    HANDMADE,
    all_habits,
    bad,
    bring,
    count,
    habit_named,
    remarks,
    rows,
    write_json,
)

#: What a profile is: bookkeeping of imports is about the database, not the profile.
LOCAL = {"id", "import_id"}


def profile(store: Store) -> dict[str, list[dict[str, Any]]]:
    """Every row that makes the profile, without what is about this database."""
    found: dict[str, list[dict[str, Any]]] = {}
    with store.db.read():
        tables = ["habit", "habit_variant", "entry", *child_tables(store.db)]
        for table in tables:
            names = [row[1] for row in store.db.sql(f"PRAGMA table_info({table})")]
            local = LOCAL - ({"id"} if table == "habit" else set())
            kept = [name for name in names if name not in local]
            rows_ = store.db.sql(f"SELECT {', '.join(kept)} FROM {table} ORDER BY {', '.join(kept)}")
            found[table] = [dict(zip(kept, row, strict=True)) for row in rows_]
        portable = [(key, value) for key, value in store.db.sql("SELECT key, value FROM setting ORDER BY key")]
        found["setting"] = [{key: value} for key, value in portable if exporting.portable_setting(key)]
    return found


def export(store: Store, path: Path) -> dict[str, Any]:
    store.transfers.export_json(path)
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value


def without_time(value: dict[str, Any]) -> dict[str, Any]:
    return {key: each for key, each in value.items() if key != "exported_at"}


@pytest.fixture
def full(store: Store) -> Store:
    """A profile with one of everything."""
    walk = add(store, "daily-steps")
    store.habits.archive(walk.id)
    again = add(store, "daily-steps", schedule=Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3})))
    smoking = store.habits.add(
        NewHabit(
            "break-smoking", 3, "나는 맑은 공기를 고르는 사람이다", schedule=Schedule(ScheduleKind.PER_WEEK, times=4)
        )
    )[0]
    for offset, value in ((0, EntryValue.DONE), (-1, EntryValue.MINIMUM), (-3, EntryValue.BLANK)):
        store.entries.change(again.id, day(offset), value, 'https://x "따옴표"\n=1+1 🙂')
    store.habits.set_frame(again.id, 1, "튼튼한 다리를 만든다")
    store.habits.pause(smoking.id)
    bring(store, HANDMADE / "loop_v25_korean.db")
    trashed = habit_named(store, "물 마시기 (2L)")
    store.trash.delete(trashed.id)
    store.settings.set(DAY_START_MINUTES, 300)
    store.settings.set(THEME, "dark")
    store.settings.set(MODEL_PATH, "/home/me/model.gguf")
    store.settings.set(ACCEPTED_TERMS, '{"gemma": "today"}')
    return store


def test_an_empty_profile_becomes_identical(full: Store, other_store: Callable[[], Store], tmp_path: Path) -> None:
    first = export(full, tmp_path / "a.json")
    other = other_store()
    result = bring(other, tmp_path / "a.json")
    assert result.plan.new_habits == count(full, "habit") == len(first["habits"])
    assert profile(other) == profile(full)
    second = export(other, tmp_path / "b.json")
    assert without_time(second) == without_time(first)
    # And once more, from the copy: nothing wears off.
    third = other_store()
    bring(third, tmp_path / "b.json")
    assert without_time(export(third, tmp_path / "c.json")) == without_time(first)
    assert profile(third) == profile(full)


def test_the_copy_still_knows_where_its_habits_came_from(
    full: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    export(full, tmp_path / "a.json")
    other = other_store()
    bring(other, tmp_path / "a.json")
    again = bring(other, HANDMADE / "loop_v25_korean.db")
    assert (again.import_id, again.habits, again.entries) == (None, 0, 0)


def test_importing_into_the_same_profile_adds_nothing(full: Store, tmp_path: Path) -> None:
    export(full, tmp_path / "a.json")
    before = rows(full)
    result = bring(full, tmp_path / "a.json")
    assert result.import_id is None
    assert {each.fate for each in result.plan.habits} == {Fate.KNOWN, Fate.IN_TRASH}
    assert rows(full) == before


def test_two_profiles_grow_together(store: Store, other_store: Callable[[], Store], tmp_path: Path) -> None:
    walk = add(store, "daily-steps")
    store.entries.log(walk.id, EntryValue.DONE)
    export(store, tmp_path / "a.json")
    other = other_store()
    bring(other, tmp_path / "a.json")
    [copy] = all_habits(other)
    other.entries.change(copy.id, day(-1), EntryValue.DONE)
    other.entries.change(copy.id, TODAY, EntryValue.BLANK)
    export(other, tmp_path / "b.json")
    result = bring(store, tmp_path / "b.json")
    # The new day comes in; the day that was recorded here stays as it is.
    assert (result.habits, result.entries, result.plan.habits[0].kept) == (0, 1, 1)
    values = {entry.date: entry.value for entry in store.entries.for_habit(walk.id).values()}
    assert values == {day(-1): EntryValue.DONE, TODAY: EntryValue.DONE}


def test_a_profile_that_has_habits_keeps_its_settings_and_numbers(
    full: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    export(full, tmp_path / "a.json")
    other = other_store()
    mine = add(other, "daily-steps")
    result = bring(other, tmp_path / "a.json")
    assert dict(result.plan.settings) == {}
    assert other.settings.get_int(DAY_START_MINUTES) == DAY_START_MINUTES.default
    assert other.habits.get(mine.id).framed_text == FRAME
    fates = [each.fate for each in result.plan.habits]
    assert fates.count(Fate.RUNNING) == 1
    assert len({habit.id for habit in all_habits(other)}) == len(all_habits(other))
    asked = other.transfers.preview(tmp_path / "a.json", with_settings=True)
    assert set(asked.plan.settings) == {"day_start_minutes", "theme"}


def test_undo_puts_the_settings_back(full: Store, other_store: Callable[[], Store], tmp_path: Path) -> None:
    export(full, tmp_path / "a.json")
    other = other_store()
    other.settings.set(THEME, "light")
    result = bring(other, tmp_path / "a.json")
    assert (other.settings.get_str(THEME), other.settings.get_int(DAY_START_MINUTES)) == ("dark", 300)
    other.settings.set(DAY_START_MINUTES, 60)  # changed since: stays
    assert result.import_id is not None
    taken = other.transfers.undo_import(result.import_id)
    assert taken.changes.settings == {"theme"}
    assert (other.settings.get_str(THEME), other.settings.get_int(DAY_START_MINUTES)) == ("light", 60)
    assert count(other, "habit") == 0


def test_what_speaks_of_this_computer_stays_here(full: Store, tmp_path: Path) -> None:
    value = export(full, tmp_path / "a.json")
    assert value["settings"] == {"day_start_minutes": 300, "theme": "dark"}
    assert "model.gguf" not in (tmp_path / "a.json").read_text(encoding="utf-8")


def test_the_days_of_a_clock_set_back_come_along(
    store: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    walk = add(store, "daily-steps")
    with store.db.write():
        store.db.sql(
            "INSERT INTO entry (habit_id, date, value, created_at, updated_at) VALUES (?, ?, 'done', ?, ?)",
            (
                walk.id,
                (TODAY + timedelta(days=30)).isoformat(),
                "2026-08-12T21:30:00+00:00",
                "2026-08-12T21:30:00+00:00",
            ),
        )
    export(store, tmp_path / "a.json")
    other = other_store()
    assert bring(other, tmp_path / "a.json").entries == 1


def test_nothing_of_the_schema_is_forgotten(store: Store) -> None:
    """A new column of `entry` has to be added to the export; new columns and tables of habits go in by themselves."""
    with store.db.read():
        entry = {row[1] for row in store.db.sql("PRAGMA table_info(entry)")}
        variant = {row[1] for row in store.db.sql("PRAGMA table_info(habit_variant)")}
        habit = {row[1] for row in store.db.sql("PRAGMA table_info(habit)")}
        assert set(habit_columns(store.db)) == habit - {"id", "import_id"}
        children = child_tables(store.db)
    assert entry == {*ENTRY_COLUMNS, "id", "habit_id", "import_id"}
    assert variant == {"habit_id", "is_minimum", "dose"}
    assert children["habit_pause"] == ("first_day", "last_day")
    assert set(children) & {"entry", "habit_variant", "habit_source"} == set()


def test_a_new_column_and_a_new_table_come_along(
    store: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    walk = add(store, "daily-steps")
    other = other_store()
    for each in (store, other):
        with each.db.write():
            each.db.sql("ALTER TABLE habit ADD COLUMN colour TEXT")
            each.db.sql("CREATE TABLE habit_alarm (id INTEGER PRIMARY KEY, habit_id INTEGER NOT NULL "
                        "REFERENCES habit (id) ON DELETE CASCADE, at TEXT NOT NULL)")  # fmt: skip
    with store.db.write():
        store.db.sql("UPDATE habit SET colour = 'green'")
        store.db.sql("INSERT INTO habit_alarm (habit_id, at) VALUES (?, '07:30')", (walk.id,))
    export(store, tmp_path / "a.json")
    bring(other, tmp_path / "a.json")
    with other.db.read():
        assert other.db.sql("SELECT colour FROM habit") == [("green",)]
        assert other.db.sql("SELECT habit_id, at FROM habit_alarm") == [(walk.id, "07:30")]


# A file that was changed


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


# Writing the file


def test_what_was_there_stays_until_the_new_file_is_whole(
    full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.json"
    path.write_text("before", encoding="utf-8")

    def fail(*_args: object) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(exporting.os, "fsync", fail)
    with pytest.raises(WorldError):
        full.transfers.export_json(path)
    assert path.read_text(encoding="utf-8") == "before"
    assert [found.name for found in tmp_path.iterdir() if found.suffix == ".partial"] == []


def test_a_folder_that_is_not_there_is_told(store: Store, tmp_path: Path) -> None:
    for name in ("none/a.json", "."):
        with pytest.raises(WorldError) as caught:
            store.transfers.export_json(tmp_path / name)
        assert caught.value.next_step


def test_the_export_is_one_moment(full: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another connection writes meanwhile is in the file whole or not at all."""
    import sqlite3
    from contextlib import closing

    real = exporting._doses

    def interfere(db: Any, habit_id: int) -> dict[str, str]:
        with closing(sqlite3.connect(full.paths.database, isolation_level=None)) as other:
            other.execute("DELETE FROM entry")
        return real(db, habit_id)

    monkeypatch.setattr(exporting, "_doses", interfere)
    entries = count(full, "entry")
    assert full.transfers.export_json(tmp_path / "a.json") == entries
