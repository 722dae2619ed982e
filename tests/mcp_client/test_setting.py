"""The setting that holds the servers: read, written, refused, undone, and never carried to another computer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from lifehelper_desktop.base.mcp_servers import (
    SERVERS_MAX,
    ServerSpec,
    problem_of,
    read_servers,
    specs_from_config,
    write_servers,
)
from lifehelper_desktop.base.settings import MCP_SERVERS
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.profile import portable_setting

FULL = ServerSpec(
    "시간", "uvx", ("mcp-server-time", "--a b"), (("KEY", "값="),), False, False, True, frozenset({"x", "y"})
)


def test_what_is_written_is_read_again() -> None:
    assert read_servers(write_servers((FULL, ServerSpec("b", "b")))) == (FULL, ServerSpec("b", "b"))
    assert write_servers(()) == ""
    assert read_servers("") == ()


@pytest.mark.parametrize(
    "text",
    [
        "{}", "3", "[3]", "[", '[{"name": "a"}]', '[{"name": "a", "command": 3}]',
        '[{"name": "a", "command": "b", "more": 1}]',
        '[{"name": "a", "command": "b", "args": "c"}]', '[{"name": "a", "command": "b", "env": {"A": 1}}]',
        '[{"name": "a", "command": "b", "on": 1}]', '[{"name": "a", "command": "b"}, {"name": "A", "command": "b"}]',
        '[{"name": "", "command": "b"}]', '[{"name": "a", "command": " "}]', '[{"name": "a", "command": "b\\u0000"}]',
        '[{"name": "a\\nb", "command": "b"}]', '[{"name": "a", "command": "b", "env": {"A B": ""}}]', "[" * 100_000,
    ],
)  # fmt: skip
def test_what_is_no_list_of_servers_is_refused_and_never_stored(store: Store, text: str) -> None:
    with pytest.raises(ValueError):
        read_servers(text)
    with pytest.raises(ValueError):
        store.settings.set(MCP_SERVERS, text)
    assert store.settings.get_str(MCP_SERVERS) == ""


def test_too_many_servers_are_refused() -> None:
    specs = [ServerSpec(f"s{at}", "x") for at in range(SERVERS_MAX)]
    assert problem_of(ServerSpec("one more", "x"), specs) is not None
    assert problem_of(replace(specs[0], name="S1"), specs[1:]) is not None


def test_a_change_is_undone_like_any_setting(store: Store) -> None:
    store.settings.set(MCP_SERVERS, write_servers((FULL,)))
    change = store.journal.next_undo()
    assert change is not None
    assert "MCP 서버" in change.words("ko")
    store.journal.undo(change.id)
    assert store.settings.get_str(MCP_SERVERS) == ""


def test_a_file_from_elsewhere_brings_no_program_with_it() -> None:
    assert portable_setting(MCP_SERVERS.key) is None


@pytest.mark.parametrize(
    "value",
    [
        {"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"A": "b"}, "type": "stdio"}}},
        {"servers": {"time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"A": "b"}}}},
        {"time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"A": "b"}}},
    ],
)
def test_settings_of_other_assistants_are_understood(value: dict[str, Any]) -> None:
    expected = ServerSpec("time", "uvx", ("mcp-server-time",), (("A", "b"),))
    assert specs_from_config(json.dumps(value)) == (expected,)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"mcpServers": {"a": {"url": "http://x"}}}', '{"a": 1}', "x"])
def test_other_texts_are_not(text: str) -> None:
    with pytest.raises(ValueError):
        specs_from_config(text)
