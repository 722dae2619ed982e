"""All calls of one model turn: executed in order, answered in order, one card each."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.history import end_state, with_card
from lifehelper_desktop.chat.messages import (
    ChatEvent,
    ChatMessage,
    DataChanged,
    MessageAdded,
    ToolCallChatMessage,
    ToolCallState,
    ToolCallUpdated,
)
from lifehelper_desktop.chat.stored_rows import describe_changes
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmToolResult
from lifehelper_desktop.storage.conversations import Invocation
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import DispatchStage, ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult, cap_result
from lifehelper_desktop.tools.registry import ToolRegistry

_log = logging.getLogger(__name__)
_Messages = tuple[ChatMessage, ...]
ShowCard = Callable[[ChatEvent, Callable[[_Messages], _Messages]], None]


@dataclass(slots=True)
class ToolRound:
    """Runs the calls of one model turn, on the thread that owns the model.

    Attributes:
        show: Publishes a card's event and applies its change to the messages.
        next_key: Makes the app's own key for a call.
        stopped: Whether the user asked to stop; the calls that are left are then cancelled.
        wrote: Whether a call changed data.
        done: Identities of writes that earlier runs of this turn have done: they are not done again.
        invocation: Binds a write to its call's key, or answers None: then no repetition is guarded against.
    """

    dispatcher: ToolDispatcher
    registry: ToolRegistry
    deps: ToolDeps
    gate: ConfirmGate | None
    show: ShowCard
    next_key: Callable[[], str]
    stopped: Callable[[], bool]
    wrote: bool = False
    done: Collection[str] = ()
    invocation: Callable[[str], Invocation | None] = lambda _key: None

    def run(self, calls: list[LlmFunctionCall]) -> list[LlmToolResult]:
        """Return one result per call, in order. Identical calls run once; the others are told so."""
        seen = set(self.done)
        results: list[LlmToolResult] = []
        for call in calls:
            identities = self._identities(call)
            if identities & seen:
                result: ToolResult = ToolErr("repeated_call", _("중복: 같은 호출을 이 메시지에서 이미 했어요."))
            else:
                result = self._run_one(call, self._identity(call))
            seen |= identities
            results.append(LlmToolResult(call.name, cap_result(result), call.call_id))
        return results

    def _run_one(self, call: LlmFunctionCall, identity: str) -> ToolResult:
        tool = self.registry.by_name(call.name)
        card = ToolCallChatMessage(
            key=self.next_key(),
            name=call.name,
            label=tool.label[self.deps.language] if tool is not None else call.name,
            args=dict(call.args) if isinstance(call.args, Mapping) else {},
            state=ToolCallState.RUNNING,
            call_id=call.call_id,
            identity=identity,
        )
        self.show(MessageAdded(card), lambda messages: (*messages, card))
        if call.cut_off:
            result: ToolResult = ToolErr("cut_off", _("잘린 호출이라 실행하지 않았어요. 더 짧게 다시 불러 주세요."))
        elif self.stopped():
            result = ToolCancelled(declined=False)
        else:
            with acting(Source.COACH):
                result = self.dispatcher.dispatch(
                    call.name,
                    call.args,
                    self.gate,
                    lambda stage: self._update(card, state=_STAGES[stage]),
                    self.invocation(card.key),
                )
        self._finish(card, result)
        return result

    def _identities(self, call: LlmFunctionCall) -> set[str]:
        """Return what makes a call the same as another of this turn: its id, or its name and canonical arguments."""
        found = {self._identity(call)}
        if call.call_id is not None:
            found.add(f"id:{call.call_id}")
        return found

    def _identity(self, call: LlmFunctionCall) -> str:
        args: Any = call.args
        tool = self.registry.by_name(call.name)
        try:
            if tool is not None and isinstance(args, Mapping):
                args = tool.canonical(args, self.deps)
            return json.dumps([call.name, args], sort_keys=True, default=str)
        except (TypeError, ValueError, RecursionError, WorldError) as error:
            # Arguments that no JSON holds, or data that could not be read: the dispatcher says so on the call's card.
            _log.warning("a call of %r is like no other: %s", call.name, type(error).__name__)
            return self.next_key()

    def _finish(self, card: ToolCallChatMessage, result: ToolResult) -> None:
        changes = result.changes if isinstance(result, ToolOk) and result.changes else None
        stored = result.words if isinstance(result, ToolOk) else ""
        if changes is not None:
            self.wrote = True
            stored = describe_changes(self.deps.store, changes, self.deps.language)
        self._update(card, state=end_state(result), result=result, stored=stored, changes=changes)
        if changes is not None:
            self.show(DataChanged(changes), lambda messages: messages)

    def _update(self, card: ToolCallChatMessage, **changes: object) -> None:
        newer = dataclasses.replace(card, **changes)  # type: ignore[arg-type]
        self.show(ToolCallUpdated(newer), partial(with_card, newer))


_STAGES = {DispatchStage.ASKING: ToolCallState.ASKING, DispatchStage.RUNNING: ToolCallState.RUNNING}
