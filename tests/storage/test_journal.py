"""Undo and redo: every change, from wherever it came, comes back exactly, or is refused with everything as it is."""

from __future__ import annotations

import random
import sqlite3
import threading
from contextlib import closing
from datetime import date, timedelta

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import ACCEPTED_TERMS, SETTINGS, THEME
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.storage.journal import KEEP_CHANGES, ChangeState, Source, acting
from lifehelper_desktop.storage.row_capture import JOURNALLED, NOT_JOURNALLED, TableShape
from lifehelper_desktop.storage.store import Store, open_store
from tests.helpers.steps import next_change
from tests.storage.support import ROOT, TODAY, add, day, refused
from tests.storage.support import journalled_rows as rows


def words(store: Store) -> list[str]:
    return [change.words("ko") for change in store.journal.history()]


# ---- what is recorded -------------------------------------------------------------------------------------------


def test_every_table_is_journalled_or_named_as_not(store: Store) -> None:
    with store.db.read():
        tables = store.db.sql("SELECT name FROM main.sqlite_master WHERE type = 'table'")
        found = {name for (name,) in tables if not name.startswith("sqlite_")}
        kinds = {kind for table in JOURNALLED for kind in TableShape.read(store.db, table).columns.values()}
    assert set(JOURNALLED) | NOT_JOURNALLED == found
    assert "BLOB" not in kinds  # JSON has none


def test_every_write_says_in_words_what_it_did(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    store.entries.change(walk, TODAY, EntryValue.MINIMUM)
    store.entries.change(walk, TODAY, EntryValue.MINIMUM, note="집 앞만")
    store.entries.change(walk, day(-40), EntryValue.BLANK)  # moves the start
    store.entries.change(walk, TODAY, None)
    store.habits.set_doses(walk, "하루 5,000보", "5분")
    store.habits.set_frame(walk, 3, "나는 걷는 사람이다")
    store.habits.pause(walk)
    store.habits.resume(walk)
    sun = add(store, "morning-sunlight").id
    store.habits.reorder([sun, walk])
    store.trash.delete(sun)
    store.trash.restore(sun)
    store.habits.archive(sun)
    store.settings.set(THEME, "dark")
    assert words(store)[::-1] == [
        "‘하루 걷기’ 습관 추가",
        "하루 걷기 · 2026-08-12(수) ‘완료’ 기록",
        "하루 걷기 · 2026-08-12(수) 기록을 ‘최소’로 바꾸기",
        "하루 걷기 · 2026-08-12(수) 메모 바꾸기",
        "하루 걷기 · 2026-07-03(금) ‘쉬기’ 기록",
        "하루 걷기 · 2026-08-12(수) ‘최소’ 기록 지우기",
        "‘하루 걷기’ 습관 고치기",
        "‘하루 걷기’ 습관 고치기",
        "‘하루 걷기’ 습관 쉬게 하기",
        "‘하루 걷기’ 습관 다시 시작하기",
        "‘아침 햇빛 보기’ 습관 추가",
        "습관 순서 바꾸기",
        "‘아침 햇빛 보기’ 습관을 휴지통에 넣기",
        "‘아침 햇빛 보기’ 습관을 휴지통에서 꺼내기",
        "‘아침 햇빛 보기’ 습관 보관하기",
        "설정 바꾸기: 테마",
    ]
    assert "Morning daylight" in store.journal.history()[1].words("en")


def test_what_changes_nothing_is_not_recorded(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    store.entries.change(walk, TODAY, EntryValue.DONE)
    store.settings.set(THEME, "system")
    before = len(words(store))
    with store.db.write():
        store.entries.change(walk, TODAY, EntryValue.MINIMUM)
        store.entries.change(walk, TODAY, EntryValue.DONE)
    store.settings.set(THEME, "system")
    store.conversations.append(store.conversations.start("안녕"), StoredEvent("user", {"text": "안녕"}))
    store.settings.set(ACCEPTED_TERMS, "{}")
    assert not SETTINGS[ACCEPTED_TERMS.key].undoable
    with refused("duplicate"):
        store.entries.log(walk, EntryValue.DONE)
    assert len(words(store)) == before


def test_one_transaction_is_one_change_and_a_failed_one_is_none(store: Store) -> None:
    with store.db.write():
        walk = add(store).id
        store.entries.log(walk, EntryValue.DONE)
    assert len(words(store)) == 1
    before = rows(store)

    def fail() -> None:
        with store.db.write():
            store.entries.change(walk, TODAY, None)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert rows(store) == before
    assert len(words(store)) == 1
    store.journal.undo()
    assert not any(rows(store).values())


def test_the_surface_is_recorded(store: Store) -> None:
    store.journal.source = Source.CLI
    walk = add(store).id
    with acting(Source.TRAY):
        store.entries.log(walk, EntryValue.DONE)
    with acting(Source.IMPORT, action="import", name="loop.db"), store.db.write():
        for offset in range(-30, 0):
            store.entries.change(walk, day(offset), EntryValue.DONE)

    def other_thread() -> None:
        store.entries.change(walk, TODAY, None)

    with acting(Source.COACH):  # names what this thread does, not others
        thread = threading.Thread(target=other_thread)
        thread.start()
        thread.join(10)
    history = store.journal.history()
    assert [change.source for change in history] == ["cli", "import", "tray", "cli"]
    assert history[1].words("ko") == "가져오기: loop.db (습관 1개, 기록 30개)"
    assert history[1].made_at == store.clock.now()


def test_the_newest_hundred_are_kept(store: Store) -> None:
    walk = add(store).id
    for number in range(KEEP_CHANGES + 5):
        store.entries.change(walk, TODAY - timedelta(days=number), EntryValue.DONE)
    assert len(store.journal.history(1000)) == KEEP_CHANGES
    with store.db.read():
        assert store.db.sql("SELECT COUNT(DISTINCT journal_id) FROM journal_row") == [(KEEP_CHANGES,)]
    for _each in range(KEEP_CHANGES):
        store.journal.undo()
    assert len(store.entries.for_habit(walk)) == 5
    with refused("nothing_to_undo"):
        store.journal.undo()


# ---- there and back ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_sequence_of_changes_goes_back_and_forth_exactly(paths: AppPaths, clock: FixedClock, seed: int) -> None:
    chance = random.Random(seed)
    store = open_store(paths, clock)
    states = [rows(store)]
    while len(states) <= 60:
        step = next_change(store, chance)
        try:
            step()
        except RuleViolation:
            continue
        if rows(store) != states[-1]:
            states.append(rows(store))
        if len(states) == 30:  # across a restart
            store.close()
            store = open_store(paths, clock)
    assert len(store.journal.history()) == len(states) - 1
    for state in reversed(states[:-1]):
        store.journal.undo()
        assert rows(store) == state
    assert store.journal.next_undo() is None
    store.close()
    store = open_store(paths, clock)
    for state in states[1:]:
        store.journal.redo()
        assert rows(store) == state
    with refused("nothing_to_redo"):
        store.journal.redo()
    store.close()


def test_undo_says_what_it_did_and_which_rows_to_read_anew(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    assert store.journal.next_undo() is not None
    back = store.journal.undo()
    assert back.words("ko") == "되돌렸어요: 하루 걷기 · 2026-08-12(수) ‘완료’ 기록"
    assert back.changes == Changes(entries=frozenset({(walk, "2026-08-12")}))
    again = store.journal.redo()
    assert again.words("ko") == "다시 했어요: 하루 걷기 · 2026-08-12(수) ‘완료’ 기록"
    assert again.changes == back.changes
    store.settings.set(THEME, "dark")
    assert store.journal.undo().changes == Changes(settings=frozenset({"theme"}))
    assert store.settings.get(THEME) == "system"
    store.habits.pause(walk)
    assert store.journal.undo().changes == Changes(habits=frozenset({walk}))


def test_a_new_change_ends_redo(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    store.journal.undo()
    assert store.journal.history()[0].state is ChangeState.UNDONE
    store.entries.log(walk, EntryValue.BLANK)
    assert store.journal.next_redo() is None
    with refused("nothing_to_redo"):
        store.journal.redo()
    assert [change.state for change in store.journal.history()] == [ChangeState.DONE, ChangeState.DONE]


@pytest.mark.parametrize("offset", [-10, -100])
def test_x1_undo_of_a_past_mark_removes_that_mark(store: Store, offset: int) -> None:
    """A mark of ten days ago, and one before the day of creation: undo takes that one, whatever today holds."""
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    store.entries.change(walk, day(offset), EntryValue.DONE)
    store.journal.undo()
    assert list(store.entries.for_habit(walk)) == [TODAY]
    assert store.habits.get(walk).start == TODAY


def test_another_program_takes_back_what_this_one_did(store: Store, paths: AppPaths, clock: FixedClock) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    other = open_store(paths, clock)
    other.journal.undo()
    other.close()
    assert store.entries.for_habit(walk) == {}
    store.journal.redo()
    assert list(store.entries.for_habit(walk)) == [TODAY]


def test_amounts_come_back_to_the_last_digit(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    with store.db.write():
        store.db.sql("UPDATE entry SET amount = ?", (0.1 + 0.2,))
    with store.db.write():
        store.db.sql("UPDATE entry SET amount = ?", (1e300 / 7,))
    store.journal.undo()
    with store.db.read():
        assert store.db.sql("SELECT amount FROM entry") == [(0.1 + 0.2,)]
    store.journal.redo()
    with store.db.read():
        assert store.db.sql("SELECT amount FROM entry") == [(1e300 / 7,)]


def test_what_an_older_version_recorded_can_be_taken_back(paths: AppPaths, clock: FixedClock) -> None:
    paths.data.mkdir(parents=True)
    with closing(sqlite3.connect(paths.database)) as db:
        db.executescript((ROOT / "tests/data/db_0004.sql").read_text(encoding="utf-8"))
    store = open_store(paths, clock)
    before = rows(store)
    assert store.journal.undo().words("ko") == "되돌렸어요: 하루 걷기 · 2026-08-03(월) ‘쉬기’ 기록"
    assert day(-9) not in store.entries.for_habit(1)
    assert store.journal.undo().words("ko") == "되돌렸어요: ‘아침 햇빛’ 습관을 휴지통에 넣기"
    assert store.habits.get(3).framed_text == "아침에 바깥 빛을 10분 본다"
    for _each in range(2):
        store.journal.redo()
    assert rows(store) == before
    store.close()


# ---- many rows --------------------------------------------------------------------------------------------------


def test_thousands_of_rows_go_back_and_forth(store: Store) -> None:
    walk = add(store).id
    first = date(2001, 1, 1)
    before = rows(store)
    with acting(Source.IMPORT, action="import", name="큰 파일.db"), store.db.write():
        for number in range(5000):
            store.db.sql(
                "INSERT INTO entry (habit_id, date, value, created_at, updated_at) VALUES (?, ?, 'done', 'x', 'x')",
                (walk, (first + timedelta(days=number)).isoformat()),
            )
    after = rows(store)
    back = store.journal.undo()
    assert len(back.changes.entries) == back.change.rows == 5000
    assert rows(store) == before
    store.journal.redo()
    assert rows(store) == after


def test_an_undo_that_expects_a_change_never_takes_another(store: Store) -> None:
    walk = add(store).id
    store.entries.log(walk, EntryValue.DONE)
    shown = store.journal.history()[0].id
    store.entries.change(walk, day(-1), EntryValue.DONE)
    before = rows(store)
    with refused("undo_moved_on"):
        store.journal.undo(shown)
    assert rows(store) == before
    newest = store.journal.history()[0].id
    assert store.journal.undo(newest).change.id == newest
    store.journal.undo(shown)
    with refused("undo_moved_on"):
        store.journal.redo(newest)
    assert store.journal.redo(shown).change.id == shown
