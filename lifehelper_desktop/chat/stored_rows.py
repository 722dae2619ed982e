"""The stored rows in words: what the user reads about a change, read back from the database."""

from __future__ import annotations

from datetime import date

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.log_tracker_entry import VALUE_LABELS, day_text


def describe_changes(store: Store, changes: Changes, language: str) -> str:
    """Return one line per row that `changes` names, as the database holds it now; deleted rows are left out."""
    lines: list[str] = []
    for habit_id, iso in sorted(changes.entries):
        entry = store.entries.get(habit_id, date.fromisoformat(iso))
        if entry is None:
            continue
        title = store.habits.get(habit_id).title(language)
        line = f"{title} · {day_text(entry.date)} · {_(VALUE_LABELS[entry.value])}"
        lines.append(f"{line} · {entry.note}" if entry.note else line)
    if not changes.entries:
        for habit_id in sorted(changes.habits):
            try:
                habit = store.habits.get(habit_id)
            except RuleViolation:
                continue
            lines.append(f"{habit.title(language)} · {habit.framed_text}")
    return "\n".join(lines)
