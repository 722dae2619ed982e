"""The conversation as it is read: bubbles, cards and lines in one column that follows its end."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.messages import (
    ChatMessage,
    ModelChatMessage,
    SystemChatMessage,
    SystemMessageKind,
    ToolCallChatMessage,
    UserChatMessage,
)
from lifehelper_desktop.storage.talk_summaries import TalkSummary
from lifehelper_desktop.ui.widgets.basics import column
from lifehelper_desktop.ui.widgets.bubbles import Bubble, SystemLine
from lifehelper_desktop.ui.widgets.marked_label import MarkedLabel
from lifehelper_desktop.ui.widgets.summary_line import SummaryLine
from lifehelper_desktop.ui.widgets.tool_card import ToolCard

_NEAR_END = 40  # pixels: this near to the end, the end is followed


class Transcript(QScrollArea):
    """`undo_asked` carries the ToolCallChatMessage of a card; `changed` tells that words came or went.

    `forget_asked` tells that the user wants the summary of the beginning deleted.

    Attributes:
        cards: Tool cards by the key of their message.
    """

    undo_asked = Signal(object)
    forget_asked = Signal()
    changed = Signal()

    def __init__(self) -> None:
        """Start empty."""
        super().__init__()
        self.setObjectName("chatScroll")
        self.setAccessibleName(_("대화"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body = QWidget()
        self._body.setObjectName("chatBody")
        self._list = column(self._body, margins=(14, 14, 14, 14), gap=10)
        self._list.addStretch(1)
        self.setWidget(self._body)
        self.cards: dict[str, ToolCard] = {}
        self._marker: SummaryLine | None = None  # the newest one: it opens the summary
        self._stream: Bubble | None = None
        self._tail: list[QWidget] = []
        self._stick = True
        bar = self.verticalScrollBar()
        bar.rangeChanged.connect(lambda _low, _high: self.scroll_down())
        bar.valueChanged.connect(self._on_scrolled)

    def widgets(self) -> list[QWidget]:
        """Return what is shown, oldest first."""
        items = (self._list.itemAt(at) for at in range(self._list.count()))
        found = [item.widget() for item in items if item is not None]
        return [each for each in found if each is not None and not each.isHidden()]

    def labels(self) -> list[MarkedLabel]:
        """Return the words that can be searched, oldest first."""
        return [
            each
            for widget in self.widgets()
            for each in widget.findChildren(MarkedLabel)
            if each.text() and each.isVisibleTo(self)
        ]

    def clear(self) -> None:
        """Take everything away."""
        while self._list.count() > 1:
            item = self._list.takeAt(0)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        self.cards.clear()
        self._marker = None
        self._stream = None
        self._tail.clear()
        self.changed.emit()

    # ---- messages ---------------------------------------------------------------------------------------------

    def add_message(self, message: ChatMessage) -> None:
        """Show a message at the end; an answer takes the place of what was streamed of it."""
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
                self.end_stream()
                card = ToolCard(message)
                card.undo_asked.connect(self.undo_asked)
                self.cards[message.key] = card
                self._insert(card)
            case SystemChatMessage(text, SystemMessageKind.SUMMARISED):
                older, self._marker = self._marker, SummaryLine(text)
                self._marker.forget_asked.connect(self.forget_asked)
                self._insert(self._marker)
                if older is not None:
                    self._marker.show_summary(older.summary)
                    older.show_summary(None)
            case SystemChatMessage(text):
                self._insert(SystemLine(text))
        self.changed.emit()

    def show_summary(self, summary: TalkSummary | None) -> None:
        """Let the newest marker open `summary`."""
        if self._marker is not None:
            self._marker.show_summary(summary)
            self.changed.emit()

    def update_card(self, message: ToolCallChatMessage) -> None:
        """Show the newer value of a call."""
        card = self.cards.get(message.key)
        if card is not None:
            card.show_message(message)
            self.changed.emit()

    def show_stream(self, text: str) -> None:
        """Show the answer received so far."""
        if self._stream is None:
            self._stream = Bubble(text, from_user=False)
            self._insert(self._stream)
        else:
            self._stream.set_text(text)

    def end_stream(self) -> None:
        """Streamed text that no message took over (a turn that went on with a call) is not left behind."""
        if self._stream is not None:
            self._take(self._stream)
            self._stream = None
            self.changed.emit()

    # ---- below the last message -------------------------------------------------------------------------------

    def add_tail(self, widget: QWidget) -> None:
        """Show `widget` below the last message until `drop_tail`."""
        self._tail.append(widget)
        self._insert(widget)

    def drop_tail(self) -> None:
        """Take away what stands below the last message."""
        for widget in self._tail:
            self._take(widget)
        self._tail.clear()

    def _insert(self, widget: QWidget) -> None:
        self._list.insertWidget(self._list.count() - 1, widget)
        widget.show()

    def _take(self, widget: QWidget) -> None:
        widget.hide()
        self._list.removeWidget(widget)
        widget.deleteLater()

    # ---- scrolling --------------------------------------------------------------------------------------------

    def _on_scrolled(self, value: int) -> None:
        self._stick = value >= self.verticalScrollBar().maximum() - _NEAR_END

    def scroll_down(self, *, force: bool = False) -> None:
        """Follow the end, unless the user has scrolled away from it; with `force` anyhow."""
        if self._stick or force:
            bar = self.verticalScrollBar()
            bar.setValue(bar.maximum())
            if force:
                self._stick = True

    def show_place(self, label: MarkedLabel, index: int) -> None:
        """Scroll to the character `index` of `label`."""
        line = label.line_rect(index)
        spot = label.mapTo(self._body, line.center())
        self.ensureVisible(spot.x(), spot.y(), 0, line.height() * 2)
