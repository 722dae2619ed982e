"""`lifehelper conversations`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.llm.protocol import LlmTextChunk


@pytest.fixture
def talked(cli: Any) -> Any:
    """A command line with two conversations."""
    for words in ("오늘 걷기 다 했어", "잠이 안 와"):
        cli.llm.script.append([LlmTextChunk("들었어요.")])
        assert cli("chat", words)[0] == 0
    return cli


def test_list_and_search(talked: Any) -> None:
    assert [row["title"] for row in talked.json("conversations", "list")] == ["잠이 안 와", "오늘 걷기 다 했어"]
    [found] = talked.json("conversations", "search", "걷기")
    assert found["title"] == "오늘 걷기 다 했어"
    assert talked("conversations", "search", "없는", "말")[1] == "찾은 대화가 없어요.\n"
    assert "잠이 안 와" in talked("conversations", "list")[1]


def test_nothing_kept_yet(cli: Any) -> None:
    assert cli("conversations", "list") == (0, "남겨 둔 대화가 아직 없어요.\n")
    assert cli("conversations", "show", "1")[0] == 1
    assert "1번 대화를 찾지 못했어요" in cli.err


def test_show_and_export(talked: Any, tmp_path: Path) -> None:
    number = str(talked.json("conversations", "list")[1]["id"])
    shown = talked.json("conversations", "show", number)
    assert [each["text"] for each in shown["messages"]] == ["오늘 걷기 다 했어", "들었어요."]
    markdown, data = tmp_path / "대화.md", tmp_path / "대화.JSON"
    assert talked("conversations", "export", number, str(markdown))[0] == 0
    assert talked("conversations", "export", number, str(data))[0] == 0
    assert markdown.read_text(encoding="utf-8").strip() == talked("conversations", "show", number)[1].strip()
    assert json.loads(data.read_text(encoding="utf-8")) == shown
    assert talked("conversations", "export", number, str(tmp_path / "없는 폴더" / "x.md"))[0] == 3


def test_rename_and_delete(talked: Any) -> None:
    [first, second] = talked.json("conversations", "list")
    assert talked("conversations", "rename", str(first["id"]), "밤 이야기")[0] == 0
    assert talked("conversations", "delete", str(second["id"]))[0] == 1
    assert talked("conversations", "delete", str(second["id"]), "--yes")[0] == 0
    [left] = [talked.json("conversations", "list")]
    assert [row["title"] for row in left] == ["밤 이야기"]
    assert talked("conversations", "rename", "99", "이름")[0] == 1
