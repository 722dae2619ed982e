"""The narrow column of buttons on the left edge of the window."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.shortcuts import Keys, words_with_key
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column

_TOP = (
    ("habits", "today", N_("오늘")),
    ("catalogue", "catalogue", N_("카탈로그")),
    ("review", "sparkle", N_("돌아보기")),
)
_BOTTOM = (
    ("chat", "coach", N_("코치")),
    ("settings", "settings", N_("설정")),
    ("help", "keyboard", N_("단축키")),
)
_AROUND, _GAP = 26, 6  # pixels above and below all buttons, and between them
_TALL = 60  # a button with its words, at 100 % text
_STAYS_DOWN = frozenset({"habits", "catalogue", "review", "chat"})
#: The command whose key is shown with each button.
_COMMANDS = {
    "habits": "show_habits",
    "catalogue": "show_catalogue",
    "review": "show_review",
    "chat": "toggle_chat",
    "settings": "settings",
    "help": "shortcuts",
}


class Rail(QWidget):
    """`chosen` carries the name of the button; `buttons` has them by name, without `chat` when AI is off."""

    chosen = Signal(str)

    def __init__(self, *, with_chat: bool) -> None:
        """Build the buttons in the language and theme in force."""
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons: dict[str, QToolButton] = {}
        layout = column(self, margins=(8, 14, 8, _AROUND - 14), gap=_GAP)
        for row in _TOP:
            layout.addWidget(self._button(*row))
        layout.addStretch(1)
        for row in _BOTTOM:
            if row[0] != "chat" or with_chat:
                layout.addWidget(self._button(*row))

    def _button(self, name: str, icon: str, words: str) -> QToolButton:
        result = QToolButton()
        result.setObjectName(f"rail_{name}")
        result.setProperty("role", "rail")
        result.setText(_(words))
        result.setAccessibleName(_(words))
        result.setIcon(icons.icon(icon, theme().tokens["text"], 22))
        result.setIconSize(icons.size(22))
        result.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        result.setCheckable(name in _STAYS_DOWN)
        result.clicked.connect(partial(self._choose, name))
        self.buttons[name] = result
        return result

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the words out where the height does not hold them; tool tips and names still say them."""
        super().resizeEvent(event)
        room = event.size().height() - _AROUND - _GAP * (len(self.buttons) - 1)
        words_fit = room >= theme().px(_TALL) * len(self.buttons)
        style = Qt.ToolButtonStyle
        for each in self.buttons.values():
            each.setToolButtonStyle(style.ToolButtonTextUnderIcon if words_fit else style.ToolButtonIconOnly)

    def show_keys(self, keys: Mapping[str, Keys]) -> None:
        """Tell the keys of the commands in the tool tips."""
        for name, each in self.buttons.items():
            each.setToolTip(words_with_key(each.text(), keys[_COMMANDS[name]]))

    def _choose(self, name: str, _checked: bool = False) -> None:
        self.chosen.emit(name)
