"""Between the threads: typed messages, order, coalesced text, errors that end nothing, and a clean end."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from lifehelper_desktop.chat.messages import (
    ChatEvent,
    ChatSessionState,
    MessageAdded,
    ModelChatMessage,
    TextStreamed,
    TurnFailed,
    TurnFinished,
)
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, CrashNotice, FrameProposal, Notice
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.llm_thread import LlmThread
from tests.gui.conftest import make_context
from tests.helpers.scripted_llm import ScriptedLlmService, ScriptPause


class Listener(QObject):
    """Keeps what came, and in which thread."""

    def __init__(self, bus: Bus) -> None:
        super().__init__()
        self.events: list[ChatEvent] = []
        self.notices: list[Notice] = []
        self.threads: set[int] = set()
        bus.on_chat(self._take)
        bus.on_notice(self._note)

    def _take(self, event: ChatEvent) -> None:
        self.threads.add(threading.get_ident())
        self.events.append(event)

    def _note(self, notice: Notice) -> None:
        self.notices.append(notice)

    def of(self, kind: type) -> list[ChatEvent]:
        return [event for event in self.events if isinstance(event, kind)]


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def heard(bus: Bus, qapp: object) -> Listener:
    return Listener(bus)


@pytest.fixture
def llm() -> ScriptedLlmService:
    return ScriptedLlmService()


@pytest.fixture
def thread(store: Store, llm: ScriptedLlmService, bus: Bus, heard: Listener) -> Iterator[LlmThread]:
    made = LlmThread(make_context(store, llm), bus)
    yield made
    made.shutdown()
    assert not made.isRunning()


def test_the_bus_carries_only_what_it_is_made_for(bus: Bus) -> None:
    wrong = object()
    for publish in (bus.publish_chat, bus.publish_data, bus.publish_confirm, bus.publish_notice):
        with pytest.raises(TypeError):
            publish(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bus.publish_data("habits")  # type: ignore[arg-type]


def test_slots_run_in_the_main_thread_in_order(bus: Bus, heard: Listener, qtbot: QtBot) -> None:
    texts = [str(number) for number in range(200)]
    worker = threading.Thread(target=lambda: [bus.publish_chat(TextStreamed(text)) for text in texts])
    worker.start()
    worker.join()
    assert heard.events == []
    qtbot.waitUntil(lambda: len(heard.events) == 200)
    assert [event.text for event in heard.events if isinstance(event, TextStreamed)] == texts
    assert heard.threads == {threading.get_ident()}


def test_streamed_text_is_coalesced_and_complete(
    thread: LlmThread, llm: ScriptedLlmService, heard: Listener, qtbot: QtBot
) -> None:
    pieces = [f"{number} " for number in range(3000)]
    llm.script.append([LlmTextChunk(piece) for piece in pieces])
    thread.user_turn("세어 줘")
    qtbot.waitUntil(lambda: bool(heard.of(TurnFinished)), timeout=10_000)
    texts = [event.text for event in heard.events if isinstance(event, TextStreamed)]
    assert "".join(texts) == "".join(pieces)
    assert len(texts) < 600
    last_text = max(at for at, event in enumerate(heard.events) if isinstance(event, TextStreamed))
    answer = next(
        at
        for at, event in enumerate(heard.events)
        if isinstance(event, MessageAdded) and isinstance(event.message, ModelChatMessage)
    )
    assert last_text < answer


def test_the_last_piece_before_a_long_silence_shows(
    thread: LlmThread, llm: ScriptedLlmService, heard: Listener, qtbot: QtBot
) -> None:
    pause = ScriptPause()
    llm.script.append([LlmTextChunk("하나"), LlmTextChunk(" 둘"), pause])
    thread.user_turn("세어 줘")
    qtbot.waitUntil(
        lambda: "".join(event.text for event in heard.events if isinstance(event, TextStreamed)) == "하나 둘"
    )
    pause.go.set()


def test_everything_of_the_model_happens_in_one_thread(
    thread: LlmThread, llm: ScriptedLlmService, heard: Listener, qtbot: QtBot
) -> None:
    llm.script.extend([[LlmTextChunk("하나")], [LlmTextChunk("둘")]])
    thread.load()
    thread.user_turn("첫째")
    thread.user_turn("둘째")
    qtbot.waitUntil(lambda: len(heard.of(TurnFinished)) == 3, timeout=5000)
    assert len(llm.threads) == 1
    assert threading.get_ident() not in llm.threads


class BrokenController:
    """Fails in every way."""

    state = ChatSessionState()
    may_tidy = False

    def user_turn(self, text: str) -> None:
        raise RuntimeError(f"broken by {text}")

    continue_turn = clear = close = None  # calling them is a TypeError

    def request_stop(self) -> None:
        pass


def test_an_error_of_ours_is_reported_and_the_thread_goes_on(
    store: Store, llm: ScriptedLlmService, bus: Bus, heard: Listener, qtbot: QtBot
) -> None:
    context = AppContext(store, lambda: llm, lambda *_parts: BrokenController())  # type: ignore[arg-type, return-value]
    thread = LlmThread(context, bus)
    thread.user_turn("하나")
    thread.user_turn("둘")
    qtbot.waitUntil(lambda: len(heard.of(TurnFailed)) == 2, timeout=5000)
    qtbot.waitUntil(lambda: len(heard.notices) == 2)
    first = heard.notices[0]
    assert isinstance(first, CrashNotice)
    assert "in BrokenController.user_turn" in first.text
    assert "RuntimeError" in first.text
    assert "하나" not in first.text  # what the user wrote
    assert first.path is not None
    assert first.path.is_file()
    thread.shutdown()
    assert not thread.isRunning()


def test_a_model_that_cannot_be_made_is_reported(store: Store, bus: Bus, heard: Listener, qtbot: QtBot) -> None:
    def no_llm() -> ScriptedLlmService:
        raise ImportError("no llama here")

    thread = LlmThread(AppContext(store, no_llm, lambda *_parts: BrokenController()), bus)  # type: ignore[arg-type, return-value]
    number = thread.suggest_frame("daily-steps", 2, "ko")
    qtbot.waitUntil(lambda: any(isinstance(each, FrameProposal) for each in heard.notices), timeout=5000)
    proposal = next(each for each in heard.notices if isinstance(each, FrameProposal))
    assert proposal.request_id == number
    assert proposal.error
    assert proposal.next_step
    thread.shutdown()


def test_shutdown_while_the_model_loads(thread: LlmThread, llm: ScriptedLlmService, qtbot: QtBot) -> None:
    llm.load_pause = ScriptPause()
    thread.user_turn("안녕")
    qtbot.waitUntil(llm.load_pause.reached.is_set)
    thread.shutdown()
    assert not thread.isRunning()
    assert llm.close_count == 1
    thread.user_turn("늦었어")
    assert not thread.isRunning()


def test_shutdown_of_a_thread_that_never_ran(store: Store, llm: ScriptedLlmService, bus: Bus) -> None:
    thread = LlmThread(make_context(store, llm), bus)
    thread.stop()
    thread.restart()
    thread.shutdown()
    thread.shutdown()
    assert llm.close_count == 0


def test_clearing_before_the_first_message_needs_no_model(
    thread: LlmThread, llm: ScriptedLlmService, heard: Listener, qtbot: QtBot
) -> None:
    thread.clear()
    qtbot.waitUntil(lambda: bool(heard.events))
    assert llm.load_count == 0


def test_the_flush_timer_rests_when_nothing_runs(
    thread: LlmThread, llm: ScriptedLlmService, heard: Listener, qtbot: QtBot
) -> None:
    llm.script.append([LlmTextChunk("네.")])
    thread.user_turn("안녕")
    qtbot.waitUntil(lambda: bool(heard.of(TurnFinished)), timeout=5000)
    qtbot.waitUntil(lambda: not thread._flush_timer.isActive())


def test_data_changes_go_to_the_screens(bus: Bus, qtbot: QtBot) -> None:
    seen: list[Changes] = []
    bus.on_data(seen.append)
    changes = Changes(habits=frozenset({1}))
    bus.publish_data(changes)
    qtbot.waitUntil(lambda: seen == [changes])
