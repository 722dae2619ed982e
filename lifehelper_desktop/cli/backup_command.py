"""`lifehelper backup`: the backups, a new one, and going back to one; also when the data cannot be opened."""

from __future__ import annotations

import argparse
from typing import Any

from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.errors import DatabaseCorrupt
from lifehelper_desktop.storage.opening import begin_anew, restore_backup
from lifehelper_desktop.storage.restoring import (
    BackupInfo,
    Contents,
    RestorePreview,
    backup_infos,
    find_backup,
    preview_restore,
    restore,
)

OK, REFUSED = 0, 1


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    backup = subs.add_parser("backup", parents=[common], help=_("백업과 되살리기"))
    inner = backup.add_subparsers(dest="backup_command", required=True)
    inner.add_parser("list", parents=[common], help=_("모두 보기")).set_defaults(run=_list)
    inner.add_parser("make", parents=[common], help=_("지금 하나 만들기")).set_defaults(run=_make)
    each = inner.add_parser("restore", parents=[common], help=_("백업으로 되살리기 (--yes 없이는 미리 보기)"))
    each.add_argument("backup", metavar="ID", help=_("목록의 이름이나 그 앞부분, newest, 또는 파일"))
    each.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))
    each.set_defaults(run=_restore)
    empty = inner.add_parser("start-empty", parents=[common], help=_("백업을 쓰지 않고 비어 있는 채로 새로 시작하기"))
    empty.add_argument("--yes", action="store_true", help=_("묻지 않고 수행"))
    empty.set_defaults(run=_start_empty)


def _info_json(info: BackupInfo) -> dict[str, Any]:
    return {
        "id": info.id,
        "path": str(info.path),
        "made_at": info.made_at.isoformat(timespec="seconds"),
        "reason": info.reason,
        "bytes": info.size_bytes,
    }


def _contents_json(contents: Contents | None) -> dict[str, Any] | None:
    if contents is None:
        return None
    days = (contents.first_day, contents.last_day)
    first, last = (None if day is None else day.isoformat() for day in days)
    return {"habits": contents.habits, "entries": contents.entries, "first_day": first, "last_day": last}


def _preview_json(preview: RestorePreview) -> dict[str, Any]:
    return {
        "backup": _info_json(preview.backup),
        "contents": _contents_json(preview.contents),
        "now": _contents_json(preview.now),
        "entries_back": preview.entries_back,
        "entries_gone": preview.entries_gone,
        "entries_changed": preview.entries_changed,
    }


def _line(info: BackupInfo) -> str:
    size = f"{info.size_bytes / 1024:,.0f} KiB"
    return f"{info.id}  {info.made_at:%Y-%m-%d %H:%M}  {size}  {info.reason_words}".rstrip()


def _list(context: CliContext, args: argparse.Namespace) -> int:
    infos = backup_infos(context.paths)
    if context.as_json:
        context.print_json([_info_json(info) for info in infos])
        return OK
    for info in infos:
        context.print(_line(info))
    if not infos:
        context.print(_("백업이 아직 없어요. 습관이 생기면 하루에 한 번 저절로 만들어요."))
    return OK


def _make(context: CliContext, args: argparse.Namespace) -> int:
    path = context.store.db.backup(backups.MANUAL)
    info = next(info for info in backup_infos(context.paths) if info.path == path)
    if context.as_json:
        context.print_json({"status": "ok", "backup": _info_json(info)})
    else:
        context.print(_("백업을 만들었어요: {path}").format(path=path))
    return OK


def _restore(context: CliContext, args: argparse.Namespace) -> int:
    info = find_backup(context.paths, args.backup)
    preview = preview_restore(context.paths, info)
    if not args.yes:
        reason = _("되살리려면 --yes를 붙여 주세요.")
        if context.as_json:
            refusal = {"status": "error", "code": "not_confirmed", "reason": reason}
            context.print_json({**refusal, "preview": _preview_json(preview)})
        else:
            context.print("\n".join([*_preview_lines(preview), reason]))
        return REFUSED
    try:
        kept, _changes = restore(context.store.db, info)
    except DatabaseCorrupt:
        context.close()
        kept = restore_backup(context.paths, info.path)
    if context.as_json:
        context.print_json({"status": "ok", "preview": _preview_json(preview), "kept": str(kept)})
    else:
        words = _("되살렸어요. 그 전의 상태는 여기에 남아 있어요: {path}").format(path=kept)
        context.print(words if kept.exists() else _("되살렸어요."))
    return OK


def _start_empty(context: CliContext, args: argparse.Namespace) -> int:
    """Begin anew where the data cannot be opened; data that can be opened is never put aside."""
    try:
        context.store.close()
    except DatabaseCorrupt:
        pass
    else:
        return _refuse(context, "not_needed", _("기록 파일을 열 수 있어서 그대로 두었어요."))
    if not args.yes:
        return _refuse(
            context, "not_confirmed", _("비어 있는 채로 시작하려면 --yes를 붙여 주세요. 백업은 남아 있어요.")
        )
    aside = begin_anew(context.paths)
    if context.as_json:
        context.print_json({"status": "ok", "kept": None if aside is None else str(aside)})
        return OK
    context.print(_("비어 있는 채로 시작해요. 백업은 그대로 있어요."))
    if aside is not None:
        context.print(_("손상된 파일은 여기에 남아 있어요: {path}").format(path=aside))
    return OK


def _refuse(context: CliContext, code: str, reason: str) -> int:
    if context.as_json:
        context.print_json({"status": "error", "code": code, "reason": reason})
    else:
        context.print(reason)
    return REFUSED


def _preview_lines(preview: RestorePreview) -> list[str]:
    lines = [_line(preview.backup), _("백업: {what}").format(what=_contents_words(preview.contents))]
    if preview.now is None:
        return [*lines, _("지금: 기록 파일을 읽을 수 없어요.")]
    lines.append(_("지금: {what}").format(what=_contents_words(preview.now)))
    lines.append(
        _("되살리면 기록 {back}개가 돌아오고, {gone}개가 빠지고, {changed}개가 바뀌어요.").format(
            back=preview.entries_back, gone=preview.entries_gone, changed=preview.entries_changed
        )
    )
    return lines


def _contents_words(contents: Contents) -> str:
    words = _("습관 {habits}개, 기록 {entries}개").format(habits=contents.habits, entries=contents.entries)
    if contents.first_day is None or contents.last_day is None:
        return words
    return f"{words} ({contents.first_day.isoformat()} ~ {contents.last_day.isoformat()})"
