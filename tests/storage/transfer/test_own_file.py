"""LifeHelper's own JSON: export, an empty profile, import: identical."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import ACCEPTED_TERMS, DAY_START_MINUTES, MODEL_PATH, THEME
from lifehelper_desktop.domain.habits import EntryValue, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer import exporting
from lifehelper_desktop.storage.transfer.plan import Fate
from lifehelper_desktop.storage.transfer.profile import ENTRY_COLUMNS, child_tables, habit_columns
from tests.storage.support import FRAME, TODAY, add, day
from tests.storage.transfer.support import (
    HANDMADE,
    all_habits,
    bring,
    count,
    export,
    habit_named,
    rows,
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
    assert isinstance(store.clock, FixedClock)
    store.clock.set(store.clock.now() + timedelta(days=1))
    store.habits.set_schedule(again.id, Schedule(ScheduleKind.EVERY_DAYS, days=10))
    store.clock.set(store.clock.now() + timedelta(days=1))
    store.habits.set_schedule(again.id, Schedule(ScheduleKind.PER_MONTH, times=12))
    store.clock.set(store.clock.now() - timedelta(days=2))
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
    [again] = [habit for habit in all_habits(other) if len(habit.schedules) == 3]
    assert [schedule.kind for _day, schedule in again.schedules] == ["weekdays", "every_days", "per_month"]
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
