"""Arguments to commands.

Exit codes: 0 done, 1 refused or failed by a rule, 2 wrong usage, 3 the world said no, 4 the program itself is broken.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from lifehelper_desktop import __version__
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import LANGUAGES, SYSTEM, _, set_language
from lifehelper_desktop.base.logs import setup_logging
from lifehelper_desktop.base.paths import folder, resolve_paths
from lifehelper_desktop.chat.tools_at_start import broken_tool_error, checked_registry
from lifehelper_desktop.cli import (
    backup_command,
    bench,
    chat_command,
    commands,
    conversations,
    data_command,
    doctor,
    habit_command,
    history_command,
    mcp_command,
    mcp_servers_command,
    model_command,
    reminder_command,
    review_command,
    sql_command,
    transfer_command,
)
from lifehelper_desktop.cli.context import CliContext, MakeLlm, OpenStore, ServeMcp
from lifehelper_desktop.cli.evaluation import command as evaluation
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.errors import DatabaseCorrupt, DatabaseMissing
from lifehelper_desktop.tools.registry import ToolDefinitionError

Command = Callable[[CliContext, argparse.Namespace], int]

OK, REFUSED, USAGE, WORLD, BROKEN = 0, 1, 2, 3, 4


def build_parser() -> argparse.ArgumentParser:
    """Return the parser; `--data-dir`, `--json`, `--lang` and `--verbose` are taken before and after the command."""
    common = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--data-dir", type=folder, metavar=_("폴더"), help=_("자료를 둘 폴더"))
    common.add_argument("--json", action="store_true", help=_("JSON으로 출력"))
    common.add_argument("--lang", choices=(SYSTEM, *LANGUAGES), help=_("언어"))
    common.add_argument("--verbose", action="store_true", help=_("기록을 화면에도 남기기"))
    parser = argparse.ArgumentParser(
        prog="lifehelper", description=_("습관 코치 LifeHelper의 명령줄"), parents=[common]
    )
    parser.add_argument("--version", action="version", version=f"lifehelper {__version__}")
    subs = parser.add_subparsers(dest="command", required=True, metavar=_("명령"))
    for register in (
        commands.register,
        habit_command.register,
        chat_command.register,
        evaluation.register,
        doctor.register,
        bench.register,
        model_command.register,
        conversations.register,
        transfer_command.register,
        history_command.register,
        reminder_command.register,
        backup_command.register,
        review_command.register,
        sql_command.register,
        data_command.register,
        mcp_command.register,
        mcp_servers_command.register,
    ):
        register(subs, common)
    return parser


def run(argv: Sequence[str], open_store: OpenStore, make_llm: MakeLlm, serve_mcp: ServeMcp | None = None) -> int:
    """Carry out one command line and return its exit code; errors of the world are said in words."""
    for stream in (sys.stdout, sys.stderr):
        _never_fail_on_letters(stream)
    set_language(_early_language(argv))
    args = build_parser().parse_args(argv)
    paths = resolve_paths(getattr(args, "data_dir", None))
    setup_logging(paths.logs, verbose=getattr(args, "verbose", False))
    chosen = getattr(args, "lang", None)
    context = CliContext(
        paths, getattr(args, "json", False), open_store, make_llm, follow_setting=chosen is None, serve_mcp=serve_mcp
    )
    command: Command = args.run
    try:
        checked_registry()  # for every command, the MCP server too: a tool that does not fit is never a warning
        return command(context, args)
    except ToolDefinitionError as broken:
        _say_error(context, "broken_tool", str(broken_tool_error(broken)))
        return BROKEN
    except RuleViolation as violation:
        _say_error(context, violation.code, violation.reason)
        return REFUSED
    except WorldError as error:
        words = str(error)
        if isinstance(error, DatabaseCorrupt) and error.newest_backup is not None:
            words += "\n" + _("명령줄에서는 이렇게 되살려요: lifehelper backup restore newest")
        if isinstance(error, DatabaseMissing):
            words += "\n" + _("비어 있는 채로 새로 시작하려면: lifehelper backup start-empty")
        _say_error(context, "world", words)
        return WORLD
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`| head`): nothing to tell anybody.
        sys.stderr.close()
        return OK
    finally:
        context.close()


def _never_fail_on_letters(stream: TextIO | None) -> None:
    """Letters that the terminal's encoding lacks are written as escapes: an answer is worth more than its looks."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _early_language(argv: Sequence[str]) -> str:
    """Return the value of `--lang` before parsing, since the parser's own help is translated."""
    for index, word in enumerate(argv):
        if word == "--lang" and index + 1 < len(argv) and argv[index + 1] in (SYSTEM, *LANGUAGES):
            return argv[index + 1]
        if word.startswith("--lang=") and word.removeprefix("--lang=") in (SYSTEM, *LANGUAGES):
            return word.removeprefix("--lang=")
    return SYSTEM


def _say_error(context: CliContext, code: str, reason: str) -> None:
    if context.as_json:
        context.print_json({"status": "error", "code": code, "reason": reason})
    else:
        print(reason, file=sys.stderr)
