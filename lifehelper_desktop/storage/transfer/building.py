"""What the readers of all formats share: cleaning values, judging days, and putting a habit together row by row."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta, tzinfo
from functools import lru_cache
from math import gcd
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitStatus, HabitType, Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import schedule_words
from lifehelper_desktop.domain.rules import DOSE_MAX, NOTE_MAX
from lifehelper_desktop.domain.schedule import EVERY_DAYS_MAX, MONTH_DAYS_MAX
from lifehelper_desktop.storage.entries import EARLIEST_DAY
from lifehelper_desktop.storage.text import clean_text, shorten
from lifehelper_desktop.storage.transfer.model import (
    DESCRIPTION_MAX,
    MAX_ENTRIES,
    MAX_HABITS,
    TITLE_MAX,
    UNIT_MAX,
    FileFormat,
    ImportedEntry,
    ImportedHabit,
    ImportedReminder,
)
from lifehelper_desktop.storage.transfer.report import Report
from lifehelper_desktop.storage.transfer.source_file import SourceFile, too_large
from lifehelper_desktop.storage.transfer.watch import Watch

EPOCH: Final = date(1970, 1, 1).toordinal()
_ISO_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_WHOLE: Final = re.compile(r"[+-]?\d{1,18}")
_AMOUNT_MAX: Final = 1e12


@lru_cache(maxsize=20_000)
def iso_day(text: str) -> date | None:
    """Return the civil day of `YYYY-MM-DD`, or None. Days of the calendar repeat, so one object serves for each."""
    try:
        return date.fromisoformat(text) if _ISO_DAY.fullmatch(text) else None
    except ValueError:
        return None


@lru_cache(maxsize=20_000)
def epoch_day(number: int) -> date | None:
    """Return the civil day `number` days after 1 January 1970, or None when the calendar ends before."""
    try:
        return date.fromordinal(EPOCH + number)
    except (ValueError, OverflowError):
        return None


def as_int(value: object) -> int | None:
    """Return a whole number that came as a number or as its digits, or None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 1 << 62 else None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1 << 53 else None
    if isinstance(value, str) and _WHOLE.fullmatch(text := value.strip()):
        return int(text)  # which trims less itself
    return None


def as_float(value: object) -> float | None:
    """Return a finite number of a believable size, or None."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and abs(number) <= _AMOUNT_MAX else None


def as_text(value: object) -> str:
    """Return text as it is and nothing for everything else."""
    return value if isinstance(value, str) else ""


def as_list(value: object) -> list[Any]:
    """Return a list as it is and an empty one for everything else."""
    return value if isinstance(value, list) else []


def storable(text: str) -> str:
    """Return text that a database takes: half of a pair of UTF-16, which JSON can hold, becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def number_words(number: float) -> str:
    """Return a number as people write it: 2, 1.5."""
    return f"{number:.6f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Goal:
    """How much a full day is.

    Attributes:
        at_most: The amount is to stay at or below `amount`.
        days: The amount is meant for so many days together; 1 is a day.
    """

    amount: float
    at_most: bool = False
    days: int = 1

    def judge(self, amount: float) -> EntryValue:
        """Return what a day with `amount` is."""
        if self.at_most:
            met = amount <= self.amount
        elif self.days > 1 or self.amount <= 0:
            met = amount > 0
        else:
            met = amount >= self.amount
        return EntryValue.DONE if met else EntryValue.NOT_DONE

    def words(self, unit: str) -> str:
        """Return the goal as a dose, in the language in force."""
        amount = f"{number_words(self.amount)} {unit}".strip()
        return clean_text((_("{amount} 이하") if self.at_most else "{amount}").format(amount=amount))[:DOSE_MAX]


@dataclass(slots=True)
class ReadContext:
    """What a reader works with.

    Attributes:
        today: The logical day of now.
        days_ahead: How far behind today a day may lie: one, since elsewhere it may be tomorrow already.
        zone: Where instants become days: given by the user, or None.
        local_zone: The zone to fall back on; None is the system's own.
        known_columns: What a habit's rows in LifeHelper's own file may hold, by table.
    """

    source: SourceFile
    format: FileFormat
    today: date
    report: Report
    watch: Watch
    zone: tzinfo | None = None
    local_zone: tzinfo | None = None
    known_columns: Mapping[str, frozenset[str]] = field(default_factory=dict)
    days_ahead: int = 1
    entries: int = 0
    habits: int = 0
    _names: Counter[str] = field(default_factory=Counter)

    def count_habit(self) -> None:
        """Count one more habit.

        Raises:
            TransferError: `too_large`: there are more than anyone has.
        """
        self.habits += 1
        if self.habits > MAX_HABITS:
            raise too_large()

    def habit(self, title: object, where: str) -> HabitBuilder:
        """Begin a habit.

        Raises:
            TransferError: `too_large`.
        """
        self.count_habit()
        return HabitBuilder(self, title, where)

    def name_key(self, title: str) -> str:
        """Return the key of a habit that is known by its name only; equal names are counted through."""
        number = self._names[title]
        self._names[title] += 1
        return f"name:{number}:{title}"

    def check_day(self, day: date | None, text: object, where: str) -> date | None:
        """Return the day when it can be stored; otherwise remark that it cannot and return None."""
        if day is None:
            self.report.bad(where, "bad_day", text=shorten(text))
        elif day < EARLIEST_DAY:
            self.report.bad(where, "day_too_early", first=EARLIEST_DAY.isoformat(), day=day.isoformat())
        elif day > self.today + timedelta(days=self.days_ahead):
            self.report.bad(where, "day_to_come", day=day.isoformat())
        else:
            return day
        return None

    def cut(self, text: object, limit: int, where: str, reason: str, **values: object) -> str:
        """Return the text cleaned with its lines and cut to `limit` characters, which is remarked."""
        if not isinstance(text, str) or not text:
            return ""
        cleaned = clean_text(text[: 50 * limit], keep_lines=True)
        if len(cleaned) <= limit:
            return cleaned
        self.report.note(where, reason, limit=limit, **values)
        return clean_text(cleaned[: limit - 1], keep_lines=True) + "…"


class HabitBuilder:
    """One habit of a file, put together row by row. The attributes are those of `ImportedHabit`."""

    def __init__(self, context: ReadContext, title: object, where: str) -> None:
        """Begin with a title and nothing else; `where` is the habit's place in the file."""
        self._context = context
        self.where = where
        self.title = self._clean_title(title)
        self.keys: list[str] = []
        self.habit_type = HabitType.BUILD
        self.status = HabitStatus.ACTIVE
        self.schedule = DAILY
        self.start: date | None = None
        self.unit = ""
        self.description = ""
        self.standard_dose = ""
        self.goal: Goal | None = None
        self.reminders: list[ImportedReminder] = []
        self._entries: dict[date, ImportedEntry] = {}

    def _clean_title(self, title: object) -> str:
        text = clean_text(as_text(title)[: 50 * TITLE_MAX])
        if not text:
            text = _("이름 없는 습관")
            self._context.report.note(self.where, "title_empty", title=text)
        elif len(text) > TITLE_MAX:
            self._context.report.note(self.where, "title_cut", limit=TITLE_MAX)
            text = clean_text(text[: TITLE_MAX - 1]) + "…"
        return text

    def describe(self, *texts: object) -> None:
        """Set the description from the texts that are there."""
        joined = "\n".join(text for text in texts if isinstance(text, str) and text.strip())
        self.description = self._context.cut(joined, DESCRIPTION_MAX, self.where, "text_cut")

    def measure(self, unit: object, goal: Goal) -> None:
        """Make the habit one of amounts."""
        self.unit = clean_text(as_text(unit)[: 50 * UNIT_MAX])[:UNIT_MAX].strip()
        self.goal = goal
        self.standard_dose = goal.words(self.unit) if goal.amount or goal.at_most else ""
        if goal.days > 1 and not goal.at_most:
            self._context.report.note(self.where, "total_per_period", days=goal.days)

    def repeat(self, times: int, days: int) -> None:
        """Set the schedule to `times` in any `days` days, or to the nearest that can be counted, which is remarked.

        Once in so many days is the rule of every N days; several times are counted by the week.
        """
        exact = True
        common = gcd(times, days)
        if times >= days:
            self.schedule = DAILY
        elif times == common:
            exact = days // common <= EVERY_DAYS_MAX
            self.schedule = every_days(days // common)
        elif times * 7 >= days:
            exact = times * 7 % days == 0
            self.schedule = times_a_week(times * 7 // days)
        else:
            exact = False
            self.schedule = every_days(-(-days // times))
        if not exact:
            near = schedule_words(self.schedule)
            self._context.report.note(self.where, "schedule_near", days=days, times=times, near=near)

    def repeat_by_calendar(self, times: int, every: int, days: int) -> None:
        """Set the schedule to `times` in `every` calendar days, weeks, months or years: `days` is 1, 7, 30 or 365."""
        months = {30: every, 365: 12 * every}.get(days)
        if days == 7 and every == 1:
            self.schedule = times_a_week(times)
        elif months is not None and times % months == 0:
            self.schedule = times_a_month(times // months)
        else:
            self.repeat(times, days * every)

    def add(self, day: date, value: EntryValue, where: str, *, amount: float | None = None, note: object = "") -> None:
        """Add one day; a second row of the same day is left out, which is remarked.

        Raises:
            TransferError: `too_large`, `stopped`.
        """
        context = self._context
        text = context.cut(note, NOTE_MAX, where, "note_cut", day=day.isoformat()) if note else ""
        entry = ImportedEntry(day, value, amount, text)
        if self._entries.setdefault(day, entry) is not entry:
            context.report.note(where, "duplicate", day=day.isoformat())
            return
        context.entries += 1
        if context.entries > MAX_ENTRIES:
            raise too_large()
        context.watch.step()

    def add_note_only(self, day: date, where: str, note: object) -> None:
        """Add a day that holds a note and no mark."""
        self._context.report.note(where, "note_only", day=day.isoformat())
        self.add(day, EntryValue.NOT_DONE, where, note=note)

    def add_amount(self, day: date, amount: float, where: str, note: object = "") -> None:
        """Add a day of a habit of amounts, judged by its goal."""
        assert self.goal is not None
        self.add(day, self.goal.judge(amount), where, amount=amount, note=note)

    def build(self) -> ImportedHabit:
        """Return the habit with its days in order."""
        keys = [storable(key)[:300] for key in (*self.keys, self._context.name_key(self.title))]
        return ImportedHabit(
            keys=tuple(dict.fromkeys(keys)),
            title=self.title,
            habit_type=self.habit_type,
            status=self.status,
            schedule=self.schedule,
            start=self.start,
            description=self.description,
            unit=self.unit,
            standard_dose=self.standard_dose,
            reminders=tuple(self.reminders),
            entries=tuple(self._entries[day] for day in sorted(self._entries)),
        )


def times_a_week(times: int) -> Schedule:
    """Return the schedule of so many times a week; 7 is daily."""
    return DAILY if times >= 7 else Schedule(ScheduleKind.PER_WEEK, times=times)


def times_a_month(times: int) -> Schedule:
    """Return the schedule of so many times a month; 31 is daily."""
    return DAILY if times >= MONTH_DAYS_MAX else Schedule(ScheduleKind.PER_MONTH, times=times)


def every_days(days: int) -> Schedule:
    """Return the schedule of once every so many days, at most a year."""
    return DAILY if days <= 1 else Schedule(ScheduleKind.EVERY_DAYS, days=min(days, EVERY_DAYS_MAX))


def on_weekdays(weekdays: Iterable[int]) -> Schedule:
    """Return the schedule of these ISO weekdays; all seven are daily."""
    days = frozenset(weekdays)
    return DAILY if len(days) == 7 else Schedule(ScheduleKind.WEEKDAYS, weekdays=days)


Read = Callable[[ReadContext], list[ImportedHabit]]


@dataclass(frozen=True, slots=True)
class FormatReader:
    """One format: how it is recognised by its content, and read.

    Attributes:
        matches: Whether a file is of this format; looks only, and only at what is cheap.
        read: Returns the habits; what it cannot read goes to the report.
    """

    format: FileFormat
    matches: Callable[[SourceFile], bool]
    read: Read
