"""The command: play every case, print a line for each, then the totals."""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lifehelper_desktop.base.i18n import _, current_language, set_language
from lifehelper_desktop.chat.claims import claims_a_write
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import (
    ChatEvent,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
)
from lifehelper_desktop.chat.prompts import turn_context
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.cli.evaluation.cases import Case, build_world, read_cases
from lifehelper_desktop.cli.evaluation.judge import JudgedCall, Judgement, judge
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmService, LlmToolResult, LlmTurn
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate, FixedGate, Verdict
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import ToolErr, cap_result
from lifehelper_desktop.tools.registry import ToolRegistry

OK, REFUSED = 0, 1
_MALFORMED = frozenset({"validation", "unknown_tool", "cut_off"})
_NEVER_DISPATCHED = frozenset({"cut_off"})


@dataclass(frozen=True, slots=True)
class CaseReport:
    """How one case went; times in seconds."""

    case: Case
    judgement: Judgement
    calls: Sequence[JudgedCall]
    answer: str
    error: str | None
    malformed: int
    capped: bool
    false_claim: bool
    first_token_s: float
    turn_s: float
    generated_tokens: int
    generation_s: float

    def to_json(self) -> dict[str, Any]:
        """Return the line that `--json` prints."""
        return {
            "id": self.case.id,
            "lang": self.case.language,
            "tags": list(self.case.tags),
            "passed": self.judgement.passed,
            "why": self.judgement.why if not self.judgement.passed else "",
            "calls": [
                {"name": call.name, "args": dict(call.args), "date": call.date, "outcome": call.outcome}
                for call in self.calls
            ],
            "answer": self.answer,
            "error": self.error,
            "false_claim": self.false_claim,
            "capped": self.capped,
            "first_token_s": round(self.first_token_s, 3),
            "turn_s": round(self.turn_s, 3),
        }


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    command = subs.add_parser("eval", parents=[common], help=_("코치를 사례로 재기"))
    command.add_argument("file", type=Path, metavar="FILE.jsonl")
    command.add_argument("--model", default="", help=_("모델 파일(GGUF)"))
    command.add_argument("--only", default="", help=_("이 글자가 든 id나 태그만"))
    command.set_defaults(run=_run)


def _run(context: CliContext, args: argparse.Namespace) -> int:
    cases = [case for case in read_cases(args.file) if not args.only or args.only in case.id or args.only in case.tags]
    llm = context.make_llm(context.paths, args.model, "auto")
    before = current_language()
    reports = []
    try:
        llm.load()
        for case in cases:
            report = play(case, llm, context)
            reports.append(report)
            if context.as_json:
                context.print_json(report.to_json())
            else:
                mark = "o" if report.judgement.passed else "x"
                context.print(f"{mark} {case.id}  {report.turn_s:.1f}s  {report.judgement.why}".rstrip())
    finally:
        llm.close()
        set_language(before)
    totals = summarise(reports)
    if context.as_json:
        context.print_json(totals)
    else:
        context.print(_("{passed} / {total} 통과").format(passed=totals["passed"], total=totals["total"]))
        for key in ("by_tag", "by_lang"):
            rows = ", ".join(f"{name} {row['passed']}/{row['total']}" for name, row in totals[key].items())
            context.print(f"{key}: {rows}")
        rest = {key: value for key, value in totals.items() if key not in ("by_tag", "by_lang", "total", "passed")}
        context.print(", ".join(f"{key}={value}" for key, value in rest.items()))
    return OK


def play(case: Case, llm: LlmService, context: CliContext) -> CaseReport:
    """Play one case in a throw-away database and judge it."""
    set_language(case.language)
    with tempfile.TemporaryDirectory(prefix="lifehelper-eval-") as folder:
        store = build_world(case, Path(folder), context.open_store)
        try:
            return _play_in(case, store, llm)
        finally:
            store.close()


@dataclass(slots=True)
class _Timing:
    """Collects the measures of the model turns of one user turn."""

    started: float = field(default_factory=time.perf_counter)
    first_token_s: float | None = None

    def listen(self, event: ChatEvent) -> None:
        """Note when the first piece of an answer came (a word or a call)."""
        name = type(event).__name__
        is_card = name == "MessageAdded" and isinstance(getattr(event, "message", None), ToolCallChatMessage)
        if self.first_token_s is None and (name == "TextStreamed" or is_card):
            self.first_token_s = time.perf_counter() - self.started


def _gate(confirm: str) -> ConfirmGate | None:
    match confirm:
        case "yes":
            return FixedGate(Verdict.CONFIRMED)
        case "no":
            return FixedGate(Verdict.DECLINED)
        case _:
            return None


def _history(case: Case, dispatcher: ToolDispatcher, registry: ToolRegistry, store: Store) -> tuple[LlmTurn, ...]:
    """Return the earlier turns; reading calls get their real answers, writing ones are taken as done before."""
    turns = []
    for row in case.before:
        calls = [LlmFunctionCall(call["name"], call["args"]) for call in row.get("calls", ())]
        results = []
        for call in calls:
            tool = registry.by_name(call.name)
            is_write = tool is not None and tool.is_destructive
            answer = {"status": "ok"} if is_write else cap_result(dispatcher.dispatch(call.name, call.args))
            results.append(LlmToolResult(call.name, answer))
        user = row.get("user", "")
        context = turn_context(store, case.language)
        turns.append(LlmTurn(user, calls, results, row.get("coach", ""), context))
    return tuple(turns)


def _play_in(case: Case, store: Store, llm: LlmService) -> CaseReport:
    registry = ToolRegistry.defaults()
    deps = ToolDeps(store, case.language)
    timing = _Timing()
    history = _history(case, ToolDispatcher(registry, deps), registry, store)
    controller = ChatSessionController(
        llm, store, registry, _gate(case.confirm), timing.listen, case.language, history, keep=False
    )
    try:
        controller.user_turn(case.user)
        turn_s = time.perf_counter() - timing.started
        stats = controller.session.total_stats if controller.session is not None else None
    finally:
        controller.close()
    messages = controller.state.messages
    cards = [message for message in messages if isinstance(message, ToolCallChatMessage)]
    calls = [_judged(card, registry, deps) for card in cards if not _never_dispatched(card)]
    answer = "\n".join(message.text for message in messages if isinstance(message, ModelChatMessage))
    wrote = any(call.is_write and call.outcome == "ok" for call in calls)
    false_claim = claims_a_write(answer) and not wrote
    return CaseReport(
        case=case,
        judgement=judge(case.expect, calls, false_claim),
        calls=calls,
        answer=answer,
        error=controller.state.error,
        malformed=sum(_code(card) in _MALFORMED for card in cards),
        capped=any(
            isinstance(message, SystemChatMessage) and message.kind is SystemMessageKind.TURN_CAP
            for message in messages
        ),
        false_claim=false_claim,
        first_token_s=timing.first_token_s if timing.first_token_s is not None else turn_s,
        turn_s=turn_s,
        generated_tokens=stats.generated_tokens if stats is not None else 0,
        generation_s=stats.generation_s if stats is not None else 0.0,
    )


def _code(card: ToolCallChatMessage) -> str:
    return card.result.code if isinstance(card.result, ToolErr) else ""


def _never_dispatched(card: ToolCallChatMessage) -> bool:
    return card.result is None or _code(card) in _NEVER_DISPATCHED


def _judged(card: ToolCallChatMessage, registry: ToolRegistry, deps: ToolDeps) -> JudgedCall:
    tool = registry.by_name(card.name)
    args: dict[str, Any] = dict(card.args)
    if tool is not None:
        args = tool.canonical(args, deps)
    is_log = tool is not None and "date" in tool.parameters_schema["properties"]
    return JudgedCall(
        name=card.name,
        args=args,
        is_write=tool is not None and tool.is_destructive,
        date=str(args.get("date", deps.store.today().isoformat())) if is_log else None,
        result=card.result.to_json() if card.result is not None else {},
    )


def summarise(reports: Sequence[CaseReport]) -> dict[str, Any]:
    """Return the totals of all cases, as `coach-eval` names them."""
    by_tag: dict[str, Counter[str]] = {}
    by_lang: dict[str, Counter[str]] = {}
    for report in reports:
        groups = [(by_tag, tag) for tag in report.case.tags] + [(by_lang, report.case.language)]
        for table, name in groups:
            row = table.setdefault(name, Counter())
            row["total"] += 1
            row["passed"] += report.judgement.passed
    calls = sum(len(report.calls) for report in reports)
    malformed = sum(report.malformed for report in reports)
    generated = sum(report.generated_tokens for report in reports)
    generation_s = sum(report.generation_s for report in reports)
    return {
        "total": len(reports),
        "passed": sum(report.judgement.passed for report in reports),
        "by_tag": {name: dict(row) for name, row in sorted(by_tag.items())},
        "by_lang": {name: dict(row) for name, row in sorted(by_lang.items())},
        "valid_first_try": round((calls - malformed) / calls, 3) if calls else 1.0,
        "malformed_calls": malformed,
        "capped": sum(report.capped for report in reports),
        "false_claims": sum(report.false_claim for report in reports),
        "errors": sum(report.error is not None and not report.capped for report in reports),
        "first_token_s": _spread([report.first_token_s for report in reports]),
        "turn_s": _spread([report.turn_s for report in reports]),
        "tokens_per_s": round(generated / generation_s, 1) if generation_s else 0.0,
    }


def _spread(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"median": 0.0, "p95": 0.0}
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return {"median": round(statistics.median(ordered), 3), "p95": round(p95, 3)}
