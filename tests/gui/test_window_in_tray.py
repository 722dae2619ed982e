"""Where closing the window leads, the ways back from the tray, and how it begins; each test switches its tray host."""

from __future__ import annotations

import json
import os

import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QSystemTrayIcon

from lifehelper_desktop.base import settings as rows
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.window_state import FILE_NAME
from lifehelper_desktop.ui.window_tray import HIDDEN
from lifehelper_desktop.ui.work_dialog import WorkDialog
from tests.gui.conftest import Gui, MakeGui
from tests.gui.tray_host import Host, host, value_of

__all__ = ["host"]  # the fixture

_Reason = QSystemTrayIcon.ActivationReason


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
