"""`lifehelper mcp-servers`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = str(Path(__file__).parent.parent / "helpers" / "odd_server.py")


def add(cli: Any, mode: str = "normal", *more: str) -> Any:
    return cli("mcp-servers", "add", *more, "odd", "--", sys.executable, PROGRAM, mode)


def test_add_list_switch_remove_and_undo(cli: Any) -> None:
    assert cli("mcp-servers") == (0, "아직 더한 서버가 없어요.\n")
    code, words = add(cli, "normal", "--env", "KEY=secret")
    assert code == 0
    assert "내 권한으로 돌아가는 프로그램" in words
    [row] = cli.json("mcp-servers", "list")
    assert row["args"] == [PROGRAM, "normal"]
    assert row["env"] == ["KEY"]
    assert row["on"] is True
    assert "secret" not in cli("mcp-servers")[1]
    assert cli("mcp-servers", "off", "odd")[0] == 0
    assert cli("mcp-servers", "off", "odd", "--tool", "echo", "--tool", "hang")[0] == 0
    [row] = cli.json("mcp-servers")
    assert row["on"] is False
    assert row["tools_off"] == ["echo", "hang"]
    assert cli("mcp-servers", "on", "ODD", "--tool", "hang")[0] == 0
    assert cli("mcp-servers", "on", "odd")[0] == 0
    assert cli.json("mcp-servers")[0]["tools_off"] == ["echo"]
    assert cli("mcp-servers", "remove", "odd")[0] == 0
    assert cli.json("mcp-servers") == []
    assert cli("undo") == (0, "되돌렸어요: 설정 바꾸기: MCP 서버\n")
    assert len(cli.json("mcp-servers")) == 1


def test_a_server_is_tried_and_its_tools_are_listed(cli: Any) -> None:
    add(cli, "odd")
    assert cli("mcp-servers", "test", "odd") == (0, "‘odd’: 잘 연결돼요. 도구 2개를 찾았어요.\n")
    shown = cli.json("mcp-servers", "tools", "odd")
    assert shown["tools"][0]["name"] == "fine"
    assert {row["name"] for row in shown["left_out"]} >= {"no-object", "huge"}
    words = cli("mcp-servers", "tools", "odd")[1]
    assert "fine  [물어봄]  fine 도구" in words
    assert "‘huge’: 쓸 수 없어요." in words


def test_a_server_that_does_not_work_is_told_in_words(cli: Any) -> None:
    add(cli, "dies")
    assert cli("mcp-servers", "test", "odd")[0] == 3
    assert "설정이 빠졌어요" in cli.err
    cli("mcp-servers", "remove", "odd")
    add(cli, "hang")
    assert cli.json("mcp-servers", "test", "odd", "--seconds", "0.3")["state"] == "failed"


def test_settings_of_another_assistant_are_taken(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    config = {"mcpServers": {"a": {"command": "x"}, "b": {"command": "y", "args": ["1"]}}}
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(config)))
    assert cli.json("mcp-servers", "add", "--config", "--off")["added"] == ["a", "b"]
    assert [row["on"] for row in cli.json("mcp-servers")] == [False, False]
    monkeypatch.setattr(sys, "stdin", io.StringIO("no json"))
    assert cli("mcp-servers", "add", "--config")[0] == 1


def test_refusals(cli: Any) -> None:
    assert cli("mcp-servers", "add", "odd")[0] == 2
    add(cli)
    assert add(cli)[0] == 1
    assert "같은 이름" in cli.err
    for command in ("remove", "on", "off", "test", "tools"):
        assert cli.json("mcp-servers", command, "nobody")["code"] == "not_found"
    assert cli("mcp-servers", "add", "--env", "A B=1", "b", "--", "x")[0] == 1
