"""The list of cards: walking and moving by keyboard, and dragging."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.widgets.habit_card import HabitCard
from lifehelper_desktop.ui.widgets.roving import MarkButton
from tests.gui.habit_cards import ALT, TODAY, Show, child, choose, heard, order, screen, show
from tests.helpers.worlds import add_habit

__all__ = ["screen", "show"]


# ---- the ways to other pages ----------------------------------------------------------------------------------


def test_the_title_enter_and_the_menu_open_the_habit(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit]
) -> None:
    asked: list[int] = []
    screen.detail_asked.connect(asked.append)
    card = screen.cards[habits["walk"].id]
    qtbot.mouseClick(child(card, "habitTitle"), Qt.MouseButton.LeftButton)
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Return)
    choose(card, "detail")
    assert asked == [habits["walk"].id] * 3


def test_enter_on_a_button_presses_it(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    asked: list[int] = []
    screen.detail_asked.connect(asked.append)
    done = child(screen.cards[habits["walk"].id], "mark_done")
    done.setFocus()
    qtbot.keyClick(done, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: store.entries.get(habits["walk"].id, TODAY) is not None)
    assert asked == []


def test_reminders_and_the_archive_are_asked_for(qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit]) -> None:
    reminders: list[int] = []
    screen.reminders_asked.connect(reminders.append)
    choose(screen.cards[habits["todo"].id], "reminders")
    assert reminders == [habits["todo"].id]
    with qtbot.waitSignal(screen.archive_asked):
        qtbot.mouseClick(child(screen, "openArchive"), Qt.MouseButton.LeftButton)


# ---- walking --------------------------------------------------------------------------------------------------


def test_arrows_walk_between_cards_and_to_the_same_control(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit]
) -> None:
    walk, todo, social = (screen.cards[habits[name].id] for name in ("walk", "todo", "social"))
    walk.setFocus()
    qtbot.keyClick(walk, Qt.Key.Key_Down)
    assert screen.focusWidget() is todo
    qtbot.keyClick(todo, Qt.Key.Key_Down)
    assert screen.focusWidget() is social
    qtbot.keyClick(social, Qt.Key.Key_Home)
    assert screen.focusWidget() is walk
    minimum = child(walk, "mark_minimum")
    minimum.setFocus()
    qtbot.keyClick(minimum, Qt.Key.Key_Down)
    assert screen.focusWidget() is child(todo, "mark_minimum")
    qtbot.keyClick(screen.focusWidget(), Qt.Key.Key_End)
    assert screen.focusWidget() is social


def test_arrows_walk_inside_a_card(qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit]) -> None:
    card = screen.cards[habits["walk"].id]
    card.setFocus()
    names = []
    for _step in range(len(card.stops()) + 3):
        qtbot.keyClick(screen.focusWidget(), Qt.Key.Key_Right)
        names.append(screen.focusWidget())
    assert names[: len(card.stops()) - 1] == card.stops()[1:]
    assert screen.focusWidget() is child(card, "mark_blank")
    for _step in range(len(card.stops())):
        qtbot.keyClick(screen.focusWidget(), Qt.Key.Key_Left)
    assert screen.focusWidget() is card


def test_arrows_reach_the_invitation_of_an_empty_section(qtbot: QtBot, show: Show, store: Store) -> None:
    walk = add_habit(store, "daily-steps")
    screen = show()
    card = screen.cards[walk.id]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Down)
    assert screen.focusWidget().objectName() == "choose_break"


def test_a_card_has_few_stops_of_the_tab_key(screen: HabitsScreen, habits: dict[str, Habit]) -> None:
    card = screen.cards[habits["walk"].id]
    tabbed = [each for each in card.stops() if each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    assert card.week.buttons[-1] in tabbed
    assert child(card, "mark_done") in tabbed
    assert sum(each in card.week.buttons for each in tabbed) == 1
    assert sum(isinstance(each, MarkButton) for each in tabbed) == 1
    card.week.buttons[2].setFocus()
    assert card.week.buttons[2].focusPolicy() & Qt.FocusPolicy.TabFocus
    assert not card.week.buttons[-1].focusPolicy() & Qt.FocusPolicy.TabFocus


def test_tab_goes_from_top_to_bottom_after_moving(qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit]) -> None:
    walk, todo = screen.cards[habits["walk"].id], screen.cards[habits["todo"].id]
    walk.setFocus()
    qtbot.keyClick(walk, Qt.Key.Key_Down, ALT)
    seen: list[QWidget] = []
    todo.setFocus()
    while screen.focusWidget() is not child(screen, "openArchive"):
        seen.append(screen.focusWidget())
        qtbot.keyClick(screen.focusWidget(), Qt.Key.Key_Tab)
        assert len(seen) < 60
    assert seen.index(todo) < seen.index(child(todo, "mark_done")) < seen.index(walk)
    assert seen.index(walk) < seen.index(screen.cards[habits["social"].id])


# ---- moving ---------------------------------------------------------------------------------------------------


def test_moving_by_keyboard_keeps_the_focus_is_told_and_can_be_undone(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    walk, todo, social = (habits[name].id for name in ("walk", "todo", "social"))
    told = heard(screen)
    card = screen.cards[walk]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Down, ALT)
    assert order(store) == [todo, walk, social]
    assert screen.focusWidget() is card
    assert screen.cards[todo].y() < card.y()
    assert told == ["‘하루 걷기’ 습관을 2개 가운데 2번째로 옮겼어요"]
    qtbot.keyClick(card, Qt.Key.Key_Down, ALT)  # the end of its section
    assert order(store) == [todo, walk, social]
    assert "습관 순서 바꾸기" in store.journal.undo().words("ko")
    screen.refresh()
    assert order(store) == [walk, todo, social]
    assert card.y() < screen.cards[todo].y()


def test_moving_from_a_control_inside_keeps_it(qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit]) -> None:
    card = screen.cards[habits["todo"].id]
    button = child(card, "habitMenu")
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Up, ALT)
    assert screen.focusWidget() is card


def test_the_menu_moves_too_and_a_lone_habit_has_nowhere_to_go(
    screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    choose(screen.cards[habits["todo"].id], "up")
    assert order(store)[:2] == [habits["todo"].id, habits["walk"].id]
    lone = screen.cards[habits["social"].id]
    states = {action.objectName(): action.isEnabled() for action in lone.menu().actions()}
    assert not states["habit_up"]
    assert not states["habit_down"]
    assert not lone.handle.isVisible()


def drag(card: HabitCard, to: QPoint, *, drop: bool = True) -> None:
    """Drag a card by its handle until the pointer is at `to`, a point of the screen."""
    handle = card.handle
    start = handle.rect().center()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, start)
    half = (handle.mapToGlobal(start) + to) / 2
    for point in (half, to):
        QTest.mouseMove(handle, handle.mapFromGlobal(point))
    if drop:
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, handle.mapFromGlobal(to))


def test_dragging_moves_a_card_inside_its_section(screen: HabitsScreen, habits: dict[str, Habit], store: Store) -> None:
    walk, todo, social = (habits[name].id for name in ("walk", "todo", "social"))
    told = heard(screen)
    below = screen.cards[todo]
    drag(screen.cards[walk], below.mapToGlobal(QPoint(10, below.height())))
    assert order(store) == [todo, walk, social]
    assert screen.cards[todo].y() < screen.cards[walk].y()
    assert len(told) == 1
    assert screen.findChildren(QWidget, "dropLine") == []
    drag(screen.cards[walk], screen.mapToGlobal(QPoint(10, 3000)))  # never beyond the section
    assert order(store) == [todo, walk, social]
    drag(screen.cards[walk], screen.mapToGlobal(QPoint(10, 0)))
    assert order(store) == [walk, todo, social]


def test_esc_ends_a_drag_where_it_began(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    before = order(store)
    card, below = screen.cards[habits["walk"].id], screen.cards[habits["todo"].id]
    drag(card, below.mapToGlobal(QPoint(10, below.height())), drop=False)
    assert card.handle.is_dragging
    qtbot.keyClick(card.handle, Qt.Key.Key_Escape)
    assert not card.handle.is_dragging
    QTest.mouseRelease(card.handle, Qt.MouseButton.LeftButton)
    assert order(store) == before
    assert card.graphicsEffect() is None


def test_a_card_that_goes_away_in_the_air_ends_the_drag(
    screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    card, below = screen.cards[habits["walk"].id], screen.cards[habits["todo"].id]
    drag(card, below.mapToGlobal(QPoint(10, below.height())), drop=False)
    store.habits.archive(habits["walk"].id)  # by the command line
    screen.refresh()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert habits["walk"].id not in screen.cards
    assert screen.findChildren(QWidget, "dropLine") == []


def test_a_refused_order_is_said_and_nothing_moves(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    store.trash.delete(habits["todo"].id)  # meanwhile, by the command line
    card = screen.cards[habits["walk"].id]
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Down, ALT)
    assert "찾지 못했어요" in screen.notice.text
    assert order(store) == [habits["walk"].id, habits["social"].id]
