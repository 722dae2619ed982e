"""Errors of the disk and the database file, told in words, and the one place where SQLite's codes become them."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import peewee

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.backups import newest_readable_backup

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_READ_ONLY: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NEARLY_FULL_BYTES: Final = 1 << 20


class StorageFull(WorldError):  # noqa: N818
    """The disk takes no more; nothing of the write was kept."""

    def __init__(self) -> None:
        """Say what happened and what to do."""
        super().__init__(
            _("저장 공간이 가득 차서 기록을 남기지 못했어요."),
            _("디스크 공간을 비운 뒤 다시 해 주세요. 이미 있던 기록은 그대로예요."),
        )


class DatabaseReadOnly(WorldError):  # noqa: N818
    """The database file or its folder may only be read."""

    def __init__(self, folder: Path | None = None) -> None:
        """Say what happened; `folder` is where the permission is missing."""
        super().__init__(
            _("기록 파일이 읽기 전용이라 쓸 수 없어요."),
            _("폴더의 쓰기 권한을 확인해 주세요: {path}").format(path=folder or ""),
        )


class DatabaseBusy(WorldError):  # noqa: N818
    """Another window or command held the file longer than we wait."""

    def __init__(self) -> None:
        """Say what happened and what to do."""
        super().__init__(_("다른 창이나 명령이 기록 파일을 쓰고 있어요."), _("잠시 뒤 다시 해 주세요."))


class StorageFailed(WorldError):  # noqa: N818
    """The disk gave an error, or the file cannot be opened."""

    def __init__(self, folder: Path | None = None) -> None:
        """Say what happened; `folder` is where the file lies."""
        super().__init__(
            _("기록 파일을 열거나 쓰지 못했어요."),
            _("디스크 연결과 폴더 권한을 확인해 주세요: {path}").format(path=folder or ""),
        )


class DatabaseClosed(WorldError):  # noqa: N818
    """The store was closed while another thread still wanted to work with it."""

    def __init__(self) -> None:
        """Say what happened."""
        super().__init__(_("프로그램을 닫는 중이라 기록을 남기지 못했어요."))


class DatabaseTooNew(WorldError):  # noqa: N818
    """A newer version of the program wrote the file; it is left as it is."""

    def __init__(self) -> None:
        """Say what happened and what to do."""
        super().__init__(
            _("이 기록 파일은 더 새로운 버전의 프로그램에서 만들었어요."),
            _("프로그램을 새 버전으로 바꾼 뒤 열어 주세요. 기록은 그대로 있어요."),
        )


class DatabaseCorrupt(WorldError):  # noqa: N818
    """The file is damaged or is no database of ours; it is left as it is and nothing starts empty.

    Attributes:
        newest_backup: The newest backup that can be read, or None.
    """

    def __init__(self, paths: AppPaths | None = None) -> None:
        """Look for the newest readable backup of `paths` and name it."""
        self.newest_backup = newest_readable_backup(paths) if paths is not None else None
        super().__init__(*self._words(paths))

    def _words(self, paths: AppPaths | None) -> tuple[str, str]:
        if self.newest_backup is not None:
            step = _("가장 새로운 백업에서 되살릴 수 있어요: {path}").format(path=self.newest_backup)
        else:
            step = _("읽을 수 있는 백업이 아직 없어요. 파일을 다른 곳에 보관한 뒤 새로 시작해 주세요: {path}").format(
                path=paths.database if paths is not None else ""
            )
        return _("기록 파일이 손상되어 열 수 없어요."), step


class DatabaseMissing(DatabaseCorrupt):
    """There are backups and no database: it was moved or deleted. Only the user may let the program start empty."""

    def _words(self, paths: AppPaths | None) -> tuple[str, str]:
        message = _("기록 파일이 제자리에 없어요: {path}").format(path=paths.database if paths is not None else "")
        if self.newest_backup is None:
            return message, _("남아 있는 백업도 읽을 수 없어요. 파일을 옮겼다면 제자리에 돌려놓아 주세요.")
        return message, super()._words(paths)[1]


@contextmanager
def world_errors(paths: AppPaths | None = None) -> Iterator[None]:
    """Turn disk and database trouble inside the block into a `WorldError`; our own mistakes pass unchanged.

    `paths` lets the messages name the folder and the newest backup.
    """
    try:
        yield
    except (peewee.PeeweeException, sqlite3.Error) as error:
        told = _from_sqlite(error, paths)
        if told is None:
            raise
        raise told from error
    except OSError as error:
        told = _from_os(error, paths)
        if told is None:
            raise
        raise told from error


def sqlite_code(error: BaseException) -> int | None:
    """Return SQLite's primary result code of `error`, or None; peewee keeps the driver's exception as `orig`."""
    while isinstance(error, peewee.PeeweeException):
        original = getattr(error, "orig", None)
        if not isinstance(original, BaseException):
            return None
        error = original
    code = getattr(error, "sqlite_errorcode", None)
    return code & 0xFF if isinstance(code, int) else None


def _from_sqlite(error: Exception, paths: AppPaths | None) -> WorldError | None:
    folder = paths.data if paths is not None else None
    match sqlite_code(error):
        case sqlite3.SQLITE_FULL:
            return StorageFull()
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            return DatabaseReadOnly(folder)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            return DatabaseBusy()
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
            return DatabaseCorrupt(paths)
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_NOLFS:
            # The shared-memory file cannot say "full": a failed mmap extension is a plain I/O error.
            return StorageFull() if _nearly_full(folder) else StorageFailed(folder)
        case _:
            return None


def _from_os(error: OSError, paths: AppPaths | None) -> WorldError | None:
    folder = paths.data if paths is not None else None
    if error.errno in _FULL:
        return StorageFull()
    if error.errno in _READ_ONLY:
        return DatabaseReadOnly(folder)
    return StorageFailed(folder) if error.errno is not None else None


def _nearly_full(folder: Path | None) -> bool:
    try:
        return folder is not None and shutil.disk_usage(folder).free < _NEARLY_FULL_BYTES
    except OSError:
        return False
