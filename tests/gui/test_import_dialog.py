"""Imports through the window: look first, choose what goes on, all or nothing, and the way back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimeZone, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit, QPushButton

from lifehelper_desktop.base.settings import THEME
from lifehelper_desktop.domain.habits import EntryValue, HabitStatus
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.transfer.transfers import Transfers
from lifehelper_desktop.storage.transfer.watch import Stage, Watch
from lifehelper_desktop.ui.screens.import_dialog import ImportDialog
from tests.gui.work import Work, assert_named
from tests.helpers.worlds import add_habit
from tests.storage.transfer.support import HANDMADE, all_habits, count, outside_sample, write_json
from tests.storage.transfer.test_samples import MADE_BY_HAND, OF_OTHERS

LOOP = HANDMADE / "loop_v25_korean.db"
HABITBULL = "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText\n"


def read(work: Work, dialog: ImportDialog, path: Path) -> None:
    dialog.read(path)
    work.wait(dialog)


def run(work: Work, dialog: ImportDialog) -> None:
    work.click("importStart", dialog)
    work.wait(dialog)


def check_sample(work: Work, path: Path, habits: int, entries: int) -> None:
    store = work.store
    dialog = work.open(ImportDialog)
    read(work, dialog, path)
    assert dialog.pages.currentWidget() is dialog.preview
    assert work.text("import_habits", dialog) == str(habits)
    assert work.text("import_entries", dialog) == str(entries)
    assert len(dialog.preview.habits.lines) == habits
    assert (count(store, "habit"), count(store, "entry")) == (0, 0)  # the preview is the dry run
    run(work, dialog)
    assert dialog.finished_page.words.replace(",", "") == f"새 습관 {habits}개 기록 {entries}개를 가져왔어요."
    assert (count(store, "habit"), count(store, "entry")) == (habits, entries)
    work.qtbot.waitUntil(lambda: len(work.listener.changes.habits) == habits)
    # The second time.
    work.click("importAgain", dialog)
    read(work, dialog, path)
    assert work.text("import_entries", dialog) == "0"
    assert work.text("importPromise", dialog).startswith("새로 더해질 것이 없어요.")
    assert not work.find(QPushButton, "importStart", dialog).isEnabled()
    dialog.run()
    work.wait(dialog)
    assert dialog.finished_page.words == "새로 더해진 것이 없어요."
    assert not dialog.finished_page.undo_button.isVisible()
    # And back.
    work.click("importAgain", dialog)
    work.click("undoRun", dialog)
    work.answer("undoRunQuestion", dialog, yes=True)
    assert dialog.notice.text.replace(",", "") == f"가져오기를 되돌려서 습관 {habits}개 기록 {entries}개를 뺐어요."
    assert (count(store, "habit"), count(store, "entry")) == (0, 0)
    assert dialog.choose.list.lines[0].badge == "되돌림"
    assert not dialog.choose.undo_button.isEnabled()


@pytest.mark.parametrize("name", MADE_BY_HAND)
def test_handmade_samples(work: Work, name: str) -> None:
    check_sample(work, HANDMADE / name, *MADE_BY_HAND[name][1:])


@pytest.mark.parametrize("name", OF_OTHERS)
def test_samples_of_other_projects(work: Work, name: str) -> None:
    check_sample(work, outside_sample(name), *OF_OTHERS[name][1:])


def test_by_keyboard_alone(work: Work, store: Store) -> None:
    dialog = work.open(ImportDialog)
    press = work.qtbot.keyClick

    def focus() -> object:
        return dialog.focusWidget()  # the system gives the focus back to the window when the chooser has gone

    assert focus() is dialog.choose.file_button
    press(focus(), Qt.Key.Key_Space)
    chooser = work.find(QFileDialog, "importFileDialog", dialog)
    work.find(QLineEdit, "fileNameEdit", chooser).setText(str(LOOP))
    press(chooser.findChildren(QDialogButtonBox)[0].button(QDialogButtonBox.StandardButton.Open), Qt.Key.Key_Space)
    work.qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.preview, timeout=10_000)
    work.wait(dialog)
    assert focus() is dialog.preview.habits
    assert dialog.preview.keep == {1, 2, 3}
    press(focus(), Qt.Key.Key_Down)
    press(focus(), Qt.Key.Key_Space)
    assert dialog.preview.keep == {1, 3}
    seen = set()
    while focus() is not dialog.preview.import_button:
        assert focus() not in seen
        seen.add(focus())
        press(focus(), Qt.Key.Key_Tab)
    press(focus(), Qt.Key.Key_Space)
    work.qtbot.waitUntil(lambda: dialog.pages.currentWidget() is dialog.finished_page, timeout=20_000)
    work.wait(dialog)
    assert focus() is dialog.finished_page.close_button
    active = [habit.title_ko for habit in all_habits(store) if habit.status is HabitStatus.ACTIVE]
    assert active == ["운동", "Read, 30 min 📚"]
    with work.qtbot.waitSignal(dialog.finished):
        press(focus(), Qt.Key.Key_Space)


def test_every_control_has_a_name(work: Work) -> None:
    dialog = work.open(ImportDialog)
    assert_named(dialog)
    read(work, dialog, HANDMADE / "habittrove_habits.json")
    assert_named(dialog)
    dialog.preview.tabs.setCurrentIndex(1)
    assert_named(dialog)
    lines = dialog.preview.habits.lines
    assert all(line.title in line.spoken and line.detail in line.spoken for line in lines)
    assert "2단계" in dialog._steps[1].accessibleName()


# ---- which habits go on -----------------------------------------------------------------------------------------


def test_places_are_kept_to(work: Work, store: Store) -> None:
    add_habit(store, "daily-steps")
    add_habit(store, "bedtime-todo-list")
    add_habit(store, "break-doomscrolling")
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    assert dialog.preview.keep == {1}
    places = "세우기는 1자리 가운데 1자리를 골랐어요. 깨기 자리는 다 찼어요. 알림 2개도 함께 들어와요."
    assert places in work.text("importPlaces", dialog)
    for number, words in ((2, "세우는 습관은 동시에 3개까지예요"), (4, "깨는 습관은 한 번에 1개예요")):
        dialog.preview.habits.toggled.emit(number, True)
        assert words in work.text("importPlaces", dialog)
        assert dialog.preview.keep == {1}
    dialog.preview.habits.toggled.emit(1, False)
    dialog.preview.habits.toggled.emit(2, True)
    assert dialog.preview.keep == {2}
    assert dialog.preview.habits.lines[0].detail.startswith("보관함으로 들어와요")
    run(work, dialog)
    assert work.text("importDetail", dialog).startswith("이어서 할 습관 1개 · 보관함에 습관 3개")
    titles = [habit.title_ko for habit in store.habits.list()]
    assert titles[-1] == "물 마시기 (2L)"
    assert len(titles) == 4


def test_a_click_anywhere_on_the_row_turns_it(work: Work, store: Store) -> None:
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    view = dialog.preview.habits
    spot = view.visualItemRect(view.item(1)).center()
    work.qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert dialog.preview.keep == {1, 3}


def test_a_place_that_is_taken_meanwhile_refuses_the_import(work: Work, store: Store) -> None:
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    add_habit(store, "daily-steps")
    run(work, dialog)
    assert "3개까지예요" in dialog.notice.text
    assert count(store, "entry") == 0
    assert dialog.pages.currentWidget() is dialog.preview


# ---- what the file needs ----------------------------------------------------------------------------------------


def test_a_zone_is_chosen(work: Work, store: Store, tmp_path: Path) -> None:
    habit = {"id": "1", "name": "물", "frequency": "FREQ=DAILY", "completions": ["2025-01-02T20:00:00.000Z"]}
    path = write_json(tmp_path / "habits.json", {"habits": [habit]})
    dialog = work.open(ImportDialog)
    read(work, dialog, path)
    assert "이 컴퓨터의 시간대" in dialog.preview.zone.itemText(0)
    assert "2025. 1. 2. – 2025. 1. 2." in work.text("importFacts", dialog)
    dialog.preview.zone.show_zone("Asia/Seoul")
    dialog.preview.zone.activated.emit(dialog.preview.zone.currentIndex())
    work.wait(dialog)
    assert "2025. 1. 3. – 2025. 1. 3." in work.text("importFacts", dialog)
    assert dialog.preview.zone.zone == "Asia/Seoul"
    dialog.preview.zone.setEditText("Mars/Base")
    dialog._read_in_zone(dialog.preview.zone.zone)
    work.wait(dialog)
    assert "시간대를 알 수 없어요" in dialog.notice.text
    assert dialog.preview.zone.zone == "Asia/Seoul"
    dialog.preview.zone.show_zone("UTC")  # not in the list, and shown all the same
    assert dialog.preview.zone.zone == "UTC"


def test_a_zone_that_nobody_knows_is_asked_for(work: Work, tmp_path: Path) -> None:
    habit = {"id": "1", "name": "물", "frequency": "FREQ=DAILY", "completions": ["2025-01-02T20:00:00.000Z"]}
    folder = tmp_path / "data"
    folder.mkdir()
    write_json(folder / "habits.json", {"habits": [habit]})
    write_json(folder / "settings.json", {"system": {"timezone": "Mars/Base"}})
    dialog = work.open(ImportDialog)
    read(work, dialog, folder)
    assert "파일에 적힌 시간대를 알 수 없어요" in dialog.notice.text
    assert dialog.choose.zone.zone == bytes(QTimeZone.systemTimeZoneId().data()).decode()  # even outside the list
    dialog.choose.zone.show_zone("Asia/Seoul")
    work.click("useZone", dialog)
    work.wait(dialog)
    assert "2025. 1. 3." in work.text("importFacts", dialog)


def test_rows_that_cannot_be_read(work: Work, store: Store, tmp_path: Path) -> None:
    path = tmp_path / "habitbull.csv"
    path.write_text(f"{HABITBULL}운동,,,2024-01-01,1,\n운동,,,2024-13-01,1,\n", encoding="utf-8")
    dialog = work.open(ImportDialog)
    read(work, dialog, path)
    assert dialog.preview.tabs.currentIndex() == 1
    [line] = dialog.preview.report.lines
    assert (line.title, line.detail, line.badge) == (
        "날짜를 읽을 수 없어요: 2024-13-01",
        "habitbull.csv:3",
        "읽지 못함",
    )
    assert not dialog.preview.import_button.isEnabled()
    assert "읽지 못한 줄이 있어요" in work.text("importPromise", dialog)
    dialog.preview.skip_bad.click()
    run(work, dialog)
    assert dialog.finished_page.words == "새 습관 1개, 기록 1개를 가져왔어요."
    # Another file begins without the tick.
    dialog.begin_anew()
    read(work, dialog, path)
    assert not dialog.preview.skip_bad.isChecked()


def test_settings_of_an_own_file_are_a_choice(work: Work, store: Store, tmp_path: Path) -> None:
    store.settings.set(THEME, "dark")
    add_habit(store, "daily-steps")
    path = tmp_path / "own.json"
    store.transfers.export_json(path)
    store.settings.set(THEME, "light")
    dialog = work.open(ImportDialog)
    read(work, dialog, path)
    assert not dialog.preview.settings.isChecked()  # this profile is not empty
    assert not dialog.preview.import_button.isEnabled()
    dialog.preview.settings.click()
    run(work, dialog)
    assert (dialog.finished_page.words, store.settings.get_str(THEME)) == ("설정을 가져왔어요.", "dark")
    work.qtbot.waitUntil(lambda: THEME.key in work.listener.changes.settings)
    work.click("importAgain", dialog)
    assert (dialog.choose.list.lines[0].badge, dialog.choose.list.lines[0].detail[-6:]) == ("", " 설정 1개")
    work.click("undoRun", dialog)
    work.answer("undoRunQuestion", dialog, yes=True)
    assert dialog.notice.text == "가져오기를 되돌려서 설정이 전과 같아요."


def test_a_day_that_was_changed_here_stays_and_says_so(work: Work, store: Store) -> None:
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    run(work, dialog)
    habit = all_habits(store)[0]
    day = min(store.entries.for_habit(habit.id))
    store.entries.change(habit.id, day, EntryValue.MINIMUM if habit.minimum_dose else EntryValue.BLANK)
    changed = store.entries.get(habit.id, day)
    dialog.begin_anew()
    read(work, dialog, LOOP)
    assert "여기서 고쳐 그대로 둘 기록 1개" in dialog.preview.habits.lines[0].detail
    assert store.entries.get(habit.id, day) == changed
    # Taking the import back keeps the habit with that day.
    dialog.begin_anew()
    work.click("undoRun", dialog)
    work.answer("undoRunQuestion", dialog, yes=True)
    assert "남겨 둔 습관: 운동" in dialog.notice.text
    assert list(store.entries.for_habit(habit.id)) == [day]


# ---- trouble ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, "파일을 열지 못했어요"),
        (lambda path: path.write_bytes(b"hello"), "어느 앱의 파일인지 알아보지 못했어요"),
        (lambda path: path.write_bytes((HANDMADE / "loop_csv_korean.zip").read_bytes()[:900]), ""),
    ],
)
def test_files_that_are_none(
    work: Work, store: Store, tmp_path: Path, make: Callable[[Path], object], words: str
) -> None:
    path = tmp_path / "file.zip"
    make(path)
    dialog = work.open(ImportDialog)
    read(work, dialog, path)
    assert dialog.notice.text
    assert words in dialog.notice.text
    assert dialog.pages.currentWidget() is dialog.choose
    assert count(store, "habit") == 0


def test_stopped_while_it_writes(work: Work, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    begin = Watch.begin

    def stops(watch: Watch, stage: Stage, total: int = 0) -> None:
        begin(watch, stage, total)
        if stage is Stage.WRITING:
            dialog.worker.stop()

    monkeypatch.setattr(Watch, "begin", stops)
    run(work, dialog)
    assert dialog.notice.text == "멈췄어요. 바뀐 것은 없어요."
    assert (count(store, "habit"), count(store, "entry")) == (0, 0)
    assert dialog.pages.currentWidget() is dialog.preview
    monkeypatch.undo()
    run(work, dialog)
    assert count(store, "entry") == 14


def test_progress_and_the_stop_button(work: Work, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    dialog = work.open(ImportDialog)
    go_on = threading.Event()
    preview = Transfers.preview

    def slow(*args: object, **options: object) -> object:
        options["progress"](Stage.READING, 25, 100)  # type: ignore[operator]
        go_on.wait(20)
        return preview(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Transfers, "preview", slow)
    dialog.read(LOOP)
    work.qtbot.waitUntil(lambda: dialog.progress.words == "읽는 중 25%")
    assert dialog.progress.bar.value() == 250
    assert not dialog.content.isEnabled()
    work.click("stopWork", dialog)
    assert dialog.progress.words == "멈추는 중…"
    go_on.set()
    work.wait(dialog)
    assert dialog.notice.text == "멈췄어요. 바뀐 것은 없어요."
    assert dialog.content.isEnabled()
    assert not dialog.progress.isVisible()


def test_a_bug_of_ours_ends_the_work_in_words(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    caught: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", caught.append)

    def broken(*_args: object, **_options: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr(Transfers, "preview", broken)
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    assert dialog.notice.text == "예상하지 못한 문제가 있었어요. 다시 해 주세요."
    assert caught[0].exc_type is KeyError  # for the log and the crash report


# ---- dropping ---------------------------------------------------------------------------------------------------


def drop(dialog: ImportDialog, *urls: str) -> None:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    spot, button, keys = QPointF(20, 20), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    dialog.choose.area.dragEnterEvent(QDragEnterEvent(spot, copy, data, button, keys))
    assert dialog.choose.area.property("over") is True
    dialog.choose.area.dropEvent(QDropEvent(spot, copy, data, button, keys))
    assert dialog.choose.area.property("over") is False


def test_a_file_is_dropped(work: Work) -> None:
    dialog = work.open(ImportDialog)
    drop(dialog, QUrl.fromLocalFile(str(LOOP)).toString())
    work.wait(dialog)
    assert work.text("importName", dialog) == LOOP.name


@pytest.mark.parametrize(
    ("urls", "words"),
    [(("file:///a", "file:///b"), "한 번에 파일 하나씩"), (("https://example.org/a.db",), "이 컴퓨터에 있는 파일")],
)
def test_what_cannot_be_dropped(work: Work, urls: tuple[str, ...], words: str) -> None:
    dialog = work.open(ImportDialog)
    drop(dialog, *urls)
    assert words in dialog.notice.text
    assert dialog.pages.currentWidget() is dialog.choose


def test_days_in_the_words(work: Work, store: Store) -> None:
    dialog = work.open(ImportDialog)
    read(work, dialog, LOOP)
    assert work.text("importFacts", dialog) == "Loop Habit Tracker · 습관 4개, 기록 14개 · 2024. 1. 15. – 2024. 3. 5."
    run(work, dialog)
    dialog.begin_anew()
    assert dialog.choose.list.lines[0].detail == "오늘 21:30 · Loop Habit Tracker · 습관 4개, 기록 14개"
    assert store.today() == date(2026, 8, 12)
