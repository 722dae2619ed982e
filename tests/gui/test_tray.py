"""The tray's icon and menu; each test switches its tray host."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.tray import Tray
from lifehelper_desktop.ui.tray_icon import DONE, NOTHING_DUE, tray_icon
from tests.gui.tray_host import TODAY, Host, host, value_of

__all__ = ["host"]  # the fixture

_Reason = QSystemTrayIcon.ActivationReason


@pytest.fixture
def tray(host: Host, store: Store, habits: dict[str, Habit], qtbot: QtBot) -> Iterator[Tray]:
    tray = Tray(store, Bus())
    tray.set_enabled(True)
    yield tray
    tray.shutdown()


def picture(tray: Tray) -> QImage:
    assert tray.icon is not None
    return tray.icon.icon().pixmap(32).toImage()


# ---- the icon -----------------------------------------------------------------------------------------------------


def test_the_icon_tells_what_is_open(tray: Tray, store: Store, habits: dict[str, Habit]) -> None:
    assert tray.icon is not None
    assert tray.icon.toolTip() == "라이프 헬퍼 — 오늘 3개 남음"
    before = picture(tray)
    for habit in habits.values():
        store.entries.log(habit.id, EntryValue.DONE)
    tray.refresh()
    assert tray.icon.toolTip() == "라이프 헬퍼 — 오늘 기록을 모두 마쳤어요. 잘했어요."
    assert picture(tray) != before


@pytest.mark.parametrize("size", [16, 22, 48])
def test_every_number_has_its_own_picture(qapp: QApplication, size: int) -> None:
    pictures = [tray_icon(number).pixmap(size).toImage() for number in (NOTHING_DUE, DONE, *range(1, 11))]
    assert all(first != second for at, first in enumerate(pictures) for second in pictures[:at])


def test_a_host_that_comes_up_later_gets_the_icon(
    host: Host, store: Store, habits: dict[str, Habit], qtbot: QtBot
) -> None:
    host.is_up = False
    tray = Tray(store, Bus())
    tray.set_enabled(True)
    assert not tray.is_there
    host.is_up = True
    tray._look.setInterval(1)
    with qtbot.waitSignal(tray.appeared):
        pass
    assert tray.is_there
    assert tray._look.isActive(), "it is watched from then on"
    tray.shutdown()


def test_an_icon_is_made_anew_for_each_host(tray: Tray, host: Host, qtbot: QtBot) -> None:
    first = tray.icon
    host.is_up = False
    with qtbot.waitSignal(tray.vanished):
        tray.check_host()
    assert tray.icon is None
    host.is_up = True
    tray.check_host()
    assert tray.icon is not None
    assert tray.icon is not first


def test_switched_off_it_is_gone_and_looks_no_more(tray: Tray) -> None:
    tray.set_enabled(False)
    assert tray.icon is None
    assert not tray._look.isActive()


def test_a_click_opens_the_quick_log_and_the_next_one_closes_it(tray: Tray, qtbot: QtBot) -> None:
    assert tray.icon is not None
    tray.icon.activated.emit(_Reason.Trigger)
    assert tray.quick_log.isVisible()
    tray.icon.activated.emit(_Reason.Trigger)
    assert not tray.quick_log.isVisible()


def test_a_click_that_took_the_focus_away_does_not_open_it_again(tray: Tray) -> None:
    tray.open_quick_log()
    tray.quick_log._left.start()  # what happens where a click on the panel takes the focus
    tray.quick_log.hide()
    tray.open_quick_log()
    assert not tray.quick_log.isVisible()


@pytest.mark.parametrize("reason", [_Reason.DoubleClick, _Reason.MiddleClick])
def test_a_double_click_asks_for_the_window(tray: Tray, qtbot: QtBot, reason: QSystemTrayIcon.ActivationReason) -> None:
    assert tray.icon is not None
    tray.icon.activated.emit(_Reason.Trigger)
    with qtbot.waitSignal(tray.window_asked):
        tray.icon.activated.emit(reason)
    assert not tray.quick_log.isVisible()


# ---- the menu -----------------------------------------------------------------------------------------------------


def texts(tray: Tray) -> list[str]:
    return [action.text() for action in tray.menu.actions() if not action.isSeparator()]


def test_the_menu_is_filled_before_it_is_asked_for(tray: Tray, habits: dict[str, Habit]) -> None:
    assert texts(tray) == [
        "8월 12일 수요일",
        *(habit.title("ko") for habit in habits.values()),
        "빠른 기록…",
        "창 열기",
        *(text for text in texts(tray) if text.startswith("되돌리기: ")),
        "설정…",
        "끝내기",
    ]


def test_the_menu_marks_changes_and_takes_back(tray: Tray, store: Store, habits: dict[str, Habit]) -> None:
    walk = habits["walk"]
    tray.mark_action(walk.id, EntryValue.MINIMUM).trigger()
    assert value_of(store, walk) is EntryValue.MINIMUM
    assert tray.mark_action(walk.id, EntryValue.MINIMUM).isChecked()
    assert f"{walk.title('ko')} — 최소" in texts(tray)
    tray.mark_action(walk.id, EntryValue.DONE).trigger()
    assert value_of(store, walk) is EntryValue.DONE
    inner = tray.menu.findChild(QMenu, f"trayHabit_{walk.id}")
    assert inner is not None
    inner.actions()[-1].trigger()
    assert value_of(store, walk) is None


def test_a_stale_menu_changes_nothing_and_says_so(
    tray: Tray, host: Host, store: Store, habits: dict[str, Habit]
) -> None:
    store.entries.log(habits["walk"].id, EntryValue.BLANK)
    tray.mark_action(habits["walk"].id, EntryValue.DONE).trigger()
    assert value_of(store, habits["walk"]) is EntryValue.BLANK
    assert "다른 곳에서 기록됐어요" in host.messages[-1]


def test_a_menu_that_stood_open_over_the_day_start_writes_nothing(
    tray: Tray, host: Host, store: Store, habits: dict[str, Habit], clock: FixedClock
) -> None:
    action = tray.mark_action(habits["walk"].id, EntryValue.DONE)
    clock.set(datetime(2026, 8, 13, 4, 0, 10, tzinfo=UTC))
    action.trigger()
    for day in (TODAY, date(2026, 8, 13)):
        assert value_of(store, habits["walk"], day) is None
    assert "새 하루" in host.messages[-1]


def test_the_menu_follows_the_language(tray: Tray) -> None:
    set_language("en")
    tray.rebuild()
    assert texts(tray)[0] == "Wednesday, 12 August"


def test_ampersands_in_titles_are_no_shortcuts(tray: Tray) -> None:
    tray.menu.fill(tray.menu.today, "A & B")
    assert "되돌리기: A && B" in texts(tray)
