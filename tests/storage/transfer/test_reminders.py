"""Reminders of other programs come in with new habits; LifeHelper's own file keeps them exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.reminders import EVERY_DAY, REMINDERS_MAX
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.model import ImportedReminder
from lifehelper_desktop.storage.transfer.plan import merged_reminders
from tests.storage.support import TODAY, add
from tests.storage.transfer.support import HANDMADE, bad, bring, count, habit_named, write_json

LOOP = HANDMADE / "loop_v25_korean.db"


def times(store: Store, title: str) -> list[tuple[int, set[int]]]:
    return [(each.minutes, set(each.weekdays)) for each in store.reminders.list(habit_named(store, title).id)]


def test_t10_loop_brings_its_reminders(store: Store) -> None:
    preview = store.transfers.preview(LOOP)
    assert preview.plan.new_reminders == 2
    result = bring(store, LOOP)
    assert result.reminders == 2
    assert times(store, "운동") == [(450, {1, 2, 3, 4, 5})]
    assert times(store, "Read, 30 min 📚") == [(1260, set(EVERY_DAY))]
    again = bring(store, LOOP)
    assert (again.import_id, again.reminders, count(store, "reminder")) == (None, 0, 2)


def test_mhabit_brings_its_reminder(store: Store, tmp_path: Path) -> None:
    reminder = {"type": 3, "time": {"hour": 7, "minute": 5}, "extra": [1, 3]}
    habit = {"name": "걷기", "type": 1, "status": 1, "daily_goal": 1, "reminder": json.dumps(reminder), "records": []}
    bring(store, write_json(tmp_path / "m.json", {"habits": [habit], "groups": []}))
    assert times(store, "걷기") == [(425, {1, 3})]


def test_rings_from_the_import_on(store: Store) -> None:
    bring(store, LOOP)
    [reminder] = store.reminders.list(habit_named(store, "운동").id)
    assert (reminder.since, reminder.is_on) == (store.clock.now(), True)


def test_undo_takes_them_back(store: Store) -> None:
    result = bring(store, LOOP)
    store.journal.undo()
    assert count(store, "reminder") == 0
    store.journal.redo()
    assert count(store, "reminder") == 2
    assert result.import_id is not None
    store.transfers.undo_import(result.import_id)
    assert count(store, "reminder") == 0


def test_a_habit_that_stays_keeps_its_reminder(store: Store) -> None:
    result = bring(store, LOOP)
    store.entries.log(habit_named(store, "운동").id, EntryValue.DONE)
    assert result.import_id is not None
    taken = store.transfers.undo_import(result.import_id)
    assert taken.kept_habits == ("운동",)
    assert times(store, "운동") == [(450, {1, 2, 3, 4, 5})]
    assert count(store, "reminder") == 1


def test_one_time_is_one_reminder_and_there_are_ten_at_most() -> None:
    given = [ImportedReminder(450, frozenset({6})), ImportedReminder(300), ImportedReminder(450, frozenset({7}))]
    assert merged_reminders(given) == [ImportedReminder(300), ImportedReminder(450, frozenset({6, 7}))]
    assert len(merged_reminders(ImportedReminder(minutes) for minutes in range(20))) == REMINDERS_MAX


def test_the_own_file_is_lossless(store: Store, other_store: Callable[[], Store], tmp_path: Path) -> None:
    habit = add(store)
    store.reminders.add(habit.id, 450, [1, 5])
    off = store.reminders.add(habit.id, 0)[0]
    store.reminders.change(off.id, is_on=False)
    store.transfers.export_json(tmp_path / "a.json")
    other = other_store()
    preview = other.transfers.preview(tmp_path / "a.json")
    assert preview.plan.new_reminders == 2
    assert bring(other, tmp_path / "a.json").reminders == 2
    columns = "habit_id, minutes, weekdays, is_on, since, created_at, updated_at"
    found = []
    for each in (store, other):
        with each.db.read():
            found.append(each.db.sql(f"SELECT {columns} FROM reminder ORDER BY minutes"))
    assert found[0] == found[1]
    with other.db.read():
        assert other.db.sql("SELECT COUNT(*) FROM reminder_mark") == [(0,)]  # what rang is this computer's business
    assert other.entries.get(habit.id, TODAY) is None


@pytest.mark.parametrize(
    "change",
    [
        {"minutes": 1440},
        {"minutes": -1},
        {"minutes": "450"},
        {"minutes": None},
        {"weekdays": ""},
        {"weekdays": "18"},
        {"weekdays": 9},
        {"since": "2026-08-12T21:30:00"},
        {"since": "yesterday"},
        {"since": None},
    ],
)
def test_a_changed_file_brings_no_impossible_reminder(
    store: Store, other_store: Callable[[], Store], tmp_path: Path, change: dict[str, Any]
) -> None:
    store.reminders.add(add(store).id, 450)
    store.transfers.export_json(tmp_path / "a.json")
    value = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    value["habits"][0]["children"]["reminder"][0] |= change
    preview = other_store().transfers.preview(write_json(tmp_path / "b.json", value))
    assert bad(preview) == [("habits[0]", "bad_field")]


def test_a_changed_file_brings_no_time_twice_and_no_eleventh(
    store: Store, other_store: Callable[[], Store], tmp_path: Path
) -> None:
    store.reminders.add(add(store).id, 450)
    store.transfers.export_json(tmp_path / "a.json")
    value = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    [row] = value["habits"][0]["children"]["reminder"]
    for rows in ([row, row], [{**row, "minutes": number} for number in range(REMINDERS_MAX + 1)]):
        value["habits"][0]["children"]["reminder"] = rows
        preview = other_store().transfers.preview(write_json(tmp_path / "b.json", value))
        assert bad(preview) == [("habits[0]", "bad_field")]
