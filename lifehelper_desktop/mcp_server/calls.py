"""Carrying out the calls of other programs: the same dispatcher, and no write without a yes from the user."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from lifehelper_desktop.mcp_server.questions import (
    ANSWER,
    Approved,
    Question,
    WaitingQuestions,
    can_ask,
    form_of,
    question_of,
    verdict_of,
)
from lifehelper_desktop.mcp_server.results import call_result, cannot_ask, outdated, too_long
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate, ConfirmRequest, Verdict
from lifehelper_desktop.tools.definition import ToolDefinition, ToolDeps, ToolEffect
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.run_state import RunState

ARGUMENTS_MAX: Final = 64 * 1024
"""Characters of a call's arguments as JSON. No tool needs a tenth of it, and some would work on more for seconds."""
THREADS: Final = 8  # calls that work at the same time; those that wait for the user take none
T = TypeVar("T")
Context = ServerRequestContext[Any, Any]
CallAnswer = types.CallToolResult | types.InputRequiredResult


def asking_always(tools: tuple[ToolDefinition, ...]) -> ToolRegistry:
    """Return a registry of `tools` in which every write asks, a blank entry too: the caller is not the user."""
    return ToolRegistry(
        dataclasses.replace(tool, needs_confirmation=None) if tool.effect is ToolEffect.WRITE else tool
        for tool in tools
    )


class Calls:
    """Answers `tools/call`. Lives on the event loop; the work is done in threads, several calls at a time."""

    def __init__(self, store: Store, tools: tuple[ToolDefinition, ...], language: str, *, allow_writes: bool) -> None:
        """Serve `tools` over `store`.

        Args:
            allow_writes: Writes of a client that cannot ask are carried out all the same.
        """
        self._store = store
        self._registry = asking_always(tools)
        self._language = language
        self._allow_writes = allow_writes
        self._waiting = WaitingQuestions()
        self._threads = anyio.CapacityLimiter(THREADS)

    async def call(self, context: Context, params: types.CallToolRequestParams) -> CallAnswer:
        """Carry out one call, or answer with the question that has to be answered first.

        Raises:
            MCPError: There is no such tool.
        """
        raw = params.arguments or {}
        if self._registry.by_name(params.name) is None:
            names = ", ".join(self._registry.names())
            raise MCPError(
                types.INVALID_PARAMS,
                f"unknown tool {params.name!r}; known: {names}",
            )
        if _length(raw) > ARGUMENTS_MAX:
            return call_result(too_long())
        if params.request_state is not None:
            return await self._answered(params, raw)
        question = Question()
        result = await self._reading(params.name, raw, question)
        if question.request is None:
            return call_result(result)
        return await self._ask(context, question.request, raw)

    async def _ask(self, context: Context, request: ConfirmRequest, raw: Mapping[str, Any]) -> CallAnswer:
        """Put the question to the user, and do what was asked when the answer is yes."""
        if not can_ask(context.session.client_capabilities):
            if not self._allow_writes:
                return call_result(cannot_ask())
            return await self._write(request, Verdict.CONFIRMED)
        if context.protocol_version in MODERN_PROTOCOL_VERSIONS:
            return types.InputRequiredResult(
                input_requests={ANSWER: question_of(request)}, request_state=self._waiting.keep(request, raw)
            )
        message, schema = form_of(request)
        try:
            answer = await context.session.elicit_form(message, schema, context.request_id)
        except MCPError:
            return call_result(cannot_ask())  # it said that it could
        except ValidationError:
            return await self._write(request, Verdict.CANCELLED)
        return await self._write(request, verdict_of(answer))

    async def _answered(self, params: types.CallToolRequestParams, raw: Mapping[str, Any]) -> types.CallToolResult:
        """Do what was asked about in an earlier round, when this is its answer and a yes."""
        request = self._waiting.take(params.request_state or "", params.name, raw)
        if request is None:
            return call_result(outdated())
        return await self._write(request, verdict_of((params.input_responses or {}).get(ANSWER)))

    async def _write(self, request: ConfirmRequest, verdict: Verdict) -> types.CallToolResult:
        """Carry out exactly what was shown, on a yes. Once begun it is finished, even when nobody waits any more."""
        if verdict is not Verdict.CONFIRMED:
            return call_result(ToolCancelled(declined=verdict is Verdict.DECLINED))
        work = self._work(request.tool_name, request.args, Approved(request), RunState(self._language))
        result = await anyio.to_thread.run_sync(work, limiter=self._threads)
        return call_result(outdated() if isinstance(result, ToolCancelled) else result)

    async def _reading(self, name: str, raw: Mapping[str, Any], gate: ConfirmGate) -> ToolResult:
        """Run a call that changes nothing; when it is cancelled, nobody waits for its end."""
        run = RunState(self._language)
        return await self.in_thread(self._work(name, raw, gate, run), run.stop)

    def _work(self, name: str, raw: Mapping[str, Any], gate: ConfirmGate, run: RunState) -> Callable[[], ToolResult]:
        # A dispatcher serves one thread at a time; making one takes well under a millisecond.
        dispatcher = ToolDispatcher(self._registry, ToolDeps(self._store, run=run))
        return lambda: dispatcher.dispatch(name, raw, gate)

    async def in_thread(self, work: Callable[[], T], stop: threading.Event | None = None) -> T:
        """Do `work`, which only reads, in a thread; cancelling leaves it behind and sets `stop`."""
        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._threads)
        except anyio.get_cancelled_exc_class():
            if stop is not None:
                stop.set()
            raise


def _length(raw: Mapping[str, Any]) -> int:
    try:
        return len(json.dumps(raw, ensure_ascii=False))
    except (ValueError, RecursionError):  # a number of more digits than Python prints, or nested without end
        return ARGUMENTS_MAX + 1
