"""A tray that a test switches on and off."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtWidgets import QSystemTrayIcon

from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store

TODAY = date(2026, 8, 12)


class Host:
    """A tray host, which the offscreen platform lacks; `messages` are what icons told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_up = True
        self.messages: list[str] = []
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: self.is_up))
        for name in ("show", "hide"):  # the platform has nothing to show it in
            monkeypatch.setattr(QSystemTrayIcon, name, lambda _icon: None)
        monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
        monkeypatch.setattr(
            QSystemTrayIcon, "showMessage", lambda _icon, _title, text, *_more: self.messages.append(text)
        )


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    return Host(monkeypatch)


def value_of(store: Store, habit: Habit, day: date = TODAY) -> EntryValue | None:
    entry = store.entries.get(habit.id, day)
    return None if entry is None else entry.value
