"""Taking one's data out through the window."""

from __future__ import annotations

import errno
import os
from datetime import date, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QFileDialog, QRadioButton

from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.storage.transfer.watch import Watch
from lifehelper_desktop.ui.screens.export_dialog import CSV, ExportDialog
from tests.gui.work import Work, assert_named

TODAY = date(2026, 8, 12)


def test_json_is_written_told_and_can_be_read_back(
    work: Work, store: Store, habits: dict[str, Habit], tmp_path: Path
) -> None:
    store.trash.delete(habits["todo"].id)
    dialog = work.open(ExportDialog)
    assert dialog.suggested_name() == "LifeHelper-2026-08-12.json"
    path = tmp_path / "내 기록.json"
    dialog.take_path(str(path))
    work.wait(dialog)
    size = path.stat().st_size
    assert work.text("exportWords", dialog) == f"내보냈어요: 습관 3개, 기록 59개 · {size / 1000:.0f}KB"
    assert work.text("exportPath", dialog) == str(path)
    folder = tmp_path / "other"
    other = open_store(AppPaths(folder, folder, folder), store.clock)
    result = other.transfers.run(other.transfers.preview(path))
    assert (result.habits, result.entries) == (3, 59)
    other.close()
    assert_named(dialog)


@pytest.mark.parametrize("bom", [True, False])
def test_csv_with_and_without_the_mark_for_excel(
    work: Work, habits: dict[str, Habit], tmp_path: Path, bom: bool
) -> None:
    dialog = work.open(ExportDialog)
    assert not work.find(QCheckBox, "exportBom", dialog).isEnabled()
    work.click("export_csv", dialog)
    assert dialog.kind is CSV
    if not bom:
        dialog.bom.click()
    path = tmp_path / "표"
    dialog.take_path(str(path))  # a system's dialog that adds no ending
    work.wait(dialog)
    content = (tmp_path / "표.csv").read_bytes()
    assert content.startswith(b"\xef\xbb\xbf") is bom
    assert content.count(b"\r\n") == 60
    assert not path.exists()


def test_the_card_can_be_clicked_all_over(work: Work) -> None:
    dialog = work.open(ExportDialog)
    card = dialog._cards["csv"]
    work.qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert work.find(QRadioButton, "export_csv", dialog).isChecked()


@pytest.mark.parametrize("yes", [True, False])
def test_a_file_whose_ending_comes_later_is_asked_about(
    work: Work, habits: dict[str, Habit], tmp_path: Path, yes: bool
) -> None:
    there = tmp_path / "기록.json"
    there.write_text("alt", encoding="utf-8")
    dialog = work.open(ExportDialog)
    dialog.take_path(str(tmp_path / "기록"))
    work.answer("overwriteQuestion", dialog, yes=yes)
    assert (there.read_text(encoding="utf-8") == "alt") is not yes


def test_the_systems_dialog_asks_itself(work: Work) -> None:
    dialog = work.open(ExportDialog)
    work.click("exportStart", dialog)
    chooser = work.find(QFileDialog, "exportFileDialog", dialog)
    assert not chooser.testOption(QFileDialog.Option.DontConfirmOverwrite)
    assert chooser.defaultSuffix() == "json"
    chooser.close()


def test_a_disk_that_is_full_leaves_the_old_file(
    work: Work, habits: dict[str, Habit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "기록.json"
    there.write_text("alt", encoding="utf-8")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    dialog = work.open(ExportDialog)
    dialog.take_path(str(there))
    work.wait(dialog)
    assert dialog.notice.text == "파일을 쓰지 못했어요. 다른 폴더나 이름을 골라 주세요."
    assert there.read_text(encoding="utf-8") == "alt"
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["기록.json"]
    assert not dialog.outcome.isVisible()


def test_stopped_in_the_middle(
    work: Work, store: Store, habits: dict[str, Habit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with store.db.write():
        for number in range(3000):
            store.entries.change(habits["walk"].id, TODAY - timedelta(days=100 + number), EntryValue.DONE)
    path = tmp_path / "기록.json"
    dialog = work.open(ExportDialog)
    step = Watch.step

    def slow(watch: Watch, rows: int = 1) -> None:
        dialog.worker.stop()  # the user presses the button while it runs
        step(watch, rows)

    monkeypatch.setattr(Watch, "step", slow)
    dialog.take_path(str(path))
    work.wait(dialog)
    assert dialog.notice.text == "멈췄어요. 바뀐 것은 없어요."
    assert not path.exists()


def test_the_folder_is_opened_on_the_users_click(work: Work, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    dialog = work.open(ExportDialog)
    dialog.take_path(str(tmp_path / "a.json"))
    work.wait(dialog)
    assert opened == []
    work.click("openExportFolder", dialog)
    assert opened == [str(tmp_path)]
