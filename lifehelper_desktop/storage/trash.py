"""The trash: a deleted habit keeps all its rows for 30 days and comes back as it was."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import HabitKind, HabitStatus
from lifehelper_desktop.domain.rules import RuleViolation, check_quota
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.habit_rows import pause_between
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.journal import Journal
from lifehelper_desktop.storage.tables import is_row_id
from lifehelper_desktop.storage.text import shorten

TRASH_DAYS: Final = 30
_DAY: Final = timedelta(days=1)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TrashedHabit:
    """A habit in the trash.

    Attributes:
        deleted_on: Logical day of the deletion.
        last_day: The last day on which it can be brought back.
        entries: How many days it has recorded.
    """

    id: int
    title_ko: str
    title_en: str
    framed_text: str
    status: HabitStatus
    deleted_on: date
    last_day: date
    entries: int

    def title(self, language: str) -> str:
        """Return the title in `ko` or `en`."""
        return self.title_en if language == "en" else self.title_ko


TrashedHabits = list[TrashedHabit]  # inside the class, `list` is the method
Ids = list[int]


class TrashRepository:
    """Deletes habits and brings them back. Any thread; each write is one transaction and answers what it changed.

    A refused write raises `RuleViolation`, trouble with the disk a `WorldError`; neither leaves anything behind.
    """

    def __init__(
        self, db: Database, habits: HabitRepository, journal: Journal, clock: Clock, today: Callable[[], date]
    ) -> None:
        """Work on `db`; `today` gives the logical day, `clock` the wall clock for updated."""
        self._db = db
        self._habits = habits
        self._journal = journal
        self._clock = clock
        self._today = today

    def list(self) -> TrashedHabits:
        """Return what lies in the trash, deleted last first."""
        count = "SELECT COUNT(*) FROM entry WHERE habit_id = habit.id"
        statement = (
            f"SELECT id, title_ko, title_en, framed_text, status, deleted_on, ({count}) FROM habit "
            "WHERE deleted_on IS NOT NULL ORDER BY deleted_on DESC, updated_at DESC, id DESC"
        )
        with self._db.read():
            rows = self._db.sql(statement)
        found = []
        for habit_id, title_ko, title_en, text, status, deleted_on, entries in rows:
            day = date.fromisoformat(deleted_on)
            last_day = day + timedelta(days=TRASH_DAYS - 1)
            found.append(
                TrashedHabit(habit_id, title_ko, title_en, text, HabitStatus(status), day, last_day, int(entries))
            )
        return found

    def delete(self, habit_id: int) -> Changes:
        """Put a habit into the trash, in whatever state it is; its place is free at once (R3).

        Raises:
            RuleViolation: `not_found`, also for one that lies there already.
        """
        with self._db.write():
            habit = self._habits.get(habit_id)
            self._update(habit.id, self._today().isoformat())
            return Changes(frozenset({habit.id}))

    def restore(self, habit_id: int) -> Changes:
        """Take a habit out of the trash as it was. The days it lay there count as a pause.

        Raises:
            RuleViolation: `not_found` when it is not in the trash; `already_active` when its protocol has been begun
                anew; `r3_quota` for an active habit without a free place.
        """
        with self._db.write():
            row = self._row(habit_id)
            status = HabitStatus(row["status"])
            if status is not HabitStatus.ARCHIVED:
                self._check_not_running(row["protocol"])
            if status is HabitStatus.ACTIVE:
                habit_type = HabitKind(row["kind"]).habit_type
                check_quota(habit_type, self._habits.active_counts()[habit_type])
                pause_between(self._db, habit_id, date.fromisoformat(row["deleted_on"]), self._today() - _DAY)
            self._update(habit_id, None)
            return Changes(frozenset({habit_id}))

    def remove(self, habit_id: int) -> Changes:
        """Remove a habit of the trash with all it has recorded, for good: undo cannot bring it back.

        Raises:
            RuleViolation: `not_found` when it is not in the trash.
        """
        with self._db.write():
            self._row(habit_id)
            return self._remove([habit_id])

    def empty(self) -> Changes:
        """Remove all that lies in the trash, for good."""
        with self._db.write():
            return self._remove([habit.id for habit in self.list()])

    def remove_old(self) -> Changes:
        """Remove what has lain in the trash for 30 days; at the start of the program. Never raises for the disk."""
        last = self._today() - timedelta(days=TRASH_DAYS)
        try:
            old = [habit.id for habit in self.list() if habit.deleted_on <= last]
            if not old:
                return Changes()
            with self._db.write():
                # Read again: another program may have brought one back meanwhile.
                return self._remove([habit.id for habit in self.list() if habit.deleted_on <= last])
        except WorldError as error:
            _log.warning("the trash could not be cleared: %s", error)
            return Changes()

    def _row(self, habit_id: int) -> dict[str, Any]:
        statement = (
            "SELECT status, kind, COALESCE(protocol_id, break_protocol_id), deleted_on FROM habit "
            "WHERE id = ? AND deleted_on IS NOT NULL"
        )
        rows = self._db.sql(statement, (habit_id,)) if is_row_id(habit_id) else []
        if not rows:
            raise RuleViolation("not_found_habit", id=shorten(habit_id))
        return dict(zip(("status", "kind", "protocol", "deleted_on"), rows[0], strict=True))

    def _check_not_running(self, protocol: str | None) -> None:
        for habit in self._habits.list():
            if protocol is not None and habit.catalogue_id == protocol:
                raise RuleViolation("already_active", title=habit.title(current_language()))

    def _remove(self, habit_ids: Ids) -> Changes:
        if habit_ids:
            marks = ", ".join("?" * len(habit_ids))
            self._db.sql(f"DELETE FROM habit WHERE id IN ({marks})", habit_ids)
            self._journal.leave_out()
            self._journal.forget(habit_ids)
        return Changes(frozenset(habit_ids))

    def _update(self, habit_id: int, deleted_on: str | None) -> None:
        now = self._clock.now().isoformat(timespec="seconds")
        self._db.sql("UPDATE habit SET deleted_on = ?, updated_at = ? WHERE id = ?", (deleted_on, now, habit_id))
