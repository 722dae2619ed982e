"""The page of one habit: numbers say their rule, the charts can be read, and changes elsewhere are shown."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from time import perf_counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QPlainTextEdit, QProgressBar, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import EntryValue, Habit, Schedule, ScheduleKind
from lifehelper_desktop.domain.runs import MonthCount, Run
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.run_list import RunList
from tests.gui.detail import GAP_DAY, TODAY, YESTERDAY, Detail, OpenDetail, open_detail, todo
from tests.helpers.worlds import add_habit, fill, world_1
from tests.storage.transfer.support import bring, write_loop

__all__ = ["open_detail", "todo"]


@pytest.fixture
def detail(open_detail: OpenDetail, todo: Habit) -> Detail:
    return open_detail(todo)


# ---- what is shown --------------------------------------------------------------------------------------------------


def test_the_head_says_what_the_habit_is(open_detail: OpenDetail, store: Store) -> None:
    habit = world_1(store)["walk"]
    detail = open_detail(habit)
    assert detail.text("detailTitle") == habit.title_ko
    assert detail.text("detailFrame") == habit.framed_text
    assert detail.text("detailTier") == "나무"
    assert detail.text("detailPhase") == "유지기 43일째"
    assert detail.text("detailDone") == "최근 42일 가운데 41일 했어요"
    assert detail.text("detailNextTier") == ""
    assert detail.text("detailSchedule") == "매일 · 2026. 7. 1.부터"
    assert habit.standard_dose in detail.text("detailDose")
    ring = detail.page.head.ring
    assert ring.accessibleName() == "나무"
    assert "최근 42일 가운데 41일 했어요" in ring.accessibleDescription()


def test_the_numbers_come_with_their_rules(open_detail: OpenDetail, store: Store) -> None:
    detail = open_detail(world_1(store)["walk"])
    assert detail.text("numberCurrentNumber") == "42일"
    assert detail.text("numberLongestNumber") == "42일"
    assert detail.text("numberRecentNumber") == "29일"
    strength = store.record(detail.habit.id).strength[-1][1]
    assert detail.text("numberStrengthNumber") == f"{strength:.0%}"
    for name in ("Current", "Longest", "Recent", "Strength"):
        tile = detail.page.findChild(QWidget, f"number{name}")
        assert detail.text(f"number{name}Rule")
        assert tile.accessibleName().endswith(detail.text(f"number{name}Number"))
        assert tile.accessibleDescription() == detail.text(f"number{name}Rule")
    rules = detail.page.findChild(QWidget, "numberRulesText")
    assert not rules.isVisible()
    detail.click("numberRules")
    assert rules.isVisible()
    assert any("나무 36" in each.text() for each in rules.findChildren(QLabel))


def test_weeks_are_counted_in_weeks(open_detail: OpenDetail, store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=date(2026, 8, 3))
    store.habits.set_schedule(habit.id, Schedule(ScheduleKind.PER_WEEK, times=3))
    detail = open_detail(habit)
    assert detail.text("numberCurrentNumber").endswith("주")
    assert "이번 주" in detail.text("numberCurrentRule")
    assert detail.text("detailSchedule").startswith("일주일에 3번")


def test_an_imported_habit_says_where_it_comes_from(open_detail: OpenDetail, store: Store, tmp_path: Path) -> None:
    water = {"name": "물", "type": 1, "target_value": 2.0, "unit": "L", "description": "하루 <2 L>"}
    days = [(1, (TODAY - timedelta(days=2)).isoformat(), 2500, "많이 마셨다"), (1, YESTERDAY.isoformat(), 500, "")]
    bring(store, write_loop(tmp_path / "loop.db", [water], days))
    detail = open_detail(store.habits.list()[0])
    assert detail.text("detailSource") == "Loop Habit Tracker에서 가져왔어요"
    assert detail.text("detailDescription") == store.habits.list()[0].description
    detail.page.open_day(TODAY - timedelta(days=2))
    assert detail.text("dayAmount", detail.editor) == "가져온 양: 2.5 L"
    assert not detail.editor.values[EntryValue.MINIMUM].isEnabled()
    detail.editor.reject()
    detail.page.open_day(YESTERDAY)
    assert detail.editor.values[EntryValue.NOT_DONE].isChecked()
    detail.editor.note.setPlainText("조금만")
    detail.click("daySave", detail.editor)
    entry = store.entries.get(detail.habit.id, YESTERDAY)
    assert entry is not None
    assert (entry.value, entry.note, entry.amount) == (EntryValue.NOT_DONE, "조금만", 0.5)
    detail.undo()
    entry = store.entries.get(detail.habit.id, YESTERDAY)
    assert entry is not None
    assert entry.note == ""


def test_the_longest_runs_are_listed(detail: Detail) -> None:
    runs = detail.page.runs
    assert [detail.text(f"run_{line}", runs) for line in (0, 1)] == ["6일", "3일"]
    assert detail.text("runDays_0", runs) == "2026. 8. 1. – 2026. 8. 6."
    bars = runs.findChildren(QProgressBar)
    assert [bar.value() for bar in bars] == [6, 3]
    assert bars[0].accessibleName() == "6일, 2026. 8. 1. – 2026. 8. 6."


def test_of_many_runs_the_five_longest_are_shown(qtbot: QtBot) -> None:
    day = date(2026, 8, 1)
    runs = RunList()
    qtbot.addWidget(runs)
    lengths = (2, 9, 4, 4, 7, 1, 3)
    made = [
        Run(day + timedelta(days=20 * at), day + timedelta(days=20 * at + n), n, "week", is_current=n == 9)
        for at, n in enumerate(lengths)
    ]
    runs.show_runs(made)
    shown = [runs.findChild(QLabel, f"run_{line}").text() for line in range(5)]
    assert shown == ["9주", "7주", "4주", "4주", "3주"]
    assert runs.findChild(QLabel, "run_5") is None
    assert runs.findChild(QLabel, "runDays_0").text() == "2026. 8. 21. – 지금"
    assert runs.findChild(QLabel, "runDays_2").text().startswith("2026. 9. 30.")  # the newer of two as long
    runs.show_runs(())
    assert not runs._empty.isHidden()


def test_the_strength_is_read_by_keyboard_and_mouse(detail: Detail, qtbot: QtBot) -> None:
    chart = detail.page.strength.chart
    record = detail.page.record
    assert record is not None
    assert chart.count() == len(record.strength) == 12
    last = f"8월 12일(수) · {record.strength[-1][1]:.0%}"
    assert chart.words(11) == last
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    assert chart.reading == 11
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.reading == 10
    assert chart.accessibleDescription().startswith(f"8월 11일(화) · {record.strength[10][1]:.0%}")
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    assert chart.reading == 0
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.reading == 0
    qtbot.keyClick(chart, Qt.Key.Key_PageDown)
    assert chart.reading == 11
    chart.clearFocus()
    assert chart.reading is None
    qtbot.mouseMove(chart, chart.point(5).toPoint())
    assert chart.reading == 5
    assert chart.accessibleName() == "강도"


def test_the_span_of_the_strength_is_chosen(open_detail: OpenDetail, store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=date(2024, 8, 1))
    detail = open_detail(habit)
    line = detail.page.strength
    total = (TODAY - date(2024, 8, 1)).days + 1
    for name, length in (("quarter", 92), ("year", 366), ("all", total)):
        detail.click(f"strengthSpan_{name}")
        assert line.chart.count() == length
        assert line.chosen == name
        assert not line.grab().isNull()
    detail.page.refresh()
    assert line.chart.count() == total


def test_the_months_can_be_read(open_detail: OpenDetail, store: Store, qtbot: QtBot) -> None:
    habit = add_habit(store, "daily-steps", started=date(2025, 1, 10))
    fill(store, habit, date(2026, 7, 1), date(2026, 7, 20))
    fill(store, habit, date(2026, 7, 21), date(2026, 7, 22), EntryValue.MINIMUM)
    fill(store, habit, date(2026, 7, 23), date(2026, 7, 23), EntryValue.BLANK)
    detail = open_detail(habit)
    chart = detail.page.months.chart
    assert chart.count() == 12
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    assert chart.words(10) == "2026년 7월 · 완료 20일 · 최소 2일 · 쉬기 1일 · 기록 없음 8일"
    assert chart.accessibleDescription().startswith(chart.words(10))
    qtbot.mouseMove(chart, chart.point(3).toPoint())
    assert chart.reading == 3
    detail.click("monthSpan_all")
    assert chart.count() == 20
    assert chart.words(0).startswith("2025년 1월")
    assert not chart.grab().isNull()


def test_a_month_without_anything_is_drawn(detail: Detail) -> None:
    chart = detail.page.months.chart
    chart.show_months((MonthCount(2026, 7, 0, 0, 0, 0), MonthCount(2026, 8, 31, 0, 0, 0)))
    assert not chart.grab().isNull()
    chart.show_months(())
    assert chart.accessibleDescription() == "아직 기록이 없어요."
    assert not chart.grab().isNull()


# ---- what happens elsewhere -----------------------------------------------------------------------------------------


def test_a_change_elsewhere_is_shown(detail: Detail, store: Store) -> None:
    changes = store.entries.change(detail.habit.id, GAP_DAY, EntryValue.BLANK)
    detail.bus.publish_data(changes)
    detail.wait_words(GAP_DAY, "쉬기")
    detail.bus.publish_data(Changes(settings=frozenset({WEEK_START.key})))
    detail.bus.publish_data(Changes(habits=frozenset({detail.habit.id + 1})))


def test_a_hidden_page_reads_when_it_is_shown(detail: Detail, store: Store) -> None:
    detail.page.hide()
    detail.bus.publish_data(store.entries.change(detail.habit.id, GAP_DAY, EntryValue.BLANK))
    detail.qtbot.waitUntil(lambda: detail.page._is_stale)
    detail.page.show()
    detail.wait_words(GAP_DAY, "쉬기")


def test_a_habit_that_is_gone_leads_back(detail: Detail, store: Store) -> None:
    detail.page.open_day(GAP_DAY)
    detail.bus.publish_data(store.trash.delete(detail.habit.id))
    detail.qtbot.waitUntil(lambda: detail.left == [True])
    assert detail.page.habit_id is None
    assert detail.page.editor is None
    detail.page.refresh()
    detail.page.mark(EntryValue.DONE)
    assert detail.left == [True]


def test_what_cannot_be_read_is_told(detail: Detail, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_habit_id: int) -> None:
        raise WorldError("파일을 읽지 못했어요.", "다시 열어 주세요.")

    told: list[object] = []
    detail.bus.on_notice(told.append)
    monkeypatch.setattr(store, "record", broken)
    detail.page.refresh()
    detail.qtbot.waitUntil(lambda: len(told) == 1)
    assert detail.text("detailTitle")  # what was read last stays
    detail.page.show_habit(detail.habit.id + 1)
    assert detail.page.record is None
    assert not detail.text("detailTitle")


def test_the_buttons_ask_for_the_rest(detail: Detail, qtbot: QtBot) -> None:
    with qtbot.waitSignal(detail.page.edit_asked) as edit:
        detail.click("detailEdit")
    assert edit.args == [detail.store.habits.get(detail.habit.id)]
    with qtbot.waitSignal(detail.page.reminders_asked) as reminders:
        detail.click("detailReminders")
    assert reminders.args == [detail.habit.id]
    detail.click("detailBack")
    assert detail.left == [True]


def test_everything_has_a_name(detail: Detail) -> None:
    detail.page.open_day(GAP_DAY)
    for each in detail.page.findChildren(QWidget):
        if not each.isVisible() or each.focusPolicy() == Qt.FocusPolicy.NoFocus:
            continue
        if isinstance(each, QAbstractButton):
            assert each.objectName(), each
            assert each.text() or each.accessibleName(), each.objectName()
        elif isinstance(each, QPlainTextEdit) or each in (detail.grid, detail.page.strength.chart):
            assert each.accessibleName(), each
    detail.editor.reject()


@pytest.mark.parametrize("width", [440, 1100])
@pytest.mark.parametrize("percent", [100, 200])
def test_nothing_is_cut_off(open_detail: OpenDetail, todo: Habit, percent: int, width: int) -> None:
    theme().choose("light", percent)
    try:
        detail = open_detail(todo)
        detail.page.resize(width, 1400)
        detail.page.numbers.how.click()
        detail.qtbot.waitUntil(lambda: cut_off(detail.page) == [], timeout=2000)
        detail.page.open_day(date(2026, 7, 20))
        detail.qtbot.waitUntil(lambda: cut_off(detail.editor) == [], timeout=2000)
        detail.editor.reject()
    finally:
        theme().choose("system")


def cut_off(inside: QWidget) -> list[str]:
    """Return the words of the labels and buttons that do not fit."""
    found: list[str] = []
    for each in inside.findChildren(QWidget):
        if not each.isVisible() or not isinstance(each, (QLabel, QPushButton)) or not each.text():
            continue
        wraps = isinstance(each, QLabel) and each.wordWrap()
        wish = each.sizeHint()
        height = each.heightForWidth(each.width()) if wraps else wish.height()
        right = each.mapTo(inside, each.rect().topRight()).x()
        if each.height() < height or right > inside.width() or (not wraps and each.width() < wish.width()):
            found.append(each.text())
    return found


def test_ten_years_open_in_an_instant(open_detail: OpenDetail, store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=date(2016, 8, 14))
    with store.db.write():
        fill(store, habit, date(2016, 8, 14), TODAY - timedelta(days=1))
    detail = open_detail(habit)
    assert len(store.entries.for_habit(habit.id)) == 3650
    begin = perf_counter()
    detail.page.show_habit(habit.id)
    detail.page.repaint()
    taken = perf_counter() - begin
    assert taken < 0.6, "three times the aim of 0.2 s, for busy machines"
