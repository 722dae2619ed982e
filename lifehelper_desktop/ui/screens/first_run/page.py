"""What the pages of the first run share: the heading, and the cards that one chooses between."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.widgets.basics import column, icon_label, label, repolish


class Page(QWidget):
    """One page: a heading, a line below it, and what one chooses.

    `ready_changed` tells that the dialog's main button is to be named or enabled anew.
    """

    ready_changed = Signal()

    def __init__(self, name: str, icon: str, title: str, words: str) -> None:
        """Show the heading."""
        super().__init__()
        self.setObjectName("pageBody")
        self.name = name
        self.title = title
        self.body = column(self, margins=(32, 10, 32, 12), gap=12)
        self.body.addWidget(icon_label(icon, "accent", 40))
        heading = label(title, "display")
        heading.setObjectName(f"title_{name}")
        self.body.addWidget(heading)
        self.body.addWidget(label(words))

    @property
    def next_words(self) -> str:
        """What the main button says."""
        return _("다음")

    def first_control(self) -> QWidget | None:
        """Return what takes the focus when the page comes, None for the main button."""
        return None


class Choice(QFrame):
    """One of several cards: a radio button with a line below; the whole card can be clicked."""

    def __init__(self, title: str, words: str, name: str, group: QButtonGroup, number: int) -> None:
        """Show the card, not chosen."""
        super().__init__()
        self.setProperty("role", "choice")
        self.setProperty("chosen", "false")
        inside = column(self, margins=(14, 11, 14, 12), gap=3)
        self.radio = QRadioButton(title)
        self.radio.setObjectName(name)
        self.radio.setAccessibleDescription(words)
        group.addButton(self.radio, number)
        inside.addWidget(self.radio)
        self.extra = inside
        if words:
            inside.addWidget(label(words, "muted"))
        self.radio.toggled.connect(self._show)

    def _show(self, chosen: bool) -> None:
        self.setProperty("chosen", "true" if chosen else "false")
        repolish(self)

    def mouseReleaseEvent(self, _event: object) -> None:
        """Choose it."""
        self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
        self.radio.click()
