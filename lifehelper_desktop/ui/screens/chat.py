"""The coach: the conversation, its composer, and what the model is doing right now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtWidgets import QFrame, QProgressBar, QWidget

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.chat.messages import (
    ChatCleared,
    ChatEvent,
    MessageAdded,
    MessagesReplaced,
    ModelChatMessage,
    SummaryChanged,
    TextStreamed,
    ToolCallChatMessage,
    ToolCallUpdated,
    TurnFailed,
    TurnFinished,
    UserChatMessage,
)
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.models.conversation import Conversation
from lifehelper_desktop.ui.shortcuts import Keys, words_with_key
from lifehelper_desktop.ui.text import clean_lines
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.undo import fate_of, logged_entry, take_back
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row, tool_button
from lifehelper_desktop.ui.widgets.bubbles import ErrorCard
from lifehelper_desktop.ui.widgets.composer import Composer
from lifehelper_desktop.ui.widgets.find_bar import FindBar
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.status_line import StatusLine
from lifehelper_desktop.ui.widgets.transcript import Transcript
from lifehelper_desktop.ui.writes import attempt

_WIDTH_MIN: Final = 300
_NOTICE_MS: Final = 4000
_SPOKEN_MAX: Final = 2000  # characters of an answer that are spoken by themselves; all of it is in its bubble

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
        self.bus = bus
        self._store, self._thread = store, thread
        self.conversation = conversation
        self.transcript = Transcript()
        self.transcript.undo_asked.connect(self._undo)
        self.transcript.forget_asked.connect(self.forget_summary)
        self.find_bar = FindBar(self.transcript)
        layout = column(self, gap=0)
        header = self._build_header()
        layout.addWidget(header)
        layout.addWidget(frame("line"))
        layout.addWidget(self.find_bar)
        layout.addWidget(self.transcript, 1)
        layout.addWidget(self._build_footer())
        self.setMinimumWidth(max(_WIDTH_MIN, _least_width(header)))
        self._has_answer = False  # of the running turn, as far as it has come
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
        self.transcript.drop_tail()
        self.conversation.begin_turn()
        self._thread.user_turn(text)
        self.transcript.scroll_down(force=True)

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
        self.transcript.drop_tail()
        self.conversation.begin_turn(retried=text)
        self._thread.answer_again(text)
        self.transcript.scroll_down(force=True)

    def go_on(self) -> None:
        """Continue after the turn cap."""
        if not self.conversation.is_busy:
            self.transcript.drop_tail()
            self.conversation.begin_turn()
            self._thread.continue_turn()

    def stop(self) -> None:
        """End the running turn."""
        if self.conversation.is_busy:
            self.conversation.begin_stop()
            self._update_status()
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

    def forget_summary(self) -> None:
        """Delete what stands for the beginning of the conversation; the coach is told it no longer."""
        number = self._thread.conversation_id

        def write() -> Changes:
            if number is not None:
                self._store.summaries.delete(number)
            return NOTHING

        outcome = attempt(self.bus, write)
        if outcome.is_ok:
            self._thread.forget_summary()
        self._tell(_("요약을 지웠어요.") if outcome.is_ok else outcome.problem)

    def copy_last_answer(self) -> None:
        """Copy the coach's last answer and say so."""
        answers = [each.text for each in self.conversation.messages if isinstance(each, ModelChatMessage)]
        if answers:
            QGuiApplication.clipboard().setText(clean_lines(answers[-1]))
        self._tell(_("마지막 답을 복사했어요.") if answers else _("아직 복사할 답이 없어요."))

    def show_keys(self, keys: Mapping[str, Keys]) -> None:
        """Use the keys in force, by the name of their command, and tell them in the tool tips."""
        self.composer.show_keys(keys)
        for each, command in self._tips:
            each.setToolTip(words_with_key(each.accessibleName(), keys[command]))

    def focus_composer(self) -> None:
        """Put the cursor into the composer."""
        self.composer.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_header(self) -> QWidget:
        header = QWidget()
        header.setObjectName("chatHeader")
        layout = column(header, margins=(16, 6, 4, 8), gap=0)
        line = row(gap=0)
        line.addWidget(label(_("코치"), "heading", wrap=False), 1)
        layout.addLayout(line)
        self.status = StatusLine(self.conversation.step, self.conversation.step_since)
        self.status.changed.connect(self._show_loading)
        layout.addWidget(self.status)
        history = tool_button("history", _("지난 대화"), self.history_asked.emit, name="chatHistory")
        self.new_button = tool_button("new_chat", _("새 대화"), self.new_chat, name="newChat")
        fold = tool_button("close", _("코치 접기"), self.collapse_asked.emit, name="collapseChat")
        self._tips = ((history, "open_conversations"), (self.new_button, "new_chat"), (fold, "toggle_chat"))
        for each, _command in self._tips:
            line.addWidget(each)
        return header

    def _build_footer(self) -> QWidget:
        footer = QWidget()
        footer.setObjectName("chatFooter")
        layout = column(footer, margins=(14, 6, 14, 14), gap=6)
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self._notice_timer = QTimer(self)
        self._notice_timer.setSingleShot(True)
        self._notice_timer.setInterval(_NOTICE_MS)
        self._notice_timer.timeout.connect(self.notice.hide)
        self._progress = QProgressBar()
        self._progress.setObjectName("modelProgress")
        self._progress.setTextVisible(False)
        self._progress.setRange(0, 100)
        self._progress.setAccessibleName(_("모델 불러오기"))
        layout.addWidget(self._progress)
        layout.addWidget(self._build_edit_bar())
        self.composer = Composer()
        self.composer.edit.history = self._sent
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

    def _sent(self) -> list[str]:
        """Return the user's messages, oldest first, each once where it was sent several times in a row."""
        texts = [each.text for each in self.conversation.messages if isinstance(each, UserChatMessage)]
        return [text for at, text in enumerate(texts) if at == 0 or text != texts[at - 1]]

    def _rebuild(self) -> None:
        self.transcript.clear()
        for message in self.conversation.messages:
            self.transcript.add_message(message)
        self.transcript.show_summary(self.conversation.summary)
        if self.conversation.streaming:
            self.transcript.show_stream(self.conversation.streaming)
        self._show_tail()
        self._update_status()
        self.refresh_cards()

    @guarded
    def refresh_cards(self) -> None:
        """Look what became of the entries that the cards speak of."""
        for key, card in self.transcript.cards.items():
            entry = logged_entry(card.message)
            if entry is not None:
                card.show_fate(fate_of(self._store, entry), undone=key in self.conversation.undone)

    # ---- events -----------------------------------------------------------------------------------------------

    def _on_event(self, event: ChatEvent) -> None:
        transcript = self.transcript
        match event:
            case TextStreamed():
                transcript.show_stream(self.conversation.streaming or "")
            case MessageAdded(message):
                transcript.drop_tail()
                transcript.add_message(message)
                transcript.show_summary(self.conversation.summary)
                self._has_answer = isinstance(message, ModelChatMessage)
                if isinstance(message, ModelChatMessage):
                    announce(self, _("코치: {text}").format(text=clean_lines(message.text)[:_SPOKEN_MAX]))
            case ToolCallUpdated(message):
                transcript.update_card(message)
            case SummaryChanged(summary):
                transcript.show_summary(summary)
            case TurnFinished() | TurnFailed():
                transcript.end_stream()
                transcript.drop_tail()
                self._show_tail()
                if isinstance(event, TurnFailed):
                    announce(self, f"{event.error} {event.next_step}".strip())
            case ChatCleared() | MessagesReplaced():
                self._edit_bar.setVisible(self.conversation.is_editing)
                self._rebuild()
            case _:
                pass
        self._update_status()

    def _on_busy(self, busy: bool) -> None:
        self._has_answer = False
        self.composer.set_busy(busy)
        self._update_status()

    def _update_status(self) -> None:
        talk = self.conversation
        # The answer has been read out by itself, and what tidies up at rest disturbs nobody.
        is_told = self._has_answer and not talk.streaming
        self.status.show_step(talk.step, talk.step_since, quiet=is_told or not talk.is_busy)

    def _show_loading(self) -> None:
        fraction = self.status.shown.fraction
        self._progress.setVisible(fraction is not None)
        if fraction is not None:
            self._progress.setValue(round(fraction * 100))

    def _tell(self, words: str) -> None:
        """Say something for a few seconds."""
        self.notice.show_notice(words)
        self._notice_timer.start()
        announce(self.notice, words)

    def _show_tail(self) -> None:
        """What stands below the last message: the start page, the error with its buttons, or 계속."""
        talk = self.conversation
        if talk.failure is not None:
            settings = None if talk.model_ready else self.settings_asked.emit
            retry = self.retry if talk.last_user_text else None
            self.transcript.add_tail(ErrorCard(talk.failure.error, talk.failure.next_step, retry, settings))
        elif talk.can_continue:
            self.transcript.add_tail(button(_("계속"), self.go_on, role="soft", icon="play", name="goOn"))
        elif not talk.messages and not talk.is_busy:
            self.transcript.add_tail(self._build_empty())
        elif talk.last_user_text and not talk.is_busy:
            self.transcript.add_tail(self._build_again())

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


def _least_width(box: QWidget) -> int:
    """Return the width that `box` needs with the fonts it will have once it is shown."""
    for each in box.findChildren(QWidget):
        each.ensurePolished()
    return box.minimumSizeHint().width()
