"""`lifehelper chat --events agui`: the turns as a stream of AG-UI events, one JSON object a line.

Imported only where the stream is wanted: it loads pydantic.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Final, Self

from ag_ui.core import BaseEvent, ResumeEntry
from pydantic import ValidationError

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.agui import AguiGate, AguiStream
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatEvent, TurnFailed
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.mcp_client.hub import McpHub
from lifehelper_desktop.mcp_client.limits import PATIENT
from lifehelper_desktop.mcp_client.tools import ServerTools
from lifehelper_desktop.tools.confirm_gate import ConfirmGate, ConfirmRequest, FixedGate, Verdict
from lifehelper_desktop.tools.registry import ToolRegistry

OK, WORLD, STOPPED = 0, 3, 130
_LINE_MAX: Final = 1_000_000


class CtrlC:
    """While entered, Ctrl-C asks for a stop, so that the stream ends properly; a second one ends the program at once.

    Attributes:
        came: Ctrl-C came.
        at_once: A question waits, which nothing but an exception ends.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        """Call `stop` in a thread of its own: what it locks may be held by the very code that was interrupted."""
        self._stop = stop
        self._before: Callable[[int, FrameType | None], object] | int | None = None
        self._is_set = False
        self.came = False
        self.at_once = False

    def __enter__(self) -> Self:
        """Listen; outside the main thread, where Python takes no signals, nothing changes."""
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._on)
            self._is_set = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Listen no more."""
        if self._is_set:
            signal.signal(signal.SIGINT, signal.SIG_DFL if self._before is None else self._before)

    def _on(self, _number: int, _frame: FrameType | None) -> None:
        if self.came or self.at_once:
            raise KeyboardInterrupt
        self.came = True
        threading.Thread(target=self._stop, name="ctrl-c", daemon=True).start()


def run(
    context: CliContext,
    texts: Sequence[str],
    make_llm: Callable[[], LlmService],
    gate: ConfirmGate | None,
    *,
    reads: bool,
) -> int:
    """Send `texts` one after the other and print the stream; return the exit code.

    With `reads` questions are answered on standard input, a `RunAgentInput` with `resume` a line; else `gate` asks.

    Raises:
        BrokenPipeError: The reader has gone; the turn was stopped.
        WorldError: The data could not be read; the stream says so, too.
    """
    llm: LlmService | None = None
    controller: ChatSessionController | None = None
    has_failed = has_gone = False

    def stop() -> None:
        if controller is not None:
            controller.request_stop()

    def write(event: BaseEvent) -> None:
        nonlocal has_gone
        if has_gone:
            return
        try:
            context.print_json(event.model_dump(mode="json", by_alias=True))
        except BrokenPipeError:
            has_gone = True

    def listen(event: ChatEvent) -> None:
        nonlocal has_failed
        has_failed = has_failed or isinstance(event, TurnFailed)
        stream.take(event)
        if has_gone or ctrl_c.came:
            stop()  # a turn that was just beginning may have missed the first call

    def ask(interrupt_id: str, request: ConfirmRequest) -> Verdict:
        ctrl_c.at_once = True
        try:
            if reads:
                return read_answer(interrupt_id)
            return gate.confirm(request) if gate is not None else Verdict.CANCELLED
        finally:
            ctrl_c.at_once = False

    asks = reads or not (gate is None or isinstance(gate, FixedGate))
    number: Callable[[], int | None] = lambda: controller.conversation_id if controller is not None else None  # noqa: E731
    stream = AguiStream(write, number, asks=asks)
    ctrl_c = CtrlC(stop)
    hub: McpHub | None = None
    try:
        with ctrl_c:
            hub = McpHub.of(context.store, PATIENT)
            llm = make_llm()
            controller = ChatSessionController(
                llm,
                context.store,
                ToolRegistry.defaults(),
                AguiGate(stream, ask) if asks else gate,
                listen,
                context.language,
                servers=ServerTools(hub),
            )
            for text in texts:
                if not (ctrl_c.came or has_gone):
                    controller.user_turn(text)
    except WorldError as error:
        stream.fail(str(error), "world")
        raise
    finally:
        stream.close()
        if controller is not None:
            controller.close()
        if llm is not None:
            llm.close()
        if hub is not None:
            hub.close()
    if has_gone:
        raise BrokenPipeError
    if ctrl_c.came:
        return STOPPED
    return WORLD if has_failed else OK


def read_answer(interrupt_id: str) -> Verdict:
    """Read one line of standard input: what it says to the question `interrupt_id`; anything unclear means no."""
    line = sys.stdin.readline(_LINE_MAX) if sys.stdin is not None else ""
    try:
        value = json.loads(line)
        rows = value.get("resume") if isinstance(value, dict) else None
        entries = [ResumeEntry.model_validate(row) for row in rows or ()]
    except (ValueError, TypeError, RecursionError, ValidationError):
        entries = []
    for entry in entries:
        if entry.interrupt_id == interrupt_id:
            approved = entry.payload.get("approved") if isinstance(entry.payload, dict) else None
            if entry.status == "resolved" and isinstance(approved, bool):
                return Verdict.CONFIRMED if approved else Verdict.DECLINED
            return Verdict.CANCELLED
    print(_("확인 질문의 답을 읽지 못해서 아무것도 바꾸지 않았어요."), file=sys.stderr)
    return Verdict.CANCELLED
