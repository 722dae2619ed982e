"""The cards of the home screen: the trash and the pause, many of them, finding, and what one says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.i18n import set_language
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.habits import EntryValue, Habit, HabitStatus, Schedule, ScheduleKind
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.habits import HabitsScreen
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.habit_card import HabitCard
from lifehelper_desktop.ui.widgets.roving import MarkButton
from tests.gui.habit_cards import ALT, TODAY, Show, child, choose, heard, order, pause_many, screen, show, text
from tests.helpers.worlds import add_habit

__all__ = ["screen", "show"]


# ---- the trash and the pause ----------------------------------------------------------------------------------


def test_deleting_puts_into_the_trash_and_the_notice_takes_it_back(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    walk, todo = habits["walk"], habits["todo"]
    screen.cards[walk.id].setFocus()
    choose(screen.cards[walk.id], "delete")
    assert walk.id not in screen.cards
    assert [each.id for each in store.trash.list()] == [walk.id]
    assert screen.notice.text == "‘하루 걷기’ 습관을 휴지통에 넣었어요. 30일 동안 다시 꺼낼 수 있어요."
    assert screen.focusWidget() is screen.cards[todo.id]
    qtbot.mouseClick(child(screen, "noticeAction"), Qt.MouseButton.LeftButton)
    assert store.trash.list() == []
    assert walk.id in screen.cards
    assert order(store)[0] == walk.id


def test_a_paused_habit_moves_to_its_own_section(screen: HabitsScreen, habits: dict[str, Habit], store: Store) -> None:
    walk = habits["walk"]
    card = screen.cards[walk.id]
    choose(card, "pause")
    assert screen.cards[walk.id] is card
    assert card.y() > screen.cards[habits["social"].id].y()
    assert text(screen, "pausedTitle") == "쉬는 중"
    choose(card, "resume")
    assert store.habits.get(walk.id).status is HabitStatus.ACTIVE
    assert not child(screen, "pausedTitle").isVisible()


def test_many_paused_habits_are_folded_and_built_when_unfolded(
    qtbot: QtBot, show: Show, habits: dict[str, Habit], store: Store
) -> None:
    paused = pause_many(store, 7)
    screen = show()
    fold = child(screen, "foldPaused")
    assert isinstance(fold, QPushButton)
    assert fold.text().endswith("7개")
    assert "접혀" in fold.accessibleDescription()
    assert all(habit.id not in screen.cards for habit in paused)
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert "펼쳐져" in fold.accessibleDescription()
    assert screen.cards[paused[0].id].isVisible()
    qtbot.mouseClick(fold, Qt.MouseButton.LeftButton)
    assert not any(screen.cards[habit.id].isVisible() for habit in paused if habit.id in screen.cards)
    screen.show_habit(paused[-1].id)
    assert screen.focusWidget() is screen.cards[paused[-1].id]


def test_pausing_into_a_folded_section_leaves_the_focus_near(
    show: Show, habits: dict[str, Habit], store: Store
) -> None:
    pause_many(store, 8)
    screen = show()
    walk, todo = screen.cards[habits["walk"].id], screen.cards[habits["todo"].id]
    child(walk, "habitMenu").setFocus()
    choose(walk, "pause")
    assert not walk.isVisible()
    assert screen.focusWidget() is todo


# ---- many habits ----------------------------------------------------------------------------------------------


def test_cards_are_built_as_one_walks_down(qtbot: QtBot, show: Show, store: Store) -> None:
    paused = pause_many(store, 30)
    screen = show()
    screen.list.show_card(paused[0].id)
    built = len(screen.cards)
    assert built < 30
    assert child(screen, "moreHabits").isVisible()
    screen.list.focus(screen.cards[paused[0].id])
    for _step in range(60):
        qtbot.keyClick(screen.focusWidget(), Qt.Key.Key_Down)
    assert len(screen.cards) == 30
    assert screen.focusWidget() is screen.cards[paused[-1].id]
    assert not child(screen, "moreHabits").isVisible()


def test_what_has_not_changed_is_left_alone(
    show: Show, habits: dict[str, Habit], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = show()
    shown: list[int] = []
    monkeypatch.setattr(HabitCard, "_show", lambda card: shown.append(card.habit.id))
    screen.refresh()
    assert shown == []
    store.entries.log(habits["todo"].id, EntryValue.DONE)
    screen.refresh()
    assert shown == [habits["todo"].id]


def search_of(screen: HabitsScreen) -> QLineEdit:
    search = child(screen, "habitSearch")
    assert isinstance(search, QLineEdit)
    return search


def test_few_habits_need_no_search(screen: HabitsScreen) -> None:
    assert not search_of(screen).isVisible()
    assert not screen.begin_search()


def test_many_habits_are_found_by_title_and_initial_consonants(
    qtbot: QtBot, show: Show, habits: dict[str, Habit], store: Store
) -> None:
    pause_many(store, 12)
    screen = show()
    told = heard(screen)
    assert screen.begin_search()
    search = search_of(screen)
    assert screen.focusWidget() is search
    search.insert("하루")
    card = screen.cards[habits["walk"].id]
    visible = [each.habit.title("ko") for each in screen.cards.values() if each.isVisible()]
    assert "하루 걷기" in visible
    assert all("하루" in title for title in visible)
    assert told[-1] == f"습관 {len(visible)}개를 찾았어요"
    assert not card.facts.can_move
    search.setText("ㅎㄹ ㄱㄱ")
    assert [each.habit.title("ko") for each in screen.cards.values() if each.isVisible()] == ["하루 걷기"]
    search.setText("없는 이름")
    assert child(screen, "nothingFound").isVisible()
    qtbot.mouseClick(child(screen, "clearSearch"), Qt.MouseButton.LeftButton)
    assert search.text() == ""
    assert card.isVisible()
    assert card.facts.can_move


def test_the_search_ends_when_few_habits_are_left(show: Show, store: Store) -> None:
    paused = pause_many(store, 11)
    screen = show()
    search_of(screen).setText(paused[0].title("ko"))
    store.trash.delete(paused[1].id)
    screen.refresh()
    assert not search_of(screen).isVisible()
    assert search_of(screen).text() == ""
    assert child(screen, "foldPaused").isVisible()


# ---- what a card says -----------------------------------------------------------------------------------------


def test_the_numbers_of_the_shortcuts_stand_on_the_cards_and_follow_their_order(
    qtbot: QtBot, screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    def keys() -> list[str]:
        marks = [child(screen.cards[habits[name].id], "mark_done") for name in ("walk", "todo", "social")]
        return [mark.keys for mark in marks if isinstance(mark, MarkButton)]

    assert keys() == ["Ctrl+1", "Ctrl+2", "Ctrl+3"]
    card = screen.cards[habits["walk"].id]
    assert "Ctrl+1" in child(card, "mark_done").toolTip()
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Down, ALT)
    assert keys() == ["Ctrl+2", "Ctrl+1", "Ctrl+3"]
    screen.mark_number(1)
    assert store.entries.get(habits["todo"].id, TODAY) is not None


def test_fixed_weekdays_are_named_and_a_day_off_is_told(
    screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    walk = habits["walk"]
    assert not child(screen.cards[walk.id], "habitRhythm").isVisible()
    store.habits.set_schedule(walk.id, Schedule(ScheduleKind.WEEKDAYS, frozenset({2, 4})))
    screen.refresh()
    card = screen.cards[walk.id]
    assert text(card, "habitRhythm") == "화·목 · 오늘은 쉬는 날"
    assert card.week.day_button(TODAY).accessibleName() == "8월 12일(수) · 정한 날이 아님"
    assert "오늘은 쉬는 날" in card.accessibleDescription()


def test_times_a_week_are_counted_from_the_chosen_day(
    screen: HabitsScreen, habits: dict[str, Habit], store: Store
) -> None:
    walk = habits["walk"]  # done every day up to yesterday, Tuesday
    store.habits.set_schedule(walk.id, Schedule(ScheduleKind.PER_WEEK, times=3))
    screen.refresh()
    card = screen.cards[walk.id]
    assert text(card, "habitRhythm") == "일주일에 3번 · 이번 주 2/3"
    store.settings.set(WEEK_START, "sunday")
    screen.refresh()
    assert text(card, "habitRhythm") == "일주일에 3번 · 이번 주 3/3, 다 채웠어요"


def test_times_a_month_are_counted(screen: HabitsScreen, habits: dict[str, Habit], store: Store) -> None:
    walk = habits["walk"]
    store.habits.set_schedule(walk.id, Schedule(ScheduleKind.PER_MONTH, times=20))
    screen.refresh()
    assert text(screen.cards[walk.id], "habitRhythm") == "한 달에 20번 · 이번 달 11/20"


@pytest.mark.parametrize(("days", "words"), [(4, "다음: 3일 뒤"), (2, "다음: 내일")])
def test_every_n_days_says_when_the_next_time_is(
    screen: HabitsScreen, habits: dict[str, Habit], store: Store, days: int, words: str
) -> None:
    walk = habits["walk"]  # done yesterday
    store.habits.set_schedule(walk.id, Schedule(ScheduleKind.EVERY_DAYS, days=days))
    screen.refresh()
    assert text(screen.cards[walk.id], "habitRhythm") == f"{days}일마다 · {words}"


def test_every_n_days_is_due_today_when_the_gap_is_over(show: Show, store: Store) -> None:
    habit = add_habit(store, "daily-steps", started=TODAY - timedelta(days=70))
    store.habits.set_schedule(habit.id, Schedule(ScheduleKind.EVERY_DAYS, days=60))
    store.entries.change(habit.id, TODAY - timedelta(days=60), EntryValue.DONE)
    screen = show()
    assert text(screen.cards[habit.id], "habitRhythm") == "60일마다 · 다음: 오늘"


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("percent", [100, 200])
def test_nothing_is_cut_off_in_a_narrow_window(
    qtbot: QtBot, show: Show, habits: dict[str, Habit], percent: int, language: str
) -> None:
    set_language(language)
    theme().choose("light", percent)
    try:
        screen = show()
        screen.resize(440, 900)
        qtbot.waitUntil(lambda: screen.width() == 440)
        QCoreApplication.processEvents()
        for card in screen.cards.values():
            for each in card.findChildren(QWidget):
                if each.isVisible() and each.parentWidget() is not None:
                    inside = each.parentWidget().rect()
                    assert inside.contains(each.geometry()), (each.objectName(), each.geometry(), inside)
                if isinstance(each, QPushButton) and each.isVisible():
                    assert each.width() >= each.sizeHint().width(), each.text()
                if isinstance(each, QLabel) and each.isVisible() and each.text():
                    longest = max(map(each.fontMetrics().horizontalAdvance, each.text().split()))
                    assert each.width() >= longest, each.text()
    finally:
        theme().choose("light", 100)
