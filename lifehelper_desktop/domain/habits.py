"""The nouns: habits, entries and catalogue entries, as frozen values. Identity belongs to storage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class HabitKind(StrEnum):
    """What a catalogue entry is."""

    PROTOCOL = "protocol"
    BREAK = "break"
    DIET = "diet"

    @property
    def habit_type(self) -> HabitType:
        """Protocols and diets build a habit; a break entry replaces one."""
        return HabitType.BREAK if self is HabitKind.BREAK else HabitType.BUILD


class HabitType(StrEnum):
    """The two kinds of place that R3 counts."""

    BUILD = "build"
    BREAK = "break"


class HabitStatus(StrEnum):
    """Where a habit stands."""

    ACTIVE = "active"
    PAUSED = "paused"
    ARCHIVED = "archived"


class EntryValue(StrEnum):
    """What a day's entry says, as on the wire. `minimum` is stored as done with `is_minimum = 1` (R10).

    `not_done` comes from other trackers: an explicit no, a part of the amount, or only a note. It counts as no entry.
    """

    DONE = "done"
    MINIMUM = "minimum"
    BLANK = "blank"
    NOT_DONE = "not_done"


#: What a person records here, in the order of the buttons.
MARKS = (EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK)


class ScheduleKind(StrEnum):
    """How often a habit is due."""

    DAILY = "daily"
    WEEKDAYS = "weekdays"
    PER_WEEK = "per_week"
    PER_MONTH = "per_month"
    EVERY_DAYS = "every_days"

    @property
    def has_fixed_days(self) -> bool:
        """Whether each day either asks for the habit or does not; the other kinds leave the choice of days open."""
        return self in (ScheduleKind.DAILY, ScheduleKind.WEEKDAYS)


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a habit is due.

    Attributes:
        kind: Daily, fixed weekdays, n times per calendar week (from the day that the settings name) or calendar
            month, or every N days (the next check within N days of the last one, that day included).
        weekdays: For WEEKDAYS: ISO weekdays 1 (Monday) to 7; empty otherwise.
        times: For PER_WEEK 1 to 7, for PER_MONTH 1 to 31; 0 otherwise.
        days: For EVERY_DAYS: 2 to 365; 0 otherwise.
    """

    kind: ScheduleKind = ScheduleKind.DAILY
    weekdays: frozenset[int] = frozenset()
    times: int = 0
    days: int = 0


DAILY = Schedule()
#: (first day, schedule) pairs, oldest first; each holds until the day before the next one.
ScheduleHistory = tuple[tuple[date, Schedule], ...]


@dataclass(frozen=True, slots=True)
class Habit:
    """One habit of the user.

    Attributes:
        protocol_id: Catalogue id of a protocol or diet, or None (R8: exactly one of the two is set, except for
            imported habits, which may have neither).
        break_protocol_id: Catalogue id of a break entry, or None.
        title_ko, title_en: The catalogue's titles; an imported habit has its own title in both.
        frame_level: 1 outcome, 2 process, 3 identity (R1).
        framed_text: The approach-worded sentence, 2–80 characters (R7).
        anchor_source: `user`, or `suggested` when the catalogue's anchor was filled in (R2).
        minimum_dose: None only for imported habits without one (R9, R10).
        start: Logical day of creation.
        archived_on: Logical day of archiving, or None.
        position: Place in the list, smallest first.
        schedule: The one in force now.
        paused_ranges: Paused days as (first, last) with last None while the pause runs.
        source: The tracker that an imported habit comes from (`loop`, `mhabit`, …); None when it was made here.
        description: What the other tracker said about it; empty for habits made here.
        unit: What its amounts are measured in (`L`), or empty.
        schedules: Every schedule that it ever had, with the first day of each; the first one holds for all days
            before, too, and the last one is `schedule`. Empty means that it never had another one.
    """

    id: int
    protocol_id: str | None
    break_protocol_id: str | None
    kind: HabitKind
    title_ko: str
    title_en: str
    frame_level: int
    framed_text: str
    anchor_when: str | None
    anchor_after_what: str | None
    anchor_source: str
    standard_dose: str
    minimum_dose: str | None
    status: HabitStatus
    start: date
    archived_on: date | None = None
    position: int = 0
    schedule: Schedule = DAILY
    paused_ranges: tuple[tuple[date, date | None], ...] = ()
    source: str | None = None
    description: str = ""
    unit: str = ""
    schedules: ScheduleHistory = ()

    @property
    def catalogue_id(self) -> str:
        """The one protocol that this habit points at; empty for an imported habit without one."""
        return self.protocol_id or self.break_protocol_id or ""

    @property
    def habit_type(self) -> HabitType:
        """Build or break."""
        return self.kind.habit_type

    def title(self, language: str) -> str:
        """Return the title in `ko` or `en`."""
        return self.title_en if language == "en" else self.title_ko

    def is_paused_on(self, day: date) -> bool:
        """Return whether a pause covers `day`; one that still runs covers all days to come."""
        return any(first <= day and (last is None or day <= last) for first, last in self.paused_ranges)

    @property
    def history(self) -> ScheduleHistory:
        """`schedules`, at least one."""
        return self.schedules or ((self.start, self.schedule),)

    def schedule_on(self, day: date) -> Schedule:
        """Return the schedule in force on `day`: each day is judged by that of its own time."""
        return schedule_on(self.history, day)


def schedule_on(history: ScheduleHistory, day: date) -> Schedule:
    """Return the schedule of a history (at least one pair) in force on `day`."""
    found = history[0][1]
    for first, schedule in history[1:]:
        if first > day:
            break
        found = schedule
    return found


@dataclass(frozen=True, slots=True)
class Entry:
    """What was recorded for one habit on one civil day (R5: one a day).

    Attributes:
        amount: How much it was, in the habit's unit; only imported entries have one.
    """

    id: int
    habit_id: int
    date: date
    value: EntryValue
    note: str = ""
    amount: float | None = None


@dataclass(frozen=True, slots=True)
class NewHabit:
    """What is needed to add a habit. `protocol_id` takes any catalogue id; storage sorts it by kind (R8).

    Attributes:
        minimum_dose: None takes the catalogue's (chat); the form always sends one (R9).
        standard_dose: None takes the catalogue's.
        is_complete: True for the form and imports, which must bring an anchor (R2) and a standard dose of their own
            (R9). Chat leaves it False: what is blank is filled in from the catalogue.
    """

    protocol_id: str
    frame_level: int
    framed_text: str
    anchor_when: str | None = None
    anchor_after_what: str | None = None
    standard_dose: str | None = None
    minimum_dose: str | None = None
    schedule: Schedule = DAILY
    is_complete: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a protocol comes from. `grade` A, B or C speaks of the source; `limit` says what it does not show."""

    citation: str
    doi: str
    grade: str
    limit: str


@dataclass(frozen=True, slots=True)
class Category:
    """A display category of the catalogue."""

    name: str
    ko: str
    en: str


@dataclass(frozen=True, slots=True)
class Protocol:
    """One catalogue entry. Texts ending in `_ko` / `_en` are the two languages; use `text()` to choose."""

    id: str
    kind: HabitKind
    category: str
    texts: dict[str, dict[str, str]]  # language -> field -> text
    frames: dict[str, tuple[str, str, str]]  # language -> levels 1, 2, 3
    keywords: tuple[str, ...]
    evidence: Evidence
    requires_ack: bool

    def text(self, field: str, language: str) -> str:
        """Return one text field: title, summary, standard_dose, minimum_dose, anchor_when, anchor_after_what,
        safety, target_behavior, replacement or portion; empty when the entry has none.
        """
        return self.texts[language].get(field, "")

    def frame(self, level: int, language: str) -> str:
        """Return the example frame of level 1, 2 or 3."""
        return self.frames[language][level - 1]
