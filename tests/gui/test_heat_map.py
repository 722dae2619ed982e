"""The calendar of a habit: exactly one cell for each civil day, its keyboard, its words and its colours."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta
from time import perf_counter
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QHelpEvent, QImage
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.habits import EntryValue, Habit, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.day_states import DayState, day_state
from lifehelper_desktop.ui.models.day_grid import RECENT, WEEK
from lifehelper_desktop.ui.theme import LOOKS, load_tokens
from tests.gui.detail import TODAY, YESTERDAY, Detail, OpenDetail, open_detail, walk
from tests.helpers.worlds import add_habit, fill

__all__ = ["open_detail", "walk"]

NEW_YORK = ZoneInfo("America/New_York")


@pytest.fixture
def detail(open_detail: OpenDetail, walk: Habit) -> Detail:
    return open_detail(walk)


def days_shown(detail: Detail) -> list[date]:
    return [day for _line, _column, day in detail.grid.grid.days()]


def words_of(detail: Detail, day: date) -> str:
    grid = detail.grid.grid
    return str(grid.data(grid.index_of(day), Qt.ItemDataRole.AccessibleTextRole))


# ---- one cell for each civil day ------------------------------------------------------------------------------------


@pytest.mark.parametrize("first_day", ["monday", "sunday"])
def test_each_day_of_a_year_has_exactly_one_cell(
    open_detail: OpenDetail, store: Store, clock: FixedClock, first_day: str
) -> None:
    store.settings.set(WEEK_START, first_day)
    habit = add_habit(store, "daily-steps", started=date(2023, 12, 1))
    clock.set(datetime(2025, 11, 20, 12, tzinfo=NEW_YORK))
    detail = open_detail(habit)
    for year, length in ((2023, 365), (2024, 366), (2025, 365)):
        detail.page.heat.show_year(year)
        grid = detail.grid.grid
        cells = Counter(
            day
            for line in range(grid.rowCount())
            for column in range(grid.columnCount())
            if (day := grid.day_at(grid.index(line, column))) is not None
        )
        assert len(cells) == length
        assert set(cells.values()) == {1}
        assert sorted(cells) == days_shown(detail)
        places = {detail.grid.cell_rect(day).topLeft().toTuple() for day in cells}
        assert len(places) == length
        for day in days_shown(detail):
            index = grid.index_of(day)
            assert grid.day_at(index) == day
            assert index.row() == (day.isoweekday() - (1 if first_day == "monday" else 7)) % WEEK


@pytest.mark.parametrize("day", [date(2025, 3, 9), date(2025, 11, 2)])
def test_the_days_of_23_and_25_hours_are_there_once(
    open_detail: OpenDetail, store: Store, clock: FixedClock, day: date
) -> None:
    habit = add_habit(store, "daily-steps", started=date(2025, 1, 1))
    clock.set(datetime(day.year, day.month, day.day, 23, 30, tzinfo=NEW_YORK))
    fill(store, habit, day - timedelta(days=1), day)
    detail = open_detail(habit)
    for year in (RECENT, 2025):
        detail.page.heat.show_year(year)
        assert days_shown(detail).count(day) == 1
        assert words_of(detail, day).endswith("오늘 · 완료")
    clock.set(datetime(day.year, day.month, day.day + 1, 12, tzinfo=NEW_YORK))
    store.entries.log(habit.id, EntryValue.DONE)
    detail.page.refresh()
    assert detail.text("numberCurrentNumber") == "3일"


def test_the_last_year_is_53_weeks_that_end_with_this_one(detail: Detail) -> None:
    shown = days_shown(detail)
    assert shown[-1] == TODAY
    assert detail.grid.grid.columnCount() == 53
    assert shown[0].isoweekday() == 1
    assert shown == [shown[0] + timedelta(days=number) for number in range(len(shown))]


def test_the_week_begins_as_the_settings_say(detail: Detail, store: Store) -> None:
    grid = detail.grid.grid
    assert grid.headerData(0, Qt.Orientation.Vertical) == "월"
    assert grid.index_of(TODAY).row() == 2
    before = store.entries.for_habit(detail.habit.id)
    store.settings.set(WEEK_START, "sunday")
    detail.page.refresh()
    assert grid.headerData(0, Qt.Orientation.Vertical) == "일"
    assert grid.index_of(TODAY).row() == 3
    assert store.entries.for_habit(detail.habit.id) == before


def test_the_page_opens_on_a_leap_day(open_detail: OpenDetail, store: Store, clock: FixedClock) -> None:
    habit = add_habit(store, "daily-steps", started=date(2023, 1, 1))
    clock.set(datetime(2024, 2, 29, 12, tzinfo=NEW_YORK))
    detail = open_detail(habit)
    assert words_of(detail, date(2024, 2, 29)) == "2월 29일 목요일 · 오늘 · 기록 전"
    detail.page.heat.show_year(2024)
    assert len(days_shown(detail)) == 366
    detail.focus(date(2024, 2, 29))
    assert detail.press(Qt.Key.Key_PageUp) == date(2024, 1, 29)
    assert detail.press(Qt.Key.Key_PageDown) == date(2024, 2, 29)
    detail.press(Qt.Key.Key_Space)
    assert detail.value(date(2024, 2, 29)) is EntryValue.DONE


# ---- what the cells say ---------------------------------------------------------------------------------------------


def test_a_day_in_words(detail: Detail) -> None:
    assert words_of(detail, date(2026, 8, 6)) == "8월 6일 목요일 · 최소 · 비가 왔다"
    assert words_of(detail, date(2026, 8, 7)) == "8월 7일 금요일 · 기록 없음"
    assert words_of(detail, date(2025, 12, 31)) == "2025년 12월 31일 수요일 · 완료"
    assert words_of(detail, TODAY) == "8월 12일 수요일 · 오늘 · 기록 전"
    detail.page.heat.show_year(2025)
    assert words_of(detail, date(2025, 2, 28)) == "2025년 2월 28일 금요일 · 시작하기 전"
    detail.page.heat.show_year(2026)
    assert words_of(detail, date(2026, 8, 13)) == "8월 13일 목요일 · 아직 오지 않은 날"


def test_every_state_is_told_apart(detail: Detail, store: Store) -> None:
    habit = detail.habit
    store.entries.change(habit.id, YESTERDAY, EntryValue.NOT_DONE)
    record = store.record(habit.id)
    found = {day_state(record, TODAY - timedelta(days=back)) for back in range(-1, 600)}
    assert found == {
        DayState.DONE,
        DayState.MINIMUM,
        DayState.BLANK,
        DayState.NOT_DONE,
        DayState.MISSED,
        DayState.OPEN,
        DayState.BEFORE,
        DayState.CLOSED,
    }


def test_days_off_the_schedule_and_in_a_pause(open_detail: OpenDetail, store: Store, clock: FixedClock) -> None:
    habit = add_habit(store, "daily-steps", started=date(2026, 7, 1))
    store.habits.set_schedule(habit.id, Schedule(ScheduleKind.WEEKDAYS, weekdays=frozenset({1, 3})))
    clock.set(datetime(2026, 8, 20, 12, tzinfo=NEW_YORK))
    store.habits.pause(habit.id)
    clock.set(datetime(2026, 8, 30, 12, tzinfo=NEW_YORK))
    detail = open_detail(habit)
    assert words_of(detail, date(2026, 8, 14)).endswith("정한 날이 아님")
    assert words_of(detail, date(2026, 8, 17)).endswith("기록 없음")
    assert words_of(detail, date(2026, 8, 25)).endswith("쉬어 가는 중")


def test_n_times_a_week_leaves_days_open(open_detail: OpenDetail, store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=date(2026, 8, 12))
    store.habits.set_schedule(habit.id, Schedule(ScheduleKind.PER_WEEK, times=3))
    store.entries.change(habit.id, date(2026, 8, 1), EntryValue.DONE)
    record = open_detail(habit).page.record
    assert record is not None
    assert {day_state(record, date(2026, 8, day)) for day in range(2, 12)} == {DayState.LEFT}
    assert day_state(record, TODAY) is DayState.OPEN


def test_the_tool_tip_says_the_day(detail: Detail, qtbot: QtBot) -> None:
    place = detail.grid.cell_rect(date(2026, 8, 6)).center()
    at = detail.grid.viewport().mapToGlobal(place)
    help_event = QHelpEvent(QHelpEvent.Type.ToolTip, place, at)
    detail.grid.viewportEvent(help_event)
    qtbot.waitUntil(lambda: QToolTip.text() == "8월 6일 목요일 · 최소 · 비가 왔다")
    QToolTip.hideText()


def test_the_day_under_the_mouse_is_told_below(detail: Detail, qtbot: QtBot) -> None:
    assert detail.text("heatWords").startswith("최근 1년 · 완료 ")
    qtbot.mouseMove(detail.grid.viewport(), detail.grid.cell_rect(date(2026, 8, 6)).center())
    assert detail.text("heatWords") == "8월 6일 목요일 · 최소 · 비가 왔다"
    qtbot.mouseMove(detail.grid.viewport(), QPoint(1, detail.grid.viewport().height() + 40))


def test_what_looks_like_markup_stays_text(detail: Detail, store: Store) -> None:
    store.entries.change(detail.habit.id, YESTERDAY, EntryValue.DONE, "<b>굵게</b>")
    detail.page.refresh()
    grid = detail.grid.grid
    tip = str(grid.data(grid.index_of(YESTERDAY), Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;굵게" in tip
    assert words_of(detail, YESTERDAY).endswith("<b>굵게</b>")


# ---- screen readers -------------------------------------------------------------------------------------------------


def test_screen_readers_find_a_table_of_named_days(detail: Detail) -> None:
    table = QAccessible.queryAccessibleInterface(detail.grid)
    assert table is not None
    assert table.role() == QAccessible.Role.Table
    assert table.text(QAccessible.Text.Name) == "달력 · 최근 1년"
    assert "완료" in table.text(QAccessible.Text.Description)
    names = [table.child(number).text(QAccessible.Text.Name) for number in range(table.childCount())]
    assert names.count("8월 6일 목요일 · 최소 · 비가 왔다") == 1
    assert names.count("월") == 1


def test_a_cell_that_has_not_come_is_switched_off(detail: Detail) -> None:
    grid = detail.grid.grid
    detail.page.heat.show_year(2026)
    assert grid.flags(grid.index_of(TODAY)) & Qt.ItemFlag.ItemIsEnabled
    assert not grid.flags(grid.index_of(TODAY + timedelta(days=1))) & Qt.ItemFlag.ItemIsEnabled
    detail.click_day(TODAY + timedelta(days=1))
    assert detail.page.editor is None


# ---- the keyboard ---------------------------------------------------------------------------------------------------


def test_the_arrows_walk_over_days_and_weeks(detail: Detail) -> None:
    detail.focus(date(2026, 8, 10))  # a Monday, at the top of its column
    assert detail.press(Qt.Key.Key_Up) == date(2026, 8, 9)
    assert detail.press(Qt.Key.Key_Down) == date(2026, 8, 10)
    assert detail.press(Qt.Key.Key_Left) == date(2026, 8, 3)
    assert detail.press(Qt.Key.Key_Right) == date(2026, 8, 10)
    assert detail.press(Qt.Key.Key_End) == TODAY  # the week ends with what has come
    assert detail.press(Qt.Key.Key_Home) == date(2026, 8, 10)
    assert detail.press(Qt.Key.Key_Right) == TODAY
    assert detail.press(Qt.Key.Key_Down) == TODAY
    assert detail.press(Qt.Key.Key_PageUp) == date(2026, 7, 12)
    assert detail.press(Qt.Key.Key_PageDown) == TODAY
    assert detail.text("heatWords") == "8월 12일 수요일 · 오늘 · 기록 전"


def test_home_and_end_of_what_is_shown(detail: Detail) -> None:
    detail.page.heat.show_year(2025)
    detail.focus(date(2025, 6, 4))
    assert detail.press(Qt.Key.Key_Home, ctrl=True) == date(2025, 1, 1)
    assert detail.press(Qt.Key.Key_Home) == date(2025, 1, 1)  # its Monday lies in the year before
    assert detail.press(Qt.Key.Key_End, ctrl=True) == date(2025, 12, 31)


def test_the_keyboard_goes_over_the_edge_of_the_year(detail: Detail) -> None:
    detail.page.heat.show_year(2026)
    detail.focus(date(2026, 1, 1))
    assert detail.press(Qt.Key.Key_Up) == date(2025, 12, 31)
    assert detail.text("heatYear") == "2025년"
    assert detail.press(Qt.Key.Key_Down) == date(2026, 1, 1)
    assert detail.text("heatYear") == "2026년"
    detail.page.heat.show_year(2025)
    detail.focus(date(2025, 1, 3))
    assert detail.press(Qt.Key.Key_Left) == date(2025, 1, 1)  # no year before that of the start
    detail.page.heat.show_year(RECENT)
    detail.focus(days_shown(detail)[0])
    assert detail.press(Qt.Key.Key_Up) == date(2025, 8, 10)
    assert detail.text("heatYear") == "2025년"


def test_tab_leaves_the_calendar(detail: Detail, qtbot: QtBot) -> None:
    detail.focus(date(2026, 8, 3))
    qtbot.keyClick(detail.grid, Qt.Key.Key_Tab)
    assert not detail.grid.hasFocus()


def test_the_focused_cell_can_be_seen(detail: Detail) -> None:
    day = date(2026, 6, 10)
    detail.focus(TODAY)
    before = _picture_of(detail, day)
    detail.focus(day)
    assert _picture_of(detail, day) != before


def _picture_of(detail: Detail, day: date) -> QImage:
    return detail.grid.viewport().grab(detail.grid.cell_rect(day).adjusted(-2, -2, 2, 2)).toImage()


# ---- years and legend -----------------------------------------------------------------------------------------------


def test_the_years_are_switched(detail: Detail) -> None:
    heat = detail.page.heat
    assert detail.text("heatYear") == "최근 1년"
    assert not heat.later.isEnabled()
    detail.click("heatEarlier")
    assert detail.text("heatYear") == "2026년"
    detail.click("heatEarlier")
    assert detail.text("heatYear") == "2025년"
    assert not heat.earlier.isEnabled()
    detail.click("heatRecent")
    assert detail.text("heatYear") == "최근 1년"
    detail.page.heat.show_year(2025)
    detail.click("heatLater")
    detail.click("heatLater")
    assert detail.text("heatYear") == "최근 1년"
    for each in (heat.earlier, heat.later, heat.recent, heat.as_text):
        assert each.accessibleName() or each.text()


def test_the_legend_names_what_is_shown(detail: Detail, store: Store) -> None:
    def legend() -> list[str]:
        names = [
            "완료",
            "최소",
            "쉬기",
            "안 함",
            "기록 없음",
            "비워 둔 날",
            "정한 날이 아님",
            "쉬어 가는 중",
            "시작하기 전",
        ]
        shown = {each.text() for each in detail.page.heat._legend.findChildren(type(detail.page.heat._words))}
        return [name for name in (*names, "메모 있음") if name in shown]

    assert legend() == ["완료", "최소", "쉬기", "기록 없음", "메모 있음"]
    store.entries.change(detail.habit.id, YESTERDAY, EntryValue.NOT_DONE)
    detail.page.refresh()
    detail.page.heat.show_year(2025)
    assert "시작하기 전" in legend()


# ---- speed and colours ----------------------------------------------------------------------------------------------


def test_ten_years_are_drawn_in_an_instant(open_detail: OpenDetail, store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=date(2016, 8, 13))
    with store.db.write():
        fill(store, habit, date(2016, 8, 13), YESTERDAY)
    detail = open_detail(habit)
    for year in (RECENT, 2016, 2020, 2026):
        detail.page.heat.show_year(year)
        begin = perf_counter()
        detail.grid.viewport().repaint()  # the first time, with nothing kept
        first = perf_counter()
        detail.grid.viewport().repaint()
        again = perf_counter()
        assert first - begin < 0.15, "three times the aim, for busy machines"
        assert again - first < 0.05


@pytest.mark.parametrize("look", LOOKS)
def test_every_sign_can_be_seen(look: str) -> None:
    tokens = load_tokens(look)
    signs = [
        ("accent", "surface"),
        ("on_blue_soft", "blue_soft"),
        ("muted", "surface"),
        ("border_strong", "surface"),
        ("border_strong", "sunken"),
        ("on_accent", "accent"),
        ("text", "accent_soft"),
        ("text", "blue_soft"),
        ("accent", "accent_soft"),
        ("on_gold_soft", "surface"),
    ]
    for sign, ground in signs:
        assert contrast(tokens.colour(sign), tokens.colour(ground)) >= 3, (look, sign, ground)


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of WCAG 2."""

    def light(colour: QColor) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.getRgbF()[:3]]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    bright, dark = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)
