"""`lifehelper mcp`: its help, the settings that it prints, and that those work."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.cli import mcp_command
from lifehelper_desktop.cli.main import run as run_cli
from lifehelper_desktop.storage.store import Store
from tests.mcp_server.conftest import ROOT, command, data_of, run


def _no_store(*_args: Any) -> Store:
    raise AssertionError("the settings are printed without opening the data")


def _no_model(*_args: Any) -> Any:
    raise AssertionError


def _printed(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert run_cli([*argv, "mcp", "--print-config"], _no_store, _no_model) == 0
    server = json.loads(capsys.readouterr().out)["mcpServers"]["lifehelper"]
    assert isinstance(server, dict)
    return server


def test_help_says_how_to_add_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run_cli(["--lang", "ko", "mcp", "--help"], _no_store, _no_model)
    assert ended.value.code == 0
    text = capsys.readouterr().out
    for words in ("--print-config", "--allow-writes", "mcpServers", "다시 시작"):
        assert words in text


def test_the_printed_settings_name_this_program_and_keep_what_was_given(
    capsys: pytest.CaptureFixture[str], paths: AppPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _printed(capsys) == {"command": sys.executable, "args": ["-m", "lifehelper_desktop", "cli", "mcp"]}
    kept = _printed(capsys, "--data-dir", str(paths.data), "--lang", "ko")
    assert kept["args"][3:] == ["mcp", "--data-dir", str(paths.data), "--lang", "ko"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert mcp_command.program() == (sys.executable, "cli")
    monkeypatch.setenv("APPIMAGE", "/home/나/LifeHelper.AppImage")
    assert mcp_command.program() == ("/home/나/LifeHelper.AppImage", "cli")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "executable", "/apps/LifeHelper/lifehelper-desktop.exe")
    assert mcp_command.program() == (str(Path("/apps/LifeHelper/lifehelper.exe")),)


def test_another_assistant_starts_it_with_the_printed_settings(
    capsys: pytest.CaptureFixture[str], paths: AppPaths
) -> None:
    server = _printed(capsys, "--data-dir", str(paths.data), "--lang", "en")

    async def work() -> None:
        async with Client(StdioServerParameters(**server, cwd=ROOT)) as client:
            assert data_of(await client.call_tool("list_active_habits", {}))["count"] == 0
            titles = {tool.title for tool in (await client.list_tools()).tools}
            assert "Add habit" in titles

    run(work)


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors with a shell")
def test_without_standard_input_it_says_what_it_is(paths: AppPaths) -> None:
    argv = ["sh", "-c", 'exec "$@" <&-', "sh", *command(paths)]
    done = subprocess.run(argv, capture_output=True, timeout=60, check=False, cwd=ROOT)
    assert done.returncode == 3
    assert "MCP 설정" in done.stderr.decode()
    assert done.stdout == b""


def test_the_window_and_the_command_line_start_without_the_protocol() -> None:
    script = (
        "import sys\n"
        "import lifehelper_desktop.ui.app, lifehelper_desktop.ui.main_window, lifehelper_desktop.cli.main\n"
        "print(sorted({name.split('.')[0] for name in sys.modules} & {'mcp', 'mcp_types', 'pydantic', 'starlette'}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"
