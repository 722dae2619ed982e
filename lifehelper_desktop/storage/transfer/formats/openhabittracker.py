"""The JSON export of OpenHabitTracker: `Categories[].Habits[]` with times in the wall clock of where they were made."""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import Any, Final

from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.storage.text import shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    Goal,
    HabitBuilder,
    ReadContext,
    as_int,
    as_list,
    as_text,
    iso_day,
)
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import SourceFile

_PERIOD_DAYS: Final = (1, 7, 30, 365)


def _matches(source: SourceFile) -> bool:
    data = source.json
    return isinstance(data, dict) and isinstance(data.get("Categories"), list)


def _read(context: ReadContext) -> list[ImportedHabit]:
    built = []
    data = context.source.json
    groups = [("Categories", number, group) for number, group in enumerate(data["Categories"])]
    groups.append(("", 0, data))  # habits without a category
    for name, number, group in groups:
        prefix = f"{name}[{number}]." if name else ""
        if not isinstance(group, dict):
            context.report.bad(prefix.rstrip("."), "bad_shape")
            continue
        for place, row in enumerate(as_list(group.get("Habits"))):
            where = f"{prefix}Habits[{place}]"
            if not isinstance(row, dict):
                context.report.bad(where, "bad_shape")
            elif row.get("IsDeleted") is True:
                context.report.note(where, "deleted")
            else:
                built.append(_habit(context, row, where))
    return built


def _habit(context: ReadContext, row: dict[str, Any], where: str) -> ImportedHabit:
    habit = context.habit(row.get("Title"), where)
    made = as_text(row.get("CreatedAt"))
    if made:
        habit.keys.append(f"made:{made[:40]}:{habit.title}")
    items = [as_text(item.get("Title")) for item in as_list(row.get("Items")) if isinstance(item, dict)]
    habit.describe(*items)
    times, every, period = (as_int(row.get(name)) for name in ("RepeatCount", "RepeatInterval", "RepeatPeriod"))
    times = max(1, times or 1)
    if period is None or not 0 <= period < len(_PERIOD_DAYS) or every is None or not 1 <= every <= 1000:
        context.report.note(where, "schedule_unknown", rule=shorten(f"{times}/{every}/{period}"))
        period, every = 0, 1
    days = _PERIOD_DAYS[period] * every
    by_day = _times_done(context, row, where)
    counted = any(quantity != 1 for quantity in by_day.values())
    if days == 1 and (times > 1 or counted):
        habit.measure("", Goal(float(times)))
    else:
        habit.repeat_by_calendar(min(times, 1000), every, _PERIOD_DAYS[period])
        if counted:
            habit.measure("", Goal(0))
    _add_days(habit, by_day, where)
    return habit.build()


def _times_done(context: ReadContext, row: dict[str, Any], where: str) -> dict[date, float]:
    """Return how much was done on each day: every time counts its quantity, on the day on which it began."""
    by_day: dict[date, float] = defaultdict(float)
    for number, time in enumerate(as_list(row.get("TimesDone"))):
        place = f"{where}.TimesDone[{number}]"
        moment = time.get("StartedAt") or time.get("CompletedAt") if isinstance(time, dict) else None
        day = context.check_day(iso_day(as_text(moment)[:10]), moment, place)
        quantity = as_int(time.get("Quantity", 1)) if isinstance(time, dict) else None
        if quantity is None or quantity < 0:
            context.report.bad(place, "bad_value", text=shorten(time))
        elif day is not None:
            by_day[day] += quantity
            context.watch.step()
    return by_day


def _add_days(habit: HabitBuilder, by_day: dict[date, float], where: str) -> None:
    for day, quantity in by_day.items():
        if habit.goal is not None:
            habit.add_amount(day, quantity, where)
        else:
            habit.add(day, EntryValue.DONE, where)


READER: Final = FormatReader(FileFormat.OPENHABITTRACKER, _matches, _read)
