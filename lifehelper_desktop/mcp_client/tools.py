"""Servers' tools as the program's own see them: definitions that the registry takes and the dispatcher checks and asks.

They differ in three things: what they answer comes from outside, a call is made in another program, and nothing that
they do is in the program's own data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.hub import CallStopped, McpHub
from lifehelper_desktop.mcp_client.listing import LeftOut, RemoteTool
from lifehelper_desktop.mcp_client.naming import tool_names
from lifehelper_desktop.mcp_client.results import read_result
from lifehelper_desktop.mcp_client.status import ServerStatus
from lifehelper_desktop.mcp_client.trouble import ServerTrouble
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.tools.definition import Args, ToolDefinition, ToolDeps, ToolEffect, ToolScope
from lifehelper_desktop.tools.envelope import ToolErr, ToolResult
from lifehelper_desktop.tools.registry import ToolDefinitionError, check_definition
from lifehelper_desktop.tools.visibility import PROFILES_OF_SERVER_TOOLS, ModelProfile

SHOWN_TOOLS_MAX: Final = 20
SHOWN_BYTES_MAX: Final = 8 * 1024
"""What all servers' tools together may take of a model's context: descriptions and schemas, in UTF-8."""
SUMMARY_MAX: Final = 900
"""Characters of arguments that a question shows; a call with more is refused: nobody could see what it sends."""
_VISIBLE_ESCAPE: Final = "\\u{:04x}"


@dataclass(frozen=True, slots=True)
class Offer:
    """What the coach is shown of the servers' tools.

    Attributes:
        definitions: Ordered by server and by the server's own order.
        left_out: Tools that are switched on and yet not among them, by the name of their server.
        mark: Another one for another offer: a conversation is begun anew then.
    """

    definitions: tuple[ToolDefinition, ...] = ()
    left_out: Mapping[str, tuple[LeftOut, ...]] = field(default_factory=dict)
    mark: str = ""


class ServerTools:
    """Makes definitions of what the hub's servers offer. Used on the thread that runs the tools."""

    def __init__(self, hub: McpHub) -> None:
        """Offer the tools of `hub`."""
        self._hub = hub

    def wake(self) -> None:
        """Start the servers in the background, if that has not happened.

        Raises:
            WorldError: The setting could not be read.
        """
        self._hub.wake()

    def settle(self, stopped: Callable[[], bool]) -> None:
        """Give servers that are just starting a moment, so that the conversation need not begin anew for them."""
        self._hub.settle(self._hub.limits.settle, stopped)

    def offer(self, profile: ModelProfile) -> Offer:
        """Return what a model of this kind is shown now."""
        return make_offer(self._hub, self._hub.specs, self._hub.statuses(), profile)


def make_offer(
    hub: McpHub, specs: Iterable[ServerSpec], statuses: Iterable[ServerStatus], profile: ModelProfile
) -> Offer:
    """Return the definitions of all tools that are switched on and fit; what is too much is left out with a reason."""
    listings = {status.name: status.listing for status in statuses}
    wanted: list[tuple[ServerSpec, RemoteTool]] = []
    left_out: dict[str, list[LeftOut]] = {}
    for spec in specs:
        listing = listings.get(spec.name)
        if not spec.is_on or listing is None or not is_shown(spec, profile):
            continue
        left_out[spec.name] = list(listing.left_out)
        wanted += [(spec, tool) for tool in listing.tools if tool.name not in spec.tools_off]
    names = tool_names((spec.name, tool.name) for spec, tool in wanted)
    found: list[ToolDefinition] = []
    size = 0
    digest = hashlib.sha256()
    for spec, tool in wanted:
        definition = define(hub, spec, tool, names[spec.name, tool.name])
        told = _told(definition)
        try:
            check_definition(definition)
        except ToolDefinitionError as error:
            left_out[spec.name].append(LeftOut(tool.title, error.problem))
            continue
        if any(definition.name == each.name for each in found):  # a mark is short: whoever wants to finds two alike
            left_out[spec.name].append(LeftOut(tool.title, N_("같은 이름의 도구가 또 있어요.")))
            continue
        if len(found) == SHOWN_TOOLS_MAX or size + len(told) > SHOWN_BYTES_MAX:
            reason = N_("코치가 한 번에 볼 수 있는 도구가 꽉 찼어요. 안 쓰는 도구를 꺼 주세요.")
            left_out[spec.name].append(LeftOut(tool.title, reason))
            continue
        size += len(told)
        digest.update(told + b"\0")
        found.append(definition)
    kept = {name: tuple(rows) for name, rows in left_out.items() if rows}
    return Offer(tuple(found), kept, digest.hexdigest() if found else "")


def is_shown(spec: ServerSpec, profile: ModelProfile) -> bool:
    """Return whether such a model is shown the tools of a server: small ones only where the user wants it."""
    return profile in PROFILES_OF_SERVER_TOOLS or (profile is ModelProfile.SMALL and spec.for_small_models)


def define(hub: McpHub, spec: ServerSpec, tool: RemoteTool, name: str) -> ToolDefinition:
    """Return the definition of one tool; it asks unless it is marked as reading only and the user trusts such marks."""
    label = f"{spec.name}: {tool.title}"
    reads = tool.reads_only and spec.trusts_read_only
    # The model is told where a tool comes from; what the server says of it is quoted after that.
    description = f"[{spec.name}] {tool.description or tool.title}"
    return ToolDefinition(
        name=name,
        label={"ko": label, "en": label},
        description=description,
        parameters_schema=tool.arguments.schema,
        effect=ToolEffect.READ if reads else ToolEffect.WRITE,
        scope=ToolScope.DATA,
        short_name=name,
        normalise=partial(_declared, tool.arguments.schema),
        check=partial(_check, tool),
        summarize=partial(_summary, spec.name, tool),
        handler=partial(_handle, hub, spec, tool),
        server=spec.name,
    )


def _declared(schema: Mapping[str, Any], args: Args, _deps: ToolDeps) -> dict[str, Any]:
    """Drop what the tool does not take: some servers refuse the whole call for it. Lone surrogates fit no message."""
    return {key: _sendable(value) for key, value in args.items() if key in schema["properties"]}


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    return [_sendable(item) for item in value] if isinstance(value, list | tuple) else value


def _check(tool: RemoteTool, args: Args, _deps: ToolDeps) -> str | None:
    if len(_shown(_sent(tool, args))) > SUMMARY_MAX:
        return _("값이 너무 길어서 다른 프로그램에 보내지 않았어요. 짧게 줄여 주세요.")
    return None


def _summary(server: str, tool: RemoteTool, args: Args, _deps: ToolDeps) -> str:
    words = _("‘{server}’ 서버의 도구 ‘{tool}’에 아래 값을 보내요. 서버는 이 컴퓨터에서 돌아가는 다른 프로그램이에요.")
    return f"{words.format(server=server, tool=tool.title)}\n{_shown(_sent(tool, args))}"


def _sent(tool: RemoteTool, args: Args) -> dict[str, Any]:
    """Return the arguments by the server's own names."""
    return {tool.arguments.names.get(key, key): value for key, value in args.items()}


def _shown(args: Mapping[str, Any]) -> str:
    """Return the arguments letter by letter, one a line: what nobody can see is spelled out."""
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in args.items()]
    text = "\n".join(lines) if lines else _("보내는 값이 없어요.")
    return "".join(char if char.isprintable() or char == "\n" else _VISIBLE_ESCAPE.format(ord(char)) for char in text)


def _handle(hub: McpHub, spec: ServerSpec, tool: RemoteTool, args: Args, deps: ToolDeps) -> ToolResult:
    from mcp import MCPError

    server = spec.name
    if not _is_still_wanted(hub, spec, tool):
        words = _("‘{server}’의 도구 설정이 방금 바뀌어서 부르지 않았어요. 다시 부르지 말고 사용자에게 알려 주세요.")
        return ToolErr("switched_off", words.format(server=server))
    try:
        return read_result(server, hub.call(server, tool.name, _sent(tool, args), deps.run.stop))
    except CallStopped:
        words = _("‘{server}’의 일을 멈췄어요. 서버가 이미 한 일은 남아 있을 수 있어요.")
        return ToolErr("stopped", words.format(server=server))
    except ServerTrouble as trouble:
        words = _("‘{server}’ 서버: {problem} 다시 부르지 말고 사용자에게 알려 주세요.")
        return ToolErr("server_down", words.format(server=server, problem=trouble.words))
    except MCPError as error:
        said = shorten(error.message, 200)
        words = _("‘{server}’ 서버가 하지 못했대요: {said} (같은 값으로 다시 부르지 마세요.)")
        return ToolErr("server_error", words.format(server=server, said=said))


def _is_still_wanted(hub: McpHub, before: ServerSpec, tool: RemoteTool) -> bool:
    """Return whether the settings still say what they said when the turn began: they may change in its middle."""
    now = hub.wanted_now(before.name)
    if now is None or tool.name in now.tools_off or now.program != before.program:
        return False
    # A call that nobody was asked about needs the trust that it was made with.
    return now.trusts_read_only or not (tool.reads_only and before.trusts_read_only)


def _told(definition: ToolDefinition) -> bytes:
    told = [definition.name, definition.description, definition.parameters_schema, definition.effect.value]
    return json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")
