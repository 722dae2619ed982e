"""Undo where something else has changed the rows since: refused with everything as it is, or passed over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.storage.journal import ChangeState
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.trash import TRASH_DAYS
from tests.storage.support import add, outside, refused
from tests.storage.support import journalled_rows as rows


def words(store: Store) -> list[str]:
    return [change.words("ko") for change in store.journal.history()]


@pytest.mark.parametrize(
    "meanwhile",
    [
        "UPDATE entry SET note = '다른 곳에서'",
        "DELETE FROM entry",
        "DELETE FROM entry; INSERT INTO entry SELECT 1, 1, '2026-08-12', 'blank', 0, '', 'x', 'x', NULL, NULL",
    ],
)
def test_a_row_that_changed_since_stays_and_the_change_is_passed_over(store: Store, meanwhile: str) -> None:
    walk = add(store).id
    store.habits.set_frame(walk, 3, "나는 걷는 사람이다")
    store.entries.log(walk, EntryValue.DONE)
    outside(store, *meanwhile.split("; "))
    before = rows(store)
    with refused("undo_conflict") as caught:
        store.journal.undo()
    assert "하루 걷기" in caught.value.reason
    assert rows(store) == before
    assert store.journal.history()[0].state is ChangeState.STUCK
    store.journal.undo()  # the one before
    assert store.habits.get(walk).frame_level == 2


def test_what_is_passed_over_may_hold_the_place_of_another(store: Store) -> None:
    walk, *_others = (add(store, name).id for name in ("daily-steps", "morning-sunlight", "vegetables-first"))
    store.habits.pause(walk)
    thanks = add(store, "three-good-things").id
    outside(store, f"UPDATE habit SET framed_text = '다른 곳에서' WHERE id = {thanks}")
    with refused("undo_conflict"):
        store.journal.undo()
    before = rows(store)
    with refused("r3_quota"):  # the pause: all three places are taken
        store.journal.undo()
    assert rows(store) == before
    store.habits.archive(thanks)
    store.journal.undo()  # the archiving
    assert store.habits.get(thanks).status is HabitStatus.ACTIVE


def test_redo_refuses_what_no_longer_fits(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    store.journal.undo()
    outside(
        store,
        "INSERT INTO entry (habit_id, date, value, created_at, updated_at) VALUES (1, '2026-08-12', 'done', 'x', 'x')",
    )
    before = rows(store)
    with refused("undo_conflict"):
        store.journal.redo()
    assert rows(store) == before


def test_rows_that_would_go_along_are_never_lost(store: Store) -> None:
    """An entry that the journal knows nothing of hangs on the habit: taking the habit away would delete it."""
    walk = add(store).id
    outside(
        store,
        f"INSERT INTO entry SELECT 1, {walk}, '2026-08-01', 'done', 0, '', 'x', 'x', NULL, NULL",
    )
    before = rows(store)
    with refused("undo_conflict"):
        store.journal.undo()
    assert rows(store) == before


def test_a_column_that_is_gone_is_a_conflict(store: Store) -> None:
    add(store)
    outside(store, "UPDATE journal_row SET after = json_set(after, '$.lost', 1) WHERE table_name = 'habit'")
    with refused("undo_conflict"):
        store.journal.undo()


def test_undo_is_a_transaction_of_its_own(store: Store) -> None:
    add(store)

    def inside() -> None:
        with store.db.write():
            store.journal.undo()

    with pytest.raises(RuntimeError):
        inside()
    assert len(store.habits.list()) == 1


def test_what_is_gone_for_good_leaves_the_history(store: Store) -> None:
    walk, sun = add(store).id, add(store, "morning-sunlight").id
    store.habits.reorder([sun, walk])
    store.entries.log(sun, EntryValue.DONE)
    store.trash.delete(sun)
    store.trash.remove(sun)
    with store.db.read():
        images = store.db.sql("SELECT COALESCE(after, before) FROM journal_row")
    assert not any("morning-sunlight" in image for (image,) in images)
    assert words(store) == ["습관 순서 바꾸기", "‘하루 걷기’ 습관 추가"]
    while store.journal.next_undo():
        store.journal.undo()
    assert not any(rows(store).values())


def test_the_trash_outlasts_nothing_that_undo_needs(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    walk = add(store).id
    store.trash.delete(walk)
    store.close()
    clock.set(clock.now() + timedelta(days=TRASH_DAYS))
    store = open_store(paths, clock)
    assert store.trash.list() == []
    assert store.journal.history() == []
    assert store.journal.next_redo() is None
    store.close()
