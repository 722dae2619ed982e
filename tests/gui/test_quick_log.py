"""The quick log and the tray's menu: marks in one step, keyboard, undo, the day, and where closing leads."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QPushButton, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.quick_log import QuickLog
from lifehelper_desktop.ui.tray import Tray, badge_icon
from tests.gui.conftest import MakeGui

TODAY = date(2026, 8, 12)


@pytest.fixture
def quick(qtbot: QtBot, store: Store, habits: dict[str, Habit]) -> Iterator[QuickLog]:
    """The open quick log over world 1."""
    window = QuickLog(store, Bus())
    window.open_near(None)
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()
    window.deleteLater()


def press(quick: QuickLog, *keys: Qt.Key, qtbot: QtBot) -> None:
    for key in keys:
        qtbot.keyClick(quick.focusWidget() or quick, key)


def value_of(store: Store, habit: Habit, day: date = TODAY) -> EntryValue | None:
    entry = store.entries.get(habit.id, day)
    return None if entry is None else entry.value


def test_it_shows_what_is_open_today(quick: QuickLog) -> None:
    assert [each.overview.habit.protocol_id or each.overview.habit.break_protocol_id for each in quick.rows] == [
        "daily-steps",
        "bedtime-todo-list",
        "break-doomscrolling",
    ]
    assert quick._left.text() == "오늘 3개 남았어요."
    assert isinstance(quick.focusWidget(), QPushButton)


def test_keys_walk_and_mark(quick: QuickLog, qtbot: QtBot, store: Store, habits: dict[str, Habit]) -> None:
    press(quick, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Return, qtbot=qtbot)
    assert value_of(store, quick.rows[1].overview.habit) is EntryValue.MINIMUM
    press(quick, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space, qtbot=qtbot)
    assert value_of(store, quick.rows[0].overview.habit) is EntryValue.BLANK
    assert quick._left.text() == "오늘 1개 남았어요."


def test_numbers_mark_done_and_ctrl_z_takes_back(quick: QuickLog, qtbot: QtBot, store: Store) -> None:
    habit = quick.rows[1].overview.habit
    press(quick, Qt.Key.Key_2, qtbot=qtbot)
    assert value_of(store, habit) is EntryValue.DONE
    qtbot.keyClick(quick.focusWidget() or quick, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert value_of(store, habit) is None
    qtbot.keyClick(quick.focusWidget() or quick, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert store.journal.next_undo() is not None, "an undo here never reaches what was done elsewhere"


def test_all_done_is_said_warmly(quick: QuickLog, qtbot: QtBot) -> None:
    press(quick, Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, qtbot=qtbot)
    assert quick._left.text() == "오늘 기록을 모두 마쳤어요. 잘했어요."
    assert [each.buttons[0].objectName() for each in quick.rows] == ["quickUndo"] * 3


def test_escape_closes(quick: QuickLog, qtbot: QtBot) -> None:
    press(quick, Qt.Key.Key_Escape, qtbot=qtbot)
    assert not quick.isVisible()


def test_the_tray_is_named_in_the_history(quick: QuickLog, qtbot: QtBot, store: Store) -> None:
    press(quick, Qt.Key.Key_1, qtbot=qtbot)
    assert store.journal.history()[0].source == "tray"


def test_a_new_day_is_shown_and_nothing_goes_to_another_one(
    quick: QuickLog, qtbot: QtBot, store: Store, clock: FixedClock, habits: dict[str, Habit]
) -> None:
    clock.set(datetime(2026, 8, 13, 4, 0, 10, tzinfo=UTC))
    press(quick, Qt.Key.Key_1, qtbot=qtbot)
    first = quick.rows[0].overview.habit
    assert value_of(store, first) is None
    assert value_of(store, first, date(2026, 8, 13)) is None
    assert "새 하루" in quick.notice.text
    assert quick._day.text() == "8월 13일 목요일"
    press(quick, Qt.Key.Key_1, qtbot=qtbot)
    assert value_of(store, first, date(2026, 8, 13)) is EntryValue.DONE


def test_it_opens_within_150_ms(quick: QuickLog, qtbot: QtBot, store: Store) -> None:
    times = []
    for number in range(5):
        quick.hide()
        # Something changed, so that every row is built anew: the slowest case.
        store.entries.change(quick.rows[0].overview.habit.id, TODAY, EntryValue.DONE if number % 2 else None)
        begin = time.perf_counter()
        quick.open_near(None)
        qtbot.waitExposed(quick)
        times.append(time.perf_counter() - begin)
    assert statistics.median(times) < 0.15


@pytest.mark.parametrize("place", [QRect(5, 3, 22, 22), QRect(770, 575, 22, 22), QRect(400, 590, 10, 10)])
def test_it_stays_inside_the_screen(quick: QuickLog, place: QRect) -> None:
    quick.open_near(place)
    assert quick.screen().geometry().contains(quick.frameGeometry())


# ---- the tray's menu ----------------------------------------------------------------------------------------------


@pytest.fixture
def tray(store: Store, habits: dict[str, Habit], qtbot: QtBot) -> Iterator[Tray]:
    tray = Tray(store, Bus())
    tray.fill_menu()
    tray.refresh()
    yield tray
    tray.shutdown()


def test_the_menu_marks_and_takes_back(tray: Tray, store: Store, habits: dict[str, Habit]) -> None:
    walk = habits["walk"].id
    tray.mark_action(walk, EntryValue.MINIMUM).trigger()
    assert value_of(store, habits["walk"]) is EntryValue.MINIMUM
    tray.fill_menu()
    assert tray.mark_action(walk, EntryValue.MINIMUM).isChecked()
    tray.mark_action(walk, EntryValue.DONE).trigger()
    assert value_of(store, habits["walk"]) is EntryValue.DONE


def test_a_menu_that_stood_open_over_the_day_start_writes_nothing(
    tray: Tray, store: Store, habits: dict[str, Habit], clock: FixedClock
) -> None:
    action = tray.mark_action(habits["walk"].id, EntryValue.DONE)
    clock.set(datetime(2026, 8, 13, 4, 0, 10, tzinfo=UTC))
    action.trigger()
    assert value_of(store, habits["walk"]) is None
    assert value_of(store, habits["walk"], date(2026, 8, 13)) is None


def test_the_icon_tells_what_is_open(tray: Tray, store: Store, habits: dict[str, Habit]) -> None:
    assert tray.icon.toolTip() == "라이프 헬퍼 — 오늘 3개 남음"
    before = tray.icon.icon().pixmap(32).toImage()
    for habit in habits.values():
        store.entries.log(habit.id, EntryValue.DONE)
    tray.refresh()
    assert tray.icon.toolTip() == "라이프 헬퍼 — 오늘 기록을 모두 마쳤어요"
    assert tray.icon.icon().pixmap(32).toImage() != before
    assert badge_icon(3).pixmap(22).toImage() != badge_icon(4).pixmap(22).toImage()


# ---- closing ------------------------------------------------------------------------------------------------------


def test_x9_without_a_tray_closing_ends_the_program(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: False))
    gui = make_gui()
    with gui.qtbot.waitSignal(gui.window.ended):
        gui.window.close()
    assert not gui.window.tray.is_there


def with_tray(monkeypatch: pytest.MonkeyPatch, there: list[bool]) -> None:
    """A tray host whose presence is `there[0]`: the offscreen platform has none."""
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: there[0]))
    monkeypatch.setattr(QSystemTrayIcon, "isVisible", lambda icon: bool(icon.property("wanted")))
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda icon: icon.setProperty("wanted", True))
    monkeypatch.setattr(QSystemTrayIcon, "hide", lambda icon: icon.setProperty("wanted", False))
    monkeypatch.setattr(QCloseEvent, "spontaneous", lambda event: True)


def test_with_a_tray_closing_hides_and_the_way_back_is_kept(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    there = [True]
    with_tray(monkeypatch, there)
    gui = make_gui()
    assert gui.window.tray.is_there
    gui.window.close()
    assert gui.window.isHidden()
    assert gui.window.thread_ is not None
    gui.window.in_tray.carry_out("show", "")
    assert gui.window.isVisible()
    gui.window.close()
    there[0] = False
    gui.window.tray.check_host()
    assert gui.window.isVisible(), "the icon has gone, so the window comes back by itself"
    gui.window.in_tray.quit()
    assert gui.window.isHidden()


@pytest.mark.parametrize("row", [rows.CLOSE_TO_TRAY, rows.TRAY_ENABLED])
def test_who_does_not_want_the_tray_closes_for_good(
    make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch, store: Store, row: rows.Setting
) -> None:
    with_tray(monkeypatch, [True])
    store.settings.set(row, False)
    gui = make_gui()
    with gui.qtbot.waitSignal(gui.window.ended):
        gui.window.close()


def test_a_wish_for_the_quick_log_opens_it(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    gui = make_gui()
    gui.window.in_tray.carry_out("quick-log", "")
    assert gui.window.tray.quick_log.isVisible()


def test_a_change_in_the_window_shows_on_the_icon_and_in_the_open_quick_log(
    make_gui: MakeGui, habits: dict[str, Habit]
) -> None:
    gui = make_gui()
    tray = gui.window.tray
    tray.open_quick_log()
    gui.window.habits.mark(habits["walk"].id, EntryValue.DONE)
    gui.qtbot.waitUntil(lambda: tray.quick_log._left.text() == "오늘 2개 남았어요.")
    assert tray.icon.toolTip() == "라이프 헬퍼 — 오늘 2개 남음"
