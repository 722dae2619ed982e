"""Recording today from outside the main window (tray menu, quick log): always the day that is shown, never another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import Entry, EntryValue, HabitStatus
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.storage.store import HabitOverview, Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.undo import take_back
from lifehelper_desktop.ui.writes import WriteOutcome, attempt


@dataclass(frozen=True, slots=True)
class Today:
    """What one look at the data showed.

    Attributes:
        day: The logical day of that moment.
        due: Active habits that today asks for, in list order.
        others: Active habits that today does not ask for.
    """

    day: date
    due: tuple[HabitOverview, ...]
    others: tuple[HabitOverview, ...]

    @property
    def open_count(self) -> int:
        """How many of today's habits hold no entry yet."""
        return sum(each.today_entry is None for each in self.due)


def look(store: Store) -> Today:
    """Read today's habits.

    Raises:
        WorldError: The file could not be read.
    """
    day = store.today()
    active = [each for each in store.overviews() if each.habit.status is HabitStatus.ACTIVE]
    due = [each for each in active if each.is_due or each.today_entry is not None]
    return Today(day, tuple(due), tuple(each for each in active if each not in due))


def mark(bus: Bus, store: Store, day: date, habit_id: int, value: EntryValue) -> WriteOutcome:
    """Record `value` for `day`, the day that was shown; a day that has ended meanwhile is refused in words.

    The same value again changes nothing and is no error (a second click in the tray's menu); another value replaces
    the one that is there, since the user sees what is recorded while choosing.
    """

    def write() -> Changes:
        with store.db.write():
            if store.entries.get(habit_id, day) is None:
                return store.entries.log(habit_id, value, day)[1]
            return store.entries.change(habit_id, day, value)

    return _on_day(bus, store, day, write)


def clear(bus: Bus, store: Store, day: date, entry: Entry) -> WriteOutcome:
    """Take `entry` back when it is still the one that was shown."""
    if day != store.today():
        return _new_day()
    with acting(Source.TRAY):
        return take_back(bus, store, entry)


def _on_day(bus: Bus, store: Store, day: date, write: Callable[[], Changes]) -> WriteOutcome:
    if day != store.today():
        return _new_day()
    with acting(Source.TRAY):
        return attempt(bus, write)


def _new_day() -> WriteOutcome:
    return WriteOutcome(NOTHING, _("새 하루가 시작됐어요. 오늘 목록을 보고 다시 골라 주세요."))
