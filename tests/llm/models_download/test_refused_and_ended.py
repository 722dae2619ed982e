"""Downloads that the Hub, the disk, the line or the user ends, and what is left for the next try."""

from __future__ import annotations

import errno
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import close_session

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.llm.models import download as module
from lifehelper_desktop.llm.models.download import (
    DownloadControl,
    Outcome,
    Progress,
)
from lifehelper_desktop.llm.models.known import KnownModel
from lifehelper_desktop.llm.models.part_file import PartFile, part_path, part_size
from tests.helpers.hub_server import Hub, Step
from tests.llm.models_download.conftest import BODY, HALF, nothing_offered, whole


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
