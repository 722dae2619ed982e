"""The tray's icon and menu, where closing the window leads, and the ways back; each test switches its tray host."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from PySide6.QtGui import QCloseEvent, QImage
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.tray import Tray
from lifehelper_desktop.ui.tray_icon import DONE, NOTHING_DUE, tray_icon
from lifehelper_desktop.ui.window_state import FILE_NAME
from lifehelper_desktop.ui.window_tray import HIDDEN
from lifehelper_desktop.ui.work_dialog import WorkDialog
from tests.gui.conftest import Gui, MakeGui

TODAY = date(2026, 8, 12)
_Reason = QSystemTrayIcon.ActivationReason


class Host:
    """A tray host, which the offscreen platform lacks; `messages` are what icons told."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_up = True
        self.messages: list[str] = []
        monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: self.is_up))
        for name in ("show", "hide"):  # the platform has nothing to show it in
            monkeypatch.setattr(QSystemTrayIcon, name, lambda _icon: None)
        monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
        monkeypatch.setattr(
            QSystemTrayIcon, "showMessage", lambda _icon, _title, text, *_more: self.messages.append(text)
        )


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Host:
    return Host(monkeypatch)


@pytest.fixture
def tray(host: Host, store: Store, habits: dict[str, Habit], qtbot: QtBot) -> Iterator[Tray]:
    tray = Tray(store, Bus())
    tray.set_enabled(True)
    yield tray
    tray.shutdown()


def value_of(store: Store, habit: Habit, day: date = TODAY) -> EntryValue | None:
    entry = store.entries.get(habit.id, day)
    return None if entry is None else entry.value


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


# ---- closing ------------------------------------------------------------------------------------------------------


def press_close(gui: Gui) -> None:
    """What the window system's close button sends."""

    class Close(QCloseEvent):
        def spontaneous(self) -> bool:
            return True

    event = Close()
    gui.window.closeEvent(event)
    if event.isAccepted():
        gui.window.hide()


def test_x9_without_a_tray_closing_ends_the_program(host: Host, make_gui: MakeGui) -> None:
    host.is_up = False
    gui = make_gui()
    with gui.qtbot.waitSignal(gui.window.ended):
        press_close(gui)


def test_closing_leaves_the_icon_and_says_so_once(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window.open_shortcuts()
    press_close(gui)
    assert gui.window.isHidden()
    assert not gui.window.dialogs
    assert gui.window.thread_.isRunning() or not gui.window.thread_.isFinished()
    assert host.messages == ["트레이에서 계속 함께할게요. 끝내려면 트레이 메뉴의 ‘끝내기’를 골라 주세요."]
    gui.window.in_tray.come_back()
    press_close(gui)
    assert len(host.messages) == 1
    state = json.loads((gui.store.paths.data / FILE_NAME).read_text(encoding="utf-8"))
    assert state["knows_tray"] is True, "remembered at once, whatever happens to the program later"


def test_quit_ends_a_window_that_is_in_the_tray(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    press_close(gui)
    quit_ = next(action for action in gui.window.tray.menu.actions() if action.objectName() == "trayQuit")
    with gui.qtbot.waitSignal(gui.window.ended):
        quit_.trigger()
    assert not gui.window.thread_.isRunning()


def test_the_end_of_the_session_ends_a_window_that_is_in_the_tray(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    press_close(gui)
    gui.window.finish()  # what `aboutToQuit` calls
    assert not gui.window.thread_.isRunning()
    assert gui.window.tray.icon is None
    gui.window.finish()


def test_the_window_comes_back_when_the_tray_goes(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    press_close(gui)
    host.is_up = False
    gui.window.tray.check_host()
    assert gui.window.isVisible()


def test_the_window_comes_back_when_the_tray_is_switched_off(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    press_close(gui)
    gui.store.settings.set(rows.TRAY_ENABLED, False)
    gui.window.apply_settings()
    assert gui.window.isVisible()
    assert gui.window.tray.icon is None
    gui.store.settings.set(rows.TRAY_ENABLED, True)
    gui.window.apply_settings()
    assert gui.window.tray.is_there


@pytest.mark.parametrize("row", [rows.CLOSE_TO_TRAY, rows.TRAY_ENABLED])
def test_who_does_not_want_the_tray_closes_for_good(
    host: Host, make_gui: MakeGui, store: Store, row: rows.Setting
) -> None:
    store.settings.set(row, False)
    gui = make_gui()
    with gui.qtbot.waitSignal(gui.window.ended):
        press_close(gui)


def test_the_menu_opens_the_window_and_the_settings(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    press_close(gui)
    actions = {action.objectName(): action for action in gui.window.tray.menu.actions()}
    actions["traySettings"].trigger()
    assert gui.window.isVisible()
    assert "settings" in gui.window.dialogs
    press_close(gui)
    assert not gui.window.dialogs
    actions["trayWindow"].trigger()
    assert gui.window.isVisible()


def test_hiding_the_window_stops_no_work(host: Host, make_gui: MakeGui) -> None:
    gui = make_gui()
    gui.window.open_export()
    gui.window.open_about()
    export = gui.window.dialogs["export"]
    assert isinstance(export, WorkDialog)
    gui.qtbot.waitUntil(lambda: not export.worker.is_busy)
    stopped: list[bool] = []
    export.begin("…", lambda task: stopped.append(task.stop.wait(0.3)), lambda _done: None)
    press_close(gui)
    assert list(gui.window.dialogs) == ["export"]
    gui.qtbot.waitUntil(lambda: not export.worker.is_busy)
    assert stopped == [False]


@pytest.mark.parametrize("page", ["habits", "detail"])
def test_undo_from_the_menu_tells_what_it_did(
    host: Host, make_gui: MakeGui, habits: dict[str, Habit], page: str
) -> None:
    gui = make_gui()
    if page == "detail":
        gui.window.show_habit(habits["walk"].id)
    gui.store.entries.log(habits["walk"].id, EntryValue.DONE)
    gui.window.refresh()
    press_close(gui)
    host.messages.clear()
    gui.window.tray.fill_menu()
    undo = next(action for action in gui.window.tray.menu.actions() if action.objectName() == "trayUndo")
    assert habits["walk"].title("ko") in undo.text()
    undo.trigger()
    assert value_of(gui.store, habits["walk"]) is None
    assert gui.window.isHidden()
    assert host.messages[-1].startswith("되돌렸어요")


# ---- how it begins ------------------------------------------------------------------------------------------------


@pytest.fixture
def begun(host: Host, make_gui: MakeGui) -> Gui:
    """A window that has not been shown yet."""
    gui = make_gui()
    gui.window.hide()
    return gui


def test_hidden_it_begins_in_the_tray(begun: Gui) -> None:
    begun.window.in_tray.begin(HIDDEN)
    assert begun.window.isHidden()
    assert begun.window.tray.is_there


def test_hidden_it_waits_for_a_tray_for_a_while(begun: Gui, host: Host) -> None:
    host.is_up = False
    begun.window.tray.check_host()
    in_tray = begun.window.in_tray
    in_tray.begin(HIDDEN)
    assert begun.window.isHidden()
    assert in_tray._waiting.isActive()
    host.is_up = True
    begun.window.tray.check_host()
    assert not in_tray._waiting.isActive()
    assert begun.window.isHidden()


def test_hidden_without_a_tray_the_window_comes(begun: Gui, host: Host) -> None:
    host.is_up = False
    begun.window.tray.check_host()
    begun.window.in_tray.begin(HIDDEN)
    begun.window.in_tray._waiting.setInterval(1)
    begun.qtbot.waitUntil(begun.window.isVisible)


def test_hidden_is_no_wish_where_the_tray_is_switched_off(begun: Gui) -> None:
    begun.store.settings.set(rows.TRAY_ENABLED, False)
    begun.window.apply_settings()
    begun.window.in_tray.begin(HIDDEN)
    assert begun.window.isVisible()


@pytest.mark.parametrize("has_tray", [True, False])
def test_the_quick_log_comes_alone_where_an_icon_leads_to_the_window(begun: Gui, host: Host, has_tray: bool) -> None:
    host.is_up = has_tray
    begun.window.tray.check_host()
    begun.window.in_tray.begin("quick-log")
    begun.qtbot.waitUntil(begun.window.tray.quick_log.isVisible)
    assert begun.window.isVisible() is not has_tray


def test_later_starts_bring_the_window_or_the_quick_log(begun: Gui, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_ACTIVATION_TOKEN", "old")
    in_tray, quick_log = begun.window.in_tray, begun.window.tray.quick_log
    in_tray.carry_out("quick-log", "")
    assert quick_log.isVisible()
    in_tray.carry_out("quick-log", "")
    assert quick_log.isVisible(), "asked for again it stays"
    begun.window.showMinimized()
    in_tray.carry_out("show", "token-7")
    assert begun.window.isVisible()
    assert not begun.window.isMinimized()
    assert os.environ["XDG_ACTIVATION_TOKEN"] == "token-7"
