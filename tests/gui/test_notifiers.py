"""How notices reach the screen: our own window, and one way after the other."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from lifehelper_desktop.ui.reminders import native
from lifehelper_desktop.ui.reminders.desktop import desktop_notifier
from lifehelper_desktop.ui.reminders.native import plain_body, usable_buttons
from lifehelper_desktop.ui.reminders.notifier import LayeredNotifier, Notice, NoticeButton
from lifehelper_desktop.ui.reminders.popup import PopupNotifier, ReminderPopup
from tests.gui.notices import Heard, notice
from tests.helpers.notices import RecordingNotifier

# ---- what each system shows ---------------------------------------------------------------------------------------


def test_gnome_shows_three_buttons_and_later_is_one_of_them() -> None:
    buttons = tuple(NoticeButton(key, key) for key in ("done", "minimum", "blank", "later"))
    assert usable_buttons(buttons, "KDE") == buttons
    assert [each.key for each in usable_buttons(buttons, "ubuntu:GNOME")] == ["done", "minimum", "later"]
    assert usable_buttons(buttons[1:], "GNOME") == buttons[1:]


def test_markup_is_taken_out_where_a_service_may_read_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for platform, shown in (("linux", "‹i›1 ＆ 2‹/i›"), ("win32", "<i>1 & 2</i>"), ("darwin", "<i>1 & 2</i>")):
        monkeypatch.setattr(native.sys, "platform", platform)
        assert plain_body("<i>1 & 2</i>") == shown


# ---- one way after the other --------------------------------------------------------------------------------------


@pytest.fixture
def ways(qtbot: QtBot) -> tuple[LayeredNotifier, RecordingNotifier, RecordingNotifier]:
    first, second = RecordingNotifier(), RecordingNotifier()
    return LayeredNotifier([first, second]), first, second


def test_the_first_way_that_works(
    ways: tuple[LayeredNotifier, RecordingNotifier, RecordingNotifier], qtbot: QtBot
) -> None:
    layered, first, second = ways
    heard = Heard.of(layered)
    layered.show(notice("a"))
    first.works = False
    layered.show(notice("b"))
    qtbot.waitUntil(lambda: heard.events == [("shown", "a"), ("shown", "b")])
    assert (list(first.screen), list(second.screen)) == (["a"], ["b"])
    layered.withdraw("b")
    assert second.screen == {}
    layered.close()
    assert first.is_closed
    assert second.is_closed


def test_withdrawn_before_the_second_way_had_it(
    ways: tuple[LayeredNotifier, RecordingNotifier, RecordingNotifier], qtbot: QtBot
) -> None:
    layered, first, second = ways
    first.works = False
    layered.show(notice("a"))
    layered.withdraw("a")
    layered.show(notice("b"))
    qtbot.waitUntil(lambda: "b" in second.screen)
    assert list(second.screen) == ["b"]


def test_shown_again_it_leaves_the_way_it_was_in(
    ways: tuple[LayeredNotifier, RecordingNotifier, RecordingNotifier], qtbot: QtBot
) -> None:
    layered, first, second = ways
    first.works = False
    layered.show(notice("a"))
    qtbot.waitUntil(lambda: "a" in second.screen)
    first.works = True
    layered.show(notice("a"))
    assert (list(first.screen), list(second.screen)) == (["a"], [])


def test_when_no_way_works(ways: tuple[LayeredNotifier, RecordingNotifier, RecordingNotifier], qtbot: QtBot) -> None:
    layered, first, second = ways
    first.works = second.works = False
    heard = Heard.of(layered)
    layered.show(notice("a"))
    qtbot.waitUntil(lambda: heard.events == [("failed", "a")])


def test_the_program_has_one_notifier(qapp: QApplication) -> None:
    notifier = desktop_notifier()
    assert desktop_notifier() is notifier
    assert notifier.parent() is qapp
    notifier.setParent(None)
    notifier.close()


# ---- our own window -----------------------------------------------------------------------------------------------


@pytest.fixture
def popup(qtbot: QtBot) -> Iterator[PopupNotifier]:
    """The window's way."""
    notifier = PopupNotifier()
    yield notifier
    notifier.close()


def window_of(popup: PopupNotifier) -> ReminderPopup:
    assert popup.window is not None
    return popup.window


def test_the_window_is_on_top_and_leaves_the_focus_where_it_is(popup: PopupNotifier, qtbot: QtBot) -> None:
    other = QLabel("what the user does")
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    qtbot.waitUntil(other.isActiveWindow)
    popup.show(notice())
    window = window_of(popup)
    assert window.isVisible()
    assert window.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    assert window.testAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
    assert not window.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose)
    assert other.isActiveWindow()


def test_the_newest_stands_on_top_and_one_key_is_one_card(popup: PopupNotifier) -> None:
    popup.show(notice("a"))
    popup.show(notice("b"))
    popup.show(notice("a", "neu"))
    window = window_of(popup)
    assert list(window.cards) == ["b", "a"]
    assert window._list.itemAt(0).widget() is window.cards["a"]
    assert window.cards["a"].accessibleDescription() == "neu"
    screen = window.screen().availableGeometry()
    assert screen.contains(window.frameGeometry())


def test_the_keyboard_reaches_everything(popup: PopupNotifier, qtbot: QtBot) -> None:
    heard = Heard.of(popup)
    popup.show(notice("a"))
    popup.show(notice("b"))
    window = window_of(popup)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: window.focusWidget() is window.cards["b"].buttons["done"])
    seen = set()
    for _tab in range(8):
        seen.add(window.focusWidget())
        qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
    wanted = {
        *window.cards["a"].buttons.values(),
        *window.cards["b"].buttons.values(),
        *window.findChildren(QToolButton),
    }
    assert seen == wanted
    assert all(each.accessibleName() for each in wanted)
    window.cards["b"].take_focus()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert heard.events[-1] == ("pressed", "b", "done")
    assert window.focusWidget() is window.cards["a"].buttons["done"]
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert heard.events[-1] == ("dismissed", "a")
    assert not window.isVisible()


def test_the_mouse(popup: PopupNotifier, qtbot: QtBot) -> None:
    heard = Heard.of(popup)
    for key in "abc":
        popup.show(notice(key))
    window = window_of(popup)
    qtbot.mouseClick(window.cards["a"].findChild(QToolButton, "reminderClose"), Qt.MouseButton.LeftButton)
    qtbot.mouseClick(window.cards["b"].findChild(QToolButton, "reminderOpen"), Qt.MouseButton.LeftButton)
    card = window.cards["c"]
    at = QPointF(4, 4)
    release = QMouseEvent(
        QEvent.Type.MouseButtonRelease,
        at,
        card.mapToGlobal(at),
        Qt.MouseButton.LeftButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(card, release)
    answers = [each for each in heard.events if each[0] != "shown"]
    assert answers == [("dismissed", "a"), ("clicked", "b"), ("clicked", "c")]


def test_closing_the_window_dismisses_all(popup: PopupNotifier) -> None:
    heard = Heard.of(popup)
    popup.show(notice("a"))
    popup.show(notice("b"))
    window_of(popup).close()
    assert [each for each in heard.events if each[0] == "dismissed"] == [("dismissed", "a"), ("dismissed", "b")]


def test_a_notice_without_buttons_leads_nowhere(popup: PopupNotifier) -> None:
    popup.show(Notice("t", "하루 걷기", "기록이 이미 있어요.", opens=False))
    card = window_of(popup).cards["t"]
    assert card.findChild(QToolButton, "reminderOpen") is None
    assert card.buttons == {}


def test_many_notices_scroll(popup: PopupNotifier) -> None:
    for number in range(12):
        popup.show(notice(str(number)))
    window = window_of(popup)
    assert window.height() <= window.screen().availableGeometry().height() * 0.71
    assert window._scroll.verticalScrollBar().maximum() > 0
