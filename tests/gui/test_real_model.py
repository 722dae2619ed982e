"""The window with the real Gemma: write, be asked, say yes, see the row; say no, see nothing; stop at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import date

import pytest
from pytestqt.qtbot import QtBot

from lifehelper_desktop.__main__ import make_llm
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import LANGUAGE
from lifehelper_desktop.chat.messages import ToolCallState
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.context import AppContext
from tests.gui.conftest import Gui, end_all, make_context
from tests.helpers.scripted_llm import ScriptedLlmService

pytestmark = pytest.mark.gguf
TODAY = date(2026, 8, 12)


class RealGui(Gui):
    """The window as the program composes it, with llama.cpp and the starter model."""

    def __init__(self, qtbot: QtBot, store: Store, lend_coach: Callable[[AppPaths], None]) -> None:
        """Put the model where the app looks for it and show the window."""
        lend_coach(store.paths)
        super().__init__(qtbot, store, [])

    def wait_idle(self) -> None:
        """Wait until no turn runs; a real model takes seconds."""
        self.qtbot.waitUntil(lambda: not self.window.conversation.is_busy, timeout=60_000)


@pytest.fixture
def real_gui(
    qtbot: QtBot, store: Store, lend_coach: Callable[[AppPaths], None], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], RealGui]]:
    """Return a maker of windows with the real model."""
    made: list[RealGui] = []
    store.settings.set(LANGUAGE, "ko")

    def context(store: Store, _scripted: ScriptedLlmService) -> AppContext:
        scripted = make_context(store, _scripted)
        return AppContext(store, lambda: make_llm(store.paths, ""), scripted.make_controller)

    monkeypatch.setattr("tests.gui.conftest.make_context", context)

    def make() -> RealGui:
        made.append(RealGui(qtbot, store, lend_coach))
        return made[-1]

    yield make
    end_all(made)


def _ask(gui: RealGui) -> None:
    gui.say("오늘 걷기 다 했어, 기록해 줘")
    gui.qtbot.waitUntil(lambda: gui.window.presenter.dialog is not None, timeout=60_000)


def test_yes_puts_the_row_into_the_database_and_on_screen(
    real_gui: Callable[[], RealGui], habits: dict[str, Habit], store: Store
) -> None:
    gui = real_gui()
    walk = habits["walk"]
    _ask(gui)
    gui.click("confirmYes", gui.wait_dialog())
    gui.wait_idle()
    entry = store.entries.get(walk.id, TODAY)
    assert entry is not None
    assert entry.value is EntryValue.DONE
    card = gui.cards()[-1]
    assert card.message.state is ToolCallState.DONE
    assert card.message.stored == "하루 걷기 · 2026-08-12(수) · 완료"
    assert gui.bubbles()[-1]
    gui.qtbot.waitUntil(lambda: gui.window.habits.cards[walk.id].overview.today_entry is not None)


def test_no_leaves_everything_as_it_was(
    real_gui: Callable[[], RealGui], habits: dict[str, Habit], store: Store
) -> None:
    gui = real_gui()
    _ask(gui)
    gui.click("confirmNo", gui.wait_dialog())
    gui.wait_idle()
    assert store.entries.get(habits["walk"].id, TODAY) is None
    assert gui.cards()[-1].message.state is ToolCallState.DECLINED


def test_stop_and_close_work_while_the_model_is_busy(real_gui: Callable[[], RealGui], habits: dict[str, Habit]) -> None:
    gui = real_gui()
    gui.say("안녕? " + "오늘 있었던 일을 길게 이야기해 볼게. " * 100)
    gui.qtbot.waitUntil(lambda: gui.window.conversation.is_busy, timeout=10_000)
    begin = time.perf_counter()
    gui.window.stop()
    gui.wait_idle()
    # Generous for a busy machine; the engine's own test holds it to half a second.
    assert time.perf_counter() - begin < 5
    gui.say("또 왔어")
    gui.window.close()
    assert not gui.window.thread_.isRunning()
