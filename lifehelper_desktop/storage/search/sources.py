"""The texts that are searched: each as `kind`, `ref` (the id of its row) and `text`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from lifehelper_desktop.storage.search.schema import HABIT_TEXTS

#: Stands between the fields of a habit, so that no word is found across two of them; of Unicode's private use.
FIELD_END: Final = "\ue000"
_FIELDS: Final = f" || '{FIELD_END}' || ".join(f"COALESCE({column}, '')" for column in HABIT_TEXTS)
_DOSES: Final = f"(SELECT group_concat(dose, '{FIELD_END}') FROM habit_variant WHERE habit_id = habit.id)"

LIVE_TEXTS: Final[Mapping[str, str]] = {
    "habit": f"SELECT 'habit' AS kind, id AS ref, {_FIELDS} || '{FIELD_END}' || COALESCE({_DOSES}, '') AS text "
    "FROM habit",
    "note": "SELECT 'note' AS kind, id AS ref, note AS text FROM entry WHERE note <> ''",
    "message": "SELECT 'message' AS kind, id AS ref, message_text(body) AS text FROM conversation_event "
    "WHERE folded <> ''",
    "topic": "SELECT 'topic' AS kind, id AS ref, title AS text FROM conversation",
}
"""What is searched now; a row that has none here has left the search."""
