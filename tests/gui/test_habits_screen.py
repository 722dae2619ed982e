"""Today's habits: marks with undo, the week, pause and archive, hints, and the true state after a failed write."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QWidget

from lifehelper_desktop.base.clock import FixedClock
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.domain.habits import MARKS, EntryValue, Habit, HabitStatus
from lifehelper_desktop.storage.store import Store
from tests.gui.conftest import Gui, MakeGui, card_of
from tests.helpers.worlds import add_habit

TODAY = date(2026, 8, 12)


@pytest.fixture
def gui(make_gui: MakeGui, habits: dict[str, Habit]) -> Gui:
    return make_gui()


def trigger(menu: QMenu, name: str) -> None:
    action = next(each for each in menu.actions() if each.objectName() == name)
    assert action.isEnabled()
    action.trigger()


@pytest.mark.parametrize("value", MARKS)
def test_a_mark_writes_today_and_undo_takes_it_back(
    gui: Gui, habits: dict[str, Habit], store: Store, value: EntryValue
) -> None:
    walk = habits["walk"]
    card = card_of(gui, walk)
    before = gui.text("habitStreak", card)
    gui.click(f"mark_{value.value}", card)
    entry = store.entries.get(walk.id, TODAY)
    assert entry is not None
    assert entry.value is value
    assert not card.findChild(QPushButton, "mark_done").isVisible()
    assert gui.text("markedText", card)
    gui.click("undoToday", card)
    assert store.entries.get(walk.id, TODAY) is None
    assert gui.text("habitStreak", card) == before


def test_numbers_on_the_card(gui: Gui, habits: dict[str, Habit]) -> None:
    walk, social = card_of(gui, habits["walk"]), card_of(gui, habits["social"])
    assert gui.text("habitStreak", walk) == "연속 42일"
    assert gui.text("habitTier", walk) == "나무"
    assert gui.text("habitPhase", walk) == "유지기 43일째"
    assert gui.text("habitStreak", social) == "계획을 지킨 날 7일"
    assert gui.text("habitPhase", social) == "형성기 8/42일"
    assert gui.text("habitFrame", walk) == habits["walk"].framed_text
    assert gui.text("todaySummary") == "오늘 습관 3개 가운데 0개 기록했어요."
    assert gui.text("todayTitle") == "8월 12일 수요일"


def test_places_are_counted(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    assert gui.text("places_build") == "1자리 남음"
    assert gui.text("places_break") == "자리가 다 찼어요"
    add_habit(store, "morning-sunlight")
    gui.window.refresh()
    assert gui.text("places_build") == "자리가 다 찼어요"


def test_an_empty_store_invites(make_gui: MakeGui) -> None:
    gui = make_gui()
    assert gui.text("places_build") == "3자리 남음"
    assert gui.text("places_break") == "1자리 남음"
    gui.click("choose_break")
    catalogue = gui.window.catalogue
    assert catalogue is not None
    assert catalogue.isVisible()
    assert catalogue.kind.currentText() == "깨기"


def test_after_one_miss_the_minimum_is_enough(gui: Gui, habits: dict[str, Habit]) -> None:
    card = card_of(gui, habits["todo"])  # nothing on 8/11
    assert gui.text("missHintText", card) == "오늘은 최소 용량이면 충분해요."
    assert not card.findChild(QPushButton, "restartMinimum").isVisible()
    assert not card_of(gui, habits["walk"]).findChild(QWidget, "missHint").isVisible()
    gui.click("mark_minimum", card)
    assert not card.findChild(QWidget, "missHint").isVisible()


def test_after_two_misses_a_restart_is_offered(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    todo = habits["todo"]
    store.entries.change(todo.id, date(2026, 8, 10), None)
    gui.window.refresh()
    card = card_of(gui, todo)
    gui.click("restartMinimum", card)
    entry = store.entries.get(todo.id, TODAY)
    assert entry is not None
    assert entry.value is EntryValue.MINIMUM


def test_the_week_edits_any_of_its_days(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    todo, yesterday = habits["todo"], TODAY - timedelta(days=1)
    week = card_of(gui, todo).week
    assert week.day_button(yesterday).accessibleName() == "8월 11일(화) · 기록 없음"
    trigger(week.menu_for(yesterday), "day_blank")
    assert store.entries.get(todo.id, yesterday).value is EntryValue.BLANK  # type: ignore[union-attr]
    trigger(week.menu_for(yesterday), "day_done")
    assert store.entries.get(todo.id, yesterday).value is EntryValue.DONE  # type: ignore[union-attr]
    assert week.day_button(yesterday).accessibleName() == "8월 11일(화) · 완료"
    trigger(week.menu_for(yesterday), "day_delete")
    assert store.entries.get(todo.id, yesterday) is None


@pytest.mark.qt_log_ignore("This plugin does not support grabbing", extend=True)
def test_a_click_on_a_day_opens_its_menu(gui: Gui, habits: dict[str, Habit]) -> None:
    week = card_of(gui, habits["todo"]).week
    gui.qtbot.mouseClick(week.day_button(TODAY), Qt.MouseButton.LeftButton)
    menu = next(each for each in week.findChildren(QMenu) if each.isVisible())
    menu.close()


def test_pause_and_resume(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    walk = habits["walk"]
    trigger(card_of(gui, walk).menu(), "habit_pause")
    assert store.habits.get(walk.id).status is HabitStatus.PAUSED
    assert gui.text("places_build") == "2자리 남음"
    paused = card_of(gui, walk)
    gui.find(QWidget, "pausedRow", paused)
    assert not paused.findChild(QPushButton, "mark_done").isVisible()
    gui.click("resumeHabit", paused)
    assert store.habits.get(walk.id).status is HabitStatus.ACTIVE
    gui.find(QPushButton, "mark_done", card_of(gui, walk))


def test_the_notice_after_pausing_takes_it_back(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    trigger(card_of(gui, habits["walk"]).menu(), "habit_pause")
    gui.click("noticeAction")
    assert store.habits.get(habits["walk"].id).status is HabitStatus.ACTIVE


@pytest.mark.parametrize("yes", [True, False])
def test_archiving_asks_first(gui: Gui, habits: dict[str, Habit], store: Store, yes: bool) -> None:
    trigger(card_of(gui, habits["walk"]).menu(), "habit_archive")
    box = gui.window.habits.archive_question
    assert box is not None
    if yes:
        gui.click("archiveYes", box)
    else:
        gui.qtbot.keyClick(box, Qt.Key.Key_Escape)
    archived = store.habits.get(habits["walk"].id).status is HabitStatus.ARCHIVED
    assert archived is yes
    assert (habits["walk"].id in gui.window.habits.cards) is not yes
    assert gui.window.habits.archive_question is None


def test_a_suggested_anchor_is_confirmed_with_one_click(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    card = card_of(gui, habits["walk"])
    gui.find(QWidget, "anchorHint", card)
    gui.click("confirmAnchor", card)
    assert store.habits.get(habits["walk"].id).anchor_source == "user"
    assert not card.findChild(QWidget, "anchorHint").isVisible()


def test_a_refused_write_is_said_and_the_true_state_is_shown(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    walk = habits["walk"]
    store.entries.log(walk.id, EntryValue.BLANK)  # meanwhile, from the command line
    gui.click("mark_done", card_of(gui, walk))
    assert "기록이 이미 있어요" in gui.window.habits.notice.text
    assert gui.text("markedText", card_of(gui, walk)) == "오늘은 쉬기로 했어요"


def test_a_full_disk_is_said_and_the_true_state_is_shown(
    gui: Gui, habits: dict[str, Habit], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_args: object, **_more: object) -> None:
        raise WorldError("저장 공간이 가득 찼어요.", "공간을 비워 주세요.")

    monkeypatch.setattr(store.entries, "log", full)
    card = card_of(gui, habits["walk"])
    gui.click("mark_done", card)
    gui.qtbot.waitUntil(lambda: gui.window.trouble.text == "저장 공간이 가득 찼어요. 공간을 비워 주세요.")
    assert card.findChild(QPushButton, "mark_done").isVisible()
    gui.click("noticeClose", gui.window.trouble)
    assert gui.window.trouble.text == ""


def test_numbers_mark_habits_from_the_keyboard(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    gui.qtbot.keyClick(gui.window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert store.entries.get(habits["todo"].id, TODAY) is not None
    gui.click("noticeAction")
    assert store.entries.get(habits["todo"].id, TODAY) is None
    gui.qtbot.keyClick(gui.window, Qt.Key.Key_9, Qt.KeyboardModifier.ControlModifier)


def test_the_keyboard_stays_on_the_card_after_a_mark(gui: Gui, habits: dict[str, Habit]) -> None:
    card = card_of(gui, habits["walk"])
    done = card.findChild(QPushButton, "mark_done")
    done.setFocus()
    gui.qtbot.keyClick(done, Qt.Key.Key_Space)
    assert gui.window.focusWidget() is card.undo_button
    gui.qtbot.keyClick(card.undo_button, Qt.Key.Key_Space)
    assert gui.window.focusWidget() is done


def test_screen_readers_hear_the_card(gui: Gui, habits: dict[str, Habit]) -> None:
    card = card_of(gui, habits["walk"])
    title = gui.text("habitTitle", card)
    assert card.accessibleName() == f"{title} · 나무 · 연속 42일 · 유지기 43일째"
    for name in ("mark_done", "mark_minimum", "mark_blank", "habitMenu"):
        assert title in card.findChild(QWidget, name).accessibleName()


def test_the_next_day_shows_by_itself(gui: Gui, habits: dict[str, Habit], store: Store) -> None:
    gui.click("mark_done", card_of(gui, habits["walk"]))
    assert isinstance(store.clock, FixedClock)
    store.clock.set(datetime(2026, 8, 13, 3, 59, tzinfo=UTC))
    gui.window.watcher.check_day()
    assert gui.text("todayTitle") == "8월 12일 수요일"
    store.clock.set(datetime(2026, 8, 13, 4, 0, tzinfo=UTC))
    gui.window.watcher.check_day()
    assert gui.text("todayTitle") == "8월 13일 목요일"
    assert card_of(gui, habits["walk"]).findChild(QLabel, "markedText").isVisible() is False
