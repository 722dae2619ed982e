"""Changes as a user might ask for them, chosen by a seed: the same seed on the same data makes the same changes."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta

from lifehelper_desktop.base.settings import DAY_START_MINUTES
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, NewHabit
from lifehelper_desktop.storage.store import Store
from tests.helpers.schedules import EACH_KIND

_PROTOCOLS = ("daily-steps", "morning-sunlight", "three-good-things", "break-doomscrolling", "vegetables-first")
_VALUES: tuple[EntryValue | None, ...] = (EntryValue.DONE, EntryValue.MINIMUM, EntryValue.BLANK, None)
_SENTENCE = "저녁을 먹은 뒤 20분 걷는다"


def next_change(store: Store, chance: random.Random) -> Callable[[], object]:
    """Return the next write; rules may refuse it with a RuleViolation."""
    habits = store.habits.list(*HabitStatus)
    trashed = store.trash.list()
    picked = chance.choice(habits).id if habits else 1
    day = store.today() - timedelta(days=chance.randrange(60))
    value, note = chance.choice(_VALUES), chance.choice(["", "메모 ‘🙂’"])
    order = [habit.id for habit in habits]
    chance.shuffle(order)
    number = chance.randrange(1, 99)
    schedule = chance.choice(EACH_KIND)
    reminders = store.reminders.list(picked)
    protocol = chance.choice(_PROTOCOLS)
    steps: list[Callable[[], object]] = [
        lambda: store.habits.add(NewHabit(protocol, 2, _SENTENCE)),
        *[lambda: store.entries.change(picked, day, value, note=note)] * 8,
        lambda: store.habits.pause(picked),
        lambda: store.habits.resume(picked),
        lambda: store.habits.archive(picked),
        *[lambda: store.habits.unarchive(picked)] * 2,
        *[lambda: store.habits.set_schedule(picked, schedule)] * 2,
        lambda: store.reminders.add(picked, number),
        lambda: store.reminders.change(reminders[0].id if reminders else 1, minutes=number + 600),
        lambda: store.reminders.remove(reminders[0].id if reminders else 1),
        lambda: store.habits.reorder(order),
        lambda: store.habits.set_frame(picked, number % 3 + 1, f"{_SENTENCE} {number}"),
        lambda: store.habits.set_doses(picked, f"{number}분", "한 걸음"),
        lambda: store.trash.delete(picked),
        lambda: store.trash.restore(trashed[number % len(trashed)].id if trashed else picked),
        lambda: store.settings.set(DAY_START_MINUTES, number % 3 * 30),
    ]
    return chance.choice(steps)
