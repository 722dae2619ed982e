"""All calls of one model turn: executed in order, answered in order, one card each."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from dataclasses import dataclass

from lifehelper_desktop.base.i18n import _
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
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.dispatcher import DispatchStage, ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult, cap_result
from lifehelper_desktop.tools.registry import ToolRegistry

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
    """

    dispatcher: ToolDispatcher
    registry: ToolRegistry
    store: Store
    gate: ConfirmGate | None
    language: str
    show: ShowCard
    next_key: Callable[[], str]
    stopped: Callable[[], bool]
    wrote: bool = False

    def run(self, calls: list[LlmFunctionCall]) -> list[LlmToolResult]:
        """Return one result per call, in order. Identical calls run once; the others are told so."""
        seen: set[str] = set()
        results: list[LlmToolResult] = []
        for call in calls:
            identity = _identity(call)
            if identity in seen:
                result: ToolResult = ToolErr("repeated_call", _("중복: 같은 호출을 이 메시지에서 이미 했어요."))
            else:
                seen.add(identity)
                result = self._run_one(call)
            results.append(LlmToolResult(call.name, cap_result(result), call.call_id))
        return results

    def _run_one(self, call: LlmFunctionCall) -> ToolResult:
        tool = self.registry.by_name(call.name)
        card = ToolCallChatMessage(
            key=self.next_key(),
            name=call.name,
            label=tool.label[self.language] if tool is not None else call.name,
            args=dict(call.args),
            state=ToolCallState.RUNNING,
        )
        self.show(MessageAdded(card), lambda messages: (*messages, card))
        if call.cut_off:
            result: ToolResult = ToolErr("cut_off", _("잘린 호출이라 실행하지 않았어요. 더 짧게 다시 불러 주세요."))
        elif self.stopped():
            result = ToolCancelled(declined=False)
        else:
            result = self.dispatcher.dispatch(
                call.name, call.args, self.gate, lambda stage: self._update(card, state=_STAGES[stage])
            )
        self._finish(card, result)
        return result

    def _finish(self, card: ToolCallChatMessage, result: ToolResult) -> None:
        changes = result.changes if isinstance(result, ToolOk) and result.changes else None
        stored = ""
        if changes is not None:
            self.wrote = True
            stored = describe_changes(self.store, changes, self.language)
        self._update(card, state=_end_state(result), result=result, stored=stored, changes=changes)
        if changes is not None:
            self.show(DataChanged(changes), lambda messages: messages)

    def _update(self, card: ToolCallChatMessage, **changes: object) -> None:
        newer = dataclasses.replace(card, **changes)  # type: ignore[arg-type]

        def replaced(messages: _Messages) -> _Messages:
            return tuple(
                newer if isinstance(message, ToolCallChatMessage) and message.key == newer.key else message
                for message in messages
            )

        self.show(ToolCallUpdated(newer), replaced)


_STAGES = {DispatchStage.ASKING: ToolCallState.ASKING, DispatchStage.RUNNING: ToolCallState.RUNNING}


def _end_state(result: ToolResult) -> ToolCallState:
    match result:
        case ToolOk():
            return ToolCallState.DONE
        case ToolErr():
            return ToolCallState.FAILED
        case ToolCancelled(declined=declined):
            return ToolCallState.DECLINED if declined else ToolCallState.CANCELLED


def _identity(call: LlmFunctionCall) -> str:
    """The same id is the same call; without ids, the same name with the same arguments is."""
    if call.call_id is not None:
        return f"id:{call.call_id}"
    return "args:" + json.dumps([call.name, call.args], sort_keys=True, default=str)
