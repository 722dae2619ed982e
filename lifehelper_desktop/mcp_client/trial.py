"""One try of a server, apart from those that run: does it start, does it answer, what does it offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lifehelper_desktop.base.i18n import ngettext
from lifehelper_desktop.base.mcp_servers import ServerSpec
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.limits import Limits
from lifehelper_desktop.mcp_client.status import ServerState, ServerStatus


def try_server(
    spec: ServerSpec, stopped: Callable[[], bool] = lambda: False, limits: Limits | None = None
) -> ServerStatus:
    """Start the server of `spec`, read its tools, and end it; blocks until then, or until `stopped`.

    The answer is READY, or FAILED with what went wrong in words, or STARTING when it was stopped.
    """
    limits = replace(limits or Limits(), pauses=())
    hub = McpHub(lambda: (replace(spec, is_on=True),), limits)
    try:
        hub.wake()
        hub.settle(limits.start + limits.listing + limits.closing, stopped)
        status = hub.statuses()[0]
        return status if status.state is not ServerState.ASLEEP else replace(status, state=ServerState.STARTING)
    finally:
        hub.close()


def connected_words(name: str, tools: int) -> str:
    """Return the good news of a trial."""
    words = ngettext(
        "‘{name}’: 잘 연결돼요. 도구 {n}개를 찾았어요.", "‘{name}’: 잘 연결돼요. 도구 {n}개를 찾았어요.", tools
    )
    return words.format(name=name, n=tools)
