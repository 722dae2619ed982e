"""The language of the starter coach: what its model reads, and the lines it writes.

A small model trained for one app needs no tool declarations and no JSON. It reads the titles of the habits, what was
said just before, and the message; it answers with one line for each call, or one line that says what kind of words
are due:

    습관: 하루 걷기 · 양치 뒤 치실
    사용자: 어제 치실 했어
    답: 기록 · 양치 뒤 치실 · 완료 · 어제

Habits and catalogue entries are named by their titles. `LineGrammar` says after each token whether the text so far can
still become such lines, so that whatever comes out can be read. The generator of the training data writes its answers
with the same functions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

SEPARATOR: Final = " · "
SUGGESTED: Final = "제안"
"""In the place of a habit's sentence: take the one that the catalogue suggests."""
NOTHING: Final = "-"
WHOLE: Final = "전체"

SEARCH: Final = "찾기"
CATEGORY: Final = "분야"
EXPLAIN: Final = "설명"
LIST: Final = "목록"
STREAK: Final = "연속"
ADD: Final = "추가"
LOG: Final = "기록"
TALK: Final = "말"

VALUES: Final[Mapping[str, str]] = {"완료": "done", "최소": "minimum", "쉼": "blank"}
LEVELS: Final[Mapping[str, int]] = {"결과": 1, "과정": 2, "정체성": 3}

CHAT: Final = "잡담"
FEELING: Final = "마음"
OUTSIDE: Final = "밖"
FACT: Final = "상식"
SCREEN: Final = "화면"
MERGE: Final = "나누기"
SAFETY: Final = "안전"
CRISIS: Final = "위기"
MISSING: Final = "없음"
VAGUE: Final = "되묻기"
WHICH: Final = "어느것"
HELP: Final = "도움"
SLIP: Final = "실수"
SCREENS: Final = ("삭제", "쉬기", "보관", "수정", "기록수정", "알림", "설정", "백업", "통계")

LABELS: Final = (SEARCH, CATEGORY, EXPLAIN, LIST, STREAK, ADD, LOG, TALK)
_WITH_WORDS: Final = (CHAT, FEELING)
_BARE: Final = (OUTSIDE, FACT, MERGE, CRISIS, VAGUE, WHICH, HELP)
KINDS: Final = (*_WITH_WORDS, *_BARE, SCREEN, SAFETY, MISSING, SLIP)
_ADD_FIELDS: Final = ("때 ", "뒤 ")
_LOG_FIELDS: Final = ("메모 ",)
_FREE_CHARS: Final = 160
_MAX_LINES: Final = 4
_BEFORE_CHARS: Final = 60
_USER_CHARS: Final = 400


def squeeze(text: str, limit: int) -> str:
    """Return `text` on one line, without the separator, cut to `limit` characters."""
    return " ".join(text.replace("·", ",").split())[:limit].rstrip()


def render_prompt(habits: Sequence[str], user: str, before: str = "") -> str:
    """Return what the model reads: titles of the active habits, the exchange before (or nothing), the message."""
    listed = SEPARATOR.join(habits) or "없음"
    earlier = f"앞: {before}\n" if before else ""
    return f"습관: {listed}\n{earlier}사용자: {squeeze(user, _USER_CHARS)}\n답:"


def render_before(user: str, lines: Sequence[str], found: Sequence[str] = ()) -> str:
    """Return the exchange before a message: what was said, the lines that answered it, titles that were found."""
    # Words are not repeated: that something was said is enough.
    kept = [SEPARATOR.join(line.split(SEPARATOR)[:2]) for line in lines[:2]]
    listed = f" = {', '.join(found[:3])}" if found else ""
    return f"{squeeze(user, _BEFORE_CHARS)} → {' / '.join(kept)}{listed}"


def line(*parts: str) -> str:
    """Return one line of `parts`; empty ones are left out."""
    return SEPARATOR.join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class _Next:
    """What may stand at one place of a line.

    Attributes:
        values: The fixed values, each with whether a line may end after it and whether more may follow; None is free.
        starts: A free text must begin with one of these.
    """

    values: Mapping[str, tuple[bool, bool]] | None = None
    starts: tuple[str, ...] = ()
    more: bool = False


def _fixed(values: Sequence[str], *, end: bool, more: bool) -> _Next:
    return _Next(dict.fromkeys(values, (end, more)))


class LineGrammar:
    """Which texts are lines, given what exists. Pure; any thread."""

    def __init__(
        self, habits: Sequence[str], titles: Sequence[str], categories: Sequence[str], without: Sequence[str] = ()
    ) -> None:
        """Allow lines about these things.

        Args:
            habits: Titles of the active habits, in the language shown.
            titles: Titles of the catalogue.
            categories: Labels of the categories.
            without: Labels that no line may begin with.
        """
        self._habits = tuple(habits)
        self._titles = tuple(titles)
        self._categories = (*categories, WHOLE)
        self._without = frozenset(without)

    def viable(self, text: str) -> bool:
        """Return whether `text` is the beginning of complete lines, or complete."""
        *whole, last = text.split("\n")
        if len(whole) >= _MAX_LINES or not all(self._ends(each) for each in whole):
            return False
        if whole and not self._fits(whole, last):
            return False
        return self._begins(last)

    def complete(self, text: str) -> bool:
        """Return whether `text` is complete lines."""
        rows = text.split("\n")
        several = all(self._fits(rows[:index], rows[index]) for index in range(1, len(rows)))
        return len(rows) <= _MAX_LINES and several and all(self._ends(row) for row in rows)

    def _fits(self, whole: Sequence[str], last: str) -> bool:
        """Several lines are calls only, each of them once."""
        labels = [row.split(SEPARATOR)[0] for row in whole]
        if any(label not in (LOG, EXPLAIN, ADD) for label in labels) or last in whole:
            return False
        return any(f"{label}{SEPARATOR}".startswith(last[: len(label) + 3]) for label in (LOG, ADD))

    def _begins(self, row: str) -> bool:
        *done, last = row.split(SEPARATOR)
        place = self._place(done)
        if place is None:
            return False
        if place.values is None:
            if len(last) > _FREE_CHARS:
                return False
            return not place.starts or any(start.startswith(last[: len(start)]) for start in place.starts)
        return any(
            value.startswith(last) or (more and (value + SEPARATOR).startswith(last))
            for value, (_end, more) in place.values.items()
        )

    def _ends(self, row: str) -> bool:
        *done, last = row.split(SEPARATOR)
        place = self._place(done)
        if place is None:
            return False
        if place.values is None:
            begins = not place.starts or any(last.startswith(start) for start in place.starts)
            return begins and bool(last.strip()) and len(last) <= _FREE_CHARS
        return place.values.get(last, (False, False))[0]

    def _place(self, done: Sequence[str]) -> _Next | None:
        """Return what may follow the parts `done`, or None when they are no beginning of a line."""
        place: _Next | None = self._labels()
        for index, part in enumerate(done):
            if place is None:
                return None
            if place.values is not None:
                if not place.values.get(part, (False, False))[1]:
                    return None
            elif not place.more or not part.strip() or (place.starts and not part.startswith(place.starts)):
                return None
            place = self._after(done[: index + 1])
        return place

    def _labels(self) -> _Next:
        values = {label: (label == LIST, label != LIST) for label in (SEARCH, CATEGORY, EXPLAIN, LIST, ADD, TALK)}
        if self._habits:
            values |= {STREAK: (False, True), LOG: (False, True)}
        return _Next({label: place for label, place in values.items() if label not in self._without})

    def _after(self, done: Sequence[str]) -> _Next | None:
        label, count = done[0], len(done)
        if label == TALK:
            return self._talk(done)
        if count == 1:
            return {
                SEARCH: _Next(),
                CATEGORY: _fixed(self._categories, end=True, more=False),
                EXPLAIN: _fixed(self._titles, end=True, more=False),
                STREAK: _fixed(self._habits, end=True, more=False),
                ADD: _fixed(self._titles, end=False, more=True),
                LOG: _fixed(self._habits, end=False, more=True),
            }.get(label)
        if label == ADD:
            if count == 2:
                return _fixed(tuple(LEVELS), end=False, more=True)
            return _Next(starts=_ADD_FIELDS if count > 3 else (), more=count < 5)
        if label == LOG:
            if count == 2:
                return _fixed(tuple(VALUES), end=False, more=True)
            return _Next(starts=_LOG_FIELDS if count > 3 else (), more=count < 4)
        return None

    def _talk(self, done: Sequence[str]) -> _Next | None:
        if len(done) == 1:
            values = dict.fromkeys(_BARE, (True, False))
            values |= dict.fromkeys((*_WITH_WORDS, SCREEN, SAFETY, MISSING, SLIP), (False, True))
            return _Next(values)
        if len(done) > 2:
            return None
        kind = done[1]
        if kind == SCREEN:
            return _fixed(SCREENS, end=True, more=False)
        if kind in (SAFETY, SLIP):
            return _fixed((*self._titles, NOTHING), end=True, more=False)
        return _Next()
