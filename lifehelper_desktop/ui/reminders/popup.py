"""Notices in a small window of ours, where the system has no way to show them with buttons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.reminders.notifier import Notice, Notifier
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.announce import announce
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row, scroll_page, tool_button
from lifehelper_desktop.ui.widgets.flow import FlowBox

_WIDTH: Final = 400  # pixels at 100 % text
_EDGE: Final = 16  # between the window and the edges of the screen
_SHARE: Final = 0.7  # of the screen's height at most; more notices scroll


class PopupNotifier(Notifier):
    """Main thread. All notices stand in one window, the newest on top; it can show everything."""

    def __init__(self, parent: QObject | None = None) -> None:
        """The window is made with the first notice."""
        super().__init__(parent)
        self.window: ReminderPopup | None = None

    def show(self, notice: Notice) -> None:
        """Show a notice above what the user does, and leave the focus where it is."""
        if self.window is None:
            self.window = ReminderPopup()
            self.window.pressed.connect(self.pressed)
            self.window.clicked.connect(self.clicked)
            self.window.dismissed.connect(self.dismissed)
        self.window.add(notice)
        self.shown.emit(notice.key)

    def withdraw(self, key: str) -> None:
        """Take a notice off the window."""
        if self.window is not None:
            self.window.remove(key)

    def close(self) -> None:
        """Close the window."""
        window, self.window = self.window, None
        if window is not None:
            window.blockSignals(True)
            window.close()
            window.deleteLater()


class ReminderPopup(QWidget):
    """Always on top, never takes the focus by itself. Once it has it, Tab and Enter answer and Esc dismisses.

    Signals as in `Notifier`. It hides when the last notice is gone.
    """

    pressed = Signal(str, str)
    clicked = Signal(str)
    dismissed = Signal(str)

    def __init__(self) -> None:
        """Build the empty window."""
        flags = Qt.WindowType.Window | Qt.WindowType.FramelessWindowHint | Qt.WindowType.WindowStaysOnTopHint
        super().__init__(None, flags)
        self.setObjectName("reminderPopup")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.cards: dict[str, ReminderCard] = {}
        panel = frame("panel", "reminderPanel")
        column(self, gap=0).addWidget(panel)
        self._scroll, self._body = scroll_page("reminderBody")
        column(panel, margins=2, gap=0).addWidget(self._scroll)
        self._list = column(self._body, margins=(10, 10, 10, 10), gap=10)
        self._list.addStretch(1)

    def add(self, notice: Notice) -> None:
        """Show a notice on top, in place of one with its key."""
        self.remove(notice.key, hide=False)
        self.setWindowTitle(_("알림"))
        self.setAccessibleName(_("알림"))
        card = ReminderCard(notice)
        card.pressed.connect(partial(self._press, notice.key))
        card.clicked.connect(partial(self._leave, notice.key, self.clicked.emit))
        card.dismissed.connect(partial(self._leave, notice.key, self.dismissed.emit))
        self.cards[notice.key] = card
        self._list.insertWidget(0, card)
        card.show()
        self._fit()
        self.show()
        self.raise_()
        announce(self, f"{notice.title}. {notice.body}")

    def remove(self, key: str, *, hide: bool = True) -> None:
        """Take a notice away; `hide` hides the window with the last one."""
        card = self.cards.pop(key, None)
        if card is None:
            return
        had_focus = card.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
        self._list.removeWidget(card)
        card.hide()
        card.deleteLater()
        if self.cards:
            self._fit()
            if had_focus:
                next(reversed(self.cards.values())).take_focus()
        elif hide:
            self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc dismisses the notice that has the focus, or the newest."""
        if event.key() != Qt.Key.Key_Escape or not self.cards:
            super().keyPressEvent(event)
            return
        focused = self.focusWidget()
        keys = [key for key, card in self.cards.items() if focused is not None and card.isAncestorOf(focused)]
        self._leave(keys[0] if keys else next(reversed(self.cards)), self.dismissed.emit)

    def changeEvent(self, event: QEvent) -> None:
        """Let the keyboard begin at the newest notice when the user comes here."""
        super().changeEvent(event)
        came = event.type() == QEvent.Type.ActivationChange and self.isActiveWindow()
        if came and self.cards and self.focusWidget() is None:
            next(reversed(self.cards.values())).take_focus()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the window dismisses all that it shows."""
        for key in list(self.cards):
            self._leave(key, self.dismissed.emit)
        event.accept()

    def _press(self, key: str, button_key: str) -> None:
        self.remove(key)
        self.pressed.emit(key, button_key)

    def _leave(self, key: str, tell: Callable[[str], object]) -> None:
        self.remove(key)
        tell(key)

    def _fit(self) -> None:
        """Take the height that the notices need, in the corner where the system would show them."""
        self._body.adjustSize()
        screen = (self.screen() or QGuiApplication.primaryScreen()).availableGeometry()
        width = min(theme().px(_WIDTH), screen.width() - 2 * _EDGE)
        needed = (
            self._list.heightForWidth(width - 4) if self._list.hasHeightForWidth() else self._list.sizeHint().height()
        )
        height = min(needed + 6, round(screen.height() * _SHARE))
        self.setGeometry(screen.right() - width - _EDGE, screen.bottom() - height - _EDGE, width, height)


class ReminderCard(QFrame):
    """One notice. `pressed` carries the key of the button."""

    pressed = Signal(str)
    clicked = Signal()
    dismissed = Signal()

    def __init__(self, notice: Notice) -> None:
        """Show it."""
        super().__init__()
        self._opens = notice.opens
        self.setObjectName("reminderCard")
        self.setProperty("role", "card")
        self.setAccessibleName(notice.title)
        self.setAccessibleDescription(notice.body)
        layout = column(self, margins=(14, 10, 8, 12), gap=6)
        head = row(gap=8)
        head.addWidget(icon_label("bell", "accent"))
        title = label(notice.title, "heading")
        title.setObjectName("reminderTitle")
        head.addWidget(title, 1)
        if notice.opens:
            words = _("창에서 보기")
            opens = tool_button("right", words, self.clicked.emit, name="reminderOpen")
            opens.setAccessibleName(f"{notice.title}: {words}")
            head.addWidget(opens)
        words = _("닫기 (Esc)")
        closes = tool_button("close", words, self.dismissed.emit, name="reminderClose")
        closes.setAccessibleName(f"{notice.title}: {words}")
        head.addWidget(closes)
        layout.addLayout(head)
        first, _line, rest = notice.body.partition("\n")
        for words, role in ((first, "body"), (rest, "muted")):
            text = label(words, role)
            text.setVisible(bool(words))
            layout.addWidget(text)
        line = FlowBox(gap=6, name="reminderButtons")
        self.buttons: dict[str, QPushButton] = {}
        for number, each in enumerate(notice.buttons):
            made = button(
                each.text,
                partial(self.pressed.emit, each.key),
                role="" if number else "primary",
                name=f"notice_{each.key}",
            )
            made.setAccessibleName(f"{notice.title}: {each.text}")
            self.buttons[each.key] = made
            line.add(made)
        if notice.buttons:
            layout.addSpacing(2)
            layout.addWidget(line)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click beside the buttons opens the window, as it does with the system's notifications."""
        super().mouseReleaseEvent(event)
        if (
            self._opens
            and event.button() == Qt.MouseButton.LeftButton
            and self.rect().contains(event.position().toPoint())
        ):
            self.clicked.emit()

    def take_focus(self) -> None:
        """Give the focus to the first button."""
        first = next(iter(self.buttons.values()), None)
        (first or self.findChild(QWidget, "reminderClose") or self).setFocus(Qt.FocusReason.TabFocusReason)
