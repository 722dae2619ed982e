"""The way back at the start when the data is damaged or gone: the newest good backup, or an empty beginning.

Nothing starts empty by itself. A damaged file is never removed: it goes aside.
"""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QMessageBox

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage.errors import DatabaseCorrupt, DatabaseMissing
from lifehelper_desktop.storage.opening import begin_anew, restore_backup
from lifehelper_desktop.storage.restoring import backup_infos, look_into
from lifehelper_desktop.ui.app import show_start_error, start_box
from lifehelper_desktop.ui.moments import amounts_text, moment_text
from lifehelper_desktop.ui.questions import fit_buttons


def offer_rescue(paths: AppPaths, error: DatabaseCorrupt) -> bool:
    """Ask what to do; return whether something was done, so that opening is worth another try.

    The data must be closed. Shows a box and waits for the answer.
    """
    box = start_box(error)
    if box is None:
        return False
    box.setObjectName("rescueBox")
    box.setInformativeText(_words(paths, error))
    leave = box.addButton(_("끝내기"), QMessageBox.ButtonRole.RejectRole)
    leave.setObjectName("rescueLeave")
    box.setEscapeButton(leave)
    restore = anew = None
    if error.newest_backup is not None:
        restore = box.addButton(_("백업에서 되살리기"), QMessageBox.ButtonRole.AcceptRole)
        restore.setObjectName("rescueRestore")
        box.setDefaultButton(restore)
    if error.newest_backup is None or isinstance(error, DatabaseMissing):
        anew = box.addButton(_("비어 있는 채로 시작하기"), QMessageBox.ButtonRole.DestructiveRole)
        anew.setObjectName("rescueAnew")
    fit_buttons(box)
    box.exec()
    chosen = box.clickedButton()
    try:
        if restore is not None and chosen is restore and error.newest_backup is not None:
            restore_backup(paths, error.newest_backup)
            return True
        if anew is not None and chosen is anew:
            begin_anew(paths)
            return True
    except DatabaseCorrupt:
        return True  # the backup has been damaged since: opening offers the next one
    except WorldError as failure:
        show_start_error(failure)
    return False


def _words(paths: AppPaths, error: DatabaseCorrupt) -> str:
    """Return what can be done and what each way means."""
    backup = error.newest_backup
    lines = [error.next_step]
    if backup is not None:
        info = next((each for each in backup_infos(paths) if each.path == backup), None)
        contents = look_into(backup)
        if info is not None and contents is not None:
            when = moment_text(info.made_at, datetime.now().astimezone())
            what = amounts_text(contents.habits, contents.entries)
            lines = [
                _("가장 새로운 백업: {when} ({reason}) · {what}").format(when=when, reason=info.reason_words, what=what)
            ]
    if isinstance(error, DatabaseMissing):
        lines.append(_("비어 있는 채로 시작해도 백업은 그대로 남고, 나중에 되살릴 수 있어요."))
    elif backup is None:
        lines.append(_("비어 있는 채로 시작하면 손상된 파일은 지우지 않고 옆에 남겨 둬요."))
    else:
        lines.append(_("되살려도 손상된 파일은 지우지 않고 옆에 남겨 둬요."))
    return "\n\n".join(lines)
