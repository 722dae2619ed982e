"""What the tests of reminders share: a program that rings, and ways to make it silent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import REMINDERS_ENABLED
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.reminders.service import ReminderService
from tests.helpers.notices import RecordingNotifier
from tests.helpers.worlds import add_habit

SEOUL, NEW_YORK, LOS_ANGELES = ZoneInfo("Asia/Seoul"), ZoneInfo("America/New_York"), ZoneInfo("America/Los_Angeles")
TODAY = date(2026, 8, 12)
EVENING = 22 * 60
BUILD = ("daily-steps", "bedtime-todo-list", "mindfulness-meditation")


@dataclass
class World:
    """A program with reminders, a clock that tests set, and a screen that they look at."""

    qtbot: QtBot
    store: Store
    clock: FixedClock
    bus: Bus
    notifier: RecordingNotifier
    service: ReminderService

    def at(self, moment: datetime) -> None:
        """Let it be `moment`, and the service look."""
        self.clock.set(moment)
        self.service.check()

    def settle(self) -> None:
        """Let queued signals arrive."""
        QCoreApplication.processEvents()
        QCoreApplication.processEvents()

    def answer(self, button: str, key: str = "") -> None:
        """Press a button of the notice."""
        self.notifier.press(button, key)
        self.settle()

    def values(self, habit: Habit) -> dict[date, EntryValue]:
        """What is recorded."""
        return {day: entry.value for day, entry in self.store.entries.for_habit(habit.id).items()}

    def restart(self) -> None:
        """End the program and start it again."""
        self.service.stop()
        self.service.deleteLater()
        self.notifier = RecordingNotifier()
        self.service = ReminderService(self.store, self.bus, self.notifier)
        self.service.start()


@pytest.fixture
def world(qtbot: QtBot, store: Store, clock: FixedClock) -> Iterator[World]:
    """Nothing rings yet; it is 21:30 in Seoul on Wednesday 2026-08-12."""
    clock.set(datetime(2026, 8, 12, 21, 30, tzinfo=SEOUL))
    bus, notifier = Bus(), RecordingNotifier()
    made = World(qtbot, store, clock, bus, notifier, ReminderService(store, bus, notifier))
    made.service.start()
    yield made
    made.service.stop()


@pytest.fixture
def walk(world: World) -> Habit:
    """Walking, with a reminder at 22:00 every day."""
    habit = add_habit(world.store, "daily-steps", started=date(2021, 5, 1))
    world.store.reminders.add(habit.id, EVENING)
    world.service.check()
    return habit


def seoul(hour: int, minute: int = 0, day: date = TODAY) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=SEOUL)


def record(world: World, habit: Habit) -> None:
    world.store.entries.log(habit.id, EntryValue.BLANK)


def pause(world: World, habit: Habit) -> None:
    world.store.habits.pause(habit.id)


def archive(world: World, habit: Habit) -> None:
    world.store.habits.archive(habit.id)


def trash(world: World, habit: Habit) -> None:
    world.store.trash.delete(habit.id)


def switch_off(world: World, habit: Habit) -> None:
    [reminder] = world.store.reminders.list(habit.id)
    world.store.reminders.change(reminder.id, is_on=False)


def switch_all_off(world: World, _habit: Habit) -> None:
    world.store.settings.set(REMINDERS_ENABLED, False)
