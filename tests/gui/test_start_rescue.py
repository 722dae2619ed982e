"""X6: data that is damaged or gone at the start. A way back is offered; nothing starts empty by itself."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QMessageBox

from lifehelper_desktop.base.clock import Clock, FixedClock
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.storage import backups
from lifehelper_desktop.storage.errors import DatabaseCorrupt
from lifehelper_desktop.storage.store import Store, open_store
from lifehelper_desktop.ui import start, start_rescue
from lifehelper_desktop.ui.main_window import MainWindow
from tests.helpers.scripted_llm import ScriptedLlmService
from tests.helpers.worlds import add_habit, fill

BROKEN = b"this is no database any more " * 500


class Start:
    """Runs the program's own start; each box that it shows is answered by the next of `answers`."""

    def __init__(self, paths: AppPaths, clock: FixedClock, qapp: QApplication, patch: pytest.MonkeyPatch) -> None:
        """Replace the event loop: the window closes as soon as it is there."""
        self.paths, self.clock = paths, clock
        self.answers: list[str] = []
        self.boxes: list[list[str]] = []
        self.texts: list[str] = []
        self.titles: list[list[str]] = []
        show = QMessageBox.exec

        def answer(box: QMessageBox) -> int:
            self.texts.append(f"{box.text()}\n{box.informativeText()}")
            self.boxes.append([each.text() for each in box.buttons()])
            wanted = self.answers.pop(0)
            QTimer.singleShot(0, box, lambda: _button(box, wanted).click())
            return int(show(box))

        def executed() -> int:
            QTimer.singleShot(0, qapp, lambda: self._look(qapp))
            return int(QApplication.exec())

        patch.setattr(QMessageBox, "exec", answer)
        patch.setattr(qapp, "exec", executed)
        patch.setattr(start, "setup_logging", lambda *_args, **_more: None)
        patch.setattr("lifehelper_desktop.ui.app.install_excepthooks", lambda *_args: None)

    def __call__(self, *answers: str) -> int:
        """Start, answer the boxes, close the window; return the exit code."""
        self.answers = list(answers)
        arguments = ["--data-dir", str(self.paths.data), "--lang", "ko"]
        code = start.run(arguments, self._open, lambda _paths, _model, _family: ScriptedLlmService())
        assert self.answers == []
        return code

    def _open(self, where: AppPaths, _clock: Clock | None) -> Store:
        return open_store(where, self.clock)

    def _look(self, qapp: QApplication) -> None:
        window = next(each for each in qapp.topLevelWidgets() if isinstance(each, MainWindow) and each.isVisible())
        self.titles.append([card.habit.title("ko") for card in window.habits.cards.values()])
        window.close()


def _button(box: QMessageBox, words: str) -> QAbstractButton:
    return next(each for each in box.buttons() if each.text() == words)


RESTORE, ANEW, LEAVE = "백업에서 되살리기", "비어 있는 채로 시작하기", "끝내기"


@pytest.fixture
def filled(paths: AppPaths, clock: FixedClock) -> list[bytes]:
    """A closed profile with a habit of ten days and two backups, the newer of one habit more."""
    store = open_store(paths, clock)
    walk = add_habit(store, "daily-steps", started=clock.now().date())
    fill(store, walk, clock.now().date(), clock.now().date())
    store.db.backup("manual")
    add_habit(store, "bedtime-todo-list")
    store.db.backup("daily")
    store.close()
    return [path.read_bytes() for path in backups.list_backups(paths)]


@pytest.fixture
def begin(paths: AppPaths, clock: FixedClock, qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """The start of the program."""
    yield Start(paths, clock, qapp, monkeypatch)
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def lose(paths: AppPaths) -> None:
    for path in paths.data.glob("lifehelper.db*"):
        path.unlink()


def damage(paths: AppPaths) -> None:
    lose(paths)
    paths.database.write_bytes(BROKEN)


def test_x6_corrupt_database_offers_backup(paths: AppPaths, filled: list[bytes], begin: Start) -> None:
    damage(paths)
    assert begin(RESTORE) == 0
    assert begin.titles == [["하루 걷기", "잠들기 전 할 일 적기"]]
    assert sorted(begin.boxes[0]) == sorted([LEAVE, RESTORE])  # never an empty start beside a backup
    [text] = begin.texts
    assert text.startswith("기록 파일이 손상되어 열 수 없어요.")
    assert "(하루 한 번) · 습관 2개, 기록 1개" in text
    [aside] = paths.data.glob("*.broken-*")
    assert aside.read_bytes() == BROKEN


def test_x6_the_next_good_backup_where_the_newest_is_damaged_too(
    paths: AppPaths, filled: list[bytes], begin: Start
) -> None:
    damage(paths)
    newest = backups.list_backups(paths)[-1]
    newest.write_bytes(newest.read_bytes()[:5000])
    assert begin(RESTORE) == 0
    assert begin.titles == [["하루 걷기"]]
    assert "(직접 만듦) · 습관 1개, 기록 1개" in begin.texts[0]


def test_x6_a_backup_that_breaks_under_the_hand_leads_to_the_next_one(
    paths: AppPaths, filled: list[bytes], begin: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(paths)
    restore: Callable[..., object] = start_rescue.restore_backup

    def breaks(where: AppPaths, backup: object) -> object:
        if not begin.answers:
            return restore(where, backup)
        backups.list_backups(paths)[-1].write_bytes(b"gone bad")
        raise DatabaseCorrupt(where)

    monkeypatch.setattr(start_rescue, "restore_backup", breaks)
    assert begin(RESTORE, RESTORE) == 0
    assert begin.titles == [["하루 걷기"]]


def test_leaving_changes_nothing(paths: AppPaths, filled: list[bytes], begin: Start) -> None:
    damage(paths)
    assert begin(LEAVE) == 3
    assert paths.database.read_bytes() == BROKEN
    assert [path.read_bytes() for path in backups.list_backups(paths)] == filled
    assert begin.titles == []


def test_a_missing_file_offers_the_backup(paths: AppPaths, filled: list[bytes], begin: Start) -> None:
    lose(paths)
    assert begin(RESTORE) == 0
    assert sorted(begin.boxes[0]) == sorted([LEAVE, RESTORE, ANEW])
    assert "기록 파일이 제자리에 없어요" in begin.texts[0]
    assert begin.titles == [["하루 걷기", "잠들기 전 할 일 적기"]]


def test_a_missing_file_starts_empty_on_the_users_word_only(
    paths: AppPaths, filled: list[bytes], begin: Start, clock: FixedClock
) -> None:
    lose(paths)
    assert begin(LEAVE) == 3
    assert not paths.database.exists()
    assert begin(ANEW) == 0
    assert begin.titles == [[]]
    assert [path.read_bytes() for path in backups.list_backups(paths)] == filled
    with closing(open_store(paths, clock)) as store:
        assert store.habits.list() == []


def test_without_any_good_backup_the_damaged_file_goes_aside_when_asked(paths: AppPaths, begin: Start) -> None:
    paths.data.mkdir(parents=True)
    damage(paths)
    assert begin(ANEW) == 0
    assert RESTORE not in begin.boxes[0]
    [aside] = paths.data.glob("*.broken-*")
    assert aside.read_bytes() == BROKEN
    assert begin.titles == [[]]


def test_a_disk_that_is_full_is_told(
    paths: AppPaths, filled: list[bytes], begin: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    damage(paths)
    monkeypatch.setattr(shutil, "copyfile", full)
    assert begin(RESTORE, LEAVE) == 3
    assert "공간이 가득 차서" in begin.texts[1]
    assert paths.database.read_bytes() == BROKEN
