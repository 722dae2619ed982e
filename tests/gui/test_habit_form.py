"""The form of a habit: schedule, doses with R6 and R9 said while one types, and the name of an imported habit."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import WEEK_START
from lifehelper_desktop.domain.habits import Habit, Schedule, ScheduleKind
from lifehelper_desktop.domain.rules import RuleViolation
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog
from tests.gui.conftest import Gui, MakeGui, card_of
from tests.helpers.worlds import add_habit
from tests.storage.transfer.support import bring, write_loop

TODAY = date(2026, 8, 12)  # a Wednesday
TEN, THIRTY, ONE = "바깥 빛 10분 보기", "바깥 빛 30분 보기", "창가 1분"


@pytest.fixture
def young(store: Store) -> Habit:
    """A habit on its third day, with doses that can be compared."""
    habit = add_habit(store, "morning-sunlight", started=date(2026, 8, 10))
    store.habits.set_doses(habit.id, TEN, ONE)
    return store.habits.get(habit.id)


@pytest.fixture
def gui(make_gui: MakeGui) -> Gui:
    return make_gui()


def open_form(gui: Gui, habit: Habit) -> HabitDialog:
    gui.window.open_edit(gui.store.habits.get(habit.id))
    return form_of(gui)


def form_of(gui: Gui) -> HabitDialog:
    form = gui.window.dialogs["form"]
    assert isinstance(form, HabitDialog)
    return form


def note(form: HabitDialog, name: str) -> str:
    """Return what is said below a field, empty when nothing is."""
    label = form.findChild(QLabel, name)
    assert isinstance(label, QLabel)
    return label.text() if label.isVisible() else ""


# ---- schedule -------------------------------------------------------------------------------------------------


def test_a_new_habit_is_stored_with_its_schedule(gui: Gui, store: Store) -> None:
    entry = store.catalogue.get("morning-sunlight")
    assert entry is not None
    gui.window.open_add(entry)
    form = form_of(gui)
    form.schedule_editor.kinds[ScheduleKind.WEEKDAYS].click()
    for weekday in (1, 2, 3, 4, 5):
        form.schedule_editor.days.chips[weekday].click()
    assert form.problem == "요일을 하나 이상 골라 주세요."
    assert not form.save_button.isEnabled()
    form.schedule_editor.days.chips[2].click()
    form.schedule_editor.days.chips[4].click()
    gui.click("formSave", form)
    [habit] = store.habits.list()
    assert habit.schedule == Schedule(ScheduleKind.WEEKDAYS, frozenset({2, 4}))
    gui.qtbot.waitUntil(lambda: habit.id in gui.window.habits.cards)
    assert gui.text("habitRhythm", card_of(gui, habit)) == "화·목 · 오늘은 쉬는 날"


def test_changing_the_schedule_leaves_the_past_and_can_be_undone(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    gui, walk = make_gui(), habits["walk"]
    form = open_form(gui, walk)
    assert note(form, "scheduleNote") == ""
    form.schedule_editor.kinds[ScheduleKind.PER_WEEK].click()
    assert note(form, "scheduleNote") == "지난날은 그대로 두고, 오늘부터 이렇게 셀게요."
    gui.click("formSave", form)
    changed = store.habits.get(walk.id)
    assert changed.schedule == Schedule(ScheduleKind.PER_WEEK, times=3)
    assert [schedule.kind for _day, schedule in changed.schedules] == [ScheduleKind.DAILY, ScheduleKind.PER_WEEK]
    assert changed.schedules[1][0] == TODAY
    store.journal.undo()
    assert store.habits.get(walk.id).schedule.kind is ScheduleKind.DAILY


def test_a_schedule_that_is_left_alone_is_not_written(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store
) -> None:
    walk = habits["walk"]
    store.habits.set_anchors(walk.id, "저녁 7시", None)
    schedule = Schedule(ScheduleKind.EVERY_DAYS, days=4)
    store.habits.set_schedule(walk.id, schedule)
    gui = make_gui()
    form = open_form(gui, walk)
    assert form.schedule_editor.schedule == schedule
    form.schedule_editor.kinds[ScheduleKind.DAILY].click()
    form.schedule_editor.kinds[ScheduleKind.EVERY_DAYS].click()
    change = store.journal.next_undo()
    gui.click("formSave", form)
    assert store.journal.next_undo() == change
    assert store.habits.get(walk.id).schedule == schedule


def test_the_form_takes_the_start_of_the_week_from_the_settings(gui: Gui, young: Habit, store: Store) -> None:
    store.settings.set(WEEK_START, "sunday")
    form = open_form(gui, young)
    assert next(iter(form.schedule_editor.days.chips.values())).text() == "일"


# ---- doses ----------------------------------------------------------------------------------------------------


def test_a_raise_in_the_first_42_days_is_refused_before_saving_with_the_day(
    make_gui: MakeGui, young: Habit, store: Store
) -> None:
    gui = make_gui()
    form = open_form(gui, young)
    form.standard.setText(THIRTY)
    said = note(form, "standardDoseNote")
    assert said.startswith("처음 42일은 같은 용량으로 다져요. 9월 21일(월)부터 올릴 수 있어요.")
    assert "줄이는 것은 언제든 좋아요" in said
    assert form.standard.accessibleDescription() == said
    assert not form.save_button.isEnabled()
    form.standard.setText("바깥 빛 5분 보기")
    assert note(form, "standardDoseNote") == ""
    gui.click("formSave", form)
    assert store.habits.get(young.id).standard_dose == "바깥 빛 5분 보기"


def test_the_day_of_the_raise_counts_only_days_of_the_schedule(gui: Gui, young: Habit, store: Store) -> None:
    store.habits.set_schedule(young.id, Schedule(ScheduleKind.WEEKDAYS, frozenset({3})))  # Wednesdays from today on
    day = store.habits.dose_raise_from(young.id, THIRTY)
    assert day is not None
    assert day.isoweekday() == 3
    assert (day - TODAY).days == 7 * 40  # phase day 3 today, 43 in forty Wednesdays
    with pytest.raises(RuleViolation, match=day.isoformat()):
        store.habits.set_doses(young.id, THIRTY, ONE)
    form = open_form(gui, young)
    form.standard.setText(THIRTY)
    assert "2027년 5월 19일(수)부터" in note(form, "standardDoseNote")


def test_after_42_days_the_dose_may_rise(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    walk = habits["walk"]  # day 43
    gui = make_gui()
    form = open_form(gui, walk)
    form.standard.setText("하루 9,000보")
    assert note(form, "standardDoseNote") == ""
    gui.click("formSave", form)
    assert store.habits.get(walk.id).standard_dose == "하루 9,000보"


@pytest.mark.parametrize(("minimum", "said"), [("  ", "가장 힘든 날에도"), (TEN, "표준과 달라야 해요")])
def test_the_minimum_is_asked_for_where_one_types(gui: Gui, young: Habit, minimum: str, said: str) -> None:
    form = open_form(gui, young)
    form.minimum.setText(minimum)
    assert said in note(form, "minimumDoseNote")
    assert not form.save_button.isEnabled()
    form.minimum.setText("창문 열기")
    assert note(form, "minimumDoseNote") == ""
    assert form.save_button.isEnabled()


def test_what_became_a_raise_meanwhile_is_refused_inside_the_form(
    make_gui: MakeGui, young: Habit, store: Store
) -> None:
    gui = make_gui()
    form = open_form(gui, young)
    form.standard.setText("바깥 빛 9분 보기")
    store.habits.set_doses(young.id, "바깥 빛 5분 보기", ONE)  # meanwhile, on the command line
    gui.click("formSave", form)
    assert "42일" in form.notice.text
    assert form.isVisible()


def test_trouble_with_the_disk_while_typing_is_told_and_the_form_stays(
    gui: Gui, young: Habit, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = open_form(gui, young)

    def broken(*_args: object) -> None:
        raise WorldError("읽지 못했어요.", "다시 해 보세요.")

    monkeypatch.setattr(store.habits, "dose_raise_from", broken)
    form.standard.setText(THIRTY)
    gui.qtbot.waitUntil(lambda: "읽지 못했어요" in gui.window.trouble.text)
    assert form.isVisible()


# ---- imported habits ------------------------------------------------------------------------------------------


@pytest.fixture
def sport(store: Store, tmp_path: Path) -> Habit:
    """A habit of another tracker, without protocol, sentence or doses of its own."""
    days = [(1, "2026-08-10", 2, "")]
    bring(store, write_loop(tmp_path / "loop.db", [{"name": "운동"}], days))
    return store.habits.list()[0]


def test_an_imported_habit_can_be_renamed_and_gets_its_doses(make_gui: MakeGui, sport: Habit, store: Store) -> None:
    gui = make_gui()
    form = open_form(gui, sport)
    title = form.findChild(QLineEdit, "habitTitleEdit")
    assert isinstance(title, QLineEdit)
    assert title.text() == "운동"
    title.setText("   ")
    assert form.problem == "습관의 이름을 적어 주세요."
    title.setText("아침  운동")
    form.frame_editor.edit.setText("아침에 몸을 움직인다")
    form.when.setText("07:30")
    form.standard.setText("20분 걷기")
    form.minimum.setText("5분 걷기")
    gui.click("formSave", form)
    saved = store.habits.get(sport.id)
    assert (saved.title_ko, saved.title_en) == ("아침 운동", "아침 운동")
    assert (saved.standard_dose, saved.minimum_dose) == ("20분 걷기", "5분 걷기")
    gui.qtbot.waitUntil(lambda: gui.text("habitTitle", card_of(gui, saved)) == "아침 운동")
    store.journal.undo()
    assert store.habits.get(sport.id).title_ko == "운동"


def test_a_renamed_habit_is_known_when_the_file_comes_again(store: Store, sport: Habit, tmp_path: Path) -> None:
    store.habits.update(sport.id, title="아침 운동")
    bring(store, write_loop(tmp_path / "again.db", [{"name": "운동"}], [(1, "2026-08-10", 2, "")]))
    assert [habit.title_ko for habit in store.habits.list()] == ["아침 운동"]


def test_a_habit_of_the_catalogue_keeps_its_name(gui: Gui, young: Habit, store: Store) -> None:
    assert open_form(gui, young).findChild(QLineEdit, "habitTitleEdit") is None
    with pytest.raises(RuleViolation) as refused:
        store.habits.update(young.id, title="다른 이름")
    assert refused.value.code == "validation"


@pytest.mark.parametrize("title", ["", " \u200b ", "가" * 201])
def test_a_name_has_to_be_seen_and_to_fit(store: Store, sport: Habit, title: str) -> None:
    with pytest.raises(RuleViolation):
        store.habits.update(sport.id, title=title)
    assert store.habits.get(sport.id).title_ko == "운동"
