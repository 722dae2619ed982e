"""An inline line above a screen: what went wrong or what was done, with an optional action. Never modal."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QWidget

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui.widgets.basics import button, icon_label, label, row, set_role, tool_button


class NoticeBar(QFrame):
    """Hidden until `show_notice`. A later notice takes the place of the earlier one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("notice")
        self.setProperty("role", "notice")
        self._action: Callable[[], object] | None = None
        layout = row(self, margins=(12, 8, 8, 8), gap=10)
        self._info = icon_label("info", "on_blue_soft")
        self._warning = icon_label("warning", "on_danger_soft")
        self._text = label()
        self._text.setObjectName("noticeText")
        self._button = button("", self._act, role="flat", name="noticeAction")
        layout.addWidget(self._info)
        layout.addWidget(self._warning)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._button)
        layout.addWidget(tool_button("close", _("알림 닫기"), self.hide, name="noticeClose"))
        self.hide()

    @property
    def text(self) -> str:
        """What the bar says, empty while it is hidden."""
        return self._text.text() if not self.isHidden() else ""

    def show_notice(
        self, text: str, *, error: bool = False, action: str = "", on_action: Callable[[], object] | None = None
    ) -> None:
        """Show `text`, with a button `action` when given."""
        set_role(self, "noticeError" if error else "notice")
        self._info.setVisible(not error)
        self._warning.setVisible(error)
        self._text.setText(text)
        self._text.setAccessibleName(text)
        self._action = on_action
        self._button.setText(action)
        self._button.setVisible(bool(action))
        self.show()

    def _act(self) -> None:
        action = self._action
        self.hide()
        if action is not None:
            action()
