"""Names in place of ids: the habit or catalogue entry that a title stands for, found or asked for, never guessed.

A model that says "하루 걷기" where an id is wanted means one thing as long as nothing else comes close; otherwise the
call is refused with the titles among which to choose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from rapidfuzz.distance import Indel

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import Habit, HabitStatus, Protocol
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.catalogue import Catalogue, fold, letters
from lifehelper_desktop.storage.text import clean_text, shorten
from lifehelper_desktop.tools.arguments import is_absent, whole_number
from lifehelper_desktop.tools.definition import Args, ToolDeps

_NAME_MAX: Final = 120  # characters; a longer text is no name
_CLOSE: Final = 0.8  # likeness, 0 to 1, from which on a name may stand for another
_MARGIN: Final = 0.1  # by which the likest must lead
_PART_MIN: Final = (2, 3)  # characters and letters (jamo) from which on a part of a title says which one
_SHARE_MIN: Final = 0.5  # of the letters of a longer text that a title in it must make up
_LISTED_MAX: Final = 5
_TITLE_MAX: Final = 40
_NUMBERED: Final = re.compile(r"(\d{1,19}) ?번")
_LISTED: Final = re.compile(r"(\d{1,19})(?:번|[.):])?\s")  # before a title, as lists of habits have it
_JOINT: Final = re.compile(
    r"[,;/|+&·・、]|(?:이랑|랑|와|과|하고|말고|및)(?=[\sa-z0-9])|\b(?:그리고|또는|대신|and|or|not|instead)\b"
)


@dataclass(frozen=True, slots=True)
class _Name:
    """A title, or what was said in its place, ready for comparing.

    Attributes:
        text: Its letters and digits, composed, in lower case, without spaces.
        letters: `text` with Hangul taken apart, so that one slip is one edit.
        starts: Where in `text` a word begins, or Latin after Hangul and the reverse.
        parts: How many things it may name, by the words and signs that join.
    """

    text: str
    letters: str
    starts: frozenset[int]
    parts: int

    def holds(self, part: _Name) -> bool:
        """Return whether `part`, long enough to say something, occurs here; Latin words count from their start."""
        if len(part.text) < _PART_MIN[0] or len(part.letters) < _PART_MIN[1]:
            return False
        if not part.text[0].isascii():
            return part.text in self.text
        return any(self.text.startswith(part.text, start) for start in self.starts)

    def likeness(self, title: _Name) -> float:
        """Return how likely this stands for `title`, 0 to 1; a name that joins more things than it never does."""
        if title.holds(self):
            return 1.0
        if self.parts > title.parts:
            return 0.0
        if self.holds(title) and len(title.letters) >= _SHARE_MIN * len(self.letters):
            return 1.0
        return Indel.normalized_similarity(self.letters, title.letters)

    def is_scrap_of(self, title: _Name) -> bool:
        """Return whether this is a small part of `title`."""
        return title.holds(self) and len(self.letters) <= _SHARE_MIN * len(title.letters)


_Names = tuple[_Name, ...]


@lru_cache(maxsize=1024)
def _name(text: str) -> _Name:
    folded = fold(text)
    kept: list[str] = []
    starts: set[int] = set()
    before = " "
    for char in folded:
        if char.isalnum():
            if not before.isalnum() or before.isascii() is not char.isascii():
                starts.add(len(kept))
            kept.append(char)
        before = char
    joined = "".join(kept)
    parts = sum(any(map(str.isalnum, part)) for part in _JOINT.split(folded))
    return _Name(joined, letters(joined), frozenset(starts), parts)


def _wanted(value: object) -> _Name | None:
    """Return the name that `value` is, or None when it can be none."""
    if not isinstance(value, str) or len(value) > _NAME_MAX or is_absent(value):
        return None
    name = _name(clean_text(value))
    return name if name.text else None


def _exact(wanted: _Name, rows: Sequence[_Names]) -> list[int]:
    """Return the rows that have exactly this name."""
    return [index for index, names in enumerate(rows) if any(name.text == wanted.text for name in names)]


def _named(wanted: _Name, rows: Sequence[_Names]) -> list[int]:
    """Return the rows whose name occurs in `wanted` as a whole."""
    return [index for index, names in enumerate(rows) if any(wanted.holds(name) for name in names)]


def _closest(wanted: _Name, rows: Sequence[_Names], preferred: int) -> list[int]:
    """Return the row that `wanted` is closest to, several when none leads, none when none is close.

    Of equally close rows one of the first `preferred` wins, when it is the only one of them.
    """
    named = _named(wanted, rows)
    if len(named) > 1:
        return named
    scores = [max(map(wanted.likeness, names)) for names in rows]
    best = max(scores, default=0.0)
    if best < _CLOSE:
        return []
    rivals = [index for index, score in enumerate(scores) if best - score < _MARGIN]
    first = [index for index in rivals if index < preferred]
    return first if len(first) == 1 and scores[first[0]] == best else rivals


def resolve_habit(value: object, deps: ToolDeps) -> int | RuleViolation:
    """Return the number of the habit that `value` names, or the refusal (`not_found`) that names the candidates.

    A number, also in digits or as "3번", is taken as it is. A text is a title in either language or the catalogue id:
    exactly (an active habit before a paused one), else the one title that it comes close to. Archived habits are found
    by number only; of several habits with one title none is chosen, nor one after the number of another.
    """
    number = _number(value)
    if number is not None:
        return number
    live = deps.store.habits.list()
    active = [habit for habit in live if habit.status is HabitStatus.ACTIVE]
    habits = active + [habit for habit in live if habit.status is not HabitStatus.ACTIVE]
    wanted = _wanted(value)
    if wanted is None:
        return _unclear_habit(habits, deps.language)
    rows = [tuple(map(_name, (habit.title_ko, habit.title_en, habit.catalogue_id))) for habit in habits]
    count = len(active)
    found = _exact(wanted, rows[:count]) or _exact(wanted, rows) or _closest(wanted, rows, count)
    meant = [habits[index] for index in found]
    listed = _LISTED.match(clean_text(str(value)))
    if listed is not None and meant:
        meant += [habit for habit in habits if habit.id == int(listed[1]) and habit not in meant]
    if len(meant) == 1:
        return meant[0].id
    if meant or not habits:
        return _unclear_habit(meant, deps.language)
    return RuleViolation("not_found_habit_title", name=shorten(value), titles=_habit_titles(habits, deps.language))


def resolve_protocol(value: object, deps: ToolDeps) -> str | RuleViolation:
    """Return the id of the catalogue entry that `value` names, or the refusal (`not_found`) that names candidates.

    A text is an id, or a title in either language: exactly, else the one title or id that it comes close to. A small
    part of a title counts only when the search finds nothing else by it; a text that names several entries names none.
    """
    catalogue = deps.store.catalogue
    text = clean_text(value) if isinstance(value, str) else ""
    known = catalogue.get(text)
    if known is not None:
        return known.id
    wanted = _wanted(value)
    if wanted is None:
        return RuleViolation("not_found", id=shorten(text))
    rows = _protocol_rows(catalogue)
    found = _exact(wanted, rows) or _closest(wanted, rows, 0)
    entries = [catalogue.all()[index] for index in found]
    if len(entries) == 1 and any(map(wanted.is_scrap_of, rows[found[0]])):
        entries += [entry for entry in catalogue.search(text, limit=None) if entry is not entries[0]]
    if len(entries) == 1:
        return entries[0].id
    if entries:
        return RuleViolation("unclear_entry", titles=_protocol_titles(entries, deps.language))
    near = catalogue.search(text) or [catalogue.all()[index] for index in _named(wanted, rows)]
    if not near:
        return RuleViolation("not_found", id=shorten(text))
    return RuleViolation("not_found_near", id=shorten(text), titles=_protocol_titles(near, deps.language))


def names_several_protocols(value: str, deps: ToolDeps) -> bool:
    """Return whether more than one catalogue entry is named in `value` (R8): titles or ids, or joined names."""
    wanted = _wanted(value)
    if wanted is None:
        return False
    joined = {found for part in _JOINT.split(fold(value)) if isinstance(found := resolve_protocol(part, deps), str)}
    return len(joined) > 1 or len(_named(wanted, _protocol_rows(deps.store.catalogue))) > 1


def with_habit_id(args: Args, deps: ToolDeps) -> dict[str, Any]:
    """Return `args` with the number of the habit that `habit_id` names; what leads nowhere stays for `check_habit`."""
    found = resolve_habit(args["habit_id"], deps) if "habit_id" in args else None
    return {**args, "habit_id": found} if isinstance(found, int) else dict(args)


def check_habit(args: Args, deps: ToolDeps) -> None:
    """Refuse a `habit_id` that `with_habit_id` could not turn into a number.

    Raises:
        RuleViolation: `not_found`, naming the candidates.
    """
    found = resolve_habit(args["habit_id"], deps)
    if isinstance(found, RuleViolation):
        raise found


def with_protocol_id(args: Args, deps: ToolDeps, key: str) -> dict[str, Any]:
    """Return `args` with the id of the catalogue entry that `args[key]` names; what leads nowhere stays."""
    found = resolve_protocol(args[key], deps) if key in args else None
    return {**args, key: found} if isinstance(found, str) else dict(args)


def _number(value: object) -> int | None:
    if isinstance(value, str) and (match := _NUMBERED.fullmatch(value.strip())):
        return int(match[1])
    return whole_number(value)


def _protocol_rows(catalogue: Catalogue) -> list[_Names]:
    return [
        tuple(map(_name, (entry.text("title", "ko"), entry.text("title", "en"), entry.id))) for entry in catalogue.all()
    ]


def _unclear_habit(habits: Sequence[Habit], language: str) -> RuleViolation:
    if not habits:
        return RuleViolation("not_found_habit_none")
    return RuleViolation("unclear_habit", titles=_habit_titles(habits, language))


def _habit_titles(habits: Sequence[Habit], language: str) -> str:
    """Return the titles in one line; those that occur twice with their numbers."""
    titles = [habit.title(language) for habit in habits]
    return _listed(
        [
            title
            if titles.count(title) == 1
            else _("{title}({habit_id}번)").format(title=shorten(title, _TITLE_MAX), habit_id=habit.id)
            for habit, title in zip(habits, titles, strict=True)
        ]
    )


def _protocol_titles(entries: Sequence[Protocol], language: str) -> str:
    return _listed([entry.text("title", language) for entry in entries])


def _listed(titles: Sequence[str]) -> str:
    more = ["…"] if len(titles) > _LISTED_MAX else []
    return ", ".join([shorten(title, _TITLE_MAX + 10) for title in titles[:_LISTED_MAX]] + more)
