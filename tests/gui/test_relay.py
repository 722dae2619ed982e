"""A thread may tell what it has to say at any moment, also when nobody is there any more to hear it."""

from __future__ import annotations

import threading

import shiboken6
from PySide6.QtCore import QObject, QThread
from pytestqt.qtbot import QtBot

from lifehelper_desktop.ui.relay import Relay

HEARD: list[tuple[int, object, bool]] = []


class Ear(QObject):
    """Somebody who listens."""

    def hear(self, number: int, what: object) -> None:
        HEARD.append((number, what, QThread.currentThread() is self.thread()))


def tell_in_a_thread(relay: Relay, number: int) -> None:
    errors: list[BaseException] = []

    def run() -> None:
        try:
            relay.tell(number, {"a": 1})
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert errors == []


def test_it_is_heard_in_the_thread_of_the_listener(qtbot: QtBot) -> None:
    HEARD.clear()
    ear = Ear()
    tell_in_a_thread(Relay(ear.hear), 7)
    qtbot.waitUntil(lambda: HEARD == [(7, {"a": 1}, True)])


def test_a_listener_that_has_gone_hears_nothing(qtbot: QtBot) -> None:
    HEARD.clear()
    ear = Ear()
    relay = Relay(ear.hear)
    tell_in_a_thread(relay, 1)  # on its way when the listener goes
    shiboken6.delete(ear)
    tell_in_a_thread(relay, 2)
    qtbot.wait(10)
    assert HEARD == []
