"""The window's open dialogs by name: each is shown once, and raised when it is asked for again."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog


class OpenDialogs(dict[str, QDialog]):
    """Main thread. A dialog leaves the dictionary when it is finished."""

    def show(self, name: str, make: Callable[[], QDialog]) -> None:
        """Raise the dialog `name`, or make and show it."""
        if not self.raise_open(name):
            dialog = make()
            self.remember(name, dialog)
            dialog.show()

    def raise_open(self, name: str) -> bool:
        """Bring the dialog `name` to the front; return whether there is one."""
        dialog = self.get(name)
        if dialog is None:
            return False
        dialog.raise_()
        dialog.activateWindow()
        return True

    def open_form(self, dialog: QDialog) -> None:
        """Show a form that belongs to the window and is deleted at its end."""
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.remember("form", dialog)
        dialog.open()

    def remember(self, name: str, dialog: QDialog) -> None:
        """Keep `dialog` under `name` until it is finished."""
        self[name] = dialog
        dialog.finished.connect(lambda _result: self.pop(name, None))
