"""Finding in the conversation: a bar above it that marks every place and walks from one to the next."""

from __future__ import annotations

import re
import unicodedata

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QFrame

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import label, row, tool_button
from lifehelper_desktop.ui.widgets.marked_label import MarkedLabel, Span
from lifehelper_desktop.ui.widgets.search_field import SearchField
from lifehelper_desktop.ui.widgets.transcript import Transcript


def places(wanted: str, text: str) -> list[Span]:
    """Return where `wanted` stands in `text`, whatever the case; a space stands for any white space."""
    words = unicodedata.normalize("NFC", wanted).split()
    if not words:
        return []
    pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
    return [match.span() for match in pattern.finditer(text)]


class FindBar(QFrame):
    """Hidden until `open`. Enter and Shift+Enter walk, Esc closes. Main thread."""

    def __init__(self, transcript: Transcript) -> None:
        """Search in `transcript`."""
        super().__init__()
        self.setObjectName("findBar")
        self._transcript = transcript
        self._hits: list[tuple[MarkedLabel, int]] = []  # the label, and which of its places
        self._spans: dict[MarkedLabel, list[Span]] = {}
        self._at = 0
        line = row(self, margins=(14, 6, 8, 6), gap=2)
        self.field = SearchField("findField", _("대화에서 찾기"), _("대화에서 찾기"))
        self.field.searched.connect(self._on_searched)
        self.field.installEventFilter(self)
        line.addWidget(self.field, 1)
        self.count = label("", "small", wrap=False)
        self.count.setObjectName("findCount")
        line.addSpacing(6)
        line.addWidget(self.count)
        self._buttons = (
            tool_button("chevron_up", _("이전 찾기"), lambda: self.step(-1), name="findPrevious"),
            tool_button("down", _("다음 찾기"), lambda: self.step(1), name="findNext"),
        )
        for each in self._buttons:
            line.addWidget(each)
        line.addWidget(tool_button("close", _("찾기 닫기"), self.close_bar, name="findClose"))
        transcript.changed.connect(self._on_changed)
        self._show_count()
        self.hide()

    def open(self) -> None:
        """Show the bar with the cursor in its field; what was looked for before is looked for again."""
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._search()

    def close_bar(self) -> None:
        """Hide the bar and its marks, and give the focus back to the conversation."""
        had_focus = self.isAncestorOf(self.window().focusWidget() or self)
        self.hide()
        if had_focus:
            self._transcript.setFocus(Qt.FocusReason.OtherFocusReason)

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) place, round and round; a closed bar opens."""
        if self.isHidden():
            self.open()
            return
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._show_marks()
            self._go()

    @property
    def hits(self) -> int:
        """How many places were found."""
        return len(self._hits)

    # ---- searching --------------------------------------------------------------------------------------------

    def _on_searched(self, _wanted: str) -> None:
        if not self.isHidden():
            self._search()

    def _on_changed(self) -> None:
        """Words came or went: what was found stays found, and nothing scrolls."""
        if not self.isHidden():
            self._find()
            self._at = min(self._at, max(0, len(self._hits) - 1))
            self._show_marks()
            self._show_count()

    def _search(self) -> None:
        self._find()
        self._at = max(0, len(self._hits) - 1)  # the newest place is the likeliest to be meant
        self._show_marks()
        self._go()

    def _find(self) -> None:
        self._spans = {}
        for each in self._transcript.labels():
            found = places(self.field.wanted, each.text())
            if found:
                self._spans[each] = found
            else:
                each.unmark()
        self._hits = [(each, number) for each, found in self._spans.items() for number in range(len(found))]

    def _show_marks(self) -> None:
        here, number = self._hits[self._at] if self._hits else (None, 0)
        for each, found in self._spans.items():
            each.mark(found, number if each is here else None)

    def _go(self) -> None:
        self._show_count()
        if not self.field.wanted.strip():
            return
        if not self._hits:
            announce(self, _("찾은 곳이 없어요"))
            return
        here, number = self._hits[self._at]
        self._transcript.show_place(here, self._spans[here][number][0])
        words = _("{count}곳 가운데 {at}번째").format(count=len(self._hits), at=self._at + 1)
        announce(self, f"{words}: {_around(here.text(), self._spans[here][number])}")

    def _show_count(self) -> None:
        wanted = bool(self.field.wanted.strip())
        found = f"{self._at + 1}/{len(self._hits)}" if self._hits else _("없어요") if wanted else ""
        self.count.setText(found)
        spoken = _("{count}곳 가운데 {at}번째").format(count=len(self._hits), at=self._at + 1) if self._hits else found
        self.count.setAccessibleName(spoken)
        for each in self._buttons:
            each.setEnabled(bool(self._hits))

    def hideEvent(self, event: QHideEvent) -> None:
        """Take the marks away."""
        super().hideEvent(event)
        if self.isHidden():  # not when the whole pane is folded
            for each in self._transcript.labels():
                each.unmark()
            self._hits, self._spans = [], {}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The field's own keys, which come before the window's: Esc closes, Enter walks."""
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            is_press = event.type() == QEvent.Type.KeyPress
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar() if is_press else event.accept()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.step(-1 if back else 1) if is_press else event.accept()
                return True
        return super().eventFilter(watched, event)


def _around(text: str, span: Span) -> str:
    """Return the words around a place, for the ear."""
    first, end = max(0, span[0] - 30), span[1] + 30
    return " ".join(text[first:end].split())
