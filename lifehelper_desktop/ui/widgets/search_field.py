"""A field that is searched from while one types, the Hangul syllable being composed included."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit

from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import icon_label

_LENGTH = 200
_SIGN, _LEFT = 16, 11  # pixels at 100 % text: the sign, and the space before it


class SearchField(QLineEdit):
    """`searched` carries what stands in the field, with the syllable that is not committed yet."""

    searched = Signal(str)

    def __init__(self, name: str, invitation: str, label: str) -> None:
        """Start empty; `label` is the name for screen readers."""
        super().__init__()
        self.setObjectName(name)
        self.setProperty("role", "search")
        self.setPlaceholderText(invitation)
        self.setAccessibleName(label)
        self.setClearButtonEnabled(True)
        self.setMaxLength(_LENGTH)
        # An action of the field would keep its size when the text grows.
        self._sign = icon_label("search", "muted", _SIGN)
        self._sign.setParent(self)
        self._sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextMargins(theme().px(_SIGN + _LEFT) - 2, 0, 0, 0)
        self._preedit = ""
        self.textChanged.connect(self._tell)

    @property
    def wanted(self) -> str:
        """What is looked for."""
        at = self.cursorPosition()
        return self.text()[:at] + self._preedit + self.text()[at:]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the sign in the middle of the height."""
        super().resizeEvent(event)
        self._sign.move(theme().px(_LEFT), (self.height() - self._sign.height()) // 2)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Search with the composition, too."""
        self._preedit = event.preeditString()
        super().inputMethodEvent(event)
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A composition that nobody ended is not looked for any longer."""
        self._preedit = ""
        super().focusOutEvent(event)

    def _tell(self, _text: str = "") -> None:
        self.searched.emit(self.wanted)
