"""Fifty questions about a year of data (`tests/data/questions.json`): each is answered by a tool with exactly the rows
that are computed here from the generator's own records, never from the database.

To add one: a row in the file, and a function here with its id as its name.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.paths import resolve_paths, resources_dir
from lifehelper_desktop.domain.habits import Schedule, ScheduleKind
from lifehelper_desktop.domain.labels import schedule_words
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.tools.definition import ToolDeps
from lifehelper_desktop.tools.dispatcher import ToolDispatcher
from lifehelper_desktop.tools.envelope import TOOL_RESULT_MAX_BYTES, encode_tool_result
from lifehelper_desktop.tools.registry import ToolRegistry
from tests.conftest import NOW
from tests.helpers.year_of_data import DAY, TODAY, WEEKDAYS, Year, YearHabit, make_year

QUESTIONS: Final[list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "data" / "questions.json").read_text(encoding="utf-8")
)
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


# Korean


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


# English


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


# The test


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Year]]:
    store = open_store(resolve_paths(tmp_path_factory.mktemp("year")), FixedClock(NOW))
    yield store, make_year(store)
    store.close()


def as_lists(data: dict[str, Any]) -> Rows:
    rows = data["rows"]
    return [list(row.values()) if isinstance(row, dict) else row for row in rows]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_the_tool_answers_with_the_right_rows(question: dict[str, Any], filled: tuple[Store, Year]) -> None:
    store, year = filled
    dispatcher = ToolDispatcher(ToolRegistry.defaults(), ToolDeps(store, question["language"]))
    text = encode_tool_result(dispatcher.dispatch(question["tool"], question["args"]))
    assert len(text.encode()) <= TOOL_RESULT_MAX_BYTES
    result = json.loads(text)
    assert result["status"] == "ok", result
    expected = EXPECTED[question["id"]](year)
    if isinstance(expected, dict):
        assert {key: result["data"][key] for key in expected} == expected
    else:
        assert as_lists(result["data"]) == expected
        assert result["data"]["count"] == len(expected)
        assert "_omitted" not in result["data"]
        assert "more" not in result["data"]


def test_there_are_fifty_questions_in_two_languages() -> None:
    assert Counter(question["language"] for question in QUESTIONS) == {"ko": 25, "en": 25}
    assert {question["id"] for question in QUESTIONS} == EXPECTED.keys()
    assert len({question["question"] for question in QUESTIONS}) == 50
