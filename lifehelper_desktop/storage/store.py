"""Everything the program needs of its data, in one object."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lifehelper_desktop.base.clock import Clock, SystemClock, logical_day
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import DAY_START_MINUTES, WEEK_START
from lifehelper_desktop.domain.day_line import DayLine
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.domain.streaks import Tally
from lifehelper_desktop.domain.strength import strength
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.storage.conversations import ConversationRepository
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.entries import EntryRepository
from lifehelper_desktop.storage.habit_rows import load_habits
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.journal import Journal
from lifehelper_desktop.storage.marks import MarksReader
from lifehelper_desktop.storage.opening import open_database
from lifehelper_desktop.storage.overviews import HabitOverview, TallyMemo, day_line, overview_of
from lifehelper_desktop.storage.record import HabitRecord, record_of
from lifehelper_desktop.storage.reminders import ReminderRepository
from lifehelper_desktop.storage.search.finder import Search
from lifehelper_desktop.storage.settings import SettingsRepository
from lifehelper_desktop.storage.tables import HABIT
from lifehelper_desktop.storage.talk_summaries import SummaryRepository
from lifehelper_desktop.storage.trash import TrashRepository

if TYPE_CHECKING:
    from lifehelper_desktop.storage.asking.asking import Asking
    from lifehelper_desktop.storage.transfer.transfers import Transfers


__all__ = ["HabitOverview", "HabitRecord", "Store", "open_store"]

_FIRST_WEEKDAYS: Final = {"monday": 1, "sunday": 7}


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
    reminders: ReminderRepository
    search: Search
    _marks: MarksReader = field(init=False, repr=False)
    _tallies: TallyMemo = field(init=False, repr=False, default_factory=TallyMemo)

    def __post_init__(self) -> None:
        """Keep nothing read so far."""
        self._marks = MarksReader(self.db)

    @cached_property
    def transfers(self) -> Transfers:
        """Import and export. Made at first use: the start of the program needs none of it."""
        from lifehelper_desktop.storage.transfer.transfers import Transfers

        return Transfers(self.db, self.habits, self.settings, self.clock, self.today)

    @cached_property
    def summaries(self) -> SummaryRepository:
        """What stands for the beginnings of long conversations."""
        return SummaryRepository(self.db, self.clock)

    @cached_property
    def asking(self) -> Asking:
        """Questions in SQL. Made at first use, as `transfers`."""
        from lifehelper_desktop.storage.asking.asking import Asking

        return Asking(self)

    def today(self) -> date:
        """Return the logical day of now."""
        return _today(self.clock, self.settings)

    def week_start(self) -> int:
        """Return the ISO weekday on which the user's calendar week begins: 1 Monday, 7 Sunday."""
        return _FIRST_WEEKDAYS[self.settings.get_str(WEEK_START)]

    def overview(self, habit: Habit) -> HabitOverview:
        """Return one habit with its numbers; for an archived one they are those of its last day."""
        with self.db.snapshot():
            today = self.today()
            [(_habit, line)] = self._lines([habit], today, self.db)
            entry = self.entries.get(habit.id, today)
        return overview_of(habit, self.tally(habit.id, line), entry)

    def overviews(self) -> list[HabitOverview]:
        """Return the active and paused habits with their numbers in list order."""
        with self.db.snapshot():
            today = self.today()
            lines = self._lines(self.habits.list(), today, self.db)
            entries = self.entries.on_day(today)
        return [overview_of(habit, self.tally(habit.id, line), entries.get(habit.id)) for habit, line in lines]

    def strengths(self) -> dict[int, float]:
        """Return the strength of every habit, archived ones too, by id, as of its last day: from 0 to 1."""
        with self.db.snapshot():
            lines = self.lines(self.db)
        return {habit.id: strength(line) for habit, line in lines}

    def lines(self, db: Database) -> list[tuple[Habit, DayLine]]:
        """Return every habit outside the trash with its days, in list order, read through `db`, any connection to the
        same file. Inside its `snapshot()`.
        """
        return self._lines(load_habits(db, HABIT.c.id.is_null(is_null=False)), self.today(), db)

    def _lines(self, habits: list[Habit], today: date, db: Database) -> list[tuple[Habit, DayLine]]:
        week_start = self.week_start()
        marks = self._marks.over(db).read(habit.id for habit in habits)
        return [(habit, day_line(habit, marks[habit.id], today, week_start)) for habit in habits]

    def tally(self, habit_id: int, line: DayLine) -> Tally:
        """Return the numbers of the days of a habit, counted once while they stay the same."""
        return self._tallies.tally(habit_id, line)

    def record(self, habit_id: int) -> HabitRecord:
        """Return one habit with its whole history, archived ones too; every number of it fits every other.

        Raises:
            RuleViolation: `not_found`, also in the trash and for ids that no row can have.
        """
        with self.db.snapshot():
            habit = self.habits.get(habit_id)
            today = self.today()
            entries = self.entries.for_habit(habit.id)
            [(_habit, line)] = self._lines([habit], today, self.db)
        return record_of(habit, entries, line, today)

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
    reminders = ReminderRepository(db, habits, ticking, today)
    search = Search(db)
    search.index.catch_up_in_background()
    return Store(
        paths, db, ticking, settings, catalogue, habits, entries, conversations, journal, trash, reminders, search
    )


def _today(clock: Clock, settings: SettingsRepository) -> date:
    return logical_day(clock.now(), settings.get_int(DAY_START_MINUTES))
