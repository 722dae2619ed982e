"""Where a turn stands, in one value and in words: the window's status line and the AG-UI stream tell the same."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.chat.messages import (
    AsideAnswered,
    ChatCleared,
    ChatEvent,
    MessageAdded,
    ModelLoading,
    ModelThinking,
    PromptReading,
    SummaryRunning,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallState,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
)

SLOW_S: Final = 5
"""A step that takes so many seconds is told with its seconds."""
_LABEL_MAX: Final = 40
"""Characters of a tool's label: those of other programs' tools are as long as they like."""


class StepKind(StrEnum):
    """What is being done; the value is the step's name in streams."""

    IDLE = "idle"
    LOADING = "loading_model"
    READING = "reading"
    THINKING = "thinking"
    CALLING = "calling_tool"
    WAITING = "waiting_for_you"
    WRITING = "writing"
    SUMMARISING = "summarising"
    STOPPING = "stopping"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a turn, or of the rest between turns.

    Attributes:
        label: The tool's name for people, while one is called or waits for the user.
        fraction: 0–1 of a model that is being loaded.
    """

    kind: StepKind
    label: str = ""
    fraction: float | None = None

    @property
    def is_running(self) -> bool:
        """Whether something is under way."""
        return self.kind not in (StepKind.IDLE, StepKind.STOPPED)

    def is_same(self, other: Step) -> bool:
        """Whether `other` is this very step, however far it has come."""
        return (self.kind, self.label) == (other.kind, other.label)


IDLE: Final = Step(StepKind.IDLE)
READING: Final = Step(StepKind.READING)
STOPPING: Final = Step(StepKind.STOPPING)


def step_after(step: Step, event: ChatEvent) -> Step:
    """Return the step that the conversation is in once `event` has happened in `step`. Pure; any thread."""
    if step.kind is StepKind.STOPPING and not isinstance(event, TurnFinished | TurnFailed | ChatCleared):
        return step  # what still comes of the turn is on its way out
    match event:
        case ModelLoading(fraction):
            return Step(StepKind.LOADING, fraction=fraction)
        case PromptReading():
            return READING
        case ModelThinking():
            return Step(StepKind.THINKING)
        case TextStreamed(text) if text.strip():
            return Step(StepKind.WRITING)
        case MessageAdded(ToolCallChatMessage() as card) | ToolCallUpdated(card):
            return _step_of_call(step, card)
        case TurnFinished(stopped=stopped):
            return Step(StepKind.STOPPED) if stopped else IDLE
        case TurnFailed() | ChatCleared() | AsideAnswered():
            return IDLE
        case SummaryRunning(running=True):
            return Step(StepKind.SUMMARISING)
        case SummaryRunning() if step.kind is StepKind.SUMMARISING:
            return IDLE
        case _:
            return step


def _step_of_call(step: Step, card: ToolCallChatMessage) -> Step:
    label = " ".join(card.label.split())
    if len(label) > _LABEL_MAX:
        label = f"{label[: _LABEL_MAX - 1]}…"
    if card.result is None:
        return Step(StepKind.WAITING if card.state is ToolCallState.ASKING else StepKind.CALLING, label)
    # Answered with no, so nothing ran; a card of an earlier turn that is only put right changes nothing.
    return Step(StepKind.CALLING, label) if step.kind is StepKind.WAITING else step


def words_of(step: Step, seconds: float = 0.0) -> str:
    """Return the step in the user's language; one that has run for `SLOW_S` seconds or more is told with them."""
    words = spoken(step)
    if step.fraction is not None:
        words = _("모델을 불러오는 중 {percent}%").format(percent=round(step.fraction * 100))
    if seconds < SLOW_S or step.kind not in _TIMED:
        return words
    return _("{step} · {seconds}초").format(step=words, seconds=int(seconds))


def spoken(step: Step) -> str:
    """Return the step in words that stay the same as long as it lasts, as a screen reader says it once."""
    return _(_WORDS[step.kind]).format(tool=step.label)


_TIMED: Final = frozenset(
    (
        StepKind.LOADING,
        StepKind.READING,
        StepKind.THINKING,
        StepKind.CALLING,
        StepKind.SUMMARISING,
        StepKind.STOPPING,
    )
)
"""Steps that the machine takes its time for; nobody is hurried to answer a question."""
_WORDS: Final = {
    StepKind.IDLE: N_("이 컴퓨터에서만 움직여요"),
    StepKind.LOADING: N_("모델을 불러오는 중"),
    StepKind.READING: N_("읽고 있어요…"),
    StepKind.THINKING: N_("생각하는 중이에요…"),
    StepKind.CALLING: N_("도구를 쓰는 중: {tool}"),
    StepKind.WAITING: N_("답을 기다려요: {tool}"),
    StepKind.WRITING: N_("답을 쓰는 중이에요"),
    StepKind.SUMMARISING: N_("앞부분을 요약하는 중이에요"),
    StepKind.STOPPING: N_("멈추는 중이에요…"),
    StepKind.STOPPED: N_("멈췄어요"),
}
