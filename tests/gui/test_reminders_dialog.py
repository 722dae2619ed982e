"""The dialog of a habit's reminders: adding, changing, removing with undo, the test notification, and its hints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt, QTime
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.settings import REMINDERS_ENABLED
from lifehelper_desktop.domain.habits import Habit, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.domain.reminders import EVERY_DAY, REMINDERS_MAX
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.reminders.notifier import LayeredNotifier
from lifehelper_desktop.ui.reminders.popup import PopupNotifier
from lifehelper_desktop.ui.screens.reminders import RemindersDialog
from lifehelper_desktop.ui.theme import theme
from tests.helpers.notices import RecordingNotifier
from tests.helpers.worlds import add_habit

Open = Callable[..., RemindersDialog]


@pytest.fixture
def system() -> RecordingNotifier:
    """What stands for the system's notifications."""
    return RecordingNotifier()


@pytest.fixture
def walk(store: Store) -> Habit:
    """A habit without reminders."""
    return add_habit(store, "daily-steps")


@pytest.fixture
def open_dialog(qtbot: QtBot, store: Store, system: RecordingNotifier, walk: Habit) -> Iterator[Open]:
    """Show the dialog of a habit, by default walking."""
    bus = Bus()
    layered = LayeredNotifier([system, PopupNotifier()])
    made: list[RemindersDialog] = []

    def make(habit: Habit = walk) -> RemindersDialog:
        dialog = RemindersDialog(store, bus, habit.id, notifier=layered)
        dialog.show()
        made.append(dialog)
        return dialog

    yield make
    layered.close()
    for dialog in made:
        if isValid(dialog):
            dialog.close()


def stored(store: Store, habit: Habit) -> list[tuple[int, frozenset[int], bool]]:
    return [(each.minutes, each.weekdays, each.is_on) for each in store.reminders.list(habit.id)]


def part(dialog: QWidget, kind: type[QWidget], name: str) -> QWidget:
    found = dialog.findChild(kind, name)
    assert found is not None
    return found


def words(dialog: QWidget, name: str) -> str:
    found = part(dialog, QLabel, name)
    assert isinstance(found, QLabel)
    return found.text() if found.isVisible() else ""


def press(qtbot: QtBot, inside: QWidget, name: str) -> None:
    qtbot.mouseClick(part(inside, QWidget, name), Qt.MouseButton.LeftButton)


def test_add_with_time_and_weekdays(open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot) -> None:
    dialog = open_dialog()
    assert "아직 알림이 없어요" in words(dialog, "remindersEmpty")
    assert dialog.new.clock.minutes == 21 * 60
    dialog.new.clock.setTime(QTime(7, 30))
    press(qtbot, dialog, "newReminderDay_weekdays")
    press(qtbot, dialog, "newReminderDay_3")
    press(qtbot, dialog, "addReminder")
    assert stored(store, walk) == [(450, frozenset({1, 2, 4, 5}), True)]
    assert words(dialog, "remindersEmpty") == ""
    assert dialog.new.days.weekdays == EVERY_DAY
    [row] = dialog.rows.values()
    assert row.clock.time() == QTime(7, 30)
    assert words(row, "reminderNext") == "다음 알림: 내일 07:30"


def test_the_time_of_the_anchor_is_offered_and_taken_with_one_click(
    open_dialog: Open, store: Store, qtbot: QtBot
) -> None:
    new = NewHabit("morning-sunlight", 2, "아침에 바깥 빛을 본다", anchor_when="아침 7시 20분")
    habit, _changes = store.habits.add(new)
    dialog = open_dialog(habit)
    suggestion = part(dialog, QPushButton, "suggestedReminder")
    assert isinstance(suggestion, QPushButton)
    assert (suggestion.isVisible(), suggestion.text()) == (True, "07:20에 알림 받기")
    assert dialog.new.clock.minutes == 440
    press(qtbot, dialog, "suggestedReminder")
    assert stored(store, habit) == [(440, EVERY_DAY, True)]
    assert not suggestion.isVisible()
    assert dialog.new.clock.minutes == 21 * 60


def test_no_offer_where_the_anchor_names_no_time(open_dialog: Open) -> None:
    assert not part(open_dialog(), QPushButton, "suggestedReminder").isVisible()


def test_a_changed_time_is_stored_when_it_is_settled(
    open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot
) -> None:
    store.reminders.add(walk.id, 450)
    dialog = open_dialog()
    [row] = dialog.rows.values()
    steps = len(store.journal.history())
    row.clock.setFocus()
    for _step in range(3):
        row.clock.stepBy(1)
    assert stored(store, walk)[0][0] == 450  # still on the way
    qtbot.waitUntil(lambda: stored(store, walk)[0][0] == 450 + 3 * 60, timeout=3000)
    assert len(store.journal.history()) == steps + 1


def test_a_time_that_was_just_typed_is_kept_when_the_dialog_closes(
    open_dialog: Open, store: Store, walk: Habit
) -> None:
    store.reminders.add(walk.id, 450)
    dialog = open_dialog()
    [row] = dialog.rows.values()
    row.clock.setTime(QTime(8, 15))
    dialog.close()
    assert stored(store, walk)[0][0] == 495


def test_weekdays_and_switch(open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot) -> None:
    store.reminders.add(walk.id, 450)
    dialog = open_dialog()
    [row] = dialog.rows.values()
    press(qtbot, row, "reminderDay_weekend")
    assert stored(store, walk) == [(450, frozenset({6, 7}), True)]
    press(qtbot, row, "reminderDay_6")
    assert stored(store, walk) == [(450, frozenset({7}), True)]
    press(qtbot, row, "reminderDay_7")
    assert "하나 이상" in dialog.notice.text
    assert stored(store, walk) == [(450, frozenset({7}), True)]
    assert row.days.weekdays == frozenset({7})  # shown as stored
    press(qtbot, row, "reminderSwitch")
    assert stored(store, walk) == [(450, frozenset({7}), False)]
    assert words(row, "reminderNext") == "꺼져 있어요"


def test_refusals_are_told_and_the_stored_time_comes_back(open_dialog: Open, store: Store, walk: Habit) -> None:
    store.reminders.add(walk.id, 450)
    other, _changes = store.reminders.add(walk.id, 500)
    dialog = open_dialog()
    row = dialog.rows[other.id]
    row.clock.setTime(QTime(7, 30))
    row.clock.settle()
    assert "07:30 알림은 이미 있어요" in dialog.notice.text
    assert row.clock.minutes == 500


def test_remove_and_undo(open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot) -> None:
    store.reminders.add(walk.id, 450, [1])
    store.reminders.add(walk.id, 500)
    dialog = open_dialog()
    before = stored(store, walk)
    press(qtbot, next(iter(dialog.rows.values())), "reminderRemove")
    assert len(stored(store, walk)) == len(dialog.rows) == 1
    assert dialog.notice.text == "07:30 알림을 지웠어요."
    press(qtbot, dialog.notice, "noticeAction")
    assert stored(store, walk) == before
    assert [row.clock.minutes for row in dialog.rows.values()] == [500, 450]
    shown = [dialog._list.itemAt(at).widget() for at in range(2)]
    assert [row.clock.minutes for row in shown] == [450, 500]  # by time on the screen


def test_undo_never_takes_back_something_else(open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot) -> None:
    store.reminders.add(walk.id, 450)
    dialog = open_dialog()
    press(qtbot, next(iter(dialog.rows.values())), "reminderRemove")
    store.habits.set_frame(walk.id, 1, "튼튼한 다리를 만든다")
    press(qtbot, dialog.notice, "noticeAction")
    assert store.habits.get(walk.id).framed_text == "튼튼한 다리를 만든다"
    assert "그사이에" in dialog.notice.text


def test_ten_are_enough(open_dialog: Open, store: Store, walk: Habit) -> None:
    for number in range(REMINDERS_MAX):
        store.reminders.add(walk.id, number)
    dialog = open_dialog()
    assert not dialog.new.isEnabled()
    assert "10개까지" in words(dialog, "remindersEmpty")


def test_another_surface_changes_them(open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot) -> None:
    dialog = open_dialog()
    _reminder, changes = store.reminders.add(walk.id, 450)
    dialog.bus.publish_data(changes)
    qtbot.waitUntil(lambda: len(dialog.rows) == 1)
    dialog.bus.publish_data(store.trash.delete(walk.id))
    qtbot.waitUntil(lambda: not isValid(dialog))


def test_when_it_rings_next(open_dialog: Open, store: Store, walk: Habit, clock: FixedClock) -> None:
    clock.set(clock.now().replace(hour=20))
    for minutes, weekdays in ((22 * 60, EVERY_DAY), (60, EVERY_DAY), (450, frozenset({6}))):
        store.reminders.add(walk.id, minutes, weekdays)
    dialog = open_dialog()
    shown = {row.clock.minutes: words(row, "reminderNext") for row in dialog.rows.values()}
    assert shown == {
        22 * 60: "다음 알림: 오늘 22:00",
        60: "다음 알림: 내일 01:00 · 전날 몫으로 물어요",
        450: "다음 알림: 8월 15일(토) 07:30",
    }


def test_weekdays_that_the_habit_rests_on_are_told(open_dialog: Open, store: Store) -> None:
    schedule = Schedule(ScheduleKind.WEEKDAYS, frozenset({1}))
    habit, _changes = store.habits.add(NewHabit("morning-sunlight", 2, "아침에 바깥 빛을 본다", schedule=schedule))
    store.reminders.add(habit.id, 450, [2, 3])
    [row] = open_dialog(habit).rows.values()
    assert "쉬는 요일" in words(row, "reminderNext")


def test_hints(open_dialog: Open, store: Store, walk: Habit, system: RecordingNotifier, qtbot: QtBot) -> None:
    dialog = open_dialog()
    hints = {name: part(dialog, QFrame, name) for name in ("remindersOff", "remindersRest", "remindersWay")}
    assert not any(hint.isVisible() for hint in hints.values())
    store.settings.set(REMINDERS_ENABLED, False)
    store.habits.pause(walk.id)
    system.works = False
    again = open_dialog()
    hints = {name: part(again, QFrame, name) for name in hints}
    qtbot.waitUntil(lambda: all(hint.isVisible() for hint in hints.values()))
    press(qtbot, again, "enableReminders")
    assert store.settings.get_bool(REMINDERS_ENABLED)
    assert not hints["remindersOff"].isVisible()


def test_the_test_notification_and_its_outcome(open_dialog: Open, system: RecordingNotifier, qtbot: QtBot) -> None:
    dialog = open_dialog()
    press(qtbot, dialog, "testReminder")
    qtbot.waitUntil(lambda: words(dialog, "testOutcome").startswith("보냈어요"))
    assert system.titles == ["시험 알림"]
    system.press("seen")
    qtbot.waitUntil(lambda: words(dialog, "testOutcome").startswith("단추도 잘 들어요"))
    system.works = False
    press(qtbot, dialog, "testReminder")
    qtbot.waitUntil(lambda: "작은 창" in words(dialog, "testOutcome"))
    assert part(dialog, QFrame, "remindersWay").isVisible()


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_control_has_a_name_and_can_be_reached_by_keyboard(
    open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot, language: str
) -> None:
    set_language(language)
    store.reminders.add(walk.id, 450)
    dialog = open_dialog()
    dialog.activateWindow()
    qtbot.waitUntil(dialog.isActiveWindow)
    [row] = dialog.rows.values()
    seen = set()
    for _tab in range(40):
        focused = dialog.focusWidget()
        if focused is not None:
            seen.add(focused)
            assert focused.accessibleName() or (isinstance(focused, QPushButton) and focused.text())
            assert focused.objectName()
        qtbot.keyClick(focused or dialog, Qt.Key.Key_Tab)
    assert {row.clock, row.switch, row.remove, dialog.new.clock, dialog.new.add_button, dialog.test_button} <= seen


def test_nothing_is_cut_off_at_200_percent(open_dialog: Open, store: Store, walk: Habit, qtbot: QtBot) -> None:
    theme().choose("light", 200)
    try:
        store.reminders.add(walk.id, 450)
        dialog = open_dialog()
        [row] = dialog.rows.values()
        qtbot.waitUntil(lambda: row.width() > 0)
        field = row.clock.lineEdit()
        assert field is not None
        assert field.width() >= field.fontMetrics().horizontalAdvance("22:22")
        for each in dialog.findChildren(QPushButton):
            if each.isVisible():
                assert each.width() >= each.fontMetrics().horizontalAdvance(each.text())
    finally:
        theme().choose("light", 100)


def test_clock_steps_around_midnight(open_dialog: Open, store: Store, walk: Habit) -> None:
    store.reminders.add(walk.id, 23 * 60)
    [row] = open_dialog().rows.values()
    row.clock.stepBy(1)
    row.clock.settle()
    assert stored(store, walk)[0][0] in (0, 23 * 60)
    assert timedelta(minutes=row.clock.minutes) < timedelta(days=1)
