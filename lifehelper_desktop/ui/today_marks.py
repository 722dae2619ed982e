"""Recording today from outside the main window (tray menu, quick log): always the day that is shown, never another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lifehelper_desktop.base.i18n import _, ngettext
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
        due: Active habits that today asks for or that hold an entry of today, in list order.
        others: The other active habits.
    """

    day: date
    due: tuple[HabitOverview, ...]
    others: tuple[HabitOverview, ...]

    @property
    def open_count(self) -> int:
        """How many of today's habits hold no entry yet."""
        return sum(each.today_entry is None for each in self.due)

    @property
    def is_complete(self) -> bool:
        """Whether today asked for something and all of it is recorded."""
        return bool(self.due) and self.open_count == 0

    def words(self) -> str:
        """Return how the day stands, as one sentence."""
        n = self.open_count
        if not self.due:
            return _("오늘 정해진 습관은 없어요.")
        if self.is_complete:
            return _("오늘 기록을 모두 마쳤어요. 잘했어요.")
        return ngettext("오늘 {n}개 남았어요.", "오늘 {n}개 남았어요.", n).format(n=n)


def look(store: Store) -> Today:
    """Read today's habits.

    Raises:
        WorldError: The file could not be read.
    """
    while True:
        day = store.today()
        with store.db.snapshot():
            active = [store.overview(habit) for habit in store.habits.list(HabitStatus.ACTIVE)]
        if day == store.today():  # else a day began in between, and what was read may be of either
            break
    due = tuple(each for each in active if each.is_due or each.today_entry is not None)
    shown = {each.habit.id for each in due}
    return Today(day, due, tuple(each for each in active if each.habit.id not in shown))


def mark(
    bus: Bus, store: Store, day: date, habit_id: int, value: EntryValue, seen: EntryValue | None = None
) -> WriteOutcome:
    """Record `value` for `day`, the day that was shown; a day that has ended meanwhile is refused in words.

    The same value again changes nothing and is no trouble. Another value replaces `seen`, what the user saw recorded;
    what was recorded elsewhere since then stays, and is told.
    """
    if day != store.today():
        return _new_day()
    changed_since = False

    def write() -> Changes:
        nonlocal changed_since
        with store.db.write():
            entry = store.entries.get(habit_id, day)
            now = None if entry is None else entry.value
            if now is value:
                return NOTHING
            changed_since = now is not seen
            if changed_since:
                return NOTHING
            if now is None:
                return store.entries.log(habit_id, value, day)[1]
            return store.entries.change(habit_id, day, value)

    with acting(Source.TRAY):
        outcome = attempt(bus, write)
    if outcome.is_ok and changed_since:
        return WriteOutcome(NOTHING, _("그사이 다른 곳에서 기록됐어요. 지금 기록을 보고 다시 골라 주세요."))
    return outcome


def clear(bus: Bus, store: Store, day: date, entry: Entry) -> WriteOutcome:
    """Take `entry` back when it is still the one that was shown, and its day too."""
    if day != store.today():
        return _new_day()
    with acting(Source.TRAY):
        return take_back(bus, store, entry)


def _new_day() -> WriteOutcome:
    return WriteOutcome(NOTHING, _("새 하루가 시작됐어요. 오늘 목록을 보고 다시 골라 주세요."))
