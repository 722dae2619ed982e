"""The window reads what it shows when it must, and once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from tests.gui.conftest import MakeGui, card_of


@pytest.fixture
def reads(store: Store, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a habit's whole record, and the list of habits, was read."""
    counted: Counter[str] = Counter()

    def count(name: str) -> None:
        real = getattr(store, name)

        def counting(*args: Any) -> Any:
            counted[name] += 1
            return real(*args)

        monkeypatch.setattr(store, name, counting)

    count("record")
    count("overviews")
    return counted


@pytest.mark.parametrize("by", ["the page", "the bus"])
def test_a_mark_reads_the_page_of_its_habit_once(
    make_gui: MakeGui, habits: dict[str, Habit], reads: Counter[str], by: str
) -> None:
    gui = make_gui()
    gui.window.show_habit(habits["walk"].id)
    detail = gui.window.detail
    assert detail is not None
    reads.clear()
    if by == "the page":
        detail.mark(EntryValue.DONE)
    else:
        gui.bus.publish_data(gui.store.entries.log(habits["walk"].id, EntryValue.DONE)[1])
    gui.qtbot.waitUntil(lambda: detail.record is not None and detail.record.overview.today_entry is not None)
    QApplication.processEvents()
    assert reads == {"record": 1, "overviews": 1}


def test_a_change_of_another_habit_leaves_the_page_alone(
    make_gui: MakeGui, habits: dict[str, Habit], reads: Counter[str]
) -> None:
    gui = make_gui()
    gui.window.show_habit(habits["walk"].id)
    reads.clear()
    gui.bus.publish_data(gui.store.habits.pause(habits["todo"].id))
    gui.qtbot.waitUntil(lambda: reads["overviews"] == 1)
    QApplication.processEvents()
    assert reads["record"] == 0


def test_another_start_of_the_week_shows_at_once(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    before = card_of(gui, habits["walk"]).facts.week_start
    gui.bus.publish_data(gui.store.settings.set(WEEK_START, "sunday"))
    gui.qtbot.waitUntil(lambda: card_of(gui, habits["walk"]).facts.week_start != before)
