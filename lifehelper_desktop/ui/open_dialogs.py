"""The window's open dialogs by name: each is shown once, and raised when it is asked for again."""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog


class OpenDialogs(dict[str, QDialog]):
    """Main thread. A dialog leaves the dictionary when it is finished."""

    def __init__(self) -> None:
        """Start with none."""
        super().__init__()
        self._makers: dict[str, Callable[[], QDialog]] = {}

    def show(self, name: str, make: Callable[[], QDialog]) -> None:
        """Raise the dialog `name`, or make and show it."""
        if not self.raise_open(name):
            dialog = make()
            self.remember(name, dialog)
            self._makers[name] = make
            dialog.show()

    def make_anew(self, *, but: Collection[str]) -> None:
        """Make what `show` has opened anew in the same place, in the language in force; `but` stays as it is.

        Forms keep their words, since what was typed counts more; so does a dialog that works and cannot close yet.
        """
        for name, dialog in list(self.items()):
            make = self._makers.get(name)
            if make is None or name in but or _works(dialog):
                continue
            place, was_active = dialog.geometry(), dialog.isActiveWindow()
            dialog.close()
            self.show(name, make)
            self[name].setGeometry(place)
            if was_active:
                self[name].activateWindow()

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
        dialog.finished.connect(lambda _result: self._forget(name, dialog))

    def close_all(self, *, but: Collection[str]) -> None:
        """Close them; `but` stays, and what works stays until it has ended: closing it would stop the work."""
        for name, dialog in list(self.items()):
            if name not in but and not _works(dialog):
                dialog.close()

    def _forget(self, name: str, dialog: QDialog) -> None:
        if self.get(name) is dialog:
            del self[name]
            self._makers.pop(name, None)


def _works(dialog: QDialog) -> bool:
    from lifehelper_desktop.ui.work_dialog import WorkDialog  # not needed for the start of the program

    return isinstance(dialog, WorkDialog) and dialog.worker.is_busy
