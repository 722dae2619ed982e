"""Notices what happens outside this process: another one writing to the database, and a new day."""

from __future__ import annotations

import logging
from datetime import datetime, time, timedelta

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.storage.opening import copy_in_background, daily_backup_in_background
from lifehelper_desktop.storage.store import Store

_log = logging.getLogger(__name__)
DATA_MS = 500  # what another program writes is to show at once; looking reads a few bytes of memory
DAY_MS = 30_000  # a clock that is set, and sleep, which stops timers, are seen this late
_SOON_MS = 20  # a day that should have begun is looked for again after this


def ms_to_next_day(now: datetime, day_start_minutes: int) -> int:
    """Return the milliseconds from `now` (aware) until the wall clock shows the next start of a day."""
    wall = now.replace(tzinfo=None)
    start = datetime.combine(wall.date(), time()) + timedelta(minutes=day_start_minutes)
    if start <= wall:
        start += timedelta(days=1)
    return max(_SOON_MS, -((wall - start) // timedelta(milliseconds=1)))


class DataWatcher(QObject):
    """Main thread. `data_changed`: another connection wrote; `day_changed`: the logical day is another one.

    `trouble` carries what work in the background, a backup for example, could not do: a WorldError.
    """

    data_changed = Signal()
    day_changed = Signal()
    trouble = Signal(object)

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
        self._next_day_timer = QTimer(self)
        self._next_day_timer.setSingleShot(True)
        self._next_day_timer.setTimerType(Qt.TimerType.PreciseTimer)  # others may be minutes late over a day
        self._next_day_timer.timeout.connect(self.check_day)

    def start(self) -> None:
        """Begin to look every half second (data) and thirty seconds (day), and when the next day begins."""
        self._data_timer.start()
        self._day_timer.start()
        self.check_day()
        copy_in_background(self._store.db, told=False)  # the stick may be back

    def stop(self) -> None:
        """Look no more."""
        self._data_timer.stop()
        self._day_timer.stop()
        self._next_day_timer.stop()

    def check_data(self) -> None:
        """Look now whether another connection wrote, and whether there is trouble to tell."""
        if (error := self._store.db.take_trouble()) is not None:
            self.trouble.emit(error)
        try:
            version = self._store.db.data_version()
        except WorldError as error:
            _log.warning("data version: %s", error)
            return
        if version != self._version:
            self._version = version
            self.data_changed.emit()

    def check_day(self) -> None:
        """Look now whether the logical day changed, and wait for the next one; also after the day start was set."""
        try:
            today = self._store.today()
            if self._day_timer.isActive():
                start = self._store.settings.get_int(DAY_START_MINUTES)
                self._next_day_timer.start(ms_to_next_day(self._store.clock.now(), start))
        except WorldError as error:
            _log.warning("today: %s", error)
            return
        if today != self._today:
            self._today = today
            # A window that is never closed has no start at which the backup would be made.
            daily_backup_in_background(self._store.db)
            self.day_changed.emit()
