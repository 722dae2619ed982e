"""What the conversation is made of: bubbles, the app's own lines, the error card."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.text import clean_lines
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row
from lifehelper_desktop.ui.widgets.marked_label import marked_label

_SIDE = 44  # free space beside a bubble, in device-independent pixels
_SHOWN_MAX = 20_000  # characters of one bubble: more would make scrolling heavy


class Bubble(QWidget):
    """One message of the user (right) or the coach (left). Text is plain: nothing in it becomes markup."""

    def __init__(self, text: str, *, from_user: bool, stopped: bool = False) -> None:
        """Show `text`; `stopped` says that the user ended the answer."""
        super().__init__()
        self.setObjectName("bubbleUser" if from_user else "bubbleCoach")
        self._from_user = from_user
        outer = row(self)
        body = frame("bubbleUser" if from_user else "bubbleCoach")
        inside = column(body, margins=(14, 10, 14, 10), gap=4)
        self._text = marked_label(selectable=True)
        self._text.setObjectName("bubbleText")
        inside.addWidget(self._text)
        self._stopped = label(_("여기서 멈췄어요"), "small")
        self._stopped.setVisible(stopped)
        inside.addWidget(self._stopped)
        body.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        if from_user:
            outer.addSpacing(_SIDE)
        outer.addWidget(body, 1)
        if not from_user:
            outer.addSpacing(_SIDE)
        self._full = ""
        self.set_text(text)

    @property
    def text(self) -> str:
        """The whole text, also where only its beginning is shown."""
        return self._full

    def set_text(self, text: str) -> None:
        """Replace the text."""
        self._full = clean_lines(text)
        shown = self._full
        if len(shown) > _SHOWN_MAX:
            shown = shown[:_SHOWN_MAX] + "…"
        self._text.setText(shown)
        who = _("나: {text}") if self._from_user else _("코치: {text}")
        self.setAccessibleName(who.format(text=shown))

    def set_stopped(self, stopped: bool) -> None:
        """Say whether the answer was ended by the user."""
        self._stopped.setVisible(stopped)


class SystemLine(QWidget):
    """A centred line from the app itself."""

    def __init__(self, text: str) -> None:
        """Show `text`."""
        super().__init__()
        self.setObjectName("systemLine")
        layout = row(self, margins=(12, 2, 12, 2))
        self._label = marked_label(text, "small")
        self._label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._label)
        self.setAccessibleName(text)

    @property
    def text(self) -> str:
        """What it says."""
        return self._label.text()


class ErrorCard(QFrame):
    """What went wrong in the last turn, the next step, and the buttons for it."""

    def __init__(
        self,
        error: str,
        next_step: str,
        on_retry: Callable[[], object] | None = None,
        on_settings: Callable[[], object] | None = None,
    ) -> None:
        """Offer `on_retry` and `on_settings` when given."""
        super().__init__()
        self.setObjectName("errorCard")
        self.setProperty("role", "errorCard")
        self.error, self.next_step = error, next_step
        layout = column(self, margins=(14, 12, 14, 12), gap=6)
        head = row(gap=8)
        head.addWidget(icon_label("warning", "on_danger_soft"), 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(label(error, selectable=True), 1)
        layout.addLayout(head)
        if next_step:
            layout.addWidget(label(next_step, selectable=True))
        buttons = row(gap=8)
        if on_retry is not None:
            buttons.addWidget(button(_("다시 시도"), on_retry, name="retry"))
        if on_settings is not None:
            buttons.addWidget(button(_("모델 설정 열기"), on_settings, name="openModelSettings"))
        buttons.addStretch(1)
        layout.addLayout(buttons)
        self.setAccessibleName(f"{error} {next_step}".strip())
