"""Search without the trigram index, and in a file that can only be read."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.database import Database, DatabaseReadOnly
from lifehelper_desktop.storage.search import index as index_module
from lifehelper_desktop.storage.search.finder import Search
from lifehelper_desktop.storage.store import open_store
from tests.storage.support import add
from tests.storage.test_data_search import check_index, notes, slow, write


@pytest.fixture
def without_trigram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "has_trigram", lambda _execute: False)


@pytest.mark.usefixtures("without_trigram")
def test_without_the_trigram_index_every_text_is_looked_at(paths: AppPaths, clock: FixedClock) -> None:
    store = open_store(paths, clock)
    walk = add(store).id
    write(store, walk, 0, "물 한 잔 마시고 걷기")
    write(store, walk, -1, "무릎이 아팠다")
    for query in ("물", "걷기", "걷ㄱ", "아팠다", "없다"):
        assert notes(store, query) == slow(store, query)
    store.close()


def test_the_trigram_index_is_made_up_for(paths: AppPaths, clock: FixedClock, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(index_module, "has_trigram", lambda _execute: False)
        store = open_store(paths, clock)
        write(store, add(store).id, 0, "색인 없이 적은 말")
        store.close()
    store = open_store(paths, clock)
    assert notes(store, "색인") == ["색인 없이 적은 말"]
    check_index(store)
    store.close()


def test_who_types_finds_before_the_trigram_index_is_made_up_for(
    paths: AppPaths, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(index_module, "has_trigram", lambda _execute: False)
        store = open_store(paths, clock)
        write(store, add(store).id, 0, "색인 없이 적은 말")
        store.close()
    db = Database(paths, uri=f"{paths.database.as_uri()}?mode=ro", refusal=lambda: DatabaseReadOnly(paths.data))
    try:
        assert Search(db).find("색인", language="ko", patient=False).total == 1
    finally:
        db.close()


def test_a_file_that_can_only_be_read(paths: AppPaths, clock: FixedClock, tmp_path: Path) -> None:
    store = open_store(paths, clock)
    walk = add(store).id
    write(store, walk, 0, "읽기만 할 수 있는 말")
    store.close()
    with closing(sqlite3.connect(paths.database)) as other, other:
        other.execute("UPDATE entry SET note = '다른 프로그램의 말'")  # the index does not know it yet
    kept = tmp_path / "kept.db"
    shutil.copyfile(paths.database, kept)
    db = Database(paths, uri=f"{paths.database.as_uri()}?mode=ro", refusal=lambda: DatabaseReadOnly(paths.data))
    try:
        found = Search(db).find("프로그램", language="ko")
        assert [hit.text for hit in found.hits] == ["다른 프로그램의 말"]
        assert Search(db).find("읽기만", language="ko").total == 0
    finally:
        db.close()
    assert kept.read_bytes() == paths.database.read_bytes()
