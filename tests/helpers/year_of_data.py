"""A year of five habits by chance, kept twice: in a store, and in plain records from which answers are computed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.habits import DAILY, EntryValue, NewHabit, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store

TODAY: Final = date(2026, 8, 12)
FIRST: Final = date(2025, 8, 13)
NOTES: Final = ("비가 와서 천천히", "피곤했다", "친구와 함께", "아침에 일찍", "조금만 했다", "비 오는 저녁에도 했다")
WEEKDAYS: Final = "월화수목금토일"
DAY: Final = timedelta(days=1)
_VALUES: Final = ("done", "minimum", "blank", None)
_WEIGHTS: Final = (62, 15, 6, 17)


@dataclass
class YearEntry:
    """What was recorded on a day."""

    value: str
    note: str = ""
    amount: float | None = None

    @property
    def kept(self) -> bool:
        """Done or minimum."""
        return self.value in ("done", "minimum")


@dataclass
class YearHabit:
    """One habit as the generator knows it."""

    protocol_id: str
    title: str
    title_en: str
    start: date
    minimum_dose: str
    last: date = TODAY
    weekdays: frozenset[int] | None = None
    pause: tuple[date, date] | None = None
    id: int = 0
    entries: dict[date, YearEntry] = field(default_factory=dict)

    @property
    def is_archived(self) -> bool:
        """It ended before today."""
        return self.last < TODAY

    def days(self) -> Iterator[date]:
        """Every day from the start to today or the archive day."""
        day = self.start
        while day <= self.last:
            yield day
            day += DAY

    def paused(self, day: date) -> bool:
        """Whether the habit rested on `day`."""
        return self.pause is not None and self.pause[0] <= day <= self.pause[1]

    def due(self, day: date) -> bool:
        """Whether `day` asks for it."""
        return not self.paused(day) and (self.weekdays is None or day.isoweekday() in self.weekdays)

    def kept(self, day: date) -> bool:
        """Whether it was done on `day`, at least the minimum."""
        return day in self.entries and self.entries[day].kept

    def missed(self, day: date) -> bool:
        """Whether `day` is over, asked for it, and nothing was recorded."""
        return self.due(day) and day < self.last and day not in self.entries

    def streaks(self) -> tuple[int, int]:
        """The current and the longest streak in days: misses end one, rests and pauses do not."""
        run = longest = 0
        for day in self.days():
            if self.kept(day):
                run += 1
                longest = max(longest, run)
            elif self.missed(day):
                run = 0
        return run, longest


@dataclass
class Year:
    """The habits of the year in list order; the one in the trash is not among them."""

    walk: YearHabit
    sun: YearHabit
    todo: YearHabit
    social: YearHabit
    strength: YearHabit

    @property
    def habits(self) -> tuple[YearHabit, ...]:
        """All of them, in the order in which they were made."""
        return (self.walk, self.sun, self.todo, self.social, self.strength)

    def entries(self) -> Iterator[tuple[YearHabit, date, YearEntry]]:
        """Everything that was recorded."""
        for habit in self.habits:
            for day, entry in sorted(habit.entries.items()):
                yield habit, day, entry


def make_year(store: Store) -> Year:
    """Fill an empty store, whose clock must be a FixedClock at `TODAY`, and return what was put in."""
    chance = random.Random(20260812)
    year = Year(
        walk=YearHabit(
            "daily-steps", "하루 걷기", "Daily steps", FIRST, "집 둘레 5분 걷기",
            pause=(date(2026, 2, 10), date(2026, 2, 16)),
        ),
        sun=YearHabit(
            "morning-sunlight", "아침 햇빛 보기", "Morning daylight", FIRST, "현관 밖이나 창가에서 2분",
            last=date(2026, 3, 31),
        ),
        todo=YearHabit(
            "bedtime-todo-list", "잠들기 전 할 일 적기", "Bedtime to-do list", date(2025, 10, 1),
            "내일 할 일 한 줄 적기",
        ),
        social=YearHabit(
            "break-doomscrolling", "SNS 시간 정해 쓰기", "Planned social media", date(2026, 1, 5),
            "앱을 열기 전 숨 세 번 쉬고 볼 것 말하기",
        ),
        strength=YearHabit(
            "strength-training", "근력 운동", "Strength training", date(2026, 4, 1), "스쿼트 5회",
            weekdays=frozenset({1, 3, 5}),
        ),
    )  # fmt: skip
    clock = store.clock
    assert isinstance(clock, FixedClock)
    now = clock.now()
    _trash(store, clock)
    for habit in year.habits:
        _add(store, clock, habit)
        _record(store, habit, chance)
        if habit.is_archived:
            clock.set(datetime.combine(habit.last, time(12), tzinfo=UTC))
            store.habits.archive(habit.id)
    store.reminders.add(year.walk.id, 21 * 60 + 30, frozenset({1, 2, 3, 4, 5}))
    clock.set(now)
    return year


def _add(store: Store, clock: FixedClock, habit: YearHabit) -> None:
    clock.set(datetime.combine(habit.start, time(12), tzinfo=UTC))
    catalogue = store.catalogue.get(habit.protocol_id)
    assert catalogue is not None
    schedule = DAILY if habit.weekdays is None else Schedule(ScheduleKind.WEEKDAYS, habit.weekdays)
    made, _changes = store.habits.add(NewHabit(habit.protocol_id, 2, catalogue.frame(2, "ko"), schedule=schedule))
    habit.id = made.id
    if habit.pause is not None:
        days = [day.isoformat() for day in habit.pause]
        with store.db.write():
            store.db.sql("INSERT INTO habit_pause (habit_id, first_day, last_day) VALUES (?, ?, ?)", (habit.id, *days))


def _record(store: Store, habit: YearHabit, chance: random.Random) -> None:
    store.clock.set(datetime.combine(habit.last, time(12), tzinfo=UTC))  # type: ignore[attr-defined]
    with store.db.write():
        for day in habit.days():
            value = chance.choices(_VALUES, _WEIGHTS)[0]
            note = chance.choice(NOTES) if chance.random() < 0.2 else ""
            steps = float(chance.randrange(2000, 14000))
            if value is None or not habit.due(day) or (day == TODAY and habit.protocol_id != "daily-steps"):
                continue
            amount = steps if habit.protocol_id == "daily-steps" and value != "blank" else None
            habit.entries[day] = YearEntry(value, note, amount)
            store.entries.log(habit.id, EntryValue(value), day, note, any_past_day=True)
            if amount is not None:
                where = (amount, habit.id, day.isoformat())
                store.db.sql("UPDATE entry SET amount = ? WHERE habit_id = ? AND date = ?", where)


def _trash(store: Store, clock: FixedClock) -> None:
    """Put a habit with one entry into the trash."""
    clock.set(datetime.combine(FIRST, time(12), tzinfo=UTC))
    entry = store.catalogue.get("break-smoking")
    assert entry is not None
    habit, _changes = store.habits.add(NewHabit("break-smoking", 2, entry.frame(2, "ko")))
    store.entries.log(habit.id, EntryValue.DONE, note="휴지통의 메모")
    store.trash.delete(habit.id)
