"""Ten years of 200 habits: `python tests/benchmarks/years.py [--habits N] [--years N] [--start]`.

Makes a profile through the app's own schema and prints the medians, in milliseconds, by the clock and by the processor
time of the process (which other programs do not lengthen): opening with the first look, the list, the detail, one
toggle (an entry changed, then the list again); in the window (offscreen unless QT_QPA_PLATFORM says otherwise) the home
screen and the detail page. For two shapes: most habits archived, and all of them live. `--start` starts the program
itself as well and waits for its window; needs Xvfb and xdotool.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import AppPaths, resolve_paths
from lifehelper_desktop.base.settings import FIRST_RUN_DONE, WEEK_START
from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.storage.schedules import add_schedule
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.tables import schedule_columns

MOMENT = "2016-01-01T09:00:00+09:00"
#: Most habits are daily.
PLANS = (
    *[DAILY] * 4,
    Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 2, 3, 4, 5})),
    Schedule(ScheduleKind.PER_WEEK, times=3),
    Schedule(ScheduleKind.PER_MONTH, times=8),
    Schedule(ScheduleKind.EVERY_DAYS, days=3),
)
#: What is recorded on a day, by chance: nine of ten days are done.
VALUES = (*[("done", 0)] * 7, *[("done", 1)] * 2, ("blank", 0), None)
#: How many of 200 habits are active and paused; the others are archived.
SHAPES = {"8 active, 12 paused, the others archived": (8, 12), "all live": (8, 192)}


def fill(paths: AppPaths, habits: int, years: int, live: tuple[int, int]) -> int:
    """Make the profile and return how many entries it has."""
    chance = random.Random(1)
    with closing(open_store(paths)) as store:
        store.settings.set(FIRST_RUN_DONE, value=True)
        store.db.recorder = None  # the history of changes keeps a hundred, not seven hundred thousand
        today = store.today()
        days = [today - timedelta(days=back) for back in range(int(years * 365.25) - 1, -1, -1)]
        entries = 0
        with store.db.write():
            for number in range(habits):
                _add_habit(store, number, days, live)
                entries += _add_entries(store, number + 1, days, chance)
        return entries


def _add_habit(store: Store, number: int, days: list[date], live: tuple[int, int]) -> None:
    active, paused = live
    status = "active" if number < active else "paused" if number < active + paused else "archived"
    plan = PLANS[number % len(PLANS)]
    columns = {
        "id": number + 1,
        "kind": "break" if number % 9 == 8 else "protocol",
        "title_ko": f"습관 {number + 1}",
        "title_en": f"Habit {number + 1}",
        "frame_level": 2,
        "framed_text": "저녁을 먹은 뒤 20분 걷는다",
        "anchor_source": "user",
        "source": "years",
        "status": status,
        "start": days[0].isoformat(),
        "created_on": days[0].isoformat(),
        "archived_on": days[-1].isoformat() if status == "archived" else None,
        "position": number,
        "created_at": MOMENT,
        "updated_at": MOMENT,
        **schedule_columns(plan),
    }
    store.db.sql(f"INSERT INTO habit ({', '.join(columns)}) VALUES ({_marks(len(columns))})", tuple(columns.values()))
    for is_minimum, dose in enumerate(("20분 걷기", "2분 걷기")):
        store.db.sql("INSERT INTO habit_variant VALUES (?, ?, ?)", (number + 1, is_minimum, dose))
    add_schedule(store.db, number + 1, days[0], plan)
    if status == "paused":
        statement = "INSERT INTO habit_pause (habit_id, first_day) VALUES (?, ?)"
        store.db.sql(statement, (number + 1, days[-1].isoformat()))


def _add_entries(store: Store, habit_id: int, days: list[date], chance: random.Random) -> int:
    rows = [(habit_id, day.isoformat(), *value, MOMENT, MOMENT) for day in days if (value := chance.choice(VALUES))]
    one = f"({_marks(6)})"
    for begin in range(0, len(rows), 1000):
        batch = rows[begin : begin + 1000]
        store.db.sql(
            "INSERT INTO entry (habit_id, date, value, is_minimum, created_at, updated_at) VALUES "
            + ", ".join([one] * len(batch)),
            [value for row in batch for value in row],
        )
    return len(rows)


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def measure(name: str, work: Callable[[], object], times: int = 7) -> None:
    """Do the work some times and print the median by the clock, and of the processor's time."""
    clock: list[float] = []
    processor: list[float] = []
    for _round in range(times):
        begin, used = time.perf_counter(), time.process_time()
        work()
        clock.append(time.perf_counter() - begin)
        processor.append(time.process_time() - used)
    by_clock, by_processor = (1000 * statistics.median(each) for each in (clock, processor))
    print(f"  {name:<42}{by_clock:8.1f} ms   processor {by_processor:8.1f} ms", flush=True)


def measure_store(paths: AppPaths) -> None:
    """Measure what the screens ask the store for."""

    def open_and_look() -> None:
        with closing(open_store(paths)) as store:
            store.overviews()

    open_and_look()  # makes today's backup
    measure("open, and the first list", open_and_look, 5)
    with closing(open_store(paths)) as store:
        store.overviews()
        measure("list", store.overviews)
        measure("list after the week start was changed", _other_weeks(store), 4)
        measure("detail", lambda: store.record(1))
        toggle = _toggler(store)
        measure("toggle: the entry alone", toggle)
        measure("toggle, then the list", lambda: (toggle(), store.overviews()))
        measure_asking(store)


QUESTIONS = {
    "best days of last month": """
        SELECT day, count(*) FROM entries WHERE kept AND month = (SELECT last_month FROM today)
        GROUP BY day ORDER BY 2 DESC LIMIT 3
    """,
    "one habit, one month": "SELECT * FROM days WHERE habit_id = 1 AND month = (SELECT last_month FROM today)",
    "missed in 30 days": "SELECT title, sum(missed) FROM days WHERE day >= date('now', '-30 days') GROUP BY habit_id",
    "streaks": "SELECT title, streak FROM numbers ORDER BY streak DESC LIMIT 5",
    "months": "SELECT month, sum(kept) FROM months GROUP BY month ORDER BY month",
    "notes": "SELECT day, note FROM entries WHERE note LIKE '%비%'",
    "strength of all": "SELECT title, strength FROM numbers ORDER BY strength DESC",
    "weekdays over all entries": "SELECT weekday, count(*) FROM entries WHERE kept GROUP BY weekday",
    "every day there is": "SELECT count(*) FROM days",
}


def measure_asking(store: Store) -> None:
    """Measure questions in SQL; the last three read every row of ten years."""
    for name, sql in QUESTIONS.items():
        measure(f"sql: {name}", lambda sql=sql: store.asking.run(sql, max_rows=100, seconds=30.0), 5)


def _other_weeks(store: Store) -> Callable[[], object]:
    starts: Iterator[str] = iter(["sunday", "monday"] * 50)
    return lambda: (store.settings.set(WEEK_START, next(starts)), store.overviews())


def _toggler(store: Store) -> Callable[[], object]:
    active = store.habits.list(HabitStatus.ACTIVE)[0]
    values = iter([EntryValue.DONE, EntryValue.BLANK] * 200)
    return lambda: store.entries.change(active.id, store.today(), next(values))


def measure_window(paths: AppPaths) -> None:
    """Measure the screens themselves, laid out and painted."""
    from PySide6.QtWidgets import QApplication

    from lifehelper_desktop.ui.app import dress
    from lifehelper_desktop.ui.bus import Bus
    from lifehelper_desktop.ui.screens.habit_detail import HabitDetail
    from lifehelper_desktop.ui.screens.habits import HabitsScreen

    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    with closing(open_store(paths)) as store:
        dress(app)
        bus = Bus()
        screen, page = HabitsScreen(store, bus), HabitDetail(store, bus)
        for widget in (screen, page):
            widget.resize(1100, 800)
            widget.show()
        measure("window: the home screen anew", lambda: (screen.refresh(), app.processEvents()), 5)
        toggle = _toggler(store)
        measure("window: toggle, then the home screen", lambda: (toggle(), screen.refresh(), app.processEvents()), 5)
        habits = iter([habit.id for habit in store.habits.list(*HabitStatus)])

        def show_another() -> None:
            page.show_habit(next(habits))
            page.grab()

        measure("window: the detail page of another habit", show_another, 5)
        for widget in (screen, page):
            widget.close()


def main() -> None:
    """Make the profiles, measure, print."""
    parser = argparse.ArgumentParser(description="Ten years of 200 habits.")
    parser.add_argument("--habits", type=int, default=200)
    parser.add_argument("--years", type=int, default=10)
    parser.add_argument("--start", action="store_true", help="start the program as well (needs Xvfb and xdotool)")
    args = parser.parse_args()
    set_language("ko")
    for shape, (active, paused) in SHAPES.items():
        with tempfile.TemporaryDirectory() as folder:
            paths = resolve_paths(Path(folder))
            begin = time.perf_counter()
            entries = fill(paths, args.habits, args.years, (active, paused * args.habits // 200))
            size = paths.database.stat().st_size / 1e6
            made = time.perf_counter() - begin
            print(f"{shape}: {args.habits} habits, {entries:,} entries, {size:.0f} MB, made in {made:.0f} s")
            measure_store(paths)
            measure_window(paths)
            if args.start:
                from tests.benchmarks.startup import starts

                times = starts(folder, 5)[1:]
                print(
                    f"  start to the visible window: median {statistics.median(times):.2f} s, worst {max(times):.2f} s"
                )


if __name__ == "__main__":
    main()
