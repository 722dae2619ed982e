"""Notices by the system's service, on a real bus with a service of our own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.reminders.native import NativeNotifier
from lifehelper_desktop.ui.reminders.notifier import LayeredNotifier, Way
from lifehelper_desktop.ui.reminders.popup import PopupNotifier
from lifehelper_desktop.ui.reminders.service import ReminderService
from tests.gui.notices import Heard, notice
from tests.helpers.worlds import add_habit

ROOT = Path(__file__).resolve().parents[2]
on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="org.freedesktop.Notifications is Linux")


# ---- the system's service, on a bus of its own --------------------------------------------------------------------


class Desktop:
    """A message bus, and a notification service on it that tests drive."""

    def __init__(self, qtbot: QtBot, address: str) -> None:
        self.qtbot = qtbot
        self.address = address
        self.happened: list[dict[str, Any]] = []
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def start(self, *capabilities: str) -> None:
        """Let the service come up."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.helpers.notification_service", *capabilities],
            cwd=ROOT,
            env={**os.environ, "DBUS_SESSION_BUS_ADDRESS": self.address},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()
        self.wait(lambda: {"ready": True} in self.happened)

    def stop(self) -> None:
        """Let the service go."""
        if self._process is not None and self._reader is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(10)
            self._reader.join(10)
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def do(self, **command: Any) -> None:
        """Press a button (`number`, `press`) or dismiss (`number`)."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()

    def shown(self) -> list[dict[str, Any]]:
        """What the service was asked to show."""
        return [each for each in self.happened if "shown" in each]

    def withdrawn(self) -> list[int]:
        """The numbers of what it was asked to close."""
        return [each["withdrawn"] for each in self.happened if "withdrawn" in each]

    def wait(self, condition: Callable[[], bool]) -> None:
        """Wait until something has happened."""
        self.qtbot.waitUntil(condition, timeout=10_000)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        for line in process.stdout:
            self.happened.append(json.loads(line))


@pytest.fixture
def desktop(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Desktop]:
    """A private bus without a service yet. `run.py test` installs the program; without it the test fails."""
    program = shutil.which("dbus-daemon")
    assert program is not None, "dbus-daemon is missing: apt-get install dbus-daemon"
    log = (tmp_path / "bus.log").open("w")
    bus = subprocess.Popen(
        [program, "--session", "--nofork", "--nopidfile", "--print-address", f"--address=unix:dir={tmp_path}"],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
    )
    assert bus.stdout is not None
    address = bus.stdout.readline().strip()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
    monkeypatch.delenv("XDG_CURRENT_DESKTOP", raising=False)
    made = Desktop(qtbot, address)
    yield made
    made.stop()
    bus.terminate()
    bus.wait(10)
    bus.stdout.close()
    log.close()


@pytest.fixture
def system(desktop: Desktop) -> Iterator[NativeNotifier]:
    """The system's way, ended at the end."""
    notifier = NativeNotifier("라이프 헬퍼", icons.app_icon_file(), patience_s=8)
    yield notifier
    notifier.close()


@on_linux
def test_the_service_shows_title_text_and_buttons(desktop: Desktop, system: NativeNotifier) -> None:
    desktop.start("actions", "body")
    heard = Heard.of(system)
    system.show(notice(body="a <b> & c\n둘째 줄"))
    desktop.wait(lambda: ("shown", "a") in heard.events)
    desktop.wait(lambda: bool(desktop.shown()))
    [shown] = desktop.shown()
    assert (shown["app"], shown["summary"]) == ("라이프 헬퍼", "하루 걷기")
    assert shown["body"] == "a ‹b› ＆ c\n둘째 줄"
    assert shown["actions"] == {"default": "", "done": "완료", "later": "나중에"}
    assert shown["timeout"] == 0  # it stays until it is answered
    assert shown["icon"].startswith("file://")
    assert shown["icon"].endswith("app.png")


@on_linux
def test_presses_clicks_and_dismissals_come_back_on_the_main_thread(desktop: Desktop, system: NativeNotifier) -> None:
    desktop.start("actions", "body")
    layered, threads = LayeredNotifier([system, PopupNotifier()]), list[threading.Thread]()
    heard = Heard.of(layered)
    layered.pressed.connect(lambda *_values: threads.append(threading.current_thread()))
    for number, key in enumerate("abc", 1):
        layered.show(notice(key))
        desktop.wait(lambda each=key: ("shown", each) in heard.events)
        desktop.do(number=number, **({"press": "done"} if key == "a" else {"press": "default"} if key == "b" else {}))
    desktop.wait(lambda: ("dismissed", "c") in heard.events)
    answers = [each for each in heard.events if each[0] != "shown"]
    assert answers == [("pressed", "a", "done"), ("clicked", "b"), ("dismissed", "c")]
    assert threads == [threading.main_thread()]
    assert layered.way is Way.SYSTEM


@on_linux
def test_withdrawn_replaced_and_cleared_at_the_end(desktop: Desktop, system: NativeNotifier) -> None:
    desktop.start("actions", "body")
    system.show(notice("a"))
    system.withdraw("a")
    desktop.wait(lambda: desktop.withdrawn() == [1])
    system.withdraw("a")
    system.show(notice("b"))
    system.show(notice("b", "neu"))
    desktop.wait(lambda: len(desktop.shown()) == 3)
    assert desktop.withdrawn() == [1, 2]
    system.close()
    desktop.wait(lambda: desktop.withdrawn() == [1, 2, 3])
    system.show(notice("c"))  # too late: nothing happens
    assert len(desktop.shown()) == 3


@on_linux
@pytest.mark.parametrize("capabilities", [None, ("body",)], ids=["no service", "no buttons"])
def test_without_a_service_with_buttons_the_window_shows_it(
    desktop: Desktop, system: NativeNotifier, capabilities: tuple[str, ...] | None
) -> None:
    if capabilities is not None:
        desktop.start(*capabilities)
    popup = PopupNotifier()
    layered = LayeredNotifier([system, popup])
    heard = Heard.of(layered)
    layered.show(notice())
    desktop.wait(lambda: ("shown", "a") in heard.events)
    assert layered.way is Way.WINDOW
    assert popup.window is not None
    assert popup.window.isVisible()
    popup.window.cards["a"].buttons["later"].click()
    desktop.wait(lambda: ("pressed", "a", "later") in heard.events)
    assert not popup.window.isVisible()
    assert desktop.shown() == []
    layered.close()


@on_linux
def test_without_any_bus(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
    notifier = NativeNotifier("x")
    heard = Heard.of(notifier)
    notifier.show(notice())
    qtbot.waitUntil(lambda: heard.events == [("failed", "a")], timeout=10_000)
    notifier.close()


@on_linux
def test_a_service_that_comes_up_later_is_found(desktop: Desktop, system: NativeNotifier) -> None:
    heard = Heard.of(system)
    system.show(notice("a"))
    desktop.wait(lambda: ("failed", "a") in heard.events)
    system.probe()
    desktop.wait(lambda: ("probed", False) in heard.events)
    desktop.start("actions", "body")
    system.probe()
    desktop.wait(lambda: ("probed", True) in heard.events)
    system.show(notice("b"))
    desktop.wait(lambda: ("shown", "b") in heard.events)


@on_linux
def test_a_service_that_does_not_answer_is_given_up(
    desktop: Desktop, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notice is shown otherwise, and taken back when it comes in the end."""
    from desktop_notifier.backends.dbus import DBusDesktopNotifier

    desktop.start("actions", "body")
    notifier = NativeNotifier("x", patience_s=0.05)
    heard = Heard.of(notifier)
    go = threading.Event()
    answer = DBusDesktopNotifier.request_authorisation

    async def slow(self: DBusDesktopNotifier) -> bool:
        import asyncio

        await asyncio.get_running_loop().run_in_executor(None, go.wait)
        return await answer(self)

    monkeypatch.setattr(DBusDesktopNotifier, "request_authorisation", slow)
    notifier.show(notice())
    qtbot.waitUntil(lambda: heard.events == [("failed", "a")], timeout=10_000)
    go.set()
    desktop.wait(lambda: desktop.withdrawn() == [1])
    notifier.close()


@on_linux
def test_a_reminder_from_the_clock_to_the_database_through_the_real_bus(
    desktop: Desktop, system: NativeNotifier, store: Store, clock: FixedClock
) -> None:
    seoul = ZoneInfo("Asia/Seoul")
    clock.set(datetime(2026, 8, 12, 21, 30, tzinfo=seoul))
    habit = add_habit(store, "daily-steps")
    store.reminders.add(habit.id, 22 * 60)
    desktop.start("actions", "body")
    bus = Bus()
    service = ReminderService(store, bus, LayeredNotifier([system, PopupNotifier()]))
    service.start()
    clock.set(datetime(2026, 8, 12, 22, tzinfo=seoul))
    service.check()
    desktop.wait(lambda: len(desktop.shown()) == 1)
    clock.set(datetime(2026, 8, 13, 7, 10, tzinfo=seoul))
    service.check()
    desktop.do(number=1, press="minimum")
    day = datetime(2026, 8, 12, tzinfo=seoul).date()
    desktop.wait(lambda: store.entries.get(habit.id, day) is not None)
    entries = store.entries.for_habit(habit.id)
    assert [(each, entry.value) for each, entry in entries.items()] == [(day, EntryValue.MINIMUM)]
    clock.set(datetime(2026, 8, 13, 22, tzinfo=seoul))
    service.check()
    desktop.wait(lambda: len(desktop.shown()) == 2)
    _entry, changes = store.entries.log(habit.id, EntryValue.DONE)
    bus.publish_data(changes)
    desktop.wait(lambda: desktop.withdrawn() == [2])
    service.stop()
