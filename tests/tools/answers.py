"""What the answers to the fifty questions are made of: the words that they share, and where they gather."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, Final

from tests.helpers.year_of_data import TODAY, Year, YearHabit

LAST_WEEK: Final = (date(2026, 8, 3), date(2026, 8, 9))
Rows = list[list[Any]]
EXPECTED: dict[str, Callable[[Year], Any]] = {}


def answers(function: Callable[[Year], Any]) -> Callable[[Year], Any]:
    EXPECTED[function.__name__] = function
    return function


def month(day: date) -> str:
    return f"{day:%Y-%m}"


def kept_by(year: Year, key: Callable[[YearHabit, date], Any]) -> Counter[Any]:
    return Counter(key(habit, day) for habit, day, entry in year.entries() if entry.kept)


def notes(year: Year) -> list[tuple[date, YearHabit, str]]:
    found = [(day, habit, entry.note) for habit, day, entry in year.entries() if entry.note]
    return sorted(found, key=lambda each: (each[0], each[1].id))


def newest_notes(year: Year) -> list[tuple[date, YearHabit, str]]:
    return sorted(notes(year), key=lambda each: (-each[0].toordinal(), each[1].id))


def due_days(year: Year) -> Iterator[tuple[YearHabit, date]]:
    return ((habit, day) for habit in year.habits for day in habit.days() if habit.due(day) and day < TODAY)


def steps(year: Year) -> dict[date, float]:
    return {day: entry.amount for day, entry in year.walk.entries.items() if entry.amount is not None}


def percent(part: int, whole: int) -> float:
    return round(100.0 * part / whole, 1)


def iso(day: date) -> str:
    return day.isoformat()
