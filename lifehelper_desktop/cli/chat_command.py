"""`lifehelper chat`: one user turn with the real loop, its events as words or JSON lines."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.export import summary_json
from lifehelper_desktop.chat.messages import (
    ChatEvent,
    DataChanged,
    MessageAdded,
    ModelChatMessage,
    ModelLoading,
    ModelThinking,
    PromptReading,
    SummaryChanged,
    SummaryRunning,
    SystemChatMessage,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.cli.commands import gate_for
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.limits import PATIENT
from lifehelper_desktop.mcp_client.tools import ServerTools
from lifehelper_desktop.tools.envelope import ToolErr, words_for_people
from lifehelper_desktop.tools.registry import ToolRegistry

OK, USAGE, WORLD = 0, 2, 3
EVENTS = ("plain", "agui")


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    chat = subs.add_parser("chat", parents=[common], help=_("코치에게 한마디 하기"))
    chat.add_argument("text", nargs="+", help=_("할 말; 여럿이면 차례로 이어서"))
    chat.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))
    chat.add_argument("--model", default=None, help=_("모델 파일(GGUF)"))
    chat.add_argument(
        "--events", choices=EVENTS, help=_("일어나는 일을 JSON 줄로: plain은 --json과 같고, agui는 AG-UI 규약")
    )
    chat.add_argument(
        "--resume-stdin", action="store_true", help=_("agui에서 확인 질문의 답을 표준 입력에서 JSON 한 줄로 받기")
    )
    chat.set_defaults(run=_run)


def _run(context: CliContext, args: argparse.Namespace) -> int:
    if not any(text.strip() for text in args.text):
        print(_("할 말을 적어 주세요."), file=sys.stderr)
        return USAGE
    if args.resume_stdin and args.events != "agui":
        print(_("--resume-stdin은 --events agui와 함께 써 주세요."), file=sys.stderr)
        return USAGE

    def make_llm() -> LlmService:
        model = args.model if args.model is not None else context.store.settings.get_str(settings.MODEL_PATH)
        return context.make_llm(context.paths, model, context.store.settings.get_str(settings.MODEL_FAMILY))

    if args.events == "agui":
        from lifehelper_desktop.cli import agui_chat  # loads pydantic

        reads = args.resume_stdin and not args.yes
        return agui_chat.run(context, args.text, make_llm, gate_for(args.yes), reads=reads)
    llm = make_llm()
    context.as_json = context.as_json or args.events == "plain"
    failed = False

    def listen(event: ChatEvent) -> None:
        nonlocal failed
        failed = failed or isinstance(event, TurnFailed)
        if isinstance(event, ModelThinking):
            return  # the AG-UI stream tells of every step; these lines stay as they are
        if context.as_json:
            context.print_json(event_json(event))
        else:
            _print_words(context, event)

    hub = McpHub.of(context.store, PATIENT)
    servers = ServerTools(hub)
    controller = ChatSessionController(
        llm, context.store, ToolRegistry.defaults(), gate_for(args.yes), listen, context.language, servers=servers
    )
    try:
        for text in args.text:
            controller.user_turn(text)
    except KeyboardInterrupt:
        controller.request_stop()
        raise
    finally:
        controller.close()
        llm.close()
        hub.close()
    return WORLD if failed else OK


def event_json(event: ChatEvent) -> dict[str, Any]:
    """Return one chat event as a JSON object with a `type`."""
    match event:
        case ModelLoading(fraction=fraction):
            return {"type": "model_loading", "fraction": round(fraction, 3)}
        case PromptReading():
            return {"type": "prompt_reading"}
        case TextStreamed(text=text):
            return {"type": "text", "text": text}
        case MessageAdded(message=message) | ToolCallUpdated(message=message):
            return _message_json(message)
        case DataChanged(changes=changes):
            return {"type": "data_changed", "habits": sorted(changes.habits), "entries": sorted(changes.entries)}
        case TurnFinished(state=state):
            return {"type": "turn_finished", "error": state.error, "can_continue": state.can_continue}
        case TurnFailed(error=error, next_step=next_step):
            return {"type": "turn_failed", "error": error, "next_step": next_step}
        case SummaryRunning(running=running):
            return {"type": "summary_running", "running": running}
        case SummaryChanged(summary=summary):
            return {"type": "summary", "summary": None if summary is None else summary_json(summary)}
        case _:
            return {"type": "cleared"}


def _message_json(message: object) -> dict[str, Any]:
    match message:
        case UserChatMessage(text=text):
            return {"type": "user_message", "text": text}
        case ModelChatMessage(text=text, stopped=stopped):
            return {"type": "model_message", "text": text, "stopped": stopped}
        case SystemChatMessage(text=text, kind=kind):
            return {"type": "system_message", "kind": kind.value, "text": text}
        case ToolCallChatMessage() as call:
            return {
                "type": "tool_call",
                "key": call.key,
                "name": call.name,
                "label": call.label,
                "args": dict(call.args),
                "state": call.state.value,
                "result": call.result.to_json() if call.result is not None else None,
                "stored": call.stored,
            }
        case _:
            raise TypeError(f"not a chat message: {message!r}")


def _print_words(context: CliContext, event: ChatEvent) -> None:
    match event:
        case TextStreamed(text=text):
            print(text, end="", file=context.out, flush=True)
        case MessageAdded(message=ModelChatMessage()):
            context.print("")
        case MessageAdded(message=SystemChatMessage(text=text)):
            context.print(text)
        case ToolCallUpdated(message=call) if call.result is not None:
            reason = words_for_people(call.result.reason) if isinstance(call.result, ToolErr) else ""
            context.print(f"[{call.label}] {call.state.value} {call.stored or reason}".rstrip())
        case TurnFailed(error=error, next_step=next_step):
            context.print(f"{error} {next_step}".strip())
        case _:
            pass
