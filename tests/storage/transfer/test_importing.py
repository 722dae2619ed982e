"""All or nothing, idempotent, undoable; the places of R3; what was changed by hand stays; nothing half-written."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, HabitType
from lifehelper_desktop.storage.journal import Source
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.plan import Fate
from lifehelper_desktop.storage.transfer.watch import Stage
from tests.storage.support import TODAY, add, day, refused
from tests.storage.transfer.support import (
    HANDMADE,
    all_habits,
    bad,
    bring,
    count,
    days_of,
    habit_named,
    rows,
    write_json,
    write_loop,
)

LOOP = HANDMADE / "loop_v25_korean.db"
BEAVER = HANDMADE / "beaverhabits_export.json"


def many(path: Path, number: int, days: int = 1) -> Path:
    """A file of `number` habits with `days` days each."""
    records = [{"day": day(-place).isoformat(), "done": True} for place in range(days)]
    habits = [{"name": f"습관 {at}", "id": f"{at:06x}", "records": records} for at in range(1, number + 1)]
    return write_json(path, {"user_email": "a@example.com", "habits": habits})


def record(store: Store, title: str, on: date) -> EntryValue | None:
    found = days_of(store, title).get(on)
    return None if found is None else found.value


# The places of R3


def test_the_first_three_stay_active_and_the_others_are_archived(store: Store, tmp_path: Path) -> None:
    result = bring(store, many(tmp_path / "many.json", 5))
    assert [each.fate for each in result.plan.habits] == [Fate.ACTIVE] * 3 + [Fate.NO_PLACE] * 2
    assert [habit.status for habit in all_habits(store)] == [HabitStatus.ACTIVE] * 3 + [HabitStatus.ARCHIVED] * 2
    assert all_habits(store)[4].archived_on == TODAY
    assert store.habits.remaining()[HabitType.BUILD] == 0


def test_places_that_are_taken_already_count(store: Store, tmp_path: Path) -> None:
    add(store, "daily-steps")
    add(store, "stair-snack")
    result = bring(store, many(tmp_path / "many.json", 3))
    assert [each.status for each in result.plan.habits] == [
        HabitStatus.ACTIVE,
        HabitStatus.ARCHIVED,
        HabitStatus.ARCHIVED,
    ]
    assert store.habits.active_counts()[HabitType.BUILD] == 3


def test_the_user_chooses_which_stay_active(store: Store, tmp_path: Path) -> None:
    preview = store.transfers.preview(many(tmp_path / "many.json", 5))
    chosen = store.transfers.choose(preview, {2, 5})
    assert [each.status is HabitStatus.ACTIVE for each in chosen.plan.habits] == [False, True, False, False, True]
    store.transfers.run(preview, keep={2, 5})
    assert [habit.title_ko for habit in store.habits.list()] == ["습관 2", "습관 5"]
    again = bring(store, tmp_path / "many.json", keep={2, 5})
    assert (again.import_id, again.plan.new_habits) == (None, 0)


def test_none_may_be_chosen(store: Store, tmp_path: Path) -> None:
    bring(store, many(tmp_path / "many.json", 3), keep=())
    assert store.habits.list() == []
    assert len(all_habits(store)) == 3


def test_one_that_is_archived_there_may_be_chosen(store: Store) -> None:
    bring(store, LOOP, keep={4})
    assert [habit.title_ko for habit in store.habits.list()] == ["커피 줄이기"]
    assert habit_named(store, "커피 줄이기").archived_on is None


def test_too_many_chosen_are_refused_and_nothing_is_written(store: Store, tmp_path: Path) -> None:
    before = rows(store)
    preview = store.transfers.preview(many(tmp_path / "many.json", 5))
    with refused("r3_quota"):
        store.transfers.run(preview, keep={1, 2, 3, 4})
    assert rows(store) == before


@pytest.mark.parametrize("keep", [{9}, {0}, {-1}])
def test_numbers_that_the_file_does_not_have_are_refused(store: Store, tmp_path: Path, keep: set[int]) -> None:
    with pytest.raises(TransferError) as caught:
        bring(store, many(tmp_path / "many.json", 2), keep=keep)
    assert caught.value.code == "bad_choice"


def test_the_place_for_a_habit_to_break_is_its_own(store: Store, tmp_path: Path) -> None:
    habits = [{"name": f"줄이기 {at}", "type": 1, "target_type": 1, "target_value": 2} for at in range(2)]
    result = bring(store, write_loop(tmp_path / "loop.db", habits, []))
    assert [each.fate for each in result.plan.habits] == [Fate.ACTIVE, Fate.NO_PLACE]
    assert store.habits.active_counts() == {HabitType.BUILD: 0, HabitType.BREAK: 1}


# Importing again


def test_a_day_changed_by_hand_stays_and_is_told(store: Store) -> None:
    bring(store, LOOP)
    sport = habit_named(store, "운동")
    store.entries.change(sport.id, date(2024, 3, 2), EntryValue.BLANK, "내가 고침")
    preview = store.transfers.preview(LOOP)
    assert (preview.plan.habits[0].kept, preview.plan.habits[0].same) == (1, 5)
    assert store.transfers.run(preview).import_id is None
    found = days_of(store, "운동")[date(2024, 3, 2)]
    assert (found.value, found.note) == (EntryValue.BLANK, "내가 고침")


def test_a_day_deleted_by_hand_comes_again_with_the_file(store: Store) -> None:
    bring(store, LOOP)
    store.entries.change(habit_named(store, "운동").id, date(2024, 3, 2), None)
    again = bring(store, LOOP)
    assert (again.habits, again.entries) == (0, 1)
    assert record(store, "운동", date(2024, 3, 2)) is EntryValue.DONE


def test_a_newer_file_brings_its_new_and_changed_days(store: Store, tmp_path: Path) -> None:
    habit = {"uuid": "a" * 32}
    first = write_loop(tmp_path / "a.db", [habit], [(1, "2026-08-01", 2, ""), (1, "2026-08-02", 0, "")])
    second = write_loop(tmp_path / "b.db", [habit], [(1, "2026-08-02", 2, "뒤늦게"), (1, "2026-08-03", 2, "")])
    bring(store, first)
    preview = store.transfers.preview(second)
    assert (preview.plan.new_entries, preview.plan.changed_entries, preview.plan.new_habits) == (1, 1, 0)
    result = store.transfers.run(preview)
    assert [entry.value for entry in days_of(store, "운동").values()] == [EntryValue.DONE] * 3
    assert days_of(store, "운동")[date(2026, 8, 2)].note == "뒤늦게"
    assert result.import_id is not None
    store.transfers.undo_import(result.import_id)
    values = {entry.date.day: (entry.value, entry.note) for entry in days_of(store, "운동").values()}
    assert values == {1: (EntryValue.DONE, ""), 2: (EntryValue.NOT_DONE, "")}


def test_days_before_the_start_move_it_back_and_undo_moves_it_forward(store: Store, tmp_path: Path) -> None:
    habit = {"uuid": "a" * 32}
    bring(store, write_loop(tmp_path / "a.db", [habit], [(1, "2026-08-03", 2, "")]))
    older = write_loop(tmp_path / "b.db", [habit], [(1, "2026-07-01", 2, ""), (1, "2026-08-03", 2, "")])
    result = bring(store, older)
    assert habit_named(store, "운동").start == date(2026, 7, 1)
    assert result.import_id is not None
    store.transfers.undo_import(result.import_id)
    assert habit_named(store, "운동").start == date(2026, 8, 3)


def test_a_name_stands_in_only_where_nothing_better_is_known(store: Store, tmp_path: Path) -> None:
    bring(store, write_loop(tmp_path / "a.db", [{"uuid": "a" * 32}], [(1, "2026-08-01", 2, "")]))
    other = write_loop(tmp_path / "b.db", [{"uuid": "b" * 32}], [(1, "2026-08-02", 2, "")])
    assert bring(store, other).habits == 1
    assert len(all_habits(store)) == 2


def test_habits_of_one_name_are_two(store: Store, tmp_path: Path) -> None:
    twins = [{}, {}]
    path = write_loop(tmp_path / "a.db", twins, [(1, "2026-08-01", 2, ""), (2, "2026-08-02", 2, "")], version=22)
    bring(store, path)
    assert [len(store.entries.for_habit(habit.id)) for habit in all_habits(store)] == [1, 1]
    assert bring(store, path).import_id is None


def test_a_habit_in_the_trash_is_left_alone(store: Store) -> None:
    bring(store, LOOP)
    sport = habit_named(store, "운동")
    store.trash.delete(sport.id)
    before = rows(store)
    again = bring(store, LOOP)
    assert again.plan.habits[0].fate is Fate.IN_TRASH
    assert again.import_id is None
    assert rows(store) == before


# Taking back


def test_undo_keeps_what_was_recorded_by_hand(store: Store) -> None:
    result = bring(store, LOOP)
    sport = habit_named(store, "운동")
    store.entries.log(sport.id, EntryValue.DONE)
    assert result.import_id is not None
    taken = store.transfers.undo_import(result.import_id)
    assert (taken.habits, taken.entries, taken.kept_habits) == (3, 14, ("운동",))
    assert list(store.entries.for_habit(sport.id)) == [TODAY]
    # The habit is still known: the file's days come back into it.
    again = bring(store, LOOP)
    assert (again.plan.habits[0].fate, again.habits, again.entries) == (Fate.KNOWN, 3, 14)
    assert len(store.entries.for_habit(sport.id)) == 7


def test_an_import_can_be_taken_back_once(store: Store) -> None:
    result = bring(store, LOOP)
    assert result.import_id is not None
    store.transfers.undo_import(result.import_id)
    [run] = store.transfers.history()
    assert (run.habits, run.entries, run.file_name) == (0, 0, LOOP.name)
    for number in (result.import_id, 99, 2**70):
        with pytest.raises(TransferError) as caught:
            store.transfers.undo_import(number)
        assert caught.value.code == "not_found"


def test_an_import_is_one_change_of_the_journal(store: Store) -> None:
    add(store, "daily-steps")
    before = rows(store)
    bring(store, LOOP)
    after = rows(store)
    newest = store.journal.history()[0]
    assert newest.source == Source.IMPORT
    assert LOOP.name in newest.words("ko")
    store.journal.undo()
    without_runs = {name: found for name, found in rows(store).items() if name != "import_run"}
    assert without_runs == {name: found for name, found in before.items() if name != "import_run"}
    store.journal.redo()
    assert rows(store) == after
    store.transfers.undo_import(1)
    assert store.journal.undo().changes.habits
    assert rows(store) == after


def test_two_imports_are_taken_back_in_any_order(store: Store) -> None:
    first, second = bring(store, LOOP), bring(store, BEAVER)
    assert first.import_id is not None
    assert second.import_id is not None
    store.transfers.undo_import(first.import_id)
    assert {habit.source for habit in all_habits(store)} == {"beaverhabits"}
    store.transfers.undo_import(second.import_id)
    assert (count(store, "habit"), count(store, "entry"), count(store, "habit_source")) == (0, 0, 0)


# All or nothing


def test_one_bad_row_stops_everything_and_is_named(store: Store, tmp_path: Path) -> None:
    path = write_loop(tmp_path / "loop.db", [{}], [(1, "2026-08-01", 2, ""), (1, "2026-08-02", -7, "")])
    before = rows(store)
    preview = store.transfers.preview(path)
    assert bad(preview) == [("Repetitions #2", "bad_value")]
    with pytest.raises(TransferError) as caught:
        store.transfers.run(preview)
    assert caught.value.code == "bad_rows"
    assert "Repetitions #2" in caught.value.message
    assert caught.value.next_step
    assert rows(store) == before
    assert list(store.paths.backups.glob("*-import.db")) == []
    assert store.transfers.run(preview, skip_bad=True).entries == 1


def test_there_is_a_backup_from_before(store: Store) -> None:
    add(store, "daily-steps")
    result = bring(store, LOOP)
    assert result.backup is not None
    with closing(sqlite3.connect(f"{result.backup.as_uri()}?mode=ro&immutable=1", uri=True)) as old:
        assert old.execute("SELECT COUNT(*) FROM habit").fetchone() == (1,)
        assert old.execute("SELECT COUNT(*) FROM entry").fetchone() == (0,)


def test_without_a_backup_nothing_is_imported(store: Store) -> None:
    preview = store.transfers.preview(LOOP)
    store.paths.backups.write_text("a file where the folder should be", encoding="utf-8")
    before = rows(store)
    with pytest.raises(WorldError):
        store.transfers.run(preview)
    assert rows(store) == before


@pytest.mark.parametrize("stage", [Stage.READING, Stage.COMPARING, Stage.BACKUP, Stage.WRITING])
def test_stopping_leaves_nothing_behind(store: Store, tmp_path: Path, stage: Stage) -> None:
    path = many(tmp_path / "many.json", 3, 1500)
    before = rows(store)
    stop = threading.Event()

    def listen(now: Stage, done: int, total: int) -> None:
        if now is stage and (done or now is Stage.BACKUP):
            stop.set()

    def work() -> None:
        preview = store.transfers.preview(path, progress=listen, stop=stop)
        store.transfers.run(preview, progress=listen, stop=stop)

    with pytest.raises(TransferError) as caught:
        work()
    assert caught.value.code == "stopped"
    assert rows(store) == before


def test_progress_goes_through_the_stages_to_the_end(store: Store, tmp_path: Path) -> None:
    seen: list[tuple[Stage, int, int]] = []

    def listen(stage: Stage, done: int, total: int) -> None:
        seen.append((stage, done, total))

    preview = store.transfers.preview(many(tmp_path / "many.json", 3, 1500), progress=listen)
    store.transfers.run(preview, progress=listen)
    assert list(dict.fromkeys(stage for stage, _done, _total in seen)) == list(Stage)
    writing = [(done, total) for stage, done, total in seen if stage is Stage.WRITING]
    assert writing[0] == (0, 4500)
    assert writing[-1] == (4500, 4500)
    assert len(writing) >= 4
    assert [done for done, _total in writing] == sorted(done for done, _total in writing)


def test_a_value_that_the_database_refuses_undoes_everything(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows(store)
    preview = store.transfers.preview(LOOP)
    monkeypatch.setattr("lifehelper_desktop.storage.transfer.writing.frame_for", lambda title: "x")
    with pytest.raises(TransferError) as caught:
        store.transfers.run(preview)
    assert caught.value.code == "unreadable"
    assert rows(store) == before


def test_what_changed_since_the_preview_is_seen(store: Store, tmp_path: Path) -> None:
    preview = store.transfers.preview(many(tmp_path / "many.json", 3))
    assert [each.fate for each in preview.plan.habits] == [Fate.ACTIVE] * 3
    add(store, "daily-steps")
    result = store.transfers.run(preview)
    assert [each.fate for each in result.plan.habits] == [Fate.ACTIVE, Fate.ACTIVE, Fate.NO_PLACE]


def test_the_file_may_be_gone_when_the_import_runs(store: Store, tmp_path: Path) -> None:
    path = many(tmp_path / "many.json", 1)
    preview = store.transfers.preview(path)
    path.unlink()
    assert store.transfers.run(preview).habits == 1


def test_a_file_without_habits_says_so_by_its_numbers(store: Store, tmp_path: Path) -> None:
    result = bring(store, write_json(tmp_path / "x.json", {"user_email": "a@example.com", "habits": []}))
    assert (result.import_id, result.plan.is_empty) == (None, True)


@pytest.mark.parametrize("own", [False, True])
def test_an_archived_habit_that_is_chosen_goes_on_as_if_it_were_resumed(
    store: Store, other_store: Callable[[], Store], tmp_path: Path, own: bool
) -> None:
    records = [{"day": day(-place).isoformat(), "done": True} for place in (12, 11, 10)]
    habits = [{"name": "운동", "id": "000001", "status": "archive", "records": records}]
    path = write_json(tmp_path / "beaver.json", {"user_email": "a@example.com", "habits": habits})
    if own:
        bring(store, path)
        path = tmp_path / "own.json"
        store.transfers.export_json(path)
    chosen, resumed = other_store(), other_store()
    bring(chosen, path, keep={1})
    bring(resumed, path)
    resumed.habits.unarchive(habit_named(resumed, "운동").id)
    [one], [other] = (each.overviews() for each in (chosen, resumed))
    assert one.streaks == other.streaks
    assert one.streaks.current_streak == 3
