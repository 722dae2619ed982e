"""The habits. Every way in ends here: each write checks the rules inside its own transaction."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Final

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.i18n import current_language
from lifehelper_desktop.domain.changes import NOTHING, Changes
from lifehelper_desktop.domain.habits import (
    Habit,
    HabitKind,
    HabitStatus,
    HabitType,
    NewHabit,
    Protocol,
    Schedule,
)
from lifehelper_desktop.domain.rules import (
    RuleViolation,
    check_dose_raise,
    check_doses,
    check_frame_level,
    check_frame_text,
    check_protocol_xor,
    check_quota,
    check_single_protocol,
    dose_free_from,
    remaining_quota,
)
from lifehelper_desktop.domain.streaks import tally
from lifehelper_desktop.storage.catalogue import Catalogue
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.doses import is_raise
from lifehelper_desktop.storage.habit_input import anchor_columns, check_any_schedule, doses_of, title_columns
from lifehelper_desktop.storage.habit_rows import begin_pause, end_pause, load_habits, pause_between, write_doses
from lifehelper_desktop.storage.marks import MarksReader
from lifehelper_desktop.storage.ordering import reorder
from lifehelper_desktop.storage.overviews import day_line
from lifehelper_desktop.storage.schedules import add_schedule, change_schedule
from lifehelper_desktop.storage.tables import HABIT, columns_of, is_row_id, schedule_columns
from lifehelper_desktop.storage.text import clean_text, shorten

_LIVE: Final = (HabitStatus.ACTIVE, HabitStatus.PAUSED)
_DAY: Final = timedelta(days=1)
_ID: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
Habits = list[Habit]  # inside the class, `list` is the method


class HabitRepository:
    """Reads and writes habits. Any thread; each write is one transaction and answers what it changed.

    A refused write raises `RuleViolation`, trouble with the disk a `WorldError`; neither leaves anything behind.
    """

    def __init__(self, db: Database, catalogue: Catalogue, clock: Clock, today: Callable[[], date]) -> None:
        """Work on `db`; `today` gives the logical day, `clock` the wall clock for created and updated."""
        self._db = db
        self._catalogue = catalogue
        self._clock = clock
        self._today = today

    # Reading

    def list(self, *statuses: HabitStatus) -> Habits:
        """Return the habits of these statuses in list order; without any, those that are not archived."""
        wanted = [status.value for status in statuses or _LIVE]
        with self._db.read():
            return load_habits(self._db, HABIT.c.status.in_(wanted))

    def get(self, habit_id: int) -> Habit:
        """Return one habit, archived ones too.

        Raises:
            RuleViolation: `not_found`, also in the trash and for ids that no row can have.
        """
        if is_row_id(habit_id):
            with self._db.read():
                found = load_habits(self._db, HABIT.c.id == habit_id, habit_id)
            if found:
                return found[0]
        raise RuleViolation("not_found_habit", id=shorten(habit_id))

    def active_counts(self) -> dict[HabitType, int]:
        """Return how many active habits of each type there are (R3 counts these only)."""
        statement = (
            "SELECT kind = 'break', COUNT(*) FROM habit WHERE status = 'active' AND deleted_on IS NULL GROUP BY 1"
        )
        with self._db.read():
            counts = {bool(is_break): int(count) for is_break, count in self._db.sql(statement)}
        return {HabitType.BUILD: counts.get(False, 0), HabitType.BREAK: counts.get(True, 0)}

    def remaining(self) -> dict[HabitType, int]:
        """Return how many places of each type are free (R3)."""
        return {kind: remaining_quota(kind, count) for kind, count in self.active_counts().items()}

    # Writing

    def add(self, new: NewHabit) -> tuple[Habit, Changes]:
        """Add a habit with its two doses. First refusal wins, in the order of domain.md 0.2.

        Doses and anchors that are not given come from the catalogue, in the language in force.

        Raises:
            RuleViolation: `r8_xor`, `not_found`, `already_active`, `r1_frame_level`, `r3_quota`, `validation`,
                `r7_avoidance`, `r2_anchor`, `r9_minimum`.
        """
        language = current_language()
        with self._db.write():
            protocol = self._protocol(new.protocol_id)
            self._check_not_running(protocol.id, language)
            check_frame_level(new.frame_level)
            check_quota(protocol.kind.habit_type, self.active_counts()[protocol.kind.habit_type])
            framed_text = check_frame_text(clean_text(new.framed_text), protocol.frame(2, language))
            anchors = anchor_columns(new.anchor_when, new.anchor_after_what, protocol, require=new.is_complete)
            standard, minimum = doses_of(new, protocol, language)
            check_any_schedule(new.schedule)
            is_break = protocol.kind is HabitKind.BREAK
            protocol_id, break_protocol_id = (None, protocol.id) if is_break else (protocol.id, None)
            check_protocol_xor(protocol_id, break_protocol_id)
            now, today = self._now(), self._today().isoformat()
            columns: dict[str, object] = {
                "protocol_id": protocol_id,
                "break_protocol_id": break_protocol_id,
                "kind": protocol.kind.value,
                "title_ko": protocol.text("title", "ko"),
                "title_en": protocol.text("title", "en"),
                "frame_level": new.frame_level,
                "framed_text": framed_text,
                "status": HabitStatus.ACTIVE.value,
                "start": today,
                "created_on": today,
                "position": self._next_position(),
                "created_at": now,
                "updated_at": now,
                **anchors,
                **schedule_columns(new.schedule),
            }
            habit_id = self._db.run(HABIT.insert(columns_of(HABIT, columns)))
            write_doses(self._db, habit_id, standard, minimum)
            add_schedule(self._db, habit_id, self._today(), new.schedule)
            return self.get(habit_id), _changed(habit_id)

    def pause(self, habit_id: int) -> Changes:
        """Pause from today on, or from tomorrow when today has an entry. A paused habit stays as it is.

        Raises:
            RuleViolation: `not_found`; `habit_inactive` for an archived habit.
        """
        with self._db.write():
            habit = self._live(habit_id)
            if habit.status is HabitStatus.PAUSED:
                return NOTHING
            begin_pause(self._db, habit.id, self._today())
            self._update(habit.id, status=HabitStatus.PAUSED.value)
            return _changed(habit.id)

    def resume(self, habit_id: int) -> Changes:
        """End the pause with yesterday: today counts again. An active habit stays as it is.

        Raises:
            RuleViolation: `not_found`; `habit_inactive` for an archived habit; `r3_quota` without a free place.
        """
        with self._db.write():
            habit = self._live(habit_id)
            if habit.status is HabitStatus.ACTIVE:
                return NOTHING
            check_quota(habit.habit_type, self.active_counts()[habit.habit_type])
            end_pause(self._db, habit.id, self._today() - _DAY)
            self._update(habit.id, status=HabitStatus.ACTIVE.value)
            return _changed(habit.id)

    def archive(self, habit_id: int) -> Changes:
        """Archive today: the numbers stay as they are now, a pause ends. An archived habit stays as it is.

        Raises:
            RuleViolation: `not_found`.
        """
        with self._db.write():
            habit = self.get(habit_id)
            if habit.status is HabitStatus.ARCHIVED:
                return NOTHING
            today = self._today()
            end_pause(self._db, habit.id, today)
            self._update(habit.id, status=HabitStatus.ARCHIVED.value, archived_on=today.isoformat())
            return _changed(habit.id)

    def unarchive(self, habit_id: int) -> Changes:
        """Go on with an archived habit: it is active, and the days since it was archived count as a pause.

        So nothing breaks, and all numbers go on from where they stood: the day of archiving counts with its entry, and
        is a part of the pause without one. A habit that is not archived stays as it is.

        Raises:
            RuleViolation: `not_found`; `already_active` when its protocol has been begun anew; `r3_quota` without a
                free place.
        """
        with self._db.write():
            habit = self.get(habit_id)
            if habit.archived_on is None:
                return NOTHING
            if habit.catalogue_id:
                self._check_not_running(habit.catalogue_id, current_language())
            check_quota(habit.habit_type, self.active_counts()[habit.habit_type])
            yesterday = self._today() - _DAY
            pause_between(self._db, habit.id, habit.archived_on, yesterday)
            end_pause(self._db, habit.id, yesterday)  # that of a habit paused and archived today reaches to today
            self._update(habit.id, status=HabitStatus.ACTIVE.value, archived_on=None)
            return _changed(habit.id)

    def set_schedule(self, habit_id: int, schedule: Schedule) -> Changes:
        """Change when the habit is due, from today on; see `update`."""
        return self.update(habit_id, schedule=schedule)

    def update(
        self,
        habit_id: int,
        *,
        title: str | None = None,
        frame: tuple[int, str] | None = None,
        anchors: tuple[str | None, str | None] | None = None,
        doses: tuple[str, str] | None = None,
        schedule: Schedule | None = None,
        require_anchor: bool = True,
    ) -> Changes:
        """Change what is given, all of it or (at the first refusal) none of it; None leaves a part as it is.

        The standard dose may not rise in the first 42 counted days (R6).

        Args:
            title: Only of a habit that another tracker brought; the others have the catalogue's.
            frame: Level and sentence.
            anchors: When, and after what.
            doses: Standard and minimum.
            schedule: In force from today on: the days before stay judged as they were.
            require_anchor: False takes the catalogue's suggestion in place of two blank anchors.

        Raises:
            RuleViolation: `not_found`, `habit_inactive` (archived), `r1_frame_level`, `validation`, `r7_avoidance`,
                `r2_anchor`, `r9_minimum`, `r6_phase`.
        """
        with self._db.write():
            habit = self._live(habit_id)
            protocol = self._catalogue.get(habit.catalogue_id)
            columns: dict[str, object] = {} if title is None else title_columns(habit, title)
            if frame is not None:
                level, text = frame
                check_frame_level(level)
                example = protocol.frame(2, current_language()) if protocol is not None else habit.framed_text
                columns |= {"frame_level": level, "framed_text": check_frame_text(clean_text(text), example)}
            if anchors is not None:
                columns |= anchor_columns(*anchors, protocol, require=require_anchor)
            if doses is not None:
                doses = self._checked_doses(habit, *doses)
            columns = {name: value for name, value in columns.items() if getattr(habit, name) != value}
            new_doses = doses is not None and doses != (habit.standard_dose, habit.minimum_dose)
            if schedule is not None and schedule != habit.schedule:
                check_any_schedule(schedule)
                columns |= change_schedule(self._db, habit, self._today(), schedule)
            if not columns and not new_doses:
                return NOTHING
            if doses is not None and new_doses:
                write_doses(self._db, habit.id, *doses)
            self._update(habit.id, **columns)
            return _changed(habit.id)

    def reorder(self, habit_ids: Sequence[int]) -> Changes:
        """Put the named habits in this order into the places that they hold in the list; see `storage.ordering`."""
        with self._db.write():
            return Changes(habits=reorder(self._db, habit_ids, self._now()))

    def set_doses(self, habit_id: int, standard: str, minimum: str) -> Changes:
        """Change both doses; see `update`."""
        return self.update(habit_id, doses=(standard, minimum))

    def dose_raise_from(self, habit_id: int, standard: str) -> date | None:
        """Return the day from which the standard dose may be raised to `standard`; None when it may now (R6).

        Raises:
            RuleViolation: `not_found`.
        """
        with self._db.read():
            habit = self.get(habit_id)
            if not habit.standard_dose or not is_raise(habit.standard_dose, clean_text(standard)):
                return None
            return dose_free_from(self._phase_day(habit), self._today(), habit.schedule)

    def set_frame(self, habit_id: int, level: int, text: str) -> Changes:
        """Change the frame level and sentence; see `update`."""
        return self.update(habit_id, frame=(level, text))

    def set_anchors(self, habit_id: int, when: str | None, after: str | None, require: bool = True) -> Changes:
        """Change the anchors; both blank takes the catalogue's suggestion when `require` is False; see `update`."""
        return self.update(habit_id, anchors=(when, after), require_anchor=require)

    def move_start(self, habit: Habit, day: date) -> None:
        """Move the start back to `day` when that is earlier: the calendar recorded something before it.

        Inside the caller's transaction.
        """
        if day < habit.start:
            self._update(habit.id, start=day.isoformat())

    def restore_start(self, habit: Habit) -> bool:
        """Move the start forward again when the entry that moved it back is gone; return whether it moved.

        It never passes the day on which the habit was added. Inside the caller's transaction.
        """
        statement = "SELECT created_on, (SELECT MIN(date) FROM entry WHERE habit_id = habit.id) FROM habit WHERE id = ?"
        days = [day for day in self._db.sql(statement, (habit.id,))[0] if day is not None]
        start = min(days, default=habit.start.isoformat())
        if start <= habit.start.isoformat():
            return False
        self._update(habit.id, start=start)
        return True

    # Inside a transaction

    def _protocol(self, protocol_id: str) -> Protocol:
        wanted = check_single_protocol(clean_text(protocol_id, keep_lines=True))
        protocol = self._catalogue.get(wanted)
        if protocol is None:
            # Two ids joined by a word or sign that R8's own check does not know: 와, and, ·.
            named = {part for part in _ID.findall(wanted.casefold()) if self._catalogue.get(part)}
            raise RuleViolation("r8_xor") if len(named) > 1 else RuleViolation("not_found", id=shorten(wanted))
        return protocol

    def _check_not_running(self, protocol_id: str, language: str) -> None:
        for habit in self.list():
            if habit.catalogue_id == protocol_id:
                raise RuleViolation("already_active", title=habit.title(language))

    def _live(self, habit_id: int) -> Habit:
        habit = self.get(habit_id)
        if habit.status is HabitStatus.ARCHIVED:
            raise RuleViolation("habit_inactive")
        return habit

    def _checked_doses(self, habit: Habit, standard: str, minimum: str) -> tuple[str, str]:
        """Return the doses to store in place of the habit's (R9, R6)."""
        doses = check_doses(clean_text(standard), clean_text(minimum))
        if habit.standard_dose and is_raise(habit.standard_dose, doses[0]):
            check_dose_raise(self._phase_day(habit), self._today(), habit.schedule)
        return doses

    def _phase_day(self, habit: Habit) -> int:
        marks = MarksReader(self._db).read([habit.id])[habit.id]
        return tally(day_line(habit, marks, self._today(), week_start=1)).phase_day

    def _update(self, habit_id: int, **columns: object) -> None:
        values = columns_of(HABIT, {**columns, "updated_at": self._now()})
        self._db.run(HABIT.update(values).where(HABIT.c.id == habit_id))

    def _next_position(self) -> int:
        return int(self._db.sql("SELECT COALESCE(MAX(position) + 1, 0) FROM habit")[0][0])

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="seconds")


def _changed(habit_id: int) -> Changes:
    return Changes(habits=frozenset({habit_id}))
