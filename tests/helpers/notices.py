"""A notifier that shows nothing: tests look at what would be on the screen and press its buttons."""

from __future__ import annotations

from lifehelper_desktop.ui.reminders.notifier import Notice, Notifier


class RecordingNotifier(Notifier):
    """Remembers.

    Attributes:
        shown_notices: All that were ever shown, oldest first.
        screen: Those that are there now, by key.
        works: Whether it can show anything.
    """

    def __init__(self) -> None:
        super().__init__()
        self.shown_notices: list[Notice] = []
        self.screen: dict[str, Notice] = {}
        self.works = True
        self.is_closed = False

    def probe(self) -> None:
        self.probed.emit(self.works)

    def show(self, notice: Notice) -> None:
        if not self.works:
            self.failed.emit(notice)
            return
        self.shown_notices.append(notice)
        self.screen[notice.key] = notice
        self.shown.emit(notice.key)

    def withdraw(self, key: str) -> None:
        self.screen.pop(key, None)

    def close(self) -> None:
        self.screen.clear()
        self.is_closed = True

    @property
    def titles(self) -> list[str]:
        """Titles of what is on the screen, oldest first."""
        return [notice.title for notice in self.screen.values()]

    def press(self, button: str, key: str = "") -> None:
        """Press a button of a notice, by default of the only one."""
        notice = self._take(key)
        assert button in [each.key for each in notice.buttons]
        self.pressed.emit(notice.key, button)

    def click(self, key: str = "") -> None:
        """Click the body."""
        self.clicked.emit(self._take(key).key)

    def dismiss(self, key: str = "") -> None:
        """Close it without an answer."""
        self.dismissed.emit(self._take(key).key)

    def _take(self, key: str) -> Notice:
        if not key:
            [key] = self.screen
        return self.screen.pop(key)
