"""An inline line above a screen: what went wrong or what was done, with an optional action. Never modal."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.storage.database import DatabaseCorrupt
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

    def show_problem(self, problem: str) -> None:
        """Show what went wrong; an empty `problem` takes away what was said before."""
        if problem:
            self.show_notice(problem, error=True)
        else:
            self.hide()

    def _act(self) -> None:
        action = self._action
        self.hide()
        if action is not None:
            action()


class TroubleBar(NoticeBar):
    """The window's own bar, above every page: what the world refused, with its next step.

    A damaged file comes with its way back: `restore_asked` carries the Path of the backup that the user chose.
    """

    restore_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("trouble")
        self._error: WorldError | None = None

    @property
    def error(self) -> WorldError | None:
        """What the bar tells, None while it is hidden."""
        return self._error if not self.isHidden() else None

    def show_error(self, error: WorldError) -> None:
        """Tell `error`."""
        self._error = error
        backup = error.newest_backup if isinstance(error, DatabaseCorrupt) else None
        if backup is None:
            self.show_notice(str(error), error=True)
            return
        self.show_notice(
            str(error), error=True, action=_("백업에서 되살리기"), on_action=lambda: self.restore_asked.emit(backup)
        )
