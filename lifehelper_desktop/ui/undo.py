"""Taking back an entry that the user has seen being made: never one that came in its place since."""

from __future__ import annotations

from datetime import date
from enum import Enum, auto
from typing import Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.chat.messages import ToolCallChatMessage, ToolCallState
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import Entry, EntryValue
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.text import clean_note
from lifehelper_desktop.tools.envelope import ToolOk
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.writes import WriteOutcome, attempt

_ENTRY_KEYS: Final = {"entry_id", "habit_id", "date", "value"}


class EntryFate(Enum):
    """What became of an entry since it was made."""

    SAME = auto()
    CHANGED = auto()
    GONE = auto()


def logged_entry(message: ToolCallChatMessage) -> Entry | None:
    """Return the entry that a finished call stored, as it was then; None for calls that stored none."""
    if message.state is not ToolCallState.DONE or not isinstance(message.result, ToolOk):
        return None
    data = message.result.data
    if message.changes is None or not message.changes.entries or not data.keys() >= _ENTRY_KEYS:
        return None
    day, value = date.fromisoformat(data["date"]), EntryValue(data["value"])
    return Entry(data["entry_id"], data["habit_id"], day, value, clean_note(str(message.args.get("note") or "")))


def fate_of(store: Store, entry: Entry) -> EntryFate:
    """Compare `entry` with what is stored now.

    Raises:
        WorldError: The file could not be read.
    """
    now = store.entries.get(entry.habit_id, entry.date)
    if now is None:
        return EntryFate.GONE
    return EntryFate.SAME if now == entry else EntryFate.CHANGED


def take_back(bus: Bus, store: Store, entry: Entry) -> WriteOutcome:
    """Delete `entry` when it is still the same. One that changed since stays, which is a problem told in words."""
    fate = EntryFate.SAME

    def write() -> Changes:
        nonlocal fate
        with store.db.write():
            fate = fate_of(store, entry)
            return store.entries.change(entry.habit_id, entry.date, None) if fate is EntryFate.SAME else NOTHING

    outcome = attempt(bus, write)
    if outcome.is_ok and fate is EntryFate.CHANGED:
        return WriteOutcome(NOTHING, _("이 기록은 그 뒤에 바뀌어서 그대로 두었어요."))
    return outcome
