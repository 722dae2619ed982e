"""The quick log: marks in one step, keyboard, undo, the day, its place and its leaving."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import EntryValue, Habit, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui import today_marks
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens import quick_log
from lifehelper_desktop.ui.screens.quick_log import QuickLog
from lifehelper_desktop.ui.theme import theme
from tests.helpers.worlds import add_habit

TODAY = date(2026, 8, 12)
TOMORROW_MORNING = datetime(2026, 8, 13, 4, 0, 10, tzinfo=UTC)


@pytest.fixture
def quick(qtbot: QtBot, store: Store, habits: dict[str, Habit]) -> Iterator[QuickLog]:
    """The open quick log over world 1."""
    window = QuickLog(store, Bus())
    window.open_near(None)
    qtbot.waitUntil(window.isActiveWindow)
    yield window
    window.close()
    window.deleteLater()


class Keys:
    """Presses keys where the focus is."""

    def __init__(self, quick: QuickLog, qtbot: QtBot) -> None:
        self._quick, self._qtbot = quick, qtbot

    def __call__(self, *keys: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        for key in keys:
            self._qtbot.keyClick(self._quick.focusWidget() or self._quick, key, modifier)

    def undo(self) -> None:
        self(Qt.Key.Key_Z, modifier=Qt.KeyboardModifier.ControlModifier)


@pytest.fixture
def press(quick: QuickLog, qtbot: QtBot) -> Keys:
    return Keys(quick, qtbot)


def value_of(store: Store, habit: Habit, day: date = TODAY) -> EntryValue | None:
    entry = store.entries.get(habit.id, day)
    return None if entry is None else entry.value


def words(quick: QuickLog) -> str:
    return quick.findChild(QLabel, "quickLeft").text()  # type: ignore[union-attr]


def focus_name(quick: QuickLog) -> str:
    focus = quick.focusWidget()
    return "" if focus is None else focus.accessibleName() or focus.objectName()


# ---- what it shows ------------------------------------------------------------------------------------------------


def test_it_shows_what_is_open_today(quick: QuickLog, habits: dict[str, Habit]) -> None:
    assert [each.overview.habit for each in quick.rows] == list(habits.values())
    assert quick.findChild(QLabel, "quickDay").text() == "8월 12일 수요일"  # type: ignore[union-attr]
    assert words(quick) == "오늘 3개 남았어요."
    assert quick.focusWidget() is quick.rows[0].buttons[0]


def test_it_begins_at_the_first_habit_that_is_open(quick: QuickLog, store: Store, habits: dict[str, Habit]) -> None:
    quick.hide()
    store.entries.log(habits["walk"].id, EntryValue.DONE)
    quick.open_near(None)
    assert words(quick) == "오늘 2개 남았어요."
    assert quick.focusWidget() is quick.rows[1].buttons[0]
    assert [each.objectName() for each in quick.rows[0].buttons] == ["quickUndo"]


def test_without_habits_it_says_where_to_go(qtbot: QtBot, store: Store) -> None:
    window = QuickLog(store, Bus())
    window.open_near(None)
    with qtbot.waitSignal(window.window_asked):
        qtbot.mouseClick(window.findChild(QPushButton, "quickWindow"), Qt.MouseButton.LeftButton)
    assert not window.isVisible()
    assert any("아직 습관이 없어요" in each.text() for each in window.findChildren(QLabel))
    window.deleteLater()


def test_habits_of_other_days_are_folded(quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit]) -> None:
    store.habits.archive(habits["walk"].id)
    entry = store.catalogue.get("strength-training")
    assert entry is not None
    mondays = Schedule(ScheduleKind.WEEKDAYS, frozenset({1}))
    strength, _changes = store.habits.add(NewHabit(entry.id, 2, entry.frame(2, "ko"), schedule=mondays))
    quick.hide()
    quick.open_near(None)
    assert words(quick) == "오늘 2개 남았어요."
    assert len(quick.rows) == 2
    fold = quick.findChild(QPushButton, "quickOthers")
    assert fold is not None
    assert fold.text() == "오늘 쉬는 날인 습관 1개"
    press(Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert len(quick.rows) == 3
    assert quick.focusWidget() is quick.findChild(QPushButton, "quickOthers")
    press(Qt.Key.Key_Down, Qt.Key.Key_Return)
    assert value_of(store, strength) is EntryValue.DONE
    assert words(quick) == "오늘 2개 남았어요."
    assert quick.findChild(QPushButton, "quickOthers") is None


def test_every_control_has_a_name(quick: QuickLog) -> None:
    for each in quick.findChildren(QWidget):
        if each.focusPolicy() != Qt.FocusPolicy.NoFocus and each.isEnabled() and each.isVisible():
            named = each.accessibleName() or getattr(each, "text", str)()
            assert named, each.objectName()
            assert each.objectName()


# ---- marks --------------------------------------------------------------------------------------------------------


def test_enter_marks_one_habit_after_the_other(quick: QuickLog, press: Keys, store: Store) -> None:
    kept = [each.overview.habit for each in quick.rows]
    press(Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
    assert [value_of(store, each) for each in kept] == [EntryValue.DONE] * 3
    assert words(quick) == "오늘 습관 3개를 기록했어요."
    assert quick.findChild(QWidget, "quickAllDone") is not None
    assert focus_name(quick) == "닫기 (Esc)"
    press(Qt.Key.Key_Down)
    assert quick.focusWidget() is quick.rows[0].buttons[0]


def test_arrows_walk_between_habits_and_marks(
    quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit]
) -> None:
    press(Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert value_of(store, habits["todo"]) is EntryValue.MINIMUM
    press(Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Space)
    assert value_of(store, habits["walk"]) is EntryValue.BLANK
    assert words(quick) == "오늘 1개 남았어요."


def test_a_key_that_is_held_marks_once(quick: QuickLog, store: Store, habits: dict[str, Habit]) -> None:
    for again in (False, True, True):
        focus = quick.focusWidget()
        assert focus is not None
        event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "\r", again)
        QApplication.sendEvent(focus, event)
    assert [value_of(store, each) for each in habits.values()] == [EntryValue.DONE, None, None]


@pytest.mark.parametrize("modifier", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier])
def test_numbers_mark_done(
    quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit], modifier: Qt.KeyboardModifier
) -> None:
    press(Qt.Key.Key_2, Qt.Key.Key_9, modifier=modifier)
    assert [value_of(store, each) for each in habits.values()] == [None, EntryValue.DONE, None]
    before = store.journal.history()
    press(Qt.Key.Key_2, modifier=modifier)
    assert store.journal.history() == before, "a number marks what is open, it never changes a mark"


def test_ctrl_z_takes_back_what_was_marked_here_and_nothing_else(
    quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit]
) -> None:
    before = store.entries.for_habit(habits["walk"].id)
    press(Qt.Key.Key_1, Qt.Key.Key_2)
    press.undo()
    assert value_of(store, habits["todo"]) is None
    press.undo()
    assert store.entries.for_habit(habits["walk"].id) == before
    press.undo()
    assert "되돌릴 기록이 없어요" in quick.notice.text
    assert store.entries.for_habit(habits["walk"].id) == before


def test_each_habit_has_its_own_way_back(
    quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit], qtbot: QtBot
) -> None:
    press(Qt.Key.Key_1)
    qtbot.mouseClick(quick.rows[0].buttons[0], Qt.MouseButton.LeftButton)
    assert value_of(store, habits["walk"]) is None
    assert quick.focusWidget() is quick.rows[0].buttons[0]
    assert quick.rows[0].is_open


def test_the_history_names_the_tray(press: Keys, store: Store) -> None:
    press(Qt.Key.Key_1)
    assert store.journal.history()[0].source == "tray"


def test_what_was_recorded_elsewhere_meanwhile_stays_and_is_told(
    quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit]
) -> None:
    store.entries.log(habits["walk"].id, EntryValue.BLANK)
    press(Qt.Key.Key_Return)
    assert value_of(store, habits["walk"]) is EntryValue.BLANK
    assert "다른 곳에서 기록됐어요" in quick.notice.text
    assert not quick.rows[0].is_open


def test_x5_the_same_mark_made_elsewhere_is_no_trouble(
    quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit]
) -> None:
    store.entries.log(habits["walk"].id, EntryValue.DONE)
    before = store.journal.history()
    press(Qt.Key.Key_Return)
    assert store.journal.history() == before
    assert quick.notice.text == ""


def test_a_habit_that_is_gone_is_told(quick: QuickLog, press: Keys, store: Store, habits: dict[str, Habit]) -> None:
    store.habits.archive(habits["walk"].id)
    press(Qt.Key.Key_Return)
    assert quick.notice.text
    assert len(quick.rows) == 2


# ---- the day ------------------------------------------------------------------------------------------------------


def test_a_new_day_is_shown_and_nothing_goes_to_another_one(
    quick: QuickLog, press: Keys, store: Store, clock: FixedClock, habits: dict[str, Habit]
) -> None:
    clock.set(TOMORROW_MORNING)
    press(Qt.Key.Key_1)
    for day in (TODAY, date(2026, 8, 13)):
        assert value_of(store, habits["walk"], day) is None
    assert "새 하루" in quick.notice.text
    assert quick.findChild(QLabel, "quickDay").text() == "8월 13일 목요일"  # type: ignore[union-attr]
    press(Qt.Key.Key_1)
    assert value_of(store, habits["walk"], date(2026, 8, 13)) is EntryValue.DONE


def test_ctrl_z_does_not_reach_into_the_day_before(
    quick: QuickLog, press: Keys, store: Store, clock: FixedClock, habits: dict[str, Habit]
) -> None:
    press(Qt.Key.Key_1)
    clock.set(TOMORROW_MORNING)
    quick.refresh()
    press.undo()
    assert value_of(store, habits["walk"]) is EntryValue.DONE


def test_left_open_it_finds_the_new_day_by_itself(quick: QuickLog, clock: FixedClock) -> None:
    assert quick._ticker.isActive()
    assert quick._ticker.interval() <= 60_000
    clock.set(TOMORROW_MORNING)
    quick._ticker.timeout.emit()
    assert quick.findChild(QLabel, "quickDay").text() == "8월 13일 목요일"  # type: ignore[union-attr]
    quick.hide()
    assert not quick._ticker.isActive()


def test_trouble_with_the_disk_is_told_where_it_is_seen(quick: QuickLog, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_store: Store) -> today_marks.Today:
        raise WorldError("읽지 못했어요.", "디스크를 봐 주세요.")

    monkeypatch.setattr(today_marks, "look", refuse)
    quick.refresh()
    assert quick.notice.text == "읽지 못했어요. 디스크를 봐 주세요."
    assert len(quick.rows) == 3


# ---- opening and leaving ------------------------------------------------------------------------------------------


def test_escape_closes(quick: QuickLog, press: Keys) -> None:
    press(Qt.Key.Key_Escape)
    assert not quick.isVisible()


def leave(quick: QuickLog) -> QWidget:
    """Give the focus to another window."""
    other = QWidget()
    other.show()
    other.activateWindow()
    return other


def test_it_closes_when_another_window_takes_the_focus(quick: QuickLog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: quick._opened.elapsed() > 500)
    other = leave(quick)
    qtbot.waitUntil(lambda: not quick.isVisible())
    assert quick.was_just_left
    qtbot.waitUntil(lambda: not quick.was_just_left)
    other.deleteLater()


def test_a_focus_stolen_while_it_opens_is_taken_back(
    quick: QuickLog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quick_log, "_SETTLE_MS", 60_000)  # as if it had been opened just now
    other = leave(quick)
    qtbot.waitUntil(lambda: not quick.isActiveWindow())
    qtbot.waitUntil(quick.isActiveWindow)
    assert quick.isVisible()
    other.deleteLater()


def test_a_click_in_progress_is_finished_first(quick: QuickLog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    buttons = [Qt.MouseButton.LeftButton]
    monkeypatch.setattr(QGuiApplication, "mouseButtons", staticmethod(lambda: buttons[0]))
    qtbot.waitUntil(lambda: quick._opened.elapsed() > 500)
    other = leave(quick)
    with qtbot.waitSignal(quick._leaving.timeout):
        pass
    assert quick.isVisible()
    buttons[0] = Qt.MouseButton.NoButton
    qtbot.waitUntil(lambda: not quick.isVisible())
    other.deleteLater()


def test_it_opens_within_150_ms(quick: QuickLog, qtbot: QtBot, store: Store) -> None:
    times = []
    for number in range(7):
        quick.hide()
        # Something changed, so that every row is built anew: the slowest case.
        store.entries.change(quick.rows[0].overview.habit.id, TODAY, EntryValue.DONE if number % 2 else None)
        begin = time.perf_counter()
        quick.open_near(None)
        qtbot.waitExposed(quick)
        times.append(time.perf_counter() - begin)
    assert statistics.median(times) < 0.15


@pytest.mark.parametrize("place", [QRect(5, 3, 22, 22), QRect(770, 575, 22, 22), QRect(400, 590, 10, 10)])
def test_it_stands_by_the_icon_and_inside_the_screen(quick: QuickLog, place: QRect) -> None:
    quick.open_near(place)
    assert quick.screen().availableGeometry().contains(quick.frameGeometry())
    assert not quick.frameGeometry().intersects(place)


def test_without_an_icon_it_stands_in_the_middle(quick: QuickLog) -> None:
    distance = quick.frameGeometry().center() - quick.screen().availableGeometry().center()
    assert distance.manhattanLength() <= 2


# ---- words and sizes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("percent", [100, 200])
@pytest.mark.parametrize("language", ["ko", "en"])
def test_no_text_is_cut_off(qtbot: QtBot, store: Store, language: str, percent: int) -> None:
    add_habit(store, "daily-steps", started=date(2026, 8, 1))
    add_habit(store, "break-doomscrolling", started=date(2026, 8, 1))
    set_language(language)
    theme().choose("light", percent)
    try:
        window = QuickLog(store, Bus())
        window.open_near(None)
        qtbot.waitExposed(window)
        store.entries.log(window.rows[0].overview.habit.id, EntryValue.DONE)
        window.refresh()
        QApplication.processEvents()
        for each in window.findChildren(QPushButton):
            assert each.width() >= each.sizeHint().width(), each.text()
        for label in window.findChildren(QLabel):
            if label.text() and not label.isHidden():
                needed = label.heightForWidth(label.width()) if label.wordWrap() else label.sizeHint().height()
                assert label.height() >= needed, label.text()
        area = window._scroll
        assert area.widget() is not None
        assert area.widget().width() <= area.viewport().width()
        assert area.mapTo(window, QPoint(0, area.height())).y() <= window.height()
        window.close()
        window.deleteLater()
    finally:
        theme().choose("system")


def test_language_and_theme_are_followed_while_it_is_open(quick: QuickLog) -> None:
    set_language("en")
    quick.rebuild()
    assert quick.isVisible()
    assert quick.findChild(QLabel, "quickDay").text() == "Wednesday, 12 August"  # type: ignore[union-attr]
    assert len(quick.rows) == 3
