"""Notices by the system: org.freedesktop.Notifications, toasts of Windows, the Notification Center of macOS.

The library speaks asyncio; its loop runs on a thread of its own, so that a slow or missing service never holds the
window up. Nothing of Qt runs there but the emission of signals.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject

from lifehelper_desktop.ui.reminders.notifier import Notice, NoticeButton, Notifier

if TYPE_CHECKING:
    from desktop_notifier import DesktopNotifier

PATIENCE_S: Final = 5.0
_END_S: Final = 2.0  # for taking everything off the screen at the end
_GNOME_BUTTONS: Final = 3  # its shell leaves out what comes behind
_log = logging.getLogger(__name__)
_Job = Callable[[], Coroutine[Any, Any, None]]


class NativeNotifier(Notifier):
    """Main thread; signals come from the thread of the loop, which starts with the first notice.

    What cannot be shown is told by `failed`: no service, one without buttons, no permission, or no answer in time.
    A notice stays until it is answered, where the system lets it.
    """

    def __init__(
        self, app_name: str, icon: Path | None = None, *, patience_s: float = PATIENCE_S, parent: QObject | None = None
    ) -> None:
        """Prepare.

        Args:
            app_name: What the notices are from; on Windows also the name in the registry.
            icon: A PNG file, or None.
            patience_s: After so many seconds without an answer of the system a notice has failed.
        """
        super().__init__(parent)
        self._app_name, self._icon, self._patience_s = app_name, icon, patience_s
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._jobs: asyncio.Queue[_Job | None] = asyncio.Queue()
        self._is_closed = False
        # Only the loop's thread touches what follows.
        self._notifier: DesktopNotifier | None = None
        self._numbers = itertools.count(1)
        self._identifiers: dict[str, str] = {}  # key of a notice → the library's name of it
        self._late: set[asyncio.Task[Any]] = set()

    def probe(self) -> None:
        """Ask the system; macOS asks the user for the permission when nobody has yet."""
        self._post(self._probe)

    def show(self, notice: Notice) -> None:
        """Show a notice; a failed one is free to be shown otherwise."""
        self._post(lambda: self._show(notice))

    def withdraw(self, key: str) -> None:
        """Take a notice off the screen."""
        if self._thread is not None:
            self._post(lambda: self._clear(key))

    def close(self) -> None:
        """Take everything off the screen and end the thread; waits two seconds at most."""
        self._is_closed = True
        thread, self._thread = self._thread, None
        if thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._jobs.put_nowait, None)
            thread.join(_END_S + 1)

    def _post(self, job: _Job) -> None:
        if self._is_closed:
            return
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._run, args=(self._loop,), name="notices", daemon=True)
            self._thread.start()
        self._loop.call_soon_threadsafe(self._jobs.put_nowait, job)

    # On the thread of the loop

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        asyncio.set_event_loop(loop)
        try:
            loop.run_until_complete(self._work())
        finally:
            loop.close()

    async def _work(self) -> None:
        """Do one job after the other, so that a withdrawal never overtakes its notice."""
        while (job := await self._jobs.get()) is not None:
            await job()
        for task in self._late:
            task.cancel()
        if self._identifiers:
            await asyncio.wait({asyncio.ensure_future(self._clear(key)) for key in self._identifiers}, timeout=_END_S)
        self._identifiers.clear()
        self._forget()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _probe(self) -> None:
        task = asyncio.ensure_future(self._has_buttons())
        done, _pending = await asyncio.wait({task}, timeout=self._patience_s)
        if done:
            self.probed.emit(task.result())
        else:
            self._late.add(task)
            task.add_done_callback(self._late.discard)

    async def _has_buttons(self) -> bool:
        """Return whether the system would show a notice with buttons."""
        from desktop_notifier import Capability

        try:
            notifier = self._open()
            works = await notifier.request_authorisation() and Capability.BUTTONS in await notifier.get_capabilities()
        except Exception as error:  # noqa: BLE001 - each system fails in its own way
            _log.info("the system's notifications do not work: %r", error)
            works = False
        if not works:
            self._forget()
        return works

    async def _show(self, notice: Notice) -> None:
        await self._clear(notice.key)
        task = asyncio.ensure_future(self._send(notice))
        done, _pending = await asyncio.wait({task}, timeout=self._patience_s)
        if not done:
            # It may still come, while the notice is already shown otherwise: it is taken back then.
            _log.warning("the system's notifications do not answer")
            self._late.add(task)
            task.add_done_callback(lambda each: self._take_back(each, notice.key))
        if done and task.result():
            self.shown.emit(notice.key)
        else:
            self.failed.emit(notice)

    def _take_back(self, task: asyncio.Task[str], key: str) -> None:
        self._late.discard(task)
        if not task.cancelled() and task.result() and self._identifiers.get(key) == task.result():
            self._jobs.put_nowait(lambda: self._clear(key))

    async def _send(self, notice: Notice) -> str:
        """Return the library's name of the notice when the system took it, otherwise nothing."""
        from desktop_notifier import Button, Notification

        if not await self._has_buttons():
            return ""
        identifier = f"notice-{os.getpid()}-{next(self._numbers)}"
        try:
            taken: Future[None] = Future()
            buttons = usable_buttons(notice.buttons, os.environ.get("XDG_CURRENT_DESKTOP", ""))
            notification = Notification(
                notice.title,
                plain_body(notice.body),
                buttons=tuple(Button(title=each.text, identifier=each.key) for each in buttons),
                timeout=0 if notice.buttons else -1,
                identifier=identifier,
                # The library only logs what went wrong; it calls this when nothing did.
                on_dispatched=lambda: taken.set_result(None),
            )
            self._identifiers[notice.key] = identifier
            await self._open().send_notification(notification)
        except Exception as error:  # noqa: BLE001 - each system fails in its own way; another way to show it follows
            _log.warning("the system's notifications do not work: %r", error)
            _log.debug("where", exc_info=True)
            taken = Future()
        if not taken.done():
            self._identifiers.pop(notice.key, None)
            self._forget()
        return identifier if taken.done() else ""

    def _forget(self) -> None:
        """Look for the service anew with the next notice: it may come up later. What it shows is still listened to."""
        if not self._identifiers and self._notifier is not None:
            # The library keeps its connection to the bus open for good.
            bus = getattr(getattr(self._notifier, "_backend", None), "bus", None)
            if bus is not None:
                bus.disconnect()
            self._notifier = None

    def _open(self) -> DesktopNotifier:
        if self._notifier is None:
            from desktop_notifier import DesktopNotifier, Icon

            icon = Icon(path=self._icon) if self._icon is not None else None
            self._notifier = DesktopNotifier(self._app_name, icon)
            self._notifier.on_button_pressed = self._on_button
            self._notifier.on_clicked = lambda identifier: self._on_gone(identifier, self.clicked.emit)
            self._notifier.on_dismissed = lambda identifier: self._on_gone(identifier, self.dismissed.emit)
        return self._notifier

    async def _clear(self, key: str) -> None:
        identifier = self._identifiers.pop(key, None)
        if identifier is None or self._notifier is None:
            return
        try:
            await self._notifier.clear(identifier)
        except Exception:  # noqa: BLE001 - it is gone already, or its service is
            _log.debug("a notice could not be taken back", exc_info=True)

    # The library calls these on the loop's thread, on macOS on the main one.

    def _on_button(self, identifier: str, button: str) -> None:
        self._on_gone(identifier, lambda key: self.pressed.emit(key, button))

    def _on_gone(self, identifier: str, tell: Callable[[str], object]) -> None:
        key = next((key for key, name in list(self._identifiers.items()) if name == identifier), None)
        if key is None:
            _log.info("an answer to a notice that is not there any more")
            return
        self._identifiers.pop(key, None)
        tell(key)


def usable_buttons(buttons: tuple[NoticeButton, ...], desktop: str) -> tuple[NoticeButton, ...]:
    """Return the buttons that a desktop (XDG_CURRENT_DESKTOP) shows; "later" stays, since nothing else offers it."""
    if "GNOME" not in desktop.upper().split(":") or len(buttons) <= _GNOME_BUTTONS:
        return buttons
    return (*buttons[: _GNOME_BUTTONS - 1], buttons[-1])


def plain_body(text: str) -> str:
    """Return a text that no Linux service takes for markup: whether it reads markup cannot be told beforehand."""
    if not sys.platform.startswith("linux"):
        return text
    return text.translate({ord("<"): "‹", ord(">"): "›", ord("&"): "＆"})
