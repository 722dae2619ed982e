"""Page and coach beside each other, or one at a time where large text leaves no room for both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QToolButton

from lifehelper_desktop.base.settings import FONT_PERCENT
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.llm.protocol import LlmTextChunk
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.window_state import load_state
from tests.gui.conftest import Gui, MakeGui


@pytest.fixture(autouse=True)
def _usual_look() -> Iterator[None]:
    yield
    theme().choose("light")


def panes(gui: Gui) -> tuple[bool, bool]:
    """Whether the page shows, and whether the coach does."""
    QApplication.processEvents()
    return gui.window.stack.isVisible(), gui.chat.isVisible()


def narrow(make_gui: MakeGui, store: Store, *script: object) -> Gui:
    store.settings.set(FONT_PERCENT, 200)
    gui = make_gui(*script)
    gui.window.resize(QSize(860, 560))
    return gui


def test_usual_text_has_room_for_both(make_gui: MakeGui) -> None:
    gui = make_gui()
    assert panes(gui) == (True, True)
    gui.window.resize(QSize(860, 560))
    assert panes(gui) == (True, True)


def test_with_large_text_one_shows_at_a_time(make_gui: MakeGui, store: Store, habits: dict[str, Habit]) -> None:
    gui = narrow(make_gui, store)
    assert panes(gui) == (True, False)
    gui.window.focus_composer()
    assert panes(gui) == (False, True)
    assert gui.window.rail["chat"].isChecked()
    gui.window.show_catalogue()
    assert panes(gui) == (True, False)
    assert not gui.window.rail["chat"].isChecked()
    gui.window.toggle_chat()
    assert panes(gui) == (False, True)
    gui.window.toggle_chat()
    assert panes(gui) == (True, False)


def test_a_wider_window_brings_both_back(make_gui: MakeGui, store: Store) -> None:
    gui = narrow(make_gui, store)
    gui.window.resize(QSize(1600, 900))
    assert panes(gui) == (True, True)
    gui.window.resize(QSize(900, 900))
    assert panes(gui) == (True, False)


def test_building_anew_leaves_the_coach_in_front(make_gui: MakeGui, store: Store) -> None:
    gui = narrow(make_gui, store, [LlmTextChunk("네.")])
    gui.window.focus_composer()
    gui.say("안녕")
    gui.wait_idle()
    gui.window.build()
    assert panes(gui) == (False, True)
    assert gui.bubbles() == ["안녕", "네."]


def test_the_width_of_the_coach_is_not_that_of_one_alone(make_gui: MakeGui, store: Store) -> None:
    gui = narrow(make_gui, store)
    before = load_state(store.paths.data).chat_width
    gui.window.focus_composer()
    gui.window.close()
    assert load_state(store.paths.data).chat_width == before


def test_the_rail_leaves_its_words_out_where_it_is_low(make_gui: MakeGui, store: Store) -> None:
    gui = narrow(make_gui, store)
    QApplication.processEvents()
    buttons = list(gui.window.rail.values())
    assert {each.toolButtonStyle() for each in buttons} == {Qt.ToolButtonStyle.ToolButtonIconOnly}
    assert all(each.toolTip() and each.accessibleName() for each in buttons)
    last: QToolButton = buttons[-1]
    assert last.geometry().bottom() <= gui.window.side.height()
    gui.window.resize(QSize(1600, 1100))
    QApplication.processEvents()
    assert {each.toolButtonStyle() for each in buttons} == {Qt.ToolButtonStyle.ToolButtonTextUnderIcon}
