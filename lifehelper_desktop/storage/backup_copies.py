"""A second place for the backups: a checked copy of the newest daily one, on a USB stick or in a synced folder.

The copies lie in a folder of this profile's own, inside the one that the user chose: two computers may share that one
and never remove each other's copies. They rotate as the backups themselves do: seven days and four weeks.

The folder that the user chose is never made: where a stick is not plugged in, its place must not fill the disk.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import platform
import re
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage import backups

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_READ_ONLY: Final = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_NODE_MAX: Final = 30


class CopyFailed(WorldError):  # noqa: N818
    """The copy could not be made; the backup itself and the copies of earlier days are as they were."""


@dataclass(frozen=True, slots=True)
class CopyState:
    """How the second place stands.

    Attributes:
        chosen: The folder that the user chose.
        is_there: Whether that folder can be seen now.
        folder: Where in it the copies of this profile lie.
        count: How many there are.
        newest: When the newest copied backup was made, aware; None without any.
        is_current: Whether the newest daily backup is among them, or there is none yet.
    """

    chosen: Path
    is_there: bool
    folder: Path
    count: int
    newest: datetime | None
    is_current: bool


def copies_folder(paths: AppPaths, chosen: Path) -> Path:
    """Return where in `chosen` the copies of the profile at `paths` lie."""
    node = platform.node()
    name = re.sub(r"[^A-Za-z0-9]+", "-", node).strip("-")[:_NODE_MAX] or "computer"
    digest = hashlib.sha256(f"{node}\x1f{paths.data.absolute()}".encode(errors="surrogatepass")).hexdigest()[:6]
    return chosen / f"LifeHelper-{name}-{digest}"


def copy_state(paths: AppPaths, chosen: Path) -> CopyState:
    """Look at the second place. Never raises: what cannot be seen counts as not there. May wait for a slow disk."""
    folder = copies_folder(paths, chosen)
    found = _daily_in(folder)
    newest = backups.backup_time(found[-1]) if found else None
    wanted = _newest_daily(paths)
    is_current = wanted is None or any(each.name == wanted.name for each in found)
    return CopyState(chosen, _is_dir(chosen), folder, len(found), newest, is_current)


def check_chosen(paths: AppPaths, chosen: Path) -> None:
    """Refuse a folder that would be no second place, or where nothing can be written.

    Raises:
        CopyFailed: It lies where the data lies, cannot be seen, or takes no files.
    """
    inside = chosen.resolve()
    if inside == paths.data.resolve() or paths.data.resolve() in inside.parents:
        raise CopyFailed(
            _("이 폴더는 기록이 있는 곳이라 두 번째 자리가 되지 못해요."),
            _("USB 메모리나 동기화되는 폴더처럼 다른 곳을 골라 주세요."),
        )
    _require(chosen)
    try:
        copies_folder(paths, chosen).mkdir(exist_ok=True)
    except OSError as error:
        raise _told(error, chosen) from error


def copy_newest(paths: AppPaths, chosen: Path) -> Path | None:
    """Copy the newest daily backup unless its copy is there already; return the new copy, or None.

    It appears under its name only when it is complete, on the disk and checked; then old copies go.

    Raises:
        CopyFailed: The folder cannot be seen, is full, or did not take it.
    """
    source = _newest_daily(paths)
    if source is None:
        return None
    _require(chosen)
    folder = copies_folder(paths, chosen)
    final = folder / source.name
    try:
        if final.is_file() and final.stat().st_size == source.stat().st_size:
            return None
        folder.mkdir(exist_ok=True)
        _copy(source, final)
    except OSError as error:
        raise _told(error, chosen) from error
    backups.remove_spare(_daily_in(folder), final)
    return final


def _copy(source: Path, final: Path) -> None:
    backups.clear_stale(final.parent, "*.partial")
    partial = final.with_suffix(f".{os.getpid()}.partial")
    try:
        shutil.copyfile(source, partial)
        backups.flush(partial)
        if not backups.is_readable(partial):
            raise OSError(errno.EIO, "the copy does not pass its check")
        partial.replace(final)
    finally:
        with contextlib.suppress(OSError):  # the stick may be gone; what made it go is told
            partial.unlink(missing_ok=True)


def _daily_in(folder: Path) -> list[Path]:
    """Return the daily backups in a folder, oldest first. What somebody else has put there is none."""
    return [each for each in backups.backups_in(folder) if backups.backup_reason(each) == backups.DAILY]


def _newest_daily(paths: AppPaths) -> Path | None:
    daily = _daily_in(paths.backups)
    return daily[-1] if daily else None


def _is_dir(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def _require(chosen: Path) -> None:
    if not _is_dir(chosen):
        raise CopyFailed(
            _("백업을 복사해 둘 폴더가 지금 보이지 않아요: {path}").format(path=chosen),
            _("저장 장치를 연결하거나, 백업 창에서 다른 폴더를 골라 주세요. 원래 백업은 그대로 있어요."),
        )


def _told(error: OSError, chosen: Path) -> CopyFailed:
    if error.errno in _FULL:
        return CopyFailed(
            _("백업을 복사해 둘 폴더에 남은 공간이 없어요: {path}").format(path=chosen),
            _("공간을 비우거나, 백업 창에서 다른 폴더를 골라 주세요. 원래 백업은 그대로 있어요."),
        )
    if error.errno in _READ_ONLY:
        return CopyFailed(
            _("백업을 복사해 둘 폴더에 쓸 수 없어요: {path}").format(path=chosen),
            _("폴더의 쓰기 권한을 확인하거나, 백업 창에서 다른 폴더를 골라 주세요."),
        )
    return CopyFailed(
        _("백업을 두 번째 폴더에 복사하지 못했어요: {path}").format(path=chosen),
        _("저장 장치를 확인하거나, 백업 창에서 다른 폴더를 골라 주세요. 원래 백업은 그대로 있어요."),
    )
