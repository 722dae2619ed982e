"""The catalogue and the forms: searching, adding and changing habits, with every rule said where one types."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QRadioButton, QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.settings import AI_ENABLED
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.models.catalogue_list import ProtocolRole, SummaryRole
from lifehelper_desktop.ui.screens.catalogue import CatalogueScreen
from lifehelper_desktop.ui.screens.habit_dialog import HabitDialog
from tests.gui.conftest import Gui, MakeGui
from tests.helpers.worlds import add_habit


@pytest.fixture
def gui(make_gui: MakeGui) -> Gui:
    return make_gui()


def catalogue_of(gui: Gui) -> CatalogueScreen:
    gui.window.show_catalogue()
    assert gui.window.catalogue is not None
    return gui.window.catalogue


def open_add(gui: Gui, protocol_id: str = "morning-sunlight") -> HabitDialog:
    entry = gui.store.catalogue.get(protocol_id)
    assert entry is not None
    gui.window.open_add(entry)
    return form_of(gui)


def form_of(gui: Gui) -> HabitDialog:
    form = gui.window.dialogs["form"]
    assert isinstance(form, HabitDialog)
    return form


def ids(screen: CatalogueScreen) -> list[str]:
    return [screen.model.index(at).data(ProtocolRole).id for at in range(screen.model.rowCount())]


def test_the_catalogue_filters_and_searches(gui: Gui) -> None:
    screen = catalogue_of(gui)
    assert screen.model.rowCount() == 47
    screen.category.setCurrentIndex(screen.category.findData("sleep"))
    assert 0 < screen.model.rowCount() < 47
    assert "caffeine-cutoff" in ids(screen)
    screen.category.setCurrentIndex(0)
    screen.search.setText("걷기")
    assert "daily-steps" in ids(screen)
    screen.search.setText("없는낱말없는낱말")
    assert ids(screen) == []
    assert "다른 말로" in gui.text("catalogueCount")
    screen.search.setText("")
    screen.kind.setCurrentIndex(2)
    assert all(gui.store.catalogue.get(each).kind == "break" for each in ids(screen))  # type: ignore[union-attr]


def test_a_refresh_without_news_leaves_the_place(gui: Gui, store: Store) -> None:
    screen = catalogue_of(gui)
    screen.view.setCurrentIndex(screen.model.index(30))
    title = gui.find(QLabel, "detailTitle")
    gui.window.refresh()
    assert screen.view.currentIndex().row() == 30
    assert gui.find(QLabel, "detailTitle") is title
    add_habit(store, "morning-sunlight")
    gui.window.refresh()
    assert screen.view.currentIndex().row() == 30


@pytest.mark.parametrize("width", [900, 1280, 1900])
def test_a_row_is_as_high_as_its_words(gui: Gui, width: int) -> None:
    gui.window.resize(width, 800)
    view = catalogue_of(gui).view
    room = view.viewport().width() - 30  # edges and padding of the card, both sides
    metrics = QFontMetrics(view.font())
    bold = view.font()
    bold.setBold(True)
    wrap = int(Qt.TextFlag.TextWordWrap)
    lines = set()
    for at in range(view.model().rowCount()):
        index = view.model().index(at, 0)
        words = metrics.boundingRect(0, 0, room, 10_000, wrap, index.data(SummaryRole))
        beside = 22 if index.data(ProtocolRole).kind == "break" else 0  # the sign at its end
        title = QFontMetrics(bold).boundingRect(0, 0, room - beside, 10_000, wrap, index.data())
        assert abs(view.visualRect(index).height() - words.height() - title.height()) < metrics.height() + 20
        lines.add(view.visualRect(index).height())
    assert len(lines) > 1 or width == 1900


def test_search_takes_anything(gui: Gui) -> None:
    screen = catalogue_of(gui)
    for text in ("\0", "🙂", "가" * 100_000, "%_'\";--", "שלום"):
        screen.search.setText(text)


def test_every_entry_can_be_shown(gui: Gui) -> None:
    screen = catalogue_of(gui)
    for at in range(screen.model.rowCount()):
        screen.view.setCurrentIndex(screen.model.index(at))
        entry = screen.current
        assert entry is not None
        assert gui.text("detailTitle") == entry.text("title", "ko")


def test_adding_from_the_catalogue(gui: Gui, store: Store) -> None:
    screen = catalogue_of(gui)
    screen.view.setCurrentIndex(screen.model.index(screen.model.row_of("morning-sunlight")))
    gui.click("addFromCatalogue")
    form = form_of(gui)
    assert form.problem == ""
    assert gui.text("frameFeedback", form).startswith("✓")
    form.when.setText("아침 8시")
    form.after.clear()
    gui.click("formSave", form)
    [habit] = store.habits.list()
    assert (habit.protocol_id, habit.frame_level) == ("morning-sunlight", 2)
    assert (habit.anchor_when, habit.anchor_after_what, habit.anchor_source) == ("아침 8시", None, "user")
    assert gui.window.stack.currentWidget() is gui.window.habits
    gui.qtbot.waitUntil(lambda: habit.id in gui.window.habits.cards)
    screen = catalogue_of(gui)
    screen.view.setCurrentIndex(screen.model.index(screen.model.row_of("morning-sunlight")))
    assert not screen.add_button.isEnabled()


def test_what_is_missing_is_said_while_typing(gui: Gui, store: Store) -> None:
    form = open_add(gui)
    save = form.save_button
    form.frame_editor.edit.setText("담배 끊기")
    assert "대신 무엇을 할지로" in gui.text("frameFeedback", form)
    assert not save.isEnabled()
    form.frame_editor.edit.setText("아")
    assert not save.isEnabled()
    form.frame_editor.edit.setText("일어나서 창가에 선다")
    assert save.isEnabled()
    form.when.setText("  ")
    form.after.setText("")
    assert gui.text("formProblem", form) == "언제, 또는 무엇을 한 뒤에 할지 하나는 정해 주세요."
    form.after.setText("세수한 뒤")
    form.minimum.setText(form.standard.text())
    assert "최소 용량" in gui.text("formProblem", form)
    form.minimum.setText("창문 열기")
    form.standard.setText(" ")
    assert "표준 용량" in gui.text("formProblem", form)
    gui.qtbot.keyClick(form, Qt.Key.Key_Escape)
    assert store.habits.list() == []


def test_a_safety_line_has_to_be_acknowledged_where_the_catalogue_asks(gui: Gui, store: Store) -> None:
    entry = next(each for each in store.catalogue.all() if each.requires_ack)
    form = open_add(gui, entry.id)
    assert form.problem == "안전 안내를 읽고 확인해 주세요."
    gui.find(QWidget, "safetyLine", form)
    form.findChild(QCheckBox, "acknowledge").setChecked(True)
    assert form.problem == ""
    plain = next(each for each in store.catalogue.all() if not each.requires_ack)
    form.reject()
    assert not open_add(gui, plain.id).acknowledged.isVisible()


def test_the_level_changes_an_untouched_example_and_leaves_own_words(gui: Gui) -> None:
    form = open_add(gui)
    entry = form.entry
    assert entry is not None
    for level in (1, 3, 2):
        form.findChild(QRadioButton, f"levelRadio_{level}").setChecked(True)
        assert form.frame_editor.text == entry.frame(level, "ko")
    form.frame_editor.edit.setText("내가 적은 문장")
    gui.click("level_3", form)
    assert form.frame_editor.level == 3
    assert form.frame_editor.text == "내가 적은 문장"
    gui.click("useExample", form)
    assert form.frame_editor.text == entry.frame(3, "ko")


def test_the_coach_proposes_and_the_user_decides(gui: Gui) -> None:
    gui.llm.texts.append("점심을 먹은 뒤 창가에서 햇빛을 본다")
    form = open_add(gui)
    form.frame_editor.edit.setText("내가 적은 문장")
    gui.click("suggestFrame", form)
    assert not form.frame_editor.suggest_button.isEnabled()
    gui.qtbot.waitUntil(lambda: form.findChild(QWidget, "proposal").isVisible(), timeout=5000)
    assert gui.text("proposalText", form) == "점심을 먹은 뒤 창가에서 햇빛을 본다"
    assert form.frame_editor.text == "내가 적은 문장"
    gui.click("takeProposal", form)
    assert form.frame_editor.text == "점심을 먹은 뒤 창가에서 햇빛을 본다"
    assert form.frame_editor.suggest_button.isEnabled()


def test_without_a_model_the_form_works_and_says_so(gui: Gui, store: Store) -> None:
    gui.llm.load_error = WorldError("모델이 없어요.", "설정에서 골라 주세요.")
    form = open_add(gui)
    gui.click("suggestFrame", form)
    gui.qtbot.waitUntil(lambda: form.findChild(QWidget, "proposal").isVisible(), timeout=5000)
    assert "모델이 없어요." in gui.text("proposalText", form)
    assert not form.findChild(QPushButton, "takeProposal").isVisible()
    gui.click("closeProposal", form)
    gui.click("formSave", form)
    assert len(store.habits.list()) == 1


def test_an_answer_for_a_closed_form_goes_nowhere(gui: Gui) -> None:
    gui.llm.texts.append("점심을 먹은 뒤 창가에서 햇빛을 본다")
    form = open_add(gui)
    gui.click("suggestFrame", form)
    form.reject()
    second = open_add(gui)
    gui.qtbot.waitUntil(lambda: gui.window.thread_._finished == 1, timeout=5000)
    gui.qtbot.waitUntil(lambda: not gui.window.thread_._flush_timer.isActive())
    assert not second.findChild(QWidget, "proposal").isVisible()


def test_with_ai_off_the_form_has_no_suggestion(make_gui: MakeGui, store: Store) -> None:
    store.settings.set(AI_ENABLED, False)
    form = open_add(make_gui())
    assert not form.frame_editor.suggest_button.isVisible()
    assert form.frame_editor.example_button.isVisible()


def test_a_full_quota_is_said_inside_the_form(gui: Gui, store: Store) -> None:
    form = open_add(gui)
    for protocol_id in ("daily-steps", "bedtime-todo-list", "regular-wake-time"):
        add_habit(store, protocol_id)
    gui.click("formSave", form)
    assert "3개까지" in form.notice.text
    assert form.isVisible()
    assert len(store.habits.list()) == 3


def test_changing_a_habit(make_gui: MakeGui, habits: dict[str, Habit], store: Store) -> None:
    gui = make_gui()
    walk = habits["walk"]
    gui.window.habits.edit_asked.emit(store.habits.get(walk.id))
    form = form_of(gui)
    form.frame_editor.edit.setText("점심 먹고 회사를 한 바퀴 걷는다")
    form.when.setText("점심시간")
    form.minimum.setText("문 앞까지 걷기")
    gui.click("formSave", form)
    after = store.habits.get(walk.id)
    assert after.framed_text == "점심 먹고 회사를 한 바퀴 걷는다"
    assert after.anchor_when == "점심시간"
    assert after.minimum_dose == "문 앞까지 걷기"
    card = gui.window.habits.cards[walk.id]
    gui.qtbot.waitUntil(lambda: gui.text("habitFrame", card) == after.framed_text)


def test_odd_text_in_the_form(gui: Gui, store: Store) -> None:
    form = open_add(gui)
    form.frame_editor.edit.setText("창가에\0 선다 🌞 " + "길" * 100_000)
    form.when.setText("שלום 아침\n8시")
    assert len(form.frame_editor.edit.text()) <= 80
    gui.click("formSave", form)
    [habit] = store.habits.list()
    assert "\0" not in habit.framed_text
    assert habit.anchor_when == "שלום 아침 8시"
