"""The summary of a conversation lies and goes with it, and what was deleted stays deleted."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.talk_summaries import SUMMARY_MAX, SummaryMaker, TalkSummary

RULE, MODEL = SummaryMaker.RULE, SummaryMaker.MODEL


@pytest.fixture
def number(store: Store) -> int:
    return store.conversations.start("긴 이야기")


def test_it_is_stored_and_replaced(store: Store, number: int, clock: FixedClock) -> None:
    assert store.summaries.get(number) is None
    first = TalkSummary("한 말: “안녕”", RULE, 8)
    assert store.summaries.save(number, first) == first
    second = TalkSummary("잠 이야기를 했다.\n바뀐 것: 없음", MODEL, 12)
    store.summaries.save(number, second)
    assert store.summaries.get(number) == second
    store.close()
    again = open_store(store.paths, clock)
    assert again.summaries.get(number) == second
    again.close()


def test_deleted_is_not_made_again_from_the_same(store: Store, number: int) -> None:
    assert not store.summaries.delete(number)
    made = TalkSummary("잠 이야기", MODEL, 8)
    store.summaries.save(number, made)
    assert store.summaries.delete(number)
    empty = TalkSummary("", MODEL, 8, 8)
    assert store.summaries.get(number) == empty
    assert not store.summaries.delete(number)
    # Who does not know of it (a model that was just at it, another program) brings nothing back.
    assert store.summaries.save(number, made) == empty
    assert store.summaries.save(number, TalkSummary("잠 이야기와 그 뒤", MODEL, 12)) == empty
    later = TalkSummary("그 뒤", RULE, 12, 8)
    assert store.summaries.save(number, later) == later


def test_it_goes_with_its_conversation(store: Store, number: int) -> None:
    store.summaries.save(number, TalkSummary("가", RULE, 1))
    store.conversations.delete(number)
    assert store.summaries.get(number) is None
    assert store.summaries.save(number, TalkSummary("가", RULE, 1)) is None
    with store.db.read():
        assert store.db.sql("SELECT COUNT(*) FROM conversation_summary") == [(0,)]


def test_no_other_number_finds_one(store: Store) -> None:
    for wrong in (0, -1, 2**70, "1", None):
        assert store.summaries.get(wrong) is None  # type: ignore[arg-type]
        assert not store.summaries.delete(wrong)  # type: ignore[arg-type]


def test_text_from_outside_is_made_fit(store: Store, number: int) -> None:
    store.summaries.save(number, TalkSummary("가\0나\ud800 \u202e다\n라" + "마" * 9000, MODEL, 3))
    found = store.summaries.get(number)
    assert found is not None
    assert found.text.startswith("가나\ufffd 다\n라")
    assert len(found.text) == SUMMARY_MAX


def test_it_is_in_backups_and_not_in_the_history_of_changes(store: Store, number: int) -> None:
    before = store.journal.history()
    store.summaries.save(number, TalkSummary("가", RULE, 1))
    store.summaries.delete(number)
    store.summaries.save(number, TalkSummary("나", RULE, 2, 1))
    assert store.journal.history() == before
    with closing(sqlite3.connect(store.paths.database)) as source:
        path = backups.write_backup(source, store.paths, "manual")
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as copy:
        assert copy.execute("SELECT body, covers, forgotten FROM conversation_summary").fetchall() == [("나", 2, 1)]
