"""The right answers to the English questions, computed from the generator's own records."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from lifehelper_desktop.base.paths import resources_dir
from tests.helpers.year_of_data import DAY, TODAY, Year
from tests.tools.answers import (
    LAST_WEEK,
    Rows,
    answers,
    due_days,
    iso,
    kept_by,
    month,
    newest_notes,
    notes,
    percent,
    steps,
)


@answers
def en01(year: Year) -> dict[str, Any]:
    live = [h.title_en for h in year.habits if not h.is_archived]
    return {"count": len(live), "build_count": 3, "break_count": 1}


@answers
def en02(year: Year) -> Rows:
    rows = [[habit.title_en, len(habit.entries)] for habit in year.habits]
    return sorted(rows, key=lambda row: -row[1])


@answers
def en03(year: Year) -> dict[str, Any]:
    run, longest = year.walk.streaks()
    recent = sum(year.walk.kept(TODAY - n * DAY) for n in range(30))
    return {"current_streak": run, "longest_streak": longest, "done_count_30d": recent}


@answers
def en04(year: Year) -> Rows:
    return [list(kept_by(year, lambda habit, day: month(day)).most_common(1)[0])]


@answers
def en05(year: Year) -> Rows:
    found = [(day, h) for h, day, entry in year.entries() if entry.value == "blank" and day >= date(2026, 7, 1)]
    return [[h.title_en, iso(day)] for day, h in sorted(found, key=lambda each: (each[0], each[1].id))]


@answers
def en06(year: Year) -> Rows:
    day, habit, note = notes(year)[0]
    return [[iso(day), habit.title_en, note]]


@answers
def en07(year: Year) -> Rows:
    return [[sum(n for day, n in steps(year).items() if LAST_WEEK[0] <= day <= LAST_WEEK[1])]]


@answers
def en08(year: Year) -> Rows:
    missed = Counter(day.isoweekday() for h in year.habits for day in h.days() if h.missed(day))
    best = min(missed, key=lambda number: (-missed[number], number))
    return [[best, missed[best]]]


@answers
def en09(year: Year) -> Rows:
    return [[habit.title_en, habit.minimum_dose] for habit in year.habits]


@answers
def en10(year: Year) -> Rows:
    return [[h.title_en, iso(h.start)] for h in sorted(year.habits, key=lambda h: (h.start, h.id))]


@answers
def en11(year: Year) -> Rows:
    rows: Rows = []
    for habit in year.habits:
        days = [day for day in habit.days() if month(day) == "2026-07"]
        kept, missed = sum(map(habit.kept, days)), sum(map(habit.missed, days))
        if days:
            rows.append([habit.title_en, percent(kept, kept + missed)])
    return rows


@answers
def en12(year: Year) -> Rows:
    days = [day for day in year.todo.days() if year.todo.kept(day)]
    return [[float(max((after - before).days for before, after in pairwise(days)))]]


@answers
def en13(year: Year) -> Rows:
    first = date(2026, 1, 1)
    days = [first + n * DAY for n in range((TODAY - first).days)]
    return [[sum(not any(habit.kept(day) for habit in year.habits) for day in days)]]


@answers
def en14(year: Year) -> Rows:
    rows: Rows = []
    for number in range(1, 8):
        found = [n for day, n in steps(year).items() if day.isoweekday() == number]
        rows.append([number, float(int(sum(found) / len(found) + 0.5))])
    return rows


@answers
def en15(year: Year) -> Rows:
    return [[iso(day), n] for day, n in sorted(steps(year).items(), key=lambda each: (-each[1], each[0]))[:5]]


@answers
def en16(year: Year) -> Rows:
    return [[sum("피곤" in note for _day, _habit, note in notes(year))]]


@answers
def en17(year: Year) -> Rows:
    rows: Rows = []
    total = 0
    for name, kept in sorted(kept_by(year, lambda habit, day: month(day)).items()):
        total += kept
        rows.append([name, total])
    return rows


@answers
def en18(year: Year) -> Rows:
    rows: Rows = []
    for part, is_end in (("weekday", False), ("weekend", True)):
        found = [(habit, day) for habit, day in due_days(year) if (day.isoweekday() >= 6) is is_end]
        rows.append([part, percent(sum(habit.kept(day) for habit, day in found), len(found))])
    return rows


@answers
def en19(year: Year) -> Rows:
    return [[len(json.loads((resources_dir() / "catalogue" / "sleep.json").read_text(encoding="utf-8")))]]


@answers
def en20(year: Year) -> Rows:
    now = sum(year.social.kept(TODAY - timedelta(days=n)) for n in range(30))
    before = sum(year.social.kept(TODAY - timedelta(days=n)) for n in range(30, 60))
    return [[now, before]]


@answers
def en21(year: Year) -> Rows:
    friday = date(2026, 8, 7)
    return [[iso(friday), int(year.strength.kept(friday))]]


@answers
def en22(year: Year) -> Rows:
    values = [entry.value for _habit, _day, entry in year.entries() if entry.kept]
    return [[percent(values.count("minimum"), len(values))]]


@answers
def en23(year: Year) -> Rows:
    return [[iso(day), note] for day, habit, note in newest_notes(year) if habit is year.walk][:3]


@answers
def en24(year: Year) -> Rows:
    return [[sum(map(year.walk.paused, year.walk.days()))]]


@answers
def en25(year: Year) -> dict[str, Any]:
    return {"valid": True, "tables": ["numbers"]}
