"""The MCP servers that the user added, as one setting holds them: programs with their arguments, never started here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lifehelper_desktop.base.i18n import _

SERVERS_MAX: Final = 16
NAME_MAX: Final = 40
_COMMAND_MAX, _ARGS_MAX, _ARG_MAX, _ENV_MAX, _OFF_MAX = 1024, 64, 4096, 64, 500
_ENV_NAME: Final = re.compile(r"[^=\s\0]{1,200}")
_KEYS: Final = frozenset({"name", "command", "args", "env", "on", "trust_read_only", "small_models", "tools_off"})


@dataclass(frozen=True, slots=True)
class ServerSpec:
    """One server.

    Attributes:
        name: For people, and the beginning of its tools' names; unique whatever the case.
        command: The program: a name on the PATH, or a path.
        args: Its arguments, each as it is; no shell reads them.
        env: Environment variables beside the few that every server gets.
        is_on: Whether it is started when the coach is first used.
        trusts_read_only: Whether tools that the server marks as reading only run without a question.
        for_small_models: Whether small models are shown its tools too.
        tools_off: Tools, by the server's own names, that the coach is not shown.
    """

    name: str
    command: str
    args: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    is_on: bool = True
    trusts_read_only: bool = True
    for_small_models: bool = False
    tools_off: frozenset[str] = frozenset()

    @property
    def program(self) -> tuple[str, tuple[str, ...], tuple[tuple[str, str], ...]]:
        """What is started: while it stays the same, so does the process."""
        return self.command, self.args, self.env


def read_servers(text: str) -> tuple[ServerSpec, ...]:
    """Return the servers of a stored value; an empty text holds none.

    Raises:
        ValueError: It is no list of servers.
    """
    if not text:
        return ()
    rows = _read_json(text)
    if not isinstance(rows, list):
        raise ValueError("not a list")  # noqa: TRY004 - one error for everything that does not fit
    specs = tuple(_spec(row) for row in rows)
    for at, spec in enumerate(specs):
        if (problem := problem_of(spec, specs[:at])) is not None:
            raise ValueError(problem)
    return specs


def write_servers(specs: Iterable[ServerSpec]) -> str:
    """Return the value to store; empty for none."""
    rows = [
        {
            "name": spec.name,
            "command": spec.command,
            "args": list(spec.args),
            "env": dict(spec.env),
            "on": spec.is_on,
            "trust_read_only": spec.trusts_read_only,
            "small_models": spec.for_small_models,
            "tools_off": sorted(spec.tools_off),
        }
        for spec in specs
    ]
    return json.dumps(rows) if rows else ""


def problem_of(spec: ServerSpec, others: Iterable[ServerSpec]) -> str | None:
    """Return why `spec` cannot stand beside `others`, in words for the user, or None."""
    others = tuple(others)
    texts = (spec.command, *spec.args, *(value for _name, value in spec.env))
    if not spec.name.strip() or len(spec.name) > NAME_MAX or not spec.name.isprintable():
        return _("이름을 {n}자 안으로 적어 주세요.").format(n=NAME_MAX)
    if spec.name.casefold() in {other.name.casefold() for other in others}:
        return _("같은 이름의 서버가 있어요. 다른 이름을 적어 주세요.")
    if len(others) >= SERVERS_MAX:
        return _("서버는 {n}개까지 더할 수 있어요. 안 쓰는 것을 지워 주세요.").format(n=SERVERS_MAX)
    if not spec.command.strip() or len(spec.command) > _COMMAND_MAX or "\n" in spec.command:
        return _("실행할 프로그램을 적어 주세요.")
    if len(spec.args) > _ARGS_MAX or any(len(arg) > _ARG_MAX for arg in spec.args):
        return _("인자가 너무 많거나 길어요.")
    names = [name for name, _value in spec.env]
    if len(names) > _ENV_MAX or len(set(names)) < len(names) or not all(map(_ENV_NAME.fullmatch, names)):
        return _("환경 변수는 한 줄에 하나씩 이름=값으로 적어 주세요.")
    if any("\0" in text for text in texts) or any(len(value) > _ARG_MAX for _name, value in spec.env):
        return _("적은 글에 쓸 수 없는 글자가 있거나 너무 길어요.")
    if len(spec.tools_off) > _OFF_MAX:
        return _("꺼 둔 도구가 너무 많아요.")
    return None


def specs_from_config(text: str) -> tuple[ServerSpec, ...]:
    """Return the servers of a settings text as the makers of servers print it: `{"mcpServers": {name: {...}}}`.

    Raises:
        ValueError: It is none, or a server in it is not started by a command.
    """
    value = _read_json(text)
    rows = value.get("mcpServers", value.get("servers", value)) if isinstance(value, dict) else None
    if not isinstance(rows, dict) or not rows:
        raise ValueError("no servers")
    if "command" in rows:
        rows = {str(rows.get("name", "server")): rows}
    found: list[ServerSpec] = []
    for name, row in rows.items():
        if not isinstance(row, dict):
            raise ValueError(f"{name}: not an object")  # noqa: TRY004
        spec = _spec(
            {"name": name, "command": row.get("command"), "args": row.get("args", []), "env": row.get("env", {})}
        )
        if (problem := problem_of(spec, found)) is not None:
            raise ValueError(problem)
        found.append(spec)
    return tuple(found)


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def _spec(row: Any) -> ServerSpec:
    if not isinstance(row, dict) or not row.keys() <= _KEYS:
        raise ValueError("a server has other fields than known")
    env = row.get("env", {})
    if not isinstance(env, Mapping) or not all(isinstance(value, str) for value in env.values()):
        raise ValueError("env: names and texts")
    return ServerSpec(
        _text(row, "name"),
        _text(row, "command"),
        tuple(_texts(row, "args")),
        tuple(env.items()),
        _flag(row, "on", True),
        _flag(row, "trust_read_only", True),
        _flag(row, "small_models", False),
        frozenset(_texts(row, "tools_off")),
    )


def _text(row: Mapping[str, Any], key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key}: not a text")  # noqa: TRY004
    return value


def _texts(row: Mapping[str, Any], key: str) -> list[str]:
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError(f"{key}: not a list of texts")
    return value


def _flag(row: Mapping[str, Any], key: str, default: bool) -> bool:
    value = row.get(key, default)
    if not isinstance(value, bool):
        raise ValueError(f"{key}: neither true nor false")  # noqa: TRY004
    return value
