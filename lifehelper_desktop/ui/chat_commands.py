"""The coach: its pane beside the pages, and what can be asked of it by key, menu and palette."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QApplication

from lifehelper_desktop.ui.page_commands import PageCommands
from lifehelper_desktop.ui.screens.chat import ChatPane
from lifehelper_desktop.ui.theme import theme

# Pixels at 100 % text, and a share of the window at most when it is built.
_CHAT_MIN: Final = 300
_PAGE_MIN: Final = 340
_PAGE_WIDTH: Final = 440  # pixels, at any size of the text
_CHAT_SHARE: Final = 0.4


class ChatCommands(PageCommands):
    """A part of MainWindow. With AI off there is no chat, and these commands do nothing."""

    _draft: str = ""

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
        self.splitter.setSizes([10_000, max(theme().px(_CHAT_MIN), width)])
        chat.setVisible(self._chat_open)
        return chat

    def _keep_chat(self) -> None:
        if self.chat is not None:
            self._draft = self.chat.composer.edit.toPlainText()
            if self.chat.isVisible():
                self._state = self._current_state()

    def bound_panes(self) -> None:
        """Let page and coach be no wider than the screen has room for: what does not fit would be cut off."""
        room = self.screen().availableSize().width() - self.side.sizeHint().width()
        self.stack.setMinimumWidth(min(_PAGE_WIDTH, room))
        if self.chat is not None:
            self.chat.setMinimumWidth(min(self.chat.minimumWidth(), room))

    def has_room(self) -> bool:
        """Return whether page and coach fit beside each other, in the size of the text in force."""
        px = theme().px
        return self.width() - self.side.sizeHint().width() >= px(_PAGE_MIN) + px(_CHAT_MIN)

    def fit_panes(self) -> None:
        """Show page and coach beside each other, or only the one asked for last where there is no room for both."""
        chat_shows = self._chat_open and (self._chat_first or self.has_room())
        if self.chat is not None:
            self.chat.setVisible(chat_shows)
        self.stack.setVisible(self.chat is None or not chat_shows or self.has_room())
        self._mark_rail()

    # ---- the pane ---------------------------------------------------------------------------------------------

    def toggle_chat(self) -> None:
        """Fold or unfold the coach."""
        if self.chat is None:
            return
        if self.chat.isHidden():
            self._chat_open = self._chat_first = True
        else:
            self._state = self._current_state()
            self._chat_open = False
        self.fit_panes()
        if self._chat_open:
            self.chat.focus_composer()

    def _unfolded(self) -> ChatPane | None:
        """Return the pane, unfolded; None with AI off."""
        if self.chat is not None and self.chat.isHidden():
            self.toggle_chat()
        return self.chat

    def focus_composer(self) -> None:
        """Put the cursor where one writes to the coach, unfolding it when needed."""
        if (chat := self._unfolded()) is not None:
            chat.focus_composer()

    # ---- the conversation -------------------------------------------------------------------------------------

    def new_chat(self) -> None:
        """Begin a new conversation."""
        if self.chat is not None:
            self.presenter.withdraw()
            self.chat.new_chat()

    def open_conversations(self) -> None:
        """Show the conversations that were kept."""
        from lifehelper_desktop.ui.screens.conversations import show_conversations

        show_conversations(self)

    def stop(self) -> None:
        """End the running turn and the question it may be asking; between turns, the editing of the last message.

        With neither, the page of a habit is left.
        """
        if self.chat is not None and self.conversation.is_busy:
            self.chat.stop()
            self.presenter.withdraw()
        elif self.chat is not None and self.conversation.is_editing:
            self.chat.cancel_edit()
        elif self.page_name == "detail":
            self.go_back()

    def copy_last_answer(self) -> None:
        """Copy what the coach answered last."""
        if (chat := self._unfolded()) is not None:
            chat.copy_last_answer()

    def send_message(self) -> None:
        """Send what stands in the message field."""
        if (chat := self._unfolded()) is not None:
            chat.composer.edit.submit()

    def new_line(self) -> None:
        """Begin a new line in the message field."""
        if (chat := self._unfolded()) is not None:
            chat.focus_composer()
            chat.composer.edit.break_line()

    def recall_previous(self) -> None:
        """Put the message before into the message field."""
        if (chat := self._unfolded()) is not None:
            chat.focus_composer()
            chat.composer.edit.recall(-1)

    def recall_next(self) -> None:
        """Put the message after into the message field."""
        if (chat := self._unfolded()) is not None:
            chat.focus_composer()
            chat.composer.edit.recall(1)

    # ---- finding ----------------------------------------------------------------------------------------------

    def find_words(self) -> None:
        """Find in what has the focus: the catalogue, the list of habits, or else the conversation."""
        focused = QApplication.focusWidget()
        inside = focused is not None and self.stack.isAncestorOf(focused)
        if inside and self.page_name == "catalogue":
            self.find_in_catalogue()
        elif inside and self.page_name == "habits" and self.habits.begin_search():
            return
        elif self.chat is not None:
            self._unfolded()
            self.chat.find_bar.open()
        elif self.page_name != "habits" or not self.habits.begin_search():
            self.find_in_catalogue()

    def find_next(self) -> None:
        """Go to the next place found in the conversation."""
        if (chat := self._unfolded()) is not None:
            chat.find_bar.step(1)

    def find_previous(self) -> None:
        """Go to the place found before in the conversation."""
        if (chat := self._unfolded()) is not None:
            chat.find_bar.step(-1)
