"""Which step a turn is in, from its events alone, and the words for it."""

from __future__ import annotations

import pytest

from lifehelper_desktop.base.i18n import LANGUAGES, set_language
from lifehelper_desktop.chat.messages import (
    AsideAnswered,
    ChatCleared,
    ChatEvent,
    ChatSessionState,
    DataChanged,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    ModelLoading,
    ModelThinking,
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
from lifehelper_desktop.chat.progress import (
    IDLE,
    READING,
    SLOW_S,
    STOPPING,
    Step,
    StepKind,
    spoken,
    step_after,
    words_of,
)
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.tools.envelope import ToolCancelled, ToolOk, ToolResult

STATE = ChatSessionState()


def _card(state: ToolCallState, result: ToolResult | None = None, label: str = "기록하기") -> ToolCallChatMessage:
    return ToolCallChatMessage("k", "log_tracker_entry", label, {}, state, result)


def test_a_whole_turn_step_by_step() -> None:
    done = _card(ToolCallState.DONE, ToolOk({}))
    turn: list[tuple[ChatEvent, StepKind]] = [
        (MessageAdded(UserChatMessage("기록해 줘")), StepKind.IDLE),
        (ModelLoading(0.4), StepKind.LOADING),
        (PromptReading(), StepKind.READING),
        (ModelThinking(), StepKind.THINKING),
        (TextStreamed("\n"), StepKind.THINKING),
        (TextStreamed("기록"), StepKind.WRITING),
        (MessageAdded(ModelChatMessage("기록할게요.")), StepKind.WRITING),
        (MessageAdded(_card(ToolCallState.RUNNING)), StepKind.CALLING),
        (ToolCallUpdated(_card(ToolCallState.ASKING)), StepKind.WAITING),
        (ToolCallUpdated(_card(ToolCallState.RUNNING)), StepKind.CALLING),
        (ToolCallUpdated(done), StepKind.CALLING),
        (DataChanged(Changes()), StepKind.CALLING),
        (PromptReading(), StepKind.READING),
        (TextStreamed("됐어요."), StepKind.WRITING),
        (MessageAdded(ModelChatMessage("됐어요.")), StepKind.WRITING),
        (SummaryChanged(None), StepKind.WRITING),
        (MessageAdded(SystemChatMessage("길어졌어요.")), StepKind.WRITING),
        (TurnFinished(STATE), StepKind.IDLE),
        (SummaryRunning(True), StepKind.SUMMARISING),
        (SummaryRunning(False), StepKind.IDLE),
    ]
    step = IDLE
    for event, kind in turn:
        step = step_after(step, event)
        assert step.kind is kind, event


def test_no_to_a_question_ends_the_waiting() -> None:
    waiting = step_after(IDLE, ToolCallUpdated(_card(ToolCallState.ASKING)))
    assert (waiting.kind, waiting.label) == (StepKind.WAITING, "기록하기")
    declined = _card(ToolCallState.DECLINED, ToolCancelled())
    assert step_after(waiting, ToolCallUpdated(declined)).kind is StepKind.CALLING
    assert step_after(READING, ToolCallUpdated(declined)) == READING  # a card of before that is only put right


@pytest.mark.parametrize("step", [Step(kind) for kind in StepKind])
def test_every_ending_ends_every_step(step: Step) -> None:
    assert step_after(step, TurnFinished(STATE)) == IDLE
    assert step_after(step, TurnFinished(STATE, stopped=True)).kind is StepKind.STOPPED
    assert step_after(step, TurnFailed("아", "", STATE)) == IDLE
    assert step_after(step, ChatCleared()) == IDLE


def test_a_sentence_for_a_form_is_no_turn() -> None:
    assert step_after(READING, AsideAnswered()) == IDLE
    assert step_after(STOPPING, AsideAnswered()) == STOPPING  # of the turn that was stopped


def test_what_still_comes_of_a_turn_that_stops_is_no_new_step() -> None:
    card = _card(ToolCallState.CANCELLED, ToolCancelled(declined=False))
    for event in (PromptReading(), ModelThinking(), TextStreamed("꼬리"), MessageAdded(card), MessagesReplaced(())):
        assert step_after(STOPPING, event) == STOPPING


def test_a_turn_does_not_end_with_the_tidying_before_it() -> None:
    assert step_after(READING, SummaryRunning(False)) == READING


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_step_has_words(language: str) -> None:
    set_language(language)
    words = {kind: spoken(Step(kind, "{하나}")) for kind in StepKind}
    assert len(set(words.values())) == len(StepKind)
    assert "{하나}" in words[StepKind.CALLING]
    assert "{하나}" in words[StepKind.WAITING]


def test_what_takes_long_is_told_with_its_seconds() -> None:
    set_language("ko")
    reading = Step(StepKind.READING)
    assert words_of(reading, SLOW_S - 0.1) == "읽고 있어요…"
    assert words_of(reading, 12.9) == "읽고 있어요… · 12초"
    assert words_of(Step(StepKind.LOADING, fraction=0.43)) == "모델을 불러오는 중 43%"
    assert words_of(Step(StepKind.LOADING, fraction=0.43), 61) == "모델을 불러오는 중 43% · 61초"
    for unhurried in (StepKind.WAITING, StepKind.WRITING, StepKind.IDLE, StepKind.STOPPED):
        assert words_of(Step(unhurried), 600) == spoken(Step(unhurried))


def test_a_long_label_of_another_program_is_cut() -> None:
    step = step_after(IDLE, MessageAdded(_card(ToolCallState.RUNNING, label="아주\n긴 이름 " * 40)))
    assert len(step.label) == 40
    assert step.label.endswith("…")
    assert "\n" not in step.label
