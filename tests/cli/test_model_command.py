"""`lifehelper model` against a Hub on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import close_session

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.llm.models import download as module
from lifehelper_desktop.llm.models.known import known_model
from tests.helpers.hub_server import Hub, Step, serve
from tests.llm.test_models_list import write_model

ID = "gemma-3-1b-it"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    monkeypatch.setattr(module, "_WAITS", ())
    close_session()
    with serve(Hub(write_model(tmp_path / "source.gguf").read_bytes())) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        yield served
    close_session()


def target(paths: AppPaths) -> Path:
    found = known_model(ID)
    assert found is not None
    return paths.models / found.file


def test_list(cli: Any) -> None:
    code, out = cli("model", "list")
    assert code == 0
    assert "* starter  LifeHelper starter (Gemma 3 270M)  [앱에 들어 있음] 208MB" in out
    assert "= 파일 3.1GB + 문맥 75MB" in out
    rows = cli.json("model", "list")
    (found,) = (
        (row for row in rows[0] if row["id"] == ID)
        if isinstance(rows[0], list)
        else (row for row in rows if row["id"] == ID)
    )
    assert found["place"] == "absent"
    assert found["memory"]["total"] == sum(found["memory"][key] for key in ("file", "kv", "compute", "scores"))
    assert found["fit"] in ("ample", "tight", "short")
    assert found["repo"] == "ggml-org/gemma-3-1b-it-GGUF"


def test_terms_come_first(cli: Any, hub: Hub) -> None:
    code, _out = cli("model", "download", ID)
    assert code == 1
    assert "ai.google.dev/gemma/terms" in cli.err
    told = cli.json("model", "download", ID)
    assert told["code"] == "terms_not_accepted"
    assert told["terms"]["id"] == "gemma"
    assert hub.heads == 0


def test_download_use_and_remove(cli: Any, hub: Hub, paths: AppPaths) -> None:
    lines = cli.json("model", "download", ID, "--accept-terms")
    assert {line.get("type") for line in lines[:-1]} == {"progress"}
    assert lines[-2]["done"] == lines[-2]["total"] == len(hub.body)
    assert lines[-1] == {"status": "ok", "id": ID, "outcome": "done", "path": str(target(paths))}
    assert target(paths).read_bytes() == hub.body
    heads = hub.heads
    assert cli.json("model", "download", ID)["outcome"] == "done"
    assert hub.heads == heads
    assert cli("model", "use", ID)[0] == 0
    code, _out = cli("model", "remove", ID)
    assert code == 3
    assert "지금 쓰는 모델" in cli.err
    assert cli("model", "use", "starter")[0] == 0
    assert cli("model", "remove", ID)[0] == 0
    assert not target(paths).exists()


def test_terms_are_remembered_and_a_download_goes_on(cli: Any, hub: Hub, paths: AppPaths) -> None:
    hub.script = [Step(cut=100), Step(cut=0), Step(cut=0), Step(cut=0)]
    assert cli("model", "download", ID, "--accept-terms")[0] == 3
    assert "연결이 끊겼어요" in cli.err
    rows = cli.json("model", "list")
    assert not target(paths).exists()
    assert '"fetched": 100' in str(rows).replace("'", '"')
    hub.script, hub.ranges = [], []
    assert cli("model", "download", ID)[0] == 0
    assert hub.ranges == ["bytes=100-"]


def test_ctrl_c_keeps_what_came(cli: Any, hub: Hub, paths: AppPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_args: Any, **_more: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module._Meter, "start", interrupt)
    assert cli("model", "download", ID, "--accept-terms")[0] == 130
    assert "이어받을 수 있어요" in cli.err
    assert not target(paths).exists()


def test_own_files(cli: Any, tmp_path: Path) -> None:
    mine = write_model(tmp_path / "mine.gguf")
    assert cli.json("model", "add", str(mine)) == {"status": "ok", "id": str(mine)}
    assert cli("model", "use", str(mine))[0] == 0
    assert f"* {mine}" in cli("model", "list")[1]
    cli("model", "use", "starter")
    assert cli("model", "remove", str(mine))[0] == 0
    assert mine.exists()
    assert str(mine) not in cli("model", "list")[1]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("use", "nonsense"), "그런 모델이 없어요"),
        (("use", ID), "아직 받지 않은"),
        (("remove", "nonsense"), "그런 모델이 없어요"),
        (("remove", "starter"), "앱의 일부"),
        (("download", "starter"), "받을 수 있는 모델이 아니에요"),
        (("download", "nonsense"), "받을 수 있는 모델이 아니에요"),
        (("add", "no-such-file.gguf"), "찾을 수 없어요"),
    ],
)
def test_refusals(cli: Any, argv: tuple[str, ...], words: str) -> None:
    assert cli("model", *argv)[0] == 3
    assert words in cli.err
