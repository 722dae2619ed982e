"""How much work SQLite's compiler may have with a question, judged from its text before it is compiled.

Running can be stopped at any moment; compiling cannot. SQLite copies a subquery or WITH query into every place that
names it, and the expression of a column into every place that uses it: twenty short lines, each naming the one before
twice, are a million copies and take minutes. The estimate here is above the real work, never below: for each SELECT
the names in its longest part, times the sum of what the queries that it reads from come to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

#: Questions that people and models write stay below a hundredth of it.
EXPANSION_MAX: Final = 1_000_000
# As SQLite cuts a statement: every character beyond ASCII is part of a name, also blanks and signs.
_TOKEN: Final = re.compile(
    r"""
    (?P<space>[ \t\n\f\r]+|--[^\n]*|/\*.*?(?:\*/|\Z))
    |(?P<quoted>'(?:[^']|'')*+'|"(?:[^"]|"")*+"|`(?:[^`]|``)*+`|\[[^\]]*+\])
    |(?P<unclosed>['"`\[].*)
    |(?P<word>[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_$\x80-\U0010ffff]*)
    |(?P<other>[0-9][A-Za-z0-9_.]*|.)
    """,
    re.VERBOSE | re.DOTALL,
)
_BEGINS: Final = frozenset({"select", "with", "values"})
# Words that can be no name unless they are quoted.
_RESERVED: Final = frozenset(
    "\x00" + word
    for word in (
        *("all", "and", "as", "between", "case", "distinct", "else", "exists", "from", "group", "having", "in", "is"),
        *("join", "limit", "not", "null", "on", "or", "order", "select", "then", "union", "using", "values", "when"),
        "where",
    )
)
_NAME: Final = ("\x00", "\x01")
_TOP: Final = ""
_DEPTH_MAX: Final = 50  # queries in queries
_COLUMN_TOKENS: Final = 200


@dataclass(slots=True)
class _Query:
    """A SELECT with what stands inside its brackets, without the queries in them.

    Attributes:
        name: Its name in WITH, folded, or empty.
        names: Names in the part between commas that is being read.
        most: The most names in such a part.
        reads: The WITH queries that it may read, once for each time.
        inner: The queries inside it that have no name.
    """

    name: str = _TOP
    names: int = 0
    most: int = 1
    reads: list[str] = field(default_factory=list)
    inner: list[_Query] = field(default_factory=list)

    def end_part(self) -> None:
        self.most = max(self.most, self.names)
        self.names = 0


def is_too_complex(sql: str) -> bool:
    """Return whether compiling `sql` may take too long, or cannot be judged."""
    tokens = [(match.lastgroup, match[0]) for match in _TOKEN.finditer(sql) if match.lastgroup != "space"]
    words = [_fold(kind, text) for kind, text in tokens]
    bodies = _bodies(words)
    if bodies is None:
        return True
    queries = _read(words, bodies)
    if queries is None:
        return True
    top, named = queries
    return _cost(top, {query.name: query for query in named}, frozenset(), {}) > EXPANSION_MAX


def _fold(kind: str | None, text: str) -> str:
    """Return a word or quoted name, marked as such, in the form that names are compared in; other signs as they are."""
    if kind == "quoted":
        quote = text[-1]
        inside = text[1:-1]
        return "\x01" + (inside if quote == "]" else inside.replace(quote * 2, quote)).lower()
    return "\x00" + text.lower() if kind == "word" else text


def _word(sign: str) -> str:
    return sign[1:] if sign.startswith(_NAME) else ""


def _bodies(words: list[str]) -> dict[int, str] | None:
    """Return where the bodies of WITH queries open, with their names; None when two have one name."""
    found: dict[int, str] = {}
    for index, sign in enumerate(words):
        if sign != "(" or index + 1 >= len(words) or _word(words[index + 1]) not in _BEGINS:
            continue
        before = index - 1
        while before >= 0 and _word(words[before]) in ("materialized", "not"):
            before -= 1
        if before < 1 or _word(words[before]) != "as":
            continue
        before -= 1
        if words[before] == ")":  # the columns
            least = max(-1, before - _COLUMN_TOKENS)
            while before > least and words[before] != "(":
                before -= 1
            if before == least:
                return None
            before -= 1
        if before >= 0 and words[before].startswith(_NAME):
            found[index] = _word(words[before])
    return found if len(set(found.values())) == len(found) else None


def _read(words: list[str], bodies: dict[int, str]) -> tuple[_Query, list[_Query]] | None:
    """Return the outermost query, and those with names; None when they are too deep."""
    top = _Query()
    named: list[_Query] = []
    names = frozenset(bodies.values())
    queries = [top]
    brackets: list[bool] = []  # whether each holds a query
    for index, sign in enumerate(words):
        query = queries[-1]
        following = words[index + 1] if index + 1 < len(words) else ""
        if sign == "(":
            is_query = index in bodies or _word(following) in _BEGINS
            brackets.append(is_query)
            if is_query:
                queries.append(_Query(bodies.get(index, _TOP)))
                (named if index in bodies else query.inner).append(queries[-1])
                if len(queries) > _DEPTH_MAX:
                    return None
        elif sign == ")":
            if brackets and brackets.pop():
                queries.pop().end_part()
        elif sign == "," and not (brackets and not brackets[-1]):
            query.end_part()
        elif sign.startswith(_NAME):
            query.names += sign not in _RESERVED
            if _word(sign) in names and following != ".":
                query.reads.append(_word(sign))
    for left in queries:
        left.end_part()
    return top, named


def _cost(query: _Query, named: dict[str, _Query], above: frozenset[str], known: dict[str, int]) -> int:
    """Return the estimate for a query; what names itself again counts once, as SQLite does with recursion."""
    inside = above | {query.name}
    total = 0
    for inner in query.inner:
        total += _cost(inner, named, inside, known)
    for name in query.reads:
        if name in inside:
            continue
        if name not in known:
            known[name] = _cost(named[name], named, inside, known)
        total += known[name]
        if total > EXPANSION_MAX:
            break
    return min(query.most * max(1, total), EXPANSION_MAX + 1)
