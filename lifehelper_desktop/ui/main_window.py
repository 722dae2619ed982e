"""The main window: a rail on the left, a page (today, catalogue, review, one habit), the coach on the right.

Language and theme are applied by building the inside of the window anew; the conversation and the thread live on.
What can be done is in the parts: pages, dialogs, coach, undo; which words and keys it has is in `ui/actions.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QWidget

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.base.i18n import _, current_language, set_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.ui.actions import Command
from lifehelper_desktop.ui.bus import Bus, CrashNotice, Notice, Trouble
from lifehelper_desktop.ui.confirm_dialog import ConfirmPresenter
from lifehelper_desktop.ui.context import AppContext
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.menus import WindowActions
from lifehelper_desktop.ui.models.conversation import Conversation
from lifehelper_desktop.ui.open_dialogs import OpenDialogs
from lifehelper_desktop.ui.page_commands import PAGE_COMMANDS
from lifehelper_desktop.ui.palette_commands import PaletteCommands
from lifehelper_desktop.ui.qt_language import install_qt_language
from lifehelper_desktop.ui.reminders.desktop import desktop_notifier
from lifehelper_desktop.ui.reminders.service import ReminderService
from lifehelper_desktop.ui.screens.crash import CrashDialog
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.screens.models import ModelManager
from lifehelper_desktop.ui.shortcuts import read_changed
from lifehelper_desktop.ui.theme import Look, look_of, theme
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.ui_actions import WishPerformer
from lifehelper_desktop.ui.undo_commands import UndoCommands
from lifehelper_desktop.ui.watcher import DataWatcher
from lifehelper_desktop.ui.widgets.basics import column, row
from lifehelper_desktop.ui.widgets.notice import TroubleBar
from lifehelper_desktop.ui.widgets.rail import Rail
from lifehelper_desktop.ui.window_state import WindowState, load_state, put_in_place, save_state, state_of
from lifehelper_desktop.ui.window_tray import WindowTray

#: The settings by which days and weeks are counted.
_CALENDAR: Final = frozenset((rows.DAY_START_MINUTES.key, rows.WEEK_START.key))


class MainWindow(UndoCommands, PaletteCommands):
    """Owns the bus' receivers, the LLM thread and the screens. Main thread only.

    `ended` comes when the window is closed for good, not when it goes on in the tray.
    """

    ended = Signal()
    trouble: TroubleBar  # made with the rest of the inside

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
        self.wishes = WishPerformer(self)
        self.models = ModelManager(self.store, bus, self)
        self.models.changed.connect(self._on_setting)
        self._state = load_state(self.store.paths.data)
        self._chat_open = self._state.chat_open
        self._shown_keys: str | None = None  # the setting as it was read last
        self._language = context.language
        self._applied: tuple[str, Look, bool, str, str] | None = None
        self.catalogue = self.review = self.detail = self.chat = None
        self.dialogs = OpenDialogs()
        self.commands = WindowActions(self)
        self.commands.chosen.connect(self.run_command)
        self.knows_tray = self._state.knows_tray
        self.recent = self._state.recent
        self._is_finished = False
        self.restore_from: Path | None = None  # the backup that the user chose to go back to, after the end
        self.setObjectName("mainWindow")
        self.setMinimumSize(860, 560)
        self._apply_settings()
        theme().system_changed.connect(self._on_system_theme)
        put_in_place(self, self._state)
        bus.on_data(self._on_data)
        bus.on_notice(self._on_notice)
        self.watcher = DataWatcher(self.store, self)
        self.watcher.data_changed.connect(self._on_outside_change)
        self.watcher.day_changed.connect(self.refresh)
        self.watcher.trouble.connect(lambda error: bus.publish_notice(Trouble(error)))
        self.watcher.start()
        self.in_tray = WindowTray(self)
        self.tray = self.in_tray.tray
        self.reminders = ReminderService(self.store, bus, desktop_notifier(), self)
        self.reminders.habit_asked.connect(self._on_habit_asked)
        self.reminders.today_asked.connect(self._on_today_asked)
        self.watcher.data_changed.connect(self.reminders.check)
        self.watcher.day_changed.connect(self.reminders.check)
        self.reminders.start()

    # ---- building ---------------------------------------------------------------------------------------------

    @guarded
    def apply_settings(self) -> None:
        """Bring language, theme, AI and servers in line with the stored settings; build anew what that changes."""
        self._apply_settings()
        self.in_tray.apply()
        if self.context.servers is not None:
            self.context.servers.apply()

    def _apply_settings(self) -> None:
        settings = self.store.settings
        self._apply_keys(settings.get_str(rows.SHORTCUT_KEYS))
        wanted = (
            self._language or settings.get_str(rows.LANGUAGE),
            look_of(settings),
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
        QApplication.setApplicationDisplayName(_("라이프 헬퍼"))  # some systems add it to the titles of windows
        if before is None or before[1] != wanted[1]:
            theme().choose(*wanted[1])
        if before is not None:
            self._restart_coach(before, wanted, current_language() != old_language)
        self.build()
        if before is not None:
            self.tray.rebuild()
            if current_language() != old_language:
                # Later: one of them may have sent the signal that leads here. The settings build themselves anew.
                QTimer.singleShot(0, self, self._make_dialogs_anew)

    @guarded
    def _make_dialogs_anew(self) -> None:
        self.dialogs.make_anew(but=("settings", "crash", "palette"))

    def _apply_keys(self, stored: str) -> None:
        if stored != self._shown_keys:
            self._shown_keys = stored
            self.commands.show_keys(read_changed(stored))
            self._tell_keys()

    def _tell_keys(self) -> None:
        """Let everything that names a key name the one in force."""
        if self._applied is not None:
            self.side.show_keys(self.commands.keys)
            self.habits.show_keys(self.commands.keys)
            if self.chat is not None:
                self.chat.show_keys(self.commands.keys)

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
        page, habit_id = self._place()
        self._keep_chat()
        self.setWindowTitle(_("라이프 헬퍼"))
        self.catalogue = self.review = self.detail = None
        self.commands.dress(with_coach=self.ai_enabled)
        self.habits = HabitsScreen(self.store, self.bus)
        self.habits.catalogue_asked.connect(self.open_catalogue)
        self.habits.edit_asked.connect(self.open_edit)
        self.habits.detail_asked.connect(self.show_habit)
        self.habits.reminders_asked.connect(self.open_reminders)
        self.habits.archive_asked.connect(self.open_archive)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.habits)
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setHandleWidth(1)
        self.splitter.addWidget(self.stack)
        self.splitter.setCollapsible(0, False)
        self._build_centre()
        self.chat = self._build_chat() if self.ai_enabled else None
        self.bound_panes()
        self._tell_keys()
        self._name_habits()
        self.models.rebuild()
        chat_first = self._chat_first
        self._return_to(page, habit_id)
        self._chat_first = chat_first
        self.fit_panes()
        if self.chat is not None and not self.chat.isHidden():
            self.chat.composer.edit.setFocus()
        else:
            self.habits.setFocus()

    def _place(self) -> tuple[str, int | None]:
        """Return the page shown, and of which habit it is."""
        page = self.page_name if hasattr(self, "stack") else "habits"
        return page, self.detail.habit_id if self.detail is not None else None

    def _return_to(self, page: str, habit_id: int | None) -> None:
        if page == "detail" and habit_id is not None:
            before = self._page_before
            self.show_habit(habit_id)
            self._page_before = before
        else:
            {"catalogue": self.show_catalogue, "review": self.show_review}.get(page, self.show_habits)()

    def _build_centre(self) -> None:
        centre = QWidget()
        layout = row(centre, gap=0)
        layout.addWidget(self._build_rail())
        right = column(gap=0)
        told = self.trouble.error if hasattr(self, "trouble") else None
        self.trouble = TroubleBar()
        self.trouble.restore_asked.connect(self._restore)
        right.addWidget(self.trouble)
        right.addWidget(self.splitter, 1)
        layout.addLayout(right, 1)
        self.setCentralWidget(centre)
        if told is not None:
            self.trouble.show_error(told)

    def _restore(self, backup: Path) -> None:
        """End the window: the data can only be put back while nobody has it open. `start` opens it again."""
        self.restore_from = backup
        self.close()

    def _build_rail(self) -> Rail:
        commands = {
            "habits": self.show_habits,
            "catalogue": self.show_catalogue,
            "review": self.show_review,
            "chat": self.toggle_chat,
            "settings": self.open_settings,
            "help": self.open_shortcuts,
        }
        self.side = Rail(with_chat=self.ai_enabled)
        self.side.chosen.connect(lambda name: commands[name]())
        self.side.chosen.connect(self._mark_rail)
        self.rail = self.side.buttons
        return self.side

    # ---- commands ---------------------------------------------------------------------------------------------

    def run_command(self, command: Command) -> None:
        """Carry out a row of `ui/actions.py`."""
        method = getattr(self, command.method)
        method(command.number) if command.number else method()
        if command.name in PAGE_COMMANDS:
            self.enter_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        if self._applied is not None:
            self.fit_panes()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves the page of a habit also where no command has that key."""
        if event.key() == Qt.Key.Key_Escape and self.page_name == "detail":
            self.go_back()
        else:
            super().keyPressEvent(event)

    def open_quick_log(self) -> None:
        """Show the small window with today's habits, or close it."""
        self.tray.open_quick_log()

    def quit(self) -> None:
        """End the program, also where closing the window would leave it in the tray."""
        self.in_tray.quit()

    # ---- what happens elsewhere -------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read everything that is shown anew."""
        self._refresh_lists()
        for page in (self.review, self.detail):
            if page is not None:
                page.refresh()

    def _refresh_lists(self) -> None:
        """Read what does not listen to the bus by itself."""
        self.habits.refresh()
        self._name_habits()
        self.tray.refresh()
        if self.catalogue is not None:
            self.catalogue.refresh()
        if self.chat is not None:
            self.chat.refresh_cards()

    def _name_habits(self) -> None:
        language = current_language()
        self.commands.show_habits([each.title(language) for each in self.habits.numbered])

    def _on_data(self, changes: Changes) -> None:
        if self._is_finished:
            return  # written by the answer that the end interrupted
        self.trouble.hide()  # something was written, so what was wrong is over; reading tells it if not
        if rows.DAY_START_MINUTES.key in changes.settings:
            self.watcher.check_day()
        if changes.settings:
            self.apply_settings()  # undone, imported or restored ones too
        if changes.habits or changes.entries or changes.settings & _CALENDAR:
            self._refresh_lists()

    def _on_outside_change(self) -> None:
        """Another process wrote: settings first, since they decide what is shown."""
        before = self._applied
        self.apply_settings()
        self.watcher.check_day()
        self.refresh()
        if (dialog := self._shown_settings()) is not None:
            dialog.refresh() if before == self._applied else dialog.build()

    def _on_setting(self, key: str) -> None:
        if key == rows.LANGUAGE.key:
            self._language = ""  # the user's choice wins over the command line's
        self.apply_settings()
        if (dialog := self._shown_settings()) is not None:
            from lifehelper_desktop.ui.screens.settings import REBUILT_BY

            if key in REBUILT_BY:
                QTimer.singleShot(0, dialog, dialog.build)  # not inside the signal of a widget that goes away

    def _on_system_theme(self) -> None:
        self.build()
        self.tray.rebuild()
        if (dialog := self._shown_settings()) is not None:
            dialog.build()

    def _on_habit_asked(self, habit_id: int) -> None:
        self.in_tray.come_back()
        self.show_habit(habit_id)

    def _on_today_asked(self) -> None:
        self.in_tray.come_back()
        self.show_habits()

    def _on_notice(self, notice: Notice) -> None:
        if isinstance(notice, Trouble):
            self.trouble.show_error(notice.error)
        elif isinstance(notice, CrashNotice):
            self.dialogs.show("crash", lambda: CrashDialog(notice, self))

    # ---- the end ----------------------------------------------------------------------------------------------

    def _current_state(self) -> WindowState:
        beside = self.chat is not None and self.chat.isVisible() and self.has_room()
        width = self.chat.width() if self.chat is not None and beside else self._state.chat_width
        return state_of(
            self, chat_open=self._chat_open, chat_width=width, knows_tray=self.knows_tray, recent=self.recent
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide in the tray where that is wished; else end for good."""
        if not self.in_tray.takes(event):
            self.finish()
            super().closeEvent(event)
            self.ended.emit()

    def finish(self) -> None:
        """Answer open questions with no, end the thread, remember the place.

        May be called again: the session may end without closing a window that is in the tray.
        """
        if self._is_finished:
            return
        self._is_finished = True
        try:
            self.keep_place()
            self.watcher.stop()
            self.reminders.stop()
            self.presenter.withdraw()
        finally:
            self.hide()
            self.tray.shutdown()
            self.models.shutdown()
            self.thread_.shutdown()

    def keep_place(self) -> None:
        """Write down where the window is and what it has told."""
        self._state = self._current_state()
        save_state(self.store.paths.data, self._state)
