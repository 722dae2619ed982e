"""Archived habits and the trash in the window."""

from __future__ import annotations

from datetime import date, timedelta

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.domain.habits import Habit, HabitStatus
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.archive import ArchiveDialog
from tests.gui.work import Work, assert_named
from tests.helpers.worlds import add_habit

TODAY = date(2026, 8, 12)


def show(work: Work) -> ArchiveDialog:
    dialog = work.open(ArchiveDialog)
    work.qtbot.waitUntil(lambda: not dialog._reader.is_busy)
    return dialog


def titles(dialog: ArchiveDialog) -> tuple[list[str], list[str]]:
    return [line.title for line in dialog.archive.lines], [line.title for line in dialog.trash.lines]


def test_an_archived_habit_shows_the_numbers_of_its_last_day(
    work: Work, store: Store, habits: dict[str, Habit], clock: FixedClock
) -> None:
    store.habits.archive(habits["todo"].id)
    clock.set(clock.now() + timedelta(days=30))
    dialog = show(work)
    [line] = dialog.archive.lines
    assert line.title == "잠들기 전 할 일 적기"
    assert line.detail == "보관한 날: 8월 12일(수) · 기록 10개 · 가장 길게 10일 · 새싹"
    assert dialog.tabs.tabText(0) == "보관함 1"
    assert dialog.archive.hasFocus()
    assert_named(dialog)


def test_taken_up_again_by_key(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    store.habits.archive(habits["todo"].id)
    dialog = show(work)
    work.qtbot.keyClick(dialog.archive, Qt.Key.Key_Tab)
    focus = dialog.focusWidget()
    assert isinstance(focus, QPushButton)
    work.qtbot.keyClick(focus, Qt.Key.Key_Space)
    assert store.habits.get(habits["todo"].id).status is HabitStatus.ACTIVE
    assert dialog.notice.text == "‘잠들기 전 할 일 적기’ 습관을 다시 시작했어요."
    assert titles(dialog) == ([], [])
    assert work.text("archiveEmpty", dialog) == "보관한 습관이 없어요."
    work.qtbot.waitUntil(lambda: habits["todo"].id in work.listener.changes.habits)


def test_without_a_place_it_is_refused_in_words(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    store.habits.archive(habits["todo"].id)
    add_habit(store, "morning-sunlight")
    add_habit(store, "strength-training")
    dialog = show(work)
    work.click("resumeArchived", dialog)
    assert "세우는 습관은 동시에 3개까지예요" in dialog.notice.text
    assert store.habits.get(habits["todo"].id).status is HabitStatus.ARCHIVED


def test_into_the_trash_and_out_again(work: Work, store: Store, habits: dict[str, Habit], clock: FixedClock) -> None:
    store.habits.archive(habits["todo"].id)
    dialog = show(work)
    work.click("trashArchived", dialog)
    assert dialog.notice.text == "‘잠들기 전 할 일 적기’ 습관을 휴지통에 넣었어요."
    dialog.tabs.setCurrentIndex(1)
    [line] = dialog.trash.lines
    assert (line.detail, line.badge, line.kind) == ("지운 날: 오늘 · 기록 10개", "30일 남음", "plain")
    clock.set(clock.now() + timedelta(days=28))
    dialog.refresh()
    [line] = dialog.trash.lines
    assert (line.detail, line.badge, line.kind) == ("지운 날: 8월 12일(수) · 기록 10개", "2일 남음", "warn")
    work.click("restoreTrashed", dialog)
    assert dialog.notice.text == "‘잠들기 전 할 일 적기’ 습관을 휴지통에서 꺼내 보관함에 넣었어요."
    assert titles(dialog) == (["잠들기 전 할 일 적기"], [])


def test_out_of_the_trash_without_a_place(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    store.trash.delete(habits["todo"].id)
    add_habit(store, "morning-sunlight")
    add_habit(store, "strength-training")
    dialog = show(work)
    assert dialog.trash.lines
    dialog.tabs.setCurrentIndex(1)
    work.click("restoreTrashed", dialog)
    assert "3개까지예요" in dialog.notice.text
    assert store.trash.list()


def test_removed_for_good_only_after_the_question(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    store.trash.delete(habits["todo"].id)
    store.trash.delete(habits["social"].id)
    dialog = show(work)
    dialog.tabs.setCurrentIndex(1)
    dialog.trash.choose(habits["todo"].id)
    work.click("removeTrashed", dialog)
    box = work.find(QMessageBox, "removeQuestion", dialog)
    assert box.text() == "‘잠들기 전 할 일 적기’를 아주 지울까요?"
    assert box.informativeText() == "기록 10개도 함께 사라지고, 되돌리기로도 살릴 수 없어요."
    work.answer("removeQuestion", dialog, yes=False)
    assert len(store.trash.list()) == 2
    work.click("removeTrashed", dialog)
    work.answer("removeQuestion", dialog, yes=True)
    assert [habit.id for habit in store.trash.list()] == [habits["social"].id]
    work.click("emptyTrash", dialog)
    work.answer("emptyQuestion", dialog, yes=True)
    assert store.trash.list() == []
    assert dialog.notice.text == "휴지통을 비웠어요."
    assert work.text("trashEmpty", dialog) == "휴지통이 비어 있어요."


def test_what_happens_elsewhere_shows(work: Work, store: Store, habits: dict[str, Habit]) -> None:
    dialog = show(work)
    work.bus.publish_data(store.habits.archive(habits["walk"].id))
    work.qtbot.waitUntil(lambda: titles(dialog)[0] == ["하루 걷기"])
    work.qtbot.waitUntil(lambda: "기록 42개" in dialog.archive.lines[0].detail)
