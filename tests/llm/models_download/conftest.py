"""A Hub on this machine that cuts the line, lies, redirects, refuses and stalls, and a model to fetch from it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import close_session

from lifehelper_desktop.llm.models.download import (
    DownloadControl,
    Outcome,
    Progress,
    download,
)
from lifehelper_desktop.llm.models.known import KnownModel, known_model
from lifehelper_desktop.llm.models.part_file import part_path
from tests.helpers.hub_server import Hub, serve

ROOT = Path(__file__).resolve().parents[3]
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
