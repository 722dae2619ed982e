"""The right answers to the Korean questions, computed from the generator's own records."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any, Final

from lifehelper_desktop.domain.habits import Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import schedule_words
from tests.helpers.year_of_data import DAY, TODAY, WEEKDAYS, Year
from tests.tools.answers import LAST_WEEK, Rows, answers, due_days, iso, kept_by, month, newest_notes, percent, steps


@answers
def ko01(year: Year) -> Rows:
    counts = kept_by(year, lambda habit, day: day)
    july = [(day, n) for day, n in counts.items() if month(day) == "2026-07"]
    return [[iso(day), n] for day, n in sorted(july, key=lambda each: (-each[1], each[0]))[:3]]


@answers
def ko02(year: Year) -> Rows:
    live = [habit for habit in year.habits if not habit.is_archived]
    return [[h.title, sum(h.kept(day) for day in h.days() if month(day) == "2026-08")] for h in live]


@answers
def ko03(year: Year) -> Rows:
    asked, kept = Counter[str](), Counter[str]()
    for habit, day in due_days(year):
        asked[WEEKDAYS[day.weekday()]] += 1
        kept[WEEKDAYS[day.weekday()]] += habit.kept(day)
    best = max(asked, key=lambda name: kept[name] / asked[name])
    return [[best, percent(kept[best], asked[best])]]


@answers
def ko04(year: Year) -> Rows:
    best = max((h for h in year.habits if not h.is_archived), key=lambda h: h.streaks()[0])
    return [[best.title, best.streaks()[0], "day"]]


@answers
def ko05(year: Year) -> Rows:
    return [[iso(max(day for day in year.walk.days() if year.walk.missed(day)))]]


@answers
def ko06(year: Year) -> Rows:
    return [[iso(day), note] for day, _habit, note in newest_notes(year) if "비" in note][:5]


@answers
def ko07(year: Year) -> Rows:
    best = max(steps(year), key=lambda day: steps(year)[day])
    return [[iso(best), steps(year)[best]]]


@answers
def ko08(year: Year) -> Rows:
    first, last = LAST_WEEK
    days = [first + n * DAY for n in range((last - first).days + 1)]
    return [[h.title, iso(day)] for day in days for h in year.habits if h.start <= day <= h.last and h.missed(day)]


@answers
def ko09(year: Year) -> Rows:
    counts = kept_by(year, lambda habit, day: month(day))
    return [[name, counts[name]] for name in sorted(counts)]


@answers
def ko10(year: Year) -> Rows:
    return [[h.title, iso(h.last)] for h in year.habits if h.is_archived]


@answers
def ko11(year: Year) -> Rows:
    found = Counter(h.id for h, day, entry in year.entries() if entry.value == "minimum" and day.year == 2026)
    return [[h.title, found[h.id]] for h in year.habits if found[h.id]]


@answers
def ko12(year: Year) -> Rows:
    return [["weekdays", "135", schedule_words(Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5})))]]


@answers
def ko13(year: Year) -> Rows:
    return [[h.title, *map(iso, h.pause)] for h in year.habits if h.pause is not None]


@answers
def ko14(year: Year) -> Rows:
    yesterday = TODAY - DAY
    return [[h.title, h.entries[yesterday].value] for h in year.habits if yesterday in h.entries]


@answers
def ko15(year: Year) -> Rows:
    return [[h.title] for h in year.habits if not h.is_archived and h.due(TODAY) and TODAY not in h.entries]


@answers
def ko16(year: Year) -> Rows:
    found: dict[date, bool] = {}
    for habit in year.habits:
        for day in habit.days():
            if habit.due(day):
                found[day] = found.get(day, True) and habit.kept(day)
    return [[sum(found.values())]]


@answers
def ko17(year: Year) -> Rows:
    return [[sum(year.todo.kept(day) for day in year.walk.days() if year.walk.kept(day))]]


@answers
def ko18(year: Year) -> Rows:
    return [[round(sum(steps(year).values()) / len(steps(year)), 1)]]


@answers
def ko19(year: Year) -> Rows:
    kept = kept_by(year, lambda habit, day: month(day))
    missed = Counter(month(day) for h in year.habits for day in h.days() if h.missed(day))
    return [[name, kept[name], missed[name]] for name in ("2026-05", "2026-06")]


@answers
def ko20(year: Year) -> Rows:
    return [[habit.title, iso(day), note] for day, habit, note in newest_notes(year)[:5]]


@answers
def ko21(year: Year) -> Rows:
    walk = year.walk
    return [[sum(walk.missed(day) and walk.kept(day + DAY) for day in walk.days())]]


@answers
def ko22(year: Year) -> Rows:
    rows: Rows = []
    for habit in year.habits:
        if habit.is_archived:
            continue
        counted = [day for day in habit.days() if habit.due(day)][-42:]
        kept = sum(map(habit.kept, counted))
        tier = next(name for name, least in TIERS if kept >= least)
        rows.append([habit.title, tier, kept])
    return rows


TIERS: Final = (("tree", 36), ("root", 24), ("stem", 14), ("sprout", 7), ("seed", 0))


@answers
def ko23(year: Year) -> Rows:
    rows = [[habit.title, habit.streaks()[1]] for habit in year.habits]
    return sorted(rows, key=lambda row: -row[1])


@answers
def ko24(year: Year) -> Rows:
    return [["21:30", "12345", 1]]


@answers
def ko25(year: Year) -> dict[str, Any]:
    days = [day for _habit, day, _entry in year.entries()]
    return {"today": iso(TODAY), "table": "entries", "rows": len(days), "first": iso(min(days)), "last": iso(max(days))}
