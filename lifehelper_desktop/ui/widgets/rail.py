"""The narrow column of buttons on the left edge of the window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import column

_TOP = (("habits", "today", N_("오늘")), ("catalogue", "catalogue", N_("카탈로그")))
_BOTTOM = (
    ("chat", "coach", N_("코치")),
    ("settings", "settings", N_("설정")),
    ("help", "keyboard", N_("단축키")),
)
_STAYS_DOWN = frozenset({"habits", "catalogue", "chat"})


class Rail(QWidget):
    """`chosen` carries the name of the button; `buttons` has them by name, without `chat` when AI is off."""

    chosen = Signal(str)

    def __init__(self, *, with_chat: bool) -> None:
        """Build the buttons in the language and theme in force."""
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.buttons: dict[str, QToolButton] = {}
        layout = column(self, margins=(8, 14, 8, 12), gap=6)
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
        result.setIconSize(QSize(22, 22))
        result.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        result.setCheckable(name in _STAYS_DOWN)
        result.clicked.connect(partial(self._choose, name))
        self.buttons[name] = result
        return result

    def _choose(self, name: str, _checked: bool = False) -> None:
        self.chosen.emit(name)
