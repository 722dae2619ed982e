"""Search and checks over 200 habits × 10 years with 50,000 notes: `python tests/benchmarks/search.py [--notes N]`.

Makes the profile of `years.py`, all live, with notes of three to fourteen common words each, which is far worse than
what people write: a word of the list stands in a fifth of them. Prints the median of seven searches in milliseconds by
the processor time of the process, with the number found; then the time to index everything and that of the checks.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.storage.quality import check_quality
from lifehelper_desktop.storage.store import Store, open_store
from tests.benchmarks.years import fill

WORDS = (
    *("물", "마시기", "걷기", "비가", "와서", "무릎이", "아팠다", "아침에", "20분", "산책"),
    *("커피", "대신", "차", "한잔", "피곤했지만", "끝냈다", "friend", "run", "the", "art"),
    *("TV", "보면서", "스트레칭", "준비", "좋았다", "늦게", "일어남", "책", "열", "쪽"),
    *("읽기", "명상", "숨쉬기", "오늘은", "어제", "비"),
)
RARE = "고슴도치"
QUERIES = (
    *("물", "차", "비", "걷기", "걷ㄱ", "무릎", "물마시기", "아침에 20분", "커피 대신 차", "tv", "the", "t", "ㅋㅋ"),
    *(RARE, "고슴", "없는말", "a b c d", '"', "%"),
)
ROUNDS = 7


def write_notes(store: Store, count: int) -> None:
    """Give `count` entries, chosen by chance, a note."""
    chance = random.Random(2)
    store.db.recorder = None  # the history of changes keeps a hundred
    with store.db.write():
        ids = [number for (number,) in store.db.sql("SELECT id FROM entry ORDER BY id")]
        for number in chance.sample(ids, count):
            words = chance.choices(WORDS, k=chance.randint(3, 14)) + [RARE] * (chance.random() < 0.0004)
            store.db.sql("UPDATE entry SET note = ? WHERE id = ?", (" ".join(words), number))


def median(work: Callable[[], object]) -> float:
    """Return the median processor time of `work` in milliseconds."""
    times = []
    for _round in range(ROUNDS):
        begun = time.process_time()
        work()
        times.append(1000 * (time.process_time() - begun))
    return statistics.median(times)


def main() -> None:
    """Make the profile, search, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--notes", type=int, default=50_000)
    args = parser.parse_args()
    set_language("ko")
    with tempfile.TemporaryDirectory() as folder:
        paths = resolve_paths(Path(folder))
        fill(paths, 200, 10, (8, 192))
        with closing(open_store(paths)) as store:
            write_notes(store, args.notes)
            begun = time.perf_counter()
            store.search.index.catch_up()
            print(f"indexing {args.notes} notes: {time.perf_counter() - begun:.1f} s")
            for query in QUERIES:
                count = store.search.find(query, language="ko").total
                took = median(partial(store.search.find, query, language="ko"))
                print(f"{query:<12} {took:6.1f} ms  {count}")
            begun = time.perf_counter()
            check_quality(store)
            print(f"checks, first time: {1000 * (time.perf_counter() - begun):.0f} ms")
            print(f"checks, again: {median(lambda: check_quality(store)):.0f} ms")


if __name__ == "__main__":
    main()
