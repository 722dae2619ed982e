"""The MCP server: registry, dispatcher and store for other programs, over standard input and output.

It serves the protocol of 2026-07-28 and, to clients that begin with `initialize`, the ones before.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import NotificationOptions, Server
from mcp.server.subscriptions import ListenHandler
from mcp.shared.exceptions import MCPError

from lifehelper_desktop import __version__
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.tools_at_start import broken_tool_error, checked_registry
from lifehelper_desktop.mcp_server import prompts
from lifehelper_desktop.mcp_server.calls import CallAnswer, Calls, T
from lifehelper_desktop.mcp_server.following import Following
from lifehelper_desktop.mcp_server.listing import tool_of
from lifehelper_desktop.mcp_server.resources import Resources
from lifehelper_desktop.mcp_server.wire import standard_streams
from lifehelper_desktop.storage.journal import Source
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.definition import ToolDefinition, ToolScope
from lifehelper_desktop.tools.registry import ToolDefinitionError, ToolRegistry
from lifehelper_desktop.tools.visibility import Place

Context = ServerRequestContext[None, object]
NAME = "lifehelper"


def serve(store: Store, language: str, *, allow_writes: bool = False) -> None:
    """Serve one client until it goes; blocks.

    Args:
        language: Of titles and words, `ko` or `en`.
        allow_writes: Carry out writes of a client that cannot ask the user.

    Raises:
        WorldError: There is no standard input or output, or a tool does not fit together with what names it.
    """
    store.journal.source = Source.MCP
    _log_with_ours()
    try:
        registry = checked_registry()
    except ToolDefinitionError as error:
        raise broken_tool_error(error) from error
    server = make_server(store, language, registry, allow_writes=allow_writes)

    async def run() -> None:
        async with standard_streams() as (incoming, outgoing):
            options = server.create_initialization_options(NotificationOptions(resources_changed=True))
            await server.run(incoming, outgoing, options)

    anyio.run(run)


def make_server(store: Store, language: str, registry: ToolRegistry, *, allow_writes: bool = False) -> Server[None]:
    """Return the server over `store`, not yet connected; of `registry` it shows what may be shown to other programs.

    The other arguments are those of `serve`.
    """
    shown = registry.visible(Place.MCP)
    tools = tuple(tool for tool in shown if tool.scope is ToolScope.DATA)
    return _Handlers(store, language, tools, allow_writes=allow_writes).server


class _Handlers:
    """One method for each request; the work is done in threads."""

    def __init__(self, store: Store, language: str, tools: tuple[ToolDefinition, ...], *, allow_writes: bool) -> None:
        self._store = store
        self._calls = Calls(store, tools, language, allow_writes=allow_writes)
        self._tools = [tool_of(tool, language) for tool in tools]
        self._resources = Resources(store, language)
        self._following = Following(store, self._resources)
        self.server: Server[None] = Server(
            NAME,
            version=__version__,
            title=_("라이프 헬퍼"),
            description=_("습관 코치 라이프 헬퍼의 습관 자료예요. 모두 이 컴퓨터 안에 있어요."),
            instructions=_(
                "사용자의 습관과 기록, 근거가 있는 습관 카탈로그를 다뤄요. 기록에 없는 것은 지어내지 마세요. "
                "습관을 더하거나 기록하는 도구는 사용자에게 묻고 나서 바꿔요. 거절하면 다시 부르지 마세요. "
                "습관 문장은 하지 않을 것이 아니라 할 것으로 써 주세요. 쉬기는 계획한 쉼이고 실패가 아니에요."
            ),
            lifespan=self._lifespan,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_subscribe_resource=self._subscribe,
            on_unsubscribe_resource=self._unsubscribe,
            on_subscriptions_listen=ListenHandler(self._following.bus),
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        self.server.middleware.clear()  # traces of the user's days are nobody's business

    @asynccontextmanager
    async def _lifespan(self, _server: Server[None]) -> AsyncIterator[None]:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._following.run)
            yield
            tasks.cancel_scope.cancel()

    async def _list_tools(self, context: Context, params: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        return types.ListToolsResult(tools=self._tools)

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> CallAnswer:
        return await self._calls.call(context, params)

    async def _list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        self._following.listed_by(context.session)
        cursor = params.cursor if params is not None else None
        return await self._read(lambda: self._resources.listed(cursor))

    async def _list_templates(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=self._resources.templates())

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await self._read(lambda: self._resources.read(params.uri))

    async def _subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        self._following.follow(params.uri, context.session)
        return types.EmptyResult()

    async def _unsubscribe(self, context: Context, params: types.UnsubscribeRequestParams) -> types.EmptyResult:
        self._following.leave(params.uri)
        return types.EmptyResult()

    async def _list_prompts(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts.listed())

    async def _get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        return await self._read(lambda: prompts.filled(self._store, params.name, params.arguments))

    async def _complete(self, context: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        wanted, typed = params.ref, params.argument.value

        def find() -> types.Completion:
            if isinstance(wanted, types.PromptReference):
                return prompts.weeks(self._store, typed)
            return self._resources.complete(wanted.uri, typed)

        return types.CompleteResult(completion=await self._read(find))

    async def _read(self, work: Callable[[], T]) -> T:
        """Read in a thread; what the disk refuses is said in words.

        Raises:
            MCPError: The data could not be read, or what `work` raises.
        """
        try:
            return await self._calls.in_thread(work)
        except WorldError as error:
            raise MCPError(types.INTERNAL_ERROR, str(error)) from error


def _log_with_ours() -> None:
    """What the protocol's library has to say goes where our log goes, never to standard output."""
    ours, theirs = logging.getLogger("lifehelper_desktop"), logging.getLogger("mcp")
    theirs.handlers[:] = ours.handlers
    theirs.setLevel(max(ours.level, logging.WARNING))
    theirs.propagate = False
