"""The program is quiet: it asks no network by itself, and where new versions are is only a link."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QPushButton, QWidget

from lifehelper_desktop.base.settings import SETTINGS
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.ui.screens import about
from lifehelper_desktop.ui.screens.settings import dialog
from tests.gui.conftest import MakeGui

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = "https://example.org/lifehelper/releases"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy whose publisher named the page of its releases."""
    for module in (about, dialog):
        monkeypatch.setattr(module, "release_page", lambda: PAGE)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Whom the program wanted to reach over the network."""
    reached: list[Any] = []

    def connect(_socket: socket.socket, address: Any) -> None:
        reached.append(address)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **_more: connect(None, args))  # type: ignore[arg-type]
    return reached


@pytest.mark.usefixtures("page", "habits")
def test_nothing_is_asked_of_the_network(make_gui: MakeGui, calls: list[Any]) -> None:
    gui = make_gui()
    for show in (gui.window.open_settings, gui.window.open_about, gui.window.show_review, gui.window.show_catalogue):
        show()
    gui.qtbot.wait(1200)
    assert [each for each in calls if not isinstance(each, str)] == [], "strings are paths of local sockets"
    assert not [key for key in SETTINGS if "update" in key], "there is nothing to switch on"


@pytest.mark.usefixtures("page")
@pytest.mark.parametrize("place", ["about", "settings"])
def test_the_link_opens_the_page_in_the_browser(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url))
    gui = make_gui()
    gui.window.open_about() if place == "about" else gui.window.open_settings()
    where = gui.window.dialogs[place]
    link = where.findChild(QPushButton, "openReleases")
    assert isinstance(link, QPushButton)
    assert "저절로 찾지는 않아요" in link.accessibleDescription()
    link.click()
    assert [each.toString() for each in opened] == [PAGE]


@pytest.mark.usefixtures("habits")
def test_without_a_page_there_is_no_link(make_gui: MakeGui, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (about, dialog):
        monkeypatch.setattr(module, "release_page", lambda: "")
    gui = make_gui()
    gui.window.open_about()
    gui.window.open_settings()
    for name in ("about", "settings"):
        assert gui.window.dialogs[name].findChild(QWidget, "openReleases") is None


def test_no_address_scheme_is_registered() -> None:
    places = [*ROOT.glob("packaging/linux/*"), *ROOT.glob("packaging/windows/*"), *ROOT.glob("packaging/macos/*")]
    for path in (each for each in places if each.is_file() and each.suffix != ".png"):
        text = path.read_text(encoding="utf-8")
        for word in ("x-scheme-handler", "URL Protocol", "CFBundleURLTypes", "lifehelper://"):
            assert word not in text, (path, word)


def test_a_habit_is_not_named_in_the_crash_dialog(make_gui: MakeGui, habits: dict[str, Habit]) -> None:
    """From the error in a slot to the text that is copied: the way that a real report goes."""
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QPlainTextEdit

    from lifehelper_desktop.base.crash_text import crash_text
    from lifehelper_desktop.ui.bus import CrashNotice

    gui, habit = make_gui(), habits["walk"]
    title, frame, home = habit.title("ko"), habit.framed_text, str(Path.home() / "사진" / "a.png")
    error = RuntimeError(f"{title}: {frame}: {home}: 무릎이 아팠다")
    gui.bus.publish_notice(CrashNotice(None, crash_text(RuntimeError, error, None)))
    gui.qtbot.waitUntil(lambda: "crash" in gui.window.dialogs)
    shown = gui.window.dialogs["crash"]
    gui.click("copyCrash", shown)
    copied = QGuiApplication.clipboard().text()
    assert copied == shown.findChild(QPlainTextEdit, "crashText").toPlainText()  # type: ignore[union-attr]
    assert "RuntimeError" in copied
    for text in (title, frame, home, "무릎"):
        assert text
        assert text not in copied
