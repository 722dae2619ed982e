"""The data file of models, the list, the memory sum, the user's own files and the accepted terms."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import gguf
import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import MODEL_FAMILY
from lifehelper_desktop.llm.families import STARTER
from lifehelper_desktop.llm.gguf_header import read_header
from lifehelper_desktop.llm.model_store import STARTER_NAME
from lifehelper_desktop.llm.models import inventory, terms
from lifehelper_desktop.llm.models.inventory import (
    Place,
    add_file,
    find_row,
    list_models,
    read_added,
    remove_model,
    write_added,
)
from lifehelper_desktop.llm.models.known import STARTER_ID, known_model, known_models, read_models
from lifehelper_desktop.llm.models.memory import Fit, MemoryNeed, fit_of, need_of_file, need_of_known
from lifehelper_desktop.llm.models.part_file import PartFile
from lifehelper_desktop.llm.models.words import size_text, time_left_text


def write_model(path: Path, name: str = "Mine", **lists: list[int]) -> Path:
    """Write a small file with a Gemma's header."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, "gemma3")
    writer.add_name(name)
    writer.add_context_length(2048)
    writer.add_embedding_length(64)
    writer.add_feed_forward_length(128)
    writer.add_block_count(3)
    writer.add_head_count(4)
    writer.add_key_length(32)
    writer.add_value_length(16)
    if "kv" in lists:
        writer.add_head_count_kv(lists["kv"])
    else:
        writer.add_head_count_kv(2)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_the_data_file() -> None:
    models = known_models()
    assert models[0].id == STARTER_ID
    assert models[0].bundled
    assert models[0].file == STARTER_NAME
    assert [each.id for each in models if each.recommended] == ["gemma-4-e2b-it"]
    for each in models:
        assert each.family in (*MODEL_FAMILY.choices, STARTER)
        assert each.bundled is (each.repo == "")
        assert each.terms.url.startswith("https://")
        for language in ("ko", "en"):
            assert each.summary(language)
            assert each.terms.summary(language)
    assert known_model("no such") is None


@pytest.mark.parametrize("change", [{"file": "../x.gguf"}, {"file": "x.bin"}, {"id": "starter"}])
def test_a_wrong_data_file_is_a_bug(tmp_path: Path, change: dict[str, str]) -> None:
    from lifehelper_desktop.base.paths import resources_dir

    data = json.loads((resources_dir() / "models" / "models.json").read_text(encoding="utf-8"))
    data["models"][1].update(change)
    path = tmp_path / "models.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(ValueError):
        read_models(path)


def test_the_sum_of_a_file(tmp_path: Path) -> None:
    header = read_header(write_model(tmp_path / "a.gguf"))
    need = need_of_file(header, batch=64)
    assert need.kv == 2048 * 3 * 2 * (32 + 16) * 2  # the model's context is shorter than the app's
    assert need.compute == 64 * (8 * 64 + 3 * 128) * 4
    assert need.scores == 64 * 262_144 * 4
    assert need.total == need.file + need.kv + need.compute + need.scores
    assert need.file == (tmp_path / "a.gguf").stat().st_size
    assert need.exact


def test_lists_in_a_header_never_make_the_sum_too_small(tmp_path: Path) -> None:
    header = read_header(write_model(tmp_path / "a.gguf", kv=[1, 2, 2]))
    assert need_of_file(header, batch=64).kv == 2048 * 3 * 4 * (32 + 16) * 2


def test_the_starters_header_says_what_the_data_file_says(coach_model_path: Path) -> None:
    known = known_model(STARTER_ID)
    assert known is not None
    of_file, of_known = need_of_file(read_header(coach_model_path), batch=64), need_of_known(known, batch=64)
    assert (of_file.file, of_file.kv, of_file.compute, of_file.scores) == (
        of_known.file,
        of_known.kv,
        of_known.compute,
        of_known.scores,
    )


@pytest.mark.parametrize(("available", "fit"), [(400, Fit.AMPLE), (399, Fit.TIGHT), (300, Fit.TIGHT), (299, Fit.SHORT)])
def test_fit(available: int, fit: Fit) -> None:
    assert fit_of(MemoryNeed(100, 100, 50, 50, True), available) is fit


def test_the_list_of_a_fresh_installation(paths: AppPaths) -> None:
    rows = list_models(paths, "", "")
    assert [row.id for row in rows] == [each.id for each in known_models()]
    assert [row.place for row in rows] == [Place.BUNDLED] + [Place.ABSENT] * 5
    assert [row.in_use for row in rows] == [True] + [False] * 5
    assert rows[0].is_here
    assert rows[0].setting == ""
    assert not rows[1].is_here
    assert not paths.models.exists(), "looking makes no folder"


def test_files_in_the_folder_count_and_halves_do_not(paths: AppPaths) -> None:
    e2b, one = known_model("gemma-4-e2b-it"), known_model("gemma-3-1b-it")
    assert e2b is not None
    assert one is not None
    write_model(paths.models / e2b.file, "Gemma 4")
    own = write_model(paths.models / "zz own.gguf", "Own\n\x1b[31mname")
    part = PartFile(paths.models, one.file, "0" * 64)
    part.append(b"half")
    part.close()
    (paths.models / "other.gguf.part").write_bytes(b"half")
    rows = {row.id: row for row in list_models(paths, str(own), "")}
    assert rows[e2b.id].place is Place.HERE
    assert rows[e2b.id].is_here
    assert rows[e2b.id].need.exact
    assert rows[one.id].place is Place.BEGUN
    assert rows[one.id].fetched == 4
    assert not rows[one.id].is_here
    assert rows[str(own)].in_use
    assert rows[str(own)].name == "Own[31mname"
    assert len(rows) == len(known_models()) + 1


def test_a_broken_file_in_the_folder_cannot_be_chosen(paths: AppPaths) -> None:
    e2b = known_model("gemma-4-e2b-it")
    assert e2b is not None
    path = write_model(paths.models / e2b.file)
    path.write_bytes(path.read_bytes()[:200])
    row = find_row(list_models(paths, "", ""), e2b.id)
    assert row is not None
    assert "끊겨" in row.problem
    assert not row.is_here


def test_headers_are_left_alone_when_asked(paths: AppPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    own = write_model(paths.models / "own.gguf", "Its name")
    monkeypatch.setattr(inventory, "_cache", {})
    assert list_models(paths, "", "", headers=False)[-1].name == "own"
    assert list_models(paths, "", "")[-1].name == "Its name"
    assert list_models(paths, "", "", headers=False)[-1].name == "Its name"
    assert find_row(list_models(paths, "", ""), str(own)) is not None


def test_adding_and_removing_a_file(paths: AppPaths, tmp_path: Path) -> None:
    mine = write_model(tmp_path / "내 것.gguf")
    path, setting = add_file("", mine)
    assert path == mine
    assert add_file(setting, mine)[1] == setting
    row = find_row(list_models(paths, "", setting), str(mine))
    assert row is not None
    assert row.place is Place.ADDED
    assert remove_model(paths, row, setting) == "[]"
    assert mine.exists()


def test_what_is_no_model_is_not_added(tmp_path: Path) -> None:
    wrong = tmp_path / "a.gguf"
    wrong.write_text("no")
    for path in (wrong, tmp_path / "absent.gguf", tmp_path):
        with pytest.raises(WorldError):
            add_file("", path)


def test_what_may_not_be_removed(paths: AppPaths) -> None:
    own = write_model(paths.models / "own.gguf")
    rows = list_models(paths, str(own), "")
    with pytest.raises(WorldError, match="앱의 일부"):
        remove_model(paths, rows[0], "")
    with pytest.raises(WorldError, match="지금 쓰는"):
        remove_model(paths, rows[-1], "")
    assert own.exists()
    remove_model(paths, list_models(paths, "", "")[-1], "")
    assert not own.exists()


@pytest.mark.parametrize("setting", ["nonsense", "{}", "[1, null]", "3"])
def test_unreadable_settings_are_empty(setting: str) -> None:
    assert read_added(setting) == []
    gemma = known_models()[0].terms
    assert terms.accepted_on(setting, gemma) is None
    assert terms.accepted_on(terms.accept(setting, gemma, date(2026, 8, 12)), gemma) == date(2026, 8, 12)


def test_files_are_named_once() -> None:
    assert write_added([Path("/a"), Path("/b"), Path("/a")]) == json.dumps([str(Path("/a")), str(Path("/b"))])


def test_another_version_of_the_terms_is_asked_for_anew() -> None:
    from dataclasses import replace

    gemma, apache = known_models()[0].terms, known_models()[1].terms
    setting = terms.accept("", gemma, date(2026, 8, 12))
    assert terms.accepted_on(setting, replace(gemma, version="later")) is None
    assert terms.accepted_on(setting, apache) is None
    both = terms.accept(setting, apache, date(2026, 8, 13))
    assert terms.accepted_on(both, gemma) == date(2026, 8, 12)
    assert terms.accepted_on(both.replace("2026-08-12", "someday"), gemma) is None


def test_sizes_and_times_in_words() -> None:
    assert [size_text(each) for each in (0, 999, 1000, 806_058_240, 999_800_000, 3_106_736_256)] == [
        "0B",
        "999B",
        "1KB",
        "806MB",
        "1.0GB",
        "3.1GB",
    ]
    assert [time_left_text(each) for each in (1, 42, 70, 7_260)] == [
        "약 5초 남음",
        "약 40초 남음",
        "약 1분 남음",
        "약 2시간 1분 남음",
    ]
    set_language("en")
    assert time_left_text(42)
