"""Conversations on the disk: list, search, title, deletion, and the invocations that wrote something."""

from __future__ import annotations

import unicodedata
from datetime import timedelta

import peewee
import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.storage.conversations import TITLE_MAX, Invocation, StoredEvent, fold
from lifehelper_desktop.storage.store import Store
from tests.storage.support import refused


def said(text: str) -> StoredEvent:
    return StoredEvent("user", {"text": text, "context": ""}, text=text)


def test_a_conversation_is_called_after_its_first_message(store: Store) -> None:
    kept = store.conversations
    first = kept.start("  오늘 걷기\n다 했어  ")
    assert kept.get(first).title == "오늘 걷기 다 했어"
    assert len(kept.get(kept.start("가" * 500)).title) == TITLE_MAX
    assert kept.get(kept.start("\u200b")).title == "제목 없는 대화"


def test_the_newest_conversation_stands_first(store: Store, clock: FixedClock) -> None:
    kept = store.conversations
    one, two = kept.start("하나"), kept.start("둘")
    assert [row.id for row in kept.list()] == [two, one]
    clock.set(clock.now() + timedelta(minutes=1))
    assert kept.append(one, said("다시 왔어"))
    assert [row.id for row in kept.list()] == [one, two]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("걷기", True),
        ("기 다", True),
        ("COFFEE", True),
        (unicodedata.normalize("NFD", "걷기"), True),
        ("100%", True),
        ("100_", False),
        ("달리기", False),
        ("  걷기   다  ", True),
    ],
)
def test_search_finds_parts_of_words_in_any_case_and_form(store: Store, wanted: str, found: bool) -> None:
    kept = store.conversations
    number = kept.start("제목")
    kept.append(number, said(unicodedata.normalize("NFD", "오늘 걷기 다 했어")))
    kept.append(number, StoredEvent("model", {"text": "Coffee 100%", "stopped": False}, text="Coffee 100%"))
    kept.start("다른 대화")
    assert [row.id for row in kept.list(wanted)] == ([number] if found else [])


def test_a_title_is_found_and_renamed(store: Store) -> None:
    kept = store.conversations
    number = kept.start("Straße")
    assert kept.list("STRASSE")
    assert kept.rename(number, "  새 이름 \n") == "새 이름"
    assert kept.list("straße") == []
    assert kept.list("새 이름")[0].id == number
    with refused("validation"):
        kept.rename(number, " \u200b ")
    with refused("not_found"):
        kept.rename(999, "이름")


def test_deleting_takes_events_and_invocations_with_it(store: Store) -> None:
    kept = store.conversations
    number = kept.start("지울 대화")
    kept.append(number, said("비밀"))
    kept.record(Invocation("a" * 32, number), "log_tracker_entry", {"status": "ok", "data": {}})
    kept.delete(number)
    for table in ("conversation", "conversation_event", "invocation"):
        with store.db.read():
            assert store.db.sql(f"SELECT COUNT(*) FROM {table}") == [(0,)]
    with refused("not_found"):
        kept.get(number)
    with refused("not_found"):
        kept.delete(number)
    # Nothing is written to it again.
    assert not kept.append(number, said("또"))
    assert not kept.rewrite_last(number, said("또"), ())
    kept.record(Invocation("b" * 32, number), "log_tracker_entry", {})
    assert kept.done(Invocation("b" * 32, number)) is None


@pytest.mark.parametrize("number", [0, -1, 2**63, 10**400])
def test_ids_that_no_row_can_have(store: Store, number: int) -> None:
    assert store.conversations.events(number) == []
    with refused("not_found"):
        store.conversations.get(number)


def test_an_invocation_is_noted_once(store: Store) -> None:
    kept = store.conversations
    run = Invocation("k", kept.start("대화"))
    assert kept.done(run) is None
    kept.record(run, "add_habit", {"n": 1})
    assert kept.done(run) == {"n": 1}
    assert kept.results(run.conversation_id) == {"k": {"n": 1}}
    with pytest.raises(peewee.IntegrityError):
        kept.record(run, "add_habit", {"n": 2})
    assert kept.done(run) == {"n": 1}


def test_the_last_message_is_rewritten_and_only_named_calls_stay(store: Store) -> None:
    kept = store.conversations
    number = kept.start("대화")
    for event in (
        said("처음"),
        StoredEvent("model", {"text": "네", "stopped": False}, text="네"),
        said("둘째 말"),
        StoredEvent("call", {"n": 1}, "stays"),
        StoredEvent("result", {"n": 1}, "stays", "남은 줄"),
        StoredEvent("call", {"n": 2}, "goes"),
        StoredEvent("model", {"text": "비밀 답", "stopped": False}, text="비밀 답"),
    ):
        assert kept.append(number, event)
    assert kept.rewrite_last(number, said("고친 말"), {"stays"})
    assert [(event.kind, event.invocation) for event in kept.events(number)] == [
        ("user", None),
        ("model", None),
        ("user", None),
        ("call", "stays"),
        ("result", "stays"),
    ]
    assert kept.events(number)[2].body["text"] == "고친 말"
    assert not kept.list("비밀 답")
    assert not kept.list("둘째 말")
    assert kept.list("고친 말")


def test_text_that_sqlite_cannot_hold_is_stored(store: Store) -> None:
    kept = store.conversations
    number = kept.start("a\0b\ud800")
    assert kept.append(number, said("빈 \0 반쪽 \ud83d"))
    assert kept.events(number)[0].body["text"] == "빈 \0 반쪽 \ud83d"
    assert fold("\ud800") == "?"
