"""Habits that another tracker brought, without a protocol, on the home screen and in their form."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog
from tests.gui.conftest import Gui, MakeGui, card_of
from tests.storage.support import TODAY
from tests.storage.transfer.support import bring, write_loop

YESTERDAY = TODAY - timedelta(days=1)


@pytest.fixture
def sport(store: Store, tmp_path: Path) -> Habit:
    """A habit of Loop with an explicit no yesterday."""
    water = {"name": "물", "type": 1, "target_value": 2.0, "unit": "<b>L</b>"}
    habits = [{"name": "운동 <b>매일</b>", "reminder_hour": 7, "reminder_min": 30}, water]
    days = [(1, (TODAY - timedelta(days=2)).isoformat(), 2, ""), (1, YESTERDAY.isoformat(), 0, "바빴음")]
    bring(store, write_loop(tmp_path / "loop.db", habits, days))
    return store.habits.list()[0]


@pytest.fixture
def gui(make_gui: MakeGui, sport: Habit) -> Gui:
    return make_gui()


def test_the_card_shows_the_title_and_takes_marks(gui: Gui, sport: Habit, store: Store) -> None:
    card = card_of(gui, sport)
    assert card.accessibleName().startswith("운동 <b>매일</b> · ")
    assert not card.findChild(QPushButton, "mark_minimum").isEnabled()
    assert card.findChild(QPushButton, "mark_not_done") is None
    assert card.week.day_button(YESTERDAY).accessibleName() == "8월 11일(화) · 안 함"
    assert gui.text("missHintText", card) == "오늘 한 번이면 다시 이어 갈 수 있어요."
    gui.click("mark_done", card)
    entry = store.entries.get(sport.id, TODAY)
    assert entry is not None
    assert entry.value is EntryValue.DONE


def test_a_day_that_came_in_as_not_done_can_be_changed(gui: Gui, sport: Habit, store: Store) -> None:
    week = card_of(gui, sport).week
    names = [action.objectName() for action in week.menu_for(YESTERDAY).actions() if action.objectName()]
    assert names == ["day_done", "day_minimum", "day_blank", "day_delete"]
    next(action for action in week.menu_for(YESTERDAY).actions() if action.objectName() == "day_done").trigger()
    entry = store.entries.get(sport.id, YESTERDAY)
    assert entry is not None
    assert (entry.value, entry.note) == (EntryValue.DONE, "바빴음")


def test_today_as_not_done_is_shown_and_can_be_taken_back(make_gui: MakeGui, sport: Habit, store: Store) -> None:
    store.entries.change(sport.id, TODAY, EntryValue.NOT_DONE)
    gui = make_gui()
    card = card_of(gui, sport)
    assert gui.text("markedText", card) == "오늘은 ‘안 함’으로 들어와 있어요"
    gui.click("undoToday", card)
    assert store.entries.get(sport.id, TODAY) is None
    assert card.findChild(QPushButton, "mark_done").isVisible()


def test_the_form_asks_for_what_another_tracker_did_not_know(gui: Gui, sport: Habit, store: Store) -> None:
    gui.window.open_edit(sport)
    form = gui.window.findChild(HabitDialog)
    assert form is not None
    assert form.when.text() == "07:30"
    assert not form.save_button.isEnabled()
    form.frame_editor.edit.setText("아침에 몸을 움직인다")
    form.standard.setText("20분 걷기")
    form.minimum.setText("5분 걷기")
    assert form.save_button.isEnabled()
    form.save_button.click()
    saved = store.habits.get(sport.id)
    assert (saved.framed_text, saved.minimum_dose, saved.anchor_when) == ("아침에 몸을 움직인다", "5분 걷기", "07:30")
    card = card_of(gui, saved)
    gui.qtbot.waitUntil(card.findChild(QPushButton, "mark_minimum").isEnabled, timeout=2000)


def test_what_looks_like_markup_is_shown_as_it_is(gui: Gui, store: Store) -> None:
    water = card_of(gui, store.habits.list()[1])
    assert water.findChild(QPushButton, "mark_done").toolTip() == "<span>2 &lt;b&gt;L&lt;/b&gt; (Ctrl+2)</span>"


def test_a_title_is_the_same_in_every_language(make_gui: MakeGui, sport: Habit) -> None:
    set_language("en")
    assert card_of(make_gui(), sport).accessibleName().startswith("운동 <b>매일</b> · ")
