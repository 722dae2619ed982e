"""Everything the program needs of its data, in one object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from lifehelper_desktop.base.clock import Clock, SystemClock, logical_day
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.domain.habits import Entry, Habit, HabitStatus
from lifehelper_desktop.domain.schedule import (
    compute_scheduled_streaks,
    expand_pauses,
    is_due,
    scheduled_open_gap,
    scheduled_phase_day,
)
from lifehelper_desktop.domain.streaks import StreakSummary
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.storage.conversations import ConversationRepository
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.entries import EntryRepository
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.journal import Journal
from lifehelper_desktop.storage.opening import open_database
from lifehelper_desktop.storage.settings import SettingsRepository
from lifehelper_desktop.storage.trash import TrashRepository

if TYPE_CHECKING:
    from lifehelper_desktop.storage.transfer.transfers import Transfers


@dataclass(frozen=True)
class HabitOverview:
    """A habit with the numbers that its card shows; computed from the rows, never cached.

    Attributes:
        today_entry: What was recorded for the logical day of now, or None.
        open_gap: Misses in a row that end yesterday: 1 suggests the minimum dose, 2 a restart.
        is_due: Whether today asks for something: active, on its schedule, and not in a pause.
    """

    habit: Habit
    today_entry: Entry | None
    streaks: StreakSummary
    phase_day: int
    open_gap: int
    is_due: bool


@dataclass
class Store:
    """The data of one process. Any thread may use it; each gets its own connection. Close it once, at the end."""

    paths: AppPaths
    db: Database
    clock: Clock
    settings: SettingsRepository
    catalogue: Catalogue
    habits: HabitRepository
    entries: EntryRepository
    conversations: ConversationRepository
    journal: Journal
    trash: TrashRepository

    @cached_property
    def transfers(self) -> Transfers:
        """Import and export. Made at first use: the start of the program needs none of it."""
        from lifehelper_desktop.storage.transfer.transfers import Transfers

        return Transfers(self.db, self.habits, self.settings, self.clock, self.today)

    def today(self) -> date:
        """Return the logical day of now."""
        return _today(self.clock, self.settings)

    def overview(self, habit: Habit) -> HabitOverview:
        """Return one habit with its numbers; for an archived one they are those of its last day."""
        entries = self.entries.for_habit(habit.id)
        values = {day: entry.value.value for day, entry in entries.items()}
        today = self.today()
        return _overview(habit, values, entries.get(today), today)

    def overviews(self) -> list[HabitOverview]:
        """Return the active and paused habits with their numbers in list order."""
        today = self.today()
        with self.db.read():
            values = self.entries.values_of_live_habits()
            entries = self.entries.on_day(today)
            habits = self.habits.list()
        return [_overview(habit, values.get(habit.id, {}), entries.get(habit.id), today) for habit in habits]

    def close(self) -> None:
        """Wait for running reads and writes of all threads and close the database. May be called again."""
        self.db.close()


def open_store(paths: AppPaths, clock: Clock | None = None) -> Store:
    """Open the data of `paths`: creates, or checks, backs up and migrates.

    Raises:
        WorldError: The database or the catalogue cannot be used; see `open_database`.
    """
    catalogue = Catalogue.load()
    ticking = clock or SystemClock()
    db = open_database(paths)
    journal = Journal(db, ticking)
    settings = SettingsRepository(db)

    def today() -> date:
        return _today(ticking, settings)

    habits = HabitRepository(db, catalogue, ticking, today)
    entries = EntryRepository(db, habits, ticking, today)
    conversations = ConversationRepository(db, ticking)
    trash = TrashRepository(db, habits, journal, ticking, today)
    trash.remove_old()
    return Store(paths, db, ticking, settings, catalogue, habits, entries, conversations, journal, trash)


def _today(clock: Clock, settings: SettingsRepository) -> date:
    return logical_day(clock.now(), settings.get_int(DAY_START_MINUTES))


def _overview(habit: Habit, values: Mapping[date, str], today_entry: Entry | None, today: date) -> HabitOverview:
    last = habit.archived_on or today
    paused = expand_pauses(habit.paused_ranges, last)
    span = (habit.schedule, values, habit.start, today, paused, habit.archived_on)
    due = habit.status is HabitStatus.ACTIVE and today not in paused and is_due(habit.schedule, today)
    return HabitOverview(
        habit=habit,
        today_entry=today_entry,
        streaks=compute_scheduled_streaks(*span),
        phase_day=scheduled_phase_day(*span),
        open_gap=scheduled_open_gap(*span),
        is_due=due,
    )
