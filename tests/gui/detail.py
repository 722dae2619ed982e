"""What the tests of the detail page share: the page over a real store, and short ways to what is on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, timedelta

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.habit_detail import HabitDetail
from lifehelper_desktop.ui.widgets.day_editor import DayEditor
from lifehelper_desktop.ui.widgets.heat_grid import HeatGrid
from tests.helpers.worlds import add_habit, fill, world_1

TODAY = date(2026, 8, 12)
YESTERDAY = TODAY - timedelta(days=1)
GAP_DAY = date(2026, 8, 7)  # in the middle of what is recorded, empty
OpenDetail = Callable[[Habit], "Detail"]


class Detail:
    """The page of one habit with short ways to do what a user does."""

    def __init__(self, qtbot: QtBot, store: Store, habit: Habit) -> None:
        """Show the page of `habit`."""
        self.qtbot, self.store, self.habit = qtbot, store, habit
        self.bus = Bus()
        self.left: list[bool] = []
        self.page = HabitDetail(store, self.bus)
        self.page.back_asked.connect(lambda: self.left.append(True))
        self.page.resize(1000, 1400)
        self.page.show()
        self.page.activateWindow()
        qtbot.waitUntil(self.page.isActiveWindow)
        self.page.show_habit(habit.id)

    @property
    def grid(self) -> HeatGrid:
        """The calendar."""
        return self.page.heat.grid

    @property
    def editor(self) -> DayEditor:
        """The open editor of a day, once it is the active window: only there shortcuts work."""
        editor = self.page.editor
        assert editor is not None
        self.qtbot.waitUntil(editor.isActiveWindow, timeout=2000)
        return editor

    def text(self, name: str, inside: QWidget | None = None) -> str:
        """Return the text of the visible label called `name`; empty when none is visible."""
        shown = [each for each in (inside or self.page).findChildren(QLabel, name) if each.isVisible()]
        assert len(shown) <= 1
        return shown[0].text() if shown else ""

    def click(self, name: str, inside: QWidget | None = None) -> None:
        """Click the visible button called `name`."""
        [found] = [each for each in (inside or self.page).findChildren(QWidget, name) if each.isVisible()]
        self.qtbot.mouseClick(found, Qt.MouseButton.LeftButton)

    def focus(self, day: date) -> None:
        """Put the keyboard on a day of the calendar."""
        self.grid.setFocus()
        self.page.heat.focus_day(day)

    def press(self, key: Qt.Key, *, ctrl: bool = False) -> date | None:
        """Press a key on the calendar and return the day in focus then."""
        held = Qt.KeyboardModifier.ControlModifier if ctrl else Qt.KeyboardModifier.NoModifier
        self.qtbot.keyClick(self.grid, key, held)
        return self.grid.day

    def click_day(self, day: date) -> None:
        """Click the cell of a day that is in view."""
        self.qtbot.mouseClick(self.grid.viewport(), Qt.MouseButton.LeftButton, pos=self.grid.cell_rect(day).center())

    def value(self, day: date) -> EntryValue | None:
        """Return what is stored for a day."""
        entry = self.store.entries.get(self.habit.id, day)
        return entry.value if entry is not None else None

    def note(self, day: date) -> str:
        """Return the note that is stored for a day."""
        entry = self.store.entries.get(self.habit.id, day)
        assert entry is not None
        return entry.note

    def wait_words(self, day: date, words: str) -> None:
        """Wait until the calendar says this of a day."""
        index = self.grid.grid.index_of(day)
        self.qtbot.waitUntil(
            lambda: words in str(self.grid.grid.data(index, Qt.ItemDataRole.AccessibleTextRole)), timeout=2000
        )

    def undo(self) -> None:
        """Take back what the notice tells of."""
        self.click("noticeAction", self.page.notice)


def opener(qtbot: QtBot, store: Store) -> Iterator[OpenDetail]:
    """Yield a maker of pages over the store; each is closed at the end."""
    made: list[Detail] = []

    def open_detail(habit: Habit) -> Detail:
        made.append(Detail(qtbot, store, habit))
        return made[-1]

    yield open_detail
    for each in made:
        each.page.close()
        each.page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def open_detail(qtbot: QtBot, store: Store) -> Iterator[OpenDetail]:
    """Return a maker of pages."""
    yield from opener(qtbot, store)


@pytest.fixture
def todo(store: Store) -> Habit:
    """The to-do list of world 1: since 8/1, done to 8/10; nothing on the 7th here."""
    habit = world_1(store)["todo"]
    store.entries.change(habit.id, GAP_DAY, None)
    return habit


@pytest.fixture
def walk(store: Store) -> Habit:
    """Walking since last spring: done but for a rest, a small day with a note, and a day missed."""
    habit = add_habit(store, "daily-steps", started=date(2025, 3, 1))
    with store.db.write():
        fill(store, habit, date(2025, 3, 1), date(2026, 8, 11))
    store.entries.change(habit.id, date(2026, 8, 5), EntryValue.BLANK)
    store.entries.change(habit.id, date(2026, 8, 6), EntryValue.MINIMUM, "비가 왔다")
    store.entries.change(habit.id, GAP_DAY, None)
    return habit
