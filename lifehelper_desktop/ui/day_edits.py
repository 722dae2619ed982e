"""Changes of one day from the detail page, and taking them back: exactly, and never what came in their place since."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import Entry, EntryValue
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.writes import WriteOutcome, attempt


@dataclass(frozen=True, slots=True)
class DayEdit:
    """One change of one day.

    Attributes:
        before, after: What was recorded, None for nothing.
        change_id: The change in the journal, None when nothing was written.
    """

    habit_id: int
    day: date
    before: Entry | None
    after: Entry | None
    change_id: int | None


def change_day(
    bus: Bus,
    store: Store,
    habit_id: int,
    day: date,
    value: EntryValue | None,
    note: str | None = None,
    *,
    shown: Entry | None,
) -> tuple[WriteOutcome, DayEdit | None]:
    """Set or (None) clear a day, as `EntryRepository.change`; the edit is None when nothing was written.

    `shown` is what the user saw of the day, None for nothing: when it holds something else by now, it is left alone
    and the problem says so.
    """
    seen: list[Entry | None] = []

    def write() -> Changes:
        with store.db.write():
            before = store.entries.get(habit_id, day)
            if before != shown:
                raise _ChangedSinceError
            changes = store.entries.change(habit_id, day, value, note)
            seen.extend((before, store.entries.get(habit_id, day)))
            return changes

    try:
        outcome = attempt(bus, write)
    except _ChangedSinceError:
        return WriteOutcome(NOTHING, _("그사이 이 날의 기록이 바뀌었어요. 지금 기록을 보고 다시 해 주세요.")), None
    if not outcome.is_ok or not outcome.changes:
        return outcome, None
    change = store.journal.next_undo()
    return outcome, DayEdit(habit_id, day, seen[0], seen[1], change.id if change is not None else None)


def take_back_day(bus: Bus, store: Store, edit: DayEdit) -> WriteOutcome:
    """Put the day back as it was before `edit`; a day that changed since stays, which is a problem told in words."""
    try:
        return attempt(bus, lambda: _undo(store, edit))
    except _ChangedSinceError:
        return WriteOutcome(NOTHING, _("이 기록은 그 뒤에 바뀌어서 그대로 두었어요."))


class _ChangedSinceError(Exception):
    """The day holds something else now."""


def _undo(store: Store, edit: DayEdit) -> Changes:
    if edit.change_id is not None:
        try:
            return store.journal.undo(edit.change_id).changes
        except RuleViolation as refusal:
            if refusal.code != "undo_moved_on":
                raise
    # Other changes came after it: only the day is put back, they stay.
    with store.db.write():
        if store.entries.get(edit.habit_id, edit.day) != edit.after:
            raise _ChangedSinceError
        value = edit.before.value if edit.before is not None else None
        note = edit.before.note if edit.before is not None else None
        return store.entries.change(edit.habit_id, edit.day, value, note)
