"""Looking into backups and going back to one: what it holds, what would change, and the change itself in one step.

While the database can be opened, going back is one transaction in it: the window may stay open, other programs see
the old or the new state, and the state before lies in a backup of its own. A database that cannot be opened is set
aside and the backup takes its place (`opening.restore_backup`).
"""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.base.settings import SETTINGS
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.database import Database, DatabaseCorrupt, world_errors
from lifehelper_desktop.storage.opening import SCRATCH, check, migrate
from lifehelper_desktop.storage.tables import to_day

NEWEST: Final = "newest"
BEFORE_RESTORE: Final = "restore"
_REASONS: Final = {
    backups.DAILY: N_("하루 한 번"),
    backups.MANUAL: N_("직접 만듦"),
    "migration": N_("새 버전으로 바꾸기 전"),
    "import": N_("가져오기 전"),
    BEFORE_RESTORE: N_("되살리기 전"),
}
_ALIVE: Final = "SELECT id FROM {schema}.habit WHERE {seen}"


class BackupUnreadable(WorldError):  # noqa: N818
    """The file is damaged or is no backup of ours; nothing was changed."""

    def __init__(self, path: Path) -> None:
        """Name the file and say what to do."""
        super().__init__(_("이 백업은 읽을 수 없어요: {path}").format(path=path), _("다른 백업을 골라 주세요."))


@dataclass(frozen=True, slots=True)
class BackupInfo:
    """One backup of the list.

    Attributes:
        id: What names it on the command line.
        made_at: Aware, in the machine's zone.
        reason: `daily`, `manual`, `migration`, `import`, `restore`, …; empty for a file from elsewhere.
    """

    id: str
    path: Path
    made_at: datetime
    reason: str
    size_bytes: int

    @property
    def reason_words(self) -> str:
        """Why it was made, in the language in force; a reason of a newer version is told as it is."""
        return _(_REASONS[self.reason]) if self.reason in _REASONS else self.reason


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds outside its trash. The days are those of the first and last entry."""

    habits: int
    entries: int
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True, slots=True)
class RestorePreview:
    """What going back would mean.

    Attributes:
        contents: What the backup holds.
        now: What is here now, or None when it cannot be read; then the numbers below are 0.
        entries_back: Entries that the backup has and that are not here now.
        entries_gone: Entries that are here now and that the backup does not have.
        entries_changed: Entries that both have and that differ.
    """

    backup: BackupInfo
    contents: Contents
    now: Contents | None
    entries_back: int = 0
    entries_gone: int = 0
    entries_changed: int = 0


def backup_infos(paths: AppPaths) -> list[BackupInfo]:
    """Return the backups, the newest first."""
    found = []
    for path in reversed(backups.list_backups(paths)):
        with contextlib.suppress(OSError):  # the rotation of another program may have removed it
            found.append(_info(path))
    return found


def find_backup(paths: AppPaths, wanted: str) -> BackupInfo:
    """Return the backup that `wanted` names: an id, the unmistakable beginning of one, `newest`, or a file's path.

    Raises:
        WorldError: There is none, or several begin so.
    """
    infos = backup_infos(paths)
    hits = _newest(paths, infos) if wanted == NEWEST else [info for info in infos if info.id.startswith(wanted)]
    exact = [info for info in infos if info.id == wanted]
    if exact or (wanted and len(hits) == 1):
        return (exact or hits)[0]
    file = Path(wanted).expanduser()
    if not hits and wanted and file.is_file():
        stat = file.stat()
        made_at = datetime.fromtimestamp(stat.st_mtime).astimezone()
        return BackupInfo(str(file), file.absolute(), made_at, "", stat.st_size)
    raise WorldError(
        _("‘{id}’ 백업을 하나로 고르지 못했어요.").format(id=wanted), _("‘lifehelper backup list’에서 골라 주세요.")
    )


def _newest(paths: AppPaths, infos: list[BackupInfo]) -> list[BackupInfo]:
    """Return the newest backup that can be read, or, with none, the newest: what is wrong with it is told then."""
    readable = backups.newest_readable_backup(paths)
    return [info for info in infos if info.path == readable] or infos[:1]


def look_into(backup: Path) -> Contents | None:
    """Check every page of a backup and return what it holds, or None when it is damaged. Takes a second at most."""
    if not backups.is_readable(backup):
        return None
    try:
        with closing(sqlite3.connect(":memory:", isolation_level=None, uri=True)) as db:
            db.execute("ATTACH ? AS old", (backups.finished_uri(backup),))
            return _contents(db, "old")
    except sqlite3.Error:
        return None


def remove_manual(backup: BackupInfo) -> None:
    """Remove a backup that the user made by hand.

    Raises:
        ValueError: It is not one of those: the rotation removes the others.
        WorldError: The disk did not take it.
    """
    try:
        backups.remove_backup(backup.path)
    except OSError as error:
        step = _("폴더의 쓰기 권한을 확인해 주세요: {path}").format(path=backup.path.parent)
        raise WorldError(_("백업 파일을 지우지 못했어요."), step) from error


def preview_restore(paths: AppPaths, backup: BackupInfo) -> RestorePreview:
    """Look into a backup and compare it with what is here now. Writes nothing; takes a second for many years.

    Raises:
        BackupUnreadable: The backup is damaged.
    """
    if not backups.is_readable(backup.path):
        raise BackupUnreadable(backup.path)
    with closing(sqlite3.connect(":memory:", isolation_level=None, uri=True)) as db:
        db.execute("ATTACH ? AS old", (backups.finished_uri(backup.path),))
        preview = RestorePreview(backup, _contents(db, "old"), None)
        try:
            db.execute("ATTACH ? AS new", (f"{paths.database.absolute().as_uri()}?mode=ro",))
            return _compared(db, preview)
        except sqlite3.Error:
            return preview  # damaged, or not there at all


def _compared(db: sqlite3.Connection, preview: RestorePreview) -> RestorePreview:
    """Return the preview with what is in `new`, compared with what is in `old`."""
    shared = "ON o.habit_id = n.habit_id AND o.date = n.date"
    differs = "(o.value, o.is_minimum, o.note) IS NOT (n.value, n.is_minimum, n.note)"
    old, new = _entries(db, "old"), _entries(db, "new")
    return replace(
        preview,
        now=_contents(db, "new"),
        entries_back=_number(db, f"SELECT COUNT(*) FROM {old} AS o LEFT JOIN {new} AS n {shared} WHERE n.id IS NULL"),
        entries_gone=_number(db, f"SELECT COUNT(*) FROM {new} AS n LEFT JOIN {old} AS o {shared} WHERE o.id IS NULL"),
        entries_changed=_number(db, f"SELECT COUNT(*) FROM {old} AS o JOIN {new} AS n {shared} WHERE {differs}"),
    )


def restore(db: Database, backup: BackupInfo) -> tuple[Path, Changes]:
    """Put what the backup holds in the place of what is here, in one transaction; undo history included.

    Returns the backup of the state before (a damaged one is copied beside the database as it is), and the rows that
    screens must read anew. Not inside `write()`.

    Raises:
        BackupUnreadable: The backup is damaged.
        DatabaseTooNew: A newer version wrote it.
        WorldError: The disk did not take it; nothing has changed.
    """
    with world_errors(db.paths):
        if not backups.is_readable(backup.path):
            raise BackupUnreadable(backup.path)
        before = _habit_ids(db)
        with _brought_up_to_date(db.paths, backup.path) as ready:
            safe = _kept(db)
            db.replace_contents(ready)
        return safe, Changes(frozenset(before | _habit_ids(db)), settings=frozenset(SETTINGS))


def _kept(db: Database) -> Path:
    """Keep what is here now and return where. Damage that shows only now must not stand in the way of going back."""
    try:
        return db.backup(BEFORE_RESTORE)
    except DatabaseCorrupt:
        return db.copy_aside()


@contextmanager
def _brought_up_to_date(paths: AppPaths, backup: Path) -> Iterator[Path]:
    """Give the path of a copy of `backup` with today's schema; it goes away at the end of the block."""
    backups.clear_stale(paths.data, f"{SCRATCH}*")
    with tempfile.TemporaryDirectory(prefix=SCRATCH, dir=paths.data, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        copy = AppPaths(folder, folder, folder)
        shutil.copyfile(backup, copy.database)
        db = Database(copy)
        try:
            with db.read():
                check(db)
                migrate(db, keep_old=False)
        except DatabaseCorrupt as error:
            raise BackupUnreadable(backup) from error  # not the present, which would be put aside then
        finally:
            db.close()  # which also empties the -wal into the file
        yield copy.database


def _info(path: Path) -> BackupInfo:
    made_at = backups.backup_time(path).astimezone()
    return BackupInfo(backups.backup_id(path), path, made_at, backups.backup_reason(path), path.stat().st_size)


def _contents(db: sqlite3.Connection, schema: str) -> Contents:
    habits = _number(db, f"SELECT COUNT(*) FROM ({_alive(db, schema)})")
    span = f"SELECT COUNT(*), MIN(date), MAX(date) FROM {_entries(db, schema)}"
    entries, first, last = db.execute(span).fetchone()
    return Contents(habits, int(entries), to_day(first), to_day(last))


def _alive(db: sqlite3.Connection, schema: str) -> str:
    """Return the statement for the ids of the habits outside the trash, which old versions did not have."""
    columns = {row[1] for row in db.execute(f"PRAGMA {schema}.table_info(habit)")}
    return _ALIVE.format(schema=schema, seen="deleted_on IS NULL" if "deleted_on" in columns else "1")


def _entries(db: sqlite3.Connection, schema: str) -> str:
    return f"(SELECT * FROM {schema}.entry WHERE habit_id IN ({_alive(db, schema)}))"


def _number(db: sqlite3.Connection, statement: str) -> int:
    return int(db.execute(statement).fetchone()[0])


def _habit_ids(db: Database) -> set[int]:
    with db.read():
        return {habit_id for (habit_id,) in db.sql("SELECT id FROM habit")}
