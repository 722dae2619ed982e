"""The data of HabitTrove: `habits.json`, alone, in its folder, or in a backup zip with `settings.json`."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, date, datetime, tzinfo
from typing import Any, Final
from zoneinfo import ZoneInfo

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import DAILY, EntryValue, HabitStatus
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
    on_weekdays,
)
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedHabit
from lifehelper_desktop.storage.transfer.source_file import Kind, SourceFile, damaged, parse_json

_HABITS, _SETTINGS = "habits.json", "settings.json"
_WEEKDAYS: Final = {"MO": 1, "TU": 2, "WE": 3, "TH": 4, "FR": 5, "SA": 6, "SU": 7}
_PERIOD_DAYS: Final = {"DAILY": 1, "WEEKLY": 7, "MONTHLY": 30, "YEARLY": 365}
_KEYS: Final = frozenset({"completions", "coinReward", "isTask", "targetCompletions"})


def _matches(source: SourceFile) -> bool:
    if source.kind in (Kind.ZIP, Kind.FOLDER):
        return source.base_of(_HABITS) is not None
    data = source.json
    if not isinstance(data, dict) or not isinstance(data.get("habits"), list):
        return False
    habits = [habit for habit in data["habits"] if isinstance(habit, dict)]
    return any(_KEYS & habit.keys() for habit in habits) or (data.keys() == {"habits"} and not habits)


def _read(context: ReadContext) -> list[ImportedHabit]:
    source = context.source
    if source.kind in (Kind.ZIP, Kind.FOLDER):
        base = source.base_of(_HABITS) or ""
        data = parse_json(source.member_text(base + _HABITS), _HABITS)
        settings = (
            parse_json(source.member_text(base + _SETTINGS), _SETTINGS) if base + _SETTINGS in source.members else None
        )
    else:
        data, settings = source.json, _settings_beside(source)
    if not isinstance(data, dict) or not isinstance(data.get("habits"), list):
        raise damaged(source.name)
    zone = _zone(context, settings)
    built = []
    for number, row in enumerate(data["habits"]):
        where = f"habits[{number}]"
        if not isinstance(row, dict):
            context.report.bad(where, "bad_shape")
        elif row.get("isTask") is True:
            context.report.note(where, "task")
        else:
            built.append(_habit(context, row, where, zone))
    return built


def _settings_beside(source: SourceFile) -> Any:
    """Return the settings that lie beside `habits.json` (or `x_habits.json`) under the same kind of name, or None."""
    beside = source.path.with_name(re.sub(r"habits(?=\.json$)", "settings", source.path.name))
    if beside == source.path or not beside.is_file():
        return None
    return SourceFile(beside, source.watch).json


def _zone(context: ReadContext, settings: Any) -> tzinfo | None:
    """Return where instants become days: what the user says, what the file says, or this computer's (None)."""
    if context.zone is not None:
        return context.zone
    system = settings.get("system") if isinstance(settings, dict) else None
    name = as_text(system.get("timezone")) if isinstance(system, dict) else ""
    if name:
        try:
            return ZoneInfo(name)
        except (OSError, ValueError, KeyError) as error:  # ZoneInfoNotFoundError is a KeyError
            raise _unknown_zone(name) from error
    local = context.local_zone
    words = str(local) if local is not None else datetime.now().astimezone().tzname() or "?"
    context.report.note(_HABITS, "unknown_zone", zone=words)
    return local


def _unknown_zone(name: str) -> TransferError:
    return TransferError(
        "unknown_zone",
        _("파일에 적힌 시간대를 알 수 없어요: {zone}").format(zone=shorten(name)),
        _("시간대를 골라 주세요. 예: Asia/Seoul"),
    )


def _habit(context: ReadContext, row: dict[str, Any], where: str, zone: tzinfo | None) -> ImportedHabit:
    habit = context.habit(row.get("name"), where)
    if as_text(row.get("id")):
        habit.keys.append(f"id:{row['id']}")
    habit.describe(row.get("description"))
    habit.status = HabitStatus.ARCHIVED if row.get("archived") is True else HabitStatus.ACTIVE
    _set_frequency(context, habit, as_text(row.get("frequency")))
    target = as_int(row.get("targetCompletions")) or 1
    if target > 1:
        habit.measure(_("번"), Goal(float(target)))
    days: Counter[date] = Counter()
    for number, moment in enumerate(as_list(row.get("completions"))):
        place = f"{where}.completions[{number}]"
        day = context.check_day(_day(moment, zone), moment, place)
        if day is not None:
            days[day] += 1
            context.watch.step()
    for day, count in days.items():
        if habit.goal is not None:
            habit.add_amount(day, float(count), where)
        else:
            habit.add(day, EntryValue.DONE, where)
    return habit.build()


def _day(moment: object, zone: tzinfo | None) -> date | None:
    """Return the day of an instant in `zone`; older files hold the day itself."""
    text = as_text(moment)
    day = iso_day(text)
    if day is not None:
        return day
    try:
        instant = datetime.fromisoformat(text)
        if instant.tzinfo is None:
            instant = instant.replace(tzinfo=UTC)
        return instant.astimezone(zone).date()
    except (ValueError, OverflowError, OSError):
        return None


def _set_frequency(context: ReadContext, habit: HabitBuilder, rule: str) -> None:
    found = re.search(r"FREQ=\S+", rule.upper())  # a DTSTART may stand before it
    text = found[0] if found else f"FREQ={rule.strip().upper()}"  # the oldest files say only `daily`
    parts = dict(part.split("=", 1) for part in text.split(";") if "=" in part)
    days, every = _PERIOD_DAYS.get(parts.get("FREQ", "")), as_int(parts.get("INTERVAL", "1"))
    named = frozenset(_WEEKDAYS[name[-2:]] for name in parts.get("BYDAY", "").split(",") if name[-2:] in _WEEKDAYS)
    if days is None or every is None or not 1 <= every <= 100:
        context.report.note(habit.where, "schedule_unknown", rule=shorten(rule))
    elif days <= 7 and every == 1:
        habit.schedule = on_weekdays(named) if named else DAILY
        if days == 7 and not named:
            habit.repeat_by_calendar(1, 1, 7)
    else:
        habit.repeat_by_calendar(len(named) or 1, every, days)


READER: Final = FormatReader(FileFormat.HABITTROVE, _matches, _read)
