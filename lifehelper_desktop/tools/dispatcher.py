"""The only way to a tool: find it, check the arguments, ask, run. Never raises."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from jsonschema import Draft7Validator

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.conversations import Invocation
from lifehelper_desktop.tools.arguments import explain, is_plain_json
from lifehelper_desktop.tools.confirm_gate import ConfirmGate, ConfirmRequest, Verdict, arguments_digest
from lifehelper_desktop.tools.definition import ToolDefinition, ToolDeps, ToolEffect, ToolScope, ToolStopped
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolErr, ToolOk, ToolResult
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.tools.stored_result import result_from_json, result_to_json
from lifehelper_desktop.tools.window import no_window

_log = logging.getLogger(__name__)


class DispatchStage(StrEnum):
    """What a call is doing; told to the observer as it happens."""

    ASKING = "asking"
    RUNNING = "running"


StageObserver = Callable[[DispatchStage], None]


class ToolDispatcher:
    """Routes calls to handlers. Used on one thread at a time; what it learns of a call goes into the run's state."""

    def __init__(self, registry: ToolRegistry, deps: ToolDeps) -> None:
        """Route to the tools of `registry`, giving handlers what their scope names of `deps`."""
        self._registry = registry
        self._deps = deps
        self._validators = {tool.name: Draft7Validator(dict(tool.parameters_schema)) for tool in registry.all()}

    def dispatch(
        self,
        name: str,
        raw_args: object,
        gate: ConfirmGate | None = None,
        observer: StageObserver | None = None,
        invocation: Invocation | None = None,
    ) -> ToolResult:
        """Carry out one call and return its result; a refusal, a "no" and a failure are results too.

        Order: `unknown_tool`, `validation` and what the tool's own check refuses, confirmation (no gate or no "yes":
        cancelled), handler (an exception: `handler_error`). What runs is exactly what was shown in the question. A
        write with an `invocation` is noted in its own transaction; the same invocation writes no second time but
        answers what it answered.
        """
        try:
            return self._dispatch(name, raw_args, gate, observer, invocation)
        except Exception:  # noqa: BLE001 - a failing tool is a result, never the end of the chat
            _log.exception("tool call %r failed", name)
            return ToolErr("handler_error", _("이 작업을 마치지 못했어요. 다시 부르지 말고 사용자에게 알려 주세요."))

    def _dispatch(
        self,
        name: str,
        raw_args: object,
        gate: ConfirmGate | None,
        observer: StageObserver | None,
        invocation: Invocation | None,
    ) -> ToolResult:
        tool = self._registry.by_name(name) if isinstance(name, str) else None
        if tool is None:
            names = ", ".join(self._registry.names())
            return ToolErr("unknown_tool", _("그런 도구는 없어요. 쓸 수 있는 도구: {names}").format(names=names))
        if not isinstance(raw_args, Mapping) or not is_plain_json(raw_args):
            return ToolErr("validation", _("인자가 올바른 JSON 묶음이 아니에요."))
        args = tool.canonical(raw_args, self._deps)
        refusal = self._out_of_reach(tool) or self._refusal(tool, args)
        if refusal is not None:
            return refusal
        if tool.asks_first(args):
            declined = self._ask(tool, args, gate, observer, invocation)
            if declined is not None:
                return declined
        if observer is not None:
            observer(DispatchStage.RUNNING)
        # What another program does is in no transaction of ours, and must hold none open while it takes its time.
        if tool.effect is ToolEffect.WRITE and invocation is not None and not tool.server:
            result = self._run_once(tool, args, invocation)
        else:
            result = self._run(tool, args)
        if isinstance(result, ToolOk) and not tool.server:
            self._note_habit(args, result)
        return result

    def _out_of_reach(self, tool: ToolDefinition) -> ToolErr | None:
        """Return the refusal of a tool whose scope names what is not here, or None."""
        match tool.scope:
            case ToolScope.DATA:
                return None
            case ToolScope.UI:
                return no_window() if self._deps.ui is None else None
            case ToolScope.MODEL:
                words = _("여기에는 문장을 지을 모델이 없어요. 다시 부르지 말고 사용자에게 알려 주세요.")
                return ToolErr("no_model", words) if self._deps.model is None else None
            case _:
                raise AssertionError(f"{tool.name} has no scope")

    def _note_habit(self, args: Mapping[str, Any], result: ToolOk) -> None:
        """Keep which habit was spoken of last: the one of the call, or the one that it made."""
        habit_id = args.get("habit_id", result.data.get("habit_id"))
        if isinstance(habit_id, int) and not isinstance(habit_id, bool):
            self._deps.run.habit_id = habit_id

    def _refusal(self, tool: ToolDefinition, args: Mapping[str, Any]) -> ToolErr | None:
        """Return what is wrong with the arguments, before anyone is asked, or None."""
        problem = explain(self._validators[tool.name], args)
        if problem is None and tool.check is not None:
            try:
                problem = tool.check(args, self._deps)
            except RuleViolation as violation:
                return ToolErr(violation.code, violation.reason)
        if problem is None:
            return None
        return ToolErr("validation", _("값을 고쳐 주세요. {problem}").format(problem=problem))

    def _ask(
        self,
        tool: ToolDefinition,
        args: Mapping[str, Any],
        gate: ConfirmGate | None,
        observer: StageObserver | None,
        invocation: Invocation | None,
    ) -> ToolCancelled | None:
        """Return None when the user said yes to exactly this call, else the cancelled result."""
        if gate is None:
            return ToolCancelled(declined=False)
        if observer is not None:
            observer(DispatchStage.ASKING)
        digest = arguments_digest(tool.name, args)
        request = ConfirmRequest(
            tool_name=tool.name,
            label=tool.label[self._deps.language],
            description=_(tool.description),
            summary=self._summary(tool, args),
            args=json.loads(json.dumps(args)),
            digest=digest,
            **({"invocation_id": invocation.key} if invocation is not None else {}),
        )
        verdict = gate.confirm(request)
        if verdict is Verdict.CONFIRMED and arguments_digest(tool.name, args) == digest:
            return None
        return ToolCancelled(declined=verdict is Verdict.DECLINED)

    def _summary(self, tool: ToolDefinition, args: Mapping[str, Any]) -> str:
        if tool.summarize is not None:
            try:
                return tool.summarize(args, self._deps)
            except Exception:  # noqa: BLE001 - the question must still be asked
                _log.exception("summary of %s failed; showing the arguments", tool.name)
        return json.dumps(args, ensure_ascii=False, indent=1)

    def _run_once(self, tool: ToolDefinition, args: Mapping[str, Any], invocation: Invocation) -> ToolResult:
        """Run a write and note it in one transaction, unless it has run before."""
        kept = self._deps.store.conversations
        try:
            with self._deps.store.db.write():
                done = kept.done(invocation)
                if done is not None:
                    return result_from_json(done)
                result = self._run(tool, args)
                if isinstance(result, ToolOk):
                    kept.record(invocation, tool.name, result_to_json(result))
                return result
        except WorldError as error:
            _log.warning("tool %s: %s", tool.name, error)
            return ToolErr("handler_error", str(error))

    def _run(self, tool: ToolDefinition, args: Mapping[str, Any]) -> ToolResult:
        assert tool.scope is not None, "looked at before"
        try:
            return tool.handler(args, self._deps.for_scope(tool.scope))
        except RuleViolation as violation:
            return ToolErr(violation.code, violation.reason)
        except ToolStopped:
            return ToolCancelled(declined=False)
        except WorldError as error:
            _log.warning("tool %s: %s", tool.name, error)
            return ToolErr("handler_error", str(error))
