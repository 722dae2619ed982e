"""The order of the list of habits: places are numbers from 0, written only where they change."""

from __future__ import annotations

from collections.abc import Sequence

from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.tables import is_row_id
from lifehelper_desktop.storage.text import shorten


def reorder(db: Database, habit_ids: Sequence[int], now: str) -> frozenset[int]:
    """Put the named habits in this order into the places that they hold; return those that moved.

    The others stay where they are, so a list that shows only some of the habits can be put in order too. Inside the
    caller's transaction.

    Raises:
        RuleViolation: `not_found`, `validation` when a habit is named twice.
    """
    if len(set(habit_ids)) != len(habit_ids):
        raise RuleViolation("validation", field="habit_ids")
    rows = db.sql("SELECT id, position FROM habit WHERE deleted_on IS NULL ORDER BY position, id")
    places = dict(rows)
    for habit_id in habit_ids:
        if not is_row_id(habit_id) or habit_id not in places:
            raise RuleViolation("not_found_habit", id=shorten(habit_id))
    named = iter(habit_ids)
    wanted = set(habit_ids)
    order = [next(named) if habit_id in wanted else habit_id for habit_id in places]
    moved = {habit_id: place for place, habit_id in enumerate(order) if places[habit_id] != place}
    for habit_id, place in moved.items():
        db.sql("UPDATE habit SET position = ?, updated_at = ? WHERE id = ?", (place, now, habit_id))
    return frozenset(moved)
