"""The entries of habits as the numbers need them: a sign for each day, read again only where one was written since."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from lifehelper_desktop.domain.day_line import SIGNS, Marks
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.database import Database

_DAY_WIDTH: Final = 10  # of YYYY-MM-DD
_WIDTH: Final = _DAY_WIDTH + 1
_SIGN: Final = (
    f"CASE WHEN is_minimum THEN '{SIGNS[EntryValue.MINIMUM]}' WHEN value = 'done' THEN '{SIGNS[EntryValue.DONE]}' "
    f"WHEN value = 'blank' THEN '{SIGNS[EntryValue.BLANK]}' ELSE '{SIGNS[EntryValue.NOT_DONE]}' END"
)
_READ: Final = (
    f"SELECT group_concat(date || {_SIGN}, '') FROM "
    "(SELECT date, value, is_minimum FROM entry WHERE habit_id = ? ORDER BY date)"
)


class _Ordinals(dict[str, int]):
    """Ordinals of days by their text; the same days come again for every habit."""

    def __missing__(self, text: str) -> int:
        ordinal = self[text] = date.fromisoformat(text).toordinal()
        return ordinal


class MarksReader:
    """Reads marks. Any thread.

    What was read is kept with the token that the habit's entries had then. Every write of an entry gives its habit
    another one, whoever writes (triggers of the schema): this program, another one, an undo, a backup put in place.
    """

    def __init__(self, db: Database) -> None:
        """Read from `db`."""
        self._db = db
        self._kept: dict[int, tuple[int, Marks]] = {}
        self._ordinals = _Ordinals()

    def over(self, db: Database) -> MarksReader:
        """Return a reader through another connection to the same file that shares what was read."""
        reader = MarksReader(db)
        reader._kept, reader._ordinals = self._kept, self._ordinals
        return reader

    def read(self, habit_ids: Iterable[int]) -> dict[int, Marks]:
        """Return what was recorded for each of the habits. Inside `snapshot()`: tokens and entries fit together."""
        tokens: dict[int, int] = dict(self._db.sql("SELECT habit_id, token FROM entry_state"))
        return {habit_id: self._read(habit_id, tokens.get(habit_id)) for habit_id in habit_ids}

    def _read(self, habit_id: int, token: int | None) -> Marks:
        if token is None:
            return Marks()  # no entry was ever written
        kept = self._kept.get(habit_id)
        if kept is not None and kept[0] == token:
            return kept[1]
        marks = self._parse(self._db.sql(_READ, (habit_id,))[0][0] or "")
        self._kept[habit_id] = (token, marks)
        return marks

    def _parse(self, text: str) -> Marks:
        """Return the marks of `YYYY-MM-DD` and a sign, again and again, in whatever order."""
        if not text:
            return Marks()
        days = [text[at : at + _DAY_WIDTH] for at in range(0, len(text), _WIDTH)]
        signs = text[_DAY_WIDTH::_WIDTH].encode("ascii")
        first, last = self._ordinals[min(days)], self._ordinals[max(days)]
        if last - first + 1 == len(days) and days == sorted(days):
            return Marks(first, signs)  # not a day left out
        line = bytearray(b"." * (last - first + 1))
        for day, sign in zip(days, signs, strict=True):
            line[self._ordinals[day] - first] = sign
        return Marks(first, bytes(line))
