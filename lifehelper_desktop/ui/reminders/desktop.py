"""The one notifier of the program."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QApplication

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.reminders.native import NativeNotifier
from lifehelper_desktop.ui.reminders.notifier import LayeredNotifier
from lifehelper_desktop.ui.reminders.popup import PopupNotifier


def desktop_notifier() -> LayeredNotifier:
    """Return the application's notifier, made at the first call; it ends with the event loop. Main thread.

    The system's own notifications first, and a window of ours where they are missing or have no buttons.
    """
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    found = app.findChild(LayeredNotifier)
    if found is not None:
        return found
    # On Windows the name is a key of the registry.
    name = "LifeHelper" if sys.platform == "win32" else _("라이프 헬퍼")
    notifier = LayeredNotifier((NativeNotifier(name, icons.app_icon_file()), PopupNotifier()), app)

    app.aboutToQuit.connect(notifier.end)  # a method of it: once it is gone, later loops do not end it again
    return notifier
