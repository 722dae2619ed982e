"""Questions in SQL: what they see, what they never see, and that they end."""

from __future__ import annotations

import json
import re
import threading
import time
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import DAY_START_MINUTES, WEEK_START
from lifehelper_desktop.domain.habits import EntryValue, Schedule, ScheduleKind
from lifehelper_desktop.storage.asking.asking import SqlAnswer, SqlRefused
from lifehelper_desktop.storage.asking.refusals import from_message
from lifehelper_desktop.storage.asking.views import BY_NAME, VIEWS
from lifehelper_desktop.storage.store import Store, open_store
from tests.helpers.worlds import add_habit, fill, world_1
from tests.storage.asking.conftest import hashes
from tests.storage.support import MovingClock, add

ENDLESS = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"


def ask(store: Store, sql: str, **more: Any) -> list[tuple[Any, ...]]:
    return list(store.asking.run(sql, **{"max_rows": 1000, "seconds": 20.0, **more}).rows)


def code_of(store: Store, sql: str, **more: Any) -> str:
    with pytest.raises(SqlRefused) as caught:
        ask(store, sql, **more)
    return caught.value.code


# What is documented


@pytest.mark.parametrize("name", BY_NAME)
def test_every_table_has_exactly_the_documented_columns(small: Store, name: str) -> None:
    answer = small.asking.run(f"SELECT * FROM {name}", max_rows=1)
    assert answer.columns == tuple(BY_NAME[name].columns)


def test_the_description_counts_what_can_be_asked(small: Store) -> None:
    for table in small.asking.describe():
        assert ask(small, f"SELECT count(*) FROM {table.view.name}") == [(table.rows,)]
    [entries] = small.asking.describe("entries")
    assert (entries.rows, entries.first, entries.last) == (46, "2026-07-01", "2026-08-12")
    assert [table.view for table in small.asking.describe()] == list(VIEWS)


def test_days_and_months_say_what_the_domain_says(paths: AppPaths) -> None:
    """Pauses, two changes of schedule, entries on days off, an archived habit: every day as on the detail page."""
    clock = MovingClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    store = open_store(paths, clock)  # type: ignore[arg-type]
    habit = add(store, schedule=Schedule(ScheduleKind.WEEKDAYS, frozenset({1, 3, 5})))
    for step in range(120):
        if step == 30:
            store.habits.pause(habit.id)
        if step == 41:
            store.habits.resume(habit.id)
        if step == 60:
            store.habits.set_schedule(habit.id, Schedule(ScheduleKind.PER_WEEK, times=3))
        if step == 90:
            store.habits.set_schedule(habit.id, Schedule(ScheduleKind.WEEKDAYS, frozenset({2, 7})))
        if not 30 <= step < 41 and step % 3:
            value = (EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK)[step % 5 % 3]
            store.entries.log(habit.id, value)
        clock.pass_days(1)
    store.habits.archive(habit.id)
    clock.pass_days(5)
    record = store.record(habit.id)
    rows = ask(store, "SELECT day, value, due, paused, kept FROM days ORDER BY day")
    days = [record.overview.habit.start + timedelta(days=n) for n in range(len(rows))]
    assert days[-1] == record.last
    for found, each in zip(rows, days, strict=True):
        entry = record.entries.get(each)
        value = None if entry is None or each in record.paused_days else entry.value.value
        kept = value in ("done", "minimum")
        assert found == (each.isoformat(), value, record.is_due_on(each), each in record.paused_days, kept)
    months = ask(store, "SELECT month, done, minimum, blank, missed FROM months ORDER BY month")
    expected = [(f"{m.year}-{m.month:02d}", m.done, m.minimum, m.blank, m.missing) for m in record.months]
    assert months == expected
    assert ask(store, "SELECT month, sum(missed) FROM days GROUP BY month ORDER BY month") == [
        (m[0], m[4]) for m in expected
    ]
    assert ask(store, "SELECT month FROM months WHERE rate IS NULL") == [("2026-05",)]  # three times a week
    store.close()


def test_numbers_are_those_of_the_cards(store: Store) -> None:
    world_1(store)
    rows = ask(store, "SELECT habit_id, streak, longest_streak, tier, phase_day, strength, today_value FROM numbers")
    strengths = store.strengths()
    assert rows == [
        (
            each.habit.id,
            each.streaks.current_streak,
            each.streaks.longest_streak,
            each.streaks.tier,
            each.phase_day,
            round(100 * strengths[each.habit.id], 1),
            None,
        )
        for each in store.overviews()
    ]


def test_today_is_the_logical_day_everywhere(store: Store, clock: FixedClock) -> None:
    store.settings.set(DAY_START_MINUTES, 240)
    store.settings.set(WEEK_START, "sunday")
    clock.set(datetime(2026, 3, 1, 2, 30, tzinfo=UTC))  # Sunday night, which still counts as Saturday
    assert ask(store, "SELECT day, week_first, last_week_last, month, last_month FROM today") == [
        ("2026-02-28", "2026-02-22", "2026-02-21", "2026-02", "2026-01")
    ]
    sql = "SELECT date('now'), date(), current_date, date('now', 'localtime'), date('now', 'utc'), strftime('%Y-%m-%d')"
    assert ask(store, sql) == [("2026-02-28",) * 6]
    assert ask(store, "SELECT datetime('now'), time('now'), julianday('now') > 2461099") == [
        ("2026-02-28 02:30:00", "02:30:00", 1)
    ]
    assert ask(store, "SELECT date('2026-08-12', 'localtime'), date('nonsense')") == [("2026-08-12", None)]


def test_the_newest_entries_are_seen_at_once(store: Store) -> None:
    habit = add(store)
    assert ask(store, "SELECT sum(kept) FROM days") == [(0,)]
    store.entries.log(habit.id, EntryValue.DONE)
    assert ask(store, "SELECT sum(kept) FROM days") == [(1,)]
    assert ask(store, "SELECT streak FROM numbers") == [(1,)]
    store.entries.change(habit.id, store.today(), None)
    assert ask(store, "SELECT sum(kept), (SELECT streak FROM numbers) FROM days") == [(0, 0)]


def test_decomposed_hangul_finds_what_is_stored(store: Store) -> None:
    habit = add(store)
    store.entries.log(habit.id, EntryValue.DONE, note="비가 왔다")
    assert ask(store, "SELECT count(*) FROM entries WHERE note LIKE '%비%'") == [(1,)]


def test_an_empty_profile_answers(store: Store) -> None:
    assert ask(store, "SELECT count(*) FROM days") == [(0,)]
    assert ask(store, "SELECT * FROM numbers") == []
    assert [table.rows for table in store.asking.describe()] == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 47]


# What is never seen


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM habits",
        "SELECT * FROM entries",
        "SELECT * FROM days",
        "SELECT * FROM months",
        "SELECT * FROM numbers",
        "SELECT * FROM doses",
        "SELECT * FROM schedules",
        "SELECT * FROM pauses",
        "SELECT * FROM reminders",
    ],
)
def test_the_trash_is_in_no_table(small: Store, sql: str) -> None:
    rows = ask(small, sql)
    assert all(1 not in row[:1] for row in rows)
    assert "비밀" not in str(rows)


@pytest.mark.parametrize("name", ["habits", "entries", "days", "doses", "catalogue", "today"])
def test_a_with_query_named_like_a_table_reads_no_more_than_others(small: Store, name: str) -> None:
    """SQLite tells the authorizer the name of the WITH query as that of a view."""
    for body in ("SELECT * FROM main.habit", "SELECT title_ko FROM habit", "SELECT note FROM main.entry"):
        assert code_of(small, f"WITH {name} AS ({body}) SELECT * FROM {name}") == "sql_no_table"
        assert code_of(small, f"SELECT * FROM ({body}) AS {name}") == "sql_no_table"
    assert code_of(small, f"WITH {name} AS (SELECT 1 FROM habit) SELECT count(*) FROM {name}") == "sql_no_table"


def test_the_inner_names_are_never_told_and_differ_each_time(small: Store) -> None:
    for sql in ("SELECT x FROM habits", "SELECT count(x) FROM numbers", "SELECT nope()"):
        with pytest.raises(SqlRefused) as caught:
            ask(small, sql)
        assert re.search("[0-9a-f]{32}", caught.value.reason) is None
    assert code_of(small, "SELECT * FROM s00000000000000000000000000000000_habits") == "sql_no_table"


def test_a_with_query_may_have_any_other_name(small: Store) -> None:
    assert ask(small, "WITH t AS (SELECT 1) SELECT count(*) FROM t") == [(1,)]
    assert ask(small, "WITH days AS (SELECT 7 AS day) SELECT day FROM days") == [(7,)]


# Refusals that lead on


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("SELECT titel FROM habits", "혹시 title인가요?"),
        ("SELECT h.titel FROM habits AS h", "혹시 title인가요?"),
        ("SELECT titel FROM habits", "habits의 열: habit_id, title"),
        ("SELECT * FROM habbits", "혹시 habits인가요?"),
        ("SELECT * FROM foo", "있는 표: habits, entries, days"),
        ("SELECT now()", "date('now')"),
        ("SELECT datediff(1, 2)", "julianday"),
        ("SELECT day FROM days, entries", "entries.day"),
        ("SELECT * FRM habits", "‘FRM’"),
        ("SELECT 1 UNION SELECT 1, 2", "result columns"),
    ],
)
def test_a_refusal_says_what_to_write(small: Store, sql: str, words: str) -> None:
    with pytest.raises(SqlRefused) as caught:
        small.asking.validate(sql)
    assert words in caught.value.reason


@pytest.mark.parametrize(
    "message",
    ["no such column: titel", "no such column: h.titel", 'no such column: "titel" - should this be a string literal?'],
)
def test_messages_of_newer_versions_are_read_too(message: str) -> None:
    refusal = from_message(message, ["habits"], "s_")
    assert refusal.code == "sql_no_column"
    assert refusal.reason.endswith("혹시 title인가요?")


def test_checking_names_the_tables(small: Store) -> None:
    sql = "WITH k AS (SELECT habit_id FROM days) SELECT count(*) FROM k, habits, today"
    assert small.asking.validate(sql) == ("habits", "days", "today")
    assert small.asking.validate("SELECT 1") == ()
    assert small.asking.validate(ENDLESS) == ()


# It ends


def test_an_endless_question_ends_with_the_rows(small: Store) -> None:
    sql = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
    assert small.asking.run(sql, max_rows=3) == SqlAnswer(("n",), ((1,), (2,), (3,)), more=True)


def test_the_row_limit_is_exact(small: Store) -> None:
    assert small.asking.run("VALUES (1), (2)", max_rows=2).more is False
    assert small.asking.run("VALUES (1), (2), (3)", max_rows=2).more is True


def test_stop_ends_it_at_once(small: Store) -> None:
    stop = threading.Event()
    timer = threading.Timer(0.2, stop.set)
    timer.start()
    begin = time.monotonic()
    assert code_of(small, ENDLESS, seconds=60.0, stop=stop.is_set) == "sql_stopped"
    assert time.monotonic() - begin < 5
    assert code_of(small, "SELECT count(*) FROM days", stop=lambda: True) == "sql_stopped"
    assert code_of(small, ENDLESS, seconds=60.0, stop=lambda: True) == "sql_stopped"
    timer.join()


def test_a_question_that_takes_too_much_memory_ends(small: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lifehelper_desktop.storage.asking.guard.MEMORY_MAX", 24 << 20)
    sql = (
        "WITH RECURSIVE r(n, s) AS (SELECT 1, printf('%900d', 1) UNION ALL SELECT n + 1, s FROM r) "
        "SELECT s || n FROM r ORDER BY n DESC"
    )
    assert code_of(small, sql, seconds=60.0) == "sql_memory"


def test_several_threads_ask_at_once_while_another_writes(store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=date(2026, 1, 1))
    fill(store, habit, date(2026, 6, 1), date(2026, 7, 31))
    failures: list[BaseException] = []
    done = threading.Event()

    def question() -> None:
        try:
            while not done.is_set():
                [(kept, streaks)] = ask(store, "SELECT sum(kept), (SELECT sum(kept) FROM entries) FROM days")
                assert kept == streaks  # one snapshot
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=question) for _number in range(3)]
    for thread in threads:
        thread.start()
    for offset in range(1, 12):
        store.entries.log(habit.id, EntryValue.DONE, date(2026, 7, 31) + timedelta(days=offset), any_past_day=True)
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []


def test_after_closing_nothing_is_answered(paths: AppPaths) -> None:
    store = open_store(paths, FixedClock(datetime(2026, 8, 12, 12, tzinfo=UTC)))
    asking = store.asking
    store.close()
    with pytest.raises(WorldError):
        asking.run("SELECT 1", max_rows=1)


def test_a_file_that_can_only_be_read_answers(store: Store) -> None:
    add(store)
    store.db.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.db.uri = f"{store.paths.database.as_uri()}?mode=ro&immutable=1"  # as `opening` does on a read-only disk
    assert ask(store, "SELECT count(*) FROM habits") == [(1,)]


@pytest.mark.parametrize(
    "sql",
    ["SELECT COUNT(*) FROM HABITS;", "select Count(*) from Habits ; -- 끝", "SELECT count(HABIT_ID) FROM temp.Habits"],
)
def test_case_and_a_last_semicolon_do_not_matter(small: Store, sql: str) -> None:
    assert ask(small, sql) == [(4,)]


def test_no_table_of_the_file_can_be_read_by_its_own_name(small: Store) -> None:
    names = [row[0] for row in small.db.sql("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
    assert {"habit", "entry", "setting", "conversation_event", "journal_row"} <= set(names)
    for name in [*names, "sqlite_schema", "sqlite_temp_schema", "pragma_database_list", "json_tree", "sqlite_stmt"]:
        for sql in (f"SELECT * FROM {name}", f"SELECT count(*) FROM main.{name}", f"SELECT rowid FROM {name}"):
            assert code_of(small, sql) in ("sql_no_table", "sql_no_column"), sql


def test_a_damaged_file_is_an_error_of_the_world(store: Store) -> None:
    add(store)
    store.db.sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.paths.database.write_bytes(b"\x00" * 4096)
    with pytest.raises(WorldError):
        ask(store, "SELECT * FROM habits")


# Random text

_WORDS = """
SELECT / FROM / WHERE / WITH / RECURSIVE / AS / ( / ) / , / ; / * / JOIN / ON / GROUP BY / ORDER BY / LIMIT / VALUES / =
UNION ALL / < / OVER () / LIKE / habits / entries / days / months / numbers / today / habit / entry / main. / day
title / kept / note / habit_id / count(*) / sum(kept) / r / date('now') / 'x' / 1 / 2.5 / NULL / printf('%d', 1)
randomblob(9) / CASE WHEN / END / -- / /* / */ / ? / \x00 / ' / DELETE FROM / DROP TABLE / INSERT INTO / UPDATE / SET
PRAGMA / ATTACH / EXPLAIN / CREATE / VACUUM
"""


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(st.sampled_from(re.split(" / |\n", _WORDS.strip())) | st.text(max_size=6), max_size=14))
def test_random_text_is_answered_or_refused_and_changes_nothing(small: Store, parts: list[str]) -> None:
    before = hashes(small)
    for sql in (" ".join(parts), f"SELECT {' '.join(parts)}", f"SELECT * FROM days WHERE {' '.join(parts)}"):
        try:
            answer = small.asking.run(sql, max_rows=5, seconds=0.2)
            json.dumps([answer.columns, answer.rows], allow_nan=False)
        except SqlRefused:
            continue
    assert hashes(small) == before
