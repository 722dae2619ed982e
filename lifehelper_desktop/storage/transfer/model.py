"""The common form into which every format is read: habits with their entries. Pure values, nothing is stored yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from lifehelper_desktop.domain import rules
from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitStatus, HabitType, Schedule

MAX_HABITS: Final = 2_000
MAX_ENTRIES: Final = 2_000_000
TITLE_MAX: Final = rules.TITLE_MAX
UNIT_MAX: Final = 40
DESCRIPTION_MAX: Final = 2_000


class FileFormat(StrEnum):
    """What kinds of file are understood; the values are the names on the command line."""

    LIFEHELPER = "lifehelper"
    LOOP_DB = "loop-db"
    LOOP_CSV = "loop-csv"
    LOOP_TABLE = "loop-table"
    MHABIT = "mhabit"
    HABITTROVE = "habittrove"
    BEAVERHABITS = "beaverhabits"
    HABITBULL = "habitbull"
    TICKMATE = "tickmate"
    REWIRE = "rewire"
    OPENHABITTRACKER = "openhabittracker"

    @property
    def app(self) -> str:
        """The name of the program that writes such files, for people."""
        return _APPS[self]

    @property
    def holds_instants(self) -> bool:
        """Whether its days come from moments, so that it matters in which time zone they are read."""
        return self is FileFormat.HABITTROVE

    @property
    def source(self) -> str:
        """Whose habits these are: the formats of one program share it, so that one habit is known in all of them."""
        return "loop" if self.value.startswith("loop-") else self.value


_APPS: Final = {
    FileFormat.LIFEHELPER: "LifeHelper",
    FileFormat.LOOP_DB: "Loop Habit Tracker",
    FileFormat.LOOP_CSV: "Loop Habit Tracker (CSV)",
    FileFormat.LOOP_TABLE: "Loop Habit Tracker (Checkmarks.csv)",
    FileFormat.MHABIT: "Table Habit (mhabit)",
    FileFormat.HABITTROVE: "HabitTrove",
    FileFormat.BEAVERHABITS: "Beaver Habits",
    FileFormat.HABITBULL: "HabitBull",
    FileFormat.TICKMATE: "Tickmate",
    FileFormat.REWIRE: "Rewire",
    FileFormat.OPENHABITTRACKER: "OpenHabitTracker",
}


class ImportedEntry(NamedTuple):
    """One day of one habit.

    Attributes:
        amount: How much, in the habit's unit; None where the other program only says yes or no.
        created_at, updated_at: Times as stored by LifeHelper itself; empty takes the time of the import.
    """

    day: date
    value: EntryValue
    amount: float | None = None
    note: str = ""
    created_at: str = ""
    updated_at: str = ""


@dataclass(frozen=True, slots=True)
class ImportedReminder:
    """A reminder: minutes after midnight of the wall clock, and ISO weekdays 1 (Monday) to 7."""

    minutes: int
    weekdays: frozenset[int] = frozenset(range(1, 8))


@dataclass(frozen=True, slots=True)
class OwnRows:
    """What only LifeHelper's own file holds: the rows of a habit as they were.

    Attributes:
        id: The habit's number in the profile it comes from; kept where it is free.
        columns: The columns of its row by name, without `id` and `import_id`.
        doses: By `is_minimum`.
        children: Rows of the other tables that belong to the habit, by table, without their own ids.
        sources: (source, external id) under which other trackers' files know the habit.
    """

    id: int
    columns: Mapping[str, Any]
    doses: Mapping[int, str]
    children: Mapping[str, tuple[Mapping[str, Any], ...]]
    sources: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ImportedHabit:
    """One habit of the file.

    Attributes:
        keys: External ids, the surest first; those that begin with `name:` only stand in where there is no other.
        title: As the other program shows it, cleaned and cut to what can be stored.
        status: What it is there; `archived` and `paused` stay so, `active` needs a place (R3).
        start: Its first day there, when the file says so.
        description: What the other program says about it, cut to what can be stored.
        unit: What amounts are measured in, or empty.
        standard_dose: What a full day is, in words, or empty.
        entries: At most one a day, oldest first.
        own: Set for LifeHelper's own file only.
    """

    keys: tuple[str, ...]
    title: str
    habit_type: HabitType = HabitType.BUILD
    status: HabitStatus = HabitStatus.ACTIVE
    schedule: Schedule = DAILY
    start: date | None = None
    description: str = ""
    unit: str = ""
    standard_dose: str = ""
    reminders: tuple[ImportedReminder, ...] = ()
    entries: tuple[ImportedEntry, ...] = ()
    own: OwnRows | None = None


@dataclass(frozen=True, slots=True)
class ImportedData:
    """Everything of one file.

    Attributes:
        file_name: The file's own name, without its folder.
        settings: Settings of LifeHelper's own file, already checked.
    """

    format: FileFormat
    file_name: str
    habits: tuple[ImportedHabit, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
