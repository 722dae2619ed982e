"""The box in which a message is written. Enter sends, Shift+Enter begins a new line; Hangul is never cut in two."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QEvent, QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication, QInputMethodEvent, QKeyEvent, QResizeEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.text import MESSAGE_MAX, clean_lines, clean_paste
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column, label, repolish, row, tool_button

_MAX_LINES = 6


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
        self.setObjectName("composer")
        self._invitation = _("코치에게 말해 보세요. 예: 오늘 걷기 다 했어")
        self.setAccessibleName(_("코치에게 보낼 말"))
        self.setTabChangesFocus(True)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(3)
        self._preedit = ""
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
        if self._preedit:
            event = QInputMethodEvent()
            event.setCommitString(self._preedit)
            self.inputMethodEvent(event)
            QGuiApplication.inputMethod().reset()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember the composition: it is no part of the text yet."""
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends. Composing kana or Chinese, Enter only chooses the candidate, as people expect there."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        if event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier):
            self.commit_preedit()
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        elif self._preedit and not _is_hangul(self._preedit):
            self.commit_preedit()
        elif not event.isAutoRepeat():
            self.submit()
        event.accept()

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
        """Tell the frame."""
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
        self.send_button = tool_button("send", _("보내기 (Enter)"), self.edit.submit, name="send", colour="on_accent")
        self.send_button.setProperty("role", "send")
        self.stop_button = tool_button("stop", _("멈춤 (Esc)"), self.stop_pressed.emit, name="stop", colour="on_accent")
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
