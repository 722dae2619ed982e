"""Downloads against a Hub on this machine that cuts the line, lies, redirects, refuses and stalls."""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import close_session

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.llm.model_store import _remove_stale
from lifehelper_desktop.llm.models import download as module
from lifehelper_desktop.llm.models.download import (
    DownloadControl,
    Outcome,
    Phase,
    Progress,
    download,
)
from lifehelper_desktop.llm.models.known import KnownModel, known_model
from lifehelper_desktop.llm.models.part_file import PartFile, part_path, part_size
from tests.helpers.hub_server import Hub, Step, serve

ROOT = Path(__file__).resolve().parents[2]
BODY = bytes(range(251)) * 4000
HALF = 300_000


@pytest.fixture(autouse=True)
def _own_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No proxy, token or Hub of the machine takes part."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HF_ENDPOINT", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    close_session()
    yield
    close_session()


@pytest.fixture
def hub() -> Iterator[Hub]:
    with serve(Hub(BODY)) as served:
        yield served


@pytest.fixture
def model() -> KnownModel:
    found = known_model("gemma-3-1b-it")
    assert found is not None
    return dataclasses.replace(found, bytes=len(BODY))


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "자료" / "models"


@pytest.fixture
def fetch(hub: Hub, model: KnownModel, models: Path) -> Callable[..., Outcome]:
    def run(
        control: DownloadControl | None = None,
        listener: Callable[[Progress], None] = lambda _progress: None,
        **more: Any,
    ) -> Outcome:
        options: dict[str, Any] = {"endpoint": hub.url, "waits": (0.0, 0.0)} | more
        return download(model, models, control or DownloadControl(), listener, **options)

    return run


def whole(models: Path, model: KnownModel) -> bytes:
    assert sorted(each.name for each in models.glob("*.gguf*")) == [model.file]
    assert not part_path(models, model.file).exists()
    return (models / model.file).read_bytes()


def nothing_offered(models: Path) -> bool:
    return list(models.glob("*.gguf*")) == []


def test_a_whole_file_arrives_with_progress(fetch: Any, models: Path, model: KnownModel) -> None:
    seen: list[Progress] = []
    ticks = iter(range(10_000))
    assert fetch(listener=seen.append, clock=lambda: float(next(ticks))) is Outcome.DONE
    assert whole(models, model) == BODY
    assert seen[0].phase is Phase.ASKING
    assert seen[-1].done == seen[-1].total == len(BODY)
    assert seen[-1].speed > 0
    assert seen[-1].seconds_left == 0
    assert [each.done for each in seen] == sorted(each.done for each in seen)


def test_a_lost_line_is_taken_up_where_it_ended(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(cut=HALF), Step()]
    assert fetch() is Outcome.DONE
    assert whole(models, model) == BODY
    assert hub.ranges == ["", f"bytes={HALF}-", f"bytes={2 * HALF}-"]


def test_a_line_lost_for_good_is_told_and_resumed_later(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(cut=0), Step(cut=0), Step(cut=0)]
    with pytest.raises(WorldError, match="연결이 끊겼어요"):
        fetch()
    assert nothing_offered(models)
    assert part_size(models, model.file) == HALF
    hub.ranges.clear()
    hub.script = []
    seen: list[Progress] = []
    assert fetch(listener=seen.append) is Outcome.DONE
    assert hub.ranges == [f"bytes={HALF}-"]
    assert Phase.CHECKING in {each.phase for each in seen}
    assert whole(models, model) == BODY


def test_a_server_that_ignores_the_range_starts_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(ignore_range=True)]
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={HALF}-"]
    assert whole(models, model) == BODY


def test_a_range_that_is_refused_starts_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(status=416), Step()]
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={HALF}-", ""]
    assert whole(models, model) == BODY


@pytest.mark.parametrize(
    "steps",
    [
        [Step(extra=10)],
        [Step(length=len(BODY) - 5, cut=len(BODY) - 5)],
        [Step(cut=HALF), Step(content_range=f"bytes {HALF}-{HALF + 5}/{HALF + 6}")],
        [Step(cut=HALF), Step(content_range=f"bytes 7-{len(BODY) - 1}/{len(BODY)}")],
        [Step(cut=HALF), Step(content_range="nonsense")],
    ],
    ids=["more than told", "less than told", "another total", "another start", "nonsense"],
)
def test_sizes_that_lie_end_it(fetch: Any, hub: Hub, models: Path, model: KnownModel, steps: list[Step]) -> None:
    hub.script = steps
    with pytest.raises(WorldError, match="크기가 달라서"):
        fetch()
    assert nothing_offered(models)
    assert part_size(models, model.file) == 0


def test_a_size_told_too_large_is_no_endless_wait(fetch: Any, hub: Hub, models: Path) -> None:
    hub.told_size = len(BODY) + 100
    with pytest.raises(WorldError, match="크기가 달라서"):
        fetch()
    assert nothing_offered(models)


def test_a_wrong_checksum_leaves_nothing(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.told_hash = "0" * 64
    with pytest.raises(WorldError, match="체크섬"):
        fetch()
    assert nothing_offered(models)
    assert part_size(models, model.file) == 0


def test_damage_in_the_kept_part_is_found(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF)]
    with pytest.raises(WorldError):
        fetch(waits=())
    with part_path(models, model.file).open("r+b") as file:
        file.write(b"damage")
    with pytest.raises(WorldError, match="체크섬"):
        fetch()
    assert nothing_offered(models)
    assert fetch() is Outcome.DONE
    assert whole(models, model) == BODY


def test_no_checksum_no_download(fetch: Any, hub: Hub, models: Path) -> None:
    hub.told_hash = ""
    with pytest.raises(WorldError, match="체크섬을 알려 주지 않아"):
        fetch()
    assert hub.ranges == []
    assert nothing_offered(models)


def test_another_version_on_the_hub_starts_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF)]
    with pytest.raises(WorldError):
        fetch(waits=())
    hub.body = BODY[::-1]
    hub.ranges.clear()
    assert fetch() is Outcome.DONE
    assert hub.ranges == [""]
    assert whole(models, model) == BODY[::-1]


def test_redirects_are_followed_and_keep_the_range(
    fetch: Any, hub: Hub, models: Path, model: KnownModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "build_hf_headers", lambda: {"authorization": "Bearer of-the-user"})
    hub.script = [Step(cut=HALF, redirect=True), Step(redirect=True)]
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={HALF}-"]
    assert hub.tokens == ["", ""], "what the user shows the Hub stays there"
    assert whole(models, model) == BODY


@pytest.mark.parametrize(("status", "code"), [(401, "GatedRepo"), (403, "GatedRepo"), (403, "")])
def test_a_gated_model_says_how_to_get_it(
    fetch: Any, hub: Hub, models: Path, model: KnownModel, status: int, code: str
) -> None:
    hub.head_status, hub.error_code = status, code
    with pytest.raises(WorldError) as told:
        fetch()
    assert "동의한 사람에게만" in told.value.message
    for part in (model.page, model.file, str(models)):
        assert part in told.value.next_step


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (404, "EntryNotFound", "찾지 못했어요"),
        (401, "RepoNotFound", "찾지 못했어요"),
        (503, "", "바빠요"),
        (429, "", "바빠요"),
        (400, "", "받아 주지 않았어요"),
    ],
)
def test_refusals_in_words(fetch: Any, hub: Hub, status: int, code: str, words: str) -> None:
    hub.head_status, hub.error_code = status, code
    with pytest.raises(WorldError, match=words):
        fetch()


def test_a_refusal_in_the_middle_keeps_the_part(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF), Step(status=503)]
    with pytest.raises(WorldError, match="바빠요"):
        fetch()
    assert part_size(models, model.file) == HALF


@pytest.mark.parametrize("ask", ["pause", "cancel"])
def test_a_stalled_server_cannot_hold_up_an_end(
    fetch: Any, hub: Hub, models: Path, model: KnownModel, ask: str
) -> None:
    hub.script = [Step(hold=HALF)]
    control = DownloadControl()
    outcome: list[Outcome] = []
    arrived = threading.Event()

    def listen(progress: Progress) -> None:
        if progress.done == HALF:
            arrived.set()

    ticks = iter(range(10_000))
    worker = threading.Thread(
        target=lambda: outcome.append(fetch(control, listen, clock=lambda: float(next(ticks)))), daemon=True
    )
    worker.start()
    assert arrived.wait(20)
    getattr(control, ask)()
    worker.join(20)
    assert outcome == [Outcome.PAUSED if ask == "pause" else Outcome.CANCELLED]
    assert nothing_offered(models)
    assert part_size(models, model.file) == (HALF if ask == "pause" else 0)
    assert part_path(models, model.file).exists() is (ask == "pause")
    hub.ranges.clear()
    assert fetch() is Outcome.DONE
    assert hub.ranges == ([f"bytes={HALF}-"] if ask == "pause" else [""])
    assert whole(models, model) == BODY


def test_an_end_asked_for_before_the_first_byte(fetch: Any, hub: Hub) -> None:
    control = DownloadControl()
    control.pause()
    assert fetch(control) is Outcome.PAUSED
    assert hub.ranges == []


def test_cancel_beats_a_later_pause() -> None:
    control = DownloadControl()
    control.cancel()
    control.pause()
    assert control.wanted is Outcome.CANCELLED


def test_the_disk_is_looked_at_first(fetch: Any, hub: Hub, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(models.parent.parent)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: usage._replace(free=1000))
    with pytest.raises(WorldError, match="자리가 부족해요"):
        fetch()
    assert hub.ranges == []


def test_a_disk_that_fills_up_meanwhile(fetch: Any, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_part: PartFile, _block: bytes) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(PartFile, "append", full)
    with pytest.raises(WorldError, match="자리가 부족해요"):
        fetch()
    assert nothing_offered(models)


def test_a_folder_that_cannot_be_written(fetch: Any, models: Path) -> None:
    models.parent.mkdir(parents=True)
    models.write_text("a file where the folder should be")
    with pytest.raises(WorldError, match="쓸 수 없었어요"):
        fetch()


def test_offline_is_said(fetch: Any, model: KnownModel, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WorldError, match="오프라인인 것 같아요"):
        fetch(endpoint="http://127.0.0.1:9")
    monkeypatch.setattr("huggingface_hub.constants.is_offline_mode", lambda: True)
    with pytest.raises(WorldError, match="HF_HUB_OFFLINE"):
        fetch()


def test_a_proxy_that_is_not_there(fetch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    close_session()
    with pytest.raises(WorldError, match="연결하지 못했어요"):
        fetch(endpoint="https://hub.invalid")


@pytest.mark.parametrize("proxy", ["nonsense://x", "http://127.0.0.1:port"])
def test_a_proxy_that_is_nonsense(fetch: Any, monkeypatch: pytest.MonkeyPatch, proxy: str) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    close_session()
    with pytest.raises(WorldError, match="프록시"):
        fetch()


def test_two_downloads_of_one_file_do_not_mix(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(hold=HALF)]
    control = DownloadControl()
    worker = threading.Thread(target=lambda: fetch(control), daemon=True)
    worker.start()
    assert hub.held.wait(20)
    with pytest.raises(WorldError, match="이미 받고 있어요"):
        fetch()
    control.cancel()
    worker.join(20)
    assert not worker.is_alive()


def test_what_a_crash_left_unsynced_is_fetched_again(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    part = PartFile(models, model.file, hub.sha256)
    part.append(BODY[:1000])
    part.sync()
    part.append(b"never came down to the disk")
    part._file.flush()  # the process dies here: no close, no note
    assert part_size(models, model.file) == 1000
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["bytes=1000-"]
    assert whole(models, model) == BODY
    part._file.close()


_CHILD = """
import dataclasses, sys
from pathlib import Path
from lifehelper_desktop.llm.models import part_file
from lifehelper_desktop.llm.models.download import DownloadControl, download
from lifehelper_desktop.llm.models.known import known_model
part_file._SYNC_BYTES = 100_000
download(known_model(sys.argv[1]), Path(sys.argv[2]), DownloadControl(), lambda _progress: None, endpoint=sys.argv[3])
"""


def test_a_killed_process_is_taken_up_from_its_last_note(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(hold=HALF)]
    child = subprocess.Popen([sys.executable, "-c", _CHILD, model.id, str(models), hub.url], cwd=ROOT)
    try:
        deadline = time.monotonic() + 60
        while part_size(models, model.file) < 100_000:
            assert child.poll() is None
            assert time.monotonic() < deadline
            hub.released.wait(0.01)
    finally:
        child.kill()
        child.wait(20)
    kept = part_size(models, model.file)
    assert nothing_offered(models)
    assert fetch() is Outcome.DONE
    assert hub.ranges == ["", f"bytes={kept}-"]
    assert whole(models, model) == BODY


@pytest.mark.parametrize("note", ["", "[]", '{"sha256": 1, "synced": 2}', '{"sha256": "x", "synced": -1}'])
def test_a_part_without_a_usable_note_is_begun_anew(
    fetch: Any, hub: Hub, models: Path, model: KnownModel, note: str
) -> None:
    part = part_path(models, model.file)
    part.parent.mkdir(parents=True)
    part.write_bytes(b"whatever")
    part.with_name(part.name + ".json").write_text(note)
    assert part_size(models, model.file) == 0
    assert fetch() is Outcome.DONE
    assert hub.ranges == [""]
    assert whole(models, model) == BODY


def test_the_starter_leaves_a_download_alone(fetch: Any, hub: Hub, models: Path, model: KnownModel) -> None:
    hub.script = [Step(cut=HALF)]
    with pytest.raises(WorldError):
        fetch(waits=())
    os.utime(part_path(models, model.file), (0, 0))
    _remove_stale(models)
    assert part_size(models, model.file) == HALF
