"""Lets reminders ring: wakes at the next one, shows what is due, and records the answers for their own days."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import DAY_START_MINUTES, REMINDERS_ENABLED, SNOOZE_MINUTES
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.domain.reminders import Ring, decide, time_to_next
from lifehelper_desktop.domain.rules import BACKDATE_DAYS, RuleViolation
from lifehelper_desktop.domain.schedule import unit_of
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.storage.reminders import ReminderLook
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus, Trouble
from lifehelper_desktop.ui.reminders.notifier import Notice, Notifier
from lifehelper_desktop.ui.reminders.words import LATER, OPEN, group_notice, refusal_notice, reminder_notice
from lifehelper_desktop.ui.trouble import guarded
from lifehelper_desktop.ui.writes import attempt

CHECK_MS: Final = 30_000  # sleep stops timers, and clocks and zones are set: seen this late
GROUP_ABOVE: Final = 3  # more habits at once come in one notice
_LONGEST_MS: Final = 24 * 60 * 60 * 1000
_log = logging.getLogger(__name__)


class ReminderService(QObject):
    """Main thread. Every read and write is short; the notifier does its slow work elsewhere.

    What was shown is remembered in the file before it is shown, so that nothing rings twice, whatever happens. A
    notice stays until it is answered, dismissed, or its day has an entry; an answer goes to the day that it was for.

    Signals:
        habit_asked: Id of the habit at which the window is wanted.
        today_asked: The window is wanted at today's list.
    """

    habit_asked = Signal(int)
    today_asked = Signal()

    def __init__(self, store: Store, bus: Bus, notifier: Notifier, parent: QObject | None = None) -> None:
        """Prepare; `start` begins to ring."""
        super().__init__(parent)
        self.bus = bus
        self._store, self._notifier = store, notifier
        self._open: dict[str, tuple[Ring, ...]] = {}  # what is on the screen
        self._known: dict[str, tuple[Ring, ...]] = {}  # what ever was, for answers that cross a withdrawal
        self._numbers = itertools.count(1)
        self._in_trouble = False
        queued = Qt.ConnectionType.QueuedConnection
        notifier.pressed.connect(self._on_pressed, queued)
        notifier.clicked.connect(self._on_clicked, queued)
        notifier.dismissed.connect(self._on_dismissed, queued)
        notifier.failed.connect(self._on_failed, queued)
        bus.on_data(self._on_data)
        self._steady = QTimer(self)
        self._steady.setInterval(CHECK_MS)
        self._steady.timeout.connect(self.check)
        self._next = QTimer(self)
        self._next.setSingleShot(True)
        self._next.setTimerType(Qt.TimerType.PreciseTimer)  # others may be minutes late over a day
        self._next.timeout.connect(self.check)

    def start(self) -> None:
        """Begin: what was missed today is caught up with at once."""
        self._steady.start()
        self.check()

    def stop(self) -> None:
        """End: what has no answer leaves the screen, since nobody would hear it, and comes back at the next start."""
        if not self._steady.isActive():
            return
        self._steady.stop()
        self._next.stop()
        rings = [ring for shown in self._open.values() for ring in shown]
        try:
            today = self._store.today()
            self._store.reminders.give_back(ring for ring in rings if ring.day == today)
        except WorldError as error:
            _log.warning("unanswered reminders: %s", error)
        for key in self._open:
            self._notifier.withdraw(key)
        self._open.clear()

    @property
    def is_running(self) -> bool:
        """Whether reminders ring."""
        return self._steady.isActive()

    # ---- ringing ----------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Look at the clock and the data now; also when another program has written or a new day has begun.

        Trouble with the file is told once, and the next look tries again.
        """
        if not self.is_running:
            return
        try:
            self._look()
        except WorldError as error:
            _log.warning("reminders: %s", error)
            if not self._in_trouble:
                self.bus.publish_notice(Trouble(error))
            self._in_trouble = True
        else:
            self._in_trouble = False

    def _look(self) -> None:
        store = self._store
        now, day_start = store.clock.now(), store.settings.get_int(DAY_START_MINUTES)
        look = store.reminders.look({ring.day for rings in self._open.values() for ring in rings})
        enabled = store.settings.get_bool(REMINDERS_ENABLED)
        self._withdraw_settled(look, store.today() - timedelta(days=BACKDATE_DAYS), enabled=enabled)
        decision = decide(now, day_start, look.reminders, look.marks, partial(self._asks, look))
        show = decision.show if enabled else ()
        if not decision.is_empty:
            store.reminders.keep((*decision.show, *decision.passed))
            look = store.reminders.look()
            self._show_rings(show, look)
        self._wake(time_to_next(now, day_start, look.reminders, look.marks))

    def _asks(self, look: ReminderLook, habit_id: int, day: date) -> bool:
        """Return whether a habit asks for something on a day, also by the number of its week or month so far."""
        if not look.asks(habit_id, day):
            return False
        habit = look.habits[habit_id]
        is_open_choice = unit_of(habit.schedule) != "day"
        return not is_open_choice or day != self._store.today() or self._store.overview(habit).is_due

    def _on_data(self, _changes: Changes) -> None:
        self.check()

    def _wake(self, after: timedelta | None) -> None:
        if after is None:
            self._next.stop()
        else:
            # Upwards: a look that comes a moment too early finds nothing.
            self._next.start(min(_LONGEST_MS, -(-after // timedelta(milliseconds=1))))

    def _withdraw_settled(self, look: ReminderLook, earliest: date, *, enabled: bool) -> None:
        """Take away what asks for nothing any more: recorded elsewhere, paused, gone, or too long ago to record."""
        for key, rings in list(self._open.items()):
            asks = any(ring.day >= earliest and self._asks(look, ring.habit_id, ring.day) for ring in rings)
            if not (enabled and asks):
                del self._open[key]
                self._notifier.withdraw(key)
        self._known = {key: rings for key, rings in self._known.items() if max(rings).day >= earliest}

    def _show_rings(self, rings: Sequence[Ring], look: ReminderLook) -> None:
        if len(rings) > GROUP_ABOVE:
            key = f"group-{next(self._numbers)}"
            self._put_up(group_notice(key, [look.habits[ring.habit_id] for ring in rings]), rings)
            return
        for ring in rings:
            key = f"habit-{ring.habit_id}-{ring.day.isoformat()}"  # a later one of the same day takes its place
            self._put_up(reminder_notice(key, look.habits[ring.habit_id], ring.day), [ring])

    def _put_up(self, notice: Notice, rings: Sequence[Ring]) -> None:
        self._open[notice.key] = self._known[notice.key] = tuple(rings)
        self._notifier.show(notice)

    # ---- answers ----------------------------------------------------------------------------------------------

    @guarded
    def _on_pressed(self, key: str, button: str) -> None:
        self._open.pop(key, None)
        rings = self._known.get(key)
        if rings is None:
            return  # another's notice: the test of the dialog
        if button == OPEN:
            self.today_asked.emit()
        elif button == LATER:
            self._put_off(key, rings)
        else:
            self._record(key, rings[0], EntryValue(button))

    @guarded
    def _on_clicked(self, key: str) -> None:
        self._open.pop(key, None)
        rings = self._known.get(key, ())
        if len(rings) == 1:
            self.habit_asked.emit(rings[0].habit_id)
        elif rings:
            self.today_asked.emit()

    def _on_dismissed(self, key: str) -> None:
        self._open.pop(key, None)

    @guarded
    def _on_failed(self, notice: Notice) -> None:
        rings = self._open.pop(notice.key, ())
        _log.warning("a reminder could not be shown; the next look tries again")
        self._store.reminders.give_back(rings)

    def _put_off(self, key: str, rings: Sequence[Ring]) -> None:
        minutes = timedelta(minutes=self._store.settings.get_int(SNOOZE_MINUTES))
        try:
            self._store.reminders.snooze(rings, self._store.clock.now() + minutes)
        except WorldError as error:
            self._tell(key, rings[0], str(error), again=len(rings) == 1)
            return
        self.check()

    def _record(self, key: str, ring: Ring, value: EntryValue) -> None:
        with acting(Source.REMINDER):
            outcome = attempt(self.bus, lambda: self._store.entries.log(ring.habit_id, value, ring.day)[1])
        if not outcome.is_ok:
            self._tell(key, ring, outcome.problem, again=outcome.error is not None)

    def _tell(self, key: str, ring: Ring, problem: str, *, again: bool) -> None:
        """Say why an answer was not kept; with `again` the same buttons come back, since another try may do."""
        habit: Habit | None = None
        with suppress(RuleViolation, WorldError):
            habit = self._store.habits.get(ring.habit_id)
        if again and habit is not None:
            self._put_up(reminder_notice(key, habit, ring.day, problem), [ring])
        else:
            self._notifier.show(refusal_notice(f"told-{next(self._numbers)}", habit, problem))
