"""Notices what happens outside this process: another one writing to the database, and midnight."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject, QTimer, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.storage.store import Store

_log = logging.getLogger(__name__)
DATA_MS = 2000
DAY_MS = 30_000


class DataWatcher(QObject):
    """Main thread. `data_changed`: another connection wrote; `day_changed`: the logical day is another one."""

    data_changed = Signal()
    day_changed = Signal()

    def __init__(self, store: Store, parent: QObject | None = None) -> None:
        """Prepare; `start` begins to watch."""
        super().__init__(parent)
        self._store = store
        self._version = store.db.data_version()
        self._today = store.today()
        self._data_timer = QTimer(self)
        self._data_timer.setInterval(DATA_MS)
        self._data_timer.timeout.connect(self.check_data)
        self._day_timer = QTimer(self)
        self._day_timer.setInterval(DAY_MS)
        self._day_timer.timeout.connect(self.check_day)

    def start(self) -> None:
        """Begin to look every two (data) and thirty (day) seconds."""
        self._data_timer.start()
        self._day_timer.start()

    def stop(self) -> None:
        """Look no more."""
        self._data_timer.stop()
        self._day_timer.stop()

    def check_data(self) -> None:
        """Look now whether another connection wrote."""
        try:
            version = self._store.db.data_version()
        except WorldError as error:
            _log.warning("data version: %s", error)
            return
        if version != self._version:
            self._version = version
            self.data_changed.emit()

    def check_day(self) -> None:
        """Look now whether the logical day changed."""
        try:
            today = self._store.today()
        except WorldError as error:
            _log.warning("today: %s", error)
            return
        if today != self._today:
            self._today = today
            self.day_changed.emit()
