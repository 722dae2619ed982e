"""Backups of the database: made with SQLite's backup API, checked, named by time and reason, the old ones removed.

Kept are the newest of each of seven days and of each of four weeks (`daily`, made by themselves), the newest ten that
the user made (`manual`), and the newest three of every other reason (before a migration, an import, a restore).

A WAL database that is copied as a file loses the rows that still lie in the -wal file, so nothing here copies the
live file. A finished backup is one file in rollback-journal mode that can be read from a read-only place.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.migrations import MIGRATIONS, TABLES

DAILY: Final = "daily"
MANUAL: Final = "manual"
KEEP_DAYS: Final = 7
KEEP_WEEKS: Final = 4
KEEP_MANUAL: Final = 10
KEEP_OTHERS: Final = 3  # of each reason
_STALE_SECONDS: Final = 3600
_PREFIX: Final = "lifehelper-"
_STAMP: Final = "%Y%m%dT%H%M%S.%fZ"
_NAME: Final = re.compile(r"^lifehelper-(\d{8}T\d{6}\.\d{6}Z)-([a-z0-9-]+)\.db$")


def list_backups(paths: AppPaths) -> list[Path]:
    """Return the finished backups, oldest first (the names begin with the UTC time)."""
    return backups_in(paths.backups)


def backups_in(folder: Path) -> list[Path]:
    """Return what in `folder` is named like a finished backup, oldest first; nothing where there is no folder."""
    try:
        return sorted(path for path in folder.iterdir() if _NAME.match(path.name))
    except OSError:
        return []


def backup_time(backup: Path) -> datetime:
    """Return when a backup of `list_backups` was made, aware, UTC."""
    return datetime.strptime(_parts(backup)[0], _STAMP).replace(tzinfo=UTC)


def backup_reason(backup: Path) -> str:
    """Return why a backup of `list_backups` was made: `daily`, `manual`, `migration`, `import`, `restore`, …"""
    return _parts(backup)[1]


def backup_id(backup: Path) -> str:
    """Return what names a backup of `list_backups` to people: its time and reason."""
    return "-".join(_parts(backup))


def finished_uri(path: Path) -> str:
    """Return how SQLite opens a file that nobody writes to: for reading, and making nothing beside it."""
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


def is_readable(path: Path) -> bool:
    """Return whether `path` is a sound database of ours, every page of it. Writes nothing beside it."""
    try:
        if not path.is_file() or path.stat().st_size == 0:
            return False
        with closing(sqlite3.connect(finished_uri(path), uri=True)) as db:
            db.execute("PRAGMA ignore_check_constraints = ON")  # they held when each row was written, and take long
            checked = db.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
            return checked and tables >= TABLES
    except (sqlite3.Error, OSError):
        return False


def newest_readable_backup(paths: AppPaths) -> Path | None:
    """Return the newest backup that can take the place of the database, or None.

    It passes `is_readable`, and no newer version of the program wrote it.
    """
    return next((path for path in reversed(list_backups(paths)) if is_readable(path) and not _is_newer(path)), None)


def _is_newer(path: Path) -> bool:
    with closing(sqlite3.connect(finished_uri(path), uri=True)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0]) > len(MIGRATIONS)


def remove_backup(backup: Path) -> None:
    """Remove a backup that the user made; the others go by the rotation, which knows what they are kept for.

    Raises:
        ValueError: It is not one of those.
        OSError: The disk did not take it.
    """
    if backup_reason(backup) != MANUAL:
        raise ValueError(f"not made by the user: {backup.name}")
    backup.unlink(missing_ok=True)


def is_backup_due(paths: AppPaths, now: datetime | None = None) -> bool:
    """Return whether the civil day of `now` has no daily backup yet."""
    today = (now or datetime.now(UTC)).astimezone().date()
    # Any of today: one that a clock set wrong has dated into the future must not count as the newest for years.
    return not any(backup_reason(each) == DAILY and _day(each) == today for each in list_backups(paths))


def spare_backups(existing: list[Path]) -> list[Path]:
    """Return those of `existing` (oldest first) that the rotation removes."""
    by_reason: dict[str, list[Path]] = {}
    for each in existing:
        by_reason.setdefault(backup_reason(each), []).append(each)
    kept: set[Path] = set()
    for reason, group in by_reason.items():
        if reason == DAILY:
            # A later one of the same day or week takes the place of the earlier.
            days = {_day(each): each for each in group}
            weeks = {_day(each).isocalendar()[:2]: each for each in group}
            kept |= {*list(days.values())[-KEEP_DAYS:], *list(weeks.values())[-KEEP_WEEKS:]}
        else:
            kept |= set(group[-(KEEP_MANUAL if reason == MANUAL else KEEP_OTHERS) :])
    return [each for each in existing if each not in kept]


def remove_spare(existing: list[Path], newest: Path) -> None:
    """Remove what the rotation does not keep of `existing` (oldest first); `newest` was made just now and stays."""
    for old in spare_backups(existing):
        if old != newest:  # which a clock set back may have dated before all others
            with contextlib.suppress(OSError):
                old.unlink(missing_ok=True)


def write_backup(source: sqlite3.Connection, paths: AppPaths, reason: str) -> Path:
    """Copy the database behind `source` (no transaction open) into a new backup and return its path.

    `reason` becomes part of the name: `daily`, `migration`. The file appears under its name only when it is
    complete, checked and on the disk; then the rotation removes old ones.

    Raises:
        sqlite3.Error, OSError: The disk did not take it; no file is left behind.
    """
    paths.backups.mkdir(parents=True, exist_ok=True)
    clear_stale(paths.backups, "*.partial*")
    label = re.sub(r"[^a-z0-9]+", "-", reason.casefold()).strip("-") or MANUAL
    final = paths.backups / f"{_PREFIX}{datetime.now(UTC).strftime(_STAMP)}-{label}.db"
    partial = final.with_suffix(f".{os.getpid()}.partial")
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        if not is_readable(partial):
            raise _unsound(source)
        flush(partial)
        partial.replace(final)
    finally:
        for leftover in (partial, Path(f"{partial}-journal"), Path(f"{partial}-wal"), Path(f"{partial}-shm")):
            leftover.unlink(missing_ok=True)
    remove_spare(list_backups(paths), final)
    return final


def _unsound(source: sqlite3.Connection) -> Exception:
    """Return why a copy does not pass its check: what was copied does not either, or else the disk."""
    source.execute("PRAGMA ignore_check_constraints = ON")
    try:
        is_sound = source.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",)
    finally:
        source.execute("PRAGMA ignore_check_constraints = OFF")
    if is_sound:
        return OSError(errno.EIO, "the backup does not pass its check")
    error = sqlite3.DatabaseError("the database does not pass its check")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def copy_aside(source: sqlite3.Connection, paths: AppPaths) -> Path:
    """Copy a damaged database as it is, under the name that `put_in_place` gives a broken file; return the copy.

    Raises:
        sqlite3.Error, OSError: The disk did not take it.
    """
    aside = _aside(paths)
    with closing(sqlite3.connect(aside, isolation_level=None)) as target:
        source.backup(target)
    flush(aside)
    return aside


def _aside(paths: AppPaths) -> Path:
    return paths.database.with_name(f"{paths.database.name}.broken-{datetime.now(UTC).strftime(_STAMP)}")


def clear_stale(folder: Path, pattern: str) -> None:
    """Remove what a program that was killed has left half-made: files and folders of `pattern`, an hour old."""
    for path in folder.glob(pattern):
        with contextlib.suppress(OSError):
            if time.time() - path.stat().st_mtime < _STALE_SECONDS:
                continue  # perhaps another program is at it
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()


def put_in_place(paths: AppPaths, backup: Path) -> Path:
    """Put a copy of `backup` where the database lies and return where the broken file went.

    At every moment a file lies under the database's name, so a crash in between never starts empty: the broken
    file gets a second name, its -wal and -shm move (they must not be read with another file), then the copy
    replaces it in one step. Nothing may have the database open.

    Raises:
        OSError: The disk did not take it.
    """
    live = paths.database
    aside = _aside(paths)
    fresh = live.with_name(aside.name.replace(".broken-", ".restored-"))
    try:
        shutil.copyfile(backup, fresh)
        flush(fresh)
        if live.exists():
            try:
                os.link(live, aside)
            except OSError:  # a file system without hard links
                shutil.copy2(live, aside)
        for suffix in ("-wal", "-shm"):
            beside = Path(f"{live}{suffix}")
            if beside.exists():
                beside.replace(f"{aside}{suffix}")
        fresh.replace(live)
    finally:
        fresh.unlink(missing_ok=True)
    return aside


def _parts(backup: Path) -> tuple[str, str]:
    match = _NAME.match(backup.name)
    if match is None:
        raise ValueError(f"not the name of a backup: {backup.name}")
    return match.group(1), match.group(2)


def _day(backup: Path) -> date:
    return backup_time(backup).astimezone().date()


def flush(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
