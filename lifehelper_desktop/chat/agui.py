"""Chat events as events of the AG-UI protocol 1.0, so that other programs can show a turn as it goes.

Importing this loads pydantic: do so only where the stream is wanted. What the protocol has no name for is a CUSTOM
event `lifehelper:…`.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ag_ui.core import (
    PROTOCOL_VERSION,
    ActivitySnapshotEvent,
    BaseEvent,
    CustomEvent,
    Interrupt,
    MessagesSnapshotEvent,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from lifehelper_desktop.chat.agui_messages import AguiMessages, clean
from lifehelper_desktop.chat.export import summary_json
from lifehelper_desktop.chat.messages import (
    AsideAnswered,
    ChatCleared,
    ChatEvent,
    DataChanged,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    ModelLoading,
    PromptReading,
    SummaryChanged,
    SummaryRunning,
    SystemChatMessage,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallState,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.chat.progress import IDLE, Step, StepKind, spoken, step_after
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict

_YES_OR_NO: Final = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}},
    "required": ["approved"],
}


@dataclass(slots=True)
class _Run:
    """What is open in the run that is going on.

    Attributes:
        text_id: The message that is being streamed, or None.
        sent: What was sent of it.
        held: White space that is sent only when words follow, so that a message ends as it is stored.
        is_rest: No turn: the model tidies up.
        activity_id: The loading of the model that is being told of, or None.
    """

    run_id: str
    step: Step = IDLE
    text_id: str | None = None
    sent: str = ""
    held: str = ""
    is_rest: bool = False
    activity_id: str | None = None


class AguiStream:
    """Turns the events of one conversation into AG-UI events. Used on the thread that runs the conversation.

    One turn is one run. A question to the user ends its run with an interrupt, as the protocol has it, and the answer
    begins the next. Whatever happens, each start has its end: `close` after the last turn sees to that too.
    """

    def __init__(
        self,
        write: Callable[[BaseEvent], None],
        conversation: Callable[[], int | None],
        *,
        asks: bool = True,
        next_id: Callable[[], str] = lambda: uuid.uuid4().hex,
        now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        """Send events to `write`.

        Args:
            write: Takes each event as it happens.
            conversation: Answers the number of the stored conversation, which is the thread's id; None: a made-up id.
            asks: Somebody is asked before a write; without it the answer is settled and nothing waits for it.
            next_id: Makes ids that are unique everywhere.
            now_ms: The wall clock, in milliseconds since 1970.
        """
        self._write = write
        self._conversation = conversation
        self._asks = asks
        self._next_id = next_id
        self._now_ms = now_ms
        self._thread: str | None = None
        self._run: _Run | None = None
        self._messages = AguiMessages(next_id)
        self._is_replaced = False
        self._held: list[ChatEvent] = []
        self._asking = ""  # the call that waits for the user
        self._parent_id: str | None = None  # the coach's message that holds the calls of the model turn

    # -- what happens

    def take(self, event: ChatEvent) -> None:
        """Tell of one chat event. What happens between turns is told at the beginning of the next."""
        if isinstance(event, ChatCleared):
            self._clear()
            return
        if isinstance(event, MessagesReplaced):
            self._messages.replace(event.messages)
            self._is_replaced = True
            return
        if isinstance(event, MessageAdded) and isinstance(event.message, UserChatMessage):
            self.close()
            self._messages.add_user(event.message.text)
        if self._run is None:
            if isinstance(event, SummaryChanged | ToolCallUpdated | DataChanged):
                self._held.append(event)
                return
            if event in (SummaryRunning(False), AsideAnswered()):
                return
            self._begin().is_rest = isinstance(event, SummaryRunning)
        assert self._run is not None
        self._follow(self._run, event)
        self._tell(self._run, event)

    def interrupt(self, request: ConfirmRequest) -> str:
        """Tell that the user is asked: the run ends here. Return the id of the question."""
        assert self._run is not None, "only a call of a run asks"
        interrupt_id = self._next_id()
        question = Interrupt(
            id=interrupt_id,
            reason="tool_call",
            message=clean(f"{request.description}\n{request.summary}"),
            tool_call_id=self._asking,
            response_schema=_YES_OR_NO,
            metadata={"digest": request.digest, "label": clean(request.label)},
        )
        self._close_parts(self._run)
        self._send(MessagesSnapshotEvent(messages=self._messages.snapshot()))
        self._end(RunFinishedInterruptOutcome(interrupts=[question]))
        return interrupt_id

    def resume(self, interrupt_id: str, verdict: Verdict) -> None:
        """Tell how the question ended: the next run begins with the answer."""
        entry = ResumeEntry(interrupt_id=interrupt_id, status="cancelled")
        if verdict is not Verdict.CANCELLED:
            payload = {"approved": verdict is Verdict.CONFIRMED}
            entry = ResumeEntry(interrupt_id=interrupt_id, status="resolved", payload=payload)
        self._begin([entry])

    def fail(self, words: str, code: str) -> None:
        """Tell that nothing can run, or no further."""
        if self._run is not None:
            self._close_parts(self._run)
        self._run = None
        self._send(RunErrorEvent(message=clean(words), code=code))

    def close(self) -> None:
        """The program ends: a turn that is still going on was broken off."""
        if self._run is not None:
            self._close_parts(self._run)
            self._end(RunFinishedCancelledOutcome())

    # -- runs

    def _begin(self, resume: list[ResumeEntry] | None = None) -> _Run:
        if self._thread is None:
            number = self._conversation()
            self._thread = str(number) if number is not None else self._next_id()
        self._run = _Run(self._next_id())
        asked = RunAgentInput(
            thread_id=self._thread, run_id=self._run.run_id, messages=self._messages.snapshot(), resume=resume
        )
        self._send(
            RunStartedEvent(
                thread_id=self._thread, run_id=self._run.run_id, protocol_version=PROTOCOL_VERSION, input=asked
            )
        )
        if self._is_replaced:
            self._is_replaced = False
            self._send(MessagesSnapshotEvent(messages=self._messages.snapshot()))
        held, self._held = self._held, []
        for event in held:
            self._tell(self._run, event)
        return self._run

    def _end(self, outcome: RunFinishedOutcome) -> None:
        assert self._run is not None
        assert self._thread is not None
        self._send(RunFinishedEvent(thread_id=self._thread, run_id=self._run.run_id, outcome=outcome))
        self._run = None

    def _clear(self) -> None:
        self.close()
        self._thread = self._parent_id = None
        self._held.clear()
        self._messages = AguiMessages(self._next_id)
        self._is_replaced = False

    def _close_parts(self, run: _Run) -> None:
        self._end_text(run, {"stopped": True})
        self._go_to(run, IDLE)

    # -- steps

    def _follow(self, run: _Run, event: ChatEvent) -> None:
        step = step_after(run.step, event)
        if step.kind is StepKind.WAITING and not self._asks:
            step = Step(StepKind.CALLING, step.label)
        self._go_to(run, step)

    def _go_to(self, run: _Run, step: Step) -> None:
        if step.is_same(run.step):
            return
        if run.step.is_running:
            self._send(StepFinishedEvent(step_name=run.step.kind.value))
        run.step = step
        if step.is_running:
            words = {"text": spoken(step), **({"label": step.label} if step.label else {})}
            self._send(StepStartedEvent(step_name=step.kind.value, metadata=_cleaned(words)))

    # -- events

    def _tell(self, run: _Run, event: ChatEvent) -> None:
        match event:
            case ModelLoading(fraction):
                run.activity_id = run.activity_id or self._next_id()
                content = {"fraction": round(fraction, 3)}
                self._send(
                    ActivitySnapshotEvent(
                        message_id=run.activity_id, activity_type="lifehelper:model_loading", content=content
                    )
                )
            case PromptReading():
                run.activity_id = self._parent_id = None
            case TextStreamed(text):
                self._stream(run, text)
            case MessageAdded(ModelChatMessage() as message):
                self._add_answer(run, message)
            case MessageAdded(ToolCallChatMessage() as card):
                self._call(run, card)
            case MessageAdded(SystemChatMessage(text=text, kind=kind)):
                self._custom("notice", {"kind": kind.value, "text": clean(text)})
            case ToolCallUpdated(card):
                self._update_call(card)
            case DataChanged(changes):
                value = {"habits": sorted(changes.habits), "entries": sorted(changes.entries)}
                self._custom("data_changed", value)
            case SummaryChanged(summary):
                self._custom("summary", None if summary is None else _cleaned(summary_json(summary)))
            case TurnFinished(state, stopped):
                self._close_parts(run)
                broken_off = stopped or state.can_continue  # at the cap it was stopped on purpose, too
                self._end(RunFinishedCancelledOutcome() if broken_off else RunFinishedSuccessOutcome())
            case TurnFailed(error, next_step):
                self.fail(f"{error} {next_step}".strip(), "turn_failed")
            case SummaryRunning(running=False) if run.is_rest:
                self._end(RunFinishedSuccessOutcome())
            case AsideAnswered():
                self._end(RunFinishedSuccessOutcome())
            case _:
                pass

    def _stream(self, run: _Run, text: str) -> None:
        words = run.held + clean(text)
        if run.text_id is None:
            words = words.lstrip()
        delta = words.rstrip()
        run.held = words[len(delta) :]
        if not delta:
            return
        if run.text_id is None:
            run.text_id = self._next_id()
            self._send(TextMessageStartEvent(message_id=run.text_id, role="assistant"))
        run.sent += delta
        self._send(TextMessageContentEvent(message_id=run.text_id, delta=delta))

    def _add_answer(self, run: _Run, message: ModelChatMessage) -> None:
        text = clean(message.text)
        run.held = ""
        if text.startswith(run.sent):
            self._stream(run, text[len(run.sent) :])
        self._end_text(run, {"stopped": True} if message.stopped else None)

    def _end_text(self, run: _Run, metadata: dict[str, Any] | None) -> None:
        if run.text_id is None:
            run.held = ""
            return
        self._send(TextMessageEndEvent(message_id=run.text_id, metadata=metadata))
        self._messages.add_text(run.sent, run.text_id)
        self._parent_id, run.text_id = run.text_id, None
        run.sent = run.held = ""

    def _call(self, run: _Run, card: ToolCallChatMessage) -> None:
        self._end_text(run, None)
        self._parent_id = self._parent_id or self._next_id()
        arguments = self._messages.add_call(card, self._parent_id)
        self._send(
            ToolCallStartEvent(
                tool_call_id=card.key,
                tool_call_name=clean(card.name),
                parent_message_id=self._parent_id,
                metadata={"label": clean(card.label)},
            )
        )
        self._send(ToolCallArgsEvent(tool_call_id=card.key, delta=arguments))
        self._send(ToolCallEndEvent(tool_call_id=card.key))

    def _update_call(self, card: ToolCallChatMessage) -> None:
        if card.state is ToolCallState.ASKING:
            self._asking = card.key
        message = self._messages.add_result(card)
        if message is not None:
            self._send(
                ToolCallResultEvent(
                    message_id=message.id,
                    tool_call_id=card.key,
                    content=message.content,
                    role="tool",
                    metadata={"state": card.state.value, "stored": clean(card.stored)},
                )
            )

    def _custom(self, name: str, value: Any) -> None:
        self._send(CustomEvent(name=f"lifehelper:{name}", value=value))

    def _send(self, event: BaseEvent) -> None:
        event.timestamp = self._now_ms()
        self._write(event)


class AguiGate:
    """A gate whose question is an interrupt of the stream. On the thread that runs the conversation."""

    def __init__(self, stream: AguiStream, ask: Callable[[str, ConfirmRequest], Verdict]) -> None:
        """Ask with `ask`, which gets the interrupt's id and the question."""
        self._stream = stream
        self._ask = ask

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Ask; see the protocol."""
        interrupt_id = self._stream.interrupt(request)
        verdict = self._ask(interrupt_id, request)
        self._stream.resume(interrupt_id, verdict)
        return verdict


def _cleaned(value: dict[str, Any]) -> dict[str, Any]:
    return {key: clean(item) if isinstance(item, str) else item for key, item in value.items()}
