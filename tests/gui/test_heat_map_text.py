"""The days of a habit as text: the same as in the calendar, by month, and each line opens its day."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.ui.day_states import day_words
from lifehelper_desktop.ui.models.day_list import DAY, NOTE, VALUE
from lifehelper_desktop.ui.text import full_day
from lifehelper_desktop.ui.theme import theme
from tests.gui.detail import TODAY, Detail, OpenDetail, open_detail, walk

__all__ = ["open_detail", "walk"]


@pytest.fixture
def detail(open_detail: OpenDetail, walk: Habit) -> Detail:
    return open_detail(walk)


def test_the_text_says_the_same_as_the_calendar(detail: Detail) -> None:
    detail.click("heatAsText")
    heat, days = detail.page.heat, detail.page.heat.table.days
    assert heat.is_text
    assert heat.table.view.isVisible()
    assert not detail.grid.isVisible()
    record = detail.page.record
    assert record is not None
    assert days.rowCount() == (TODAY - detail.habit.start).days + 1
    for line in range(days.rowCount()):
        day = days.day_at(line)
        entry = record.entries.get(day)
        value = str(days.data(days.index(line, VALUE)))
        note = str(days.data(days.index(line, NOTE)))
        assert note == (entry.note if entry is not None else "")
        assert value in day_words(record, day)
        assert str(day.day) in str(days.data(days.index(line, DAY)))
    detail.click("heatAsText")
    assert detail.grid.isVisible()


@pytest.mark.parametrize("language", ["ko", "en"])
def test_the_longest_day_fits_into_its_column(open_detail: OpenDetail, walk: Habit, language: str) -> None:
    set_language(language)
    table = open_detail(walk).page.heat.table
    widest = table.view.fontMetrics().horizontalAdvance(full_day(date(2025, 9, 10)))  # a Wednesday
    assert table.view.columnWidth(DAY) >= widest + theme().px(12)


def test_the_text_is_filtered_by_month(detail: Detail) -> None:
    detail.click("heatAsText")
    table = detail.page.heat.table
    assert [table.month.itemText(at) for at in (0, 1, table.month.count() - 1)] == [
        "모든 달",
        "2026년 8월",
        "2025년 3월",
    ]
    table.show_month((2026, 2))
    assert table.days.rowCount() == 28
    assert {table.days.day_at(line).month for line in range(28)} == {2}
    table.show_month((2026, 8))
    assert table.days.rowCount() == TODAY.day
    assert [table.days.headerData(at, Qt.Orientation.Horizontal) for at in range(3)] == ["날짜", "기록", "메모"]


def test_a_line_of_the_text_opens_its_day(detail: Detail, qtbot: QtBot) -> None:
    detail.click("heatAsText")
    table = detail.page.heat.table
    table.view.setCurrentIndex(table.days.index(5, VALUE))
    qtbot.keyClick(table.view, Qt.Key.Key_Return)
    assert detail.text("dayState", detail.editor) == "기록 없음"
    detail.editor.reject()
    place = table.view.visualRect(table.days.index(6, DAY)).center()
    qtbot.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.mouseDClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert detail.text("dayState", detail.editor) == "최소"
    detail.editor.reject()
