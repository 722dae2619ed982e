"""The line that says what the coach is doing: one step at a time, never a flicker, with the seconds of a long one."""

from __future__ import annotations

import time

import pytest
from PySide6.QtWidgets import QProgressBar
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.chat.messages import (
    MessageAdded,
    ModelLoading,
    SummaryRunning,
    ToolCallChatMessage,
    ToolCallState,
    ToolCallUpdated,
)
from lifehelper_desktop.chat.progress import IDLE, READING, STOPPING, Step, StepKind
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.llm.protocol import LlmFunctionCall, LlmTextChunk
from lifehelper_desktop.tools.envelope import ToolOk
from lifehelper_desktop.ui.widgets import status_line as module
from lifehelper_desktop.ui.widgets.status_line import StatusLine
from tests.gui.conftest import MakeGui
from tests.helpers.scripted_llm import ScriptPause, ScriptThinking

REST = "이 컴퓨터에서만 움직여요"
FAR = 1_000_000


@pytest.fixture
def line(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> StatusLine:
    """A line whose clocks never run out by themselves."""
    set_language("ko")
    monkeypatch.setattr(module, "CALM_MS", FAR)
    monkeypatch.setattr(module, "REST_MS", FAR)
    made = StatusLine(IDLE, time.monotonic())
    qtbot.addWidget(made)
    return made


def _now() -> float:
    return time.monotonic()


def test_a_step_of_a_blink_is_never_shown(line: StatusLine) -> None:
    seen: list[str] = []
    line.changed.connect(lambda: seen.append(line.text()))
    for step in (READING, Step(StepKind.THINKING), Step(StepKind.CALLING, "기록하기"), READING, IDLE):
        line.show_step(step, _now())
    assert set(seen) == {REST}
    assert line.text() == REST


def test_a_step_that_lasts_is_shown_and_told_once(line: StatusLine, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(module, "announce", lambda _widget, text: said.append(text))
    for percent in (0.1, 0.2, 0.3):
        line.show_step(Step(StepKind.LOADING, fraction=percent), _now())
    assert line.text() == REST
    line._calm.timeout.emit()
    assert line.text() == "모델을 불러오는 중 30%"
    line.show_step(Step(StepKind.LOADING, fraction=0.4), _now())
    assert line.text() == "모델을 불러오는 중 40%"
    assert line.accessibleName() == "모델을 불러오는 중"
    line.show_step(IDLE, _now())
    line._calm.timeout.emit()
    assert line.text() == REST
    assert said == ["모델을 불러오는 중"]


def test_what_waits_for_the_user_and_what_answers_a_click_are_shown_at_once(line: StatusLine) -> None:
    line.show_step(Step(StepKind.WAITING, "습관 추가"), _now())
    assert line.text() == "답을 기다려요: 습관 추가"
    line.show_step(STOPPING, _now())
    assert line.text() == "멈추는 중이에요…"


def test_a_long_step_counts_its_seconds(line: StatusLine, qtbot: QtBot) -> None:
    line.show_step(READING, _now() - 11.9)
    line._calm.timeout.emit()
    assert line.text() == "읽고 있어요… · 11초"
    assert line.accessibleName() == "읽고 있어요…"
    qtbot.waitUntil(lambda: line.text() == "읽고 있어요… · 12초", timeout=3000)


def test_stopped_is_said_for_a_while(line: StatusLine) -> None:
    stopped = Step(StepKind.STOPPED)
    line.show_step(stopped, _now())
    line._calm.timeout.emit()
    assert line.text() == "멈췄어요"
    line._rest.timeout.emit()
    line._calm.timeout.emit()
    assert line.text() == REST


def test_stopped_long_ago_is_not_said_again(qtbot: QtBot) -> None:
    set_language("ko")
    line = StatusLine(Step(StepKind.STOPPED), _now() - 60)
    qtbot.addWidget(line)
    assert line.text() == REST
    line.show_step(Step(StepKind.STOPPED), _now() - 60)
    assert line.text() == REST


def test_the_steps_of_a_turn_are_seen(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    reading, thinking, writing = ScriptPause(), ScriptPause(), ScriptPause()
    call = LlmFunctionCall("log_tracker_entry", {"habit_id": habits["walk"].id, "value": "done"})
    gui = make_gui(
        [reading, ScriptThinking(), thinking, LlmTextChunk("기록할게요"), writing, call], [LlmTextChunk("됐어요.")]
    )

    def shows(words: str) -> None:
        gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == words, timeout=5000)

    shows(REST)
    gui.say("기록해 줘")
    shows("읽고 있어요…")
    reading.go.set()
    shows("생각하는 중이에요…")
    thinking.go.set()
    shows("답을 쓰는 중이에요")
    writing.go.set()
    dialog = gui.wait_dialog()
    shows("답을 기다려요: 기록하기")
    gui.click("confirmYes", dialog)
    gui.wait_idle()
    shows(REST)


def test_stop_answers_at_once_and_says_when_it_has_stopped(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([LlmTextChunk("길게"), pause])
    gui.say("길게 말해 줘")
    gui.qtbot.waitUntil(pause.reached.is_set)
    gui.chat.stop()
    assert gui.text("chatStatus") == "멈추는 중이에요…"
    gui.wait_idle()
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "멈췄어요")


def test_a_tool_and_the_loading_are_shown_as_they_go(make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window.conversation.begin_turn()
    gui.bus.publish_chat(ModelLoading(0.4))
    bar = gui.find(QProgressBar, "modelProgress")
    assert bar.value() == 40
    card = ToolCallChatMessage("k", "search_catalog", "카탈로그 찾기", {}, ToolCallState.RUNNING)
    gui.bus.publish_chat(MessageAdded(card))
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "도구를 쓰는 중: 카탈로그 찾기")
    assert not bar.isVisible()
    gui.bus.publish_chat(ToolCallUpdated(ToolCallChatMessage("k", "a", "a", {}, ToolCallState.DONE, ToolOk({}))))
    gui.window.conversation.begin_clear()
    gui.window.thread_.clear()
    gui.wait_idle()


def test_tidying_up_is_shown_and_a_turn_after_it_goes_on(make_gui: MakeGui) -> None:
    gui = make_gui()
    talk = gui.window.conversation
    talk.take(SummaryRunning(True))
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "앞부분을 요약하는 중이에요")
    talk.begin_turn()
    talk.take(SummaryRunning(False))
    assert talk.step == READING
    talk.begin_clear()
    gui.window.thread_.clear()
    gui.wait_idle()


def test_a_sentence_for_a_form_leaves_the_line_at_rest(make_gui: MakeGui) -> None:
    gui = make_gui()
    talk = gui.window.conversation
    steps: list[StepKind] = []
    talk.changed.connect(lambda _event: steps.append(talk.step.kind))
    gui.window.thread_.suggest_frame("daily-steps", 2, "ko")  # the model is loaded and the conversation begun for it
    gui.qtbot.waitUntil(lambda: StepKind.READING in steps and steps[-1] is StepKind.IDLE)
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "이 컴퓨터에서만 움직여요")


def test_a_pane_built_anew_shows_the_step_at_once(make_gui: MakeGui) -> None:
    pause = ScriptPause()
    gui = make_gui([pause, LlmTextChunk("네.")])
    gui.say("안녕")
    gui.qtbot.waitUntil(lambda: gui.text("chatStatus") == "읽고 있어요…")
    before, old = gui.window.conversation.step_since, gui.chat
    gui.window.build()
    assert gui.chat is not old
    assert gui.chat.status.text() == "읽고 있어요…"
    assert gui.window.conversation.step_since == before
    pause.go.set()
    gui.wait_idle()
