"""How often a habit is due: choosing it by mouse and keyboard, and its rule in words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from lifehelper_desktop.domain.habits import DAILY, Schedule, ScheduleKind
from lifehelper_desktop.domain.schedule import check_schedule
from lifehelper_desktop.ui.widgets.schedule_editor import ScheduleEditor


def make(qtbot: QtBot, schedule: Schedule = DAILY, *, week_start: int = 1, is_change: bool = False) -> ScheduleEditor:
    editor = ScheduleEditor(schedule, week_start=week_start, is_change=is_change)
    qtbot.addWidget(editor)
    editor.show()
    editor.activateWindow()
    qtbot.waitUntil(editor.isActiveWindow)
    return editor


def words(editor: ScheduleEditor) -> str:
    label = editor.findChild(QLabel, "scheduleWords")
    assert isinstance(label, QLabel)
    return label.text()


def press(editor: ScheduleEditor, kind: ScheduleKind) -> None:
    editor.kinds[kind].click()


@pytest.mark.parametrize(
    ("schedule", "rule"),
    [
        (DAILY, "매일 해요. ‘쉬기’로 둔 날은 연속을 끊지 않아요."),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5})), "월·수·금에 해요. 쉬는 날은 연속을 끊지 않아요."),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({7})), "일요일에 해요. 쉬는 날은 연속을 끊지 않아요."),
        (Schedule(ScheduleKind.WEEKDAYS, frozenset({6, 7})), "주말에 해요. 쉬는 날은 연속을 끊지 않아요."),
        (
            Schedule(ScheduleKind.PER_WEEK, times=3),
            "일주일에 3번, 어느 날이든 좋아요. 연속은 주(월~일) 단위로 세어요.",
        ),
        (Schedule(ScheduleKind.EVERY_DAYS, days=3), "한 날부터 3일 안에 다시 하면 연속이 이어져요."),
        (Schedule(ScheduleKind.PER_MONTH, times=4), "한 달에 4번, 어느 날이든 좋아요. 연속은 달 단위로 세어요."),
    ],
)
def test_every_kind_begins_as_it_is_stored_and_says_its_rule(qtbot: QtBot, schedule: Schedule, rule: str) -> None:
    editor = make(qtbot, schedule)
    assert editor.schedule == schedule
    assert words(editor) == rule
    assert editor.problem == ""


def test_every_choice_can_be_stored(qtbot: QtBot) -> None:
    editor = make(qtbot)
    for kind in ScheduleKind:
        with qtbot.waitSignal(editor.changed):
            press(editor, kind)
        assert editor.kind is kind
        check_schedule(editor.schedule)
        for stepper in editor.numbers.values():
            for end in (stepper.number.minimum(), stepper.number.maximum()):
                stepper.number.setValue(end)
                check_schedule(editor.schedule)


def test_no_weekday_is_a_problem_and_all_seven_are_every_day(qtbot: QtBot) -> None:
    editor = make(qtbot, Schedule(ScheduleKind.WEEKDAYS, frozenset({2})))
    editor.days.chips[2].click()
    assert editor.problem == "요일을 하나 이상 골라 주세요."
    assert words(editor) == editor.problem
    for chip in editor.days.chips.values():
        chip.click()
    assert editor.schedule == DAILY
    assert editor.problem == ""


def test_the_week_begins_where_the_settings_say(qtbot: QtBot) -> None:
    editor = make(qtbot, Schedule(ScheduleKind.WEEKDAYS, frozenset({3, 5, 7})), week_start=7)
    assert [chip.text() for chip in editor.days.chips.values()] == ["일", "월", "화", "수", "목", "금", "토"]
    assert words(editor) == "일·수·금에 해요. 쉬는 날은 연속을 끊지 않아요."
    press(editor, ScheduleKind.PER_WEEK)
    assert "(일~토)" in words(editor)


def test_weekdays_by_keyboard(qtbot: QtBot) -> None:
    editor = make(qtbot, Schedule(ScheduleKind.WEEKDAYS, frozenset({1})))
    monday = editor.days.chips[1]
    monday.setFocus()
    qtbot.keyClick(monday, Qt.Key.Key_Right)
    tuesday = editor.days.chips[2]
    assert editor.focusWidget() is tuesday
    qtbot.keyClick(tuesday, Qt.Key.Key_Space)
    assert editor.schedule.weekdays == frozenset({1, 2})
    qtbot.keyClick(tuesday, Qt.Key.Key_Left)
    qtbot.keyClick(monday, Qt.Key.Key_Left)  # around
    assert editor.focusWidget() is editor.days.chips[7]
    assert [chip for chip in editor.days.chips.values() if chip.focusPolicy() & Qt.FocusPolicy.TabFocus] == [
        editor.days.chips[7]
    ]


def test_the_number_by_keyboard_and_by_its_buttons(qtbot: QtBot) -> None:
    editor = make(qtbot, Schedule(ScheduleKind.PER_WEEK, times=3))
    stepper = editor.numbers[ScheduleKind.PER_WEEK]
    assert stepper.number.text() == "일주일에 3번"
    stepper.number.setFocus()
    qtbot.keyClick(stepper.number, Qt.Key.Key_Up)
    assert editor.schedule.times == 4
    more = editor.findChild(QToolButton, "scheduleNumber_per_weekMore")
    less = editor.findChild(QToolButton, "scheduleNumber_per_weekLess")
    assert isinstance(more, QToolButton)
    assert isinstance(less, QToolButton)
    for _time in range(9):
        more.click()
    assert editor.schedule.times == 7
    assert not more.isEnabled()
    less.click()
    assert editor.schedule.times == 6


def test_the_wheel_leaves_a_number_alone_in_passing(qtbot: QtBot) -> None:
    editor = make(qtbot, Schedule(ScheduleKind.EVERY_DAYS, days=5))
    number = editor.numbers[ScheduleKind.EVERY_DAYS].number
    editor.kinds[ScheduleKind.DAILY].setFocus()
    for focused, days in ((False, 5), (True, 6)):
        if focused:
            number.setFocus()
        at = QPointF(number.rect().center())
        event = QWheelEvent(
            at,
            QPointF(number.mapToGlobal(at.toPoint())),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(number, event)
        assert editor.schedule.days == days


def test_a_change_says_that_the_past_stays(qtbot: QtBot) -> None:
    editor = make(qtbot, Schedule(ScheduleKind.PER_WEEK, times=3), is_change=True)
    note = editor.findChild(QLabel, "scheduleNote")
    assert isinstance(note, QLabel)
    assert not note.isVisible()
    press(editor, ScheduleKind.DAILY)
    assert note.isVisible()
    assert "오늘부터" in note.text()
    press(editor, ScheduleKind.PER_WEEK)
    assert not note.isVisible()
    fresh = make(qtbot)
    press(fresh, ScheduleKind.PER_MONTH)
    assert not fresh.findChild(QLabel, "scheduleNote").isVisible()  # type: ignore[union-attr]


def test_one_kind_is_chosen_and_named(qtbot: QtBot) -> None:
    editor = make(qtbot)
    press(editor, ScheduleKind.WEEKDAYS)
    assert [kind for kind, each in editor.kinds.items() if each.isChecked()] == [ScheduleKind.WEEKDAYS]
    assert all(isinstance(each, QPushButton) and each.text() for each in editor.kinds.values())
    assert editor.days.chips[3].accessibleName() == "수요일"
