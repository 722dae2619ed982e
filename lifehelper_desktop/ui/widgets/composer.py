"""The box in which a message is written. Enter sends, Shift+Enter begins a new line; Hangul is never cut in two.

Up in an empty box brings back what was sent before, as in a terminal. Which keys do this can be changed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QInputMethodEvent, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.shortcuts import Keys, keys_in_force, pressed_key, words_with_key
from lifehelper_desktop.ui.text import MESSAGE_MAX, clean_lines, clean_paste
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, label, repolish, row, tool_button

_MAX_LINES = 6
_Mod = Qt.KeyboardModifier
#: Keys that move the cursor: they end a composition, which otherwise would stay behind where it began.
_MOVES: Final = frozenset(
    (
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right),
        *(Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown),
    )
)


def _is_hangul(text: str) -> bool:
    return all("HANGUL" in unicodedata.name(char, "") for char in text)


class ComposerEdit(QPlainTextEdit):
    """The text field itself; emits `submitted` with the whole text, never empty, and `too_long` with what was cut."""

    submitted = Signal(str)
    too_long = Signal(int)
    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start empty and one line high."""
        super().__init__(parent)
        self.history: Callable[[], Sequence[str]] = tuple  # what was sent, oldest first
        self._recalled = ""  # what was brought back and not changed since
        self._back = 0  # how many messages back that is
        self._keys: Mapping[str, Keys] = keys_in_force({})
        self.setObjectName("composer")
        self._invitation = _("코치에게 말해 보세요. 예: 오늘 걷기 다 했어")
        self.setAccessibleName(_("코치에게 보낼 말"))
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(3)
        self._preedit = ""
        self._taken = ""  # what was made text without the input method
        self.can_submit = True
        self.textChanged.connect(self._on_text_changed)
        self._fit()

    def submit(self) -> None:
        """Commit the syllable being composed, then send everything once and empty the box."""
        self.commit_preedit()
        text = clean_lines(self.toPlainText())
        if not text or not self.can_submit:
            return
        self.clear()
        self.submitted.emit(text)

    def commit_preedit(self) -> None:
        """Turn the composition into text, through the input method or, when it holds none, ourselves."""
        if not self._preedit:
            return
        QGuiApplication.inputMethod().commit()
        if self._take_preedit():
            QGuiApplication.inputMethod().reset()

    def _take_preedit(self) -> bool:
        if not self._preedit:
            return False
        event = QInputMethodEvent()
        taken = self._preedit
        event.setCommitString(taken)
        self.inputMethodEvent(event)
        self._taken = taken
        return True

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember the composition: it is no part of the text yet.

        Some input methods hand over once more, late, what was taken from them: that is in the text already.
        """
        taken, self._taken = self._taken, ""
        if taken and event.commitString() == taken and not event.preeditString():
            event.accept()
            return
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)

    def use_keys(self, keys: Mapping[str, Keys]) -> None:
        """Listen to the keys in force, by the name of their command."""
        self._keys = keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send, break the line, bring back a message, or write.

        Composing kana or Chinese, the key that sends only chooses the candidate, as people expect there.
        """
        self._taken = ""
        key = pressed_key(event)
        if key in self._keys["send_message"]:
            if self._preedit and not _is_hangul(self._preedit):
                self.commit_preedit()
            elif not event.isAutoRepeat():
                self.submit()
        elif key in self._keys["new_line"]:
            self.break_line()
        elif not (
            (key in self._keys["recall_previous"] and self.recall(-1))
            or (key in self._keys["recall_next"] and self.recall(1))
        ):
            if event.key() in _MOVES or (key and event.modifiers() & (_Mod.ControlModifier | _Mod.AltModifier)):
                self.commit_preedit()
            super().keyPressEvent(event)
            return
        event.accept()

    def break_line(self) -> None:
        """Begin a new line; the syllable being composed stays in the old one."""
        self.commit_preedit()
        self.insertPlainText("\n")
        self.ensureCursorVisible()

    def recall(self, step: int) -> bool:
        """Bring back the message before (-1) or after (1) the one brought back last.

        Only an empty box, or one whose recalled message was not changed, is filled: nothing that was written is
        lost. Returns whether there was something to do.
        """
        text = self.toPlainText()
        if self._preedit or (text and text != self._recalled):
            return False
        sent = list(self.history())
        back = (self._back if text else 0) - step
        if back < 0 or (back > len(sent) and not text):
            return False
        self._back = min(back, len(sent))
        self._recalled = sent[-self._back] if self._back else ""
        self.setPlainText(self._recalled)
        self.moveCursor(QTextCursor.MoveOperation.End)
        return True

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text only, as much of it as one message holds."""
        if not source.hasText():
            return
        text = clean_paste(source.text())
        selected = len(self.textCursor().selectedText())
        room = max(0, MESSAGE_MAX - len(self.toPlainText()) + selected)
        self.insertPlainText(text[:room])
        self.ensureCursorVisible()
        if len(text) > room:
            self.too_long.emit(len(text) - room)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell the frame, which draws the focus ring."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Keep the syllable being composed, and tell the frame."""
        # Where the input method did it already, nothing is left to do here.
        self._take_preedit()
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def changeEvent(self, event: QEvent) -> None:
        """Fit the height to another font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def sizeHint(self) -> QSize:
        """One to six lines."""
        return QSize(200, self.height())

    def _on_text_changed(self) -> None:
        text = self.toPlainText()
        if len(text) > MESSAGE_MAX:
            extra = len(text) - MESSAGE_MAX
            self.setPlainText(text[:MESSAGE_MAX])
            cursor = self.textCursor()
            cursor.movePosition(QTextCursor.MoveOperation.End)
            self.setTextCursor(cursor)
            self.too_long.emit(extra)
        self._fit()

    def _fit(self) -> None:
        lines = max(1, min(_MAX_LINES, round(self.document().size().height())))
        scrolls = self.document().size().height() > _MAX_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * lines + 18)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines wrap anew."""
        super().resizeEvent(event)
        self._fit()
        # Wrapped like text it would be cut in a box of one line.
        room = self.viewport().width() - 2 * round(self.document().documentMargin())
        words = self.fontMetrics().elidedText(self._invitation, Qt.TextElideMode.ElideRight, room)
        self.setPlaceholderText(words)


class Composer(QFrame):
    """The field with its send and stop button; `sent` carries the message, `stop_pressed` asks to stop."""

    sent = Signal(str)
    stop_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start ready to send."""
        super().__init__(parent)
        outer = column(self, gap=4)
        self._frame = QFrame()
        self._frame.setObjectName("composerFrame")
        inside = row(self._frame, margins=(14, 3, 6, 3), gap=6)
        self.edit = ComposerEdit()
        self.send_button = tool_button("send", _("보내기"), self.edit.submit, name="send", colour="on_accent")
        self.send_button.setProperty("role", "send")
        self.stop_button = tool_button("stop", _("멈춤"), self.stop_pressed.emit, name="stop", colour="on_accent")
        self.stop_button.setProperty("role", "send")
        self.stop_button.hide()
        inside.addWidget(self.edit, 1)
        inside.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        inside.addWidget(self.stop_button, 0, Qt.AlignmentFlag.AlignBottom)
        self._hint = label("", "small")
        self._hint.setObjectName("composerHint")
        self._hint.hide()
        outer.addWidget(self._frame)
        outer.addWidget(self._hint)
        self.edit.submitted.connect(self.sent)
        self.edit.too_long.connect(self._on_too_long)
        self.edit.textChanged.connect(self._on_text_changed)
        self.edit.focus_changed.connect(self._on_focus)
        self.setFocusProxy(self.edit)
        self._on_text_changed()

    def show_keys(self, keys: Mapping[str, Keys]) -> None:
        """Use the keys in force, and tell them in the tool tips."""
        self.edit.use_keys(keys)
        self.send_button.setToolTip(words_with_key(self.send_button.accessibleName(), keys["send_message"]))
        self.stop_button.setToolTip(words_with_key(self.stop_button.accessibleName(), keys["stop"]))

    @property
    def hint(self) -> str:
        """The line under the field, empty while it is hidden."""
        return self._hint.text() if not self._hint.isHidden() else ""

    def set_busy(self, busy: bool) -> None:
        """While a turn runs the button stops instead of sending; writing the next message stays possible."""
        self.edit.can_submit = not busy
        had_focus = self.send_button.hasFocus() or self.stop_button.hasFocus()
        self.send_button.setVisible(not busy)
        self.stop_button.setVisible(busy)
        if had_focus:
            self.edit.setFocus()

    def _on_text_changed(self) -> None:
        has_text = bool(self.edit.toPlainText().strip())
        self.send_button.setEnabled(has_text)
        tokens = theme().tokens
        self.send_button.setIcon(icons.icon("send", tokens["on_accent" if has_text else "border_strong"], 20))
        if len(self.edit.toPlainText()) < MESSAGE_MAX:
            self._hint.hide()

    def _on_too_long(self, cut: int) -> None:
        words = _("한 번에 {limit:,}자까지 보낼 수 있어요. 뒤의 {cut:,}자는 빼 두었어요.")
        self._hint.setText(words.format(limit=MESSAGE_MAX, cut=cut))
        self._hint.show()

    def _on_focus(self, focused: bool) -> None:
        self._frame.setProperty("focused", focused)
        repolish(self._frame)
