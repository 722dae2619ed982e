"""What is refused before it is compiled: compiling cannot be stopped."""

from __future__ import annotations

import time

import pytest

from lifehelper_desktop.storage.asking.expansion import is_too_complex


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 9) SELECT n FROM r",
        """
        WITH a AS (SELECT habit_id, title FROM habits),
            b AS (SELECT habit_id, count(*) AS n FROM entries WHERE kept GROUP BY habit_id),
            c AS (SELECT a.title, b.n FROM a LEFT JOIN b ON a.habit_id = b.habit_id),
            d AS (SELECT *, rank() OVER (ORDER BY n DESC) AS place FROM c)
        SELECT title, n FROM d WHERE place <= 3
        """,
        "SELECT ((((1))))",
        "SELECT 'with a as (select' , \"x\" -- (((",
        "SELECT * FROM (SELECT * FROM (SELECT day, kept FROM days WHERE habit_id = 1) WHERE kept) ORDER BY day",
    ],
)
def test_usual_questions_are_not_too_complex(sql: str) -> None:
    assert not is_too_complex(sql)


def chain(levels: int, step: str) -> str:
    parts = ["a0 AS (SELECT 1 AS x)", *(f"a{n} AS ({step.format(b=f'a{n - 1}')})" for n in range(1, levels))]
    return f"WITH {', '.join(parts)} SELECT count(*) FROM a{levels - 1}"


@pytest.mark.parametrize(
    "step",
    [
        "SELECT 1 AS x FROM {b}, {b}",
        'SELECT 1 AS x FROM "{b}" JOIN [{b}]',
        "SELECT 1 AS x FROM '{b}', `{b}` /* ) */",
        "SELECT 1 AS x FROM (SELECT 1 FROM {b}) JOIN (SELECT 1 FROM {b})",
        "SELECT x FROM {b} UNION ALL SELECT x FROM {b}",
        "VALUES ((SELECT count(*) FROM {b}) + (SELECT count(*) FROM {b}))",
        "WITH i AS (SELECT 1 FROM {b}) SELECT 1 AS x FROM i, i",
        "SELECT x + x + x + x AS x FROM {b}",
        'SELECT "as" + "as" + "as" AS x, x AS "as" FROM {b}',
    ],
)
def test_what_doubles_again_and_again_is_refused_before_it_is_compiled(step: str) -> None:
    begin = time.process_time()
    assert is_too_complex(chain(24, step))
    assert time.process_time() - begin < 1


@pytest.mark.parametrize("letter", ["😀", "가", "\u3000", "\xa0", "A", "_", "$"])
def test_every_name_that_sqlite_takes_is_known_as_one(letter: str) -> None:
    assert is_too_complex(chain(24, "SELECT 1 AS x FROM {b}, {b}").replace("a", f"z{letter}").replace("AS", "as"))


def test_a_long_chain_of_usual_steps_is_not_too_complex() -> None:
    step = (
        "SELECT title, day, sum(x) AS x, count(*) OVER (PARTITION BY title ORDER BY day) AS n FROM {b} "
        "WHERE day >= '2026-01-01' AND title IS NOT NULL GROUP BY title, day HAVING sum(x) > 1 ORDER BY day DESC"
    )
    assert not is_too_complex(chain(5, step))


@pytest.mark.parametrize("piece", ["(", "(select ", "'", '"', "a as (select ", "with a as (", "[", "/*", "),(", "\x00"])
def test_judging_takes_no_time_itself(piece: str) -> None:
    begin = time.process_time()
    is_too_complex((piece * 8000)[:8000])
    is_too_complex("with " + (piece * 8000)[:8000])
    assert time.process_time() - begin < 2
