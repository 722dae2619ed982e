"""What the checks of the data look at, and what they answer. The checks themselves: `domain.quality_checks`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.day_line import DayLine
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.domain.reminders import Reminder


class Severity(StrEnum):
    """How much it matters. HIGH: a rule does not hold or numbers are wrong; MEDIUM: worth a look; LOW: good to know."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def words(self) -> str:
        """The severity in the language in force."""
        return {Severity.HIGH: _("먼저"), Severity.MEDIUM: _("살펴보기"), Severity.LOW: _("참고")}[self]


@dataclass(frozen=True, slots=True)
class HabitData:
    """One habit with its days.

    Attributes:
        missed_twice: Two misses stand side by side in the last 42 counted days (R4).
        has_missed: What was due last has passed without being done.
    """

    habit: Habit
    line: DayLine
    missed_twice: bool
    has_missed: bool


@dataclass(frozen=True, slots=True)
class QualityData:
    """What the checks look at.

    Attributes:
        habits: All outside the trash, archived ones too, in list order.
        blank_notes: Habit id, day and note of blank days with a note.
        reminders: All, also of habits that rest.
    """

    today: date
    habits: tuple[HabitData, ...]
    blank_notes: tuple[tuple[int, date, str], ...] = ()
    reminders: tuple[Reminder, ...] = ()

    def active(self) -> Iterator[HabitData]:
        """Give the active habits."""
        return (each for each in self.habits if each.habit.status is HabitStatus.ACTIVE)


@dataclass(frozen=True, slots=True)
class QualityRow:
    """One row that fails a check.

    Attributes:
        habit: Whose it is.
        day: Which day, or None.
        detail: What else there is to say, in the language in force.
    """

    habit: Habit
    day: date | None = None
    detail: str = ""

    def words(self, language: str) -> str:
        """Return the row in one line."""
        day = self.day.isoformat() if self.day is not None else ""
        return " · ".join(part for part in (self.habit.title(language), day, self.detail) if part)


Find = Callable[[QualityData], Sequence[QualityRow]]


@dataclass(frozen=True, slots=True)
class QualityCheck:
    """One check.

    Attributes:
        title, advice: Korean msgids: what is off, and what to do next.
    """

    name: str
    severity: Severity
    title: str
    advice: str
    find: Find


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """A check that something fails: how many rows, and the first of them."""

    check: QualityCheck
    count: int
    samples: tuple[QualityRow, ...]
