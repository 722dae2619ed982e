"""The list of changes: what it says, going back to before one, and doing it again."""

from __future__ import annotations

from datetime import date, timedelta

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.settings import THEME
from lifehelper_desktop.domain.habits import EntryValue, Habit
from lifehelper_desktop.storage.journal import ChangeState, Source, acting
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.history import HistoryDialog, Steps, take_steps
from lifehelper_desktop.ui.worker import Task
from tests.gui.work import Work, assert_named
from tests.helpers.worlds import add_habit
from tests.storage.transfer.support import HANDMADE

TODAY = date(2026, 8, 12)


def walk(store: Store) -> Habit:
    return add_habit(store, "daily-steps", started=TODAY - timedelta(days=3))


def titles(dialog: HistoryDialog) -> list[str]:
    return [line.title for line in dialog.list.lines]


def test_every_surface_is_named_with_its_time(work: Work, store: Store, clock: FixedClock) -> None:
    habit = walk(store)
    clock.set(clock.now() - timedelta(days=1))
    with acting(Source.COACH):
        store.entries.log(habit.id, EntryValue.DONE)
    clock.set(clock.now() + timedelta(days=1))
    for source in (Source.TRAY, Source.REMINDER, Source.CLI, Source.MCP):
        with acting(source):
            store.habits.pause(habit.id)
        store.habits.resume(habit.id)
    store.transfers.run(store.transfers.preview(HANDMADE / "mhabit_export.json"))
    dialog = work.open(HistoryDialog)
    details = [line.detail for line in dialog.list.lines]
    assert details[0] == "오늘 21:30 · 가져오기"
    assert "오늘 21:30 · 명령줄" in details
    assert "오늘 21:30 · 알림" in details
    assert "오늘 21:30 · 트레이" in details
    assert "오늘 21:30 · 다른 앱(MCP)" in details
    assert "어제 21:30 · 코치" in details
    assert "오늘 21:30 · 창" in details
    assert "하루 걷기 · 2026-08-11(화) ‘완료’ 기록" in titles(dialog)
    assert all(line.spoken.startswith(line.title) for line in dialog.list.lines)
    assert_named(dialog)


def test_undo_up_to_the_chosen_change(work: Work, store: Store) -> None:
    habit = walk(store)
    store.entries.log(habit.id, EntryValue.DONE, TODAY - timedelta(days=2), any_past_day=True)
    store.entries.log(habit.id, EntryValue.DONE, TODAY - timedelta(days=1))
    store.entries.log(habit.id, EntryValue.DONE)
    dialog = work.open(HistoryDialog)
    assert dialog.undo_button.text() == "이 변경 되돌리기…"
    work.qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    work.qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    assert dialog.undo_button.text() == "여기까지 3개 되돌리기…"
    work.qtbot.keyClick(dialog.list, Qt.Key.Key_Return)
    box = work.find(QMessageBox, "historyQuestion", dialog)
    assert box.text() == "이 변경까지 3개를 되돌릴까요?"
    assert box.informativeText().count("하루 걷기") == 3
    work.answer("historyQuestion", dialog, yes=False)
    assert len(store.entries.for_habit(habit.id)) == 3
    work.click("undoToHere", dialog)
    work.answer("historyQuestion", dialog, yes=True)
    assert store.entries.for_habit(habit.id) == {}
    assert dialog.notice.text == "변경 3개를 되돌렸어요."
    assert {entry[1] for entry in work.listener.changes.entries} == {"2026-08-10", "2026-08-11", "2026-08-12"}
    states = [line.badge for line in dialog.list.lines]
    assert states == ["되돌림", "되돌림", "되돌림", ""]
    # And forward again, the oldest first.
    dialog.list.setCurrentRow(1)
    assert dialog.redo_button.text() == "여기까지 2개 다시 하기…"
    assert not dialog.undo_button.isVisible()
    work.click("redoToHere", dialog)
    work.answer("historyQuestion", dialog, yes=True)
    assert sorted(store.entries.for_habit(habit.id)) == [TODAY - timedelta(days=2), TODAY - timedelta(days=1)]
    assert dialog.notice.text == "변경 2개를 다시 했어요."


def test_many_changes_are_not_all_named_in_the_question(work: Work, store: Store) -> None:
    habit = walk(store)
    for number in range(8):
        store.entries.change(habit.id, TODAY - timedelta(days=number), EntryValue.DONE)
    dialog = work.open(HistoryDialog)
    dialog.list.setCurrentRow(7)
    dialog.ask_undo()
    box = work.find(QMessageBox, "historyQuestion", dialog)
    assert "그 밖에 3개" in box.informativeText()
    work.answer("historyQuestion", dialog, yes=False)


def test_a_change_in_between_is_never_undone_unseen(work: Work, store: Store) -> None:
    habit = walk(store)
    store.entries.log(habit.id, EntryValue.DONE)
    dialog = work.open(HistoryDialog)
    planned = dialog.planned(ChangeState.DONE)
    with acting(Source.TRAY):
        store.entries.change(habit.id, TODAY - timedelta(days=1), EntryValue.DONE)
    dialog.take(planned)
    work.wait(dialog)
    assert dialog.notice.text == "그사이에 다른 변경이 있어서 멈췄어요."
    assert len(store.entries.for_habit(habit.id)) == 2
    assert len(titles(dialog)) == 3


def test_a_change_that_something_else_built_upon_is_passed_over(work: Work, store: Store) -> None:
    habit = walk(store)
    store.habits.set_frame(habit.id, 2, "저녁을 먹은 뒤 10분 걷는다")
    store.entries.change(habit.id, TODAY, EntryValue.DONE)
    with store.db.write():
        store.db.sql("UPDATE entry SET note = 'x'")
        store.journal.leave_out()  # as a version that keeps no journal would
    dialog = work.open(HistoryDialog)
    dialog.list.setCurrentRow(1)
    dialog.take(dialog.planned(ChangeState.DONE))
    work.wait(dialog)
    assert "그대로 두었어요" in dialog.notice.text
    assert dialog.notice.text.startswith("되돌렸어요:")
    assert [line.badge for line in dialog.list.lines] == ["그 뒤에 달라짐", "되돌림", ""]
    assert store.habits.get(habit.id).framed_text == habit.framed_text


def test_stopping_keeps_what_was_undone_whole(store: Store) -> None:
    habit = walk(store)
    for number in range(3):
        store.entries.change(habit.id, TODAY - timedelta(days=number), EntryValue.DONE)
    task = Task(lambda moved: task.stop.set() if moved.done == 1 else None)
    steps: Steps = take_steps(store.journal, store.journal.history()[:3], task, again=False)
    assert (len(steps.done), steps.problem) == (2, "멈췄어요.")
    assert len(store.entries.for_habit(habit.id)) == 1


def test_settings_are_told_to_the_window(work: Work, store: Store) -> None:
    store.settings.set(THEME, "dark")
    dialog = work.open(HistoryDialog)
    dialog.take(dialog.planned(ChangeState.DONE))
    work.wait(dialog)
    work.qtbot.waitUntil(lambda: THEME.key in work.listener.changes.settings)
    assert dialog.notice.text == "되돌렸어요: 설정 바꾸기: 테마."


def test_nothing_yet_and_then_something_from_elsewhere(work: Work, store: Store) -> None:
    dialog = work.open(HistoryDialog)
    assert work.text("historyEmpty", dialog) == "되돌릴 것이 아직 없어요."
    assert not dialog.undo_button.isEnabled()
    habit, changes = store.habits.get(walk(store).id), store.habits.pause(1)
    assert habit.id == 1
    work.bus.publish_data(changes)
    work.qtbot.waitUntil(lambda: len(titles(dialog)) == 2)
