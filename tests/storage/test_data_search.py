"""Search in the user's own texts: what is found, and that the index is right whoever writes."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.searching import finds_all, search_form, search_words
from lifehelper_desktop.storage.conversations import StoredEvent
from lifehelper_desktop.storage.restoring import backup_infos, restore
from lifehelper_desktop.storage.search.finder import Found, HitKind
from lifehelper_desktop.storage.search.sources import LIVE_TEXTS
from lifehelper_desktop.storage.store import Store, open_store
from tests.storage.support import TODAY, add, child, day
from tests.storage.test_migrations import OLD_DATABASES, make


def notes(store: Store, query: str, *, typing: bool = False) -> list[str]:
    """Return the notes that are found, oldest first, whole: they are short here."""
    found = store.search.find(query, language="ko", limit=1000, typing=typing)
    hits = [hit for hit in found.hits if hit.kind is HitKind.NOTE]
    assert len(hits) == found.counts.get(HitKind.NOTE, 0)
    return [hit.text for hit in sorted(hits, key=lambda hit: (hit.day, hit.id))]


def write(store: Store, habit_id: int, offset: int, note: str) -> None:
    store.entries.change(habit_id, day(offset), EntryValue.DONE, note=note)


def check_index(store: Store) -> None:
    """The index holds what a fresh one would, and FTS5 agrees with itself and with the texts."""
    store.search.index.catch_up()
    with store.db.read():
        kept = set(store.db.sql("SELECT kind, ref, spaced, keys FROM search_text"))
        for kind, texts in LIVE_TEXTS.items():
            rows = store.db.sql(texts)
            assert {row for row in kept if row[0] == kind} == {
                (kind, ref, search_form(text).spaced, search_form(text).keys) for _kind, ref, text in rows
            }
    with store.db.write():
        store.db.sql("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)")


@pytest.fixture
def walk(store: Store) -> int:
    return add(store).id


# ---- what is found --------------------------------------------------------------------------------------------------


def test_short_korean_words_and_jamo(store: Store, walk: int) -> None:
    write(store, walk, 0, "물 한 잔 마시고 걷기")
    write(store, walk, -1, "무릎이 아팠다")
    write(store, walk, -2, "차 한잔, TV 끄고 산책ㅋㅋ")
    assert notes(store, "물") == ["물 한 잔 마시고 걷기"]
    assert notes(store, "걷기") == ["물 한 잔 마시고 걷기"]
    assert notes(store, "걷ㄱ") == ["물 한 잔 마시고 걷기"]
    assert notes(store, "차") == ["차 한잔, TV 끄고 산책ㅋㅋ"]
    assert notes(store, "tv") == ["차 한잔, TV 끄고 산책ㅋㅋ"]
    assert notes(store, "ㅋㅋ") == ["차 한잔, TV 끄고 산책ㅋㅋ"]
    assert notes(store, "한잔") == ["차 한잔, TV 끄고 산책ㅋㅋ", "물 한 잔 마시고 걷기"]
    assert notes(store, "무르", typing=True) == ["무릎이 아팠다"]
    assert notes(store, "무르") == []


def test_what_begins_like_it_only_when_nothing_is_as_written(store: Store, walk: int) -> None:
    write(store, walk, 0, "가나다")
    assert store.search.find("간", language="ko", typing=True).is_exact is False
    write(store, walk, -1, "간식")
    found = store.search.find("간", language="ko", typing=True)
    assert (found.is_exact, [hit.text for hit in found.hits]) == (True, ["간식"])


def test_every_text_of_a_habit_is_found_with_its_field(store: Store, walk: int) -> None:
    store.habits.set_doses(walk, store.habits.get(walk).standard_dose, "현관 밖으로 나가기")
    with store.db.write():
        store.db.sql("UPDATE habit SET anchor_when = '새벽 종소리'")
    habit = store.habits.get(walk)

    def field(query: str, language: str = "ko") -> str:
        [hit] = store.search.find(query, language=language).hits
        assert (hit.kind, hit.habit_id, hit.title) == (HitKind.HABIT, walk, habit.title(language))
        return hit.field

    assert field(habit.title_ko) == "title"
    assert field(habit.title_en.upper(), "en") == "title"
    assert field("20분 걷는다") == "sentence"
    assert field(habit.standard_dose) == "dose"
    assert field("현관") == "minimum_dose"
    assert field("종소리") == "anchor"
    assert store.search.find("현관 저녁", language="ko").total == 1, "words of two fields"
    assert store.search.find("나가기하루", language="ko").total == 0, "no word across two fields"


def test_better_places_come_first_and_the_newest_of_equals(store: Store, walk: int) -> None:
    for offset, note in ((-3, "비가 왔다"), (-2, "저녁 준비"), (-1, "또 비")):
        write(store, walk, offset, note)
    hits = store.search.find("비", language="ko").hits
    assert [hit.text for hit in hits] == ["또 비", "비가 왔다", "저녁 준비"]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    hits = store.search.find("걷기", language="ko").hits
    assert hits[0].kind is HitKind.HABIT


def test_limits_cut_the_hits_and_not_the_counts(store: Store, walk: int) -> None:
    for offset in range(30):
        write(store, walk, -offset, f"{offset} 번째 산책")
    found = store.search.find("산책", language="ko", limit=5)
    assert (len(found.hits), found.counts) == (5, {HitKind.NOTE: 30})
    assert [hit.day for hit in found.hits] == [TODAY - timedelta(days=back) for back in range(5)]
    assert store.search.find("산책", language="ko", habit_id=walk + 1).total == 0
    assert store.search.find("산책", language="ko", habit_id=walk).total == 30


def test_archived_is_marked_and_the_trash_never_seen(store: Store, walk: int) -> None:
    write(store, walk, 0, "노을을 보았다")
    store.habits.archive(walk)
    assert all(hit.is_archived for hit in store.search.find("노을", language="ko").hits)
    assert notes(store, "노을") == ["노을을 보았다"]
    store.trash.delete(walk)
    assert store.search.find("노을", language="ko") == Found()
    assert store.search.find("20분 걷는다", language="ko") == Found()
    store.trash.restore(walk)
    assert notes(store, "노을") == ["노을을 보았다"]


def test_conversations_only_when_asked(store: Store, walk: int) -> None:
    talk = store.conversations.start("무릎이 아픈데 걸어도 될까")
    store.conversations.append(talk, StoredEvent("user", {"text": "무릎이 아픈데 걸어도 될까"}, text="무릎이 아픈데"))
    store.conversations.append(talk, StoredEvent("model", {"text": "\ud800 천천히 고슴도치처럼"}, text="천천히"))
    assert store.search.find("무릎", language="ko").total == 0
    found = store.search.find("무릎", language="ko", conversations=True)
    assert {hit.field for hit in found.hits} == {"title", "message"}
    assert {hit.id for hit in found.hits} == {talk}
    [hit] = store.search.find("고슴도치", language="ko", conversations=True).hits
    assert "고슴도치처럼" in hit.text
    store.conversations.delete(talk)
    assert store.search.find("무릎", language="ko", conversations=True).total == 0
    with store.db.read():
        assert store.db.sql("SELECT COUNT(*) FROM search_text WHERE kind IN ('message', 'topic')") == [(0,)]
    check_index(store)


HOSTILE = (
    *(
        '"',
        "'",
        "*",
        '""',
        '"걷기',
        "걷기*",
        "NEAR(걷기 물, 2)",
        "걷기 OR 물",
        "keys:걷기",
        "^걷기",
        "-걷기",
        "(",
        "a AND",
    ),
    *(
        "%",
        "_",
        "\\",
        "'; DROP TABLE entry; --",
        "\x00",
        "걷기\x00물",
        "\ud800",
        "\ue000",
        "🙂",
        "가" * 5000,
        "a " * 90,
    ),
    *("\u202e걷기", "{keys}", "?", ":x", "NOT", "NULL", "ㅤ", "\U000e0041"),
)


@pytest.mark.parametrize("query", HOSTILE)
def test_hostile_queries_are_text(store: Store, walk: int, query: str) -> None:
    for offset, note in enumerate(("걷기와 물", '말했다: "걷기"', "100% *별* (괄호) _밑줄_ - ^", "🙂 keys")):
        write(store, walk, -offset, note)
    kept = notes(store, "걷기") + notes(store, "별")
    expected = slow(store, query)
    assert notes(store, query) == expected
    assert notes(store, "걷기") + notes(store, "별") == kept


def slow(store: Store, query: str, *, typing: bool = False) -> list[str]:
    """Look at every note, one by one, oldest first; each in one line and without doubled spaces, as hits show it."""
    words = search_words(query)
    with store.db.read():
        rows = store.db.sql(
            "SELECT note FROM entry JOIN habit ON habit.id = habit_id "
            "WHERE note <> '' AND deleted_on IS NULL ORDER BY date, entry.id"
        )
    found = [note for (note,) in rows if words and finds_all(words, search_form(note), typing=typing)]
    return [" ".join(note.split()) for note in found]


SYLLABLES = st.sampled_from(
    ["물", "무", "릎", "걷", "기", "차", "비", "ㄱ", "ㅋ", " ", "a", "the", "art", "é", '"', "%", "１"]
)
TEXT = st.lists(SYLLABLES, max_size=8).map("".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(["물  물"], ["물"])
@given(st.lists(TEXT, min_size=1, max_size=10), st.lists(TEXT, min_size=1, max_size=5))
def test_the_index_finds_what_a_plain_slow_search_finds(store: Store, written: list[str], queries: list[str]) -> None:
    habits = store.habits.list()
    habit_id = habits[0].id if habits else add(store).id
    for offset, note in enumerate(written):
        write(store, habit_id, -offset, note)
    for query in queries:
        assert notes(store, query) == slow(store, query)
    check_index(store)


# ---- the index is right whoever writes ------------------------------------------------------------------------------


def test_undo_and_redo_and_nothing_of_it_in_the_history(store: Store, walk: int) -> None:
    write(store, walk, 0, "처음 적은 말")
    write(store, walk, 0, "고쳐 적은 말")
    changes = len(store.journal.history())
    assert notes(store, "적은") == ["고쳐 적은 말"]
    assert len(store.journal.history()) == changes
    for expected in (["처음 적은 말"], []):
        store.journal.undo()
        assert notes(store, "적은") == expected
    for expected in (["처음 적은 말"], ["고쳐 적은 말"]):
        store.journal.redo()
        assert notes(store, "적은") == expected
    store.entries.change(walk, TODAY, None)
    assert notes(store, "적은") == []
    check_index(store)
    with store.db.read():
        tables = store.db.sql("SELECT DISTINCT table_name FROM journal_row")
    assert not [name for (name,) in tables if name.startswith("search")]


def test_a_habit_that_is_changed_or_purged(store: Store, walk: int) -> None:
    write(store, walk, 0, "남길 말")
    store.habits.set_frame(walk, 3, "나는 노을을 보며 걷는 사람이다")
    assert store.search.find("노을", language="ko").total == 1
    assert store.search.find("20분", language="ko").total == 0
    store.trash.delete(walk)
    store.trash.remove(walk)
    assert store.search.find("남길", language="ko") == Found()
    check_index(store)
    with store.db.read():
        assert store.db.sql("SELECT COUNT(*) FROM search_text") == [(0,)]


def test_an_import_and_its_undo(store: Store, clock: FixedClock, walk: int, tmp_path: Path) -> None:
    write(store, walk, 0, "옮겨 온 말")
    file = tmp_path / "all.json"
    store.transfers.export_json(file)
    other = open_store(AppPaths(tmp_path / "other", tmp_path / "cache", tmp_path / "logs"), clock)
    try:
        other.transfers.run(other.transfers.preview(file))
        assert notes(other, "옮겨") == ["옮겨 온 말"]
        assert other.search.find("20분 걷는다", language="ko").counts == {HitKind.HABIT: 1}
        other.journal.undo()
        assert other.search.find("옮겨", language="ko") == Found()
        check_index(other)
    finally:
        other.close()


def test_another_program_writes(store: Store, paths: AppPaths, walk: int) -> None:
    assert notes(store, "다른") == []
    with closing(sqlite3.connect(paths.database)) as other, other:
        # It knows nothing of the search, nor of our functions.
        other.execute(
            "INSERT OR REPLACE INTO entry (habit_id, date, value, note, created_at, updated_at) "
            "VALUES (?, ?, 'done', '다른 프로그램이 적은 말', '', '')",
            (walk, TODAY.isoformat()),
        )
    assert notes(store, "다른") == ["다른 프로그램이 적은 말"]
    with closing(sqlite3.connect(paths.database)) as other, other:
        other.execute(
            "INSERT OR REPLACE INTO entry (habit_id, date, value, note, created_at, updated_at) "
            "VALUES (?, ?, 'done', '바꾸어 적은 말', '', '')",
            (walk, TODAY.isoformat()),
        )
    assert notes(store, "다른") == []
    assert notes(store, "적은") == ["바꾸어 적은 말"]


def test_two_stores_on_one_file(store: Store, paths: AppPaths, clock: FixedClock, walk: int) -> None:
    other = open_store(paths, clock)
    try:
        write(other, walk, 0, "저쪽에서")
        assert notes(store, "저쪽") == ["저쪽에서"]
        write(store, walk, 0, "이쪽에서")
        assert notes(other, "이쪽") == ["이쪽에서"]
        check_index(other)
    finally:
        other.close()


def test_a_backup_brings_its_own_index(store: Store, walk: int) -> None:
    write(store, walk, 0, "그때 적은 말")
    store.db.backup("manual")
    write(store, walk, 0, "지금 적은 말")
    write(store, walk, -1, "더 적은 말")
    [backup] = backup_infos(store.paths)
    restore(store.db, backup)
    assert notes(store, "적은") == ["그때 적은 말"]
    check_index(store)
    write(store, walk, -2, "되살린 뒤 적은 말")
    assert notes(store, "적은") == ["되살린 뒤 적은 말", "그때 적은 말"]


@pytest.mark.parametrize("script", OLD_DATABASES, ids=lambda path: path.stem)
def test_old_data_is_found(paths: AppPaths, clock: FixedClock, script: Path) -> None:
    make(paths, script)
    store = open_store(paths, clock)
    assert notes(store, "집앞") == ["집 앞만 🙂"]
    check_index(store)
    store.close()


def test_very_much_at_once(store: Store, walk: int) -> None:
    """More than a transaction takes along: the rest follows before the next search."""
    with store.db.write():
        store.db.sql(
            "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
            "INSERT INTO entry (habit_id, date, value, note, created_at, updated_at) "
            "SELECT ?, date('2010-01-01', i || ' days'), 'done', '메모 ' || i, '', '' FROM n",
            (walk,),
        )
    assert store.search.find("메모", language="ko", limit=1).total == 5000
    assert notes(store, "4321") == ["메모 4321"]
    check_index(store)


def test_who_types_does_not_wait_for_very_much(store: Store, walk: int) -> None:
    write(store, walk, 0, "여기")
    assert store.search.find("여기", language="ko", patient=False).total == 1


def test_killed_while_writing(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    habit = add(store)
    store.close()
    for lines in (1, 7):
        writer = child(paths, "write-until-killed", str(habit.id))
        assert writer.stdout is not None
        assert writer.stdin is not None
        writer.stdout.readline()
        writer.stdin.write("go\n")
        writer.stdin.flush()
        for _line in range(lines):
            writer.stdout.readline()
        writer.kill()
        writer.communicate(timeout=30)
        store = open_store(paths, clock)
        written = [entry for entry in store.entries.for_habit(habit.id).values() if entry.note]
        assert store.search.find("적은 날", language="ko", limit=1).counts == {HitKind.NOTE: len(written)}
        check_index(store)
        store.close()


def test_many_writes_in_random_order(store: Store, walk: int) -> None:
    chance = random.Random(7)
    words = ["물", "걷기", "비", "준비", "무릎", "TV", "차 한잔", "ㅋㅋ", "고슴도치"]
    for _round in range(150):
        offset = -chance.randrange(20)
        match chance.randrange(5):
            case 0:
                store.entries.change(walk, day(offset), None)
            case 1 if store.journal.next_undo() is not None and len(store.journal.history()) > 5:
                store.journal.undo()
            case _:
                write(store, walk, offset, " ".join(chance.choices(words, k=3)))
        if _round % 15 == 0:
            for word in words:
                assert notes(store, word) == slow(store, word)
    check_index(store)
