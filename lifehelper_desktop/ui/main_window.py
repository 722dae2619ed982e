"""The main window: a rail on the left, today's habits or the catalogue in the middle, the coach on the right.

Language and theme are applied by building the inside of the window anew; the conversation and the thread live on.
"""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QWidget

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.base.i18n import _, current_language, set_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import Habit, HabitType, Protocol
from lifehelper_desktop.ui.bus import Bus, CrashNotice, Notice, Trouble
from lifehelper_desktop.ui.confirm_dialog import ConfirmPresenter
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.models.conversation import Conversation
from lifehelper_desktop.ui.open_dialogs import OpenDialogs
from lifehelper_desktop.ui.qt_language import install_qt_language
from lifehelper_desktop.ui.screens.catalogue import CatalogueScreen
from lifehelper_desktop.ui.screens.chat import ChatPane
from lifehelper_desktop.ui.screens.conversations import show_conversations
from lifehelper_desktop.ui.screens.crash import CrashDialog
from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.screens.models import ModelManager
from lifehelper_desktop.ui.screens.settings import SettingsDialog
from lifehelper_desktop.ui.screens.shortcuts import ShortcutsDialog
from lifehelper_desktop.ui.shortcuts import SHORTCUTS
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.undo_commands import UndoCommands
from lifehelper_desktop.ui.watcher import DataWatcher
from lifehelper_desktop.ui.widgets.basics import column, row
from lifehelper_desktop.ui.widgets.notice import TroubleBar
from lifehelper_desktop.ui.widgets.rail import Rail
from lifehelper_desktop.ui.window_state import WindowState, load_state, put_in_place, save_state, state_of
from lifehelper_desktop.ui.window_tray import WindowTray

_CHAT_MIN = 300  # device-independent pixels
_CHAT_SHARE = 0.4  # of the window at most, when it is built


class MainWindow(UndoCommands, QMainWindow):
    """Owns the bus' receivers, the LLM thread and the screens. Main thread only.

    `ended` comes when the window is closed for good, not when it goes on in the tray.
    """

    ended = Signal()

    def __init__(self, context: AppContext, bus: Bus) -> None:
        """Build the window for the language and theme in the settings; `show` it afterwards.

        Raises:
            WorldError: The settings could not be read.
        """
        super().__init__()
        self.context, self.bus, self.store = context, bus, context.store
        self.thread_ = LlmThread(context, bus, self)
        self.conversation = Conversation(bus, self)
        self.presenter = ConfirmPresenter(bus, self)
        self.models = ModelManager(self.store, bus, self)
        self.models.changed.connect(self._on_setting)
        self._state = load_state(self.store.paths.data)
        self._chat_open = self._state.chat_open
        self._draft = ""
        self._language = context.language
        self._applied: tuple[str, str, bool, str, str] | None = None
        self.catalogue: CatalogueScreen | None = None
        self.chat: ChatPane | None = None
        self.dialogs = OpenDialogs()
        self.knows_tray = self._state.knows_tray
        self.restore_from: Path | None = None  # the backup that the user chose to go back to, after the end
        self.trouble = TroubleBar()
        self.setObjectName("mainWindow")
        self.setMinimumSize(860, 560)
        self._apply_settings()
        theme().system_changed.connect(self._on_system_theme)
        put_in_place(self, self._state)
        self._bind_shortcuts()
        bus.on_data(self._on_data)
        bus.on_notice(self._on_notice)
        self.watcher = DataWatcher(self.store, self)
        self.watcher.data_changed.connect(self._on_outside_change)
        self.watcher.day_changed.connect(self.refresh)
        self.watcher.start()
        self.in_tray = WindowTray(self)
        self.tray = self.in_tray.tray

    # ---- building ---------------------------------------------------------------------------------------------

    @guarded
    def apply_settings(self) -> None:
        """Bring language, theme and AI in line with the stored settings; build anew what that changes."""
        self._apply_settings()
        self.in_tray.apply()

    def _apply_settings(self) -> None:
        settings = self.store.settings
        wanted = (
            self._language or settings.get_str(rows.LANGUAGE),
            settings.get_str(rows.THEME),
            settings.get_bool(rows.AI_ENABLED),
            settings.get_str(rows.MODEL_PATH),
            settings.get_str(rows.MODEL_FAMILY),
        )
        before = self._applied
        self._applied = wanted
        if before == wanted:
            return
        self.ai_enabled = wanted[2]
        old_language = current_language()
        set_language(wanted[0])
        install_qt_language(current_language())
        if before is None or before[1] != wanted[1]:
            theme().choose(wanted[1])
        if before is not None:
            self._restart_coach(before, wanted, current_language() != old_language)
        self.build()
        if before is not None:
            self.tray.rebuild()

    def _restart_coach(self, before: tuple[object, ...], wanted: tuple[object, ...], new_language: bool) -> None:
        """The controller keeps language and model: where one changed, the conversation begins anew."""
        if not (new_language or before[3:] != wanted[3:] or not wanted[2]):
            return
        self.presenter.withdraw()
        note = _("설정을 바꿔서 새 대화를 시작했어요.") if self.conversation.messages and wanted[2] else ""
        self.conversation.begin_clear(note)
        self.thread_.restart()

    def build(self) -> None:
        """Build the inside of the window anew and keep the page, the draft and the widths."""
        page = self._page_name() if hasattr(self, "stack") else "habits"
        self._keep_chat()
        self.setWindowTitle(_("라이프 헬퍼"))
        self.catalogue = None
        self.habits = HabitsScreen(self.store, self.bus)
        self.habits.catalogue_asked.connect(self.open_catalogue)
        self.habits.edit_asked.connect(self.open_edit)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.habits)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.stack)
        self.splitter.setCollapsible(0, False)
        self.stack.setMinimumWidth(440)
        centre = QWidget()
        layout = row(centre, gap=0)
        layout.addWidget(self._build_rail())
        right = column(gap=0)
        told = self.trouble.error
        self.trouble = TroubleBar()
        self.trouble.restore_asked.connect(self._restore)
        right.addWidget(self.trouble)
        right.addWidget(self.splitter, 1)
        layout.addLayout(right, 1)
        self.setCentralWidget(centre)
        if told is not None:
            self.trouble.show_error(told)
        self.chat = self._build_chat() if self.ai_enabled else None
        self.models.rebuild()
        if page == "catalogue":
            self.show_catalogue()
        self._mark_rail()
        if self.chat is not None and self._chat_open:
            self.chat.composer.edit.setFocus()
        else:
            self.habits.setFocus()

    def _restore(self, backup: Path) -> None:
        """End the window: the data can only be put back while nobody has it open. `start` opens it again."""
        self.restore_from = backup
        self.close()

    def _build_rail(self) -> Rail:
        commands = {
            "habits": self.show_habits,
            "catalogue": self.show_catalogue,
            "chat": self.toggle_chat,
            "settings": self.open_settings,
            "help": self.open_shortcuts,
        }
        rail = Rail(with_chat=self.ai_enabled)
        rail.chosen.connect(lambda name: commands[name]())
        rail.chosen.connect(self._mark_rail)
        self.rail = rail.buttons
        return rail

    def _build_chat(self) -> ChatPane:
        chat = ChatPane(self.store, self.bus, self.thread_, self.conversation)
        chat.settings_asked.connect(self.open_settings)
        chat.collapse_asked.connect(self.toggle_chat)
        chat.history_asked.connect(self.open_conversations)
        chat.composer.edit.setPlainText(self._draft)
        self.splitter.addWidget(chat)
        self.splitter.setCollapsible(1, False)
        self.splitter.setStretchFactor(0, 1)
        width = min(self._state.chat_width, round(_CHAT_SHARE * self._state.width))
        self.splitter.setSizes([10_000, max(_CHAT_MIN, width)])
        chat.setVisible(self._chat_open)
        return chat

    def _keep_chat(self) -> None:
        if self.chat is not None:
            self._draft = self.chat.composer.edit.toPlainText()
            if self.chat.isVisible():
                self._state = self._current_state()

    def _mark_rail(self, _name: str = "") -> None:
        page = self._page_name()
        for name in ("habits", "catalogue"):
            self.rail[name].setChecked(page == name)
        if "chat" in self.rail:
            self.rail["chat"].setChecked(self._chat_open)

    def _page_name(self) -> str:
        return "catalogue" if self.stack.currentWidget() is self.catalogue else "habits"

    def _bind_shortcuts(self) -> None:
        for shortcut in SHORTCUTS:
            if shortcut.command:
                for keys in shortcut.keys:
                    QShortcut(QKeySequence(keys), self, getattr(self, shortcut.command))
        for number in range(1, 10):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self, lambda n=number: self.habits.mark_number(n))

    # ---- commands ---------------------------------------------------------------------------------------------

    def show_habits(self) -> None:
        """Go to today's habits."""
        self.stack.setCurrentWidget(self.habits)
        self._mark_rail()

    def show_catalogue(self) -> None:
        """Go to the catalogue, built at the first visit."""
        if self.catalogue is None:
            self.catalogue = CatalogueScreen(self.store, self.bus)
            self.catalogue.add_asked.connect(self.open_add)
            self.stack.addWidget(self.catalogue)
        self.stack.setCurrentWidget(self.catalogue)
        self._mark_rail()

    def open_catalogue(self, habit_type: HabitType | None) -> None:
        """Go to the catalogue for entries of one type."""
        self.show_catalogue()
        assert self.catalogue is not None
        self.catalogue.look_for(habit_type)

    def find_in_catalogue(self) -> None:
        """Go to the catalogue's search field."""
        self.open_catalogue(None)

    def toggle_chat(self) -> None:
        """Fold or unfold the coach."""
        if self.chat is None:
            return
        if self._chat_open:
            self._state = self._current_state()
        self._chat_open = not self._chat_open
        self.chat.setVisible(self._chat_open)
        if self._chat_open:
            self.chat.focus_composer()
        self._mark_rail()

    def focus_composer(self) -> None:
        """Put the cursor where one writes to the coach, unfolding it when needed."""
        if self.chat is None:
            return
        if not self._chat_open:
            self.toggle_chat()
        self.chat.focus_composer()

    def new_chat(self) -> None:
        """Begin a new conversation."""
        if self.chat is not None:
            self.presenter.withdraw()
            self.chat.new_chat()

    def stop(self) -> None:
        """End the running turn and the question it may be asking; between turns, the editing of the last message."""
        if self.chat is not None and self.conversation.is_busy:
            self.chat.stop()
            self.presenter.withdraw()
        elif self.chat is not None:
            self.chat.cancel_edit()

    def open_conversations(self) -> None:
        """Show the conversations that were kept."""
        show_conversations(self)

    @guarded
    def open_settings(self) -> None:
        """Show the settings."""
        self.dialogs.show("settings", self._make_settings)

    def _make_settings(self) -> SettingsDialog:
        dialog = SettingsDialog(self.store, self.bus, self)
        dialog.changed.connect(self._on_setting)
        dialog.models_asked.connect(self.models.open)
        return dialog

    def open_quick_log(self) -> None:
        """Show the small window with today's habits, or close it."""
        self.tray.open_quick_log()

    def quit(self) -> None:
        """End the program, also where closing the window would leave it in the tray."""
        self.in_tray.quit()

    def open_shortcuts(self) -> None:
        """Show the shortcuts."""
        self.dialogs.show("shortcuts", lambda: ShortcutsDialog(self))

    def open_add(self, entry: Protocol) -> None:
        """Show the form that adds `entry`."""
        dialog = HabitDialog(self, self.store, self.bus, self.thread_, entry=entry, ai_enabled=self.ai_enabled)
        dialog.accepted.connect(self.show_habits)
        self.dialogs.open_form(dialog)

    def open_edit(self, habit: Habit) -> None:
        """Show the form of `habit`."""
        entry = self.store.catalogue.get(habit.catalogue_id)
        ai = self.ai_enabled
        self.dialogs.open_form(
            HabitDialog(self, self.store, self.bus, self.thread_, entry=entry, habit=habit, ai_enabled=ai)
        )

    # ---- what happens elsewhere -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read everything that is shown anew."""
        self.habits.refresh()
        self.tray.refresh()
        if self.catalogue is not None:
            self.catalogue.refresh()
        if self.chat is not None:
            self.chat.refresh_cards()

    def _on_data(self, changes: Changes) -> None:
        self.trouble.hide()  # something was written, so what was wrong is over; reading tells it if not
        if rows.DAY_START_MINUTES.key in changes.settings:
            self.watcher.check_day()
        if changes.habits or changes.entries or rows.DAY_START_MINUTES.key in changes.settings:
            self.refresh()

    def _on_outside_change(self) -> None:
        """Another process wrote: settings first, since they decide what is shown."""
        self.apply_settings()
        self.watcher.check_day()
        self.refresh()

    def _on_setting(self, key: str) -> None:
        if key == rows.LANGUAGE.key:
            self._language = ""  # the user's choice wins over the command line's
        self.apply_settings()
        dialog = self.dialogs.get("settings")
        if isinstance(dialog, SettingsDialog) and key != rows.DAY_START_MINUTES.key:
            QTimer.singleShot(0, dialog, dialog.build)  # not inside the signal of a widget that goes away

    def _on_system_theme(self) -> None:
        self.build()
        self.tray.rebuild()
        dialog = self.dialogs.get("settings")
        if isinstance(dialog, SettingsDialog):
            dialog.build()

    def _on_notice(self, notice: Notice) -> None:
        if isinstance(notice, Trouble):
            self.trouble.show_error(notice.error)
        elif isinstance(notice, CrashNotice):
            self.dialogs.show("crash", lambda: CrashDialog(notice, self))

    # ---- the end ----------------------------------------------------------------------------------------------

    def _current_state(self) -> WindowState:
        width = self.chat.width() if self.chat is not None and self.chat.isVisible() else self._state.chat_width
        return state_of(self, chat_open=self._chat_open, chat_width=width, knows_tray=self.knows_tray)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide in the tray where that is wished; else answer questions with no, end the thread, remember the place."""
        if self.in_tray.takes(event):
            return
        try:
            save_state(self.store.paths.data, self._current_state())
            self.watcher.stop()
            self.presenter.withdraw()
        finally:
            self.hide()
            self.tray.shutdown()
            self.models.shutdown()
            self.thread_.shutdown()
        super().closeEvent(event)
        self.ended.emit()
