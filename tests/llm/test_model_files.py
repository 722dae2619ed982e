"""Bad model files: each gets a clear sentence with a next step, and the process lives."""

from __future__ import annotations

import errno
import os
import random
import struct
import sys
import threading
import time
from pathlib import Path

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.llm import model_store, probe, starter_merge
from lifehelper_desktop.llm.gguf_header import GgufError, read_header
from lifehelper_desktop.llm.llama_service import LlamaService
from lifehelper_desktop.llm.protocol import LlmStopped
from tests.llm.support import write_gguf
from tests.llm.tiny_gguf import write_adapter, write_base

GEMMA = {"general.architecture": "gemma3", "general.name": "작은 모델", "gemma3.context_length": 2048}


def refused(path: Path) -> WorldError:
    """Return the error that loading `path` ends in."""
    service = LlamaService(lambda: path)
    with pytest.raises(WorldError) as caught:
        service.load()
    assert caught.value.next_step
    assert not service.is_loaded
    return caught.value


def test_header_of_a_small_file(tmp_path: Path) -> None:
    tensors = [("a", (64, 2), 0, 0), ("b", (32, 1), 8, 512)]
    path = write_gguf(tmp_path / "m.gguf", {**GEMMA, "tokenizer.chat_template": "{{x}}"}, tensors, b"\0" * 600)
    header = read_header(path)
    assert (header.architecture, header.name, header.context_length) == ("gemma3", "작은 모델", 2048)
    assert header.chat_template == "{{x}}"
    assert header.tensor_count == 2
    assert header.needed_bytes == header.file_bytes - 600 + 512 + 34


def test_empty_and_missing_and_folder(tmp_path: Path) -> None:
    empty = tmp_path / "빈 모델.gguf"
    empty.write_bytes(b"")
    assert "비어" in refused(empty).message
    assert "빈 모델.gguf" in refused(empty).message
    assert "찾을 수 없어요" in refused(tmp_path / "none.gguf").message
    assert "열 수 없어요" in refused(tmp_path).message


def test_random_bytes_and_other_formats(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    path.write_bytes(random.Random(1).randbytes(100_000))
    assert "GGUF 모델 파일이 아니에요" in refused(path).message
    path.write_bytes(b"GGUF" + random.Random(2).randbytes(100_000))
    refused(path)
    path.write_bytes(b"PK\3\4 zip")
    assert "GGUF 모델 파일이 아니에요" in refused(path).message
    path.write_bytes(b"GG")
    refused(path)


def test_unknown_version(tmp_path: Path) -> None:
    assert "버전" in refused(write_gguf(tmp_path / "m.gguf", GEMMA, version=99)).message


def test_another_architecture(tmp_path: Path) -> None:
    error = refused(write_gguf(tmp_path / "m.gguf", {"general.architecture": "llama"}))
    assert "llama" in error.message
    assert "Gemma" in error.next_step
    refused(write_gguf(tmp_path / "m.gguf", {"general.name": "no architecture"}))


def test_truncated_anywhere(tmp_path: Path) -> None:
    whole = write_gguf(tmp_path / "m.gguf", GEMMA, [("a", (64, 2), 0, 0)], b"\0" * 512).read_bytes()
    path = tmp_path / "cut.gguf"
    for size in range(1, len(whole) - 1, 7):
        path.write_bytes(whole[:size])
        with pytest.raises(GgufError):
            read_header(path)
    path.write_bytes(whole[:-1])
    assert "끊겨" in refused(path).message


def test_lies_about_counts_cost_neither_memory_nor_time(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    for body in (
        struct.pack("<QQ", 2**60, 1),
        struct.pack("<QQ", 0, 2**60),
        struct.pack("<QQ", 0, 1) + struct.pack("<Q", 2**50) + b"key",
        struct.pack("<QQ", 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", 9) + struct.pack("<IQ", 8, 2**62),
        struct.pack("<QQ", 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", 9) + struct.pack("<IQ", 9, 5),
        struct.pack("<QQ", 0, 1) + struct.pack("<Q", 1) + b"k" + struct.pack("<I", 77),
        struct.pack("<QQ", 1, 0) + struct.pack("<Q", 1) + b"t" + struct.pack("<I", 2**31),
        struct.pack("<QQ", 1, 0) + struct.pack("<Q", 1) + b"t" + struct.pack("<IQQIQ", 2, 2**63, 2**63, 0, 0),
    ):
        path.write_bytes(b"GGUF" + struct.pack("<I", 3) + body + b"\0" * 64)
        with pytest.raises(GgufError):
            read_header(path)


def file_with_holes(path: Path, *values: bytes) -> Path:
    """Write a header of these values, and behind it a terabyte that takes no room on the disk."""
    with path.open("wb") as file:
        file.write(b"GGUF" + struct.pack("<IQQ", 3, 0, 20_000))
        for value in values:
            file.write(struct.pack("<Q", 1) + b"k" + value)
        file.truncate(1 << 40)
    return path


@pytest.mark.parametrize(
    "values",
    [
        [struct.pack("<IIQ", 9, 8, 20_000_000)],  # strings in an array, each to be read past
        [struct.pack("<IIQ", 9, 8, 100_000) + b"\0" * 800_000] * 25,
        [struct.pack("<IQ", 8, 16 * 1024 * 1024) + b"\0" * (16 * 1024 * 1024)] * 3,  # texts that would be kept
    ],
)
def test_a_file_with_holes_costs_neither_memory_nor_time(tmp_path: Path, values: list[bytes]) -> None:
    path = file_with_holes(tmp_path / "m.gguf", *values)
    began = time.process_time()
    with pytest.raises(GgufError, match="more than"):
        read_header(path)
    assert time.process_time() - began < 10


def test_an_engine_that_does_not_load_is_not_the_file_s_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_gguf(tmp_path / "m.gguf", GEMMA)
    monkeypatch.setenv("LLAMA_CPP_LIB_PATH", str(tmp_path))  # of the child: nothing lies there
    error = refused(path)
    assert "엔진을 불러오지 못했어요" in error.message
    assert "다시 설치" in error.next_step
    monkeypatch.setattr(probe, "probe_command", lambda _path: [sys.executable, "-c", "import os; os.abort()"])
    assert "엔진을" in refused(path).message, "it ended before it touched the file"
    code = f"import os; print({probe._ENGINE_LOADED!r}, flush=True); os.abort()"
    monkeypatch.setattr(probe, "probe_command", lambda _path: [sys.executable, "-c", code])
    assert "열리지 않았어요" in refused(path).message


def test_a_plausible_header_with_nothing_behind_it_fails_in_the_child(tmp_path: Path) -> None:
    error = refused(write_gguf(tmp_path / "m.gguf", GEMMA))
    assert "열리지 않았어요" in error.message


def test_a_child_that_crashes_hangs_or_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_gguf(tmp_path / "m.gguf", GEMMA)

    def run(code: str) -> None:
        monkeypatch.setattr(probe, "probe_command", lambda _path: [sys.executable, "-c", code])

    run("import os; os.abort()")
    with pytest.raises(WorldError):
        probe.probe_model(path)
    run("import threading; threading.Event().wait()")
    with pytest.raises(WorldError):
        probe.probe_model(path, timeout_s=0.2)
    stop = threading.Event()
    stop.set()
    with pytest.raises(LlmStopped):
        probe.probe_model(path, stop=stop)
    run("print('x' * 10_000_000)")
    probe.probe_model(path)


def test_success_is_remembered_for_this_very_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_gguf(tmp_path / "m.gguf", GEMMA)
    log = tmp_path / "log"
    code = f"open({str(log)!r}, 'a').write('x')"
    monkeypatch.setattr(probe, "probe_command", lambda _path: [sys.executable, "-c", code])
    for _time in range(3):
        probe.probe_model(path, cache_dir=tmp_path / "cache")
    assert log.read_text() == "x"
    os.utime(path, ns=(1, 1))
    probe.probe_model(path, cache_dir=tmp_path / "cache")
    assert log.read_text() == "xx"
    (tmp_path / "cache" / "probed-models.json").write_text("{broken")
    probe.probe_model(path, cache_dir=tmp_path / "cache")
    assert log.read_text() == "xxx"


def test_the_command_of_a_frozen_program_goes_through_its_own_flag(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert probe.probe_command(Path("m.gguf")) == [sys.executable, probe.PROBE_FLAG, "m.gguf"]


# -- the store


def test_configured_file(paths: AppPaths, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"x")
    assert model_store.resolve_model(paths, f" {own} ") == own
    with pytest.raises(WorldError, match="찾을 수 없어요"):
        model_store.resolve_model(paths, str(tmp_path / "gone.gguf"))


@pytest.fixture
def pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """A starter model of two small pieces."""
    import hashlib

    out = [tmp_path / "p0", tmp_path / "p1"]
    for index, piece in enumerate(out):
        piece.write_bytes(bytes([index]) * 100_000)
    whole = b"".join(piece.read_bytes() for piece in out)
    monkeypatch.setattr(model_store, "STARTER_SHA256", hashlib.sha256(whole).hexdigest())
    monkeypatch.setattr(model_store, "_has_pieces", lambda: True)
    monkeypatch.setattr(model_store, "_starter_pieces", lambda: out)
    monkeypatch.setattr(model_store, "adapter_path", lambda: None)
    return out


def test_starter_is_put_together_once_and_checked_once(paths: AppPaths, pieces: list[Path]) -> None:
    seen: list[float] = []
    path = model_store.resolve_model(paths, "", progress=seen.append)
    assert path.read_bytes() == b"".join(piece.read_bytes() for piece in pieces)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert not list(paths.models.glob("*.part"))
    for piece in pieces:
        piece.unlink()
    assert model_store.resolve_model(paths, "") == path
    # The mark is gone: the content itself says that it is right.
    next(paths.models.glob("*.checked")).unlink()
    assert model_store.resolve_model(paths, "") == path


def test_a_damaged_starter_is_made_anew(paths: AppPaths, pieces: list[Path]) -> None:
    path = model_store.resolve_model(paths, "")
    good = path.read_bytes()
    path.write_bytes(good[:-5])
    assert model_store.resolve_model(paths, "").read_bytes() == good


def test_damaged_pieces_leave_nothing_behind(paths: AppPaths, pieces: list[Path]) -> None:
    pieces[1].write_bytes(b"other")
    with pytest.raises(WorldError, match="원본과 달라요"):
        model_store.resolve_model(paths, "")
    assert list(paths.models.iterdir()) == []


def test_full_disk_and_read_only_folder(paths: AppPaths, pieces: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(model_store, "_require_space", full)
    with pytest.raises(WorldError, match="자리가 부족해요"):
        model_store.resolve_model(paths, "")
    monkeypatch.setattr(model_store, "_require_space", lambda *_args: None)
    monkeypatch.setattr(model_store.os, "fsync", full)
    with pytest.raises(WorldError, match="자리가 부족해요"):
        model_store.resolve_model(paths, "")
    assert list(paths.models.iterdir()) == []
    paths.models.rmdir()
    paths.models.write_text("a file where the folder should be")
    with pytest.raises(WorldError, match="쓸 수 없었어요"):
        model_store.resolve_model(paths, "")


def test_putting_together_can_be_stopped(paths: AppPaths, pieces: list[Path]) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(LlmStopped):
        model_store.resolve_model(paths, "", stop=stop)
    assert list(paths.models.iterdir()) == []


def test_no_starter_installed(paths: AppPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_store, "_has_pieces", lambda: False)
    with pytest.raises(WorldError, match="설치되어 있지 않아요") as caught:
        model_store.resolve_model(paths, "")
    assert caught.value.next_step


# -- the starter with its adapter


@pytest.fixture
def adapter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tiny base in one piece, and an adapter for it."""
    import hashlib

    base = write_base(tmp_path / "piece")
    path = write_adapter(tmp_path / "adapter.gguf")
    monkeypatch.setattr(model_store, "STARTER_SHA256", hashlib.sha256(base.read_bytes()).hexdigest())
    monkeypatch.setattr(model_store, "_has_pieces", lambda: True)
    monkeypatch.setattr(model_store, "_starter_pieces", lambda: [base])
    monkeypatch.setattr(model_store, "adapter_path", lambda: path)
    return path


def test_the_adapter_is_folded_in_once(paths: AppPaths, adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []
    path = model_store.resolve_model(paths, "", progress=seen.append)
    assert path == paths.models / model_store.STARTER_NAME
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    # The base is in the program's files; a copy of it would only take room.
    assert sorted(each.name for each in paths.models.iterdir()) == [path.name, f"{path.name}.checked"]
    monkeypatch.setattr(starter_merge, "merge_adapter", None)
    assert model_store.resolve_model(paths, "starter") == path


def test_another_adapter_makes_it_anew(paths: AppPaths, adapter: Path) -> None:
    before = model_store.resolve_model(paths, "").read_bytes()
    write_adapter(adapter, contract="new")
    after = model_store.resolve_model(paths, "").read_bytes()
    assert b"new" in after
    assert before != after


def test_the_base_can_be_had_without_the_adapter(paths: AppPaths, adapter: Path) -> None:
    path = model_store.resolve_model(paths, "starter-base")
    assert path.name == model_store.BASE_NAME
    assert model_store.resolve_model(paths, "starter-base") == path


def test_nothing_half_made_stays(paths: AppPaths, adapter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(starter_merge, "merge_adapter", fail)
    with pytest.raises(WorldError, match="자리가 부족해요"):
        model_store.resolve_model(paths, "")
    assert not list(paths.models.glob("*.part"))
    assert not (paths.models / model_store.STARTER_NAME).exists()


def test_making_it_can_be_stopped(paths: AppPaths, adapter: Path) -> None:
    stop = threading.Event()

    def press(done: float) -> None:
        if done > 0.1:
            stop.set()

    with pytest.raises(LlmStopped):
        model_store.resolve_model(paths, "", progress=press, stop=stop)
    assert not (paths.models / model_store.STARTER_NAME).exists()
    assert not list(paths.models.glob("*.part"))
    stop.clear()
    assert model_store.resolve_model(paths, "").is_file()


def test_what_an_installer_brought_is_taken_as_it_is(
    paths: AppPaths, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready = tmp_path / "models" / "starter" / model_store.STARTER_NAME
    monkeypatch.setattr(model_store, "resources_dir", lambda: tmp_path)
    monkeypatch.setattr(model_store, "STARTER_PACKAGE", "no_such_package")
    assert not model_store.starter_available()
    ready.parent.mkdir(parents=True)
    ready.write_bytes(b"GGUF")
    assert model_store.starter_available()
    assert model_store.starter_is_ready(paths)
    assert model_store.resolve_model(paths, "starter") == model_store.resolve_model(paths, "") == ready
    assert not paths.models.exists()  # nothing is written
    with pytest.raises(WorldError, match="설치되어 있지 않아요"):
        model_store.resolve_model(paths, "starter-base")
