"""The page of the weekly review: weeks back and forth, signs with names, advice that leads on, and the copy."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.domain.review_words import review_text
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.screens.review import ReviewScreen
from lifehelper_desktop.ui.widgets.week_table import DayCell
from tests.helpers.worlds import add_habit

Make = Callable[[], ReviewScreen]


@pytest.fixture
def bus() -> Bus:
    return Bus()


@pytest.fixture
def make(qtbot: QtBot, store: Store, bus: Bus) -> Make:
    """Return a maker of pages, each shown."""

    def one() -> ReviewScreen:
        page = ReviewScreen(store, bus)
        page.resize(760, 700)
        qtbot.addWidget(page)
        page.show()
        return page

    return one


def words(page: QWidget) -> list[str]:
    return [each.text() for each in page.findChildren(QLabel) if each.isVisible()]


def test_it_begins_with_the_last_closed_week(make: Make, habits: dict[str, Habit]) -> None:
    page = make()
    assert page.name.text() == "지난주"
    assert page.span.text() == "8월 3일(월) – 8월 9일(일)"
    shown = words(page)
    assert "모두 19번 가운데 19번을 이었어요. 그 전주에는 9번 했어요." in shown
    assert "모든 습관을 빠짐없이 이었어요." in shown
    assert "잘된 것" in shown
    assert "바꿔 볼 것 하나" in shown


def test_in_the_first_week_it_begins_with_that(make: Make, store: Store) -> None:
    add_habit(store, "daily-steps")
    page = make()
    assert page.name.text() == "이번 주"
    assert page.review is not None
    assert page.review.habits


def test_weeks_are_turned_and_the_running_one_is_the_last(make: Make, habits: dict[str, Habit], qtbot: QtBot) -> None:
    page = make()
    qtbot.mouseClick(page.later, Qt.MouseButton.LeftButton)
    assert page.name.text() == "이번 주"
    assert not page.later.isEnabled()
    assert page.focusWidget() is page.earlier  # the keyboard is not left on a button that is off
    for _ in range(2):
        qtbot.mouseClick(page.earlier, Qt.MouseButton.LeftButton)
    assert page.name.text() == "2026-07-27(월)부터 2026-08-02(일)까지"
    page.show_week(date(2026, 8, 12))
    assert page.name.text() == "이번 주"
    page.show_week(date(2099, 1, 1))
    assert page.name.text() == "이번 주"


def test_each_day_has_a_sign_and_a_name(make: Make, store: Store, habits: dict[str, Habit]) -> None:
    store.entries.change(habits["walk"].id, date(2026, 8, 5), EntryValue.MINIMUM)
    store.entries.change(habits["walk"].id, date(2026, 8, 6), None)
    page = make()
    names = [each.accessibleName() for each in page.findChildren(DayCell)]
    assert len(names) == 3 * 7
    assert names[:5] == [
        "8월 3일(월): 완료",
        "8월 4일(화): 완료",
        "8월 5일(수): 최소",
        "8월 6일(목): 기록 없음",
        "8월 7일(금): 완료",
    ]
    arrow = page.findChild(QToolButton, f"reviewHabit_{habits['walk'].id}")
    assert arrow is not None
    assert arrow.accessibleName() == "‘하루 걷기’ 자세히 보기"
    assert "수요일 최소, 목요일 기록 없음" in arrow.accessibleDescription()


def test_a_habit_leads_to_its_page_and_the_advice_to_its_form(
    make: Make, store: Store, habits: dict[str, Habit], qtbot: QtBot
) -> None:
    walk = habits["walk"]
    store.entries.change(walk.id, date(2026, 8, 6), None)
    page = make()
    arrow = page.findChild(QToolButton, f"reviewHabit_{walk.id}")
    edit = page.findChild(QPushButton, "editAdvised")
    assert arrow is not None
    assert edit is not None
    with qtbot.waitSignal(page.detail_asked, check_params_cb=lambda habit_id: habit_id == walk.id):
        qtbot.mouseClick(arrow, Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(page.edit_asked, check_params_cb=lambda habit: habit.id == walk.id):
        qtbot.mouseClick(edit, Qt.MouseButton.LeftButton)


def test_changes_show_at_once(make: Make, store: Store, bus: Bus, habits: dict[str, Habit], qtbot: QtBot) -> None:
    page = make()
    bus.publish_data(store.entries.change(habits["walk"].id, date(2026, 8, 6), None))
    qtbot.waitUntil(lambda: "모두 19번 가운데 18번을 이었어요. 그 전주에는 9번 했어요." in words(page))
    bus.publish_data(store.settings.set(WEEK_START, "sunday"))
    qtbot.waitUntil(lambda: page.span.text() == "8월 2일(일) – 8월 8일(토)")


def test_the_copy_is_the_whole_text(make: Make, habits: dict[str, Habit], qtbot: QtBot) -> None:
    page = make()
    copy = page.findChild(QPushButton, "copyReview")
    assert copy is not None
    qtbot.mouseClick(copy, Qt.MouseButton.LeftButton)
    assert page.review is not None
    assert QGuiApplication.clipboard().text() == review_text(page.review)
    assert page.notice.text == "복사했어요."


def test_without_habits_it_leads_to_the_catalogue_in_words(make: Make) -> None:
    page = make()
    shown = words(page)
    assert "이 주에는 습관이 없었어요." in shown
    assert any("카탈로그에서 하나를 골라" in each for each in shown)


def test_a_narrow_page_puts_the_words_above_the_days(make: Make, habits: dict[str, Habit], qtbot: QtBot) -> None:
    page = make()
    page.resize(360, 700)

    def stacked() -> bool:
        cell = page.findChildren(DayCell)[0]
        title = next(each for each in page.findChildren(QLabel) if each.text() == "하루 걷기" and each.isVisible())
        return cell.mapTo(page, cell.rect().topLeft()).y() >= title.mapTo(page, title.rect().bottomLeft()).y()

    qtbot.waitUntil(stacked)
    assert page._scroll.widget().width() <= page._scroll.viewport().width()
