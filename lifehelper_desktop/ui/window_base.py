"""What the parts of the main window share: `MainWindow` fills it, its commands use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QToolButton

from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.confirm_dialog import ConfirmPresenter
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.menus import WindowActions
from lifehelper_desktop.ui.models.conversation import Conversation
from lifehelper_desktop.ui.open_dialogs import OpenDialogs
from lifehelper_desktop.ui.screens.chat import ChatPane
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.screens.models import ModelManager
from lifehelper_desktop.ui.widgets.rail import Rail
from lifehelper_desktop.ui.window_state import WindowState

if TYPE_CHECKING:  # the start of the program needs none of these pages
    from lifehelper_desktop.ui.screens.catalogue import CatalogueScreen
    from lifehelper_desktop.ui.screens.habit_detail import HabitDetail
    from lifehelper_desktop.ui.screens.review import ReviewScreen


class WindowBase(QMainWindow):
    """Main thread only. Pages but the first are built when they are asked for; the chat is None with AI off."""

    context: AppContext
    bus: Bus
    store: Store
    thread_: LlmThread
    conversation: Conversation
    presenter: ConfirmPresenter
    models: ModelManager
    commands: WindowActions
    dialogs: OpenDialogs
    ai_enabled: bool

    splitter: QSplitter
    stack: QStackedWidget
    side: Rail
    rail: dict[str, QToolButton]  # the buttons of `side` by their name
    habits: HabitsScreen
    catalogue: CatalogueScreen | None
    review: ReviewScreen | None
    detail: HabitDetail | None
    chat: ChatPane | None

    _state: WindowState
    _chat_open: bool
    _chat_first: bool = False  # where page and coach do not fit beside each other: which of them was asked for last

    def refresh(self) -> None:
        """Read everything that is shown anew."""
        raise NotImplementedError

    def show_habits(self) -> None:
        """Go to today's habits."""
        raise NotImplementedError

    def fit_panes(self) -> None:
        """Show page and coach beside each other, or only the one asked for last where there is no room for both."""
        raise NotImplementedError

    def apply_settings(self) -> None:
        """Bring what is shown in line with the stored settings."""
        raise NotImplementedError

    def _on_setting(self, key: str) -> None:
        """Apply the stored setting `key`."""
        raise NotImplementedError

    def _current_state(self) -> WindowState:
        """Return what is to be remembered of the window."""
        raise NotImplementedError
