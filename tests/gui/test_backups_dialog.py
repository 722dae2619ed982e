"""The backups of the window: made, checked, gone back to, copied to a second place."""

from __future__ import annotations

import errno
import os
import shutil
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QPushButton

from lifehelper_desktop.base.settings import BACKUP_COPY_FOLDER, BACKUPS_ENABLED, THEME
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage import backup_copies, backups
from lifehelper_desktop.storage.opening import daily_backup, daily_backup_in_background
from lifehelper_desktop.storage.restoring import backup_infos
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.backups import BackupsDialog
from lifehelper_desktop.ui.widgets.restore_question import RestoreQuestion
from tests.gui.conftest import MakeGui
from tests.gui.work import Work, assert_named
from tests.storage.support import dump

TODAY = date(2026, 8, 12)


def show(work: Work) -> BackupsDialog:
    dialog = work.open(BackupsDialog)
    looked(work, dialog)
    return dialog


def looked(work: Work, dialog: BackupsDialog) -> None:
    """Wait until every backup was looked into."""
    work.wait(dialog)
    work.qtbot.waitUntil(
        lambda: not dialog._reader.is_busy and all(each in dialog._looked for each in dialog._infos), timeout=20_000
    )


def question(work: Work, dialog: BackupsDialog) -> RestoreQuestion:
    work.wait(dialog)
    return work.find(RestoreQuestion, "restoreQuestion", dialog)


def test_the_list_says_when_why_how_big_what_and_whether_it_is_sound(
    work: Work, store: Store, habits: dict[str, Habit]
) -> None:
    daily_backup(store.db)
    store.db.backup("manual")
    damaged = store.db.backup("import")
    damaged.write_bytes(damaged.read_bytes()[:-5000])
    dialog = show(work)
    broken, manual, daily = dialog.list.lines
    assert (broken.badge, manual.badge, daily.badge) == ("손상됨", "확인함", "확인함")
    assert manual.detail.startswith("직접 만듦 · ")
    assert "KB · 습관 3개, 기록 59개" in manual.detail
    assert daily.detail.startswith("하루 한 번 · ")
    assert broken.detail.startswith("가져오기 전 · ")
    assert work.text("backupCount", dialog) == "백업 3개"
    assert_named(dialog)


def test_make_check_and_delete_one(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    daily_backup(store.db)
    dialog = show(work)
    assert not work.find(QPushButton, "deleteBackup", dialog).isEnabled()
    work.click("makeBackup", dialog)
    looked(work, dialog)
    assert dialog.current is not None
    made = dialog.current
    assert made.reason == "manual"
    work.click("checkBackup", dialog)
    looked(work, dialog)
    assert dialog.notice.text == "끝까지 읽어 보았고, 잘 되살릴 수 있어요."
    made.path.write_bytes(b"x" * 9000)
    work.click("checkBackup", dialog)
    looked(work, dialog)
    assert "손상되어" in dialog.notice.text
    assert dialog.list.current is not None
    assert dialog.list.current.badge == "손상됨"
    work.click("deleteBackup", dialog)
    work.answer("deleteBackupQuestion", dialog, yes=False)
    assert made.path.exists()
    work.click("deleteBackup", dialog)
    work.answer("deleteBackupQuestion", dialog, yes=True)
    assert not made.path.exists()
    assert [info.reason for info in backup_infos(store.paths)] == ["daily"]
    assert dialog.notice.text == "백업을 지웠어요."


def test_going_back_shows_first_and_can_be_taken_back(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    walk = habits["walk"].id
    made = store.db.backup("manual")
    store.entries.change(walk, date(2026, 8, 11), None)
    store.entries.change(walk, date(2026, 8, 10), EntryValue.BLANK)
    store.entries.log(walk, EntryValue.DONE)
    store.settings.set(THEME, "dark")
    store.habits.archive(habits["todo"].id)
    present = dump(store)
    dialog = show(work)
    heard: list[bool] = []
    dialog.restored.connect(lambda: heard.append(True))
    dialog.list.choose(made)
    work.qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    asked = question(work, dialog)
    assert (work.text("restore_1_1", asked), work.text("restore_1_2", asked)) == ("3", "3")
    assert (work.text("restore_2_1", asked), work.text("restore_2_2", asked)) == ("59", "59")
    focus = asked.focusWidget()
    assert focus is not None
    assert focus.objectName() == "restoreNo"
    work.click("restoreNo", asked)
    assert dump(store) == present

    work.click("restoreBackup", dialog)
    work.click("restoreYes", question(work, dialog))
    looked(work, dialog)
    assert heard == [True]
    assert store.entries.get(walk, date(2026, 8, 11)) is not None
    assert store.entries.get(walk, TODAY) is None
    assert store.settings.get_str(THEME) == "system"
    work.qtbot.waitUntil(lambda: walk in work.listener.changes.habits)
    assert THEME.key in work.listener.changes.settings
    assert dialog.list.lines[0].detail.startswith("되살리기 전 · ")

    work.click("noticeAction", dialog.notice)
    looked(work, dialog)
    assert dump(store) == present
    assert heard == [True, True]


def test_the_question_says_what_comes_back_goes_and_differs(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    walk = habits["walk"].id
    made = store.db.backup("manual")
    store.entries.change(walk, date(2026, 8, 11), None)
    store.entries.change(walk, date(2026, 8, 10), EntryValue.BLANK)
    store.entries.log(walk, EntryValue.DONE)
    dialog = show(work)
    dialog.list.choose(made)
    dialog.ask_restore()
    words = [each.text() for each in question(work, dialog).findChildren(type(dialog.heading))]
    assert "기록 1개가 돌아와요." in words
    assert "그 뒤에 남긴 기록 1개가 빠져요." in words
    assert "기록 1개가 그때의 값으로 바뀌어요." in words


def test_a_damaged_backup_is_refused_in_words(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    made = store.db.backup("manual")
    made.write_bytes(made.read_bytes()[:5000])
    dialog = show(work)
    before = dump(store)
    dialog.ask_restore()
    work.wait(dialog)
    assert "이 백업은 읽을 수 없어요" in dialog.notice.text
    assert dump(store) == before


def test_a_backup_from_elsewhere(work: Work, store: Store, habits: dict[str, Habit], tmp_path: Path) -> None:
    elsewhere = tmp_path / "usb.db"
    shutil.copyfile(store.db.backup("manual"), elsewhere)
    store.trash.delete(habits["walk"].id)
    dialog = show(work)
    dialog.take_file(str(elsewhere))
    work.click("restoreYes", question(work, dialog))
    looked(work, dialog)
    assert len(store.habits.list()) == 3
    dialog.take_file(str(tmp_path / "nothing.db"))
    work.qtbot.waitUntil(lambda: bool(work.listener.troubles))
    work.click("restoreFile", dialog)
    work.find(QFileDialog, "restoreFileDialog", dialog).close()


def test_daily_backups_are_turned_off_and_on(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    dialog = show(work)
    assert work.text("backupsEmpty", dialog).startswith("백업이 아직 없어요.")
    work.click("backupsEnabled", dialog)
    assert store.settings.get_bool(BACKUPS_ENABLED) is False
    assert daily_backup(store.db) is None
    assert not work.find(QPushButton, "chooseCopyFolder", dialog).isEnabled()
    work.click("backupsEnabled", dialog)
    assert daily_backup(store.db) is not None


def test_a_second_place_is_chosen_filled_and_forgotten(
    work: Work, store: Store, habits: dict[str, Habit], tmp_path: Path
) -> None:
    usb = tmp_path / "USB 메모리"
    usb.mkdir()
    daily_backup(store.db)
    [daily] = backups.list_backups(store.paths)
    dialog = show(work)
    work.click("chooseCopyFolder", dialog)
    work.find(QFileDialog, "copyFolderDialog", dialog).close()
    dialog.take_folder(str(usb))
    looked(work, dialog)
    work.qtbot.waitUntil(lambda: dialog.notice.text == "복사하고 잘 읽히는지 확인했어요.")
    copy = backup_copies.copies_folder(store.paths, usb) / daily.name
    assert backups.is_readable(copy)
    assert work.text("copyFolder", dialog) == str(usb)
    assert work.text("copyState", dialog).startswith("복사본 1개")
    work.click("copyNow", dialog)
    work.wait(dialog)
    assert dialog.notice.text == "가장 새로운 백업이 이미 그곳에 있어요."
    shutil.rmtree(usb)
    work.click("copyNow", dialog)
    work.wait(dialog)
    assert "지금 보이지 않아요" in dialog.notice.text
    work.click("forgetCopyFolder", dialog)
    assert store.settings.get_str(BACKUP_COPY_FOLDER) == ""
    assert not dialog.settings.state.isVisible()


def test_a_place_that_is_none_is_refused(work: Work, store: Store, tmp_path: Path) -> None:
    dialog = show(work)
    for folder, words in ((store.paths.backups, "두 번째 자리가 되지 못해요"), (tmp_path / "없는 곳", "보이지 않아요")):
        folder.parent.mkdir(exist_ok=True)
        dialog.take_folder(str(folder))
        work.wait(dialog)
        assert words in dialog.notice.text
    assert store.settings.get_str(BACKUP_COPY_FOLDER) == ""


def test_a_full_disk_is_told_and_nothing_is_left(
    work: Work, store: Store, habits: dict[str, Habit], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    dialog = show(work)
    work.click("makeBackup", dialog)
    work.wait(dialog)
    assert "공간" in dialog.notice.text
    assert backup_infos(store.paths) == []


def test_closing_while_it_works_waits_for_the_end(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    made = store.db.backup("manual")
    store.trash.delete(habits["walk"].id)
    dialog = show(work)
    dialog.list.choose(made)
    assert dialog.current is not None
    dialog.restore(dialog.current)
    dialog.close()
    assert dialog.isVisible()
    assert dialog.progress.words == "마치는 대로 창을 닫아요…"
    with work.qtbot.waitSignal(dialog.finished, timeout=20_000):
        pass
    work.qtbot.waitUntil(lambda: bool(work.listener.changes.habits))
    assert len(store.habits.list()) == 3


def test_the_folder_is_opened(work: Work, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    work.click("openBackups", show(work))
    assert opened == [str(store.paths.backups)]


# ---- in the window ----------------------------------------------------------------------------------------------


def test_a_backup_that_failed_beside_the_window_is_told_there(
    make_gui: MakeGui, store: Store, habits: dict[str, Habit], tmp_path: Path
) -> None:
    gui = make_gui()
    store.settings.set(BACKUP_COPY_FOLDER, str(tmp_path / "없는 USB"))
    daily_backup_in_background(store.db)
    gui.qtbot.waitUntil(lambda: bool(backups.list_backups(store.paths)), timeout=20_000)

    def told() -> bool:
        gui.window.watcher.check_data()
        return "지금 보이지 않아요" in gui.window.trouble.text

    gui.qtbot.waitUntil(told, timeout=20_000)


def test_settings_that_come_back_take_effect(make_gui: MakeGui, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    gui = make_gui()
    applied: list[str] = []
    monkeypatch.setattr(gui.window, "_apply_settings", lambda: applied.append(store.settings.get_str(THEME)))
    gui.bus.publish_data(store.settings.set(THEME, "dark"))
    gui.qtbot.waitUntil(lambda: "dark" in applied)


def test_a_copy_that_could_not_be_made_is_made_up_for_at_the_next_start(
    make_gui: MakeGui, store: Store, habits: dict[str, Habit], tmp_path: Path
) -> None:
    daily_backup(store.db)
    usb = tmp_path / "USB"
    usb.mkdir()
    store.settings.set(BACKUP_COPY_FOLDER, str(usb))
    folder = backup_copies.copies_folder(store.paths, usb)
    make_gui().qtbot.waitUntil(lambda: len(backups.backups_in(folder)) == 1, timeout=20_000)
