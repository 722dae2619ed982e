"""One card per tool call: what the coach did or wants to do, in which state, and what is stored now."""

from __future__ import annotations

from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.chat.messages import ToolCallChatMessage, ToolCallState
from lifehelper_desktop.tools.envelope import ToolErr, words_for_people
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import clean_lines
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.undo import EntryFate, logged_entry
from lifehelper_desktop.ui.widgets.basics import button, column, icon_label, label, row, set_role
from lifehelper_desktop.ui.widgets.marked_label import marked_label


class _Look(NamedTuple):
    """How a state is shown: always an icon and a word, never colour alone."""

    icon: str
    word: str
    badge: str
    colour: str


_LOOKS: Final = {
    ToolCallState.ASKING: _Look("question", N_("확인 기다리는 중"), "badgeGold", "on_gold_soft"),
    ToolCallState.RUNNING: _Look("running", N_("하는 중"), "badgeBlue", "on_blue_soft"),
    ToolCallState.DONE: _Look("done", N_("마침"), "badgeAccent", "on_accent_soft"),
    ToolCallState.FAILED: _Look("failed", N_("하지 못함"), "badge", "danger"),
    ToolCallState.DECLINED: _Look("declined", N_("취소함"), "badge", "muted"),
    ToolCallState.CANCELLED: _Look("cancelled", N_("멈춤"), "badge", "muted"),
    ToolCallState.INTERRUPTED: _Look("warning", N_("중단됨"), "badgeGold", "on_gold_soft"),
}


class ToolCard(QFrame):
    """Shows the newest value of one ToolCallChatMessage; `undo_asked` carries it when 되돌리기 is pressed."""

    undo_asked = Signal(object)

    def __init__(self, message: ToolCallChatMessage) -> None:
        """Show `message`."""
        super().__init__()
        self.setObjectName("toolCard")
        self.setProperty("role", "toolCard")
        layout = column(self, margins=(12, 9, 12, 9), gap=5)
        head = row(gap=8)
        self._icon = icon_label("running", "muted")
        self._title = marked_label("", "section", wrap=False)
        self._title.setObjectName("toolTitle")
        self._state = label("", "badge", wrap=False)
        self._state.setObjectName("toolState")
        head.addWidget(self._icon)
        head.addWidget(self._title, 1)
        head.addWidget(self._state)
        layout.addLayout(head)
        foot = row(gap=8)
        self._detail = marked_label("", "muted", selectable=True)
        self._detail.setObjectName("toolDetail")
        self._undo = button(_("되돌리기"), self._ask_undo, role="flat", icon="undo", name="toolUndo")
        self._undo.setAccessibleDescription(_("이 기록을 지우고 앞의 상태로 되돌려요."))
        foot.addWidget(self._detail, 1)
        foot.addWidget(self._undo, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(foot)
        self._fate = EntryFate.SAME
        self._undone = False
        self.message = message
        self.show_message(message)

    def show_message(self, message: ToolCallChatMessage) -> None:
        """Show a newer value of the same call."""
        self.message = message
        look = _LOOKS[message.state]
        self._icon.setPixmap(icons.pixmap(look.icon, theme().tokens[look.colour], 18, self._icon.devicePixelRatioF()))
        self._title.setText(clean_lines(message.label))
        self._state.setText(_(look.word))
        set_role(self._state, look.badge)
        self._detail.setText(clean_lines(self._words(message)))
        self._detail.setVisible(bool(self._detail.text()))
        self._undo.setVisible(self._can_undo())
        self._name_for_readers()

    def show_fate(self, fate: EntryFate, *, undone: bool) -> None:
        """Say what became of the entry that this call made; only one that is still the same can be taken back."""
        self._fate, self._undone = fate, undone
        self.show_message(self.message)

    def _words(self, message: ToolCallChatMessage) -> str:
        if message.state is ToolCallState.DONE:
            since = self._words_since()
            return f"{message.stored}\n{since}" if since and not self._undone else since or message.stored
        if message.state is ToolCallState.INTERRUPTED:
            return _("확인 필요: 프로그램이 끝나서 마치지 못했어요. 바뀐 것은 없고, 저절로 다시 하지 않아요.")
        if isinstance(message.result, ToolErr):
            return words_for_people(message.result.reason)
        if message.state is ToolCallState.DECLINED:
            return _("바뀐 것은 없어요.")
        if message.state is ToolCallState.CANCELLED:
            return _("멈춰서 아무것도 하지 않았어요.")
        return ""

    def _words_since(self) -> str:
        if self._undone:
            return _("되돌렸어요. 이 기록은 이제 없어요.")
        if self._fate is EntryFate.GONE:
            return _("이 기록은 그 뒤에 지워졌어요.")
        return _("이 기록은 그 뒤에 바뀌었어요.") if self._fate is EntryFate.CHANGED else ""

    def _can_undo(self) -> bool:
        is_same = self._fate is EntryFate.SAME and not self._undone
        return is_same and logged_entry(self.message) is not None

    def _ask_undo(self) -> None:
        self.undo_asked.emit(self.message)

    def _name_for_readers(self) -> None:
        parts = (self._title.text(), self._state.text(), self._detail.text())
        self.setAccessibleName(" · ".join(part for part in parts if part))
