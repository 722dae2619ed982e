"""A real window over a real store; only the language model is scripted."""

from __future__ import annotations

import os

os.environ["QT_QPA_PLATFORM"] = "offscreen"  # before Qt loads, whoever imports it first

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.base.settings import LANGUAGE
from lifehelper_desktop.chat.controller import ChatSessionController
from lifehelper_desktop.chat.messages import ChatListener
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.llm.protocol import LlmService
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmGate
from lifehelper_desktop.tools.definition import UiActions
from lifehelper_desktop.tools.registry import ToolRegistry
from lifehelper_desktop.ui.app import dress
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.confirm_dialog import ConfirmDialog
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.main_window import MainWindow
from lifehelper_desktop.ui.screens.chat import ChatPane
from lifehelper_desktop.ui.widgets.bubbles import Bubble, SystemLine
from lifehelper_desktop.ui.widgets.habit_card import HabitCard
from lifehelper_desktop.ui.widgets.tool_card import ToolCard
from tests.gui.work import work
from tests.helpers.scripted_llm import Script, ScriptedLlmService
from tests.helpers.worlds import world_1

__all__ = ["Gui", "MakeGui", "card_of", "end_all", "make_context", "work"]

W = TypeVar("W", bound=QWidget)
MakeGui = Callable[..., "Gui"]


def make_context(store: Store, llm: ScriptedLlmService) -> AppContext:
    """Compose the parts as the program does, with the scripted model."""
    registry = ToolRegistry.defaults()

    def controller(
        service: LlmService, gate: ConfirmGate, listener: ChatListener, ui: UiActions
    ) -> ChatSessionController:
        return ChatSessionController(service, store, registry, gate, listener, current_language(), ui=ui)

    return AppContext(store, lambda: llm, controller)


class Gui:
    """The window with short ways to do what a user does."""

    def __init__(self, qtbot: QtBot, store: Store, script: Script, context: AppContext | None = None) -> None:
        """Show the window; the model plays `script`, unless `context` brings another."""
        self.qtbot, self.store = qtbot, store
        self.llm = ScriptedLlmService(script)
        self.bus = Bus()
        self.window = MainWindow(context or make_context(store, self.llm), self.bus)
        self.window.resize(1280, 800)
        self.window.show()
        self.window.activateWindow()
        # Shortcuts and focus need the active window.
        qtbot.waitUntil(self.window.isActiveWindow)

    @property
    def chat(self) -> ChatPane:
        """The chat pane."""
        assert self.window.chat is not None
        return self.window.chat

    def find(self, kind: type[W], name: str, inside: QWidget | None = None) -> W:
        """Return the one visible widget of this kind and object name, once it is there."""

        def visible() -> list[W]:
            return [each for each in (inside or self.window).findChildren(kind, name) if each.isVisible()]

        self.qtbot.waitUntil(lambda: len(visible()) == 1, timeout=2000)
        return visible()[0]

    def click(self, name: str, inside: QWidget | None = None) -> None:
        """Click the visible button called `name`."""
        self.qtbot.mouseClick(self.find(QWidget, name, inside), Qt.MouseButton.LeftButton)

    def say(self, text: str) -> None:
        """Send a message when the last turn is over, and do not wait for the answer."""
        self.wait_idle()
        self.chat.send(text)

    def wait_idle(self) -> None:
        """Wait until no turn runs."""
        self.qtbot.waitUntil(lambda: not self.window.conversation.is_busy, timeout=5000)

    def wait_dialog(self, armed: bool = True) -> ConfirmDialog:
        """Wait for the question, and with `armed` for the end of its first half second."""
        self.qtbot.waitUntil(lambda: self.window.presenter.dialog is not None, timeout=5000)
        dialog = self.window.presenter.dialog
        assert dialog is not None
        self.qtbot.waitUntil(dialog.isVisible, timeout=2000)
        if armed:
            self.qtbot.waitUntil(lambda: not dialog.is_guarded, timeout=2000)
        return dialog

    def bubbles(self) -> list[str]:
        """Texts of the visible bubbles, oldest first."""
        return [each.text for each in self._shown(Bubble)]

    def system_lines(self) -> list[str]:
        """Texts of the app's own lines."""
        return [each.text for each in self._shown(SystemLine)]

    def cards(self) -> list[ToolCard]:
        """The tool cards, oldest first."""
        return self._shown(ToolCard)

    def text(self, name: str, inside: QWidget | None = None) -> str:
        """Return the text of the visible label called `name`."""
        return self.find(QLabel, name, inside).text()

    def _shown(self, kind: type[W]) -> list[W]:
        return [each for each in self.chat.transcript.widgets() if isinstance(each, kind)]


@pytest.fixture(scope="session", autouse=True)
def _dressed(qapp: QApplication) -> None:
    dress(qapp)


@pytest.fixture(autouse=True)
def _swept() -> Iterator[None]:
    """Let no widget outlive its test: outside of a running event loop nobody carries out `deleteLater`."""
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def habits(store: Store) -> dict[str, Habit]:
    """World 1 of the domain document: walk, todo, social."""
    return world_1(store)


def card_of(gui: Gui, habit: Habit) -> HabitCard:
    """Return the card of `habit` on the home screen."""
    return gui.window.habits.cards[habit.id]


def end_all(made: Sequence[Gui]) -> None:
    """Close windows, see that their threads have ended, and delete them."""
    for gui in made:
        gui.window.close()
        assert not gui.window.thread_.isRunning()
        gui.window.deleteLater()
    # Outside of a running event loop nobody carries out `deleteLater`; old windows would make each test slower.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def make_gui(qtbot: QtBot, store: Store) -> Iterator[MakeGui]:
    """Return a maker of windows over the store; each is closed at the end."""
    made: list[Gui] = []
    store.settings.set(LANGUAGE, "ko")

    def make(*script: list[object], context: AppContext | None = None) -> Gui:
        made.append(Gui(qtbot, store, script, context))  # type: ignore[arg-type]
        return made[-1]

    yield make
    end_all(made)
