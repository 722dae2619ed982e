"""The conversations that were kept: search, open, rename, delete, export, and whether to keep them at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QWidget,
)

from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.base.settings import KEEP_CONVERSATIONS
from lifehelper_desktop.chat.export import to_text
from lifehelper_desktop.chat.reopening import read_conversation
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.labels import day_text
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.conversations import TITLE_MAX, ConversationRow
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.confirm_dialog import ConfirmPresenter
from lifehelper_desktop.ui.llm_thread import LlmThread
from lifehelper_desktop.ui.open_dialogs import OpenDialogs
from lifehelper_desktop.ui.screens.chat import ChatPane
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.trouble import guarded, told
from lifehelper_desktop.ui.widgets.basics import button, column, label, row
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.search_field import SearchField
from lifehelper_desktop.ui.writes import attempt

_RowRole = Qt.ItemDataRole.UserRole


class ConversationsDialog(QDialog):
    """Non-modal; reads and writes in the main thread."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        parent: QWidget | None,
        *,
        language: str,
        on_open: Callable[[int], object],
        on_deleted: Callable[[int], object],
    ) -> None:
        """Show all conversations; `on_open` and `on_deleted` are called with a conversation's id.

        Raises:
            WorldError: They could not be read.
        """
        kept = store.settings.get_bool(KEEP_CONVERSATIONS)
        super().__init__(parent)
        self.setObjectName("conversationsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("지난 대화"))
        self.bus = bus
        self._store, self._language = store, language
        self._on_open, self._on_deleted = on_open, on_deleted
        layout = column(self, margins=(20, 18, 20, 14), gap=10)
        layout.addWidget(label(_("지난 대화"), "title"))
        self.notice = NoticeBar()
        layout.addWidget(self.notice)
        self._build_search()
        layout.addWidget(self.search)
        self._build_list()
        layout.addWidget(self.list, 1)
        self._empty = label("", "muted")
        self._empty.setObjectName("conversationsEmpty")
        layout.addWidget(self._empty)
        line = row(gap=8)
        self._open_button = button(_("열기"), self.open_current, role="primary", name="openConversation")
        self._rename_button = button(_("이름 바꾸기"), self.edit_current, name="renameConversation")
        self._export_button = button(_("내보내기…"), self.ask_export, name="exportConversation")
        self._delete_button = button(_("지우기"), self.ask_delete, name="deleteConversation")
        for each in (self._open_button, self._rename_button, self._export_button, self._delete_button):
            line.addWidget(each)
        line.addStretch(1)
        layout.addLayout(line)
        self.keep = QCheckBox(_("대화를 이 컴퓨터에 남겨 두기"))
        self.keep.setObjectName("keepConversations")
        self.keep.setChecked(kept)
        self.keep.setAccessibleDescription(_("끄면 앞으로의 대화는 창을 닫을 때 사라져요. 지난 대화는 그대로예요."))
        self.keep.setToolTip(self.keep.accessibleDescription())
        self.keep.toggled.connect(self._store_keep)
        layout.addWidget(self.keep)
        self.refresh()
        self.resize(self.sizeHint())
        self.search.setFocus()

    def sizeHint(self) -> QSize:
        """Room for a dozen conversations."""
        return QSize(520, 560)

    def _build_search(self) -> None:
        self.search = SearchField("conversationSearch", _("제목과 내용에서 찾기"), _("지난 대화에서 찾기"))
        self.search.searched.connect(lambda _text: self.refresh())
        self.search.returnPressed.connect(self.open_current)

    def _build_list(self) -> None:
        self.list = QListWidget()
        self.list.setObjectName("conversationList")
        self.list.setAccessibleName(_("지난 대화 목록"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setEditTriggers(QListWidget.EditTrigger.EditKeyPressed)
        self.list.itemActivated.connect(lambda _item: self.open_current())
        self.list.itemChanged.connect(self._on_renamed)
        self.list.currentItemChanged.connect(lambda _now, _before: self._show_buttons())

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def current(self) -> ConversationRow | None:
        """The chosen conversation."""
        item = self.list.currentItem()
        found = item.data(_RowRole) if item is not None else None
        return found if isinstance(found, ConversationRow) else None

    @guarded
    def refresh(self) -> None:
        """Read the list anew and keep the choice."""
        chosen = self.current
        rows = self._store.conversations.list(self.search.wanted)
        self.list.blockSignals(True)
        self.list.clear()
        now = self._store.clock.now()
        last_day: date | None = None
        for each in rows:
            day = each.updated_at.astimezone(now.tzinfo).date()
            if day != last_day:
                self._add_heading(_day_words(day, now.date()))
                last_day = day
            item = self._add_row(each)
            if chosen is not None and each.id == chosen.id:
                self.list.setCurrentItem(item)
        if self.current is None and rows:
            self.list.setCurrentRow(1)
        self.list.blockSignals(False)
        words = _("찾은 대화가 없어요.") if self.search.wanted else _("남겨 둔 대화가 아직 없어요.")
        self._empty.setText("" if rows else words)
        self._empty.setVisible(not rows)
        self._show_buttons()

    def _add_heading(self, words: str) -> None:
        item = QListWidgetItem(words)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.addItem(item)

    def _add_row(self, each: ConversationRow) -> QListWidgetItem:
        item = QListWidgetItem(one_line(each.title))
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable)
        item.setData(_RowRole, each)
        item.setToolTip(f"{each.updated_at:%Y-%m-%d %H:%M}")
        self.list.addItem(item)
        return item

    def _show_buttons(self) -> None:
        for each in (self._open_button, self._rename_button, self._export_button, self._delete_button):
            each.setEnabled(self.current is not None)

    # ---- commands ---------------------------------------------------------------------------------------------

    def open_current(self) -> None:
        """Go on with the chosen conversation and close."""
        if (chosen := self.current) is not None:
            self.close()
            self._on_open(chosen.id)

    def edit_current(self) -> None:
        """Begin to write another title in its place."""
        if self.current is not None:
            self.list.editItem(self.list.currentItem())

    def _on_renamed(self, item: QListWidgetItem) -> None:
        found = item.data(_RowRole)
        if not isinstance(found, ConversationRow) or item.text() == one_line(found.title):
            return

        def write() -> Changes:
            self._store.conversations.rename(found.id, item.text()[:TITLE_MAX])
            return NOTHING

        self._do(write)

    def ask_delete(self) -> None:
        """Ask whether the chosen conversation is to be deleted; the answer by default is no."""
        chosen = self.current
        if chosen is None:
            return
        box = QMessageBox(self)
        box.setObjectName("deleteQuestion")
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(_("대화 지우기"))
        box.setText(_("이 대화를 지울까요?"))
        note = _("다시 되돌릴 수 없어요. 이 대화로 남긴 습관 기록은 그대로예요.")
        box.setInformativeText(f"{one_line(chosen.title)}\n\n{note}")
        no = box.addButton(_("취소"), QMessageBox.ButtonRole.RejectRole)
        yes = box.addButton(_("지우기"), QMessageBox.ButtonRole.DestructiveRole)
        no.setObjectName("deleteNo")
        yes.setObjectName("deleteYes")
        box.setDefaultButton(no)
        box.setEscapeButton(no)
        yes.clicked.connect(lambda _checked=False: self.delete(chosen.id))
        box.open()

    def delete(self, conversation_id: int) -> None:
        """Delete a conversation."""

        def write() -> Changes:
            self._store.conversations.delete(conversation_id)
            return NOTHING

        if self._do(write):
            self._on_deleted(conversation_id)

    def ask_export(self) -> None:
        """Ask for the file to write the chosen conversation to."""
        if self.current is None:
            return
        dialog = QFileDialog(self, _("대화 내보내기"))
        dialog.setObjectName("exportFileDialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        markdown, data = _("Markdown (*.md)"), _("JSON (*.json)")
        dialog.setNameFilters([markdown, data])
        dialog.setDefaultSuffix("md")
        dialog.filterSelected.connect(lambda chosen: dialog.setDefaultSuffix("json" if chosen == data else "md"))
        dialog.fileSelected.connect(self.export)
        dialog.open()

    @guarded
    def export(self, path: str) -> None:
        """Write the chosen conversation to `path`: JSON when it ends so, otherwise Markdown."""
        chosen = self.current
        if chosen is None:
            return
        file = Path(path)
        try:
            messages, _rebuilt = read_conversation(self._store, chosen.id, self._language)
            summary = self._store.summaries.get(chosen.id)
            text = to_text(chosen, messages, summary, as_json=file.suffix.casefold() == ".json")
            file.write_text(text, encoding="utf-8", errors="replace")
        except RuleViolation as refusal:
            self.notice.show_notice(refusal.reason, error=True)
        except OSError:
            words = _("파일을 쓰지 못했어요.")
            self.notice.show_notice(f"{words} {_('다른 폴더나 이름을 골라 주세요.')}", error=True)
        else:
            self.notice.show_notice(_("내보냈어요: {path}").format(path=file))

    def _store_keep(self, checked: bool) -> None:
        if not self._do(lambda: self._store.settings.set(KEEP_CONVERSATIONS, checked)):
            self.keep.blockSignals(True)
            self.keep.setChecked(not checked)
            self.keep.blockSignals(False)

    def _do(self, write: Callable[[], Changes]) -> bool:
        """Carry out a write, tell what went wrong, and show what is stored now."""
        outcome = attempt(self.bus, write)
        self.refresh()
        self.notice.show_problem(outcome.problem)
        return outcome.is_ok


class Window(Protocol):
    """What the list needs of the window."""

    store: Store
    bus: Bus
    thread_: LlmThread
    chat: ChatPane | None
    presenter: ConfirmPresenter
    dialogs: OpenDialogs

    def new_chat(self) -> None:
        """Begin a new conversation."""
        ...


def show_conversations(window: Window) -> None:
    """Show the list over `window`, whose chat it opens conversations in; with AI off there is none."""
    if window.chat is None:
        return

    def on_open(conversation_id: int) -> None:
        if window.chat is not None:
            window.presenter.withdraw()
            window.chat.open_conversation(conversation_id)

    def on_deleted(conversation_id: int) -> None:
        if conversation_id == window.thread_.conversation_id:
            window.new_chat()

    parent = window if isinstance(window, QWidget) else None

    def make() -> ConversationsDialog:
        return ConversationsDialog(
            window.store, window.bus, parent, language=current_language(), on_open=on_open, on_deleted=on_deleted
        )

    with told(window.bus):
        window.dialogs.show("conversations", make)


def _day_words(day: date, today: date) -> str:
    if day == today:
        return _("오늘")
    return _("어제") if day == today - timedelta(days=1) else day_text(day)
