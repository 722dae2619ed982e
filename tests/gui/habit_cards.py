"""What the tests of the home screen share: the screen over a real store, and short ways to what is on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.widgets.habit_card import HabitCard
from tests.helpers.worlds import add_habit

TODAY = date(2026, 8, 12)  # a Wednesday
ALT = Qt.KeyboardModifier.AltModifier
Show = Callable[[], HabitsScreen]


@pytest.fixture
def show(qtbot: QtBot, store: Store) -> Iterator[Show]:
    """Return what shows the screen over the store as it is then."""
    made: list[HabitsScreen] = []

    def show() -> HabitsScreen:
        screen = HabitsScreen(store, Bus())
        made.append(screen)
        screen.resize(760, 900)
        screen.show()
        screen.activateWindow()
        qtbot.waitUntil(screen.isActiveWindow)
        return screen

    yield show
    for screen in made:
        screen.close()
        screen.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def screen(show: Show, habits: dict[str, Habit]) -> HabitsScreen:
    return show()


def pause_many(store: Store, count: int) -> list[Habit]:
    """Add paused habits to build to what the store has."""
    taken = {habit.catalogue_id for habit in store.habits.list()}
    chosen = [entry for entry in store.catalogue.all() if entry.kind != "break" and entry.id not in taken][:count]
    made = []
    for entry in chosen:
        habit = add_habit(store, entry.id)
        store.habits.pause(habit.id)
        made.append(store.habits.get(habit.id))
    return made


def order(store: Store) -> list[int]:
    return [habit.id for habit in store.habits.list()]


def child(inside: QWidget, name: str) -> QWidget:
    found = inside.findChild(QWidget, name)
    assert isinstance(found, QWidget)
    return found


def text(inside: QWidget, name: str) -> str:
    found = inside.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    assert found.isVisible(), name
    return found.text()


def choose(card: HabitCard, name: str) -> None:
    action = next(each for each in card.menu().actions() if each.objectName() == f"habit_{name}")
    assert action.isEnabled(), name
    action.trigger()


def heard(screen: HabitsScreen) -> list[str]:
    """Return what screen readers will have been told, as it comes."""
    told: list[str] = []
    screen.announced.connect(told.append)
    return told
