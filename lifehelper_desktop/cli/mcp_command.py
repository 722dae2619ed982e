"""`lifehelper mcp`: the server that other assistants start, and what to write into their settings."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.cli.context import CliContext

OK: Final = 0
SERVER_NAME: Final = "lifehelper"


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    mcp = subs.add_parser(
        "mcp",
        parents=[common],
        help=_("다른 도우미가 내 습관을 보고 기록하게 하는 서버(MCP)"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description=_(
            "다른 도우미 앱이 내 습관 자료를 보고, 물어본 뒤 기록하게 해 주는 MCP 서버예요.\n"
            "사람이 켜 두는 것이 아니라, 도우미 앱이 필요할 때 켜고 꺼요."
        ),
        epilog=_(
            "도우미 앱에 더하는 방법:\n"
            "  1. lifehelper mcp --print-config 를 실행해요. 이 컴퓨터에 맞는 설정이 나와요.\n"
            "  2. 나온 내용을 도우미 앱의 MCP 설정 파일에 붙여 넣어요. 다른 서버가 이미 있으면\n"
            "     ‘{name}’ 부분만 ‘mcpServers’ 안에 더해요.\n"
            "  3. 도우미 앱을 다시 시작해요.\n"
            "\n"
            "알아 둘 것:\n"
            "  - 도우미가 읽은 내용은 그 앱으로 넘어가요. 믿을 수 있는 앱에만 더해 주세요.\n"
            "  - 습관을 더하거나 기록할 때는 그 앱이 먼저 물어봐요. 물을 수 없는 앱에서는 바꾸지 않아요.\n"
            "  - 바뀐 것은 ‘변경 기록’에 ‘다른 앱(MCP)’으로 남고, 되돌릴 수 있어요."
        ).format(name=SERVER_NAME),
    )
    mcp.add_argument(
        "--allow-writes", action="store_true", help=_("물을 수 없는 앱에서도 묻지 않고 더하고 기록하게 허락하기")
    )
    mcp.add_argument("--print-config", action="store_true", help=_("도우미 앱의 설정에 붙여 넣을 내용을 보기"))
    mcp.set_defaults(run=_mcp)


def _mcp(context: CliContext, args: argparse.Namespace) -> int:
    if args.print_config:
        context.print(_config_text(args, context.out.encoding or "utf-8"))
        return OK
    if context.serve_mcp is None:
        raise WorldError(_("이 프로그램에는 MCP 서버가 들어 있지 않아요."))
    store = context.store
    if sys.stdin is not None and sys.stdin.isatty():
        print(
            _("도우미 앱이 켜는 서버예요. 더하는 방법은 lifehelper mcp --help 에 있어요. 끝내려면 Ctrl+C를 누르세요."),
            file=sys.stderr,
        )
    context.serve_mcp(store, context.language, args.allow_writes)
    return OK


def config(args: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that make another assistant start this server as this command line would."""
    command, *before = program()
    folder = getattr(args, "data_dir", None)
    kept = ["--data-dir", str(Path(folder).expanduser().absolute())] if folder is not None else []
    if (language := getattr(args, "lang", None)) is not None:
        kept += ["--lang", language]
    if args.allow_writes:
        kept.append("--allow-writes")
    return {"mcpServers": {SERVER_NAME: {"command": command, "args": [*before, "mcp", *kept]}}}


def program() -> tuple[str, ...]:
    """Return what starts this command line again, from any folder."""
    if getattr(sys, "frozen", False):
        if sys.platform == "win32":
            # The program of the window has no standard input and output there; the command line lies beside it.
            return (str(Path(sys.executable).with_name("lifehelper.exe")),)
        # The file inside a mounted AppImage is gone after this run; the image itself stays.
        return (os.environ.get("APPIMAGE") or sys.executable, "cli")
    return (sys.executable, "-m", "lifehelper_desktop", "cli")


def _config_text(args: argparse.Namespace, encoding: str) -> str:
    value = config(args)
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(value, indent=2)  # escapes stay valid JSON whatever the encoding lacks
    return text
