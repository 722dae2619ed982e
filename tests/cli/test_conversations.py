"""`lifehelper conversations`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import open_store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker, TalkSummary


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


def test_a_summary_is_shown_and_deleted(talked: Any, tmp_path: Path) -> None:
    number = talked.json("conversations", "list")[0]["id"]
    assert talked.json("conversations", "show", str(number))["summary"] is None
    assert talked("conversations", "delete-summary", str(number), "--yes") == (0, "이 대화에는 요약이 없어요.\n")
    store = open_store(talked.paths)
    store.summaries.save(number, TalkSummary("한 말: “잠이 안 와”", SummaryMaker.RULE, 1))
    store.close()
    shown = talked("conversations", "show", str(number))[1]
    assert "**앞부분 요약**\n\n> 한 말: “잠이 안 와”" in shown
    file = tmp_path / "대화.json"
    assert talked("conversations", "export", str(number), str(file))[0] == 0
    assert json.loads(file.read_text(encoding="utf-8"))["summary"]["made_by"] == "rule"
    assert talked("conversations", "delete-summary", str(number))[0] == 1
    assert talked.json("conversations", "delete-summary", str(number), "--yes") == {"status": "ok", "deleted": True}
    assert "앞부분 요약" not in talked("conversations", "show", str(number))[1]
    assert talked("conversations", "delete-summary", "99", "--yes")[0] == 1
