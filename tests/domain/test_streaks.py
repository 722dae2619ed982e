"""Streaks against the worked examples, a naive reference, and the corners of the definition."""

from __future__ import annotations

import json
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.streaks import (
    TIERS,
    StreakSummary,
    compute_streaks,
    compute_tally,
    tier_of,
)

TODAY = date(2026, 8, 12)
CASES: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "data" / "streak_cases.json").read_text(encoding="utf-8")
)


def row(letters: str, last: date = TODAY) -> tuple[dict[date, str], date, set[date]]:
    """Read a row of the specification: D done, M minimum, B blank, `.` no entry, P paused; it ends on `last`."""
    values = {"D": "done", "M": "minimum", "B": "blank"}
    start = last - timedelta(days=len(letters) - 1)
    days = [start + timedelta(days=n) for n in range(len(letters))]
    entries = {day: values[letter] for day, letter in zip(days, letters, strict=True) if letter in values}
    return entries, start, {day for day, letter in zip(days, letters, strict=True) if letter == "P"}


def streaks(letters: str, last: date = TODAY) -> StreakSummary:
    entries, start, paused = row(letters, last)
    return compute_streaks(entries, start, last, paused)


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_worked_example(case: dict[str, Any]) -> None:
    summary = compute_streaks(
        {date.fromisoformat(day): value for day, value in case["entries"].items()},
        date.fromisoformat(case["start"]),
        date.fromisoformat(case["today"]),
        [date.fromisoformat(day) for day in case["paused_days"]],
    )
    assert {field: getattr(summary, field) for field in case["expect"]} == case["expect"]


def test_an_archived_habit_stays_as_it_was() -> None:
    archived_on = date(2026, 7, 20)
    entries, start, _ = row("DDDDD.", archived_on)
    expected = StreakSummary(5, 5, 5, 5, "seed", never_miss_twice_broken=False)
    assert compute_streaks(entries, start, TODAY, archived_on=archived_on) == expected
    assert compute_tally({}, start, TODAY, archived_on=archived_on).phase_day == 6
    assert compute_tally(entries, start, TODAY, archived_on=archived_on).open_gap == 0
    entries[date(2026, 7, 25)] = "done"
    assert compute_streaks(entries, start, TODAY, archived_on=archived_on) == expected


def test_the_30_days_are_calendar_days_and_pauses_do_not_stretch_them() -> None:
    assert streaks("D" * 31).done_count_30d == 30
    assert streaks("D" * 20 + "P" * 10 + "D" * 20).done_count_30d == 20
    assert streaks("D" + "P" * 30).done_count_30d == 0
    assert streaks("D" + "P" * 28 + ".").done_count_30d == 1


def test_the_window_of_42_skips_paused_days() -> None:
    summary = streaks("D" * 42 + "P" * 60)
    assert (summary.done_count_phase42, summary.current_streak, summary.tier) == (42, 42, "tree")


def test_entries_outside_the_life_of_the_habit_are_ignored() -> None:
    entries, start, _ = row("D.D")
    before = compute_streaks(entries, start, TODAY)
    entries |= {start - timedelta(days=1): "done", TODAY + timedelta(days=1): "done"}
    assert compute_streaks(entries, start, TODAY) == before


def test_an_entry_on_a_paused_day_is_ignored() -> None:
    entries, start, paused = row("DDPD")
    entries[TODAY - timedelta(days=1)] = "done"
    assert compute_streaks(entries, start, TODAY, paused).current_streak == 3


def test_a_start_after_today_counts_nothing() -> None:
    later = TODAY + timedelta(days=3)
    assert compute_streaks({later: "done"}, later, TODAY) == StreakSummary(0, 0, 0, 0, "seed", False)
    tally = compute_tally({}, later, TODAY)
    assert (tally.phase_day, tally.open_gap, tally.tier_count) == (0, 0, 0)


@pytest.mark.parametrize("value", ["skipped", "", "DONE"])
def test_an_unknown_value_is_an_error(value: str) -> None:
    with pytest.raises(ValueError, match="unknown entry values"):
        compute_streaks({TODAY: value}, TODAY, TODAY)


def test_enum_values_are_taken_too() -> None:
    assert compute_streaks({TODAY: EntryValue.MINIMUM}, TODAY, TODAY).current_streak == 1


@pytest.mark.parametrize(
    ("count", "tier"),
    [
        *[(0, "seed"), (6, "seed"), (7, "sprout"), (13, "sprout"), (14, "stem"), (23, "stem")],
        *[(24, "root"), (35, "root"), (36, "tree"), (42, "tree")],
    ],
)
def test_tier_edges(count: int, tier: str) -> None:
    assert tier_of(count) == tier


def test_tiers_rise() -> None:
    assert [least for _name, _title, least in TIERS] == sorted({least for _name, _title, least in TIERS})


@pytest.mark.parametrize(
    ("letters", "gap"),
    [
        *[("D.", 0), ("D..", 1), ("D...", 2), ("D..D", 2), ("D.B.", 0), ("D.B..", 1), ("..", 1), (".", 0)],
        *[("D.P.", 0), ("DP..", 1), ("D.P", 1), ("B..M", 2)],
    ],
)
def test_open_gap(letters: str, gap: int) -> None:
    entries, start, paused = row(letters)
    assert compute_tally(entries, start, TODAY, paused).open_gap == gap


def test_phase_day_counts_unpaused_days() -> None:
    _, start, paused = row("D.PPB.")
    assert compute_tally({}, start, TODAY, paused).phase_day == 4
    assert compute_tally({}, TODAY, TODAY).phase_day == 1
    outside = [start - timedelta(days=9), TODAY + timedelta(days=1)]
    assert compute_tally({}, start, TODAY, [*paused, *outside]).phase_day == 4


def naive(letters: str) -> StreakSummary:
    """The definitions of section 2.5 word by word, over the letters."""
    counted = [(n, letter) for n, letter in enumerate(letters) if letter != "P"]
    last = len(letters) - 1

    def is_missing(place: int) -> bool:
        return place != last and letters[place] == "."

    current = 0
    for place, letter in reversed(counted):
        if is_missing(place):
            break
        current += letter in "DM"
    runs = [0]
    for place, letter in counted:
        runs.append(0 if is_missing(place) else runs[-1] + (letter in "DM"))
    window = counted[-42:]
    places = {place for place, _letter in window}
    done_42 = sum(letter in "DM" for _place, letter in window)
    tier = [name for name, _title, least in TIERS if done_42 >= least][-1]
    return StreakSummary(
        current,
        max(runs),
        sum(letter in "DM" for letter in letters[-30:]),
        done_42,
        tier,
        any(is_missing(n) and is_missing(n + 1) and {n, n + 1} <= places for n in range(last)),
    )


ROWS = st.lists(st.sampled_from("DDDDMB..P"), min_size=1, max_size=120).map("".join)


@given(ROWS)
@settings(max_examples=300, deadline=None)
def test_agrees_with_the_definition_read_word_by_word(letters: str) -> None:
    summary = streaks(letters)
    assert summary == naive(letters)
    assert summary.longest_streak >= summary.current_streak >= 0


@given(ROWS, st.integers(0, 119))
@settings(max_examples=150, deadline=None)
def test_filling_a_missing_day_with_a_blank_never_shortens_anything(letters: str, place: int) -> None:
    place %= len(letters)
    if letters[place] != ".":
        return
    before, after = streaks(letters), streaks(letters[:place] + "B" + letters[place + 1 :])
    assert after.current_streak >= before.current_streak
    assert after.longest_streak >= before.longest_streak
    assert after.never_miss_twice_broken <= before.never_miss_twice_broken


@given(ROWS)
@settings(max_examples=100, deadline=None)
def test_a_minimum_counts_like_a_done_day(letters: str) -> None:
    assert streaks(letters) == streaks(letters.replace("M", "D"))


def test_five_years_take_a_few_milliseconds() -> None:
    entries, start, paused = row("DDDDMB.DDP" * 183)
    best = 1.0
    for _round in range(5):
        began = time.process_time()
        compute_streaks(entries, start, TODAY, frozenset(paused))
        best = min(best, time.process_time() - began)
    assert best < 0.02


def test_a_day_kept_as_not_done_counts_as_no_entry() -> None:
    days = [TODAY - timedelta(days=n) for n in range(6)]
    entries = dict.fromkeys(days, "done")
    without = {day: value for day, value in entries.items() if day not in (days[2], days[3])}
    with_no = entries | {days[2]: "not_done", days[3]: "not_done"}
    assert compute_streaks(with_no, days[-1], TODAY) == compute_streaks(without, days[-1], TODAY)
    assert compute_streaks(with_no, days[-1], TODAY).never_miss_twice_broken
    gap = {days[3]: "done", days[2]: "not_done", days[1]: "not_done", TODAY: "not_done"}
    assert compute_tally(gap, days[-1], TODAY).open_gap == 2
    assert compute_streaks({TODAY: "not_done"}, TODAY, TODAY).current_streak == 0
