"""`lifehelper mcp-servers`: the MCP servers whose tools the coach may use."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.mcp_servers import ServerSpec, problem_of, read_servers, specs_from_config, write_servers
from lifehelper_desktop.base.settings import MCP_SERVERS
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.listing import Listing
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus
from lifehelper_desktop.mcp_client.trial import connected_words, try_server
from lifehelper_desktop.storage.text import clean_text

OK, REFUSED, USAGE, WORLD = 0, 1, 2, 3


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser."""
    words = _("코치가 도구를 쓸 수 있는 다른 프로그램(MCP 서버)")
    servers = subs.add_parser("mcp-servers", parents=[common], help=words, description=f"{words}. {_risk()}")
    servers.set_defaults(run=_list)
    inner = servers.add_subparsers(dest="servers_command", metavar=_("동작"))
    inner.add_parser("list", parents=[common], help=_("서버 보기")).set_defaults(run=_list)
    add = inner.add_parser(
        "add",
        parents=[common],
        help=_("서버 추가"),
        description=_risk(),
        epilog=_(
            "예: lifehelper mcp-servers add --env TZ=UTC 시간 -- uvx mcp-server-time (선택은 이름보다 앞에 적어요)"
        ),
    )
    add.add_argument("name", nargs="?", help=_("이름; 도구 이름 앞에 붙어요"))
    add.add_argument("command", nargs="*", help=_("실행할 프로그램과 인자; 앞에 --를 적어 주세요"))
    add.add_argument(
        "--env", action="append", default=[], metavar=_("이름=값"), help=_("환경 변수; 여러 번 쓸 수 있어요")
    )
    add.add_argument("--config", action="store_true", help=_("‘mcpServers’ 설정(JSON)을 표준 입력에서 읽어 더하기"))
    add.add_argument("--off", action="store_true", help=_("더하되 켜지 않기"))
    add.set_defaults(run=_add)
    for name, run, help_text in (
        ("remove", _remove, _("서버 지우기")),
        ("on", _on, _("서버나 그 도구 켜기")),
        ("off", _off, _("서버나 그 도구 끄기")),
        ("test", _test, _("서버를 켜서 연결되는지 보기")),
        ("tools", _tools, _("서버를 켜서 도구 보기")),
    ):
        each = inner.add_parser(name, parents=[common], help=help_text)
        each.add_argument("name")
        if name in ("on", "off"):
            each.add_argument(
                "--tool", action="append", default=[], metavar=_("도구"), help=_("서버가 아니라 이 도구만")
            )
        if name in ("test", "tools"):
            each.add_argument("--seconds", type=_seconds, default=Limits().start, help=_("많아야 이만큼 기다리기(초)"))
        each.set_defaults(run=run)


def _risk() -> str:
    return _(
        "서버는 이 컴퓨터에서 내 권한으로 돌아가는 프로그램이에요. 파일을 읽고 지우거나 인터넷에 보낼 수도 있어요."
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0.1 <= seconds <= 600:
        raise ValueError(text)
    return seconds


def _specs(context: CliContext) -> tuple[ServerSpec, ...]:
    return read_servers(context.store.settings.get_str(MCP_SERVERS))


def _named(context: CliContext, name: str) -> ServerSpec | None:
    found = next((spec for spec in _specs(context) if spec.name.casefold() == name.casefold()), None)
    if found is None:
        _refuse(context, "not_found", _("그런 이름의 서버가 없어요. ‘lifehelper mcp-servers list’로 볼 수 있어요."))
    return found


def _keep(context: CliContext, specs: Iterable[ServerSpec]) -> None:
    context.store.settings.set(MCP_SERVERS, write_servers(specs))


def _list(context: CliContext, _args: argparse.Namespace) -> int:
    specs = _specs(context)
    if context.as_json:
        context.print_json([_spec_json(spec) for spec in specs])
        return OK
    for spec in specs:
        state = _("켬") if spec.is_on else _("끔")
        context.print(f"{spec.name}  [{state}]  {' '.join((spec.command, *spec.args))}")
        if spec.env:
            context.print("  " + _("환경 변수: {names}").format(names=", ".join(name for name, _value in spec.env)))
        if spec.tools_off:
            context.print("  " + _("꺼 둔 도구: {names}").format(names=", ".join(sorted(spec.tools_off))))
    if not specs:
        context.print(_("아직 더한 서버가 없어요."))
    return OK


def _spec_json(spec: ServerSpec) -> dict[str, Any]:
    """Return a server without the values of its environment, which may be keys."""
    return {
        "name": spec.name,
        "command": spec.command,
        "args": list(spec.args),
        "env": [name for name, _value in spec.env],
        "on": spec.is_on,
        "trust_read_only": spec.trusts_read_only,
        "small_models": spec.for_small_models,
        "tools_off": sorted(spec.tools_off),
    }


def _add(context: CliContext, args: argparse.Namespace) -> int:
    if args.config:
        try:
            new = specs_from_config(sys.stdin.read())
        except ValueError:
            return _refuse(context, "validation", _("표준 입력에서 ‘mcpServers’ 설정을 찾지 못했어요."))
    elif args.name is None or not args.command:
        return _refuse(context, "usage", _("이름과 프로그램을 적어 주세요. 예: add 시간 -- uvx mcp-server-time"), USAGE)
    else:
        env = tuple((name, value) for name, _sign, value in (each.partition("=") for each in args.env))
        new = (ServerSpec(args.name, args.command[0], tuple(args.command[1:]), env),)
    specs = list(_specs(context))
    for spec in new:
        if (problem := problem_of(spec, specs)) is not None:
            return _refuse(context, "validation", problem)
        specs.append(replace(spec, is_on=not args.off))
    _keep(context, specs)
    if context.as_json:
        context.print_json({"status": "ok", "added": [spec.name for spec in new]})
        return OK
    for spec in new:
        context.print(
            _("‘{name}’ 서버를 더했어요. 연결되는지는 ‘mcp-servers test’로 볼 수 있어요.").format(name=spec.name)
        )
    context.print(_risk())
    return OK


def _remove(context: CliContext, args: argparse.Namespace) -> int:
    spec = _named(context, args.name)
    if spec is None:
        return REFUSED
    _keep(context, (each for each in _specs(context) if each.name != spec.name))
    return _say(context, spec, _("‘{name}’ 서버를 지웠어요. ‘undo’로 되돌릴 수 있어요."))


def _on(context: CliContext, args: argparse.Namespace) -> int:
    return _switch(context, args, True)


def _off(context: CliContext, args: argparse.Namespace) -> int:
    return _switch(context, args, False)


def _switch(context: CliContext, args: argparse.Namespace, on: bool) -> int:
    spec = _named(context, args.name)
    if spec is None:
        return REFUSED
    if args.tool:
        off = spec.tools_off - set(args.tool) if on else spec.tools_off | set(args.tool)
        changed = replace(spec, tools_off=off)
        words = _("‘{name}’의 도구를 켰어요.") if on else _("‘{name}’의 도구를 껐어요.")
    else:
        changed = replace(spec, is_on=on)
        words = _("‘{name}’ 서버를 켰어요. 코치와 이야기할 때 함께 시작해요.") if on else _("‘{name}’ 서버를 껐어요.")
    _keep(context, (changed if each.name == spec.name else each for each in _specs(context)))
    return _say(context, spec, words)


def _say(context: CliContext, spec: ServerSpec, words: str) -> int:
    if context.as_json:
        context.print_json({"status": "ok", "name": spec.name})
    else:
        context.print(words.format(name=spec.name))
    return OK


def _test(context: CliContext, args: argparse.Namespace) -> int:
    spec = _named(context, args.name)
    if spec is None:
        return REFUSED
    status = _tried(spec, args)
    count = len(status.listing.tools) if status.listing is not None else 0
    if context.as_json:
        context.print_json({"name": status.name, "state": status.state, "problem": status.problem, "tools": count})
    elif status.state is ServerState.READY:
        context.print(connected_words(status.name, count))
    else:
        print(clean_text(status.problem), file=sys.stderr)
    return OK if status.state is ServerState.READY else WORLD


def _tools(context: CliContext, args: argparse.Namespace) -> int:
    spec = _named(context, args.name)
    if spec is None:
        return REFUSED
    status = _tried(spec, args)
    listing = status.listing or Listing()
    rows = [
        {"name": tool.name, "title": tool.title, "description": tool.description, "reads_only": tool.reads_only,
         "on": tool.name not in spec.tools_off}
        for tool in listing.tools
    ]  # fmt: skip
    if context.as_json:
        left_out = [{"name": each.name, "reason": each.reason} for each in listing.left_out]
        context.print_json({"tools": rows, "left_out": left_out, "problem": status.problem})
    else:
        for row in rows:
            manner = _("읽기만") if row["reads_only"] else _("물어봄")
            state = "" if row["on"] else f"  ({_('꺼 둠')})"
            context.print(f"{row['name']}  [{manner}]{state}  {row['description']}".rstrip())
        for each in listing.left_out:
            context.print(_("‘{tool}’: 쓸 수 없어요. {reason}").format(tool=each.name, reason=each.reason))
        if status.problem:
            print(clean_text(status.problem), file=sys.stderr)
    return OK if status.state is ServerState.READY else WORLD


def _tried(spec: ServerSpec, args: argparse.Namespace) -> ServerStatus:
    return try_server(spec, limits=Limits(start=args.seconds))


def _refuse(context: CliContext, code: str, reason: str, end: int = REFUSED) -> int:
    if context.as_json:
        context.print_json({"status": "error", "code": code, "reason": reason})
    else:
        print(reason, file=sys.stderr)
    return end
