"""Make the training data of the starter coach from the phrases: `python generate.py --count 8000 --seed 1 --out FILE`.

Each example is a small world (titles of the active habits, what was said before), a message and the lines that answer
it, in the very form in which the app asks its model (`lifehelper_desktop.chat.starter.lines`). Seeded: the same seed
gives the same examples. `--held-out` makes examples of the phrasing families that training never sees.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from followups import FollowUpMaker
from worlds import Example, UnfittingError

from lifehelper_desktop.storage.catalogue import Catalogue

KOREAN_SHARE = 0.68

WEIGHTS: dict[str, float] = {
    "log_done": 9,
    "log_clause": 9,
    "log_plain": 6,
    "log_min": 5,
    "log_min_clause": 6,
    "log_blank": 5,
    "rest": 4,
    "again": 1.2,
    "future": 1,
    "log_multi": 2,
    "log_all": 1,
    "shared_name": 2.2,
    "streak": 6,
    "ask": 4,
    "list_habits": 5,
    "protocol": 4.5,
    "how": 5,
    "overdose": 1.4,
    "search": 3.5,
    "need": 8,
    "search_any": 1,
    "nothing": 1.2,
    "add": 4,
    "add_more": 1.5,
    "add_level": 1,
    "add_quote_bad": 0.8,
    "wish": 5.5,
    "add_detail": 8,
    "protocol_add": 1.8,
    "chat": 3.2,
    "notcrisis": 0.6,
    "feel": 2.6,
    "slipchat": 0.7,
    "outside": 2.2,
    "fact": 1,
    "crisis": 1.8,
    "vague": 1,
    "help": 1,
    "which": 1.2,
    "screen": 4,
    "merge": 1.2,
    "safety": 3.4,
    "slip": 2.6,
    "missing": 1.6,
    "f_add_it": 2.2,
    "f_explain_it": 1,
    "f_which_answer": 1.3,
    "f_streak_it": 0.7,
    "f_log_it": 0.7,
    "f_thanks": 0.7,
    "f_declined": 0.5,
    "unrelated_before": 5,
}
"""How often each kind comes, so that no tool is the default."""


def make_examples(count: int, seed: int, *, held_out: bool = False) -> list[Example]:
    """Return `count` examples; equal messages with equal worlds come once."""
    rng = random.Random(seed)  # noqa: S311 - examples, no secrets
    catalogue = Catalogue.load()
    makers = {language: FollowUpMaker(rng, language, catalogue, held_out=held_out) for language in ("ko", "en")}
    kinds, weights = list(WEIGHTS), list(WEIGHTS.values())
    seen: set[tuple[str, str]] = set()
    out: list[Example] = []
    tries = 0
    while len(out) < count:
        tries += 1
        if tries > 60 * count + 1000:
            break
        maker = makers["ko" if rng.random() < KOREAN_SHARE else "en"]
        maker.used.clear()
        # Some write English to a Korean window, a few Korean to an English one.
        maker.shown = rng.choices(("ko", "en"), (95, 5) if maker.korean else (28, 72))[0]
        try:
            example = getattr(maker, rng.choices(kinds, weights)[0])()
        except UnfittingError:
            continue
        key = (example.prompt, example.answer)
        if key not in seen:
            seen.add(key)
            out.append(example)
    return out


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    examples = make_examples(options.count, options.seed, held_out=options.held_out)
    out = options.out.open("w", encoding="utf-8") if options.out else sys.stdout
    for example in examples:
        print(json.dumps(asdict(example), ensure_ascii=False), file=out)
    if options.out:
        out.close()
        print(len(examples), Counter(example.section for example in examples).most_common())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
