"""What an import would do: which habits are new, which are known, which stay active, and what each day comes to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, NamedTuple

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus, HabitType
from lifehelper_desktop.domain.reminders import REMINDERS_MAX
from lifehelper_desktop.domain.rules import RuleViolation, remaining_quota
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import (
    FileFormat,
    ImportedData,
    ImportedEntry,
    ImportedHabit,
    ImportedReminder,
)
from lifehelper_desktop.storage.transfer.profile import uids
from lifehelper_desktop.storage.transfer.watch import Stage, Watch

_WEAK = "name:"


class Fate(StrEnum):
    """What becomes of one habit of the file, and why."""

    ACTIVE = "active"  # new, and goes on
    PAUSED = "paused"  # new, paused as it was
    ARCHIVED = "archived"  # new, archived as it was
    NO_PLACE = "no_place"  # new, archived because R3 has no place for it, or because the user chose others
    TRASHED = "trashed"  # new, into the trash as it was
    RUNNING = "running"  # new, archived because its protocol runs already
    KNOWN = "known"  # here already: only its days are compared
    IN_TRASH = "in_trash"  # here, in the trash: left alone

    @property
    def words(self) -> str:
        """What becomes of the habit, in the language in force."""
        return _(_FATES[self])


_FATES: Final = {
    Fate.ACTIVE: N_("새로 들어와 이어 가요"),
    Fate.PAUSED: N_("새로 들어와 쉬어요"),
    Fate.ARCHIVED: N_("보관한 그대로 들어와요"),
    Fate.NO_PLACE: N_("자리가 없어 보관함으로 들어와요"),
    Fate.RUNNING: N_("같은 습관을 하고 있어 보관함으로 들어와요"),
    Fate.TRASHED: N_("휴지통에 있던 그대로 들어와요"),
    Fate.KNOWN: N_("이미 있는 습관이에요"),
    Fate.IN_TRASH: N_("휴지통에 있어 그대로 두어요"),
}


class StoredDay(NamedTuple):
    """A day as the database holds it."""

    value: str
    is_minimum: int
    note: str
    amount: float | None
    import_id: int | None


@dataclass(slots=True)
class HabitPlan:
    """One habit of the file and what becomes of it.

    Attributes:
        number: Its place in the file from 1 on: what a choice of habits names.
        habit_id: The habit that it is here already, or None.
        status: What it is after the import.
        new: Days that come in.
        newer: Days that an earlier import wrote and that the file now holds otherwise, with what was there.
        same: How many days are here already, just so.
        kept: How many days were changed here by hand and stay as they are.
        can_be_active: Whether the user may choose it to stay active: new, and not trashed.
        protocol: The catalogue's habit that it is, or None.
    """

    number: int
    habit: ImportedHabit
    habit_id: int | None
    fate: Fate
    status: HabitStatus
    new: list[ImportedEntry] = field(default_factory=list)
    newer: list[tuple[ImportedEntry, StoredDay]] = field(default_factory=list)
    same: int = 0
    kept: int = 0

    @property
    def can_be_active(self) -> bool:
        """Whether the user may choose that it stays active."""
        return self.fate not in (Fate.KNOWN, Fate.IN_TRASH, Fate.RUNNING, Fate.TRASHED)

    @property
    def protocol(self) -> str | None:
        """The id of its protocol; only habits of LifeHelper's own file have one."""
        columns = self.habit.own.columns if self.habit.own is not None else {}
        return columns.get("protocol_id") or columns.get("break_protocol_id")


@dataclass(slots=True)
class ImportPlan:
    """What an import of one file would do to the profile as it is now.

    Attributes:
        places: How many places each type had before (R3).
        settings: Settings that would be taken over.
    """

    habits: list[HabitPlan]
    places: Mapping[HabitType, int]
    settings: Mapping[str, Any]

    @property
    def new_habits(self) -> int:
        """How many habits would come in."""
        return sum(plan.habit_id is None for plan in self.habits)

    @property
    def new_entries(self) -> int:
        """How many days would come in."""
        return sum(len(plan.new) for plan in self.habits)

    @property
    def changed_entries(self) -> int:
        """How many days of an earlier import would be brought up to the file."""
        return sum(len(plan.newer) for plan in self.habits)

    @property
    def new_reminders(self) -> int:
        """How many reminders would come in, with the new habits."""
        return sum(len(merged_reminders(plan.habit.reminders)) for plan in self.habits if plan.habit_id is None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing would change."""
        return not (self.new_habits or self.new_entries or self.changed_entries or self.settings)


def make_plan(
    db: Database, data: ImportedData, keep: Collection[int] | None, settings: Mapping[str, Any], watch: Watch
) -> ImportPlan:
    """Compare the file with the database. Inside `read()` or `write()`.

    Args:
        keep: Numbers of the habits that stay active; None takes them in the order of the file while there is room.
        settings: Settings of the file that are to be taken over where they differ.

    Raises:
        RuleViolation: `r3_quota`: more are chosen than there are places; `already_active`: one protocol twice.
        TransferError: `bad_choice`: a number that the file does not have, or that cannot be active; `stopped`.
    """
    watch.begin(Stage.COMPARING, sum(len(habit.entries) for habit in data.habits))
    matched = _Matches(db, data.format)
    trashed = {row[0] for row in db.sql("SELECT id FROM habit WHERE deleted_on IS NOT NULL")}
    running = _running_protocols(db)
    plans = []
    for number, habit in enumerate(data.habits, 1):
        habit_id = matched.find(habit)
        plan = HabitPlan(number, habit, habit_id, Fate.KNOWN, habit.status)
        plans.append(plan)
        if habit_id in trashed:
            plan.fate = Fate.IN_TRASH
        elif habit_id is not None:
            _compare(plan, stored_days(db, habit_id))
        else:
            plan.new = list(habit.entries)
            _set_fate(plan, running)
        watch.step(len(habit.entries))
    places = _places(db)
    _give_places(plans, places, keep, _running_protocols(db))
    watch.end()
    return ImportPlan(plans, places, settings)


def choose_active(db: Database, plan: ImportPlan, keep: Collection[int] | None) -> ImportPlan:
    """Return the plan with another choice of the habits that stay active; the days are not compared again.

    Inside `read()` or `write()`.

    Raises:
        RuleViolation, TransferError: As `make_plan`.
    """
    habits = [
        replace(each, fate=Fate(each.habit.status.value), status=each.habit.status) if each.can_be_active else each
        for each in plan.habits
    ]
    places = _places(db)
    _give_places(habits, places, keep, _running_protocols(db))
    return replace(plan, habits=habits, places=places)


def stored_days(db: Database, habit_id: int) -> dict[str, StoredDay]:
    """Return the days of a habit by date as they are stored."""
    statement = "SELECT date, value, is_minimum, note, amount, import_id FROM entry WHERE habit_id = ?"
    return {row[0]: StoredDay(*row[1:]) for row in db.sql(statement, (habit_id,))}


def stored_form(entry: ImportedEntry) -> tuple[str, int, str, float | None]:
    """Return value, is_minimum, note and amount of an entry as the columns hold them."""
    is_minimum = entry.value is EntryValue.MINIMUM
    value = EntryValue.DONE.value if is_minimum else entry.value.value
    return value, int(is_minimum), entry.note, entry.amount


def merged_reminders(reminders: Iterable[ImportedReminder]) -> list[ImportedReminder]:
    """Return reminders as one habit can hold them: those of one time as one, by time, as many as there may be."""
    weekdays: dict[int, frozenset[int]] = {}
    for each in reminders:
        weekdays[each.minutes] = weekdays.get(each.minutes, frozenset()) | each.weekdays
    return [ImportedReminder(*item) for item in sorted(weekdays.items())][:REMINDERS_MAX]


class _Matches:
    """Finds the habit that a habit of the file is already."""

    def __init__(self, db: Database, file_format: FileFormat) -> None:
        statement = "SELECT external_id, habit_id FROM habit_source WHERE source = ?"
        self._known: dict[str, int] = dict(db.sql(statement, (file_format.source,)))
        if file_format is FileFormat.LIFEHELPER:
            self._known |= {f"uid:{uid}": habit_id for uid, habit_id in uids(db).items()}
        self._sure = {habit_id for key, habit_id in self._known.items() if not key.startswith(_WEAK)}
        self._taken: set[int] = set()

    def find(self, habit: ImportedHabit) -> int | None:
        sure = [key for key in habit.keys if not key.startswith(_WEAK)]
        names = [key for key in habit.keys if key.startswith(_WEAK)]
        found = [self._known[key] for key in sure if key in self._known]
        # A name stands in only where one of the two files knew nothing better.
        found += [
            self._known[key] for key in names if key in self._known and not (sure and self._known[key] in self._sure)
        ]
        free = next((habit_id for habit_id in found if habit_id not in self._taken), None)
        if free is not None:
            self._taken.add(free)
        return free


def _compare(plan: HabitPlan, days: Mapping[str, StoredDay]) -> None:
    for entry in plan.habit.entries:
        there = days.get(entry.day.isoformat())
        if there is None:
            plan.new.append(entry)
        elif there[:4] == stored_form(entry):
            plan.same += 1
        elif there.import_id is not None:
            plan.newer.append((entry, there))
        else:
            plan.kept += 1


def _set_fate(plan: HabitPlan, running: set[str]) -> None:
    own = plan.habit.own
    if own is not None and own.columns.get("deleted_on") is not None:
        plan.fate = Fate.TRASHED
        return
    protocol = plan.protocol
    if plan.status is not HabitStatus.ARCHIVED and protocol is not None:
        if protocol in running:
            plan.fate, plan.status = Fate.RUNNING, HabitStatus.ARCHIVED
            return
        running.add(protocol)
    plan.fate = Fate(plan.status.value)


def _give_places(
    plans: list[HabitPlan], places: Mapping[HabitType, int], keep: Collection[int] | None, running: set[str]
) -> None:
    left = dict(places)
    if keep is not None:
        _check_choice(plans, keep)
        _check_protocols(plans, keep, running)
    for plan in plans:
        if not plan.can_be_active:
            continue
        wanted = plan.status is HabitStatus.ACTIVE if keep is None else plan.number in keep
        if keep is not None and not wanted and plan.status is not HabitStatus.ACTIVE:
            continue  # archived or paused there: stays so
        if not wanted:
            if plan.status is HabitStatus.ACTIVE:
                plan.fate, plan.status = Fate.NO_PLACE, HabitStatus.ARCHIVED
            continue
        if left[plan.habit.habit_type] > 0:
            left[plan.habit.habit_type] -= 1
            plan.fate, plan.status = Fate.ACTIVE, HabitStatus.ACTIVE
        elif keep is not None:
            raise RuleViolation("r3_quota_break" if plan.habit.habit_type is HabitType.BREAK else "r3_quota_build")
        else:
            plan.fate, plan.status = Fate.NO_PLACE, HabitStatus.ARCHIVED


def _check_choice(plans: list[HabitPlan], keep: Collection[int]) -> None:
    # One that is here already stays as it is, whatever is chosen: the same choice may be given again.
    able = {plan.number for plan in plans if plan.can_be_active or plan.fate is Fate.KNOWN}
    wrong = sorted(set(keep) - able)
    if wrong:
        raise TransferError(
            "bad_choice",
            _("계속할 습관으로 고를 수 없는 번호예요: {numbers}").format(numbers=", ".join(map(str, wrong))),
            _("미리보기에서 새로 들어오는 습관의 번호를 골라 주세요."),
        )


def _check_protocols(plans: Iterable[HabitPlan], keep: Collection[int], running: set[str]) -> None:
    """Refuse a choice by which one protocol would run twice: of an archived habit that has been begun anew."""
    going_on = set(running)
    chosen = [plan for plan in plans if plan.can_be_active and plan.protocol is not None]
    chosen.sort(key=lambda plan: plan.number in keep)  # those that stay paused first
    for plan in chosen:
        if plan.number not in keep and plan.habit.status is not HabitStatus.PAUSED:
            continue
        protocol = plan.protocol
        if protocol in going_on:
            raise RuleViolation("already_active", title=plan.habit.title)
        if protocol is not None:
            going_on.add(protocol)


def _places(db: Database) -> dict[HabitType, int]:
    statement = "SELECT kind = 'break', COUNT(*) FROM habit WHERE status = 'active' AND deleted_on IS NULL GROUP BY 1"
    counts = {bool(is_break): int(count) for is_break, count in db.sql(statement)}
    return {
        HabitType.BUILD: remaining_quota(HabitType.BUILD, counts.get(False, 0)),
        HabitType.BREAK: remaining_quota(HabitType.BREAK, counts.get(True, 0)),
    }


def _running_protocols(db: Database) -> set[str]:
    statement = (
        "SELECT COALESCE(protocol_id, break_protocol_id) FROM habit WHERE status <> 'archived' AND deleted_on IS NULL"
    )
    return {protocol for (protocol,) in db.sql(statement) if protocol is not None}
