"""LifeHelper's own JSON. It is checked like any other file: whoever made it may have changed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.domain.habits import EntryValue
from lifehelper_desktop.domain.rules import DOSE_MAX, NOTE_MAX
from lifehelper_desktop.storage.tables import is_row_id
from lifehelper_desktop.storage.text import clean_text, shorten
from lifehelper_desktop.storage.transfer.building import (
    FormatReader,
    ReadContext,
    as_float,
    as_list,
    as_text,
    iso_day,
    storable,
)
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.formats._own_row import (
    BadField,
    checked_row,
    moment_of,
    pauses_fit,
    reminders_fit,
    schedules_fit,
)
from lifehelper_desktop.storage.transfer.model import (
    MAX_ENTRIES,
    FileFormat,
    ImportedEntry,
    ImportedHabit,
    ImportedReminder,
    OwnRows,
)
from lifehelper_desktop.storage.transfer.profile import FORMAT_NAME, VERSION
from lifehelper_desktop.storage.transfer.source_file import SourceFile, too_large

_VALUES: Final = {value.value: value for value in EntryValue}


def _matches(source: SourceFile) -> bool:
    data = source.json
    return isinstance(data, dict) and data.get("format") == FORMAT_NAME and isinstance(data.get("habits"), list)


def _read(context: ReadContext) -> list[ImportedHabit]:
    data = context.source.json
    # A clock that was set back leaves entries that wait for their day.
    context.days_ahead = 366
    version = data.get("version")
    if version != VERSION:
        raise TransferError(
            "too_new",
            _("이 파일은 더 새로운 버전의 프로그램에서 내보냈어요."),
            _("프로그램을 새 버전으로 바꾼 뒤 가져와 주세요."),
        )
    built: dict[str, ImportedHabit] = {}
    for number, given in enumerate(data["habits"]):
        where = f"habits[{number}]"
        if not isinstance(given, dict) or not isinstance(given.get("habit"), dict):
            context.report.bad(where, "bad_shape")
            continue
        try:
            habit = _habit(context, given, where)
        except BadField as bad:
            context.report.bad(where, "bad_field", name=bad.name, text=shorten(bad.value))
            continue
        if built.setdefault(habit.keys[0], habit) is not habit:
            context.report.bad(where, "bad_field", name="uid", text=shorten(given["uid"]))
    return list(built.values())


def _habit(context: ReadContext, given: Mapping[str, Any], where: str) -> ImportedHabit:
    context.count_habit()
    row, habit = checked_row(_known(context, "habit", given["habit"], where), context.report, where)
    uid = as_text(given.get("uid"))
    if not (8 <= len(uid) <= 64 and uid.isalnum()):
        raise BadField("uid", given.get("uid"))
    number = given.get("id")
    doses = _doses(given.get("doses"))
    children = _children(context, given.get("children"), where)
    if not pauses_fit(habit.status, children.get("habit_pause", ())):
        raise BadField("habit_pause", children.get("habit_pause"))
    if not reminders_fit(children.get("reminder", ())):
        raise BadField("reminder", children.get("reminder"))
    if not schedules_fit(habit, children.get("habit_schedule", ())):
        raise BadField("habit_schedule", children.get("habit_schedule"))
    entries = _entries(context, given, where, has_minimum=1 in doses)
    sources = tuple(
        (storable(each["source"]), storable(each["external_id"]))
        for each in as_list(given.get("sources"))
        if isinstance(each, dict)
        and 1 <= len(as_text(each.get("source"))) <= 40
        and 1 <= len(as_text(each.get("external_id"))) <= 300
    )
    return ImportedHabit(
        keys=(f"uid:{uid}",),
        title=habit.title_ko,
        habit_type=habit.habit_type,
        status=habit.status,
        schedule=habit.schedule,
        start=habit.start,
        description=habit.description,
        unit=habit.unit,
        standard_dose=doses.get(0, ""),
        reminders=tuple(
            ImportedReminder(row["minutes"], frozenset(map(int, row["weekdays"])))
            for row in children.get("reminder", ())
        ),
        entries=entries,
        own=OwnRows(number if isinstance(number, int) and is_row_id(number) else 0, row, doses, children, sources),
    )


def _doses(given: object) -> dict[int, str]:
    named = given if isinstance(given, dict) else {}
    doses: dict[int, str] = {}
    for is_minimum, name in enumerate(("standard", "minimum")):
        if name in named:
            text = clean_text(as_text(named[name]))
            if not 1 <= len(text) <= DOSE_MAX:
                raise BadField(name, named[name])
            doses[is_minimum] = text
    return doses


def _known(context: ReadContext, table: str, row: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return the values that this version has columns for; the others are remarked."""
    known = context.known_columns.get(table, frozenset())
    for name in row.keys() - known:
        context.report.note(where, "column_left_out", name=shorten(f"{table}.{name}"))
    return {name: value for name, value in row.items() if name in known}


def _children(context: ReadContext, given: object, where: str) -> dict[str, tuple[Mapping[str, Any], ...]]:
    children: dict[str, tuple[Mapping[str, Any], ...]] = {}
    for table, rows in (given if isinstance(given, dict) else {}).items():
        if table not in context.known_columns:
            context.report.note(where, "column_left_out", name=shorten(table))
            continue
        kept = []
        for row in as_list(rows):
            if not isinstance(row, dict):
                raise BadField(table, row)
            known = _known(context, table, row, where)
            kept.append({name: _scalar(name, value) for name, value in known.items()})
        children[table] = tuple(kept)
    return children


def _scalar(name: str, value: object) -> object:
    if isinstance(value, str):
        return clean_text(value, keep_lines=True)
    if value is None or (isinstance(value, (int, float)) and abs(value) < 1 << 62):
        return value
    raise BadField(name, value)


def _entries(
    context: ReadContext, given: Mapping[str, Any], where: str, *, has_minimum: bool
) -> tuple[ImportedEntry, ...]:
    found: dict[Any, ImportedEntry] = {}
    for number, row in enumerate(as_list(given.get("entries"))):
        place = f"{where}.entries[{number}]"
        context.watch.step()
        if not isinstance(row, dict):
            context.report.bad(place, "bad_shape")
            continue
        day = context.check_day(iso_day(as_text(row.get("date"))), row.get("date"), place)
        value = _VALUES.get(as_text(row.get("value")))
        amount = row.get("amount")
        if value is None or (amount is not None and as_float(amount) is None):
            context.report.bad(place, "bad_value", text=shorten(row.get("value") if value is None else amount))
            continue
        if day is None:
            continue
        if value is EntryValue.MINIMUM and not has_minimum:
            context.report.bad(place, "minimum_without_dose", day=day.isoformat())
            continue
        note = context.cut(row.get("note"), NOTE_MAX, place, "note_cut", day=day.isoformat())
        made, changed = _moment(row.get("created_at")), _moment(row.get("updated_at"))
        entry = ImportedEntry(day, value, as_float(amount), note, made, changed or made)
        if found.setdefault(day, entry) is not entry:
            context.report.note(place, "duplicate", day=day.isoformat())
        context.entries += 1
        if context.entries > MAX_ENTRIES:
            raise too_large()
    return tuple(found[day] for day in sorted(found))


def _moment(value: object) -> str:
    """Return a stored moment as it is, or nothing (the time of the import is taken) when it is none."""
    return "" if moment_of(value) is None else str(value)


READER: Final = FormatReader(FileFormat.LIFEHELPER, _matches, _read)
