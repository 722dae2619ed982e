"""Prepared data: the worlds of the domain document, and small ways to fill a store."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.habits import EntryValue, Habit, NewHabit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.tools.confirm_gate import ConfirmRequest, Verdict


def add_habit(store: Store, protocol_id: str, *, started: date | None = None) -> Habit:
    """Add a habit with the catalogue's level-2 frame, begun on `started`; the clock must be a FixedClock."""
    clock = store.clock
    assert isinstance(clock, FixedClock)
    before = clock.now()
    if started is not None:
        clock.set(datetime.combine(started, time(12), tzinfo=UTC))
    entry = store.catalogue.get(protocol_id)
    assert entry is not None
    habit, _changes = store.habits.add(NewHabit(protocol_id, 2, entry.frame(2, "ko")))
    clock.set(before)
    return habit


def fill(store: Store, habit: Habit, first: date, last: date, value: EntryValue = EntryValue.DONE) -> None:
    """Record every day from `first` to `last`."""
    day = first
    while day <= last:
        store.entries.log(habit.id, value, day, any_past_day=True)
        day += timedelta(days=1)


def world_1(store: Store) -> dict[str, Habit]:
    """W1: walking (done daily to 8/11), to-do list (done to 8/10), social media (done to 8/11); nothing on 8/12."""
    walk = add_habit(store, "daily-steps", started=date(2026, 7, 1))
    todo = add_habit(store, "bedtime-todo-list", started=date(2026, 8, 1))
    social = add_habit(store, "break-doomscrolling", started=date(2026, 8, 5))
    fill(store, walk, date(2026, 7, 1), date(2026, 8, 11))
    fill(store, todo, date(2026, 8, 1), date(2026, 8, 10))
    fill(store, social, date(2026, 8, 5), date(2026, 8, 11))
    return {"walk": walk, "todo": todo, "social": social}


class RecordingGate:
    """Answers every question with one verdict and remembers what was asked."""

    def __init__(self, verdict: Verdict = Verdict.CONFIRMED) -> None:
        """Answer `verdict`."""
        self.verdict = verdict
        self.requests: list[ConfirmRequest] = []

    def confirm(self, request: ConfirmRequest) -> Verdict:
        """Remember and answer."""
        self.requests.append(request)
        return self.verdict
