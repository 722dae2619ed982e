"""Size and place of the window on screens of every size: a large scale leaves few of our pixels."""

from __future__ import annotations

from functools import partial

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QAbstractButton, QScrollArea, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.ui.window_state import WindowState, put_in_place
from tests.gui.conftest import MakeGui


@pytest.mark.parametrize(
    ("room", "size", "least"),
    [
        (QRect(0, 0, 3840, 2160), QSize(1180, 780), QSize(860, 560)),  # 4K at 100 %
        (QRect(0, 0, 1280, 720), QSize(1180, 684), QSize(860, 560)),  # 4K at 300 %
        (QRect(0, 0, 960, 540), QSize(960, 504), QSize(860, 504)),  # Full HD at 200 %
        (QRect(0, 0, 853, 480), QSize(853, 444), QSize(853, 444)),  # 2,560 × 1,440 at 300 %
    ],
)
def test_the_window_fits_on_the_screen(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, room: QRect, size: QSize, least: QSize
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen: room)
    window = QWidget()
    qtbot.addWidget(window)
    window.setMinimumSize(860, 560)
    put_in_place(window, WindowState())
    assert (window.size(), window.minimumSize()) == (size, least)


def test_a_place_on_a_screen_that_is_gone_is_not_taken(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen: QRect(0, 0, 1920, 1080))
    assert len(QGuiApplication.screens()) == 1
    window = QWidget()
    qtbot.addWidget(window)
    put_in_place(window, WindowState(x=5000, y=100))
    assert window.x() != 5000
    put_in_place(window, WindowState(x=300, y=200, width=900, height=600))
    assert (window.x(), window.y(), window.width(), window.height()) == (300, 200, 900, 600)


def test_on_a_narrow_screen_nothing_is_cut_off(
    make_gui: MakeGui, habits: dict[str, Habit], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = QRect(0, 0, 360, 640)  # 1,080 × 1,920, upright, at 300 %
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _screen: room)
    monkeypatch.setattr(QScreen, "availableSize", lambda _screen: room.size())
    gui = make_gui()
    assert habits
    gui.window.resize(room.size())
    gui.qtbot.waitUntil(lambda: gui.window.width() == room.width())
    assert not gui.window.stack.isHidden()
    rest = gui.window.menuBar().findChild(QToolButton, "qt_menubar_ext_button")
    assert rest.isVisible()
    inside = rest.grab().toImage()
    colours = {inside.pixelColor(x, y).name() for x in range(inside.width()) for y in range(inside.height())}
    assert len(colours) > 1, "its sign can be seen"
    assert gui.window.stack.minimumWidth() <= room.width() - gui.window.side.width()
    for page in (
        gui.window.show_habits,
        gui.window.show_catalogue,
        gui.window.show_review,
        partial(gui.window.show_habit, habits["walk"].id),
        gui.window.toggle_chat,
    ):
        page()
        gui.qtbot.wait(20)
        for each in gui.window.findChildren(QAbstractButton):
            if each.isVisible() and not each.visibleRegion().isEmpty():
                right = each.mapTo(gui.window, each.rect().topRight()).x()
                assert right < room.width(), (each.objectName(), each.text())
        for area in gui.window.findChildren(QScrollArea):
            turns = area.horizontalScrollBarPolicy() is not Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if area.isVisible() and not turns:
                assert area.widget().width() <= area.viewport().width(), (page, area.objectName())
    gui.window.show_catalogue()
    catalogue = gui.window.catalogue
    assert catalogue is not None
    gui.qtbot.waitUntil(catalogue.isVisible)
    upper, lower = (each.mapToGlobal(each.rect().topLeft()) for each in (catalogue.view, catalogue.detail))
    assert upper.y() + catalogue.view.height() <= lower.y(), "one above the other"
    gui.window.open_about()
    about = gui.window.dialogs["about"]
    assert about.width() <= room.width()
    assert about.minimumSizeHint().width() <= about.width()
