"""The coach: the conversation, its composer, and what the model is doing right now."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatEvent,
    ChatMessage,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    SystemChatMessage,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.models.conversation import Conversation
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.undo import fate_of, logged_entry, take_back
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row, scroll_page, tool_button
from lifehelper_desktop.ui.widgets.bubbles import Bubble, ErrorCard, SystemLine
from lifehelper_desktop.ui.widgets.composer import Composer
from lifehelper_desktop.ui.widgets.tool_card import ToolCard

_STARTERS = (
    N_("오늘 습관 보여 줘"),
    N_("저녁 걷기 다 했어, 기록해 줘"),
    N_("잠 잘 오는 습관 찾아 줘"),
)


class ChatPane(QFrame):
    """Shows `conversation` and sends commands to the LLM thread. Built anew at any time, also in a running turn."""

    settings_asked = Signal()
    history_asked = Signal()
    collapse_asked = Signal()

    def __init__(self, store: Store, bus: Bus, thread: LlmThread, conversation: Conversation) -> None:
        """Show the conversation as it stands."""
        super().__init__()
        self.setObjectName("chatPane")
        self.setMinimumWidth(300)
        self.bus = bus
        self._store, self._thread = store, thread
        self.conversation = conversation
        self._cards: dict[str, ToolCard] = {}
        self._stream: Bubble | None = None
        self._tail: list[QWidget] = []
        layout = column(self, gap=0)
        layout.addWidget(self._build_header())
        layout.addWidget(frame("line"))
        layout.addWidget(self._build_body(), 1)
        layout.addWidget(self._build_footer())
        self._rebuild()
        conversation.changed.connect(self._on_event)
        conversation.busy_changed.connect(self._on_busy)
        self._on_busy(conversation.is_busy)

    # ---- commands ---------------------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Send a message; while a turn runs, nothing happens."""
        if self.conversation.is_busy or not text.strip():
            return
        if self.conversation.is_editing:
            self._end_edit()
            self._answer_again(text)
            return
        self._drop_tail()
        self.conversation.begin_turn()
        self._thread.user_turn(text)
        self._scroll_down(force=True)

    def retry(self) -> None:
        """Have the last message answered anew; what its answer has written stays written."""
        text = self.conversation.last_user_text
        if not self.conversation.is_busy and text:
            self._answer_again(text)

    def edit_last(self) -> None:
        """Put the last message back into the composer: sending it takes the old one's place."""
        text = self.conversation.last_user_text
        if self.conversation.is_busy or not text:
            return
        self.conversation.is_editing = True
        self._edit_bar.show()
        self.composer.edit.setPlainText(text)
        self.composer.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.composer.edit.setFocus()

    def cancel_edit(self) -> None:
        """Leave the last message as it is."""
        if self.conversation.is_editing:
            self._end_edit()
            self.composer.edit.clear()
            self.composer.edit.setFocus()

    def _end_edit(self) -> None:
        self.conversation.is_editing = False
        self._edit_bar.hide()

    def _answer_again(self, text: str) -> None:
        self._drop_tail()
        self.conversation.begin_turn(retried=text)
        self._thread.answer_again(text)
        self._scroll_down(force=True)

    def go_on(self) -> None:
        """Continue after the turn cap."""
        if not self.conversation.is_busy:
            self._drop_tail()
            self.conversation.begin_turn()
            self._thread.continue_turn()

    def stop(self) -> None:
        """End the running turn."""
        if self.conversation.is_busy:
            self._status.setText(_("멈추는 중이에요…"))
            self._thread.stop()

    def new_chat(self) -> None:
        """Empty the conversation, ending a running turn first."""
        self._thread.stop()
        self.conversation.begin_clear()
        self._thread.clear()
        self.composer.setFocus()

    def open_conversation(self, conversation_id: int) -> None:
        """Go on with a stored conversation, ending a running turn first."""
        self._thread.stop()
        self.conversation.begin_clear()
        self._thread.open_conversation(conversation_id)
        self.composer.setFocus()

    def focus_composer(self) -> None:
        """Put the cursor into the composer."""
        self.composer.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_header(self) -> QWidget:
        header = QWidget()
        header.setObjectName("chatHeader")
        layout = row(header, margins=(16, 10, 8, 10), gap=4)
        words = column(gap=0)
        words.addWidget(label(_("코치"), "heading", wrap=False))
        self._status = label("", "small", wrap=False)
        self._status.setObjectName("chatStatus")
        words.addWidget(self._status)
        layout.addLayout(words, 1)
        tip = _("지난 대화 (Ctrl+O)")
        layout.addWidget(tool_button("history", tip, self.history_asked.emit, name="chatHistory"))
        self.new_button = tool_button("new_chat", _("새 대화 (Ctrl+N)"), self.new_chat, name="newChat")
        layout.addWidget(self.new_button)
        layout.addWidget(tool_button("close", _("코치 접기 (Ctrl+J)"), self.collapse_asked.emit, name="collapseChat"))
        return header

    def _build_body(self) -> QWidget:
        self._scroll, body = scroll_page("chatBody", focusable=True)
        self._scroll.setObjectName("chatScroll")
        self._scroll.setAccessibleName(_("대화"))
        self._list = column(body, margins=(14, 14, 14, 14), gap=10)
        self._list.addStretch(1)
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(lambda _low, _high: self._scroll_down())
        bar.valueChanged.connect(self._on_scrolled)
        self._stick = True
        return self._scroll

    def _build_footer(self) -> QWidget:
        footer = QWidget()
        footer.setObjectName("chatFooter")
        layout = column(footer, margins=(14, 6, 14, 14), gap=6)
        self._progress = QProgressBar()
        self._progress.setObjectName("modelProgress")
        self._progress.setTextVisible(False)
        self._progress.setRange(0, 100)
        self._progress.setAccessibleName(_("모델 불러오기"))
        layout.addWidget(self._progress)
        layout.addWidget(self._build_edit_bar())
        self.composer = Composer()
        self.composer.sent.connect(self.send)
        self.composer.stop_pressed.connect(self.stop)
        layout.addWidget(self.composer)
        return footer

    def _build_edit_bar(self) -> QWidget:
        self._edit_bar = QWidget()
        self._edit_bar.setObjectName("editBar")
        line = row(self._edit_bar, gap=8)
        line.addWidget(label(_("마지막 말을 고쳐 쓰는 중이에요"), "small"), 1)
        line.addWidget(button(_("그만두기"), self.cancel_edit, role="flat", name="cancelEdit"))
        self._edit_bar.setVisible(self.conversation.is_editing)
        return self._edit_bar

    def _build_again(self) -> QWidget:
        box = QWidget()
        box.setObjectName("againRow")
        line = row(box, gap=4)
        line.addWidget(button(_("다시 답하기"), self.retry, role="flat", icon="undo", name="regenerate"))
        line.addWidget(button(_("고쳐 쓰기"), self.edit_last, role="flat", icon="edit", name="editLast"))
        line.addStretch(1)
        return box

    def _build_empty(self) -> QWidget:
        box = QWidget()
        box.setObjectName("chatEmpty")
        layout = column(box, margins=(6, 24, 6, 8), gap=10)
        layout.addWidget(icon_label("coach", "accent", 34))
        layout.addWidget(label(_("안녕하세요, 습관 코치예요."), "heading"))
        layout.addWidget(
            label(_("기록하고, 찾아보고, 새 습관을 함께 골라요. 무엇이든 바꾸기 전에는 먼저 여쭤볼게요."), "muted")
        )
        for words in _STARTERS:
            chip = button(_(words), partial(self.send, _(words)), role="soft", name="starter")
            layout.addWidget(chip, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(label(_("대화는 이 컴퓨터 안에만 있어요. 의학적 조언은 아니에요."), "small"))
        return box

    def _rebuild(self) -> None:
        self._clear_list()
        for message in self.conversation.messages:
            self._add_message(message)
        if self.conversation.streaming:
            self._show_stream()
        self._show_tail()
        self._update_status()
        self.refresh_cards()

    @guarded
    def refresh_cards(self) -> None:
        """Look what became of the entries that the cards speak of."""
        for key, card in self._cards.items():
            entry = logged_entry(card.message)
            if entry is not None:
                card.show_fate(fate_of(self._store, entry), undone=key in self.conversation.undone)

    def _clear_list(self) -> None:
        while self._list.count() > 1:
            item = self._list.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self._cards.clear()
        self._stream = None
        self._tail.clear()

    # ---- events -----------------------------------------------------------------------------------------------

    def _on_event(self, event: ChatEvent) -> None:
        match event:
            case TextStreamed():
                self._show_stream()
            case MessageAdded(message):
                self._drop_tail()
                self._add_message(message)
            case ToolCallUpdated(message):
                card = self._cards.get(message.key)
                if card is not None:
                    card.show_message(message)
            case TurnFinished() | TurnFailed():
                self._end_stream()
                self._drop_tail()
                self._show_tail()
            case ChatCleared() | MessagesReplaced():
                self._edit_bar.setVisible(self.conversation.is_editing)
                self._rebuild()
            case _:
                pass
        self._update_status()

    def _on_busy(self, busy: bool) -> None:
        self.composer.set_busy(busy)
        self._update_status()

    def _update_status(self) -> None:
        talk = self.conversation
        loading = talk.loading
        self._progress.setVisible(loading is not None)
        if loading is not None:
            self._progress.setValue(round(loading * 100))
            words = _("모델을 불러오는 중 {percent}%").format(percent=round(loading * 100))
        elif not talk.is_busy:
            words = _("이 컴퓨터에서만 움직여요")
        elif talk.streaming:
            words = _("답을 쓰는 중이에요")
        elif talk.is_reading:
            words = _("읽고 있어요…")
        else:
            words = _("생각하는 중이에요…")
        self._status.setText(words)
        self._status.setAccessibleName(words)

    # ---- the list ---------------------------------------------------------------------------------------------

    def _insert(self, widget: QWidget) -> None:
        self._list.insertWidget(self._list.count() - 1, widget)
        widget.show()

    def _add_message(self, message: ChatMessage) -> None:
        match message:
            case UserChatMessage(text):
                self._insert(Bubble(text, from_user=True))
            case ModelChatMessage(text, stopped):
                if self._stream is not None:
                    self._stream.set_text(text)
                    self._stream.set_stopped(stopped)
                    self._stream = None
                else:
                    self._insert(Bubble(text, from_user=False, stopped=stopped))
            case ToolCallChatMessage():
                self._end_stream()
                card = ToolCard(message)
                card.undo_asked.connect(self._undo)
                self._cards[message.key] = card
                self._insert(card)
            case SystemChatMessage(text):
                self._insert(SystemLine(text))

    def _show_stream(self) -> None:
        text = self.conversation.streaming or ""
        if self._stream is None:
            self._stream = Bubble(text, from_user=False)
            self._insert(self._stream)
        else:
            self._stream.set_text(text)

    def _end_stream(self) -> None:
        """Streamed text that no message took over (a turn that went on with a call) is not left behind."""
        if self._stream is not None:
            self._stream.hide()
            self._list.removeWidget(self._stream)
            self._stream.deleteLater()
            self._stream = None

    def _show_tail(self) -> None:
        """What stands below the last message: the start page, the error with its buttons, or 계속."""
        talk = self.conversation
        if talk.failure is not None:
            settings = None if talk.model_ready else self.settings_asked.emit
            retry = self.retry if talk.last_user_text else None
            self._add_tail(ErrorCard(talk.failure.error, talk.failure.next_step, retry, settings))
        elif talk.can_continue:
            self._add_tail(button(_("계속"), self.go_on, role="soft", icon="play", name="goOn"))
        elif not talk.messages and not talk.is_busy:
            self._add_tail(self._build_empty())
        elif talk.last_user_text and not talk.is_busy:
            self._add_tail(self._build_again())

    def _add_tail(self, widget: QWidget) -> None:
        self._tail.append(widget)
        self._insert(widget)

    def _drop_tail(self) -> None:
        for widget in self._tail:
            widget.hide()
            self._list.removeWidget(widget)
            widget.deleteLater()
        self._tail.clear()

    def _on_scrolled(self, value: int) -> None:
        bar = self._scroll.verticalScrollBar()
        self._stick = value >= bar.maximum() - 40

    def _scroll_down(self, *, force: bool = False) -> None:
        if self._stick or force:
            bar = self._scroll.verticalScrollBar()
            bar.setValue(bar.maximum())
            if force:
                self._stick = True

    def _undo(self, message: ToolCallChatMessage) -> None:
        entry = logged_entry(message)
        if entry is None:
            return
        outcome = take_back(self.bus, self._store, entry)
        if outcome.changes:
            self.conversation.undone.add(message.key)
        elif not outcome.is_ok:
            self.conversation.add_line(outcome.problem)
        self.refresh_cards()
        QTimer.singleShot(0, self, self.composer.setFocus)
