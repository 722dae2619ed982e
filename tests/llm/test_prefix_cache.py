"""The files of prompt prefixes: whole, right and few, or not used."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lifehelper_desktop.llm.prefix_cache import PrefixCache, common_length, model_identity

TOKENS = list(range(100))
STATE = bytes(range(256)) * 40


def make(folder: Path, *identity: str, max_files: int = 4, max_bytes: int = 10**6) -> PrefixCache:
    return PrefixCache(folder / "prefixes", identity or ("model",), max_files=max_files, max_bytes=max_bytes)


def files(folder: Path) -> list[Path]:
    return sorted((folder / "prefixes").iterdir())


def test_what_was_saved_comes_back(tmp_path: Path) -> None:
    make(tmp_path).save(TOKENS, STATE)
    assert make(tmp_path).load(TOKENS) == STATE
    assert len(files(tmp_path)) == 1


def test_another_prompt_model_or_engine_has_another_file(tmp_path: Path) -> None:
    make(tmp_path, "model", "engine 1").save(TOKENS, STATE)
    for other in (("model", "engine 2"), ("other", "engine 1"), ("modelengine 1",), ("model", "engine 1", "")):
        assert make(tmp_path, *other).load(TOKENS) is None
    assert make(tmp_path, "model", "engine 1").load(TOKENS[:-1]) is None
    assert make(tmp_path, "model", "engine 1").load([*TOKENS[:-1], 7]) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:30],
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"XXPREFIX1\n" + data[10:],
        lambda data: data[:200] + bytes([data[200] ^ 1]) + data[201:],
        lambda data: data[:60] + bytes([data[60] ^ 1]) + data[61:],
        lambda data: os.urandom(len(data)),
    ],
)
def test_a_damaged_file_is_ignored_and_written_anew(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    cache = make(tmp_path)
    cache.save(TOKENS, STATE)
    path = files(tmp_path)[0]
    path.write_bytes(damage(path.read_bytes()))
    assert cache.load(TOKENS) is None
    cache.save(TOKENS, STATE)
    assert cache.load(TOKENS) == STATE


def test_a_file_of_another_prompt_under_this_name_is_ignored(tmp_path: Path) -> None:
    cache = make(tmp_path)
    cache.save(TOKENS, STATE)
    (mine,) = files(tmp_path)
    cache.save(TOKENS[:50], STATE[:-1])
    (other,) = [path for path in files(tmp_path) if path != mine]
    other.replace(mine)
    assert cache.load(TOKENS) is None


def test_the_newest_few_are_kept(tmp_path: Path) -> None:
    cache = make(tmp_path, max_files=3)
    for number in range(5):
        cache.save([number], STATE)
        path = max(files(tmp_path), key=lambda item: item.stat().st_mtime_ns)
        os.utime(path, (1000 + number, 1000 + number))
    assert [cache.load([number]) is not None for number in range(5)] == [False, False, True, True, True]


def test_use_keeps_a_file_young(tmp_path: Path) -> None:
    cache = make(tmp_path, max_files=2)
    for number in range(2):
        cache.save([number], STATE)
    for path in files(tmp_path):
        os.utime(path, (1000, 1000))
    assert cache.load([0]) == STATE
    cache.save([2], STATE)
    assert [cache.load([number]) is not None for number in range(3)] == [True, False, True]


def test_bytes_are_bounded(tmp_path: Path) -> None:
    cache = make(tmp_path, max_bytes=25_000)
    for number in range(3):
        cache.save([number], STATE)
    assert len(files(tmp_path)) == 2
    cache.save([9], b"x" * 25_001)
    assert cache.load([9]) is None
    assert len(files(tmp_path)) == 2


def test_leftovers_of_a_crash_go(tmp_path: Path) -> None:
    cache = make(tmp_path)
    cache.save(TOKENS, STATE)
    old, fresh = (tmp_path / "prefixes" / name for name in ("a.prefix.1.part", "b.prefix.2.part"))
    for path in (old, fresh):
        path.write_bytes(b"half")
    os.utime(old, (1000, 1000))
    cache.save([1], STATE)
    assert not old.exists()
    assert fresh.exists()  # another process may be writing it


def test_a_folder_that_cannot_be_used_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "prefixes").write_text("a file is in the way", encoding="utf-8")
    cache = make(tmp_path)
    cache.save(TOKENS, STATE)
    assert cache.load(TOKENS) is None
    cache.forget(TOKENS)


def test_the_identity_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"one")
    os.utime(path, (1000, 1000))
    first = model_identity(path)
    assert model_identity(path) == first
    path.write_bytes(b"two")
    os.utime(path, (1000, 1000))
    assert model_identity(path) != first
    os.utime(path, (1000, 1001))
    second = model_identity(path)
    path.write_bytes(b"two!")
    assert len({first, second, model_identity(path)}) == 3


def test_common_length() -> None:
    assert common_length([], [1]) == 0
    assert common_length([1, 2, 3], [1, 2]) == 2
    assert common_length([1, 2, 3], [1, 5, 3]) == 1
