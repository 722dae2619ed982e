"""Backups of the database: made with SQLite's backup API, checked, named by time, the newest ten kept.

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
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.migrations import TABLES

KEEP_BACKUPS: Final = 10
DAILY: Final = timedelta(days=1)
_PREFIX: Final = "lifehelper-"
_STAMP: Final = "%Y%m%dT%H%M%S.%fZ"
_NAME: Final = re.compile(r"^lifehelper-(\d{8}T\d{6}\.\d{6}Z)-[a-z0-9-]+\.db$")


def list_backups(paths: AppPaths) -> list[Path]:
    """Return the finished backups, oldest first (the names begin with the UTC time)."""
    try:
        return sorted(path for path in paths.backups.iterdir() if _NAME.match(path.name))
    except OSError:
        return []


def backup_time(backup: Path) -> datetime:
    """Return when a backup of `list_backups` was made, aware, UTC."""
    match = _NAME.match(backup.name)
    if match is None:
        raise ValueError(f"not the name of a backup: {backup.name}")
    return datetime.strptime(match.group(1), _STAMP).replace(tzinfo=UTC)


def is_readable(path: Path) -> bool:
    """Return whether `path` is a sound database of ours. Opens it without writing anything beside it."""
    if not path.is_file() or path.stat().st_size == 0:
        return False
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            checked = db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
            tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
            return checked and tables >= TABLES
    except sqlite3.Error:
        return False


def newest_readable_backup(paths: AppPaths) -> Path | None:
    """Return the newest backup that passes `is_readable`, or None."""
    return next((path for path in reversed(list_backups(paths)) if is_readable(path)), None)


def is_backup_due(paths: AppPaths, now: datetime | None = None) -> bool:
    """Return whether the newest backup is a day old, or there is none."""
    existing = list_backups(paths)
    return not existing or (now or datetime.now(UTC)) - backup_time(existing[-1]) >= DAILY


def write_backup(source: sqlite3.Connection, paths: AppPaths, reason: str) -> Path:
    """Copy the database behind `source` (no transaction open) into a new backup and return its path.

    `reason` becomes part of the name: `daily`, `migration`. The file appears under its name only when it is
    complete, checked and on the disk; then the oldest ones beyond ten are removed.

    Raises:
        sqlite3.Error, OSError: The disk did not take it; no file is left behind.
    """
    paths.backups.mkdir(parents=True, exist_ok=True)
    label = re.sub(r"[^a-z0-9]+", "-", reason.casefold()).strip("-") or "manual"
    final = paths.backups / f"{_PREFIX}{datetime.now(UTC).strftime(_STAMP)}-{label}.db"
    partial = final.with_suffix(f".{os.getpid()}.partial")
    try:
        with closing(sqlite3.connect(partial, isolation_level=None)) as target:
            source.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        if not is_readable(partial):
            raise OSError(errno.EIO, "the backup does not pass its check")
        _flush(partial)
        partial.replace(final)
    finally:
        for leftover in (partial, Path(f"{partial}-journal"), Path(f"{partial}-wal"), Path(f"{partial}-shm")):
            leftover.unlink(missing_ok=True)
    for old in list_backups(paths)[:-KEEP_BACKUPS]:
        with contextlib.suppress(OSError):
            old.unlink(missing_ok=True)
    return final


def put_in_place(paths: AppPaths, backup: Path) -> Path:
    """Put a copy of `backup` where the database lies and return where the broken file went.

    At every moment a file lies under the database's name, so a crash in between never starts empty: the broken
    file gets a second name, its -wal and -shm move (they must not be read with another file), then the copy
    replaces it in one step. Nothing may have the database open.

    Raises:
        OSError: The disk did not take it.
    """
    live = paths.database
    stamp = datetime.now(UTC).strftime(_STAMP)
    aside = live.with_name(f"{live.name}.broken-{stamp}")
    fresh = live.with_name(f"{live.name}.restored-{stamp}")
    try:
        shutil.copyfile(backup, fresh)
        _flush(fresh)
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


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
