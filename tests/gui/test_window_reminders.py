"""Reminders in the window: what is pressed on a notice shows there, a click leads there, and they end with it."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import REMINDERS_ENABLED
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui import main_window
from lifehelper_desktop.ui.reminders.desktop import desktop_notifier
from lifehelper_desktop.ui.reminders.notifier import LayeredNotifier
from tests.gui.conftest import Gui, MakeGui, card_of
from tests.helpers.notices import RecordingNotifier

TODAY = date(2026, 8, 12)
TEN = datetime(2026, 8, 12, 22, 0, tzinfo=UTC)


class Ringing:
    """A window whose notices are caught, at half past nine; walking has a reminder at ten."""

    def __init__(self, gui: Gui, clock: FixedClock, notifier: RecordingNotifier, walk: Habit) -> None:
        self.gui, self.clock, self.notifier, self.walk = gui, clock, notifier, walk

    def ring(self, moment: datetime = TEN) -> None:
        """Let it be `moment`, and the window look."""
        self.clock.set(moment)
        self.gui.window.reminders.check()

    def entry_on(self, day: date) -> EntryValue | None:
        entry = self.gui.store.entries.get(self.walk.id, day)
        return None if entry is None else entry.value


@pytest.fixture
def notifier(monkeypatch: pytest.MonkeyPatch) -> RecordingNotifier:
    notifier = RecordingNotifier()
    monkeypatch.setattr(main_window, "desktop_notifier", lambda: notifier)
    return notifier


@pytest.fixture
def ringing(
    make_gui: MakeGui, clock: FixedClock, store: Store, habits: dict[str, Habit], notifier: RecordingNotifier
) -> Ringing:
    store.reminders.add(habits["walk"].id, 22 * 60)
    return Ringing(make_gui(), clock, notifier, habits["walk"])


@pytest.mark.parametrize("value", ["done", "minimum", "blank"])
def test_a_press_is_recorded_for_its_day_and_shown(ringing: Ringing, value: str) -> None:
    gui = ringing.gui
    ringing.ring()
    ringing.notifier.press(value)
    gui.qtbot.waitUntil(lambda: ringing.entry_on(TODAY) is EntryValue(value))
    shown = card_of(gui, ringing.walk)
    gui.qtbot.waitUntil(lambda: shown.overview.today_entry is not None)
    [change] = gui.store.journal.history(1)
    assert change.source == "reminder"


def test_t5_pressed_the_next_morning_it_is_yesterdays(ringing: Ringing) -> None:
    gui = ringing.gui
    ringing.ring()
    ringing.clock.set(TEN + timedelta(hours=9))
    gui.window.watcher.check_day()
    assert gui.text("todayTitle") == "8월 13일 목요일"
    ringing.notifier.press("done")
    gui.qtbot.waitUntil(lambda: ringing.entry_on(TODAY) is EntryValue.DONE)
    assert ringing.entry_on(TODAY + timedelta(days=1)) is None
    gui.window.show_habit(ringing.walk.id)
    assert gui.window.detail is not None
    assert gui.window.detail.record is not None
    assert TODAY in gui.window.detail.record.entries


def test_marked_in_the_window_the_notice_goes(ringing: Ringing) -> None:
    ringing.ring()
    assert ringing.notifier.titles == ["하루 걷기"]
    ringing.gui.click("mark_done", card_of(ringing.gui, ringing.walk))
    ringing.gui.qtbot.waitUntil(lambda: not ringing.notifier.screen)


def test_marked_by_another_program_the_notice_goes(ringing: Ringing) -> None:
    ringing.ring()
    gui = ringing.gui
    with closing(open_store(gui.store.paths, gui.store.clock)) as other:
        other.entries.log(ringing.walk.id, EntryValue.DONE)
    gui.window.watcher.check_data()
    assert ringing.notifier.screen == {}


def test_a_reminder_that_was_just_made_is_waited_for(ringing: Ringing) -> None:
    gui = ringing.gui
    with closing(open_store(gui.store.paths, gui.store.clock)) as other:
        other.reminders.add(ringing.walk.id, 21 * 60 + 45)
    gui.window.watcher.check_data()
    assert gui.window.reminders._next.interval() == 15 * 60 * 1000


@pytest.mark.parametrize("place", ["shown", "hidden", "minimised", "catalogue"])
def test_a_click_opens_the_window_at_the_habit(ringing: Ringing, place: str) -> None:
    window = ringing.gui.window
    if place == "catalogue":
        window.show_catalogue()
    elif place == "minimised":
        window.showMinimized()
    elif place == "hidden":  # in the tray
        window.hide()
    ringing.ring()
    ringing.notifier.click()
    ringing.gui.qtbot.waitUntil(lambda: window.page_name == "detail")
    assert window.detail is not None
    assert window.detail.habit_id == ringing.walk.id
    assert window.isVisible()
    assert not window.isMinimized()


def test_a_click_on_a_habit_that_is_gone_leads_to_the_list(ringing: Ringing) -> None:
    window = ringing.gui.window
    ringing.ring()
    ringing.gui.store.trash.delete(ringing.walk.id)
    window.hide()
    ringing.notifier.click()
    ringing.gui.qtbot.waitUntil(window.isVisible)
    assert window.page_name == "habits"


def test_the_button_of_a_group_opens_todays_list(ringing: Ringing, habits: dict[str, Habit]) -> None:
    window = ringing.gui.window
    window.reminders.today_asked.emit()
    window.show_catalogue()
    window.hide()
    window.reminders.today_asked.emit()
    assert window.page_name == "habits"
    assert window.isVisible()


def test_switched_off_in_the_settings_it_is_silent_at_once(ringing: Ringing) -> None:
    ringing.ring()
    ringing.gui.bus.publish_data(ringing.gui.store.settings.set(REMINDERS_ENABLED, False))
    ringing.gui.qtbot.waitUntil(lambda: not ringing.notifier.screen)


def test_the_end_takes_them_off_the_screen(ringing: Ringing) -> None:
    ringing.ring()
    ringing.gui.window.finish()
    assert ringing.notifier.screen == {}
    assert not ringing.gui.window.reminders.is_running
    ringing.ring(TEN + timedelta(days=1))
    assert ringing.notifier.screen == {}


def test_the_next_window_over_the_same_data_shows_them_again(ringing: Ringing, make_gui: MakeGui) -> None:
    """After a backup was restored another window opens in the same process."""
    ringing.ring()
    ringing.gui.window.close()
    assert ringing.notifier.screen == {}
    again = make_gui()
    assert ringing.notifier.titles == ["하루 걷기"]
    ringing.notifier.press("done")
    again.qtbot.waitUntil(lambda: ringing.entry_on(TODAY) is EntryValue.DONE)


def test_what_was_written_as_the_window_ended_breaks_nothing(ringing: Ringing) -> None:
    gui = ringing.gui
    gui.window.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # the quick log and the menu have gone
    _entry, changes = gui.store.entries.log(ringing.walk.id, EntryValue.DONE)
    gui.bus.publish_data(changes)
    QApplication.processEvents()  # pytest-qt fails the test when a slot raises


def test_each_event_loop_has_a_notifier_that_ends_with_it(qapp: QApplication) -> None:
    """The window may open again, over restored data; what ended before is not ended twice."""
    ended: list[QObject] = []
    for _loop in range(3):
        notifier = desktop_notifier()
        assert desktop_notifier() is notifier
        assert notifier not in ended
        QTimer.singleShot(0, qapp.quit)
        qapp.exec()
        ended.append(notifier)
        assert qapp.findChild(LayeredNotifier) is None
