"""Days on the page of one habit: they can be changed, cleared and taken back, and today is marked there."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.changes import Changes
from lifehelper_desktop.domain.habits import MARKS, EntryValue, Habit, HabitStatus
from lifehelper_desktop.domain.rules import NOTE_MAX
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Trouble
from tests.gui.detail import GAP_DAY, TODAY, Detail, OpenDetail, open_detail, todo
from tests.helpers.worlds import world_1

__all__ = ["open_detail", "todo"]


@pytest.fixture
def detail(open_detail: OpenDetail, todo: Habit) -> Detail:
    return open_detail(todo)


# ---- editing a day --------------------------------------------------------------------------------------------------


def test_enter_opens_the_day_and_save_stores_it(detail: Detail, qtbot: QtBot) -> None:
    detail.focus(GAP_DAY)
    detail.press(Qt.Key.Key_Return)
    editor = detail.editor
    assert detail.text("dayState", editor) == "기록 없음"
    assert editor.values[EntryValue.DONE].isChecked()
    editor.values[EntryValue.MINIMUM].click()
    editor.note.setPlainText("한 줄만 썼다")
    detail.click("daySave", editor)
    assert detail.page.editor is None
    assert detail.value(GAP_DAY) is EntryValue.MINIMUM
    assert detail.note(GAP_DAY) == "한 줄만 썼다"
    detail.wait_words(GAP_DAY, "최소 · 한 줄만 썼다")
    assert detail.page.notice.text == "8월 7일(금) · ‘최소’로 적었어요."
    assert detail.grid.day == GAP_DAY


def test_a_click_opens_the_day(detail: Detail) -> None:
    detail.click_day(GAP_DAY)
    assert "2026년 8월 7일 금요일" in detail.editor.windowTitle()
    detail.editor.reject()
    assert detail.value(GAP_DAY) is None


@pytest.mark.parametrize("value", MARKS)
def test_each_value_is_stored_and_taken_back(detail: Detail, value: EntryValue) -> None:
    before = detail.store.entries.for_habit(detail.habit.id)
    detail.page.open_day(GAP_DAY)
    detail.editor.values[value].click()
    detail.click("daySave", detail.editor)
    assert detail.value(GAP_DAY) is value
    detail.undo()
    assert detail.store.entries.for_habit(detail.habit.id) == before
    detail.wait_words(GAP_DAY, "기록 없음")


def test_a_day_is_cleared_and_comes_back_with_its_note(detail: Detail, store: Store) -> None:
    day = date(2026, 8, 9)
    store.entries.change(detail.habit.id, day, EntryValue.DONE, "셋 다 적었다")
    detail.page.refresh()
    detail.page.open_day(day)
    detail.click("dayClear", detail.editor)
    assert detail.value(day) is None
    assert detail.page.notice.text == "8월 9일(일) 기록을 지웠어요."
    detail.undo()
    assert detail.value(day) is EntryValue.DONE
    assert detail.note(day) == "셋 다 적었다"


def test_only_the_note_changes(detail: Detail, qtbot: QtBot) -> None:
    day = date(2026, 8, 9)
    detail.page.open_day(day)
    detail.editor.note.setPlainText("첫 줄\n둘째 줄")
    qtbot.keyClick(detail.editor.note, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert detail.note(day) == "첫 줄\n둘째 줄"
    assert detail.value(day) is EntryValue.DONE
    assert detail.page.notice.text == "8월 9일(일) 메모를 바꾸었어요."
    detail.undo()
    assert detail.note(day) == ""


def test_saving_what_is_there_changes_nothing(detail: Detail, store: Store) -> None:
    history = store.journal.history()
    detail.page.open_day(date(2026, 8, 9))
    detail.click("daySave", detail.editor)
    assert store.journal.history() == history
    assert detail.page.notice.text == ""


def test_what_came_from_elsewhere_meanwhile_is_not_overwritten_unseen(detail: Detail, store: Store) -> None:
    detail.page.open_day(GAP_DAY)
    editor = detail.editor
    store.entries.change(detail.habit.id, GAP_DAY, EntryValue.MINIMUM, "코치에게 말했다")
    editor.note.setPlainText("여기서 적은 말")
    detail.click("daySave", editor)
    assert detail.note(GAP_DAY) == "코치에게 말했다"
    assert editor.isVisible()
    assert "그사이" in detail.text("dayProblem", editor)
    assert detail.text("dayState", editor) == "최소 · 코치에게 말했다"
    assert editor.note.toPlainText() == "여기서 적은 말"
    detail.click("daySave", editor)  # seen now
    assert (detail.value(GAP_DAY), detail.note(GAP_DAY)) == (EntryValue.DONE, "여기서 적은 말")


def test_a_day_that_was_cleared_meanwhile_is_told(detail: Detail, store: Store) -> None:
    day = date(2026, 8, 6)
    detail.page.open_day(day)
    editor = detail.editor
    store.entries.change(detail.habit.id, day, None)
    detail.click("dayClear", editor)
    assert "그사이" in detail.text("dayProblem", editor)
    assert not editor.clear_button.isVisible()


def test_a_note_may_be_as_long_as_storage_takes(detail: Detail) -> None:
    detail.page.open_day(GAP_DAY)
    editor = detail.editor
    editor.note.setPlainText("가" * (NOTE_MAX + 1))
    assert not editor.save_button.isEnabled()
    assert detail.text("dayNoteCount", editor) == f"{NOTE_MAX + 1}/{NOTE_MAX}"
    assert detail.text("dayProblem", editor) == "메모는 200자까지 적을 수 있어요."
    editor.note.setPlainText("가" * NOTE_MAX)
    assert not detail.text("dayProblem", editor)
    detail.click("daySave", editor)
    assert detail.note(GAP_DAY) == "가" * NOTE_MAX


def test_space_marks_an_empty_day_as_done(detail: Detail) -> None:
    detail.focus(GAP_DAY)
    detail.press(Qt.Key.Key_Space)
    assert detail.value(GAP_DAY) is EntryValue.DONE
    detail.wait_words(GAP_DAY, "완료")
    detail.undo()
    assert detail.value(GAP_DAY) is None


def test_space_leaves_a_recorded_day_as_it_is(detail: Detail, store: Store) -> None:
    store.entries.change(detail.habit.id, GAP_DAY, EntryValue.BLANK, "여행")  # meanwhile, elsewhere
    detail.focus(GAP_DAY)
    detail.press(Qt.Key.Key_Space)
    assert detail.value(GAP_DAY) is EntryValue.BLANK
    detail.wait_words(GAP_DAY, "쉬기 · 여행")
    detail.press(Qt.Key.Key_Space)
    assert detail.page.notice.text == "8월 7일 금요일 · 쉬기 · 여행"
    detail.undo()  # its action opens the day
    assert detail.editor.values[EntryValue.BLANK].isChecked()
    detail.editor.reject()


def test_undo_leaves_alone_what_changed_since(detail: Detail, store: Store) -> None:
    detail.focus(GAP_DAY)
    detail.press(Qt.Key.Key_Space)
    store.entries.change(detail.habit.id, GAP_DAY, EntryValue.MINIMUM)
    detail.undo()
    assert detail.value(GAP_DAY) is EntryValue.MINIMUM
    assert "그대로 두었어요" in detail.page.notice.text


def test_undo_after_another_change_puts_only_the_day_back(detail: Detail, store: Store) -> None:
    detail.focus(GAP_DAY)
    detail.press(Qt.Key.Key_Space)
    store.entries.change(detail.habit.id, date(2026, 8, 3), EntryValue.BLANK)
    detail.undo()
    assert detail.value(GAP_DAY) is None
    assert detail.value(date(2026, 8, 3)) is EntryValue.BLANK


def test_a_day_before_the_start_moves_the_start(detail: Detail, store: Store) -> None:
    day = date(2026, 7, 20)
    detail.click_day(day)
    editor = detail.editor
    assert detail.text("dayState", editor) == "시작하기 전"
    assert detail.text("dayHintText", editor).startswith("시작한 날(2026. 8. 1.)보다 앞선 날이에요.")
    detail.click("daySave", editor)
    assert store.habits.get(detail.habit.id).start == day
    detail.wait_words(day + timedelta(days=1), "기록 없음")
    assert detail.text("detailSchedule") == "매일 · 2026. 7. 20.부터"
    detail.undo()
    assert store.habits.get(detail.habit.id).start == detail.habit.start
    detail.wait_words(day, "시작하기 전")


def test_a_refusal_is_told_in_the_dialog_and_nothing_is_lost(detail: Detail, store: Store) -> None:
    detail.page.open_day(GAP_DAY)
    editor = detail.editor
    editor.note.setPlainText("적어 둔 말")
    store.habits.archive(detail.habit.id)  # meanwhile, elsewhere
    detail.click("daySave", editor)
    assert detail.text("dayProblem", editor) == "쉬거나 보관한 습관이에요. 다시 시작하면 기록할 수 있어요."
    assert editor.note.toPlainText() == "적어 둔 말"
    editor.reject()


def test_a_full_disk_is_told(detail: Detail, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object, **_more: object) -> Changes:
        raise WorldError("저장 공간이 가득 찼어요.", "공간을 비워 주세요.")

    told: list[object] = []
    detail.bus.on_notice(told.append)
    monkeypatch.setattr(store.entries, "change", full)
    detail.page.open_day(GAP_DAY)
    detail.click("daySave", detail.editor)
    assert "저장 공간이 가득 찼어요." in detail.text("dayProblem", detail.editor)
    detail.qtbot.waitUntil(lambda: len(told) == 1)
    assert isinstance(told[0], Trouble)
    detail.editor.reject()


def test_a_day_in_a_pause_can_only_be_read(detail: Detail, store: Store, clock: FixedClock) -> None:
    store.habits.pause(detail.habit.id)
    clock.set(datetime(2026, 8, 20, 12, tzinfo=UTC))
    detail.page.refresh()
    detail.page.open_day(date(2026, 8, 15))
    editor = detail.editor
    assert detail.text("dayHintText", editor) == "쉬어 가던 날이라 새로 적지 않아도 괜찮아요."
    assert not any(mark.isEnabled() for mark in editor.values.values())
    assert not editor.save_button.isVisible()
    editor.reject()
    assert detail.text("detailState") == "쉬는 중이에요. 이어 온 날은 그대로 있어요."
    detail.click("detailResume")
    assert store.habits.get(detail.habit.id).status is HabitStatus.ACTIVE


def test_an_archived_habit_can_only_be_read(detail: Detail, store: Store) -> None:
    store.entries.change(detail.habit.id, date(2026, 8, 9), EntryValue.DONE, "적은 말")
    store.habits.archive(detail.habit.id)
    detail.page.refresh()
    assert detail.text("detailState").startswith("2026. 8. 12.에 보관했어요.")
    assert detail.text("detailArchived") == "보관함"
    assert not detail.page.edit_button.isEnabled()
    assert not detail.page.reminders_button.isEnabled()
    assert not detail.page.findChild(QPushButton, "detailMark_done").isVisible()
    detail.focus(GAP_DAY)
    detail.press(Qt.Key.Key_Space)
    assert detail.page.notice.text == "보관한 습관이라 기록을 읽기만 할 수 있어요."
    detail.page.open_day(date(2026, 8, 9))
    editor = detail.editor
    assert detail.text("dayHintText", editor) == "보관한 습관이라 기록을 읽기만 할 수 있어요."
    assert editor.note.toPlainText() == "적은 말"
    assert editor.note.isReadOnly()
    assert not editor.clear_button.isVisible()
    assert not editor.save_button.isVisible()
    editor.reject()
    assert detail.value(GAP_DAY) is None


# ---- today ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", MARKS)
def test_today_is_marked_and_taken_back(detail: Detail, value: EntryValue) -> None:
    detail.click(f"detailMark_{value.value}")
    assert detail.value(TODAY) is value
    detail.qtbot.waitUntil(lambda: bool(detail.text("detailMarkedText")))
    detail.click("detailUndo")
    assert detail.value(TODAY) is None
    detail.qtbot.waitUntil(lambda: not detail.text("detailMarkedText"))


def test_the_keyboard_stays_in_the_row_of_today(detail: Detail) -> None:
    detail.page.head.marks[EntryValue.DONE].setFocus()
    detail.click("detailMark_done")
    detail.qtbot.waitUntil(lambda: detail.page.head.undo_button.hasFocus())
    detail.click("detailUndo")
    detail.qtbot.waitUntil(lambda: detail.page.head.marks[EntryValue.DONE].hasFocus())


def test_on_a_new_day_nothing_is_written(detail: Detail, clock: FixedClock) -> None:
    clock.set(datetime(2026, 8, 13, 9, tzinfo=UTC))
    detail.click("detailMark_done")
    assert detail.value(TODAY) is None
    assert detail.value(date(2026, 8, 13)) is None
    assert detail.page.notice.text.startswith("새 하루가 시작됐어요.")
    detail.click("detailMark_done")
    assert detail.value(date(2026, 8, 13)) is EntryValue.DONE


def test_after_one_miss_the_minimum_is_enough(detail: Detail) -> None:
    assert detail.text("gapHintText") == "오늘은 최소 용량이면 충분해요."
    detail.click("gapMinimum")
    assert detail.value(TODAY) is EntryValue.MINIMUM
    detail.qtbot.waitUntil(lambda: not detail.text("gapHintText"))


def test_after_two_misses_a_new_start_is_offered(detail: Detail, store: Store) -> None:
    store.entries.change(detail.habit.id, date(2026, 8, 10), None)
    detail.page.refresh()
    assert detail.text("gapHintText") == "다시 시작하기 좋은 날이에요. 최소 용량 하나로 이어 볼까요?"
    assert detail.page.findChild(QPushButton, "gapMinimum").text() == "최소로 다시 시작"
    detail.click("gapMinimum")
    assert detail.value(TODAY) is EntryValue.MINIMUM


def test_without_a_gap_there_is_no_hint(open_detail: OpenDetail, store: Store) -> None:
    detail = open_detail(world_1(store)["walk"])
    assert not detail.text("gapHintText")
