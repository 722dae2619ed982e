"""Import, export and taking back: what the window and the command line call.

The way of an import: `preview` reads the file and says what would happen (that is the dry run), the user looks and
perhaps chooses which habits stay active, `run` backs the database up and writes all of it or nothing. `undo_import`
takes one back; the undo of the window does so too, since an import is one change of the journal.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import peewee

from lifehelper_desktop.base.clock import Clock
from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.base.settings import SETTINGS
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage.database import Database
from lifehelper_desktop.storage.habits import HabitRepository
from lifehelper_desktop.storage.journal import Source, acting
from lifehelper_desktop.storage.settings import SettingsRepository
from lifehelper_desktop.storage.transfer import exporting, taking_back
from lifehelper_desktop.storage.transfer.errors import TransferError
from lifehelper_desktop.storage.transfer.model import FileFormat, ImportedData
from lifehelper_desktop.storage.transfer.plan import ImportPlan, choose_active, make_plan
from lifehelper_desktop.storage.transfer.profile import child_tables, habit_columns
from lifehelper_desktop.storage.transfer.reading import ReadOptions, parse_format, parse_zone, read_file
from lifehelper_desktop.storage.transfer.report import Report, Severity
from lifehelper_desktop.storage.transfer.taking_back import ImportRun, ImportTakenBack
from lifehelper_desktop.storage.transfer.watch import Progress, Stage, Watch
from lifehelper_desktop.storage.transfer.writing import ImportWriter


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What a file holds and what importing it would do. Nothing has been written.

    Attributes:
        data: What was read; kept in memory, so the file may be gone when the import runs.
        plan: What would happen to the profile as it was when the preview was made.
        report: Remarks about single rows. With `bad` ones, `run` refuses unless it may leave them out.
        settings: Settings of the file that would be taken over (LifeHelper's own file, empty profile).
    """

    data: ImportedData
    plan: ImportPlan
    report: Report
    settings: Mapping[str, Any]

    @property
    def first_day(self) -> date | None:
        """The oldest day of the file."""
        return min((habit.entries[0].day for habit in self.data.habits if habit.entries), default=None)

    @property
    def last_day(self) -> date | None:
        """The newest day of the file."""
        return max((habit.entries[-1].day for habit in self.data.habits if habit.entries), default=None)

    @property
    def entries(self) -> int:
        """How many days the file holds."""
        return sum(len(habit.entries) for habit in self.data.habits)

    @property
    def bad_rows(self) -> int:
        """How many rows cannot be read."""
        return self.report.counts[Severity.BAD]


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import has done; the numbers are counted in the database after the commit.

    Attributes:
        import_id: What `undo_import` takes; None when there was nothing to do and nothing was written.
        habits, entries: How many came in, or were brought up to date.
        plan: What was decided for each habit.
        backup: The backup made before, or None when nothing was written.
        reminders: How many came in, with the new habits.
    """

    import_id: int | None
    changes: Changes
    habits: int
    entries: int
    plan: ImportPlan
    backup: Path | None
    reminders: int = 0


class Transfers:
    """Moves habits in and out. Any thread; long work belongs into a worker and can be stopped through an event.

    Trouble with the disk is a `WorldError`, a file or import that is refused a `TransferError` (also a `WorldError`),
    a rule a `RuleViolation`. None of them leaves anything behind.
    """

    def __init__(
        self,
        db: Database,
        habits: HabitRepository,
        settings: SettingsRepository,
        clock: Clock,
        today: Callable[[], date],
    ) -> None:
        """Work on `db`; `today` gives the logical day, `clock` the wall clock and its zone."""
        self._db = db
        self._habits = habits
        self._settings = settings
        self._clock = clock
        self._today = today

    # Import

    def preview(
        self,
        path: Path,
        *,
        file_format: str | None = None,
        zone: str | None = None,
        keep: Collection[int] | None = None,
        with_settings: bool | None = None,
        progress: Progress | None = None,
        stop: threading.Event | None = None,
    ) -> ImportPreview:
        """Read a file (or an unpacked folder) and say what importing it would do.

        Args:
            path: The file; only read, never changed.
            file_format: Name of a `FileFormat`; None finds out by the content.
            zone: IANA name of the zone in which instants become days, for formats that hold instants. None takes the
                file's own word, or this computer's zone, which the report then says.
            keep: Numbers of the habits of the preview that are to stay active; None takes as many as there are places
                for, in the order of the file. The others of those that are active there come in archived.
            with_settings: Whether LifeHelper's own file brings its settings; None only into a profile without habits.
            progress: Called with stage, done and total on the calling thread.
            stop: Set it from any thread to end the work with `stopped`.

        Raises:
            TransferError: `unreadable`, `unknown_format`, `too_new`, `too_old`, `too_large`, `bad_choice`, `stopped`.
            RuleViolation: `r3_quota`: more habits are chosen than there are places; `already_active`.
        """
        watch = Watch(progress, stop)
        now_zone = self._clock.now().tzinfo
        with self._db.read():
            known = {"habit": frozenset(habit_columns(self._db))}
            known |= {table: frozenset(names) for table, names in child_tables(self._db).items()}
        options = ReadOptions(
            today=self._today(),
            format=parse_format(file_format) if file_format else None,
            zone=parse_zone(zone) if zone else None,
            # The system's clock only knows the offset of now: the system itself knows those of other days.
            local_zone=now_zone if isinstance(now_zone, ZoneInfo) else None,
            known_columns=known,
        )
        data, report = read_file(path, options, watch)
        with self._db.read():
            empty = not self._db.sql("SELECT 1 FROM habit LIMIT 1")
            settings = data.settings if (empty if with_settings is None else with_settings) else {}
            plan = make_plan(self._db, data, keep, self._new_settings(settings), watch)
        return ImportPreview(data, plan, report, settings)

    def choose(self, preview: ImportPreview, keep: Collection[int] | None) -> ImportPreview:
        """Return the preview with another choice of the habits that stay active; the file is not read again.

        Raises:
            TransferError: `bad_choice`.
            RuleViolation: `r3_quota`, `already_active`.
        """
        with self._db.read():
            plan = choose_active(self._db, preview.plan, keep)
            return replace(preview, plan=replace(plan, settings=self._new_settings(preview.settings)))

    def with_settings(self, preview: ImportPreview, wanted: bool) -> ImportPreview:
        """Return the preview with or without the settings that LifeHelper's own file brings; the choice stays."""
        settings = preview.data.settings if wanted else {}
        with self._db.read():
            plan = replace(preview.plan, settings=self._new_settings(settings))
        return replace(preview, settings=settings, plan=plan)

    def run(
        self,
        preview: ImportPreview,
        *,
        keep: Collection[int] | None = None,
        skip_bad: bool = False,
        progress: Progress | None = None,
        stop: threading.Event | None = None,
    ) -> ImportResult:
        """Import what a preview shows: a backup first, then everything in one transaction.

        The plan is made anew inside the transaction, so a change made meanwhile is seen. Doing it twice changes
        nothing the second time. Days that were changed here by hand stay as they are.

        Args:
            keep: As for `preview`.
            skip_bad: Leave rows out that cannot be read, instead of refusing the file.

        Raises:
            TransferError: `bad_rows`, `bad_choice`, `stopped`, `unreadable` when the database refuses a value.
            RuleViolation: `r3_quota`.
            WorldError: The backup or the database could not be written.
        """
        self._check_rows(preview, skip_bad=skip_bad)
        watch = Watch(progress, stop)
        with self._db.read():
            first = make_plan(self._db, preview.data, keep, self._new_settings(preview.settings), watch)
        if first.is_empty:
            return ImportResult(None, Changes(), 0, 0, first, None)
        watch.begin(Stage.BACKUP)
        backup = self._db.backup("import")
        try:
            with acting(Source.IMPORT, action="import", name=preview.data.file_name), self._db.write():
                import_id, plan, changes = self._write(preview, keep, watch)
        except peewee.IntegrityError as error:
            raise TransferError(
                "unreadable",
                _("파일에 서로 맞지 않는 값이 있어서 아무것도 가져오지 않았어요: {name}").format(
                    name=preview.data.file_name
                ),
                _("앱에서 다시 내보낸 파일로 해 주세요."),
            ) from error
        with self._db.read():
            [run] = [each for each in taking_back.list_runs(self._db) if each.id == import_id]
            of_import = "SELECT COUNT(*) FROM reminder WHERE habit_id IN (SELECT id FROM habit WHERE import_id = ?)"
            reminders = int(self._db.sql(of_import, (import_id,))[0][0])
        return ImportResult(import_id, changes, run.habits, run.entries, plan, backup, reminders)

    def _write(
        self, preview: ImportPreview, keep: Collection[int] | None, watch: Watch
    ) -> tuple[int, ImportPlan, Changes]:
        plan = make_plan(self._db, preview.data, keep, self._new_settings(preview.settings), watch)
        watch.begin(Stage.WRITING, plan.new_entries + plan.changed_entries)
        before: dict[str, dict[str, str | None]] = {}
        changes = Changes()
        for key, value in plan.settings.items():
            was = self._stored(key)
            changes |= self._settings.set(SETTINGS[key], value)
            before[key] = {"before": was, "after": self._stored(key)}
        now = self._clock.now().isoformat(timespec="seconds")
        writer = ImportWriter(self._db, preview.data, now=now, today=self._today(), watch=watch)
        import_id, touched = writer.write(plan, before)
        watch.end()  # the last moment at which stopping still undoes everything
        return import_id, plan, changes | Changes(touched)

    def _check_rows(self, preview: ImportPreview, *, skip_bad: bool) -> None:
        if not preview.bad_rows or skip_bad:
            return
        first = next(row for row in preview.report.rows if row.severity is Severity.BAD)
        raise TransferError(
            "bad_rows",
            _("읽지 못한 줄이 {n}개 있어서 아무것도 가져오지 않았어요. 처음 것: {where} — {reason}").format(
                n=preview.bad_rows, where=first.where, reason=first.words
            ),
            _("그 줄을 고치거나, 읽지 못한 줄을 빼고 가져오기를 골라 주세요."),
        )

    def _new_settings(self, given: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in given.items() if self._settings.get(SETTINGS[key]) != value}

    def _stored(self, key: str) -> str | None:
        rows = self._db.sql("SELECT value FROM setting WHERE key = ?", (key,))
        return rows[0][0] if rows else None

    # Taking back

    def history(self) -> list[ImportRun]:
        """Return the imports of the past, the newest first."""
        with self._db.read():
            return taking_back.list_runs(self._db)

    def undo_import(
        self, import_id: int, *, progress: Progress | None = None, stop: threading.Event | None = None
    ) -> ImportTakenBack:
        """Take an import back, however long ago it was, as one change that can itself be undone.

        Its days go unless they were changed by hand since, days that it brought up to date are as before, its habits
        go unless days were recorded in them by hand.

        Raises:
            TransferError: `not_found`: no such import, or it was taken back already; `stopped`.
            WorldError: The database could not be written.
        """
        watch = Watch(progress, stop)
        name = next((run.file_name for run in self.history() if run.id == import_id), "")
        now = self._clock.now().isoformat(timespec="seconds")
        with acting(Source.IMPORT, action="import_undo", name=name), self._db.write():
            return taking_back.undo_import(self._db, self._habits, import_id, now, watch)

    # Export

    def export_json(self, path: Path, *, progress: Progress | None = None, stop: threading.Event | None = None) -> int:
        """Write the whole profile as JSON that imports into an identical one; return how many days it holds.

        Habits with all they have recorded, pauses, notes, the trash, and the settings that are the user's. Not the
        conversations (they have an export of their own), models, or what speaks of this computer.

        Raises:
            WorldError: The file cannot be written; what was there before is still there.
            TransferError: `stopped`.
        """
        now = self._clock.now().isoformat(timespec="seconds")
        with self._db.snapshot():
            return exporting.export_json(self._db, path, now, Watch(progress, stop))

    def export_csv(
        self,
        path: Path,
        *,
        bom: bool = True,
        progress: Progress | None = None,
        stop: threading.Event | None = None,
    ) -> int:
        """Write one line for each day of each habit for spreadsheets, in the language in force; return how many.

        Args:
            bom: Begin with the mark by which Excel knows UTF-8.

        Raises:
            WorldError: The file cannot be written; what was there before is still there.
            TransferError: `stopped`.
        """
        with self._db.snapshot():
            return exporting.export_csv(self._db, path, current_language(), Watch(progress, stop), bom=bom)


__all__ = ["FileFormat", "ImportPreview", "ImportResult", "Transfers"]
